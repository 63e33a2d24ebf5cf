"""What every generator is: a frozen set of settings from which any row can be computed on its own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from functools import cached_property, lru_cache
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

from workbench.source.errors import SourceError
from workbench.source.generators.settings import KEY, Choice, Setting, setting
from workbench.source.table.table import Column, Role, Table

MOST_ROWS = 2**53
"""Row numbers above this are no longer exact as float64."""
BLOCK_ROWS, LEAST_BLOCK_ROWS, BLOCK_VALUES = 4096, 16, 2**18
"""Rows are drawn in blocks of this many rows, or of fewer where they are so wide that the cache would overflow."""
CONSTANTS, ROWS, EVENTS = range(3)
"""What random numbers are for; each has streams of its own."""


class Drawn(NamedTuple):
    """One block: numbers as rows by columns, and each row's position in the labels where there is a class."""

    values: NDArray[Any]
    codes: NDArray[np.integer[Any]] | None = None


@dataclass(frozen=True, kw_only=True)
class Generator(ABC):
    """Endless rows, each of which can be asked for; the same settings always make the same rows."""

    title: ClassVar[str]
    description: ClassVar[str]
    """One sentence for the user."""
    notes: ClassVar[tuple[str, ...]] = ()
    """What every table of this generator says about itself."""
    dtype: ClassVar[DTypeLike] = np.float64

    seed: int = setting(0, low=0, high=2**31 - 1, whole=True, label="seed", help="Another seed makes other rows.")

    def __post_init__(self) -> None:
        for declared in self.settings():
            checked = declared.check(getattr(self, declared.name), self.title)
            object.__setattr__(self, declared.name, checked)

    @classmethod
    def settings(cls) -> tuple[Setting | Choice, ...]:
        """Every field's declaration, the seed first."""
        return tuple(replace(field.metadata[KEY], name=field.name) for field in fields(cls))

    def table(self, n_rows: int) -> Table:
        """The first rows."""
        return self._cut(0, self._row_number("n_rows", n_rows), self._block)

    def rows(self, start: int, stop: int) -> Table:
        """The rows from `start` up to but not including `stop`, without computing those before them."""
        first = self._row_number("start", start)
        return self._cut(first, self._row_number("stop", stop, low=first), self._block)

    def stream(self, block_rows: int = 1024) -> Iterator[Table]:
        """All rows in tables of `block_rows`; the stream never ends."""
        return self._endless(self._row_number("block_rows", block_rows, low=1))

    @abstractmethod
    def _numbers(self) -> tuple[tuple[str, Role], ...]:
        """The name and role of every numeric column."""

    def _labels(self) -> tuple[str, ...]:
        """The labels of the class column; none where there is no class."""
        return ()

    @abstractmethod
    def _draw(self, random: np.random.Generator, rows: NDArray[np.int64]) -> Drawn:
        """The rows of these numbers, always asked for by whole blocks."""

    def _row_number(self, name: str, value: object, low: int = 0) -> int:
        return int(Setting(name, name, "", low, low, MOST_ROWS, whole=True).check(value, self.title))

    def _endless(self, size: int) -> Iterator[Table]:
        # Small tables share a block; remembering one keeps it from being drawn again for each of them.
        block = lru_cache(maxsize=1)(self._block)
        for start in range(0, MOST_ROWS, size):
            yield self._cut(start, start + size, block)

    @cached_property
    def _block_rows(self) -> int:
        return min(max(BLOCK_VALUES // len(self._numbers()), LEAST_BLOCK_ROWS), BLOCK_ROWS)

    def _block(self, number: int) -> Drawn:
        first = number * self._block_rows
        rows = np.arange(first, first + self._block_rows, dtype=np.int64)
        return self._draw(random_stream(self.seed, ROWS, number), rows)

    def _cut(self, start: int, stop: int, block: Callable[[int], Drawn]) -> Table:
        size = self._block_rows
        values, codes = self._room(stop - start)
        for number in range(start // size, -(-stop // size)):
            first = number * size
            begin, end = max(start, first), min(stop, first + size)
            drawn = block(number)
            values[:, begin - start : end - start] = drawn.values[begin - first : end - first].T
            if drawn.codes is not None:
                codes[begin - start : end - start] = drawn.codes[begin - first : end - first]
        return self._table(values, codes)

    def _room(self, n_rows: int) -> tuple[NDArray[Any], NDArray[np.int32]]:
        # Column-major, so that the values of a column are contiguous.
        try:
            return np.empty((len(self._numbers()), n_rows), dtype=self.dtype), np.empty(n_rows, dtype=np.int32)
        except (MemoryError, ValueError):  # ValueError where even the number of bytes is too large
            raise SourceError(
                "{title}: {n_rows:,} rows do not fit into memory. Ask for fewer, or for the stream.",
                title=self.title,
                n_rows=n_rows,
            ) from None

    def _table(self, values: NDArray[Any], codes: NDArray[np.int32]) -> Table:
        named = zip(self._numbers(), values, strict=True)
        columns = [Column.numeric(name, line, role) for (name, role), line in named]
        if labels := self._labels():
            columns.append(Column("class", "nominal", codes, labels, role="target"))
        return Table(self.title, tuple(columns), notes=self.notes)


def random_stream(seed: int, purpose: int, number: int = 0) -> np.random.Generator:
    """Random numbers that depend on nothing but the seed, what they are for and a number."""
    # Not default_rng([seed, number]): NumPy pads with zeros, so that [seed] and [seed, 0] are one stream.
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(purpose, number)))


def axes(dimensions: int) -> tuple[tuple[str, Role], ...]:
    """Input columns named as in a drawing where there are few, and counted where there are many.

    >>> axes(2)
    (('x', 'input'), ('y', 'input'))
    >>> axes(20)[-1]
    ('x 20', 'input')
    """
    few = "xyz"
    names = few[:dimensions] if dimensions <= len(few) else [f"x {i + 1}" for i in range(dimensions)]
    return tuple((name, "input") for name in names)


def numbered(name: str, count: int) -> tuple[str, ...]:
    """Numbered labels, from 1 on.

    >>> numbered("ring", 2)
    ('ring 1', 'ring 2')
    """
    return tuple(f"{name} {i + 1}" for i in range(count))
