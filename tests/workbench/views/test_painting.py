"""An error while painting is reported once and stays out of Qt."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QPainter
from pytestqt.qtbot import QtBot

from workbench.views.plot_area import PlotArea
from workbench.views.plot_style import Axis, Mapping, Marks, Plot, ViewItem


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
        qtbot.waitUntil(lambda: bool(errors))
    assert {kind for kind, *_ in errors} == {OverflowError if part == "item" else IndexError}
    assert len(errors) <= 2, "one for each place, the axis and the grid behind it"
