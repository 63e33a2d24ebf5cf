"""The table of the components and the numbers of one of them."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel, QPushButton, QTableView, QWidget
from pytestqt.qtbot import QtBot

from tests.workbench import frames
from tests.workbench.hands import click, find, wait
from tests.workbench.run.learners import learner_of, lines_of
from workbench.pages.stream.component_details import ComponentDetails
from workbench.pages.stream.component_model import (
    AGE,
    BAR_ROLE,
    DETERMINANT,
    EVIDENCE,
    HEADINGS,
    ID,
    MEAN,
    PRIOR,
    STATE,
)
from workbench.pages.stream.component_table import ComponentTable
from workbench.run import Recipe
from workbench.run.recipe.dataset import PaintedOrigin
from workbench.run.show.frame import Frame, Plane
from workbench.source import Encoding
from workbench.views.look.theme import DARK, LIGHT
from workbench.views.plots.component_state import probation, words


def many(n_rows: int = 3000) -> Recipe:
    """Clusters on a grid, so that there are many components, and some of them are removed again."""
    random = np.random.default_rng(0)
    values = random.integers(0, 8, (n_rows, 2)) * 10 + random.normal(0, 0.5, (n_rows, 2))
    return Recipe(PaintedOrigin(tuple((x, y, 0) for x, y in values.tolist())))


@pytest.fixture(scope="module")
def stream() -> list[Frame]:
    return list(frames.frames(many(), n_pieces=30, delta=0.02, beta=0.001, v_min=200, sp_min=3))


@pytest.fixture(scope="module")
def iris() -> Frame:
    return frames.frame(frames.iris(), Plane("columns", 2, 3), delta=0.8, beta=0.1)


@pytest.fixture
def table(qtbot: QtBot) -> ComponentTable:
    table = ComponentTable()
    qtbot.addWidget(table)
    table.set_theme(LIGHT)
    table.resize(320, 400)
    table.show()
    qtbot.waitExposed(table)
    return table


def colours_of(widget: QWidget) -> set[str]:
    picture = widget.grab().toImage()
    return {picture.pixelColor(x, y).name() for x in range(picture.width()) for y in range(picture.height())}


def test_a_component_has_the_colour_of_its_ellipse(table: ComponentTable, stream: list[Frame]) -> None:
    table.show_frame(stream[-1])
    assert not set(LIGHT.components) & colours_of(table.view.viewport())
    table.colour_components(True)
    for row in range(3):
        spot = table.view.visualRect(table.model.index(row, ID))
        colour = table.view.viewport().grab().toImage().pixelColor(spot.left() + 1, spot.center().y()).name()
        assert colour == LIGHT.component_colour(table.model.ids[row])


def test_the_selected_component_has_a_swatch(details: ComponentDetails, stream: list[Frame]) -> None:
    number = int(stream[-1].census.ids[1])
    details.show_component(stream[-1], number)
    swatch = find(details, QLabel, "componentSwatch")
    assert not swatch.isVisible()
    details.colour_components(True)
    for theme in (LIGHT, DARK):
        details.set_theme(theme)
        assert swatch.pixmap().toImage().pixelColor(2, 2).name() == theme.component_colour(number)
    details.show_component(stream[-1], None)
    assert not swatch.isVisible()


@pytest.fixture
def details(qtbot: QtBot) -> ComponentDetails:
    details = ComponentDetails()
    qtbot.addWidget(details)
    details.set_theme(DARK)
    details.resize(320, 400)
    details.show()
    return details


def show(qtbot: QtBot, table: ComponentTable, frame: Frame) -> None:
    """Show a frame and wait for the rest after the one before."""
    table.show_frame(frame)
    wait(qtbot, lambda: set(ids(table)) == set(frame.census.ids.tolist()))


def ids(table: ComponentTable) -> list[int]:
    return [int(text.removeprefix("#")) for text in column(table, ID)]


def column(table: ComponentTable, number: int) -> list[str]:
    return [table.model.index(row, number).data() for row in range(table.model.rowCount())]


def numbers(texts: list[str]) -> list[float]:
    return [float(text.split(", ")[0].removeprefix("#").replace(",", "").replace("−", "-")) for text in texts]


def click_heading(table: ComponentTable, number: int) -> None:
    header = table.view.horizontalHeader()
    spot = QPoint(header.sectionViewportPosition(number) + 12, header.height() // 2)
    click(header.viewport(), at=spot)


def click_row(table: ComponentTable, row: int) -> None:
    spot = table.view.visualRect(table.model.index(row, PRIOR)).center()
    click(table.view.viewport(), at=spot)


def selected(table: ComponentTable) -> list[int | None]:
    return [table.model.id_at(index.row()) for index in table.view.selectionModel().selectedRows()]


def test_the_numbers_fit_the_side_panel(table: ComponentTable) -> None:
    table.view.resize(310, 300)
    assert sum(table.view.columnWidth(number) for number in range(MEAN)) <= table.view.viewport().width()


def test_the_weightiest_come_first(qtbot: QtBot, table: ComponentTable, iris: Frame) -> None:
    show(qtbot, table, iris)
    order = np.argsort(-iris.census.priors)
    assert ids(table) == iris.census.ids[order].tolist()
    assert column(table, PRIOR) == [f"{prior:.4f}" for prior in iris.census.priors[order]]
    assert numbers(column(table, EVIDENCE)) == pytest.approx(iris.census.accumulators[order], rel=1e-3)
    assert numbers(column(table, AGE)) == iris.census.ages[order].tolist()
    assert numbers(column(table, DETERMINANT)) == pytest.approx(iris.census.log_determinants[order], rel=1e-3)
    assert numbers(column(table, MEAN)) == pytest.approx(iris.picture.centres[order, 0], rel=1e-3)
    assert column(table, STATE) == words(iris.census)[order].tolist()
    count = find(table, QLabel, "componentCount")
    assert count.text() == f"K = {iris.census.n_components}"


@pytest.mark.parametrize("number", [ID, PRIOR, EVIDENCE, AGE, DETERMINANT, MEAN])
def test_every_number_sorts_as_a_number(qtbot: QtBot, table: ComponentTable, stream: list[Frame], number: int) -> None:
    table.resize(700, 400)
    show(qtbot, table, stream[-1])
    click_heading(table, number)
    values = numbers(column(table, number))
    rising = table.view.horizontalHeader().sortIndicatorOrder() == Qt.SortOrder.AscendingOrder
    assert values == sorted(values, reverse=not rising)
    assert table.model.headerData(number, Qt.Orientation.Horizontal) == HEADINGS[number] + (" ↑" if rising else " ↓")
    click_heading(table, number)
    assert numbers(column(table, number)) == sorted(values, reverse=rising)


def test_states_sort_as_words(qtbot: QtBot, table: ComponentTable, stream: list[Frame]) -> None:
    show(qtbot, table, stream[5])
    table.view.sortByColumn(STATE, Qt.SortOrder.AscendingOrder)
    assert column(table, STATE) == sorted(column(table, STATE))
    assert len(set(column(table, STATE))) > 1


def test_the_bar_tells_who_is_about_to_go(qtbot: QtBot, table: ComponentTable, stream: list[Frame]) -> None:
    frame = stream[3]
    show(qtbot, table, frame)
    shares = dict(zip(frame.census.ids.tolist(), probation(frame.census).tolist(), strict=True))
    assert any(np.isfinite(list(shares.values())))
    for row, number in enumerate(ids(table)):
        bar = table.model.index(row, AGE).data(BAR_ROLE)
        assert bar == shares[number] if np.isfinite(shares[number]) else bar is None


def test_a_selection_stays_with_its_component(qtbot: QtBot, table: ComponentTable, stream: list[Frame]) -> None:
    show(qtbot, table, stream[10])
    survivors = set.intersection(*(set(frame.census.ids.tolist()) for frame in stream[10:]))
    row = next(row for row, number in enumerate(ids(table)) if number in survivors and row > 2)
    wanted = ids(table)[row]
    with qtbot.waitSignal(table.component_selected) as caught:
        click_row(table, row)
    assert caught.args == [wanted]
    rows = set()
    with qtbot.assertNotEmitted(table.component_selected):
        for frame in stream[11:]:
            show(qtbot, table, frame)
            assert selected(table) == [wanted]
            rows.add(ids(table).index(wanted))
    assert len(rows) > 1, "the rows moved"


def test_the_table_does_not_scroll_by_itself(qtbot: QtBot, table: ComponentTable, stream: list[Frame]) -> None:
    show(qtbot, table, stream[15])
    table.select(ids(table)[0])
    bar = table.view.verticalScrollBar()
    wait(qtbot, lambda: bar.maximum() > 300)
    bar.setValue(300)
    for frame in stream[16:]:
        show(qtbot, table, frame)
        assert bar.value() == 300


def test_a_selected_component_that_is_removed_leaves_nobody_selected(
    qtbot: QtBot, table: ComponentTable, stream: list[Frame]
) -> None:
    pairs = pairwise(stream)
    before, after = next(p for p in pairs if not set(p[0].census.ids.tolist()) <= set(p[1].census.ids.tolist()))
    gone = min(set(before.census.ids.tolist()) - set(after.census.ids.tolist()))
    show(qtbot, table, before)
    table.select(gone)
    assert selected(table) == [gone]
    with qtbot.assertNotEmitted(table.component_selected):
        show(qtbot, table, after)
    assert selected(table) == []
    assert table.selected == gone


def test_a_selection_from_outside_is_shown_and_not_announced(
    qtbot: QtBot, table: ComponentTable, stream: list[Frame]
) -> None:
    show(qtbot, table, stream[-1])
    last = ids(table)[-1]
    wait(qtbot, lambda: table.view.verticalScrollBar().maximum() > 300)
    with qtbot.assertNotEmitted(table.component_selected):
        table.select(last)
    assert selected(table) == [last]
    assert table.view.viewport().rect().contains(table.view.visualRect(table.model.index(len(ids(table)) - 1, 0)))
    table.select(None)
    assert selected(table) == []


def test_every_frame_is_shown_at_once(table: ComponentTable, stream: list[Frame]) -> None:
    """How often is the page's choice, so that all its numbers are of one frame."""
    for frame in stream:
        table.show_frame(frame)
        assert set(ids(table)) == set(frame.census.ids.tolist())


def test_the_csv_holds_every_number_exactly(qtbot: QtBot, table: ComponentTable, iris: Frame) -> None:
    show(qtbot, table, iris)
    heading, *lines = csv.reader(io.StringIO(table.as_csv()()))
    assert heading == ["id", "prior", "sp", "v", "log_determinant", *iris.columns]
    census = iris.census
    values = np.array(lines, float)
    wanted = (census.ids, census.priors, census.accumulators, census.ages, census.log_determinants)
    np.testing.assert_array_equal(values, np.column_stack([*wanted, census.means]))


def test_the_csv_is_asked_for(qtbot: QtBot, table: ComponentTable, iris: Frame) -> None:
    button = find(table, QPushButton, "exportTable")
    assert not button.isEnabled()
    show(qtbot, table, iris)
    with qtbot.waitSignal(table.export_requested):
        click(button)


def test_a_cleared_table_is_empty(qtbot: QtBot, table: ComponentTable, iris: Frame) -> None:
    show(qtbot, table, iris)
    table.select(0)
    table.clear()
    assert table.model.rowCount() == 0
    assert table.as_csv()() == ""
    assert table.selected is None


def test_cells_are_painted(qtbot: QtBot, table: ComponentTable, iris: Frame) -> None:
    empty = table.view.viewport().grab().toImage()
    show(qtbot, table, iris)
    full = table.view.viewport().grab().toImage()
    assert full != empty
    table.select(int(iris.census.ids[0]))
    assert table.view.viewport().grab().toImage() != full


def test_details_show_every_number(details: ComponentDetails, iris: Frame) -> None:
    place = 1
    number = int(iris.census.ids[place])
    details.show_component(iris, number)
    readings = details.readings()
    learner = learner_of(iris.recipe)
    learner.advance(iris.n_done)
    assert readings["born at sample"] == str(lines_of(learner).born.tolist().index(number) + 1)
    assert readings["age v"] == str(iris.census.ages[place])
    assert float(readings["prior"]) == pytest.approx(iris.census.priors[place], rel=1e-3)
    assert float(readings["evidence sp"]) == pytest.approx(iris.census.accumulators[place], rel=1e-3)
    model = details._model
    for row, name in enumerate(iris.columns):
        texts = [model.index(row, number).data() for number in range(3)]
        assert texts[0] == name
        assert float(texts[1]) == pytest.approx(iris.census.means[place, row], rel=1e-4)
        assert float(texts[2]) == pytest.approx(np.sqrt(iris.census.variances[place, row]), rel=1e-4)


def test_details_say_what_to_do_and_what_is_gone(qtbot: QtBot, details: ComponentDetails, stream: list[Frame]) -> None:
    hint, title = find(details, QLabel, "componentHint"), find(details, QLabel, "componentTitle")
    assert isinstance(hint, QLabel)
    assert isinstance(title, QLabel)
    details.show_component(stream[0], None)
    assert hint.isVisible()
    pairs = pairwise(stream)
    before, after = next(p for p in pairs if not set(p[0].census.ids.tolist()) <= set(p[1].census.ids.tolist()))
    gone = min(set(before.census.ids.tolist()) - set(after.census.ids.tolist()))
    details.show_component(before, gone)
    assert not hint.isVisible()
    assert title.text() == f"COMPONENT #{gone}"
    age = details.readings()["age v"]
    details.show_component(after, gone)
    wait(qtbot, lambda: title.text() == f"COMPONENT #{gone} · removed")
    (sample,) = after.endings[after.endings[:, 2] == gone, 0].tolist()
    assert before.n_done < sample + 1 <= after.n_done
    assert details.readings()["state"] == f"removed at sample {sample + 1:,}"
    assert details.readings()["age v"] == age, "the last that was seen of it"
    other = int(after.census.ids[0])
    details.show_component(after, other)
    assert title.text() == f"COMPONENT #{other}"


def test_details_say_who_took_it_in(details: ComponentDetails) -> None:
    after = frames.frame(frames.births_and_deaths(), delta=0.1, beta=0.1, max_components=4)
    merged = after.endings[after.endings[:, 1] >= 0]
    assert len(merged) == after.n_merges
    sample, kept, gone = merged[-1].tolist()
    details.show_component(after, gone)
    title = find(details, QLabel, "componentTitle")
    assert isinstance(title, QLabel)
    assert title.text() == f"COMPONENT #{gone} · merged"
    assert details.readings()["state"] == f"taken in by #{kept} at sample {sample + 1:,}"
    details.show_component(replace(after, endings=after.endings[:0]), gone)
    assert title.text() == f"COMPONENT #{gone} · gone"
    assert details.readings()["state"] == "gone"


def test_details_of_a_variance_without_a_root(details: ComponentDetails, iris: Frame) -> None:
    variances = iris.census.variances.copy()
    variances[0, 0] = -1.0
    details.show_component(replace(iris, census=replace(iris.census, variances=variances)), 0)
    assert details._model.index(0, 2).data() == "–"


def test_every_number_is_in_the_users_units(qtbot: QtBot, table: ComponentTable, details: ComponentDetails) -> None:
    """With *mean 0, deviation 1* they were z-scores beside a plot in centimetres."""
    iris = frames.iris()
    plain, scaled = (
        frames.frame(recipe, Plane("pca"), delta=0.5, beta=0.0)
        for recipe in (iris, replace(iris, encoding=Encoding(scaling="standard")))
    )
    assert np.abs(scaled.census.means).max() < 3, "z-scores"
    texts = []
    for frame in (plain, scaled):
        show(qtbot, table, frame)
        details.show_component(frame, 0)
        view = find(details, QTableView, "componentColumns")
        cells = [[view.model().index(row, place).data() for place in range(3)] for row in range(4)]
        texts.append((table.as_csv()(), column(table, MEAN), column(table, DETERMINANT), details.readings(), cells))
    (csv_plain, *seen_plain), (csv_scaled, *seen_scaled) = texts
    assert seen_plain == seen_scaled
    values = [np.array(list(csv.reader(io.StringIO(text)))[1:], float) for text in (csv_plain, csv_scaled)]
    np.testing.assert_allclose(values[0], values[1], rtol=1e-9)
