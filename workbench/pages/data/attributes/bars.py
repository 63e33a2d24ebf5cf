"""The bars of a histogram: the number of rows of each class with a value between two edges, or with a label."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.pages.data.attributes.groups import Owners, groups_of
from workbench.run.show.frame import Scheme
from workbench.source import Column
from workbench.views.look.naming import one_line
from workbench.views.plots.plot_units import LARGEST, Units
from workbench.views.tables.cell_texts import figure

FEWEST, MOST = 10, 60
"""Least and largest number of bars of a numeric column."""
MOST_LABELS = 30
"""Most bars of a nominal column; rarer labels share one bar, "other"."""
JUDGED = 20_000
"""Values sampled to choose the width of the bars."""
COUNTABLE = 2.0**52
"""Up to this size, a float can hold the half between two integers."""


@dataclass(frozen=True, eq=False)
class Bars:
    """Stacked bars: one piece per class."""

    edges: NDArray[np.float64]
    """Edges, one more than bars; dates in seconds since 1970."""
    counts: NDArray[np.int64]
    """Bars × pieces: rows of each group, then rows without a group."""
    names: tuple[str, ...]
    """Value range or label of each bar, as text."""
    is_date: bool = False
    is_whole: bool = False
    """Whether all values are integers."""
    labels: tuple[str, ...] = ()
    """Labels of a nominal column."""
    numbers: tuple[int, ...] = ()
    """Numbers of the labels, from 1; the bar "other" has none."""
    groups: tuple[str, ...] = ()
    """Names of all groups, also of those without a piece."""
    scheme: Scheme = "classes"
    colours: tuple[int, ...] = ()
    """Codes of the pieces' colours in the scheme."""
    selected: NDArray[np.int64] | None = None
    """Of the counts, those of the rows that are selected; None where none is."""

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to draw."""
        return not self.counts.any()


EMPTY = Bars(np.arange(2.0), np.zeros((1, 1), dtype=np.int64), ("",))


def bars_of(column: Column, colour: Column | Owners | None = None, selected: NDArray[np.bool_] | None = None) -> Bars:
    """The bars of a column, stacked by the labels or numbers of another, or by components.

    >>> flower = Column.nominal("class", ["a", "b", "b"])
    >>> bars_of(flower, flower).counts.tolist()
    [[1, 0, 0], [0, 2, 0]]
    >>> bars_of(flower, None, np.array([False, True, False])).selected.tolist()
    [[0], [1]]
    """
    bars = (
        EMPTY if column.kind == "string" else _label_bars(column) if column.kind == "nominal" else _number_bars(column)
    )
    if bars is EMPTY:
        return EMPTY
    groups, places = groups_of(colour, len(column.values)), places_of(column, bars)
    n_bars, pieces = len(bars.edges) - 1, len(groups.colours) + 1
    # One extra bar in front, for rows without a bar.
    cells = (places + 1) * pieces + groups.codes

    def counted(cells: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.bincount(cells, minlength=(n_bars + 1) * pieces).reshape(-1, pieces)[1:]

    return replace(
        bars,
        counts=counted(cells),
        groups=groups.labels,
        scheme=groups.scheme,
        colours=groups.colours,
        selected=None if selected is None else counted(cells[selected]),
    )


def places_of(column: Column, bars: Bars) -> NDArray[np.int64]:
    """The bar of every row; -1 where it has none.

    >>> flower = Column.nominal("class", ["a", None, "b"])
    >>> places_of(flower, bars_of(flower)).tolist()
    [0, -1, 1]
    """
    n_bars = len(bars.edges) - 1
    if column.kind == "nominal":
        # Labels without a number of their own share the last bar.
        of_labels = np.full(len(column.labels) + 1, n_bars - 1, dtype=np.int64)
        of_labels[np.array(bars.numbers, np.int64) - 1] = np.arange(len(bars.numbers))
        of_labels[-1] = -1
        found: NDArray[np.int64] = of_labels[column.values]
        return found
    values, known = _numbers(column)
    places = np.full(len(values), -1, dtype=np.int64)
    units = Units.around(bars.edges[0], bars.edges[-1])
    first, *_, last = units.to_view(bars.edges)
    found = ((units.to_view(values[known]) - first) * (n_bars / (last - first))).astype(np.int64)
    places[known] = np.clip(found, 0, n_bars - 1)
    return places


def _label_bars(column: Column) -> Bars:
    n_labels, labels = len(column.labels), tuple(map(one_line, column.labels))
    if not n_labels:
        return EMPTY
    numbers = tuple(range(1, n_labels + 1))
    if n_labels > MOST_LABELS:
        counts = np.bincount(column.values + 1, minlength=n_labels + 1)[1:]
        frequent = np.sort(np.argsort(-counts, kind="stable")[: MOST_LABELS - 1])
        labels = (*(labels[code] for code in frequent), f"{n_labels - MOST_LABELS + 1:,} others")
        numbers = tuple((frequent + 1).tolist())
    edges = np.arange(len(labels) + 1, dtype=np.float64) - 0.5
    return Bars(edges, EMPTY.counts, labels, labels=labels, numbers=numbers)


def _number_bars(column: Column) -> Bars:
    values, known = _numbers(column)
    if not known.all():
        values = values[known]
    if not len(values):
        return EMPTY
    is_date, edges = column.kind == "date", _edges(values)
    return Bars(edges, EMPTY.counts, _names(edges, is_date, _is_whole(edges)), is_date, _has_no_fractions(values))


def _numbers(column: Column) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """All values, dates in seconds since 1970, and which of them are known."""
    is_date = column.kind == "date"
    values = column.values.astype("datetime64[us]").astype(np.int64) / 1e6 if is_date else column.values
    known = ~column.missing
    if values.dtype.kind == "f":
        known &= np.isfinite(values)
    return values, known


def _edges(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """One bar per integer if there are few; otherwise the Freedman-Diaconis rule, within limits."""
    low, high = float(values.min()), float(values.max())
    if high / 2 - low / 2 < MOST / 2 and max(-low, high) <= COUNTABLE and bool((values == np.rint(values)).all()):
        return np.arange(low, high + 2) - 0.5
    if low == high:
        reach = max(abs(low) / 100, 1e-300)
        return np.array([max(low - reach, -LARGEST), min(high + reach, LARGEST)])
    units = Units.around(low, high)
    first, last = units.place(low), units.place(high)
    judged = units.to_view(values[:: max(1, len(values) // JUDGED)])
    quarter, three_quarters = np.percentile(judged, [25, 75])
    width = 2 * float(three_quarters - quarter) / len(values) ** (1 / 3)
    wanted = (last - first) / width if width > 0 else MOST
    # No bar is narrower than the spacing of floats of this size.
    most = min(MOST, max(1.0, (last - first) * units.size / math.ulp(max(-low, high))))
    count = int(min(max(math.ceil(min(wanted, MOST)), FEWEST), most))
    inner = [units.to_data(place) for place in np.linspace(first, last, count + 1)[1:-1].tolist()]
    return np.array([low, *inner, high])


def _has_no_fractions(values: NDArray[np.float64]) -> bool:
    judged = values[:: max(1, len(values) // JUDGED)]
    return bool((judged == np.rint(judged)).all())


def _is_whole(edges: NDArray[np.float64]) -> bool:
    return len(edges) > 1 and edges[1] - edges[0] == 1 and edges[0] + 0.5 == int(edges[0] + 0.5)


def _names(edges: NDArray[np.float64], is_date: bool, is_whole: bool) -> tuple[str, ...]:
    if is_whole and not is_date:
        return tuple(figure(edge + 0.5) for edge in edges[:-1])
    if is_date:
        texts = [str(np.datetime64(round(edge), "s")).replace("T", " ") for edge in edges]
    else:
        texts = _distinct(edges.tolist())
    return tuple(f"{start} to {stop}" for start, stop in pairwise(texts))


def _distinct(edges: list[float]) -> list[str]:
    """Numbers as text, with enough digits to be distinct."""
    texts = [figure(edge, 4) for edge in edges]
    for digits in range(5, 18):
        if len(set(texts)) == len(edges):
            break
        texts = [figure(edge, digits) for edge in edges]
    return texts
