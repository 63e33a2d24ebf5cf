"""Automatic range of a view: it grows smoothly when content leaves it and does not shrink by itself."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QTimer

from figmn.system.arrays import Floats
from workbench.views.plots.data_view import DataView, Span
from workbench.views.plots.ellipses_item import DrawnComponents
from workbench.views.plots.plot_units import LARGEST

MARGIN = 0.07
"""Margin on every side as a share of the data's width and height."""
ELLIPSES = 0.35
"""Share of the data's width by which ellipses may widen the view, so that a huge one does not make all else tiny."""
ONE_PLACE = 1e-3
"""Share of the smallest ellipse below which all data count as one point."""
STEP, CLOSE = 0.3, 0.004
"""Share of the remaining way per step, and share of the size at which the target counts as reached."""
STEP_INTERVAL = 16
"""Milliseconds between two animation steps."""


@dataclass(frozen=True, eq=False)
class Box:
    """A rectangle from the lower left to the upper right corner."""

    low: Floats
    high: Floats

    @property
    def size(self) -> Floats:
        """Width and height, at most the largest float."""
        return _apart(self.high, self.low)

    def union(self, other: Box) -> Box:
        """The smallest box around both; NaN sides come from the other."""
        return Box(np.fmin(self.low, other.low), np.fmax(self.high, other.high))

    def widened(self, by: Floats) -> Box:
        """The box with a margin."""
        return Box(self.low - by, self.high + by)

    def holds(self, other: Box) -> bool:
        """Whether the other box is inside; NaN sides count as inside."""
        return not ((other.low < self.low) | (other.high > self.high)).any()

    def grown(self, content: Box, wanted: Box) -> Box:
        """The box with the wanted sides where the content is outside."""
        low = np.where(content.low < self.low, wanted.low, self.low)
        return Box(low, np.where(content.high > self.high, wanted.high, self.high))

    def is_close(self, other: Box) -> bool:
        """Whether both are equal but for an invisible difference."""
        away = np.maximum(np.abs(_apart(self.low, other.low)), np.abs(_apart(self.high, other.high)))
        return bool((away <= 1e-6 * other.size).all())

    def towards(self, target: Box) -> Box:
        """One animation step towards the target; the target itself when it is close."""
        step = Box(self.low + STEP * (target.low - self.low), self.high + STEP * (target.high - self.high))
        far = np.maximum(np.abs(target.low - step.low), np.abs(target.high - step.high)) > CLOSE * target.size
        return step if far.any() else target


class AutoRange:
    """Computes the target range of a view."""

    def __init__(self) -> None:
        self.target: Box | None = None

    def reset(self) -> None:
        """Reset: the next content alone determines the range."""
        self.target = None

    def see(self, points: Box, components: DrawnComponents, radius: float) -> Box | None:
        """Update with new content and return the range; None as long as there is none."""
        content = points.union(box_of(*components.centres.T)) if len(components.ids) else points
        if not np.isfinite([content.low, content.high]).all():
            return self.target
        content = _with_ellipses(content, components, radius, has_points=bool(np.isfinite(points.low).all()))
        if self.target is None:
            self.target = _with_margin(content)
        elif not self.target.holds(content):
            self.target = self.target.grown(content, _with_margin(content))
        return self.target


class Follower(QObject):
    """Animates one or several linked views to the range of their content.

    Moving one of them moves all, and stops following until the next fit.

    Parameters
    ----------
    is_gradual
        Whether views grow in animated steps; otherwise at once, and only with new data.
    """

    def __init__(self, parent: QObject | None = None, is_gradual: bool = True) -> None:
        super().__init__(parent)
        self._is_gradual = is_gradual
        self._views: list[DataView] = []
        self._range = AutoRange()
        self._subject: object = None
        self._follows = True
        self._growth = QTimer(self, interval=STEP_INTERVAL)
        self._growth.timeout.connect(self._grow)

    def add(self, view: DataView) -> None:
        """Link another view."""
        self._views.append(view)
        view.sigRangeChanged.connect(lambda *_: self._link(view))

    def look_at(self, subject: object) -> None:
        """Set a key of what is shown; another key resets the range."""
        if subject != self._subject:
            self._subject = subject
            self.refit()

    def see(self, points: Box, components: DrawnComponents, radius: float) -> None:
        """Update with the new content of one of the views."""
        if not self._follows:
            return
        first = self._range.target is None
        target = self._equalised(self._range.see(points, components, radius))
        if target is None or self.seen().is_close(target):
            return
        if first or not self._is_gradual:
            self._growth.stop()
            self._show(target)
        elif not self._growth.isActive():
            self._growth.start()

    def refit(self) -> None:
        """Follow again, and let the next content alone determine the range."""
        self._follows = True
        self._range.reset()

    def stop(self) -> None:
        """Stop following."""
        self._follows = False
        self._growth.stop()

    def seen(self) -> Box:
        """The visible part of the plane."""
        return _seen(self._views[0])

    def _equalised(self, box: Box | None) -> Box | None:
        """What is shown of a range, where both axes have the same units."""
        return None if box is None else _box(*self._views[0].equalised(*_windows(box)))

    def _grow(self) -> None:
        target = self._equalised(self._range.target)
        if target is None:
            self._growth.stop()
            return
        self._show(self.seen().towards(target))
        if self.seen().is_close(target):
            self._growth.stop()

    def _show(self, box: Box) -> None:
        for view in self._views:
            view.show_windows(*_windows(box))

    def _link(self, moved: DataView) -> None:
        box = _seen(moved)
        for view in self._views:
            # The linked view signals its move as well; by then there must be nothing left to do.
            if view is not moved and not _seen(view).is_close(box):
                view.follow(moved)


def _apart(end: Floats, start: Floats) -> Floats:
    """The difference, clipped to the largest float."""
    with np.errstate(over="ignore"):
        found: Floats = np.clip(end - start, -LARGEST, LARGEST)
    return found


def _seen(view: DataView) -> Box:
    return _box(*view.seen())


def _box(across: Span, up: Span) -> Box:
    return Box(np.array([across.low, up.low]), np.array([across.high, up.high]))


def _windows(box: Box) -> tuple[Span, Span]:
    (left, low), (right, high) = box.low.tolist(), box.high.tolist()
    return Span(left, right), Span(low, high)


def box_of(x: NDArray[np.floating], y: NDArray[np.floating]) -> Box:
    """The bounding box of points; NaN where there are none."""
    if not len(x):
        return Box(np.full(2, np.nan), np.full(2, np.nan))
    low, high = ([float(reduce(column)) for column in (x, y)] for reduce in (np.fmin.reduce, np.fmax.reduce))
    return Box(np.array(low), np.array(high))


def _with_ellipses(content: Box, components: DrawnComponents, radius: float, has_points: bool) -> Box:
    """The content widened by the ellipses: where there are points, within limits."""
    if not components.definite.any():
        return content
    extents = components.extents(radius)[components.definite]
    centres = components.centres[components.definite]
    ellipses = Box((centres - extents).min(axis=0), (centres + extents).max(axis=0))
    if not has_points:
        return content.union(ellipses)
    # At first all data may be one point; then its ellipse alone gives a scale.
    smallest = extents.min(axis=0)
    limit = content.widened(np.where(content.size > ONE_PLACE * smallest, ELLIPSES * content.size, smallest))
    return content.union(Box(np.maximum(ellipses.low, limit.low), np.minimum(ellipses.high, limit.high)))


def _with_margin(content: Box) -> Box:
    """With a margin; a single point gets a width."""
    ordinary = np.maximum(np.abs(content.low) * 0.1, 1e-9)
    margin = np.where(content.size > 0, MARGIN * content.size, np.where(content.low == 0, 1.0, ordinary))
    return content.widened(margin)
