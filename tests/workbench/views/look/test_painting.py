"""An error while painting is reported once and stays out of Qt."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QImage, QPainter, QTransform
from pytestqt.qtbot import QtBot

from tests.workbench.hands import wait
from workbench.views.plots.plot_area import PlotArea
from workbench.views.plots.plot_style import Axis, Mapping, Marks, Plot, ViewItem


class Broken(ViewItem):
    def draw(self, painter: QPainter, mapping: Mapping) -> None:  # noqa: ARG002
        raise OverflowError("cannot convert float infinity to integer")


class BrokenAxis(Axis):
    def marks(self, *_: object) -> Marks:
        raise IndexError("no mark")


@pytest.mark.parametrize("part", ["item", "axis"])
def test_an_error_while_painting_is_reported_once(qtbot: QtBot, part: str) -> None:
    area = PlotArea(plot=Plot(left=BrokenAxis("left") if part == "axis" else None))
    qtbot.addWidget(area)
    if part == "item":
        area.plot.addItem(Broken(), ignoreBounds=True)
    area.resize(300, 200)
    with qtbot.captureExceptions() as errors:
        area.show()
        for _ in range(3):
            area.grab()
        wait(qtbot, lambda: bool(errors))
    assert {kind for kind, *_ in errors} == {OverflowError if part == "item" else IndexError}
    assert len(errors) <= 2, "one for each place, the axis and the grid behind it"


class Counting(ViewItem):
    n_drawn = 0

    def draw(self, painter: QPainter, mapping: Mapping) -> None:  # noqa: ARG002
        self.n_drawn += 1


@pytest.mark.parametrize(("height", "is_drawn"), [(1.0, True), (0.2, True), (1e-9, False), (0.0, False)])
def test_what_has_no_height_is_not_drawn(qtbot: QtBot, height: float, is_drawn: bool) -> None:
    """Qt warned of letters without a height when a plot was squeezed between two others."""
    area, item = PlotArea(plot=Plot()), Counting()
    qtbot.addWidget(area)
    area.plot.addItem(item, ignoreBounds=True)
    area.resize(300, 200)
    area.show()
    area.grab()
    picture = QImage(300, 200, QImage.Format.Format_ARGB32)
    painter, before = QPainter(picture), item.n_drawn
    painter.setWorldTransform(item.sceneTransform() * QTransform.fromScale(1.0, height))
    item.paint(painter)
    painter.end()
    assert item.n_drawn - before == is_drawn
