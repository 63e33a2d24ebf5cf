"""The colour bar beside a heat map."""

from __future__ import annotations

from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from workbench.views.look.painting import safe
from workbench.views.look.theme import GRID, LIGHT, SMALL, Theme, font
from workbench.views.plots.density_item import DECADES, scale_image
from workbench.views.plots.plot_style import TICK_ROOM
from workbench.views.plots.plot_ticks import LOGS_CLOSER, log_places, raised

TITLE = "density per unit of x · y, log scale"
HELP = (
    "How dense the mixture is in the two dimensions shown: the share of all samples that it expects at a place, "
    "for one unit of x and one unit of y. The colours run from the highest density in sight down to 1/160,000 of it."
)
BAR, TICK = 10.0, 3.0
TITLE_ROOM = 18.0


class ColourBar(pg.GraphicsWidget):
    """Colours of the density with powers of ten beside them; no numbers where nothing is visible."""

    def __init__(self) -> None:
        super().__init__()
        self._theme = LIGHT
        self._peak: float | None = None
        metrics = QFontMetricsF(font(SMALL))
        self._widest = metrics.horizontalAdvance(raised(-100))
        self.setFixedWidth(GRID + BAR + TICK + GRID / 2 + self._widest + TITLE_ROOM)
        self.setToolTip(HELP)
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self._theme = theme
        self.update()

    def set_peak(self, peak: float | None) -> None:
        """Set the decimal logarithm at the top; None for no numbers."""
        if peak != self._peak:
            self._peak = peak
            self.update()

    def marks(self) -> list[tuple[float, str]]:
        """Pixels from the top, and the labels there."""
        if self._peak is None:
            return []
        height = self.size().height()
        powers = log_places(self._peak - DECADES, self._peak, height / (LOGS_CLOSER * TICK_ROOM["left"]))
        return [((self._peak - power) / DECADES * height, raised(round(power))) for power in powers]

    @safe
    def paint(self, painter: QPainter, *_: Any) -> None:
        """Called by Qt."""
        bar = QRectF(GRID, 0, BAR, self.size().height())
        painter.drawImage(bar, scale_image())
        painter.setPen(QPen(QColor(self._theme.border), 1.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(bar)
        self._draw_marks(painter, bar)
        self._draw_title(painter, bar)

    def _draw_marks(self, painter: QPainter, bar: QRectF) -> None:
        painter.setFont(font(SMALL))
        height = QFontMetricsF(font(SMALL)).height()
        for place, text in self.marks():
            # A label that would reach beyond an end is moved inside.
            top = min(max(place - height / 2, 0.0), bar.height() - height)
            painter.setPen(QPen(QColor(self._theme.muted), 1.0))
            painter.drawLine(QLineF(bar.right(), place, bar.right() + TICK, place))
            room = QRectF(bar.right() + TICK + GRID / 2, top, self._widest, height)
            painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)

    def _draw_title(self, painter: QPainter, bar: QRectF) -> None:
        text = QFontMetricsF(font(SMALL)).elidedText(TITLE, Qt.TextElideMode.ElideRight, bar.height())
        painter.setPen(QColor(self._theme.muted))
        painter.translate(QPointF(self.size().width() - TITLE_ROOM, bar.height()))
        painter.rotate(-90)
        painter.drawText(QRectF(0, 0, bar.height(), TITLE_ROOM), Qt.AlignmentFlag.AlignCenter, text)
