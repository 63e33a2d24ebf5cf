"""Typed columns with roles: what every reader and generator returns and every encoding starts from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.source.errors import SourceError
from workbench.source.table.summary import PIECE, Summary, summarise

Kind = Literal["numeric", "nominal", "date", "string"]
Role = Literal["input", "target", "ignored"]
KINDS: tuple[Kind, ...] = get_args(Kind)
ROLES: tuple[Role, ...] = get_args(Role)
LAST_DAY = 100_000_000
"""Days before and after 1970 that a date can have."""
MISSING_CODE = -1
"""The code of a missing value in a nominal column."""


@dataclass(frozen=True, eq=False)
class Column:
    """A named column; its values are read-only.

    What `values` holds depends on the kind: numeric, real numbers of any width with NaN for missing; nominal, int32
    positions in `labels` with -1 for missing; date, datetime64[us] with NaT; string, objects with None.

    >>> Column.nominal("iris", ["setosa", None, "virginica"])
    Column('iris', nominal, 3 rows, labels: setosa, virginica)
    """

    name: str
    kind: Kind
    values: NDArray[Any]
    labels: tuple[str, ...] = ()
    role: Role = "input"
    date_format: str = ""
    """How the file wrote a date, as a Java pattern; empty for ISO 8601."""

    def __post_init__(self) -> None:
        values = self.values.view()
        values.flags.writeable = False
        object.__setattr__(self, "values", values)

    def __repr__(self) -> str:
        labels = f", labels: {', '.join(self.labels[:5])}{', …' * (len(self.labels) > 5)}" if self.labels else ""  # noqa: PLR2004
        return f"Column({self.name!r}, {self.kind}, {len(self.values):,} rows{labels})"

    @staticmethod
    def numeric(name: str, values: ArrayLike, role: Role = "input") -> Column:
        """Numbers; NaN is missing."""
        return Column(name, "numeric", np.asarray(values), role=role)

    @staticmethod
    def nominal(
        name: str, values: Iterable[str | None], labels: Sequence[str] | None = None, role: Role = "input"
    ) -> Column:
        """Labels from text; None is missing. Without declared labels they are those that occur, sorted."""
        values = list(values)
        known = tuple(labels) if labels is not None else tuple(sorted({v for v in values if v is not None}))
        code: dict[str | None, int] = {label: i for i, label in enumerate(known)} | {None: MISSING_CODE}
        return Column(name, "nominal", np.array([code[v] for v in values], dtype=np.int32), known, role)

    @cached_property
    def missing(self) -> NDArray[np.bool_]:
        """True where the value is missing."""
        found = _missing(self.kind, self.values)
        found.flags.writeable = False
        return found

    @property
    def is_empty(self) -> bool:
        """Whether every value is missing; mostly told by the first one."""
        return bool(_missing(self.kind, self.values[:1]).all()) and bool(self.missing.all())

    @cached_property
    def summary(self) -> Summary:
        """Weka's figures for the column, computed once."""
        return summarise(self.kind, self.values, self.labels, self.missing)

    def shares_values(self, other: Column) -> bool:
        """Whether both hold the same array as the same kind; names and roles may differ."""
        mine, others = self.values.__array_interface__, other.values.__array_interface__
        return (self.kind, self.labels, mine) == (other.kind, other.labels, others)

    def with_role(self, role: Role) -> Column:
        """The column in another role; figures that were computed stay, since no value changes."""
        # As it is but for one field: `replace` would make five thousand columns wait for new views of their values.
        changed = object.__new__(Column)
        vars(changed).update(vars(self), role=role)
        return changed

    def texts(self) -> list[str | None]:
        """Every value as a person would write it; None where it is missing."""
        if self.kind == "nominal":
            found = np.array([*self.labels, None], dtype=object)[self.values].tolist()
        elif self.kind == "date":
            found = [None if gone else text for text, gone in zip(date_texts(self.values), self.missing, strict=True)]
        elif self.kind == "numeric":
            found = [
                None if gone else number_text(value)
                for value, gone in zip(self.values.tolist(), self.missing, strict=True)
            ]
        else:
            found = self.values.tolist()
        return found  # type: ignore[no-any-return]

    def as_kind(self, kind: Kind) -> Column:
        """The same values as another kind; refused with the first value that cannot be read so."""
        if kind == self.kind:
            return self
        if kind == "numeric":
            return self._as_numbers()
        if kind == "date":
            return self._as_dates()
        if kind == "nominal" and self.kind == "numeric":
            return self._as_labels()
        texts = self.texts()
        if kind == "string":
            return Column(self.name, "string", np.array([*texts, None], dtype=object)[:-1], role=self.role)
        return Column.nominal(self.name, texts, role=self.role)

    def _as_labels(self) -> Column:
        """Numbers keep their order: 2 before 10."""
        known, codes = np.unique(self.values[~self.missing], return_inverse=True)
        values = np.full(len(self.values), MISSING_CODE, dtype=np.int32)
        values[~self.missing] = codes
        return Column(self.name, "nominal", values, tuple(map(number_text, known.tolist())), self.role)

    def _as_numbers(self) -> Column:
        if self.kind == "date":
            return Column(self.name, "numeric", days(self.values), role=self.role)
        numbers = np.full(len(self.values), np.nan)
        for row, text in enumerate(self.texts()):
            if text is not None:
                try:
                    numbers[row] = float(text)
                except ValueError:
                    raise SourceError(
                        "Column {column!r}: {value!r} in row {row:,} is not a number. Keep the column {kind}, or mend "
                        "the value in the file.",
                        column=self.name,
                        value=text,
                        row=row + 1,
                        kind=self.kind,
                    ) from None
        numbers[np.isinf(numbers)] = np.nan
        return Column(self.name, "numeric", numbers, role=self.role)

    def _as_dates(self) -> Column:
        if self.kind == "numeric":
            raise SourceError(
                "Column {column!r} holds numbers, which say no date. Read the file with this column as a date.",
                column=self.name,
            )
        moments = np.full(len(self.values), np.datetime64("NaT"), dtype="datetime64[us]")
        for row, text in enumerate(self.texts()):
            if text is not None:
                try:
                    moments[row] = np.datetime64(text.strip(), "us")
                except ValueError:
                    raise SourceError(
                        "Column {column!r}: {value!r} in row {row:,} is not a date such as 2026-01-31 or "
                        "2026-01-31T12:30. Keep the column {kind}, or mend the value in the file.",
                        column=self.name,
                        value=text,
                        row=row + 1,
                        kind=self.kind,
                    ) from None
        return Column(self.name, "date", moments, role=self.role)


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of equal length. A change makes a new table that shares what did not change.

    >>> table = Table("flowers", (Column.numeric("petal length", [1.4, 4.7]), Column.nominal("class", ["a", None])))
    >>> table.n_rows, table.names, table.kinds, table.n_missing
    (2, ('petal length', 'class'), ('numeric', 'nominal'), 1)
    """

    name: str
    columns: tuple[Column, ...]
    weights: NDArray[np.float64] | None = None
    """One weight a row, where the file has them."""
    notes: tuple[str, ...] = ()
    """What a reader found out or decided, in words for the user."""

    def __post_init__(self) -> None:
        if not self.columns:
            raise SourceError("{table} has no columns. Give at least one column.", table=self.name)
        lengths = {len(column.values) for column in self.columns}
        if len(lengths) > 1:
            raise SourceError(
                "{table} has columns of {fewest:,} and of {most:,} rows. Give every column the same number of rows.",
                table=self.name,
                fewest=min(lengths),
                most=max(lengths),
            )
        twice = [name for name, count in Counter(self.names).items() if count > 1]
        if twice:
            raise SourceError(
                "{table}: {value!r} is the name of two columns. Rename one of them.", table=self.name, value=twice[0]
            )

    def __repr__(self) -> str:
        return f"Table({self.name!r}, {self.n_rows:,} rows, {len(self.columns):,} columns)"

    def __getitem__(self, name: str) -> Column:
        return self.columns[self.position(name)]

    def __iter__(self) -> Iterator[Column]:
        return iter(self.columns)

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.columns[0].values)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(column.name for column in self.columns)

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {name: position for position, name in enumerate(self.names)}

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kind of every column: numeric, nominal, date or string."""
        return tuple(column.kind for column in self.columns)

    @property
    def roles(self) -> tuple[Role, ...]:
        """The role of every column: input, target or ignored."""
        return tuple(column.role for column in self.columns)

    @property
    def n_missing(self) -> int:
        """The number of missing values in the whole table."""
        return sum(int(column.missing.sum()) for column in self.columns)

    @property
    def targets(self) -> tuple[Column, ...]:
        """The columns whose role is target."""
        return tuple(column for column in self.columns if column.role == "target")

    @property
    def is_weightless(self) -> NDArray[np.bool_]:
        """Whether each row has the weight 0, so that it does not count."""
        return np.zeros(self.n_rows, np.bool_) if self.weights is None else self.weights == 0

    @property
    def weight_range(self) -> str:
        """The smallest and the largest weight in words; empty where the rows have none.

        >>> Table("t", (Column.numeric("x", [1.0, 2.0]),), weights=np.array([0.5, 3.0])).weight_range
        'from 0.5 to 3'
        """
        if self.weights is None or not len(self.weights):
            return ""
        low, high = (number_text(float(weight)) for weight in (self.weights.min(), self.weights.max()))
        return f"of {low}" if low == high else f"from {low} to {high}"

    def position(self, name: str) -> int:
        """Where a column stands."""
        try:
            return self._positions[name]
        except KeyError:
            known = ", ".join(self.names[:10]) + (", …" if len(self.names) > 10 else "")  # noqa: PLR2004
            raise SourceError(
                "{table}: {value!r} is not a column of this table. Choose one of: {known}.",
                table=self.name,
                value=name,
                known=known,
            ) from None

    def with_columns(self, columns: Iterable[Column]) -> Table:
        """The table with these columns in place of those of the same names."""
        new = list(self.columns)
        for column in columns:
            new[self.position(column.name)] = column
        return replace(self, columns=tuple(new))

    def with_roles(self, roles: Mapping[str, Role]) -> Table:
        """The table with other roles for some columns.

        >>> Table("t", (Column.numeric("x", [1.0]),)).with_roles({"x": "target"}).roles
        ('target',)
        """
        for name, role in roles.items():
            if role not in ROLES:
                raise SourceError(
                    "Column {column!r}: {value!r} is not a role. Choose one of: {known}.",
                    column=name,
                    value=str(role),
                    known=", ".join(ROLES),
                )
        changed = [(self[name], role) for name, role in roles.items() if self[name].role != role]
        return self.with_columns(column.with_role(role) for column, role in changed)

    def with_kinds(self, kinds: Mapping[str, Kind]) -> Table:
        """The table with some columns read as another kind.

        >>> Table("t", (Column.numeric("grade", [10, 2]),)).with_kinds({"grade": "nominal"})["grade"].labels
        ('2', '10')
        """
        for name, kind in kinds.items():
            if kind not in KINDS:
                raise SourceError(
                    "Column {column!r}: {value!r} is not a kind. Choose one of: {known}.",
                    column=name,
                    value=str(kind),
                    known=", ".join(KINDS),
                )
        changed = [self[name].as_kind(kind) for name, kind in kinds.items()]
        return replace(self.with_columns(changed), notes=(*self.notes, *filter(None, map(self._lost, changed))))

    def _lost(self, column: Column) -> str:
        """A note on values that another kind does not hold: infinities, and what is too large for a number."""
        before = self[column.name]
        lost = int(column.missing.sum() - before.missing.sum()) if column.kind == "numeric" != before.kind else 0
        return f"Column {column.name!r}: {lost:,} infinite values are read as missing." if lost else ""

    def take(self, rows: NDArray[np.integer[Any]] | slice) -> Table:
        """The given rows, in the given order; a slice copies nothing."""
        return replace(
            self,
            columns=tuple(replace(column, values=column.values[rows]) for column in self.columns),
            weights=None if self.weights is None else self.weights[rows],
        )


def _missing(kind: Kind, values: NDArray[Any]) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = np.zeros(len(values), dtype=np.bool_)
    if kind == "nominal":
        found = values < 0
    elif kind == "date":
        found = np.isnat(values)
    elif kind == "string":
        # In pieces, between which other threads have their turn.
        for start in range(0, len(values), PIECE):
            piece = slice(start, start + PIECE)
            found[piece] = values[piece] == None  # noqa: E711 - element by element
    elif values.dtype.kind == "f":
        found = np.isnan(values)
    return found


def days(moments: NDArray[np.datetime64]) -> NDArray[np.float64]:
    """Days since 1970, NaN where there is no date.

    >>> days(np.array(["1970-01-02T12:00", "NaT"], dtype="datetime64[us]")).tolist()
    [1.5, nan]
    """
    number = moments.astype("datetime64[us]").astype(np.int64) / 86_400e6
    return np.where(np.isnat(moments), np.nan, number)


def moments(days_since_1970: NDArray[np.float64]) -> NDArray[np.datetime64]:
    """The dates of days since 1970; NaN becomes NaT.

    >>> moments(np.array([1.5, np.nan])).astype(str).tolist()
    ['1970-01-02T12:00:00.000000', 'NaT']
    """
    known = np.isfinite(days_since_1970)
    within = np.clip(np.where(known, days_since_1970, 0), -LAST_DAY, LAST_DAY)
    number = np.rint(within * 86_400e6).astype(np.int64).astype("datetime64[us]")
    number[~known] = np.datetime64("NaT")
    return number


def number_text(value: float) -> str:
    """A number as a person writes it: no point after whole numbers, and all digits of those that are kept as such.

    >>> number_text(3.0), number_text(0.1), number_text(1e300), number_text(float("inf"))
    ('3', '0.1', '1e+300', 'inf')
    """
    whole = isinstance(value, int) or (abs(value) < 1e15 and value == int(value))  # noqa: PLR2004
    return str(int(value)) if whole else repr(float(value))


def date_texts(dates: NDArray[np.datetime64]) -> list[str]:
    """Dates without a time where all of them fall on midnight.

    >>> date_texts(np.array(["2026-01-31", "NaT"], dtype="datetime64[us]"))
    ['2026-01-31', 'NaT']
    """
    known = dates[~np.isnat(dates)]
    whole = bool((known == known.astype("datetime64[D]")).all())
    seconds = bool((known == known.astype("datetime64[s]")).all())
    return np.datetime_as_string(dates, unit="D" if whole else "s" if seconds else "us").tolist()  # type: ignore[no-any-return]
