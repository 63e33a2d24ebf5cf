"""Figures of quality as plain text, and as records for JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from statistics import fmean
from typing import Any

import numpy as np

from workbench.evaluate.quality.accuracy import N_FOLDS, AccuracyTable
from workbench.evaluate.quality.expected import Expectation
from workbench.evaluate.quality.mixture import N_NEW, MixtureScore
from workbench.evaluate.quality.printed import PRINTED
from workbench.evaluate.quality.streams.prequential import LAST, StreamScore
from workbench.words.numbers import NO_FIGURE

FIGURES = {
    "first_area": "Area under the ROC curve of the first class",
    "weighted_area": "Area under the ROC curve, weighted over the classes",
    "log_loss": "Log-loss",
    "brier": "Brier score",
    "accuracy": "Accuracy",
    "seconds": "CPU seconds to choose and learn",
}
"""Fields of `FoldScore` that have a table, and their titles."""


def accuracy_text(table: AccuracyTable, figures: Sequence[str] = ("first_area", "weighted_area", "log_loss")) -> str:
    """One table a figure, sets by learners, the mean over the sets last, and how it was measured."""
    tables = [f"{FIGURES[figure]}\n{_accuracy_lines(table, figure)}" for figure in figures]
    candidates = ", ".join(f"{one.title} {len(one.candidates)}" for one in table.learners.values())
    notes = [
        f"Means over {N_FOLDS} stratified folds of every seed from 0 to {table.n_seeds - 1}, equal for all learners. "
        f"Settings are chosen inside of the training fold by two folds of it; candidates: {candidates}.",
        "Fast IGMN gets missing values as they are, the others the mean or the most frequent label, standardised.",
    ]
    if any(one.name in PRINTED for one in table.sets):
        notes.append("Printed: FIGMN in Pinto and Engel (2015), first class, one seed.")
    return "\n\n".join([*tables, "\n".join(notes)])


def accuracy_records(table: AccuracyTable) -> dict[str, Any]:
    """Every fold, and the candidates of every learner."""
    return {
        "n_seeds": table.n_seeds,
        "sets": [{"name": one.name, "purpose": one.purpose} for one in table.sets],
        "learners": {
            name: {"title": one.title, "candidates": [repr(make()) for make in one.candidates]}
            for name, one in table.learners.items()
        },
        "folds": [asdict(score) for score in table.scores],
    }


def stream_text(scores: Sequence[StreamScore], titles: dict[str, str]) -> str:
    """Accuracy of every learner on every stream with the CPU time a row, and the means."""
    learners = list(dict.fromkeys(score.learner for score in scores))
    by_stream = dict[str, dict[str, StreamScore]]()
    for score in scores:
        by_stream.setdefault(score.stream, {})[score.learner] = score
    whole = [found for found in by_stream.values() if len(found) == len(learners)]
    body = [_stream_line(name, found, learners) for name, found in by_stream.items()]
    if whole:
        means = [
            f"{fmean(found[one].accuracy for found in whole):.4f}   "
            f"{fmean(found[one].microseconds for found in whole):,.0f} µs"
            for one in learners
        ]
        body.append(["mean", "", "", *means])
    heading = ["stream", "rows", "published", *(titles[one] for one in learners)]
    note = f"Share of rows predicted right before they were learned, and CPU time a row; in brackets the last {LAST:,}."
    return f"{grid([heading, *body])}\n\n{note}"


def mixture_text(scores: Sequence[MixtureScore]) -> str:
    """Both mixtures case by case."""
    names = ["Fast IGMN", "GaussianMixture", "true", "difference", "choosing δ", "Fast IGMN", "GaussianMixture"]
    heading = ["D", "clusters", "rows", "K", *names, "speed-up"]
    body = [
        [
            str(score.case.n_columns),
            score.case.distance,
            f"{score.case.n_rows:,}",
            str(score.n_components),
            *(f"{value:.3f}" for value in (score.fast, score.batch, score.true)),
            f"{score.difference:+.3f}",
            *(f"{value:.3f} s" for value in (score.choice_seconds, score.fast_seconds, score.batch_seconds)),
            f"{score.speed_up:.1f}×",
        ]
        for score in scores
    ]
    notes = [
        f"Mean log-likelihood of {N_NEW:,} new rows; CPU time, one BLAS thread. Each is told its own setting:",
        "Fast IGMN δ, which was chosen before, GaussianMixture K. Where K = 1, it has one matrix product to do.",
    ]
    return "\n".join([grid([heading, *body]), "", *notes])


def expectation_text(found: Sequence[Expectation]) -> str:
    """A line for every figure."""
    body = [[one.what, one.found, one.goal, "holds" if one.holds else "does not hold"] for one in found]
    return grid([["data", "found", "goal", ""], *body])


def grid(lines: Sequence[Sequence[str]]) -> str:
    """Cells in columns: the first left-aligned, the others right-aligned.

    >>> print(grid([["set", "AUC"], ["iris", "1.0"]]))
    set   AUC
    iris  1.0
    """
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if place else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def _accuracy_lines(table: AccuracyTable, figure: str) -> str:
    with_printed = figure == "first_area" and any(one.name in PRINTED for one in table.sets)
    heading = ["set", *(one.title for one in table.learners.values()), *["printed"] * with_printed]
    values = np.array([[table.mean(one.name, name, figure) for name in table.learners] for one in table.sets])
    body = []
    for one, row in zip(table.sets, values, strict=True):
        printed = f"{PRINTED[one.name].figmn:.2f}" if one.name in PRINTED else NO_FIGURE
        body.append([one.name, *map(_figure, row), *[printed] * with_printed])
    printed_values = [PRINTED[one.name].figmn for one in table.sets if one.name in PRINTED]
    mean = ["mean", *map(_figure, values.mean(axis=0))]
    body.append([*mean, *[f"{fmean(printed_values):.3f}"] * with_printed] if with_printed else mean)
    return grid([heading, *body])


def _figure(value: float) -> str:
    return NO_FIGURE if np.isnan(value) else f"{value:.4f}"


def _stream_line(name: str, found: dict[str, StreamScore], learners: Sequence[str]) -> list[str]:
    first = next(iter(found.values()))
    cells = [
        f"{found[one].accuracy:.4f} ({found[one].last_accuracy:.3f}) {found[one].microseconds:,.0f} µs"
        if one in found
        else NO_FIGURE
        for one in learners
    ]
    return [name, f"{first.n_rows:,}", _figure(first.published), *cells]
