"""`python -m workbench bench --race`: races, sweeps and speed tables of the Race page, without a window."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from figmn import Parameters
from figmn.bench import machine
from figmn.params import COVARIANCE, SOLVER
from workbench.commands.progress import clear_line, show_line
from workbench.evaluate.speed import latex as speed_latex
from workbench.evaluate.speed import texts as speed_texts
from workbench.evaluate.speed.settings import TableSettings
from workbench.evaluate.speed.tables import measure_tables
from workbench.evaluate.sweep import texts as sweep_texts
from workbench.evaluate.sweep.sweep import GRIDS, SweepResult, SweepSettings, sweep
from workbench.run.files import write_safely
from workbench.run.race.contenders import RACE_ENGINES, RaceContender
from workbench.run.race.frame import RaceFrame
from workbench.run.race.headless import race, recipe_of
from workbench.run.race.settings import RaceSettings
from workbench.run.race.texts import as_csv, as_json, as_text
from workbench.run.recipe.choices import Choices
from workbench.run.recipe.dataset import Dataset, FileOrigin, SampleOrigin, load
from workbench.source import samples
from workbench.words.machine import machine_line
from workbench.words.sentences import UserError

RACED = 784
"""Dimensions of a race where none are given."""
Texts = dict[str, Callable[[], str]]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `bench --race`."""
    group = parser.add_argument_group("--race: Fast IGMN against the cubic IGMN, as on the Race page")
    group.add_argument(
        "--race", action="store_true", help="race engines on synthetic rows (--dims, --samples, --engines)"
    )
    group.add_argument("--sweep", action="store_true", help="with --race: the sweep over D (--dims, --repeats)")
    group.add_argument("--paper", action="store_true", help="with --race: the paper's tables of times")
    group.add_argument("--literal", action="store_true", help="with --sweep: also Fast IGMN as the paper prints it")
    group.add_argument("--data", metavar="NAME|FILE", help="with --race: a bundled dataset or a file")
    group.add_argument(
        "--solver",
        choices=SOLVER.choices,
        default=SOLVER.default,
        help="of the cubic engine, where --engines names none",
    )
    group.add_argument("--rule", choices=COVARIANCE.choices, default=COVARIANCE.default, help="covariance rule of all")
    group.add_argument(
        "--mode",
        choices=("clock", "sample"),
        default="clock",
        help="who waits: nobody, or the faster",
    )
    group.add_argument("--at-once", action="store_true", help="run both engines at the same time, not in turns")
    group.add_argument(
        "--defaults", action="store_true", help="the workbench's defaults in place of the paper's values"
    )
    group.add_argument("--runs", type=int, default=1, help="with --paper: runs of two folds each (default 1)")
    group.add_argument("--whole", action="store_true", help="with --paper: all rows, however long it takes")
    group.add_argument("--latex", metavar="FILE", type=Path, help="with --sweep or --paper: write the tables as LaTeX")


def run(options: argparse.Namespace) -> None:
    """Run what the options ask for, print it, and write the files."""
    print(f"{machine_line(machine())}\n")
    texts = _paper(options) if options.paper else _sweep(options) if options.sweep else _race(options)
    for kind, text in texts.items():
        if path := getattr(options, kind):
            write_safely(path, partial(_write, text()))


def _write(text: str, path: Path) -> None:
    path.write_text(text, encoding="utf-8")


def _race(options: argparse.Namespace) -> Texts:
    """One race, or one for each of several dimensions; the files hold the last."""
    if options.latex:
        raise UserError("The option --latex is for tables: give --sweep or --paper with it.")
    choices = Choices(Parameters(covariance=options.rule))
    dataset = None if options.data is None else _dataset(options.data)
    contenders, frames = _contenders(options.engines), list[RaceFrame]()
    for width in (options.dims or (RACED,)) if dataset is None else (RACED,):
        settings = RaceSettings(
            source="generator" if dataset is None else "data",
            n_features=width,
            n_rows=options.samples,
            solver=options.solver,
            mode=options.mode,
            values="form" if options.defaults else "paper",
            takes_turns=not options.at_once,
        )
        data, recipe = recipe_of(settings, choices, dataset)
        frames.append(race(recipe, settings, _watched("samples that all have learned"), dataset=data,
                           contenders=contenders, threads=options.threads))  # fmt: skip
        print(f"{recipe.describe(len(frames[-1].columns))}\n{as_text(frames[-1])}\n")
    return {"json": partial(as_json, frames[-1], machine()), "csv": partial(as_csv, frames[-1])}


def _contenders(names: Sequence[str] | None) -> list[RaceContender]:
    """Those that were named, the first is the reference; none: those of the Race page."""
    for name in names or ():
        if name not in RACE_ENGINES:
            raise UserError(
                "The engine {name!r} cannot race: give --engines some of {known}.",
                name=name,
                known=", ".join(RACE_ENGINES),
            )
    return [RACE_ENGINES[name] for name in names or ()]


def _dataset(name: str) -> Dataset:
    known = {one.name.lower(): one.name for one in samples()}
    origin = SampleOrigin(known[name.lower()]) if name.lower() in known else FileOrigin(name)
    return load(origin)


def _sweep(options: argparse.Namespace) -> Texts:
    settings = SweepSettings(
        dims=options.dims or GRIDS["quick"],
        n_rows=options.samples,
        n_components=options.components,
        repeats=options.repeats,
        seconds=options.seconds,
        solver=options.solver,
        with_literal=options.literal,
    )
    show = _watched("timings")

    def tell(found: SweepResult) -> None:
        show(found.n_done, found.n_total)

    result = sweep(settings, tell)
    print(sweep_texts.as_text(result))
    return {kind: partial(sweep_texts.export_text, result, kind) for kind in ("json", "csv", "latex")}


def _paper(options: argparse.Namespace) -> Texts:
    limit: dict[str, Any] = {"seconds_at_most": None} if options.whole else {}
    settings = TableSettings(n_runs=options.runs, solver=options.solver, **limit)
    show = _watched("timings")
    with closing(measure_tables(settings)) as growing:
        for tables in growing:
            show(tables.n_done, tables.n_total)
    print(speed_texts.as_text(tables))
    writers = {"json": speed_texts.as_json, "csv": speed_texts.as_csv, "latex": speed_latex.as_latex}
    return {kind: partial(write, tables) for kind, write in writers.items()}


def _watched(what: str) -> Callable[[int, int], bool]:
    """A callback `(done, total)` that shows a progress line and never cancels."""

    def show(done: int, total: int) -> bool:
        if done == total:
            clear_line()
        else:
            show_line(f"{done:,} of {total:,} {what}")
        return True

    return show
