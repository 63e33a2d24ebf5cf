"""Groups of rows that bars are stacked and coloured by: classes, components, or ranges of numbers."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from workbench.run.show.colours import numbers_of, steps
from workbench.run.show.frame import SCALE_STEPS, ColourScale, Scheme
from workbench.source import Column
from workbench.views.tables.cell_texts import figure
from workbench.words.values import value_text

MOST_GROUPS = 30
"""Most groups with a colour; rows of further groups are drawn as rows without one."""
N_RANGES = 6
"""Ranges of numbers."""


@dataclass(frozen=True, eq=False)
class Owners:
    """The component of every row, as far as it is known."""

    ids: NDArray[np.int64]
    """-1 for none."""
    names: dict[int, str]
    """How components are called, in the order in which they are shown."""


@dataclass(frozen=True, eq=False)
class Groups:
    """The group of every row."""

    codes: NDArray[np.int32]
    """Number of its group, or the number of groups where it has none."""
    labels: tuple[str, ...]
    scheme: Scheme = "classes"
    colours: tuple[int, ...] = ()
    """Codes of the groups' colours in the scheme."""


def groups_of(colour: Column | Owners | None, n_rows: int) -> Groups:
    """The groups of rows by their class, component or number.

    >>> found = groups_of(Column.numeric("size", [0.0, 5.0, 12.0, np.nan]), 4)
    >>> found.codes.tolist(), found.labels[0], found.scheme
    ([0, 2, 5, 6], '0 to 2', 'scale')
    """
    if colour is None or (isinstance(colour, Column) and colour.kind == "string"):
        return Groups(np.zeros(n_rows, np.int32), ())
    if isinstance(colour, Owners):
        return _components(colour)
    return _classes(colour) if colour.kind == "nominal" else _ranges(colour)


def _classes(colour: Column) -> Groups:
    count = min(len(colour.labels), MOST_GROUPS)
    codes = np.where((colour.values < 0) | (colour.values >= count), count, colour.values)
    return Groups(codes, colour.labels, colours=tuple(range(count)))


def _components(owners: Owners) -> Groups:
    shown = list(owners.names)[:MOST_GROUPS]
    codes = np.full(len(owners.ids), len(shown), np.int32)
    for code, number in enumerate(shown):
        codes[owners.ids == number] = code
    return Groups(codes, tuple(owners.names.values()), "components", tuple(shown))


def _ranges(colour: Column) -> Groups:
    values = numbers_of(colour)
    known = values[np.isfinite(values)]
    if not len(known):
        return Groups(np.zeros(len(values), np.int32), ())
    scale = ColourScale(float(known.min()), float(known.max()), colour.kind)
    if scale.low == scale.high:
        codes, labels = np.where(np.isfinite(values), 0, 1), [_text(scale.low, colour.kind)]
    else:
        place = steps(values, scale, N_RANGES)
        codes = np.where(place < 0, N_RANGES, place)
        shares = np.arange(N_RANGES + 1) / N_RANGES
        ends = [_text(end, colour.kind) for end in (scale.low * (1 - shares) + scale.high * shares).tolist()]
        labels = [f"{low} to {high}" for low, high in pairwise(ends)]
    colours = [(2 * place + 1) * SCALE_STEPS // (2 * len(labels)) for place in range(len(labels))]
    return Groups(codes.astype(np.int32), tuple(labels), "scale", tuple(colours))


def _text(value: float, kind: str) -> str:
    return value_text(value, kind) if kind == "date" else figure(value, 4)
