"""Times an engine over the rows of a fold, in pieces: a long fold can be stopped early and extrapolated."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from typing import NamedTuple

from figmn import ConstantColumnWarning

PIECE = 0.2
"""Seconds of work between two chances to stop; a single row of many columns may take longer."""
LEAST = 2
"""Rows that are always run, however long they take."""
TimedWork = Callable[[int, int], None]
"""Processes rows `begin` to `end` (exclusive)."""


class Reading(NamedTuple):
    """Wall-clock time and CPU time of the thread, in seconds."""

    wall: float
    cpu: float

    def __add__(self, other: Reading) -> Reading:  # type: ignore[override]  # sums, where a tuple would be lengthened
        return Reading(self.wall + other.wall, self.cpu + other.cpu)


class FoldProgress(NamedTuple):
    """Progress through the rows of a fold."""

    n_run: int
    time: Reading | None
    """For all rows, extrapolated where fewer have been run; None before there are rows to extrapolate from."""


def timed_pieces(
    work: TimedWork, n_rows: int, seconds_a_row: float, seconds_at_most: float | None, n_special: int = 0
) -> Iterator[FoldProgress]:
    """Process the rows of a fold piece by piece under both clocks, and yield the progress after every piece.

    Parameters
    ----------
    work, n_rows : what to do, and the number of rows
    seconds_a_row : estimate that determines the size of a piece; a short fold is one piece
    seconds_at_most : stop once this has passed, but not before two rows; None runs all rows
    n_special : rows at the beginning whose cost differs from the others: timed, but not extrapolated from
    """
    special = rest = Reading(0.0, 0.0)
    for begin, end in _pieces(n_rows, seconds_a_row, seconds_at_most, n_special):
        reading = clocked(work, begin, end)
        if end <= n_special < n_rows:
            special += reading
            yield FoldProgress(end, None)
            continue
        rest += reading
        yield FoldProgress(
            end, special + (rest if end == n_rows else _scaled(rest, (n_rows - n_special) / (end - n_special)))
        )
        spent = special.wall + rest.wall
        if seconds_at_most is not None and spent >= seconds_at_most and end >= n_special + LEAST:
            return


def clocked(work: TimedWork, begin: int, end: int) -> Reading:
    """Both clocks around the work on some rows, and nothing else."""
    with warnings.catch_warnings():
        # A column that is constant in a fold does not matter in a table of times.
        warnings.simplefilter("ignore", ConstantColumnWarning)
        wall, cpu = time.perf_counter(), time.thread_time()
        work(begin, end)
        return Reading(time.perf_counter() - wall, time.thread_time() - cpu)


def _pieces(
    n_rows: int, seconds_a_row: float, seconds_at_most: float | None, n_special: int
) -> Iterator[tuple[int, int]]:
    piece = PIECE if seconds_at_most is None else min(PIECE, seconds_at_most)
    if n_rows * seconds_a_row <= piece:
        yield 0, n_rows
        return
    if n_special:
        yield 0, n_special
    step = max(1, int(piece / seconds_a_row))
    for begin in range(n_special, n_rows, step):
        yield begin, min(begin + step, n_rows)


def _scaled(reading: Reading, factor: float) -> Reading:
    return Reading(reading.wall * factor, reading.cpu * factor)
