"""Evaluations as texts: JSON with everything but the single predictions, and CSV with one line a figure and fold."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from workbench.evaluate.trial.figures import confusion, figures_of
from workbench.evaluate.trial.outcome import Evaluation, Outcome
from workbench.words.tables import csv_text

HEADINGS = (
    "number", "began", "dataset", "target", "test", "method", "figure", "repeat", "fold", "value",
)  # fmt: skip


def described(number: int, evaluation: Evaluation) -> dict[str, Any]:
    """An evaluation as plain values for JSON."""
    plan = evaluation.plan
    return {
        "number": number,
        "began": evaluation.began,
        "seconds": round(evaluation.seconds, 3),
        "dataset": plan.recipe.origin.title,
        "task": asdict(plan.task),
        "test": {"kind": type(plan.option).__name__, "words": plan.option.words},
        "remarks": list(evaluation.remarks),
        "classes": list(evaluation.labels),
        "methods": [_method(evaluation, outcome) for outcome in evaluation.outcomes],
        "recipe": json.loads(plan.recipe.to_text()),
    }


def figure_lines(number: int, evaluation: Evaluation) -> Iterator[tuple[Any, ...]]:
    """Lines of `csv_of`: a figure over all test rows has no repeat and fold."""
    plan = evaluation.plan
    start = (number, evaluation.began, plan.recipe.origin.title, plan.task.words, plan.option.words)
    for outcome in evaluation.outcomes:
        for found in figures_of(evaluation, outcome):
            line = (*start, outcome.title, found.measure.title)
            yield (*line, "", "", _plain(found.value))
            if len(found.folds) > 1:
                for part, value in zip(outcome.parts, found.folds, strict=True):
                    yield (*line, part.repeat + 1, part.fold + 1, _plain(value))


def csv_of(lines: Sequence[Sequence[Any]]) -> str:
    """Lines as CSV."""
    return csv_text(HEADINGS, lines)


def _method(evaluation: Evaluation, outcome: Outcome) -> dict[str, Any]:
    found: dict[str, Any] = {
        "name": outcome.name,
        "title": outcome.title,
        "figures": {
            figure.measure.name: {
                "value": _plain(figure.value),
                "spread": _plain(figure.spread),
                "folds": [_plain(value) for value in figure.folds],
            }
            for figure in figures_of(evaluation, outcome)
        },
    }
    if evaluation.labels:
        found["confusion"] = confusion(evaluation, outcome).tolist()
    return found


def _plain(value: float) -> float | None:
    """JSON and CSV have no word for what is not defined."""
    return value if math.isfinite(value) else None
