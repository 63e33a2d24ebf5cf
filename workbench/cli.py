"""The command line: `python -m workbench` or `figmn-workbench`."""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from figmn import IGMN, ConstantColumnWarning, FastIGMN, Parameters, __version__
from figmn.engine import Engine
from figmn.state import Floats
from workbench import benchmark
from workbench.source import Encoding, Table, sample

CHUNK = 32
"""Rows that an engine gets at a time."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    parser = argparse.ArgumentParser(
        prog="figmn-workbench",
        description="Without a word: streams handwritten digits through Fast IGMN and the original IGMN.",
    )
    parser.add_argument("--version", action="version", version=f"figmn-workbench {__version__}")
    words = parser.add_subparsers(dest="word", metavar="bench")
    benchmark.add_options(words.add_parser("bench", help="time the engines against each other"))
    options = parser.parse_args(arguments)
    if options.word == "bench":
        return benchmark.run(options)
    demo(sample("digits").read().with_roles({"digit": "ignored"}))
    return 0


@dataclass
class Lane:
    """One engine of the demo, and the time spent in it."""

    name: str
    engine: Engine
    seconds: float = 0.0

    def learn(self, rows: Floats) -> None:
        """Learn, on the clock."""
        began = time.perf_counter()
        self.engine.learn(rows)
        self.seconds += time.perf_counter() - began

    @property
    def microseconds(self) -> float:
        """Mean engine time of a sample."""
        return 1e6 * self.seconds / self.engine.n_seen


def demo(table: Table) -> None:
    """Stream a dataset through both engines and print what came out."""
    encoder = Encoding().fit(table)
    rows = encoder.encode(table).values
    settings = Parameters(delta=1, beta=0.001)
    benchmark.prepare()
    print(f"{table.name}: {len(rows):,} rows x {encoder.n_columns} columns")
    print(f"δ = {settings.delta:g}, β = {settings.beta:g}, v_min = {settings.v_min:g}, sp_min = {settings.sp_min:g}\n")
    fast, cubic = (
        Lane(name, engine(**asdict(settings), scale=encoder.scale, columns=encoder.names))
        for name, engine in (("Fast IGMN", FastIGMN), ("IGMN", IGMN))
    )
    stream(rows, (fast, cubic))
    print(results(fast, cubic, rows))


def stream(rows: Floats, lanes: Sequence[Lane]) -> None:
    """Give every chunk to every engine; the bar moves in between, off the clock."""
    with warnings.catch_warnings():
        # Some pixels are always blank; the floor that they get is what the demo wants.
        warnings.simplefilter("ignore", ConstantColumnWarning)
        for start in range(0, len(rows), CHUNK):
            for lane in lanes:
                lane.learn(rows[start : start + CHUNK])
            show_progress(lanes[0].engine.n_seen, len(rows), [lane.engine.n_components for lane in lanes])


def show_progress(done: int, total: int, counts: Sequence[int]) -> None:
    """Draw the bar over itself on a terminal; elsewhere print its last state alone."""
    if sys.stderr.isatty() or done == total:
        components = " / ".join(str(count) for count in counts)
        start, end = ("\r", "\n" if done == total else "") if sys.stderr.isatty() else ("", "\n")
        bar = benchmark.bar(done, total)
        print(f"{start}{bar} {done:,} / {total:,} rows, K = {components}  ", end=end, file=sys.stderr, flush=True)


def results(fast: Lane, cubic: Lane, rows: Floats) -> str:
    """The table of both engines, and how far they agree."""
    lines = [f"{'engine':<10} {'rows':>6} {'K':>4} {'µs per sample':>14} {'mean log-likelihood':>20}"]
    lines += [
        f"{lane.name:<10} {lane.engine.n_seen:>6,} {lane.engine.n_components:>4} {lane.microseconds:>14,.1f} "
        f"{lane.engine.score_samples(rows).mean():>20,.3f}"
        for lane in (fast, cubic)
    ]
    return "\n".join([*lines, f"\nspeed-up: {cubic.seconds / fast.seconds:.1f}x (engine time alone, one run)"])
