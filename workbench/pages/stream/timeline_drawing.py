"""Parts of the timelines, drawn with a painter: curves, marks of births and removals, and readings at the cursor."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from pyqtgraph.functions import arrayToQPath
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath, QPen, QPixmap

from figmn.system.arrays import Floats
from workbench.run.show.frame import Timeline
from workbench.views.look.theme import GRID, Theme
from workbench.views.plots.plot_style import colour, quiet_pen
from workbench.views.plots.track import Track, binned

MARK = 7.0
"""Size and spacing of the marks of births and removals, in pixels."""
LEVELS = 4
"""Levels of strength from a mark of one event to a mark of the most events."""
CENTRE = Qt.AlignmentFlag.AlignCenter


def draw_curve(painter: QPainter, area: QRectF, track: Track, theme: Theme, x: Floats, y: Floats) -> None:
    """Draw the line of a track; `x` from the left and `y` from the bottom of its area."""
    places = area.bottom() - np.clip(y, 0.0, area.height())
    path = arrayToQPath(x + area.left(), places, connect="finite")
    pen = QPen(QColor(getattr(theme, track.ink)), 1.0)
    pen.setCosmetic(True)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, not track.steps)
    painter.strokePath(path, pen)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def draw_events(painter: QPainter, above: QRectF, x: Floats, past: Timeline, theme: Theme, ratio: float) -> None:
    """Draw births and removals in two rows below the components; more events give a stronger mark."""
    top = above.bottom() + GRID / 2
    rows = ((past.births, theme.accent, -1, top), (past.removals, theme.cubic, 1, top + MARK + 1))
    for counts, ink, direction, y in rows:
        places, totals = binned(x, counts, MARK)
        strength = np.log1p(totals) / np.log1p(totals.max(initial=1.0))
        levels = np.minimum((strength * LEVELS).astype(int), LEVELS - 1)
        stamps = [stamp(ink, direction, (level + 1) / LEVELS, ratio) for level in range(LEVELS)]
        for place, level in zip(places.tolist(), levels.tolist(), strict=True):
            left = above.left() + min(place, above.width()) - MARK / 2
            painter.drawPixmap(QPointF(round(left), round(y)), stamps[level])


def draw_reading(
    painter: QPainter, text: str, place: QPointF, theme: Theme, font: QFont, text_width: float, room: int
) -> None:
    """Draw a value beside the cursor's line, on the side where it fits in a widget `room` pixels wide."""
    painter.setFont(font)
    width = text_width + GRID
    left = place.x() + 4 if place.x() + 4 + width < room else place.x() - 4 - width
    box = QRectF(left, place.y() - GRID, width, 2 * GRID)
    painter.setPen(quiet_pen())
    painter.setBrush(QColor(theme.base))
    painter.drawRoundedRect(box, 3, 3)
    painter.setPen(QColor(theme.text))
    painter.drawText(box, CENTRE, text)


@lru_cache(maxsize=64)
def stamp(ink: str, direction: int, strength: float, ratio: float) -> QPixmap:
    """A cached pixmap of a mark: drawing hundreds of antialiased triangles would take longer than all curves."""
    picture = QPixmap(int(np.ceil(MARK * ratio)), int(np.ceil(MARK * ratio)))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    size = MARK * (0.55 + 0.4 * strength)
    painter.fillPath(triangle(MARK / 2, MARK / 2, direction, size), colour(ink, 0.4 + 0.6 * strength))
    painter.end()
    return picture


def triangle(x: float, y: float, direction: int, size: float) -> QPainterPath:
    """A triangle that points up (-1) or down (1)."""
    half = size / 2
    path = QPainterPath(QPointF(x - half, y - direction * half))
    path.lineTo(x + half, y - direction * half)
    path.lineTo(x, y + direction * half)
    path.closeSubpath()
    return path
