"""Rows and components are looked at and selected, on all pages together."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyqtgraph as pg
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QDialog, QLabel, QLineEdit, QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from tests.waiting import PATIENCE
from tests.workbench.hands import click, find, text_of, wait, write
from tests.workbench.parts import data_page, predict_page, stream_page
from tests.workbench.penguins import write_penguins
from tests.workbench.steps import answer_save, open_sample, run_to_the_end
from workbench.pages.data.dialogs.selection_dialog import SelectionDialog
from workbench.pages.data.wiring import DataWiring
from workbench.pages.predict.wiring import PredictWiring
from workbench.pages.stream.component_model import ROWS
from workbench.pages.stream.wiring import StreamWiring
from workbench.run import FileOrigin, Frame, GeneratorOrigin, Recipe, run
from workbench.source.generators import BirthsAndDeaths
from workbench.views.plots.rows_plot import RowsPlot
from workbench.window.shell import WindowShell
from workbench.words.numbers import percent


@pytest.fixture(autouse=True)
def every_move_counts() -> Iterator[None]:
    """pyqtgraph skips moves of the mouse that follow each other too soon."""
    before = pg.getConfigOption("mouseRateLimit")
    pg.setConfigOption("mouseRateLimit", -1)
    yield
    pg.setConfigOption("mouseRateLimit", before)


@pytest.fixture
def penguins(qtbot: QtBot, shell: WindowShell, tmp_path: Path) -> WindowShell:
    """A run of penguins that has ended."""
    shell.page(DataWiring).load(FileOrigin(str(write_penguins(tmp_path / "penguins.csv"))))
    wait(qtbot, lambda: shell.desk.data.dataset is not None and shell.desk.data.dataset.title == "penguins.csv")
    run_to_the_end(qtbot, shell)
    return shell


def shown(shell: WindowShell) -> Frame:
    assert shell.desk.run.frame is not None
    return shell.desk.run.frame


def area(shell: WindowShell) -> RowsPlot:
    return stream_page(shell).mixture.area


def place(shell: WindowShell, position: int) -> QPoint:
    """Where a point is in the plot."""
    plot = area(shell)
    found: QPoint = plot.mapFromScene(plot.plot.view.scene_place(*shown(shell).picture.points[position].tolist()))
    return found


def hover(widget: QWidget, place: QPoint) -> None:
    """Not by `QTest.mouseMove`, which does nothing where the pointer is there already."""
    spot, out, none = QPointF(place), QPointF(widget.mapToGlobal(place)), Qt.MouseButton.NoButton
    held = Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(widget, QMouseEvent(QEvent.Type.MouseMove, spot, spot, out, none, none, held))


def lonely(shell: WindowShell) -> int:
    """Position of a point that no other one and no centre is near to, in view."""
    plot, picture = area(shell), shown(shell).picture
    both = np.vstack([picture.points, picture.centres])
    spots = np.array([plot.mapFromScene(plot.plot.view.scene_place(*pair)).toTuple() for pair in both.tolist()])
    gaps = np.abs(spots[:, None] - spots[None]).max(axis=2)
    np.fill_diagonal(gaps, 1000)
    inside = [plot.viewport().rect().adjusted(80, 40, -40, -60).contains(QPoint(*spot)) for spot in spots.tolist()]
    return int(np.flatnonzero(inside)[gaps.min(axis=1)[inside].argmax()])


def test_a_point_tells_its_row_its_values_and_its_component(qtbot: QtBot, penguins: WindowShell) -> None:
    position = lonely(penguins)
    row = int(shown(penguins).picture.rows[position])
    dataset, runner = penguins.desk.data.dataset, penguins.desk.run.transport
    assert dataset is not None
    assert runner is not None
    hover(area(penguins).viewport(), place(penguins, position))
    card = find(area(penguins), QLabel, "componentCard")
    wait(qtbot, lambda: "posterior" in card.text())
    lines = card.text().split("\n")
    assert lines[0] == f"Row {row + 1} of penguins.csv"
    assert lines[1] == f"species: {dataset.table['species'].texts()[row]}"
    assert lines[2] == f"bill_length_mm: {dataset.table['bill_length_mm'].texts()[row]}"
    engine, values = runner.ask(
        lambda learner, _: (learner.engine, np.concatenate([chunk.values for chunk in learner.prepared.chunks()]))
    ).result(PATIENCE)
    posteriors = engine.responsibilities(values[position : position + 1])[0]
    best = engine.ids[posteriors.argmax()]
    assert lines[-1] == f"in #{best}, posterior {percent(posteriors.max())}"
    assert area(penguins).ring.place == tuple(shown(penguins).picture.points[position])


def test_a_clicked_point_is_told_of_until_the_next_click(qtbot: QtBot, penguins: WindowShell) -> None:
    plot, position = area(penguins), lonely(penguins)
    card = find(plot, QLabel, "componentCard")
    click(plot.viewport(), at=place(penguins, position))
    plot.pointed.emit(None)
    row = int(shown(penguins).picture.rows[position])
    assert card.text().startswith(f"Row {row + 1} of")
    wait(qtbot, lambda: "posterior" in card.text())
    plot.clicked.emit(*shown(penguins).picture.points[position].tolist())
    plot.pointed.emit(None)
    assert not card.isVisible()
    assert plot.ring.place is None


def test_a_point_of_a_stream_has_the_values_that_were_learned(qtbot: QtBot, shell: WindowShell) -> None:
    shell.page(DataWiring).load(GeneratorOrigin(BirthsAndDeaths(), endless=True))
    wait(qtbot, lambda: shell.desk.data.dataset is not None and shell.desk.data.dataset.is_endless)
    click(shell.window, "streamButton")
    wait(qtbot, lambda: shell.desk.run.frame is not None and shell.desk.run.frame.n_done > 200)
    shell.desk.run.pause()
    wait(qtbot, lambda: shown(shell).state == "paused")
    row = int(shown(shell).picture.rows[-1])
    x = float(shown(shell).picture.points[-1, 0])
    area(shell).point_pointed.emit(row)
    area(shell)._row = row
    wait(qtbot, lambda: "posterior" in area(shell)._told[1])
    lines = area(shell)._told[1].split("\n")
    assert lines[0].startswith(f"Row {row + 1:,} of")
    assert float(lines[1].removeprefix("x: ").replace("−", "-")) == pytest.approx(x, rel=1e-4)


# Selections

KEYS = Qt.KeyboardModifier


def selected(shell: WindowShell) -> list[int]:
    found: list[int] = shell.desk.data.selection.rows.tolist()
    return found


def band(shell: WindowShell, first: QPoint, last: QPoint, held: Qt.KeyboardModifier) -> None:
    """Drag from one place of the plot to another."""
    drag(area(shell).viewport(), first, last, held)


def drag(widget: QWidget, first: QPoint, last: QPoint, held: Qt.KeyboardModifier) -> None:
    """With keys held all the time, as `QTest.mouseMove` does not hold them."""
    kinds, left, none = QEvent.Type, Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
    moves = [(kinds.MouseMove, first + (last - first) * share, none, left) for share in (0.3, 0.7, 1.0)]
    for kind, place, button, buttons in (
        (kinds.MouseButtonPress, first, left, left),
        *moves,
        (kinds.MouseButtonRelease, last, left, none),
    ):
        spot, out = QPointF(place), QPointF(widget.mapToGlobal(place))
        QApplication.sendEvent(widget, QMouseEvent(kind, spot, spot, out, button, buttons, held))


def rows_between(shell: WindowShell, first: QPoint, last: QPoint) -> set[int]:
    """Rows of the points in a rectangle of the plot."""
    plot, picture = area(shell), shown(shell).picture
    (left, top), (right, bottom) = (plot.plot.view.data_at(plot.mapToScene(corner)) for corner in (first, last))
    x, y = picture.points.T
    return set(picture.rows[(x >= left) & (x <= right) & (y >= bottom) & (y <= top)].tolist())


def test_a_rectangle_selects_the_rows_of_its_points(penguins: WindowShell) -> None:
    whole = area(penguins).viewport().rect()
    corner, middle = QPoint(80, 40), whole.center()
    end = QPoint(whole.width() - 40, whole.height() - 60)
    first, second = rows_between(penguins, corner, middle), rows_between(penguins, middle, end)
    both = rows_between(penguins, corner, end)
    before = area(penguins).plot.view.seen()
    band(penguins, corner, middle, KEYS.ShiftModifier)
    assert set(selected(penguins)) == first
    assert 0 < len(first) < len(both)
    band(penguins, middle, end, KEYS.ShiftModifier | KEYS.ControlModifier)
    assert set(selected(penguins)) == first | second
    band(penguins, corner, middle, KEYS.ShiftModifier | KEYS.AltModifier)
    assert set(selected(penguins)) == second - first
    click(penguins.window, "selectButton")
    band(penguins, corner, end, KEYS.NoModifier)
    assert set(selected(penguins)) == both
    band(penguins, corner, middle, KEYS.AltModifier | KEYS.ShiftModifier)
    assert set(selected(penguins)) == first
    band(penguins, middle, end, KEYS.ShiftModifier)
    assert set(selected(penguins)) == first | second
    assert area(penguins).plot.view.seen() == before, "selecting does not move the plot"
    marked = area(penguins).points._marked
    assert marked is not None
    assert set(shown(penguins).picture.rows[marked].tolist()) == first | second
    words = f"{len(first | second)} of 344 rows selected"
    assert area(penguins).legend.note == words
    assert find(penguins.window, QLabel, "valuesSelected").text() == words


def test_the_menu_says_what_a_rectangle_without_keys_does(penguins: WindowShell) -> None:
    whole = area(penguins).viewport().rect()
    corner, middle = QPoint(80, 40), whole.center()
    first = rows_between(penguins, corner, middle)
    find(penguins.window, QToolButton, "selectButton").setChecked(True)
    for name in ("all", "remove"):
        find_action(penguins, f"selectButton-{name}").trigger()
    band(penguins, corner, middle, KEYS.NoModifier)
    assert set(selected(penguins)) == set(range(344)) - first
    assert find_action(penguins, "valuesSelect-remove").isChecked(), "one choice on both pages"
    find_action(penguins, "valuesSelect-invert").trigger()
    assert set(selected(penguins)) == first
    penguins.window.menus["clearSelection"].trigger()
    assert selected(penguins) == []
    assert area(penguins).points._marked is None
    assert not find_action(penguins, "selectButton-clear").isEnabled()


def find_action(shell: WindowShell, name: str) -> QAction:
    """An action of a menu on the Stream or the Data page."""
    for page in (stream_page(shell), data_page(shell)):
        found = page.findChild(QAction, name)
        if isinstance(found, QAction):
            return found
    raise AssertionError(name)


def test_rows_of_the_table_are_selected_by_mouse_and_keyboard(qtbot: QtBot, penguins: WindowShell) -> None:
    penguins.show_page(data_page(penguins))
    view = data_page(penguins).values.view

    def at(row: int) -> QPoint:
        return view.visualRect(view.model().index(row, 1)).center()

    def press(row: int, held: Qt.KeyboardModifier = KEYS.NoModifier) -> None:
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, held, at(row))

    press(2)
    assert selected(penguins) == [2]
    press(5, KEYS.ShiftModifier)
    assert selected(penguins) == [2, 3, 4, 5]
    press(3, KEYS.ControlModifier)
    assert selected(penguins) == [2, 4, 5], "Ctrl takes a selected row out"
    press(0, KEYS.ControlModifier)
    press(4, KEYS.AltModifier)
    assert selected(penguins) == [0, 2, 5]
    drag(view.viewport(), at(1), at(3), KEYS.NoModifier)
    assert selected(penguins) == [1, 2, 3]
    view.setFocus()
    view.setCurrentIndex(view.model().index(6, 0))
    qtbot.keyClick(view, Qt.Key.Key_Space)
    qtbot.keyClick(view, Qt.Key.Key_Down, KEYS.ShiftModifier)
    assert selected(penguins) == [1, 2, 3, 6, 7]
    qtbot.keyClick(view, Qt.Key.Key_Down)
    qtbot.keyClick(view, Qt.Key.Key_Up)
    qtbot.keyClick(view, Qt.Key.Key_Space)
    assert selected(penguins) == [1, 2, 3, 6]
    header = data_page(penguins).values._rows
    spot = QPoint(10, header.sectionViewportPosition(4) + 5)
    QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, KEYS.NoModifier, spot)
    assert selected(penguins) == [4]
    qtbot.keyClick(view, Qt.Key.Key_A, KEYS.ControlModifier)
    assert len(selected(penguins)) == 344
    marked = area(penguins).points._marked
    assert marked is not None
    assert marked.all()


def test_the_table_shows_the_rows_selected_alone(penguins: WindowShell) -> None:
    penguins.hub.selection_requested.emit([300, 7, 150], "replace")
    find_action(penguins, "selectButton-table").trigger()
    values = data_page(penguins).values
    assert values.isVisible()
    assert [values.model.headerData(row, Qt.Orientation.Vertical) for row in range(3)] == ["8", "151", "301"]
    assert values.model.rowCount() == 3
    QTest.mouseClick(
        values.view.viewport(), Qt.MouseButton.LeftButton, KEYS.NoModifier,
        values.view.visualRect(values.model.index(1, 0)).center(),
    )  # fmt: skip
    assert selected(penguins) == [150]
    assert values.model.rowCount() == 3, "a row that is chosen here does not hide the others"
    penguins.hub.selection_requested.emit([1, 2], "replace")
    assert values.model.rowCount() == 2, "a selection made elsewhere is shown"
    values.go_to_row(200)
    assert (values.model.rowCount(), values.view.currentIndex().row()) == (344, 199)
    values.show_selected_only(True)
    find_action(penguins, "valuesSelect-clear").trigger()
    assert values.model.rowCount() == 344
    assert not find(values, QToolButton, "selectedOnly").isChecked()


def test_bars_select_their_rows_and_show_those_selected(qtbot: QtBot, penguins: WindowShell) -> None:
    penguins.show_page(data_page(penguins))
    data_page(penguins).attributes.choose("species")
    plot = data_page(penguins).details.histogram.plot
    plot.grab()

    def at(bar: int) -> QPoint:
        found: QPoint = plot.mapFromScene(plot._view.scene_place(float(bar), 1.0))
        return found

    codes = penguins.desk.data.dataset.table["species"].values  # type: ignore[union-attr]
    QTest.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, KEYS.NoModifier, at(1))
    assert selected(penguins) == np.flatnonzero(codes == 1).tolist()
    assert plot.bars.selected is not None
    assert plot.bars.selected.sum(axis=1).tolist() == [0, (codes == 1).sum(), 0]
    assert "selected: 0" in plot.words(0)
    drag(plot.viewport(), at(2), at(1), KEYS.ControlModifier)
    assert selected(penguins) == np.flatnonzero(codes >= 1).tolist()
    plot.setFocus()
    qtbot.keyClick(plot, Qt.Key.Key_Right)
    qtbot.keyClick(plot, Qt.Key.Key_Right)
    qtbot.keyClick(plot, Qt.Key.Key_Space, KEYS.AltModifier)
    assert selected(penguins) == np.flatnonzero(codes == 2).tolist()
    data_page(penguins).attributes.choose("body_mass_g")
    mass = penguins.desk.data.dataset.table["body_mass_g"]  # type: ignore[union-attr]
    assert plot.bars.selected.sum() == ((codes == 2) & ~mass.missing).sum()


def test_rows_that_are_selected_but_not_drawn_are_shown_on_the_plot(qtbot: QtBot, penguins: WindowShell) -> None:
    stream_page(penguins).mixture.tools.trail.setCurrentIndex(0)
    wait(qtbot, lambda: len(area(penguins).rows) == 100)
    penguins.show_page(data_page(penguins))
    penguins.hub.selection_requested.emit([0, 343], "replace")
    penguins.hub.plot_requested.emit()
    assert stream_page(penguins).isVisible()
    wait(qtbot, lambda: set(area(penguins).rows.tolist()) >= {0, 343})
    marked = area(penguins).points._marked
    assert marked is not None
    assert marked.sum() == 2


def test_rows_of_other_data_are_not_marked(qtbot: QtBot, penguins: WindowShell) -> None:
    penguins.hub.selection_requested.emit([5], "replace")
    open_sample(qtbot, penguins)
    assert selected(penguins) == []
    assert area(penguins).points._marked is None
    penguins.hub.selection_requested.emit([5], "replace")
    assert area(penguins).points._marked is None, "the plot still shows penguins"
    penguins.hub.selection_requested.emit([150], "add")
    assert "there is no such row" in penguins.window.log.text()


# Components

SUMMARY = "componentSummary"


def choose_component(qtbot: QtBot, shell: WindowShell, number: int = 0) -> None:
    """As a click in the table does, and wait until its rows are known."""
    table = stream_page(shell).table
    row = table.model.row_of(number)
    assert row is not None
    QTest.mouseClick(
        table.view.viewport(),
        Qt.MouseButton.LeftButton,
        KEYS.NoModifier,
        table.view.visualRect(table.model.index(row, 1)).center(),
    )
    wait(qtbot, lambda: shell.desk.members.is_current and "row" in text_of(shell.window, SUMMARY))


def test_a_component_says_what_it_is(qtbot: QtBot, penguins: WindowShell) -> None:
    choose_component(qtbot, penguins)
    members, dataset = penguins.desk.members.latest, penguins.desk.data.dataset
    assert members is not None
    assert dataset is not None
    mine = members.is_of(0)
    species = dataset.table["species"]
    share = (species.values[mine] == species.labels.index("Adelie")).mean()
    parts = text_of(penguins.window, SUMMARY).split(" · ")
    assert parts[:3] == ["#0", f"{mine.sum()} rows ({percent(mine.sum() / 342)})", f"Adelie {percent(share)}"]
    assert parts[3].startswith("low bill_length_mm (−1.")
    assert "sex" not in "".join(parts)
    assert not any("male" in part for part in parts), "both sexes are as frequent as elsewhere"


def test_the_rows_of_a_component_are_selected_and_shown(qtbot: QtBot, penguins: WindowShell) -> None:
    choose_component(qtbot, penguins)
    members = penguins.desk.members.latest
    assert members is not None
    click(penguins.window, "selectComponent")
    assert selected(penguins) == np.flatnonzero(members.is_of(0)).tolist()
    model = stream_page(penguins).table.model
    row = model.row_of(0)
    assert row is not None
    size = members.size_of(0)
    assert model.index(row, ROWS).data() == f"{size} / {size}"
    choose_component(qtbot, penguins, 1)
    click(penguins.window, "componentTableRows")
    assert selected(penguins) == np.flatnonzero(members.is_of(1)).tolist()
    values = data_page(penguins).values
    assert values.isVisible()
    assert values.model.rowCount() == members.size_of(1)


def test_a_name_is_used_wherever_a_component_is_named(
    qtbot: QtBot, penguins: WindowShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose_component(qtbot, penguins)
    page, field = stream_page(penguins), find(penguins.window, QLineEdit, "componentName")
    page.table.view.setFocus()
    qtbot.keyClick(page.table.view, Qt.Key.Key_F2)
    assert field.hasFocus()
    write(field, "<b>small</b>  birds")
    wait(qtbot, lambda: shown(penguins).names == {0: "<b>small</b> birds"})
    called = "#0 <b>small</b> birds"
    wait(qtbot, lambda: text_of(penguins.window, SUMMARY).startswith(f"{called} · "))
    row = page.table.model.row_of(0)
    assert row is not None
    assert page.table.model.index(row, 0).data() == called
    area(penguins).grab()
    assert called in area(penguins).ellipses.labels
    area(penguins).pointed.emit(tuple(shown(penguins).picture.centres[0]))
    assert find(area(penguins), QLabel, "componentCard").text().startswith(called)
    assert f"0,{called.removeprefix('#0 ')}," in page.table.as_csv()()
    find(penguins.window, QComboBox, "streamColour").setCurrentIndex(1)
    wait(qtbot, lambda: called in area(penguins).legend.texts)
    wait(qtbot, lambda: called in data_page(penguins).details.histogram.legend.labels())
    answer_save(monkeypatch, penguins, tmp_path / "scored.csv")
    penguins.page(PredictWiring).export_scored()
    wait(qtbot, (tmp_path / "scored.csv").exists)
    assert "component_name" in (tmp_path / "scored.csv").read_text(encoding="utf-8").split("\n")[0]
    penguins.show_page(predict_page(penguins))
    bars = predict_page(penguins).answers.evidence.bars
    wait(qtbot, lambda: called in bars.accessibleName())
    penguins.show_page(page)
    penguins.desk.run.start()
    wait(qtbot, lambda: shown(penguins).run == penguins.desk.run.number and shown(penguins).state == "finished")
    assert shown(penguins).names == {}, "another run has other components"


def test_digits_show_the_mean_of_a_component(qtbot: QtBot, shell: WindowShell) -> None:
    open_sample(qtbot, shell, "digits")
    run_to_the_end(qtbot, shell)
    picture = find(shell.window, QLabel, "componentPicture")
    assert not picture.isVisible()
    choose_component(qtbot, shell, int(shown(shell).census.ids[0]))
    assert picture.isVisible()
    assert picture.pixmap().width() == picture.pixmap().height() > 40
    image = picture.pixmap().toImage()
    assert len({image.pixel(x, y) for x in range(image.width()) for y in range(image.height())}) > 10


def test_a_stream_has_no_rows_to_select(qtbot: QtBot, shell: WindowShell) -> None:
    shell.page(DataWiring).load(GeneratorOrigin(BirthsAndDeaths(), endless=True))
    wait(qtbot, lambda: shell.desk.data.dataset is not None and shell.desk.data.dataset.is_endless)
    click(shell.window, "streamButton")
    wait(qtbot, lambda: shell.desk.run.frame is not None and shell.desk.run.frame.n_done > 200)
    shell.desk.run.pause()
    wait(qtbot, lambda: shown(shell).state == "paused")
    stream_page(shell)._choose(int(shown(shell).census.ids[0]))
    assert "of the evidence" in text_of(shell.window, SUMMARY)
    assert not find(shell.window, QPushButton, "selectComponent").isEnabled()


# Selections as columns


def test_a_selection_is_saved_as_a_column_and_used(
    qtbot: QtBot, penguins: WindowShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [3, 4, 5, 100]
    penguins.hub.selection_requested.emit(rows, "replace")

    def answer(dialog: SelectionDialog) -> QDialog.DialogCode:
        field, save = find(dialog, QLineEdit, "selectionName"), find(dialog, QPushButton, "saveSelectionButton")
        assert field.text() == "selection"
        field.setText("species")
        assert not save.isEnabled()
        assert text_of(dialog, "selectionProblem") == "A column has this name already."
        field.setText("<i>odd</i>")
        assert save.isEnabled()
        return QDialog.DialogCode.Accepted

    monkeypatch.setattr(SelectionDialog, "exec", answer)
    find_action(penguins, "selectButton-save").trigger()
    dataset = penguins.desk.data.dataset
    assert dataset is not None
    assert np.flatnonzero(dataset.table["<i>odd</i>"].values == 0).tolist() == rows
    assert selected(penguins) == rows
    assert not penguins.desk.run.is_stale, "it is not learned"
    find(penguins.window, QComboBox, "streamColour").setCurrentText("<i>odd</i>")
    wait(qtbot, lambda: area(penguins).legend.texts[:3] == ["<i>odd</i>:", "selected", "not selected"])
    picture = shown(penguins).picture
    assert sorted(picture.rows[picture.codes == 0].tolist()) == [4, 5, 100], "row 4 of the file has no values"
    data_page(penguins)._set_roles(["<i>odd</i>"], "target")
    penguins.desk.run.start()
    wait(qtbot, lambda: shown(penguins).run == penguins.desk.run.number and shown(penguins).state == "finished")
    assert "<i>odd</i>=selected" in shown(penguins).columns
    answer_save(monkeypatch, penguins, tmp_path / "recipe.json")
    penguins.page(StreamWiring).export_recipe()
    wait(qtbot, (tmp_path / "recipe.json").exists)
    again = Recipe.from_json(tmp_path / "recipe.json")
    model = run(again).model
    np.testing.assert_array_equal(model.means, shown(penguins).census.means)
    for _ in range(3):
        penguins.page(DataWiring).undo()
    assert penguins.desk.data.dataset is not None
    assert "<i>odd</i>" not in penguins.desk.data.dataset.table.names
    assert selected(penguins) == rows
