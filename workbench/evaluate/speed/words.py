"""Cells and notes of the speed tables as text, the same in the window and in every export."""

from __future__ import annotations

import math
from typing import NamedTuple

from workbench.evaluate.speed.printed import PRINTED, PRINTED_AVERAGES, Phase, PrintedTimes, mean_of_lines
from workbench.evaluate.speed.settings import N_FOLDS, TableSettings
from workbench.evaluate.speed.times import Cell, PhaseTimes, SpeedTables
from workbench.words.durations import in_seconds, second_places
from workbench.words.factors import table_factor
from workbench.words.names import SOLVER_NAMES
from workbench.words.numbers import NO_FIGURE

APPROXIMATELY = "≈ "
TITLES: dict[Phase, str] = {
    "training": "Training time",
    "testing": "Testing time, nothing kept",
    "testing_kept": "Testing time, pattern kept",
}
GROUPS: dict[Phase, tuple[str, str]] = {
    "training": ("this machine", "printed"),
    "testing": ("this machine, nothing kept", "printed"),
    "testing_kept": ("this machine, pattern kept", "this machine, nothing kept"),
}
"""The two groups of columns of each table."""


class TableLine(NamedTuple):
    """One line of a table as text: our figures, then those they are compared with; all times in seconds."""

    title: str
    n_rows: str
    n_columns: str
    igmn: str
    fast: str
    mark: str
    speed_up: str
    other_igmn: str
    other_fast: str
    other_mark: str
    other_speed_up: str


def lines(tables: SpeedTables, phase: Phase) -> list[TableLine]:
    """All lines of a table, the average last.

    >>> lines(SpeedTables(), "training")[-2][:5]
    ('CIFAR-10 (stand-in)', '1,000', '3,082', '–', '–')
    """
    return [*(_line(tables, phase, position) for position in range(len(tables.rows))), _average(tables, phase)]


def spread(cell: Cell) -> str:
    """Mean and standard deviation in seconds, with the decimal places of the mean's three digits.

    >>> from workbench.evaluate.speed.times import Timing
    >>> spread(Cell((Timing(0, 0, 0.00021, 0.0002, 75, 75), Timing(0, 1, 0.00025, 0.0002, 75, 75))))
    '0.000230 ± 0.000028'
    >>> spread(Cell((Timing(0, 0, 1234.5, 1230.0, 3, 500),)))
    '≈ 1,234'
    """
    if not cell.timings:
        return NO_FIGURE
    places = second_places(cell.mean)
    deviation = "" if math.isnan(cell.std) else f" ± {cell.std:,.{places}f}"
    return f"{APPROXIMATELY * cell.is_sampled}{cell.mean:,.{places}f}{deviation}"


def printed_spread(mean: float, std: float | None = None) -> str:
    """Mean and standard deviation with three decimals, as the paper prints them.

    >>> printed_spread(20768.494, 1244.221)
    '20,768.494 ± 1,244.221'
    """
    return f"{mean:,.3f}" + ("" if std is None else f" ± {std:,.3f}")


def rows_run(cell: Cell) -> str:
    """How many rows of the folds were run, where not all were.

    >>> from workbench.evaluate.speed.times import Timing
    >>> rows_run(Cell((Timing(0, 0, 9.0, 9.0, 7, 500), Timing(0, 1, 9.0, 9.0, 8, 500))))
    '≈ 7 and 8 of 500 rows'
    """
    if not cell.is_sampled:
        return ""
    counts = " and ".join(dict.fromkeys(f"{t.n_run:,}" for t in cell.timings))
    return f"{APPROXIMATELY}{counts} of {max(t.n_rows for t in cell.timings):,} rows"


def conditions(settings: TableSettings) -> list[str]:
    """The conditions under which all figures were measured, one or two sentences per line."""
    runs = f"{settings.n_runs} runs of " if settings.n_runs > 1 else ""
    marks = "● Fast IGMN takes significantly less time than IGMN, ○ more: paired t-test over the folds, p < 0.05."
    if settings.seconds_at_most is not None:
        limit = f"{settings.seconds_at_most:g} s or two rows"
        marks += f" ≈ extrapolated from the first rows of a fold, for {limit}."
    return [
        f"δ = 1, β = 0, exact rule, IGMN by {SOLVER_NAMES[settings.solver]}; {runs}stratified {N_FOLDS}-fold "
        f"cross-validation with seed {settings.seed}, mean ± std over {settings.n_runs * N_FOLDS} folds.",
        "Engine time only, one BLAS thread for both, warm-up not timed, the engines take turns in going first. A fold "
        "is learned in one call and predicted row by row; IGMN predicts by an inverse.",
        "Nothing kept: every row pays for its pattern of unknown columns, as in the paper. Pattern kept: both engines "
        "keep what the first row of a fold has found out.",
        marks,
        "D counts columns after encoding, with the classes. The CIFAR-10 set is a synthetic stand-in of the same "
        "shape. Printed: Pinto and Engel (2015), Java in Weka, another machine.",
    ]


def average_note(phase: Phase) -> str:
    """A note that the printed average is not the mean of the printed lines; empty where nothing is printed."""
    if phase not in PRINTED:
        return ""
    printed, own = PRINTED_AVERAGES[phase], mean_of_lines(phase)
    return (
        f"Printed as the average: {printed.igmn:,.3f} and {printed.fast:,.3f} s. "
        f"The mean of the eleven printed lines is {own.igmn:,.3f} and {own.fast:,.3f} s."
    )


def cpu_note(tables: SpeedTables) -> str:
    """The share of CPU time in wall-clock time; empty before anything was measured."""
    shares = tables.cpu_shares()
    if not shares:
        return ""
    (lowest, where), middle = shares[0], shares[len(shares) // 2][0]
    return f"CPU time as a share of wall time: median {100 * middle:.0f} %, lowest {100 * lowest:.0f} % ({where})."


def _line(tables: SpeedTables, phase: Phase, position: int) -> TableLine:
    row = tables.rows[position]
    sizes = row.of.title, f"{row.of.n_rows:,}", f"{row.of.n_columns:,}"
    others = _printed(PRINTED[phase].get(row.of.name)) if phase in PRINTED else _ours(row.testing.shown)
    return TableLine(*sizes, *_ours(row.phase(phase).shown), *others)


def _ours(ours: PhaseTimes) -> tuple[str, str, str, str]:
    return spread(ours.igmn), spread(ours.fast), ours.mark, _factor(ours.speed_up, ours.is_sampled)


def _printed(printed: PrintedTimes | None) -> tuple[str, str, str, str]:
    if printed is None:
        return NO_FIGURE, NO_FIGURE, "", NO_FIGURE
    igmn, fast = printed_spread(printed.igmn, printed.igmn_std), printed_spread(printed.fast, printed.fast_std)
    return igmn, fast, printed.mark, _factor(printed.speed_up)


def _average(tables: SpeedTables, phase: Phase) -> TableLine:
    printed = PRINTED_AVERAGES.get(phase)
    if printed is None:
        others = _our_average(tables, "testing")
    else:
        others = printed_spread(printed.igmn), printed_spread(printed.fast), "", _factor(printed.speed_up)
    return TableLine("Average", "", "", *_our_average(tables, phase), *others)


def _our_average(tables: SpeedTables, phase: Phase) -> tuple[str, str, str, str]:
    ours = tables.average(phase)
    if ours is None:
        return NO_FIGURE, NO_FIGURE, "", NO_FIGURE
    igmn = _approximate(in_seconds(ours.igmn), ours.igmn_sampled)
    fast = _approximate(in_seconds(ours.fast), ours.fast_sampled)
    return igmn, fast, "", _factor(ours.speed_up, ours.is_sampled)


def _factor(value: float, is_sampled: bool = False) -> str:
    """One decimal below 1 as well: the printed times have no more than one digit there."""
    return _approximate(table_factor(value, decimals_below_one=1), is_sampled)


def _approximate(text: str, is_sampled: bool) -> str:
    """The text, marked where the figure is extrapolated; a missing figure is not marked."""
    return f"{APPROXIMATELY}{text}" if is_sampled and text != NO_FIGURE else text
