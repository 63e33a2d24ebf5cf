"""Painting: strokes of the mouse become points where the mouse was."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QAbstractButton, QLabel
from pytestqt.qtbot import QtBot

from tests.workbench.hands import click, find, wait
from workbench.pages.data.dialogs import canvas
from workbench.pages.data.dialogs.paint_dialog import PaintDialog
from workbench.run.recipe.dataset import load
from workbench.views.look.theme import DARK

LEFT = Qt.MouseButton.LeftButton


def shown(qtbot: QtBot) -> PaintDialog:
    dialog = PaintDialog()
    qtbot.addWidget(dialog)
    with qtbot.waitActive(dialog):
        dialog.show()
        dialog.activateWindow()
    return dialog


def pixel(dialog: PaintDialog, x: float, y: float) -> QPoint:
    place: QPoint = dialog.canvas.mapFromScene(dialog.canvas.plot.view.scene_place(x, y))
    return place


def stroke(qtbot: QtBot, dialog: PaintDialog, *places: tuple[float, float]) -> None:
    pixels = [pixel(dialog, *place) for place in places]
    area = dialog.canvas.viewport()
    qtbot.mousePress(area, LEFT, pos=pixels[0])
    for place in pixels[1:]:
        qtbot.mouseMove(area, place)
    qtbot.mouseRelease(area, LEFT, pos=pixels[-1])


def test_a_click_with_the_point_tool_is_one_point_where_the_mouse_is(qtbot: QtBot) -> None:
    dialog = shown(qtbot)
    click(dialog, "pointTool")
    click(dialog, "class3")
    stroke(qtbot, dialog, (2.0, 7.0), (8.0, 8.0))
    ((x, y, code),) = dialog.origin().points
    assert (x, y) == pytest.approx((2.0, 7.0), abs=0.03)
    assert code == 2


def test_the_brush_sprays_around_its_way(qtbot: QtBot) -> None:
    dialog = shown(qtbot)
    dialog._density.set_value(40)
    dialog._set_density(40)
    stroke(qtbot, dialog, *((2.0 + 0.5 * step, 5.0) for step in range(13)))
    points = np.array(dialog.origin().points)
    assert len(points) == 13 * 40
    assert points[:, 0].mean() == pytest.approx(5.0, abs=0.3)
    assert points[:, 1].mean() == pytest.approx(5.0, abs=0.1)
    assert points[:, 1].std() == pytest.approx(0.4, rel=0.2), "half the size of the brush"
    assert set(points[:, 2]) == {0}


def test_a_slow_mouse_sprays_no_more_than_a_quick_one(qtbot: QtBot) -> None:
    dialog = shown(qtbot)
    stroke(qtbot, dialog, *((3.0 + 0.001 * step, 5.0) for step in range(50)))
    assert len(dialog.origin().points) == 6


def test_points_stay_on_the_plane(qtbot: QtBot) -> None:
    dialog = shown(qtbot)
    stroke(qtbot, dialog, *((0.0, float(y)) for y in range(11)))
    points = np.array(dialog.origin().points)
    assert 0 < len(points) < 11 * 6
    assert points[:, :2].min() >= 0
    assert points[:, :2].max() <= 10


def test_the_eraser_removes_what_it_touches(qtbot: QtBot) -> None:
    dialog = shown(qtbot)
    click(dialog, "pointTool")
    for x in (2.0, 5.0, 8.0):
        stroke(qtbot, dialog, (x, 5.0))
    click(dialog, "eraserTool")
    stroke(qtbot, dialog, (5.2, 5.0))
    assert [round(x) for x, _, _ in dialog.origin().points] == [2, 8]


def test_undo_takes_one_stroke_back_at_a_time(qtbot: QtBot) -> None:
    dialog = shown(qtbot)
    stroke(qtbot, dialog, (2.0, 2.0), (3.0, 3.0))
    first = dialog.origin()
    stroke(qtbot, dialog, (7.0, 7.0), (8.0, 8.0))
    click(dialog, "paintClear")
    assert dialog.origin().points == ()
    qtbot.keyClick(dialog, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    wait(qtbot, lambda: len(dialog.origin().points) == 2 * len(first.points))
    click(dialog, "paintUndo")
    assert dialog.origin() == first
    click(dialog, "paintUndo")
    assert dialog.origin().points == ()
    assert not find(dialog, QAbstractButton, "paintUndo").isEnabled()


def test_a_stroke_that_changes_nothing_is_not_undone(qtbot: QtBot) -> None:
    dialog = shown(qtbot)
    click(dialog, "eraserTool")
    stroke(qtbot, dialog, (5.0, 5.0))
    assert not find(dialog, QAbstractButton, "paintUndo").isEnabled()


def test_keys_choose_tool_and_class(qtbot: QtBot) -> None:
    dialog = shown(qtbot)
    qtbot.keyClick(dialog, Qt.Key.Key_E)
    wait(qtbot, lambda: dialog.canvas.tool == "eraser")
    assert find(dialog, QAbstractButton, "eraserTool").isChecked()
    qtbot.keyClick(dialog, Qt.Key.Key_4)
    wait(qtbot, lambda: dialog.canvas.code == 3)
    assert find(dialog, QAbstractButton, "class4").isChecked()


def test_enter_in_a_box_does_not_end_the_painting(qtbot: QtBot) -> None:
    dialog = shown(qtbot)
    stroke(qtbot, dialog, (3.0, 3.0))
    field = dialog._density.field
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "25")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert dialog.isVisible()
    assert dialog.canvas.density == 25
    assert dialog.canvas.code == 0, "digits that are typed choose no class"


def test_counts_are_told_and_nothing_cannot_be_used(qtbot: QtBot) -> None:
    dialog = shown(qtbot)
    words = find(dialog, QLabel, "paintCounts")
    assert not find(dialog, QAbstractButton, "loadButton").isEnabled()
    stroke(qtbot, dialog, (3.0, 3.0))
    click(dialog, "class2")
    stroke(qtbot, dialog, (7.0, 7.0))
    assert words.text() == "12 points of 2 classes"
    assert [find(dialog, QAbstractButton, f"class{i}").text() for i in (1, 2, 3)] == ["6", "6", "0"]
    assert find(dialog, QAbstractButton, "loadButton").isEnabled()
    table = load(dialog.origin()).table
    assert table["class"].labels == ("class 1", "class 2")
    assert table.n_rows == 12


def test_there_is_an_end_to_points(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(canvas, "MOST_POINTS", 10)
    dialog = shown(qtbot)
    stroke(qtbot, dialog, (3.0, 3.0), (5.0, 5.0), (7.0, 7.0))
    assert len(dialog.origin().points) == 10


def test_undo_does_not_grow_without_end(qtbot: QtBot) -> None:
    dialog = shown(qtbot)
    click(dialog, "pointTool")
    for step in range(canvas.MOST_STROKES + 10):
        stroke(qtbot, dialog, (0.1 * step, 5.0))
    assert len(dialog.canvas._before) == canvas.MOST_STROKES


def test_size_and_density_are_those_of_the_sliders(qtbot: QtBot) -> None:
    dialog = shown(qtbot)
    dialog._size.slider.setValue(dialog._size.slider.maximum())
    dialog._density.slider.setValue(dialog._density.slider.minimum())
    assert (dialog.canvas.reach, dialog.canvas.density) == (4.0, 1)
    dialog.set_theme(DARK)
    dialog.grab()
