"""How well every pair of δ and β did, as a heat map."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QWidget

from figmn.system.arrays import Floats
from workbench.evaluate.trial.tuning import Tuning
from workbench.pages.evaluate.words import figure_text
from workbench.views.fields.number_scale import text_of
from workbench.views.look.naming import named
from workbench.views.look.theme import GRID, SMALL, Theme, font
from workbench.views.plots.data_view import Span
from workbench.views.plots.plot_area import PlotArea
from workbench.views.plots.plot_style import Axis, Mapping, Marks, Plot, ViewItem
from workbench.views.plots.plot_units import Exact

DARK_UP_TO = 0.55
"""Share of the scale up to which viridis is dark."""
EMPTY = "Start a search to see how well every pair of δ and β does."


class ValuesAxis(Axis):
    """An axis with one place for every value of a list."""

    def __init__(self, orientation: str) -> None:
        super().__init__(orientation)
        self._values: list[str] = []

    def set_values(self, values: list[str]) -> None:
        """Set the texts of the places 0, 1, 2 and so on."""
        self._values = values
        self.picture = None
        self.update()

    def marks(self, low: Exact, high: Exact, size: float) -> Marks:
        """All places that fit."""
        places = [place for place in range(len(self._values)) if low <= place <= high]
        room = 36.0 if self.orientation == "bottom" else 16.0
        step = max(1, int(np.ceil(len(places) * room / max(size, 1.0))))
        places = places[::step]
        return Marks([float(place) for place in places], [self._values[place] for place in places])


class HeatItem(ViewItem):
    """Cells in the colours of viridis; those that are not measured are hatched, the best is framed."""

    def __init__(self) -> None:
        super().__init__()
        self._tuning: Tuning | None = None
        self._values: Floats = np.empty((0, 0))
        self._best: tuple[int, int] | None = None

    def show_tuning(self, tuning: Tuning | None, values: Floats, best: tuple[int, int] | None) -> None:
        """Draw another search."""
        self._tuning, self._values, self._best = tuning, values, best
        self.update()

    def draw(self, painter: QPainter, mapping: Mapping) -> None:
        """Draw in pixels."""
        tuning = self._tuning
        painter.setClipRect(mapping.area)
        painter.setFont(font(SMALL))
        if tuning is None or not self._values.size:
            painter.setPen(QColor(self.theme.muted))
            painter.drawText(mapping.area, Qt.AlignmentFlag.AlignCenter, EMPTY)
            return
        shares = shares_of(self._values, tuning.measure.better == "less")
        colours = viridis()
        for place in np.ndindex(*self._values.shape):
            room = self._room(mapping, *place)
            share = shares[place]
            if np.isnan(share):
                painter.fillRect(room, QBrush(QColor(self.theme.border), Qt.BrushStyle.BDiagPattern))
                continue
            painter.fillRect(room, QColor(*colours[int(255 * share)].tolist()))
            self._write(painter, room, figure_text(tuning.measure, float(self._values[place])), float(share))
        if self._best is not None:
            self._frame(painter, self._room(mapping, *self._best))

    def _room(self, mapping: Mapping, delta: int, beta: int) -> QRectF:
        left, right = mapping.across(np.array([delta - 0.5, delta + 0.5])).tolist()
        bottom, top = mapping.up(np.array([beta - 0.5, beta + 0.5])).tolist()
        return QRectF(QPointF(left, top), QPointF(right, bottom)).adjusted(1, 1, -1, -1)

    @staticmethod
    def _write(painter: QPainter, room: QRectF, text: str, share: float) -> None:
        metrics = QFontMetricsF(font(SMALL))
        if metrics.horizontalAdvance(text) + 4 <= room.width() and metrics.height() <= room.height():
            painter.setPen(QColor("#ffffff" if share < DARK_UP_TO else "#101418"))
            painter.drawText(room, Qt.AlignmentFlag.AlignCenter, text)

    def _frame(self, painter: QPainter, room: QRectF) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for ink, width in ((self.theme.base, 5.0), (self.theme.text, 2.0)):
            painter.setPen(QPen(QColor(ink), width))
            painter.drawRect(room.adjusted(1, 1, -1, -1))


class HeatMap(PlotArea):
    """The map with its axes."""

    reading = Signal(str)
    """The cell under the pointer in words; empty where there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self.bottom, self.left = ValuesAxis("bottom"), ValuesAxis("left")
        super().__init__(parent, Plot(bottom=self.bottom, left=self.left))
        named(self, "tuneHeatMap", "figure for every pair of δ and β")
        self.removeItem(self.legend)
        self.item = HeatItem()
        self.plot.addItem(self.item, ignoreBounds=True)
        self.plot.setMouseEnabled(x=False, y=False)
        self.plot.grid.hide()
        self.bottom.set_title("δ")
        self.left.set_title("β")
        self.ci.layout.setContentsMargins(2 * GRID, GRID, 2 * GRID, GRID // 2)
        self._tuning: Tuning | None = None
        self.deltas: Floats = np.empty(0)
        self.betas: Floats = np.empty(0)
        self.values: Floats = np.empty((0, 0))
        self.pointed.connect(lambda place: self.reading.emit("" if place is None else self.reading_at(*place)))
        self.show_tuning(None)

    def show_tuning(self, tuning: Tuning | None) -> None:
        """Draw a search; None for none."""
        self._tuning = tuning
        best: tuple[int, int] | None = None
        if tuning is None:
            self.deltas = self.betas = np.empty(0)
            self.values = np.empty((0, 0))
        else:
            self.deltas, self.betas, self.values = tuning.heat_map()
            if tuning.best is not None and tuning.best.parameters.delta is not None:
                best = (
                    int(np.searchsorted(self.deltas, tuning.best.parameters.delta)),
                    int(np.searchsorted(self.betas, tuning.best.parameters.beta)),
                )
        self.bottom.set_values([text_of(value) for value in self.deltas.tolist()])
        self.left.set_values([text_of(value) for value in self.betas.tolist()])
        self.item.show_tuning(tuning, self.values, best)
        across, up = (Span(-0.5, max(len(values), 1) - 0.5) for values in (self.deltas, self.betas))
        self.plot.view.show_windows(across, up)

    def reading_at(self, x: float, y: float) -> str:
        """The cell at a place, in words."""
        delta, beta = round(x), round(y)
        tuning = self._tuning
        if tuning is None or not (0 <= delta < len(self.deltas) and 0 <= beta < len(self.betas)):
            return ""
        value = float(self.values[delta, beta])
        what = "not measured" if np.isnan(value) else f"{tuning.measure.title} {figure_text(tuning.measure, value)}"
        return f"δ {text_of(float(self.deltas[delta]))}, β {text_of(float(self.betas[beta]))}: {what}"

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        super().set_theme(theme)
        self.item.set_theme(theme)

    def minimumSizeHint(self) -> QSize:
        """Called by Qt."""
        return QSize(240, 160)


def shares_of(values: Floats, less_is_better: bool) -> Floats:
    """Values as shares of their range, 1 for the best; NaN stays.

    >>> shares_of(np.array([[1.0, 2.0, np.nan, 1.5]]), True).tolist()
    [[1.0, 0.0, nan, 0.5]]
    """
    known = values[np.isfinite(values)]
    if not len(known):
        return np.full_like(values, np.nan)
    low, high = float(known.min()), float(known.max())
    if high <= low:
        return np.where(np.isfinite(values), 1.0, np.nan)
    shares = np.where(np.isfinite(values), (values - low) / (high - low), np.nan)
    return 1 - shares if less_is_better else shares


def viridis() -> np.ndarray:
    """256 opaque colours."""
    found: np.ndarray = pg.colormap.get("viridis").getLookupTable(nPts=256)[:, :3]
    return found
