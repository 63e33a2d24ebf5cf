"""A view that is told and asked in the data's units: shown, zoomed and moved at any range."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from pytestqt.qtbot import QtBot

from workbench.views.plots.auto_range import Follower
from workbench.views.plots.data_view import FARTHEST, Span
from workbench.views.plots.plot_area import PlotArea
from workbench.views.plots.plot_style import Mapping, ViewItem

LARGEST = sys.float_info.max
RANGES = [
    Span(0.0, 10.0),
    Span(-LARGEST, LARGEST),
    Span(0.0, 1e155),
    Span(1.7e18 - 1e3, 1.7e18 + 1e3),
    Span(0.0, 1e-310),
    Span(1e18, 3e18),
]


class Probe(ViewItem):
    """Keeps the last mapping."""

    mapping: Mapping | None = None

    def draw(self, painter: object, mapping: Mapping) -> None:  # noqa: ARG002
        self.mapping = mapping


@pytest.fixture
def area(qtbot: QtBot) -> PlotArea:
    found = PlotArea()
    qtbot.addWidget(found)
    found.resize(600, 400)
    found.show()
    qtbot.waitExposed(found)
    return found


@pytest.mark.parametrize("window", RANGES)
def test_a_window_is_shown_and_read_at_any_range(area: PlotArea, window: Span) -> None:
    probe = Probe()
    area.plot.addItem(probe, ignoreBounds=True)
    area.plot.view.show_windows(window, window)
    area.grab()
    for seen in area.plot.view.seen():
        np.testing.assert_allclose(seen, window, rtol=1e-12)
    assert probe.mapping is not None
    (left, right), room = probe.mapping.across(np.array(window)).tolist(), probe.mapping.area
    assert (left, right) == pytest.approx((room.left(), room.right()), abs=1e-6)
    middle = area.plot.view.scene_place(window.low / 2 + window.high / 2, window.low / 2 + window.high / 2)
    assert (middle.x(), middle.y()) == pytest.approx((room.center().x(), room.center().y()), abs=0.5)
    x, y = area.plot.view.data_at(middle)
    assert x / 2 + window.low / 2 - y / 2 == pytest.approx(window.low / 2, rel=1e-9, abs=1e-6 * window.width)
    texts = area.plot.bottom.marks(*window, 500).texts
    assert 2 <= len(set(texts)) <= 8


@pytest.mark.parametrize("window", RANGES)
def test_zooming_out_ends_and_comes_back(qtbot: QtBot, area: PlotArea, window: Span) -> None:
    area.plot.view.show_windows(window, window)
    for _ in range(60):
        turn_wheel(area, -120)
        area.grab()
    across, up = area.plot.view.seen()
    for seen in (across, up):
        assert np.isfinite(seen).all()
        assert seen.low / FARTHEST / 3 - window.low / FARTHEST / 3 <= window.width
        assert seen.high / 4 - seen.low / 4 > 0.99 * (window.high / 4 - window.low / 4)
    with qtbot.waitSignal(area.fit_wanted):
        qtbot.mouseDClick(area.viewport(), Qt.MouseButton.LeftButton, pos=area.viewport().rect().center())
        qtbot.mouseRelease(area.viewport(), Qt.MouseButton.LeftButton, pos=area.viewport().rect().center())
    area.plot.view.show_windows(window, window)
    np.testing.assert_allclose(area.plot.view.seen()[0], window, rtol=1e-12)


def test_zooming_in_on_one_end_of_a_huge_range_keeps_its_digits(area: PlotArea) -> None:
    """From 0 … 1.7e18 down to some thousand: coordinates fixed at the beginning would have no digits left."""
    area.plot.view.show_windows(Span(0.0, 1.7e18), Span(0.0, 1.0))
    for _ in range(400):
        place = area.plot.view.scene_place(1.7e18, 0.5)
        area.plot.view.scaleBy((0.8, 1.0), center=area.plot.view.mapSceneToView(place))
        area.plot.view.settle()
    across, _ = area.plot.view.seen()
    assert across.low <= 1.7e18 <= across.high
    assert 256 < across.high - across.low < 2e7
    area.grab()
    assert len({*area.plot.bottom.marks(*across, 500).texts}) >= 2


@pytest.mark.parametrize("before", RANGES)
@pytest.mark.parametrize("after", RANGES)
def test_linked_views_go_from_any_range_to_any_other(qtbot: QtBot, before: Span, after: Span) -> None:
    """Each kept the limits of its own last data, which in the coordinates of the next ones were infinite."""
    follower, areas = Follower(is_gradual=False), [PlotArea(), PlotArea()]
    for area in areas:
        qtbot.addWidget(area)
        area.resize(600, 400)
        follower.add(area.plot.view)
    for window in (before, after):
        for area in areas:
            area.plot.view.show_windows(window, window)
            area.grab()
        for area in areas:
            np.testing.assert_allclose(area.plot.view.seen()[0], window, rtol=1e-12)
            np.testing.assert_allclose(area.plot.view.seen()[1], window, rtol=1e-12)


def test_the_whole_range_of_doubles_is_shown_after_its_end(area: PlotArea) -> None:
    """The units of the end would suit, but the distance to the other end is beyond all numbers."""
    probe = Probe()
    area.plot.addItem(probe, ignoreBounds=True)
    for window in (Span(0.99 * LARGEST, LARGEST), Span(-LARGEST, LARGEST)):
        area.plot.view.show_windows(window, window)
        area.grab()
        assert probe.mapping is not None
        (left, right), room = probe.mapping.across(np.array(window)).tolist(), probe.mapping.area
        assert (left, right) == pytest.approx((room.left(), room.right()), abs=1e-6)


def test_a_drag_moves_by_as_much_data_as_pixels(area: PlotArea) -> None:
    window = Span(1.7e18 - 1e6, 1.7e18 + 1e6)
    area.plot.view.show_windows(window, Span(0.0, 1.0))
    width = area.plot.view.viewRect().width()
    area.plot.view.translateBy(x=width / 2)
    across, _ = area.plot.view.seen()
    assert across.low == pytest.approx(1.7e18, abs=512)


def turn_wheel(area: PlotArea, delta: int) -> None:
    place = QPointF(area.viewport().rect().center())
    event = QWheelEvent(
        place, area.viewport().mapToGlobal(place), QPoint(), QPoint(0, delta), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    area.wheelEvent(event)
