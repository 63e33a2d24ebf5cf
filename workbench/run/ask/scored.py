"""A table as a mixture sees it: component, densities, predictions of the targets, and gaps filled in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import pyarrow as pa

from figmn import Snapshot
from figmn.answers.inference import log_sum, normalised
from figmn.system.arrays import Floats, Ints
from workbench.run.ask.members import ROWS_AT_ONCE, with_gaps_kept
from workbench.source import Encoder
from workbench.source.encode.encoding import ColumnBlock
from workbench.source.table.table import Column, Table
from workbench.words.names import NO_NAMES, ComponentNames
from workbench.words.sentences import UserError

MOST_POSTERIORS = 50
"""Components up to which each has a column of its own."""


@dataclass(frozen=True, eq=False)
class Scoring:
    """The rows of a table under a mixture, whichever of them it has learned."""

    snapshot: Snapshot
    encoder: Encoder
    table: Table
    component_names: ComponentNames = field(default_factory=lambda: NO_NAMES)
    """Given by the user; where there are some, they have a column."""

    def __post_init__(self) -> None:
        if not self.snapshot.n_components:
            raise UserError("The mixture has no component yet: let it learn some samples first.")

    @cached_property
    def names(self) -> dict[str, str]:
        """Names of the added columns by what they are; none is that of a column of the table."""
        added = [
            "row",
            "filled",
            "component",
            *["component_name"] * bool(self.component_names),
            "posterior",
            "log_density",
            "novelty",
        ]
        added += [f"{block.name}_predicted" for block in self._targets]
        added += [f"posterior_of_{number}" for number in self._shown_ids]
        taken, found = set(self.table.names), dict[str, str]()
        for name in added:
            free = name
            while free in taken:
                free += "_"
            taken.add(free)
            found[name] = free
        return found

    def blocks(self) -> Iterator[pa.Table]:
        """The rows, some at a time, in the order of the table."""
        for start in range(0, self.table.n_rows, ROWS_AT_ONCE):
            places = np.arange(start, min(start + ROWS_AT_ONCE, self.table.n_rows))
            yield self._scored(self.table.take(places), places)

    def _scored(self, table: Table, places: Ints) -> pa.Table:
        rows = self._gaps_kept.encode(table, places).values
        posteriors, log_densities, novelty, filled_rows = self._asked(rows)
        best = posteriors.argmax(axis=1)
        filled = self.encoder.decode(filled_rows)
        named = self.names
        columns: dict[str, pa.Array] = {named["row"]: pa.array(places + 1)}
        for column in table:
            columns[column.name] = _arrow(_with_gaps_filled(column, filled))
        columns |= {
            named["filled"]: self._filled_names(table),
            named["component"]: pa.array(self.snapshot.ids[best]),
            **self._component_names(best),
            named["posterior"]: pa.array(posteriors[np.arange(len(rows)), best]),
            named["log_density"]: pa.array(log_densities),
            named["novelty"]: pa.array(novelty),
        }
        if self._targets:
            predicted_rows = np.zeros_like(rows)
            predicted_rows[:, self.encoder.targets] = self.snapshot.predict(rows, self.encoder.targets)
            predicted = self.encoder.decode(predicted_rows)
            for block in self._targets:
                columns[named[f"{block.name}_predicted"]] = _arrow(predicted[block.name])
        for place, number in enumerate(self._shown_ids):
            columns[named[f"posterior_of_{number}"]] = pa.array(posteriors[:, place])
        return pa.table(columns)

    def _asked(self, rows: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Posteriors, log densities in the user's units, novelty, and rows with gaps filled in, in a single pass."""
        posteriors, log_densities = np.empty((len(rows), self.snapshot.n_components)), np.empty(len(rows))
        novelty, filled = np.empty(len(rows)), rows.copy()
        for part in self.snapshot.conditionals(rows):
            weights = normalised(part.log_weights)
            posteriors[part.rows], novelty[part.rows] = weights, part.novelty
            log_densities[part.rows] = log_sum(part.log_weights)
            places = np.arange(len(rows))[part.rows]
            filled[np.ix_(places, part.wanted)] = np.einsum("nk,nko->no", weights, part.means)
        _, scales = self.encoder.units
        return posteriors, log_densities - ~np.isnan(rows) @ np.log(scales), novelty, filled

    @cached_property
    def _gaps_kept(self) -> Encoder:
        """Every row is scored, with its gaps: what is missing is left to the mixture."""
        return with_gaps_kept(self.encoder)

    @cached_property
    def _targets(self) -> list[ColumnBlock]:
        """What is predicted from the inputs alone; nothing where there are no inputs."""
        return [block for block in self.encoder.blocks if block.role == "target"] if len(self.encoder.inputs) else []

    @property
    def _shown_ids(self) -> list[int]:
        ids: list[int] = self.snapshot.ids.tolist()
        return ids if len(ids) <= MOST_POSTERIORS else []

    def _component_names(self, places: Ints) -> dict[str, pa.Array]:
        """The names of components, null where one has none; no column where none has one."""
        if not self.component_names:
            return {}
        texts = [self.component_names.get(number) for number in self.snapshot.ids[places].tolist()]
        return {self.names["component_name"]: pa.array(texts, pa.string())}

    def _filled_names(self, table: Table) -> pa.Array:
        """The columns in which each row had gaps that are filled in; null where there were none."""
        texts = np.full(table.n_rows, "", dtype=object)
        for block in self.encoder.blocks:
            missing = table[block.name].missing
            texts[missing] += f"{block.name}; "
        return pa.array([text[:-2] or None for text in texts], pa.string())


def _with_gaps_filled(column: Column, filled: Table) -> Column:
    """A column of the table, its gaps filled with what the mixture says; one that it does not know stays as it is."""
    if column.name not in filled.names or not column.missing.any():
        return column
    found = filled[column.name]
    if column.kind == "nominal":
        position = {label: code for code, label in enumerate(column.labels)}
        codes = np.array([position.get(label, -1) for label in found.labels] + [-1])[found.values]
        return replace(column, values=np.where(column.missing, codes, column.values).astype(column.values.dtype))
    return replace(column, values=np.where(column.missing, found.values, column.values))


def _arrow(column: Column) -> pa.Array:
    if column.kind == "nominal":
        codes = pa.array(column.values, pa.int32(), mask=column.values < 0)
        return pa.DictionaryArray.from_arrays(codes, pa.array(column.labels, pa.string()))
    return pa.array(column.values, mask=column.missing)
