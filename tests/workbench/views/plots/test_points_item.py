"""Points are where their values are, in the colour and shape of their class, however many there are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyqtgraph as pg
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from workbench.run.show.frame import Scheme
from workbench.views.look.theme import DARK, LIGHT
from workbench.views.plots import points_item
from workbench.views.plots.palettes import code_colour
from workbench.views.plots.plot_style import Plot
from workbench.views.plots.points_item import FADES, PointsItem, stamp_size


class Canvas:
    """A plot from 0 to 10 with points on it, and its pixels."""

    def __init__(self, qtbot: QtBot) -> None:
        self.widget = pg.GraphicsLayoutWidget()
        qtbot.addWidget(self.widget)
        self.widget.setBackground(LIGHT.base)
        self.plot, self.item = Plot(), PointsItem()
        self.widget.addItem(self.plot)
        self.plot.grid.hide()
        self.plot.addItem(self.item, ignoreBounds=True)
        self.plot.vb.setRange(xRange=(0, 10), yRange=(0, 10), padding=0)
        self.widget.resize(500, 400)
        self.widget.show()
        qtbot.waitExposed(self.widget)

    def show(self, points: Any, codes: Any = None) -> None:
        x, y = np.array(points, np.float32).reshape(-1, 2).T
        given = np.zeros(len(x)) if codes is None else np.array(codes)
        self.item.set_points(np.ascontiguousarray(x), np.ascontiguousarray(y), given.astype(np.int16))

    def image(self) -> QImage:
        found: QImage = self.widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
        return found

    def place(self, x: float, y: float) -> tuple[int, int]:
        found = self.widget.mapFromScene(self.plot.vb.mapViewToScene(QPointF(x, y)))
        return found.x(), found.y()

    def painted(self) -> NDArray[np.intp]:
        """Row and column of every pixel inside the axes that is not background."""
        image = self.image()
        numbers = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), image.width()) & 0xFFFFFF
        (left, bottom), (right, top) = self.place(0, 0), self.place(10, 10)
        numbers = numbers.copy()
        numbers[: top + 1], numbers[bottom:] = 0xFFFFFF, 0xFFFFFF
        numbers[:, : left + 1], numbers[:, right:] = 0xFFFFFF, 0xFFFFFF
        return np.argwhere(numbers != 0xFFFFFF)


@pytest.fixture
def canvas(qtbot: QtBot) -> Canvas:
    return Canvas(qtbot)


@pytest.mark.parametrize("copies", [1, 5_000, 20_000, 50_000])
def test_a_point_is_where_its_value_is(canvas: Canvas, copies: int) -> None:
    canvas.show([(3.0, 7.0)] * copies)
    painted = canvas.painted()
    exact = canvas.widget.viewportTransform().map(canvas.plot.vb.mapViewToScene(QPointF(3.0, 7.0)))
    assert np.abs(painted.mean(axis=0) + 0.5 - (exact.y(), exact.x())).max() <= 0.75
    width = np.ptp(painted, axis=0) + 1
    assert (np.abs(width - stamp_size(copies, 1.0)) <= 2).all()


@pytest.mark.parametrize("copies", [1, 5_000, 20_000, 50_000])
def test_a_class_has_its_colour(canvas: Canvas, copies: int) -> None:
    for code in (0, 2, -1):
        canvas.show([(5.0, 5.0)] * copies, [code] * copies)
        seen = QColor(canvas.image().pixel(*canvas.place(5.0, 5.0)))
        wanted = QColor(LIGHT.class_colour(code))
        white = [255 + (part - 255) * FADES[-1] for part in (wanted.red(), wanted.green(), wanted.blue())]
        # Few points are smooth: the newest lies over older ones, which makes it a little stronger.
        assert np.abs(np.array([seen.red(), seen.green(), seen.blue()]) - white).max() <= (2 if copies > 3_000 else 26)


def test_classes_have_different_shapes(canvas: Canvas) -> None:
    areas = []
    for code in range(4):
        canvas.show([(5.0, 5.0)], [code])
        areas.append(frozenset(map(tuple, canvas.painted().tolist())))
    assert len(set(areas)) == 4


def test_the_newest_point_lies_on_top(canvas: Canvas) -> None:
    canvas.show([(5.0, 5.0)] * 50_000, [*([1] * 49_999), 0])
    seen = QColor(canvas.image().pixel(*canvas.place(5.0, 5.0)))
    assert seen.blue() > seen.red(), "the newest is blue, the others are orange"


def test_old_points_are_fainter(canvas: Canvas) -> None:
    canvas.show([(2.0, 5.0)] * 20_000 + [(8.0, 5.0)] * 20_000)
    old, new = (QColor(canvas.image().pixel(*canvas.place(x, 5.0))) for x in (2.0, 8.0))
    assert old.lightness() > new.lightness()


@pytest.mark.parametrize("copies", [1, 50_000])
def test_what_is_missing_or_out_of_sight_is_not_drawn(canvas: Canvas, copies: int) -> None:
    places = [(np.nan, 5.0), (5.0, np.nan), (11.0, 5.0), (5.0, -3.0), (np.inf, 5.0), (1e38, -1e38)]
    canvas.show(places * copies)
    assert not len(canvas.painted())


@pytest.mark.parametrize("copies", [1, 5_000, 50_000])
def test_a_point_at_an_edge_does_not_show_at_the_other_one(canvas: Canvas, copies: int) -> None:
    canvas.show([(9.999, 5.0)] * copies)
    middle = canvas.place(5.0, 5.0)[0]
    assert (canvas.painted()[:, 1] > middle).all()


def test_values_far_from_zero_keep_their_places(canvas: Canvas) -> None:
    canvas.plot.vb.setRange(xRange=(1_000_000, 1_000_010), yRange=(0, 10), padding=0)
    canvas.item.set_points(np.array([1_000_003.0]), np.array([7.0]), np.zeros(1, np.int16))
    column, row = canvas.place(1_000_003.0, 7.0)
    image = canvas.image()
    assert QColor(image.pixel(column, row)) != QColor(LIGHT.base)


def test_the_raster_is_kept_until_something_changes(canvas: Canvas, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []
    stamped = points_item.stamped
    monkeypatch.setattr(points_item, "stamped", lambda *given: drawn.append(1) or stamped(*given))  # type: ignore[func-returns-value]
    canvas.show([(5.0, 5.0)] * 5_000)
    canvas.image()
    canvas.image()
    assert len(drawn) == 1
    canvas.plot.vb.setRange(xRange=(0, 5), padding=0)
    canvas.image()
    canvas.item.set_theme(DARK)
    canvas.image()
    canvas.show([(4.0, 5.0)] * 5_000)
    canvas.image()
    assert len(drawn) == 4


@pytest.mark.parametrize("n_points", [1, 4000])
@pytest.mark.parametrize("scheme", ["components", "scale"])
def test_points_have_the_colours_of_their_scheme(qtbot: QtBot, n_points: int, scheme: Scheme) -> None:
    canvas = Canvas(qtbot)
    x, codes = np.full(n_points, 5.0), np.full(n_points, 4, np.int16)
    canvas.item.set_points(x, x, codes, scheme)
    seen = canvas.image().pixelColor(*canvas.place(5, 5))
    expected, base = QColor(code_colour(LIGHT, scheme, 4)), QColor(LIGHT.base)
    mixed = [
        FADES[-1] * getattr(expected, part)() + (1 - FADES[-1]) * getattr(base, part)()
        for part in ("red", "green", "blue")
    ]
    assert [seen.red(), seen.green(), seen.blue()] == pytest.approx(mixed, abs=2)
    assert code_colour(LIGHT, scheme, 4) != code_colour(LIGHT, "classes", 4)
    assert code_colour(LIGHT, scheme, -1) == LIGHT.muted
