"""Parts of the timelines, drawn with a painter: curves, marks of births, removals and drifts, and readings."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from pyqtgraph.functions import arrayToQPath
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath, QPen, QPixmap

from figmn.system.arrays import Floats
from workbench.run.show.drift import Drift
from workbench.run.show.frame import Frame, Timeline
from workbench.views.look.theme import GRID, Theme
from workbench.views.plots.plot_style import colour, quiet_pen
from workbench.views.plots.track import Track, binned
from workbench.words.numbers import whole

MARK = 7.0
"""Size and spacing of the marks of births, removals and mergers, in pixels."""
LEVELS = 4
"""Levels of strength from a mark of one event to a mark of the most events."""
CENTRE = Qt.AlignmentFlag.AlignCenter
BESIDE = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


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
    """Draw births, and removals and mergers, in two rows below the components; more events give a stronger mark."""
    top, below = above.bottom() + GRID / 2, above.bottom() + GRID / 2 + MARK + 1
    gone = (past.merges, theme.muted, 1, below), (past.removals, theme.cubic, 1, below)
    for counts, ink, direction, y in ((past.births, theme.accent, -1, top), *gone):
        places, totals = binned(x, counts, MARK)
        strength = np.log1p(totals) / np.log1p(totals.max(initial=1.0))
        levels = np.minimum((strength * LEVELS).astype(int), LEVELS - 1)
        stamps = [stamp(ink, direction, (level + 1) / LEVELS, ratio) for level in range(LEVELS)]
        for place, level in zip(places.tolist(), levels.tolist(), strict=True):
            left = above.left() + min(place, above.width()) - MARK / 2
            painter.drawPixmap(QPointF(round(left), round(y)), stamps[level])


def counts_of(frame: Frame) -> dict[str, str]:
    """The events of a run in words, by kind; drifts where the stream is watched for them."""
    counts = {"births": frame.n_births, "removals": frame.n_removals}
    counts |= {"mergers": frame.n_merges} if frame.n_merges else {}
    counts |= {"drifts": len(frame.drifts)} if frame.recipe.choices.drift else {}
    return {kind: f"{kind} {whole(count)}" for kind, count in counts.items()}


def draw_counts(
    painter: QPainter, frame: Frame, place: QPointF, height: float, theme: Theme, width_of: Callable[[str], float]
) -> None:
    """Draw the numbers of events from a place to the right, each with its mark, in lines of a height."""
    inks = {"births": theme.accent, "removals": theme.cubic, "mergers": theme.muted, "drifts": theme.warning}
    left, middle = place.x(), place.y()
    for kind, text in counts_of(frame).items():
        shape = diamond(left, middle) if kind == "drifts" else triangle(left, middle, 1 - 2 * (kind == "births"), MARK)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillPath(shape, QColor(inks[kind]))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(QColor(theme.muted))
        width = width_of(text)
        painter.drawText(QRectF(left + GRID, middle - height / 2, width + 2, height), BESIDE, text)
        left += width + 4 * GRID


def draw_drifts(painter: QPainter, areas: list[QRectF], drifts: tuple[Drift, ...], last: int, theme: Theme) -> None:
    """Draw a line through all plots at every drift, with a mark at its top."""
    pen = QPen(QColor(theme.warning), 1.0, Qt.PenStyle.DashLine)
    for drift in drifts:
        x = _drift_place(drift, areas[0], last)
        painter.setPen(pen)
        for area in areas:
            painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillPath(diamond(x, areas[0].top() + MARK / 2), QColor(theme.warning))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def nearest_drift(x: float, drifts: tuple[Drift, ...], area: QRectF, last: int) -> Drift | None:
    """The drift whose line is nearest to a place, a mark's width away at most."""
    gaps = [(abs(_drift_place(drift, area, last) - x), drift) for drift in drifts]
    near = min(gaps, key=lambda pair: pair[0], default=None)
    return None if near is None or near[0] > MARK else near[1]


def _drift_place(drift: Drift, area: QRectF, last: int) -> float:
    """Where the line of a drift is, in a plot of `last` samples."""
    return round(area.left() + (drift.sample + 1) / last * area.width()) + 0.5


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


def diamond(x: float, y: float) -> QPainterPath:
    """The mark of a drift."""
    half = MARK / 2
    path = QPainterPath(QPointF(x, y - half))
    for corner in (QPointF(x + half, y), QPointF(x, y + half), QPointF(x - half, y)):
        path.lineTo(corner)
    path.closeSubpath()
    return path


def triangle(x: float, y: float, direction: int, size: float) -> QPainterPath:
    """A triangle that points up (-1) or down (1)."""
    half = size / 2
    path = QPainterPath(QPointF(x - half, y - direction * half))
    path.lineTo(x + half, y - direction * half)
    path.lineTo(x, y + direction * half)
    path.closeSubpath()
    return path
