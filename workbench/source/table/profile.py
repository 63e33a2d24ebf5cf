"""What an encoding must know of every column, from a table in memory or from one pass over a file."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from workbench.source.errors import SourceError
from workbench.source.table.fields import NOMINAL_LIMIT, default_roles, is_nominal
from workbench.source.table.summary import population_moments
from workbench.source.table.table import ROLES, Column, Kind, Role, Table, days

FORGOTTEN = 20 * NOMINAL_LIMIT
"""Different texts after which a pass over a file no longer collects them: the column is no choice among few."""


@dataclass(frozen=True)
class ColumnProfile:
    """One column in figures; of dates, in days since 1970."""

    name: str
    kind: Kind
    role: Role
    n_missing: int
    labels: tuple[str, ...] = ()
    counts: tuple[int, ...] = ()
    """How often every label occurs."""
    mean: float = math.nan
    std: float = math.nan
    """Standard deviation (ddof 0, as the library takes it)."""
    minimum: float = math.nan
    maximum: float = math.nan


AnyColumn = TypeVar("AnyColumn", Column, ColumnProfile)


@dataclass(frozen=True)
class Profile:
    """All columns of a source."""

    name: str
    n_rows: int
    columns: tuple[ColumnProfile, ...]

    def with_roles(self, roles: Mapping[str, Role]) -> Profile:
        """The profile with other roles for some columns."""
        names = [column.name for column in self.columns]
        for name, role in roles.items():
            if name not in names:
                raise SourceError(
                    "{value!r} is not a column. Choose one of: {known}.", value=name, known=", ".join(names[:10])
                )
            if role not in ROLES:
                raise SourceError(
                    "Column {column!r}: {value!r} is not a role. Choose one of: {known}.",
                    column=name,
                    value=role,
                    known=", ".join(ROLES),
                )
        return replace(self, columns=tuple(replace(c, role=roles.get(c.name, c.role)) for c in self.columns))

    def with_default_roles(self) -> Profile:
        """The profile with the roles that the columns suggest."""
        return self.with_roles(default_roles([(c.name, c.kind, c.n_missing == self.n_rows) for c in self.columns]))


def profile_of(blocks: Iterable[Table], undecided: frozenset[str] = frozenset()) -> Profile:
    """The profile of rows that come in blocks, in memory that does not grow with them.

    `undecided` names text columns that are nominal or string as the number of their different values tells.

    >>> first, second = Table("t", (Column.numeric("x", [1.0]),)), Table("t", (Column.numeric("x", [3.0, np.nan]),))
    >>> found = profile_of([first, second])
    >>> found.n_rows, found.columns[0].mean, found.columns[0].n_missing
    (3, 2.0, 1)
    """
    tallies: list[_Tally] = []
    name, n_rows = "", 0
    for block in blocks:
        tallies = tallies or [_Tally(column, column.name in undecided) for column in block]
        name, n_rows = block.name, n_rows + block.n_rows
        for tally, column in zip(tallies, block, strict=True):
            tally.add(column)
    return Profile(name, n_rows, tuple(tally.profile(n_rows) for tally in tallies))


def columns_in_use(columns: Iterable[AnyColumn], name: str) -> list[AnyColumn]:
    """The columns that a model sees, told by roles and kinds alone; SourceError where it cannot be given them.

    >>> columns_in_use([Column.numeric("x", [1.0], role="ignored")], "t")
    Traceback (most recent call last):
    ...
    workbench.source.errors.SourceError: t has no column in use. Give a column the role input.
    """
    used = [column for column in columns if column.role != "ignored"]
    if not used:
        raise SourceError("{table} has no column in use. Give a column the role input.", table=name)
    for column in used:
        if column.kind == "string":
            raise SourceError(
                "Column {column!r} is text, and no number stands for it. Ignore the column, or make it nominal "
                "if it is a choice among few.",
                column=column.name,
            )
    return used


class _Tally:
    """The figures of one column so far."""

    def __init__(self, column: Column, undecided: bool) -> None:
        self.column = column
        self.undecided = undecided
        self.n_missing = 0
        self.counts: Counter[str] = Counter()
        self.n_known = 0
        self.mean = self.spread = 0.0
        self.minimum, self.maximum = math.inf, -math.inf

    def add(self, column: Column) -> None:
        """Count the values of one more block."""
        n_missing = int(column.missing.sum())
        self.n_missing += n_missing
        if column.kind == "nominal":
            if len(self.counts) <= FORGOTTEN or not self.undecided:
                known = column.values[~column.missing] if n_missing else column.values
                counts = np.bincount(known, minlength=len(column.labels))
                self.counts.update(dict(zip(column.labels, counts.tolist(), strict=True)))
        elif column.kind != "string":
            self._add_numbers(column)

    def _add_numbers(self, column: Column) -> None:
        """Merge mean and standard deviation of the block into those so far (Chan, Golub and LeVeque 1979).

        Of the deviations, not of their squares, which the largest doubles do not have.
        """
        values = days(column.values) if column.kind == "date" else column.values
        known = values[~column.missing] if column.missing.any() else values
        if not len(known):
            return
        low, high, mean, spread = population_moments(known)
        total = self.n_known + len(known)
        before, new = self.n_known / total, len(known) / total
        between = math.sqrt(before * new)
        self.spread = math.hypot(
            math.sqrt(before) * self.spread, math.sqrt(new) * spread, between * mean - between * self.mean
        )
        self.mean = before * self.mean + new * mean
        self.n_known = total
        self.minimum, self.maximum = min(self.minimum, low), max(self.maximum, high)

    def profile(self, n_rows: int) -> ColumnProfile:
        """The figures of the whole."""
        column, missing = self.column, self.n_missing
        if column.kind == "nominal":
            if self.undecided and not is_nominal(len(self.counts), n_rows):
                return ColumnProfile(column.name, "string", "ignored", missing)
            declared = not self.undecided and len(self.counts) == len(column.labels)
            labels = column.labels if declared else tuple(sorted(self.counts))
            counts = tuple(self.counts[label] for label in labels)
            return ColumnProfile(column.name, "nominal", column.role, missing, labels, counts)
        if column.kind == "string" or not self.n_known:
            return ColumnProfile(column.name, column.kind, column.role, missing)
        constant = self.minimum == self.maximum
        return ColumnProfile(
            column.name,
            column.kind,
            column.role,
            missing,
            mean=self.minimum if constant else self.mean,
            std=0.0 if constant else self.spread,
            minimum=self.minimum,
            maximum=self.maximum,
        )
