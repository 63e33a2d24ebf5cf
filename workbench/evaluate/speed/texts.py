"""The speed tables as plain text, CSV and JSON; `latex.py` writes them as LaTeX."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workbench.evaluate.speed.printed import PHASES, PRINTED, PRINTED_AVERAGES, Phase
from workbench.evaluate.speed.times import ENGINES, Cell, PhaseTimes, SetTimes, SpeedTables
from workbench.evaluate.speed.words import (
    GROUPS,
    TITLES,
    average_note,
    conditions,
    cpu_note,
    lines,
)
from workbench.words.machine import machine_line
from workbench.words.tables import csv_text, json_text

HEADINGS = ("dataset", "N", "D", "IGMN, s", "Fast IGMN, s", "", "speed-up", "IGMN, s", "Fast IGMN, s", "", "speed-up")
OURS, THEIRS = slice(3, 7), slice(7, 11)
CSV_HEADINGS = (
    "set", "n_rows", "n_columns", "n_classes", "phase", "engine", "run", "fold",
    "seconds", "cpu_seconds", "rows_run", "rows_of_fold", "extrapolated",
)  # fmt: skip


def as_text(tables: SpeedTables) -> str:
    """All tables for a terminal, and the conditions under which they were measured."""
    notes = [*conditions(tables.settings), *filter(None, map(average_note, PHASES))]
    foot = [*notes, cpu_note(tables), machine_line(dict(tables.machine), tables.threads)]
    return "\n\n".join([*(_text_table(tables, phase) for phase in PHASES), "\n".join(foot)]) + "\n"


def as_csv(tables: SpeedTables) -> str:
    """One line for every set, phase, engine and fold; numbers in full precision."""
    return csv_text(CSV_HEADINGS, _csv_rows(tables))


def _csv_rows(tables: SpeedTables) -> Iterator[list[Any]]:
    for row in tables.rows:
        size = (row.of.title, row.of.n_rows, row.of.n_columns, row.of.n_classes)
        for phase in PHASES:
            for engine in ENGINES:
                for t in row.phase(phase).cell(engine).timings:
                    taken = (t.seconds, t.cpu_seconds, t.n_run, t.n_rows, "yes" if t.is_sampled else "no")
                    yield [*size, phase, engine, t.run + 1, t.fold + 1, *taken]


def as_json(tables: SpeedTables) -> str:
    """Everything, with the machine; null where there is no figure."""
    settings = tables.settings
    content = {
        "settings": {
            "n_runs": settings.n_runs,
            "solver": settings.solver,
            "seconds_at_most": settings.seconds_at_most,
            "seed": settings.seed,
        },
        "machine": dict(tables.machine) | {"BLAS threads": tables.threads},
        "unit_of_times": "seconds",
        "is_whole": tables.is_whole,
        "timings_done": tables.n_done,
        "timings": tables.n_total,
        "conditions": conditions(settings),
        "sets": [_set_record(row) for row in tables.rows],
        "averages": {phase: _average_record(tables, phase) for phase in PHASES},
    }
    return json_text(content)


# Plain text


def _text_table(tables: SpeedTables, phase: Phase) -> str:
    body = [tuple(line) for line in lines(tables, phase)]
    widths = [max(map(len, column)) for column in zip(HEADINGS, *body, strict=True)]
    ours, theirs = (sum(widths[part]) + 2 * len(widths[part]) - 2 for part in (OURS, THEIRS))
    first = sum(widths[:3]) + 4
    groups = f"{TITLES[phase]:<{first}}  {GROUPS[phase][0]:^{ours}}  {GROUPS[phase][1]:^{theirs}}"
    rule = "-" * (first + ours + theirs + 4)
    written = [_padded(cells, widths) for cells in (HEADINGS, *body)]
    return "\n".join([groups.rstrip(), written[0], rule, *written[1:-1], rule, written[-1]])


def _padded(cells: tuple[str, ...], widths: list[int]) -> str:
    padded = [
        cells[0].ljust(widths[0]),
        *(cell.rjust(width) for cell, width in zip(cells[1:], widths[1:], strict=True)),
    ]
    return "  ".join(padded).rstrip()


# JSON


def _set_record(row: SetTimes) -> dict[str, Any]:
    size = {"n_rows": row.of.n_rows, "n_columns": row.of.n_columns, "n_classes": row.of.n_classes}
    return {"set": row.of.title, **size, **{phase: _phase_record(row, phase) for phase in PHASES}}


def _phase_record(row: SetTimes, phase: Phase) -> dict[str, Any]:
    ours, printed = row.phase(phase), PRINTED.get(phase, {}).get(row.of.name)
    record: dict[str, Any] = {engine: _cell_record(ours.cell(engine), ours.shown.cell(engine)) for engine in ENGINES}
    record |= {"speed_up": ours.speed_up, **_test_record(ours)}
    if printed is not None:
        record["printed"] = {
            "igmn": {"mean": printed.igmn, "std": printed.igmn_std},
            "fast": {"mean": printed.fast, "std": printed.fast_std},
            "speed_up": printed.speed_up,
            "mark": printed.mark,
        }
    return record


def _cell_record(cell: Cell, shown: Cell) -> dict[str, Any]:
    """All folds, and the mean over the folds that the speed-up is computed from."""
    folds = [
        {
            "run": t.run + 1,
            "fold": t.fold + 1,
            "seconds": t.seconds,
            "cpu_seconds": t.cpu_seconds,
            "rows_run": t.n_run,
            "rows_of_fold": t.n_rows,
            "extrapolated": t.is_sampled,
        }
        for t in cell.timings
    ]
    figures = {"mean": shown.mean, "std": shown.std, "cpu_mean": shown.cpu_mean}
    return {**figures, "extrapolated": cell.is_sampled, "folds": folds}


def _test_record(ours: PhaseTimes) -> dict[str, Any]:
    test = ours.test
    if test is None:
        return {"mark": "", "t_test": None}
    return {"mark": test.mark(), "t_test": {"t": test.t, "p": test.p, "n": test.n}}


def _average_record(tables: SpeedTables, phase: Phase) -> dict[str, Any]:
    ours, printed, found = tables.average(phase), PRINTED_AVERAGES.get(phase), dict[str, Any]()
    if printed is not None:
        found["printed"] = {"igmn": printed.igmn, "fast": printed.fast, "speed_up": printed.speed_up}
    if ours is not None:
        found |= {"igmn": ours.igmn, "fast": ours.fast, "speed_up": ours.speed_up, "extrapolated": ours.is_sampled}
    return found
