"""`python -m workbench bench`: time the engines against each other; tables, JSON and CSV."""

from __future__ import annotations

import argparse
import math
import sys
import time
import tracemalloc
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from figmn import IGMN, FastIGMN
from figmn.bench import (
    CHOLESKY,
    CONTENDERS,
    INVERSE,
    LITERAL,
    MATURE,
    VECTORISED,
    YOUNG,
    Case,
    Contender,
    Measurement,
    dgemm_rate,
    fit_exponents,
    machine,
    measure,
    pinned,
    warm_up,
)
from figmn.engine import Engine
from figmn.system.arrays import Floats
from workbench.commands import load as load_benchmark
from workbench.commands import quality as quality_benchmark
from workbench.commands import race as race_benchmark
from workbench.commands.option_error import OptionError, positive
from workbench.commands.progress import bar, clear_line, show_line
from workbench.evaluate.sweep.texts import as_csv, exponent_lines, records, table
from workbench.run.files import write_safely
from workbench.run.race.contenders import RACE_ENGINES
from workbench.source.errors import words_of
from workbench.words.factors import speed_up
from workbench.words.machine import fairness_line, machine_line
from workbench.words.sizes import size_text
from workbench.words.tables import json_text

DIMENSIONS = (2, 8, 34, 128, 512)
"""Dimensions of a sweep where none are given."""
SWEPT = ("fast", "cholesky", "literal")
"""Engines of a sweep where none are given."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `bench`."""
    parser.add_argument("--dims", type=_dims, help="dimensions, such as 2,8,34 (the default has 128,512 as well)")
    parser.add_argument("--samples", type=positive, default=500, help="rows per timing (default 500)")
    parser.add_argument("--components", type=positive, default=1, help="components of the mixture (default 1)")
    parser.add_argument("--repeats", type=positive, default=5, help="repeats of every timing (default 5)")
    parser.add_argument("--threads", type=positive, default=1, help="BLAS threads of every engine (default 1)")
    parser.add_argument(
        "--seconds", type=float, default=2.0, help="time fewer rows where all of them would take longer (default 2)"
    )
    parser.add_argument(
        "--engines",
        type=_engines,
        help=f"of {', '.join(CONTENDERS)} (default {','.join(SWEPT)}); with --race of {', '.join(RACE_ENGINES)}",
    )
    parser.add_argument("--headline", action="store_true", help="the comparisons of the README in place of a sweep")
    parser.add_argument("--rows", action="store_true", help="single rows, and rows with gaps, in place of a sweep")
    parser.add_argument("--loads", action="store_true", help="files read, beside pandas and SciPy, in place of a sweep")
    parser.add_argument("--window", action="store_true", help="the window under load in place of a sweep")
    parser.add_argument(
        "--long", type=positive, default=10_000_000, help="samples of the long run of --window (default 10,000,000)"
    )
    parser.add_argument(
        "--gigabytes", type=_size, default=2.0, help="size of the file that --loads streams (default 2; 0: none)"
    )
    race_benchmark.add_options(parser)
    quality_benchmark.add_options(parser)
    parser.add_argument("--json", type=new_file, metavar="FILE", help="write every repeat as JSON")
    parser.add_argument("--csv", type=new_file, metavar="FILE", help="write every repeat as CSV")


def run(options: argparse.Namespace) -> int:
    """Run the benchmark that the options ask for."""
    if options.loads:
        print(f"{machine_line(machine())}\n")
        load_benchmark.run(options.repeats, options.gigabytes)
        return 0
    if options.window:
        from workbench.commands import race_window as race_window_benchmark
        from workbench.commands import window as window_benchmark

        print(machine_line(machine()))
        if options.race:
            race_window_benchmark.measure(options.repeats)
            return 0
        window_benchmark.measure(options.repeats, options.long)
        return 0
    warm_up()
    if quality_benchmark.is_asked(options) or options.race:
        return _told(race_benchmark.run if options.race else quality_benchmark.run, options)
    print(machine_line(machine()))
    print(fairness_line(options.threads, f"medians of {options.repeats} repeats", engines="every engine") + "\n")
    with pinned(options.threads):
        if options.rows or options.headline:
            _rows(options.repeats) if options.rows else headline(options.repeats, options.seconds)
            return 0
        cases = [Case(width, options.samples, options.components) for width in options.dims or DIMENSIONS]
        contenders = [CONTENDERS[name] for name in options.engines or SWEPT]
        found = _measured(cases, contenders, options.repeats, options.seconds)
    exponents = fit_exponents(found)
    print(table(found))
    if exponents:
        print("\n" + exponent_lines(exponents))
    if options.json:
        _write(options.json, json_text(records(found, exponents, machine(), options.threads)))
    if options.csv:
        _write(options.csv, as_csv(found))
    return 0


def _told(work: Callable[[argparse.Namespace], None], options: argparse.Namespace) -> int:
    """Run a benchmark; say in a sentence what went wrong."""
    try:
        work(options)
    except (ValueError, OSError, MemoryError, RuntimeError) as error:
        print(f"figmn-workbench: {words_of(error)}", file=sys.stderr)
        return 1
    return 0


def _rows(repeats: int) -> None:
    from workbench.commands import rows as rows_benchmark  # scikit-learn takes a second to import

    rows_benchmark.run(repeats)


def headline(repeats: int, seconds: float) -> None:
    """The comparisons that the README shows."""
    small = [Case(2, 200_000, 5), Case(8, 200_000, 5), Case(34, 50_000, 5)]
    found = _measured(small, [YOUNG, VECTORISED], repeats, seconds)
    found += _measured([Case(784, 500)], [YOUNG, CHOLESKY, INVERSE, LITERAL], repeats, seconds)
    found += _measured([Case(3072, 300)], [YOUNG, CHOLESKY, INVERSE, LITERAL], repeats, seconds)
    print(table(found) + "\n")
    mature = _measured([Case(784, 5000)], [MATURE], repeats, seconds)[0]
    bare = 3 * 784**2 / dgemm_rate(784)
    print(
        f"D = 784, 5,000 rows, mature: {1e6 * mature.median:.1f} µs per sample, "
        f"{mature.median / bare:.2f} times its bare products ({1e6 * bare:.1f} µs)"
    )
    print(prediction(repeats))
    print(peak_memory())
    dims = (128, 256, 512, 1024, 2048, 3072)
    sweep = _measured([Case(width, 64) for width in dims], [YOUNG, MATURE, CHOLESKY], repeats, seconds)
    print("\n" + exponent_lines(fit_exponents(sweep)))


def prediction(repeats: int) -> str:
    """Time to predict 10 outputs of 1,000 rows with 3,072 columns: both engines, and the bare matrix products."""
    case = Case(3072, 300)
    fast = FastIGMN(**case.options()).learn(case.rows(300))
    cubic = IGMN.from_snapshot(fast.snapshot())
    question = np.random.default_rng(1).normal(size=(1000, 3072))
    known = question[:, :-10].copy()
    block = np.ascontiguousarray(fast.precisions[0][:-10, -10:])
    question[:, -10:] = np.nan
    ours = _median_time(lambda: _afresh(fast, question), repeats)
    theirs = _median_time(lambda: _afresh(cubic, question), 1)
    one, cubic_one = (_median_time(lambda model=model: _afresh(model, question[:1]), 3) for model in (fast, cubic))
    kept, cubic_kept = (_median_time(lambda model=model: model.recall(question[:1]), 99) for model in (fast, cubic))
    bare = _median_time(lambda: known @ block, repeats)
    dense = 2 * 1000 * 3072**2 / dgemm_rate(3072)
    return (
        f"D = 3072, 10 outputs for 1,000 rows: {1e3 * ours:.1f} ms, IGMN {1e3 * theirs:,.0f} ms "
        f"({speed_up(ours, theirs):,.0f}x); known columns x wanted columns of the precision: {1e3 * bare:.1f} ms, "
        f"product with the whole precision: {1e3 * dense:.0f} ms\n"
        f"D = 3072, 10 outputs for one row, nothing kept: {1e3 * one:.2f} ms, IGMN {1e3 * cubic_one:,.0f} ms "
        f"({speed_up(one, cubic_one):,.0f}x); pattern kept: {1e6 * kept:.0f} µs, IGMN {1e6 * cubic_kept:.0f} µs"
    )


def _afresh(model: Engine, question: Floats) -> None:
    """Predict with an empty pattern cache."""
    model.forget_patterns()
    model.recall(question)


def peak_memory() -> str:
    """Peak memory of a young model while it learns."""
    case = Case(3072, 300)
    rows = case.rows(300)
    FastIGMN(**case.options()).learn(rows)
    tracemalloc.start()
    FastIGMN(**case.options()).learn(rows)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    dense = size_text(8 * 3072**2, digits=3)
    return f"D = 3072, 300 rows: peak memory {size_text(peak, digits=3)} (a dense precision alone: {dense})"


def _measured(
    cases: Sequence[Case], contenders: Sequence[Contender], repeats: int, seconds: float
) -> list[Measurement]:
    def show(done: int, total: int, label: str) -> bool:
        show_line(f"{bar(done, total)} {done} / {total}  {label}")
        return True

    try:
        return measure(cases, contenders, repeats, seconds, show)
    finally:
        clear_line()


def _median_time(work: Any, repeats: int) -> float:
    times = []
    work()
    for _ in range(repeats):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return float(np.median(times))


def _write(path: Path, text: str) -> None:
    write_safely(path, lambda new: new.write_text(text, encoding="utf-8"))


def new_file(text: str) -> Path:
    """Path of a file to write, checked before the measurements start."""
    path = Path(text)
    if path.is_dir() or not path.parent.is_dir():
        raise OptionError("{value!r} cannot be written: give a file in a folder that exists.", value=text)
    return path


def _size(text: str) -> float:
    try:
        gigabytes = float(text)
    except ValueError:
        gigabytes = math.nan
    if not 0 <= gigabytes < math.inf:
        raise OptionError("{value!r} is not a number of gigabytes from 0 on: give one.", value=text)
    return gigabytes


def _dims(text: str) -> tuple[int, ...]:
    return tuple(positive(part.strip()) for part in text.split(","))


def _engines(text: str) -> tuple[str, ...]:
    names = tuple(part.strip() for part in text.split(","))
    for name in names:
        if name not in CONTENDERS:
            raise OptionError(
                "{value!r} is not one of {known}: choose from these.", value=name, known=", ".join(CONTENDERS)
            )
    return names
