"""The visible part of a plot, in the data's units."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QColor, QPen

from workbench.views.fields.selection_button import how_of
from workbench.views.look.theme import Theme
from workbench.views.plots.plot_units import LARGEST, Units

SHIFT = Qt.KeyboardModifier.ShiftModifier
FARTHEST = 1000.0
"""How many times wider than its home range a view may become by zooming, and how many widths it may be moved."""
CLOSEST = 1e-12
"""Share of the home range's width to which one may zoom in."""
SAME = 1e-7
"""Relative difference of two widths that cannot be seen."""
DIGITS = 2 * np.finfo(np.float64).eps
"""Relative width below which too few floats are left to show."""


class Span(NamedTuple):
    """An interval on one axis."""

    low: float
    high: float

    @property
    def width(self) -> float:
        """The width, at most the largest float."""
        return min(self.high - self.low, LARGEST)

    def widened(self) -> Span:
        """Widened where low and high are equal."""
        return self if self.high > self.low else Span(self.low, self.low + max(1.0, abs(self.low) / 10))

    def around(self, width: float) -> Span:
        """A span of another width around the same middle; the same where it has that width but for rounding."""
        if abs(width - self.width) <= SAME * width:
            return self
        middle = self.low + self.width / 2
        return Span(middle - width / 2, middle + width / 2)

    def padded(self, share: float) -> Span:
        """With a border of this share of its width on both sides."""
        border = share * self.width
        return Span(self.low - border, self.high + border)


class DataView(pg.ViewBox):
    """A view box whose coordinates are of ordinary size, whatever the data's range.

    pyqtgraph's own methods (`setRange`, `viewRange`, `mapSceneToView`) take and return view coordinates; those added
    here, data coordinates. Both are the same until `show_windows` is called.
    """

    banded = Signal(object, object, str)
    """A rectangle that was drawn to select what is in it: its spans, and what the keys held say."""
    takes_bands = False
    """Whether rectangles can be drawn: with Shift held, or without it while `is_banding`."""
    is_banding = False

    def __init__(self) -> None:
        self.units = (Units(), Units())
        """Of the horizontal and the vertical axis."""
        self._home: tuple[Span, Span] | None = None
        """The home range, which limits zooming."""
        self._is_equal = False
        super().__init__(enableMenu=False)
        self._is_in_band = False
        """Whether the drag under way draws a rectangle."""
        self.sigRangeChangedManually.connect(self.settle)
        self.sigResized.connect(lambda *_: self._equalise())

    def set_equal(self, is_equal: bool) -> None:
        """Give a unit of both axes the same number of pixels, whatever is shown, or let each axis fill its side."""
        self._is_equal = is_equal
        if is_equal:
            self._equalise()

    def equalised(self, across: Span, up: Span) -> tuple[Span, Span]:
        """The spans, one of them widened so that a unit of both has the same number of pixels, if that is wanted."""
        width, height = self.width(), self.height()
        if not self._is_equal or min(width, height) <= 0 or not across.width > 0 or not up.width > 0:
            return across, up
        unit = max(across.width / width, up.width / height)
        if not 0 < unit < LARGEST / max(width, height):
            return across, up
        return across.around(unit * width), up.around(unit * height)

    def _equalise(self) -> None:
        seen = self.seen()
        wanted = self.equalised(*seen)
        if wanted != seen:
            self.show_windows(*wanted, is_home=False)

    def show_windows(self, across: Span, up: Span, is_home: bool = True) -> None:
        """Show this part of the plane; it becomes the home range unless the user moved there."""
        wanted = tuple(_some_width(window) for window in (across, up))
        is_same = all(unit.suit(*window) for unit, window in zip(self.units, wanted, strict=True))
        self._free()
        if is_home or self._home is None:
            self._home = (wanted[0], wanted[1])
        if not is_same:
            self.units = (Units.around(*wanted[0]), Units.around(*wanted[1]))
        places = [tuple(unit.place(end) for end in window) for unit, window in zip(self.units, wanted, strict=True)]
        self.setRange(xRange=places[0], yRange=places[1], padding=0, disableAutoRange=True)
        self._limit()
        if not is_same:
            self._tell()

    def follow(self, other: DataView) -> None:
        """Show what another view shows, with its limits: in its coordinates, one's own may be infinite."""
        self._home = other._home
        self.show_windows(*other.seen(), is_home=False)

    def seen(self) -> tuple[Span, Span]:
        """The visible part of the plane."""
        across, up = (
            Span(*(unit.to_data(end) for end in ends)) for unit, ends in zip(self.units, self.viewRange(), strict=True)
        )
        return across, up

    def data_at(self, place: QPointF) -> tuple[float, float]:
        """The data coordinates of a point of the scene."""
        found = self.mapSceneToView(place)
        return self.units[0].to_data(found.x()), self.units[1].to_data(found.y())

    def scene_place(self, x: float, y: float) -> QPointF:
        """The scene coordinate of a value."""
        found: QPointF = self.mapViewToScene(QPointF(self.units[0].place(x), self.units[1].place(y)))
        return found

    def settle(self) -> None:
        """After a user's move: choose other coordinates where these lose digits, and keep an equal aspect."""
        self._equalise()
        across, up = self.seen()
        if not (self.units[0].suit(*across) and self.units[1].suit(*up)):
            self.show_windows(across, up, is_home=False)

    def set_band_colours(self, theme: Theme) -> None:
        """Draw rectangles in the colours of a theme."""
        ink = QColor(theme.accent)
        self.rbScaleBox.setPen(QPen(ink, 0))
        ink.setAlphaF(0.12)
        self.rbScaleBox.setBrush(ink)

    def mouseDragEvent(self, ev: Any, axis: int | None = None) -> None:
        """Called by pyqtgraph: draws a rectangle, or moves the view."""
        if ev.isStart():
            is_wanted = self.is_banding or bool(ev.modifiers() & SHIFT)
            is_left = ev.button() == Qt.MouseButton.LeftButton
            self._is_in_band = self.takes_bands and axis is None and is_left and is_wanted
        if not self._is_in_band:
            super().mouseDragEvent(ev, axis)
            return
        ev.accept()
        if not ev.isFinish():
            self.updateScaleBox(ev.buttonDownPos(), ev.pos())
            return
        self.rbScaleBox.hide()
        self._is_in_band = False
        corners = [self.data_at(self.mapToScene(place)) for place in (ev.buttonDownPos(), ev.pos())]
        across, up = (Span(min(ends), max(ends)) for ends in zip(*corners, strict=True))
        how = how_of(ev.modifiers(), Qt.KeyboardModifier.NoModifier if self.is_banding else SHIFT)
        self.banded.emit(across, up, how)

    # Private

    def _free(self) -> None:
        nothing = dict.fromkeys(f"{kind}{axis}Range" for axis in "XY" for kind in ("min", "max"))
        self.setLimits(**nothing, **dict.fromkeys(("xMin", "xMax", "yMin", "yMax")))

    def _limit(self) -> None:
        assert self._home is not None
        limits = {}
        for axis, unit, home in zip("xy", self.units, self._home, strict=True):
            low, high = unit.place(home.low), unit.place(home.high)
            width, farthest = high - low, max(abs(home.low), abs(home.high))
            limits[f"min{axis.upper()}Range"] = min(width, max(CLOSEST * width, DIGITS * farthest / unit.size))
            limits[f"max{axis.upper()}Range"] = FARTHEST * width
            limits[f"{axis}Min"] = max(low - FARTHEST * width, unit.place(-LARGEST))
            limits[f"{axis}Max"] = min(high + FARTHEST * width, unit.place(LARGEST))
        self.setLimits(**limits)

    def _tell(self) -> None:
        """Notify the axes: the same coordinates now stand for other data, which pyqtgraph does not notice."""
        across, up = self.viewRange()
        self.sigXRangeChanged.emit(self, tuple(across))
        self.sigYRangeChanged.emit(self, tuple(up))
        self.sigRangeChanged.emit(self, [across, up], [True, True])
        for item in self.addedItems:
            item.update()


def _some_width(window: Span) -> Span:
    """The span, widened where its floats would not differ."""
    low, high = (float(np.clip(end, -LARGEST, LARGEST)) for end in window)
    least = max(DIGITS * max(abs(low), abs(high)), 1e-322)
    if high - low >= least:
        return Span(low, high)
    return Span(max(low - least, -LARGEST), min(high + least, LARGEST))
