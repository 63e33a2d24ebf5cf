"""`python -m workbench bench --accuracy`, `--streams`, `--mixture`, `--expected`: how good the mixtures are."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

from figmn.bench import machine
from workbench.commands import parameter_flags
from workbench.commands.option_error import positive
from workbench.commands.progress import bar, clear_line, show_line
from workbench.run.files import write_safely
from workbench.words.machine import machine_line
from workbench.words.tables import json_text

T = TypeVar("T")
KINDS = ("accuracy", "streams", "mixture", "expected")
"""Options that ask for a measurement of quality."""
FURTHER = ("fresh",)
"""Sets of --accuracy without --paper and --sets."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the measurements of quality."""
    group = parser.add_argument_group("quality: how good the mixtures are, beside other learners")
    group.add_argument(
        "--accuracy", action="store_true", help="AUC of classifiers on fresh sets; with --paper on the paper's sets"
    )
    group.add_argument("--streams", action="store_true", help="prequential accuracy on streams of river")
    group.add_argument("--mixture", action="store_true", help="log-likelihood and time beside GaussianMixture")
    group.add_argument("--expected", action="store_true", help="the defaults on data whose answer is known")
    group.add_argument(
        "--sets", type=_names, default=[], metavar="NAMES", help="of --accuracy or --streams, such as iris,Glass"
    )
    group.add_argument("--learners", type=_names, default=[], metavar="NAMES", help="of --accuracy or --streams")
    group.add_argument("--seeds", type=positive, default=10, help="of --accuracy: runs of two folds (default 10)")
    group.add_argument("--jobs", type=positive, default=os.cpu_count() or 1, help="processes of --accuracy")
    group.add_argument(
        "--files", type=Path, nargs="+", default=[], metavar="FILE", help="with --streams: files in place of river's"
    )
    group.add_argument("--most-rows", type=positive, help="most rows of each of --streams; rows of --mixture")
    parameter_flags.add_flags(parser, "of Fast IGMN in --streams, --mixture, --expected and the untuned in --accuracy")


def is_asked(options: argparse.Namespace) -> bool:
    """Whether the options ask for a measurement of quality."""
    return any(getattr(options, kind) for kind in KINDS)


def run(options: argparse.Namespace) -> None:
    """Measure what the options ask for, print it, and write the JSON file."""
    print(f"{machine_line(machine())}\n")
    measures = {"accuracy": _accuracy, "streams": _streams, "mixture": _mixture, "expected": _expected}
    records = {kind: measure(options) for kind, measure in measures.items() if getattr(options, kind)}
    if options.json:
        text = json_text({"machine": machine(), **records})
        write_safely(options.json, lambda new: new.write_text(text, encoding="utf-8"))


def _accuracy(options: argparse.Namespace) -> Any:
    from workbench.evaluate.quality.accuracy import measure_accuracy
    from workbench.evaluate.quality.learners import chosen_learners
    from workbench.evaluate.quality.sets import chosen_sets
    from workbench.evaluate.quality.texts import accuracy_records, accuracy_text

    sets = chosen_sets(options.sets or (["paper"] if options.paper else FURTHER))
    chosen = chosen_learners(options.learners, **parameter_flags.given(options))
    for table in measure_accuracy(sets, chosen, options.seeds, options.jobs):
        show_line(f"{bar(len(table.scores), table.n_total)} {len(table.scores):,} / {table.n_total:,} folds")
    clear_line()
    print(accuracy_text(table))
    return accuracy_records(table)


def _streams(options: argparse.Namespace) -> Any:
    from workbench.evaluate.quality.streams.learners import chosen_stream_learners
    from workbench.evaluate.quality.streams.prequential import measure_streams
    from workbench.evaluate.quality.streams.sources import N_SYNTHETIC, chosen_streams, file_stream
    from workbench.evaluate.quality.texts import stream_text

    n_rows = options.most_rows or N_SYNTHETIC
    streams = [file_stream(path) for path in options.files] or chosen_streams(options.sets, n_rows)
    chosen = chosen_stream_learners(options.learners, **parameter_flags.given(options))
    scores = _watched(measure_streams(streams, chosen, options.most_rows), len(streams) * len(chosen))
    print(stream_text(scores, {name: one.title for name, one in chosen.items()}))
    return [asdict(score) for score in scores]


def _mixture(options: argparse.Namespace) -> Any:
    from workbench.evaluate.quality.mixture import N_ROWS, measure_mixtures, mixture_cases
    from workbench.evaluate.quality.texts import mixture_text

    cases = mixture_cases(options.dims or (2, 10, 50), options.most_rows or N_ROWS)
    scores = _watched(measure_mixtures(cases, **parameter_flags.given(options)), len(cases))
    print(mixture_text(scores))
    return [asdict(score) for score in scores]


def _expected(options: argparse.Namespace) -> Any:
    from workbench.evaluate.quality.expected import measure_expectations
    from workbench.evaluate.quality.texts import expectation_text

    found = _watched(measure_expectations(**parameter_flags.given(options)), 9)
    print(expectation_text(found))
    return [asdict(one) for one in found]


def _watched(growing: Iterator[T], total: int) -> list[T]:
    """All results, with a progress line while they come."""
    found = list[T]()
    show_line(f"{bar(0, total)} 0 / {total}")
    for one in growing:
        found.append(one)
        show_line(f"{bar(len(found), total)} {len(found)} / {total}")
    clear_line()
    return found


def _names(text: str) -> list[str]:
    return [part.strip() for part in text.split(",")]
