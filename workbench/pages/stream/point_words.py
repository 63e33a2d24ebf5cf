"""What is told of a point of the plot: its row, its values, and its component."""

from __future__ import annotations

from workbench.run.show.frame import Frame
from workbench.run.show.row_facts import RowFacts
from workbench.source.table.table import Column, Table
from workbench.views.look.naming import one_line
from workbench.views.tables.cell_texts import cell_text
from workbench.words.counts import counted
from workbench.words.names import component_name
from workbench.words.numbers import percent
from workbench.words.sentences import shortened

MOST_COLUMNS = 12
"""Columns whose values are told, beside those on the axes."""
LONGEST = 32
"""Characters of a name, and of a value."""


def point_text(frame: Frame, row: int, table: Table | None, facts: RowFacts | None) -> str:
    """Row number, values in the user's units, and the component with its posterior, as far as they are known.

    Parameters
    ----------
    table : of the run, where it is in memory; otherwise the values are those that the facts hold
    facts : None before the mixture was asked
    """
    lines = [f"Row {row + 1:,} of {shortened(one_line(frame.recipe.origin.title), LONGEST)}"]
    if table is not None and row < table.n_rows:
        lines += _values(table, row, frame)
    elif facts is not None and facts.values is not None:
        lines += _values(facts.values, 0, frame)
    if facts is not None:
        lines.append(f"in {component_name(facts.component, frame.names)}, posterior {percent(facts.posterior)}")
    return "\n".join(lines)


def _values(table: Table, row: int, frame: Frame) -> list[str]:
    first, others = list(table.columns[:MOST_COLUMNS]), table.columns[MOST_COLUMNS:]
    first += [column for column in others if _is_on_an_axis(column, frame)]
    n_left = len(table.columns) - len(first)
    told = [f"{shortened(one_line(column.name), LONGEST)}: {_value(column, row)}" for column in first]
    return told + ([f"… and {counted(n_left, 'more column')}"] if n_left else [])


def _is_on_an_axis(column: Column, frame: Frame) -> bool:
    plane = frame.picture.plane
    if plane.kind != "columns":
        return False
    shown = {frame.columns[plane.x], frame.columns[plane.y]}
    return column.name in shown or any(name.startswith(f"{column.name}=") for name in shown)


def _value(column: Column, row: int) -> str:
    return shortened(cell_text(column, row), LONGEST)
