"""Time per sample of every engine over the stream, on one logarithmic axis."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import pyqtgraph as pg
from pyqtgraph.functions import arrayToQPath
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QVBoxLayout, QWidget

from figmn.system.arrays import Floats, Ints
from workbench.pages.race.inks import ink_of
from workbench.pages.race.pace import FramePace, goes_on
from workbench.run.race.frame import LaneFrame, RaceFrame
from workbench.views.look.naming import Label, named
from workbench.views.look.theme import GRID, LIGHT, SMALL, Theme, font
from workbench.views.plots.data_view import Span
from workbench.views.plots.log_axis import LogAxis, LogPlot
from workbench.views.plots.plot_style import Axis, Mapping, ViewItem, colour, quiet_pen
from workbench.views.plots.track import RARE, line
from workbench.words.durations import duration
from workbench.words.numbers import whole

INTERVAL = 240
"""Milliseconds between two updates: a long timeline changes little in that time."""
TITLE = "µs per sample, one log axis (time of a chunk ÷ its samples)"
AIR = 0.2
"""Decades above and below the outermost ticks, so that their labels are not clipped."""
LABEL = 14.0
"""Height of a label."""
DOT = 2.5
"""Radius of the dot drawn for a curve of a single point."""


class Curve(NamedTuple):
    """One engine's times."""

    name: str
    ink: str
    samples: Ints
    logarithms: Floats

    @staticmethod
    def of(lane: LaneFrame, name: str, ink: str) -> Curve:
        """The curve of a contender."""
        known = lane.timeline.microseconds > 0
        logarithms = np.log10(lane.timeline.microseconds[known])
        return Curve(name, ink, lane.timeline.samples[known], logarithms)

    def text(self, position: int = -1) -> str:
        """Time per sample as text, at the end or at another position."""
        return duration(10.0 ** float(self.logarithms[position]) / 1e6)

    def at(self, sample: float) -> str:
        """Time per sample as text at a sample; a dash if the engine has not reached it."""
        place = int(np.searchsorted(self.samples, sample))
        return self.text(place) if place < len(self.samples) else "–"


class RaceCurves(QWidget):
    """A title and the plot. The mouse, or the arrow keys, show the times of a sample."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.plot = CurvesPlot()
        title = named(Label(TITLE), "raceCurvesTitle", manner="small")
        title.setContentsMargins(2 * GRID, 0, 0, 0)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, GRID // 2, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(title)
        layout.addWidget(self.plot, 1)
        self._frame: RaceFrame | None = None
        self._pace = FramePace(self._show, INTERVAL, self)

    def show_frame(self, frame: RaceFrame) -> None:
        """Draw the timelines of all engines in a frame."""
        before, self._frame = self._frame, frame
        self._pace.ask(at_once=not goes_on(before, frame))

    def clear(self) -> None:
        """Show nothing."""
        self._frame = None
        self.plot.show_curves((), 1)

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self.plot.set_theme(theme)

    def _show(self) -> None:
        frame = self._frame
        if frame is None:
            return
        names = zip(frame.lanes, frame.short_titles, strict=True)
        curves = tuple(Curve.of(lane, name, ink_of(position)) for position, (lane, name) in enumerate(names))
        self.plot.show_curves(curves, frame.n_total or max(1, frame.farthest))


class CurvesPlot(pg.PlotWidget):
    """The plot alone. It always shows the whole timeline, and cannot be zoomed."""

    def __init__(self) -> None:
        self.plot = LogPlot(Axis("bottom", "counts"), LogAxis("left"))
        super().__init__(plotItem=self.plot)
        named(self, "raceCurves", "time per sample of both engines")
        self.item = CurvesItem()
        self._windows = (Span(0.0, 0.0), Span(0.0, 0.0))
        """Ranges of the axes."""
        self.plot.addItem(self.item, ignoreBounds=True)
        self.plot.setMouseEnabled(x=False, y=False)
        self.plot.bottom.set_title("sample")
        self.plot.layout.setContentsMargins(GRID, LABEL / 2, 2 * GRID, 0)  # half of the top tick label
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.scene().sigMouseMoved.connect(self._point)
        self.set_theme(LIGHT)
        self.show_curves((), 1)

    def show_curves(self, curves: tuple[Curve, ...], n_samples: int) -> None:
        """Draw these curves over `n_samples` samples."""
        self.item.set_curves(curves)
        low, high = (end + side * AIR for end, side in zip(_decades(curves), (-1, 1), strict=True))
        windows = Span(0.0, float(n_samples)), Span(low, high)
        if self._windows != windows:
            self._windows = windows
            self.plot.view.show_windows(*windows)

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self.setBackground(theme.base)
        self.plot.set_theme(theme)
        self.item.set_theme(theme)

    def sizeHint(self) -> QSize:
        """Called by Qt."""
        return QSize(480, 160)

    def minimumSizeHint(self) -> QSize:
        """Called by Qt."""
        return QSize(240, 100)

    def leaveEvent(self, event: QEvent) -> None:
        """Called by Qt."""
        super().leaveEvent(event)
        self.item.read(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Called by Qt: the arrow keys step from sample to sample."""
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        key = Qt.Key(event.key())
        last = round(self._windows[0].high)
        if key in steps and self.item.curves:
            at = last + 1 if self.item.sample is None else self.item.sample
            self.item.read(min(max(1, at + steps[key] * max(1, last // 100)), last))
        elif key == Qt.Key.Key_Escape and self.item.sample is not None:
            self.item.read(None)
        else:
            super().keyPressEvent(event)

    def _point(self, place: QPointF) -> None:
        view = self.plot.view
        inside = bool(self.item.curves) and view.sceneBoundingRect().contains(place)
        self.item.read(max(1, round(view.data_at(place)[0])) if inside else None)


def _decades(curves: tuple[Curve, ...]) -> tuple[int, int]:
    """Powers of ten around all times except outliers: they change rarely, so the axis is stable."""
    known = [np.quantile(curve.logarithms, [RARE, 1 - RARE]) for curve in curves if len(curve.logarithms)]
    if not known:
        return 0, 3
    low, high = float(np.min(known)), float(np.max(known))
    first = math.floor(low + 1e-9)
    return first, max(first + 1, math.ceil(high - 1e-9))


class CurvesItem(ViewItem):
    """The curves, each with its name and its latest time at its end."""

    def __init__(self) -> None:
        super().__init__()
        self.curves: tuple[Curve, ...] = ()
        self.sample: int | None = None
        """The sample under the cursor."""
        self._bold = font(SMALL, QFont.Weight.DemiBold)
        self._width = QFontMetricsF(self._bold).horizontalAdvance

    def set_curves(self, curves: tuple[Curve, ...]) -> None:
        """Show these curves, except empty ones."""
        self.curves = tuple(curve for curve in curves if len(curve.samples))
        self.update()

    def read(self, sample: int | None) -> None:
        """Show the times of a sample; None shows none."""
        if sample != self.sample:
            self.sample = sample
            self.update()

    def labels(self) -> list[str]:
        """Labels at the ends of the curves."""
        return [f"{curve.name}, {curve.text()}" for curve in self.curves]

    def readings(self) -> list[str]:
        """Texts at the cursor."""
        if self.sample is None:
            return []
        return [f"sample {whole(self.sample)}", *(f"{curve.name} {curve.at(self.sample)}" for curve in self.curves)]

    def draw(self, painter: QPainter, mapping: Mapping) -> None:
        """Draw in pixels."""
        ends = [self._draw_curve(painter, mapping, curve) for curve in self.curves]
        painter.setFont(self._bold)
        rooms = label_rooms(ends, [self._width(text) for text in self.labels()], mapping.area)
        read = self._reading_room(mapping)
        for curve, text, room in zip(self.curves, self.labels(), rooms, strict=True):
            if read.intersects(room):
                continue  # the reading would cover part of the label
            painter.setPen(quiet_pen())
            painter.setBrush(colour(self.theme.base, 0.78))
            painter.drawRoundedRect(room, 3, 3)
            painter.setPen(QColor(getattr(self.theme, curve.ink)))
            painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)
        if not read.isEmpty():
            self._draw_reading(painter, mapping, read)

    def _draw_curve(self, painter: QPainter, mapping: Mapping, curve: Curve) -> QPointF:
        """Draw it and return its end."""
        places = mapping.pixels(np.stack([curve.samples, curve.logarithms], axis=1))
        left, ink = mapping.area.left(), QColor(getattr(self.theme, curve.ink))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        end = QPointF(*places[-1].tolist())
        if len(places) == 1:
            painter.setPen(quiet_pen())
            painter.setBrush(ink)
            painter.drawEllipse(end, DOT, DOT)
            return end
        x, y = line(places[:, 0] - left, places[:, 1], steps=False, width=mapping.area.width())
        pen = QPen(ink, 1.0)
        pen.setCosmetic(True)
        painter.strokePath(arrayToQPath(x + left, y, connect="all", finiteCheck=False), pen)
        return end

    def _reading_room(self, mapping: Mapping) -> QRectF:
        """Rectangle of the times at the cursor, beside its line; empty without a cursor."""
        if self.sample is None or not self.curves:
            return QRectF()
        area, texts, at = mapping.area, self.readings(), self._reading_place(mapping)
        width = max(self._width(text) for text in texts) + 2 * GRID
        left = at + GRID / 2 if at + GRID / 2 + width <= area.right() else at - GRID / 2 - width
        return QRectF(left, area.top() + 2, width, len(texts) * LABEL + GRID)

    def _reading_place(self, mapping: Mapping) -> float:
        return round(float(mapping.across(np.array([self.sample or 0.0]))[0])) + 0.5

    def _draw_reading(self, painter: QPainter, mapping: Mapping, room: QRectF) -> None:
        area, at, texts = mapping.area, self._reading_place(mapping), self.readings()
        painter.setPen(QPen(QColor(self.theme.muted), 1.0))
        painter.drawLine(QPointF(at, area.top()), QPointF(at, area.bottom()))
        painter.setPen(QPen(QColor(self.theme.border), 1.0))
        painter.setBrush(QColor(self.theme.panel))
        painter.drawRoundedRect(room, 4, 4)
        inks = [self.theme.text, *(getattr(self.theme, curve.ink) for curve in self.curves)]
        for number, (text, ink) in enumerate(zip(texts, inks, strict=True)):
            painter.setPen(QColor(ink))
            place = QRectF(room.left() + GRID, room.top() + GRID / 2 + number * LABEL, room.width(), LABEL)
            painter.drawText(place, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)


def label_rooms(ends: list[QPointF], widths: list[float], area: QRectF) -> list[QRectF]:
    """Rectangles of the labels: to the right of the curves' ends, or above them; without overlap."""
    found: list[QRectF] = []
    for end, width in zip(ends, widths, strict=True):
        room = QRectF(end.x() + GRID, end.y() - LABEL / 2, width + 2, LABEL)
        if room.right() > area.right():
            room.moveTopRight(QPointF(area.right(), end.y() - LABEL - 4))
        room.moveTop(min(max(room.top(), area.top()), area.bottom() - LABEL))
        room.moveTop(_free_top(room, found, area))
        found.append(room)
    return found


def _free_top(room: QRectF, others: list[QRectF], area: QRectF) -> float:
    """The nearest top at which a label covers no other; its own if there is none."""
    tops = [room.top(), *(top for other in others for top in (other.bottom(), other.top() - LABEL))]
    inside = [top for top in tops if area.top() <= top <= area.bottom() - LABEL]
    free = [top for top in inside if not any(room.translated(0, top - room.top()).intersects(one) for one in others)]
    return min(free, key=lambda top: abs(top - room.top()), default=room.top())
