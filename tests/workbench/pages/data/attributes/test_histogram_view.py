"""Histograms: counts against a slow count, colours, legend and words."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from pytestqt.qtbot import QtBot

from tests.lines_run import lines_run
from workbench.pages.data.attributes.bars import MOST, MOST_LABELS, bars_of, places_of
from workbench.pages.data.attributes.groups import Owners
from workbench.pages.data.attributes.histogram_view import HistogramView
from workbench.run.recipe.dataset import Colour
from workbench.source import Column, sample
from workbench.views.look.theme import DARK, LIGHT, Theme
from workbench.views.plots.date_ticks import date_ticks

RANDOM = np.random.default_rng(5)


def classes(n_rows: int, n_classes: int = 3) -> Column:
    codes = RANDOM.integers(-1, n_classes, n_rows).astype(np.int32)
    return Column("class", "nominal", codes, tuple(f"class {i}" for i in range(n_classes)))


def shown(qtbot: QtBot, column: Column, colour: Column | None, theme: Theme = LIGHT) -> HistogramView:
    view = HistogramView()
    qtbot.addWidget(view)
    view.set_theme(theme)
    view.resize(400, 300)
    view.show_column(column, colour)
    with qtbot.waitExposed(view):
        view.show()
    return view


def test_every_known_value_is_counted_under_its_class() -> None:
    values = RANDOM.normal(size=500)
    values[::7] = np.nan
    colour = classes(500)
    bars = bars_of(Column.numeric("x", values), colour)
    for place in range(len(bars.counts)):
        low, high = bars.edges[place], bars.edges[place + 1]
        last = place == len(bars.counts) - 1
        inside = (values >= low) & ((values < high) | (last & (values <= high)))
        expected = [int((inside & (colour.values == code)).sum()) for code in (0, 1, 2, -1)]
        # A value on an edge may fall to either side by rounding; drawn at random, none does.
        assert bars.counts[place].tolist() == expected
    assert 10 <= len(bars.counts) <= MOST


@pytest.mark.parametrize("kind", [np.uint8, np.int64, np.float32])
def test_few_whole_numbers_have_a_bar_each(kind: type) -> None:
    bars = bars_of(Column.numeric("dots", np.array([1, 1, 6, 3], dtype=kind)), None)
    assert bars.counts[:, 0].tolist() == [2, 0, 1, 0, 0, 1]
    assert bars.names == ("1", "2", "3", "4", "5", "6")


def test_two_of_the_largest_numbers_among_ordinary_ones() -> None:
    """Quartiles so close together that the rule asks for more bars than there are numbers."""
    largest = float(np.finfo(np.float64).max)
    bars = bars_of(Column.numeric("x", [largest, -largest, *RANDOM.normal(size=200)]), None)
    assert len(bars.counts) == MOST
    assert bars.counts[[0, -1]].tolist() == [[1], [1]]


def test_one_value_only_and_values_without_end() -> None:
    assert bars_of(Column.numeric("x", [2.5, 2.5]), None).counts.tolist() == [[2]]
    assert bars_of(Column.numeric("x", [np.inf, 1.5, 2.5, -np.inf]), None).counts.sum() == 2
    assert bars_of(Column.numeric("x", [np.nan]), None).is_empty
    assert bars_of(Column.numeric("x", [-1e308, 1e308]), None).counts[[0, -1]].sum() == 2


def test_rare_labels_stand_together() -> None:
    texts = [f"label {i:02}" for i in range(50)] + ["label 49"]
    column = Column.nominal("city", texts)
    bars = bars_of(column, None)
    assert len(bars.labels) == MOST_LABELS
    assert bars.labels[-1] == "21 others"
    assert "label 49" in bars.labels, "the most frequent has a bar of its own"
    assert bars.numbers[-1] == 50, "with the number that it has in the list of labels"
    assert bars.counts.sum() == 51


def test_missing_labels_have_no_bar() -> None:
    column = Column.nominal("answer", ["yes", None, "no", "yes"])
    assert bars_of(column, column).counts.tolist() == [[1, 0, 0], [0, 2, 0]]


def test_dates_are_counted_in_seconds() -> None:
    moments = np.array(["2020-01-01", "2020-06-01", "NaT", "2021-01-01"], dtype="datetime64[us]")
    bars = bars_of(Column("when", "date", moments), None)
    assert bars.counts.sum() == 3
    assert bars.edges[0] == np.datetime64("2020-01-01", "s").astype(np.int64)
    assert bars.names[0].startswith("2020-01-01 00:00:00 to 2020-")


def test_no_row_of_a_million_is_counted_by_itself() -> None:
    column, colour = Column.numeric("x", RANDOM.normal(size=1_000_000)), classes(1_000_000)
    assert lines_run(partial(bars_of, column, colour)) < 20_000


def test_the_bars_have_the_colours_of_the_classes(qtbot: QtBot) -> None:
    iris = sample("iris").read()
    for theme in (LIGHT, DARK):
        view = shown(qtbot, iris["petallength"], iris["class"], theme)
        picture = view.plot.grab().toImage()
        seen = {picture.pixelColor(x, y).name() for x in range(picture.width()) for y in range(picture.height())}
        assert {theme.class_colour(code) for code in range(3)} <= seen
        assert view.legend.labels() == ("Iris-setosa", "Iris-versicolor", "Iris-virginica")


def test_many_classes_are_counted_and_not_named(qtbot: QtBot) -> None:
    soybean = sample("soybean").read()
    view = shown(qtbot, soybean["date"], soybean["class"])
    assert view.legend.labels() == ()
    assert view._many.isVisible()
    assert view._many.text().startswith("19 classes")


def test_a_bar_tells_its_numbers(qtbot: QtBot) -> None:
    iris = sample("iris").read()
    view = shown(qtbot, iris["class"], iris["class"])
    assert view.plot.words(1) == "Iris-versicolor: 50 rows\nIris-versicolor: 50"
    middle = view.plot.plotItem.vb.mapViewToScene(view.plot.plotItem.vb.viewRect().center())
    assert view.plot.bar_at(view.plot.mapFromScene(middle)) == 1


def test_axes_name_the_column_and_the_rows(qtbot: QtBot) -> None:
    view = shown(qtbot, Column.numeric("weight (kg)", [1.5, 2.5, 9.0]), None)
    assert view.plot._bottom.labelText == "weight (kg)"
    assert view.plot._left.labelText == "rows"


@pytest.mark.parametrize(
    ("column", "words"),
    [
        (Column("name", "string", np.array(["a", "b"], dtype=object)), "Text has no histogram."),
        (Column.numeric("x", [np.nan, np.nan]), "All values are missing."),
        (Column.numeric("x", [-np.inf, np.inf]), "No value is a finite number."),
    ],
)
def test_where_there_is_nothing_to_draw_the_reason_is_said(qtbot: QtBot, column: Column, words: str) -> None:
    view = shown(qtbot, column, None)
    assert view._nothing.isVisible()
    assert view._nothing.text() == words
    assert not view.plot.isVisible()


def test_numbers_stack_the_bars_by_their_ranges(qtbot: QtBot) -> None:
    sizes = np.append(RANDOM.uniform(100, 700, 298), [100.0, 700.0])
    view = shown(qtbot, Column.numeric("x", RANDOM.normal(size=300)), Column.numeric("size", sizes))
    bars = view.plot._bars
    assert view.legend.labels() == tuple(f"{low} to {low + 100}" for low in range(100, 700, 100))
    expected = np.histogram(sizes, np.arange(100, 701, 100))[0].tolist()
    assert bars.counts.sum(axis=0).tolist() == [*expected, 0]
    assert (bars.scheme, len(set(bars.colours))) == ("scale", 6)


def test_dates_and_constants_colour_the_bars() -> None:
    dates = Column("when", "date", np.array(["2020-01-01", "2020-07-01", "NaT"], "datetime64[us]"))
    bars = bars_of(Column.numeric("x", [1.0, 2.0, 2.0]), dates)
    assert bars.groups[0] == "2020-01-01 to 2020-01-31"
    assert bars.counts.tolist() == [[1, *[0] * 6], [*[0] * 5, 1, 1]]
    assert bars_of(Column.numeric("x", [1.0, 2.0]), Column.numeric("c", [3.5, 3.5])).groups == ("3.5",)
    assert bars_of(Column.numeric("x", [1.0]), Column.numeric("c", [np.nan])).groups == ()


def test_components_stack_the_bars_in_their_order() -> None:
    owners = Owners(np.array([7, 7, 2, -1]), {7: "#7 large", 2: "#2"})
    bars = bars_of(Column.numeric("x", [1.0, 2.0, 2.0, 2.0]), owners)
    assert (bars.groups, bars.colours, bars.scheme) == (("#7 large", "#2"), (7, 2), "components")
    assert bars.counts.tolist() == [[1, 0, 0], [1, 1, 1]]


@pytest.mark.parametrize("kind", ["nominal", "numeric", "many labels"])
def test_every_row_has_its_bar(kind: str) -> None:
    n_labels = 50 if kind == "many labels" else 3
    column = classes(400, n_labels) if kind != "numeric" else Column.numeric("x", RANDOM.normal(size=400))
    mask = RANDOM.random(400) < 0.3
    bars = bars_of(column, None, mask)
    places = places_of(column, bars)
    assert bars.counts[:, 0].tolist() == [int((places == bar).sum()) for bar in range(len(bars.counts))]
    assert bars.selected is not None
    assert bars.selected[:, 0].tolist() == [int((places[mask] == bar).sum()) for bar in range(len(bars.counts))]
    assert (places < 0).tolist() == column.missing.tolist()


def test_choosing_a_colour_says_so(qtbot: QtBot) -> None:
    view = shown(qtbot, Column.numeric("x", [1.0]), None)
    view.show_choices(["sex", "component", "class"], Colour("class"))
    assert view.colour() == Colour("class")
    for place, expected in ((0, Colour()), (1, Colour(by="component")), (4, Colour("component"))):
        with qtbot.waitSignal(view.colour_chosen) as chosen:
            view._colour.setCurrentIndex(place)
        assert chosen.args == [expected]
        assert view.colour() == expected


@pytest.mark.parametrize(
    ("days", "first"),
    [(0.001, "00:00:00"), (1, "2021-03-05 00:00"), (20, "2021-03-11"), (500, "2021-07"), (9000, "2025")],
)
def test_dates_at_the_axis_are_round_and_few(days: float, first: str) -> None:
    low = float(np.datetime64("2021-03-05", "s").astype(np.int64))
    found = date_ticks(low, low + 86_400 * days, 330)
    assert found.texts[0] == first
    assert 2 <= len(found.texts) <= 6
    assert all(low <= second <= low + 86_400 * days for second in found.seconds)


def test_a_column_of_dates_is_drawn(qtbot: QtBot) -> None:
    moments = np.datetime64("2020-01-01", "us") + np.arange(600) * np.timedelta64(1, "D")
    view = shown(qtbot, Column("when", "date", moments), None)
    low, high = (float(end.astype("datetime64[s]").astype(np.int64)) for end in moments[[0, -1]])
    assert view.plot._bottom.marks(low, high, 330).texts[:2] == ["2020-01", "2020-07"]
    view.plot.grab()


EXTREMES = {
    "nanoseconds": 1.7e18 + np.arange(500) * 1e15,
    "one huge cell": np.append(np.arange(20.0) + 0.5, 1e155),
    "denormals": np.arange(1, 200) * 5e-324,
    "all doubles": np.array([-1.7e308, 0.0, 1.7e308]),
    "equal and large": np.full(5, 1e40),
    "largest, equal": np.full(5, np.finfo(float).max),
    "close and far from zero": 1.7e18 + np.arange(-4, 5) * 256,
}


@pytest.mark.parametrize("name", EXTREMES)
def test_numbers_of_any_range_are_drawn(qtbot: QtBot, name: str) -> None:
    """Nanoseconds, one cell of 1e155 and denormals ended the process; equal 1e40 was an IndexError."""
    values = EXTREMES[name]
    view = shown(qtbot, Column.numeric("x", values), None)
    assert view.plot._bars.counts.sum() == len(values)
    assert len(set(view.plot._bars.names)) == len(view.plot._bars.names)
    picture = view.plot.grab().toImage()
    places = [(x, y) for x in range(picture.width()) for y in range(picture.height())]
    filled = [place for place in places if picture.pixelColor(*place).name() == LIGHT.accent.lower()]
    assert len(filled) > 50
    assert view.plot.bar_at(QPoint(*filled[len(filled) // 2])) is not None
    texts = [text for text in view.plot._bottom._texts.values() if text]
    assert 2 <= len(set(texts)) == len(texts) <= 8
