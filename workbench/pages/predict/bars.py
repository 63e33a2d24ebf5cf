"""Shares as bars: of labels, and of components."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent

from workbench.pages.predict.drawing import Drawing
from workbench.views.look.naming import one_line
from workbench.views.look.painting import safe
from workbench.views.look.theme import GRID, font
from workbench.words.counts import counted
from workbench.words.numbers import percent

LINE, BAR = 20, 12
"""Pixels of a line, and of the bar in it."""
WIDEST_NAME, FIGURE = 150, 72
"""Most pixels of a name, and those of a figure."""


@dataclass(frozen=True)
class Bar:
    """One share."""

    name: str
    share: float
    before: float
    """The share where nothing is known."""
    ink: str = ""
    """Colour; empty for the accent."""
    is_marked: bool = False
    """Whether the name is set off, as what the row has."""


def with_rest_summed(bars: Sequence[Bar], most: int, ink: str = "") -> tuple[Bar, ...]:
    """All bars, or where there are more than `most`, the largest and one for the others together."""
    if len(bars) <= most:
        return tuple(bars)
    ordered = sorted(bars, key=lambda bar: -bar.share)
    shown, rest = ordered[: most - 1], ordered[most - 1 :]
    others = Bar(counted(len(rest), "other"), sum(bar.share for bar in rest), sum(bar.before for bar in rest), ink)
    return *shown, others


class Bars(Drawing):
    """A line for each: name, bar, per cent; the share before is a thin mark."""

    def __init__(self, name: str) -> None:
        super().__init__(name, 0)
        self._bars: tuple[Bar, ...] = ()

    def show_bars(self, bars: tuple[Bar, ...], is_current: bool) -> None:
        """Draw shares, in grey where they are not of the present question."""
        is_longer = len(bars) != len(self._bars)
        self._bars, self.is_current = bars, is_current
        self.setAccessibleName(", ".join(f"{one_line(bar.name)} {percent(bar.share)}" for bar in bars))
        if is_longer:
            self.updateGeometry()
        self.update()

    def bars(self) -> tuple[Bar, ...]:
        """What is shown."""
        return self._bars

    def sizeHint(self) -> QSize:
        """Called by Qt."""
        return QSize(240, LINE * len(self._bars))

    def minimumSizeHint(self) -> QSize:
        """Called by Qt."""
        return QSize(120, LINE * len(self._bars))

    @safe
    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Called by Qt."""
        if not self._bars:
            return
        theme, metrics = self.theme, QFontMetrics(font())
        names = [one_line(bar.name) for bar in self._bars]
        width = min(WIDEST_NAME, self.width() // 3, max(metrics.horizontalAdvance(name) for name in names) + GRID)
        room = self.width() - width - FIGURE - GRID
        painter = QPainter(self)
        painter.setFont(font())
        for place, (bar, name) in enumerate(zip(self._bars, names, strict=True)):
            top = place * LINE
            text = metrics.elidedText(name, Qt.TextElideMode.ElideRight, width - GRID // 2)
            painter.setPen(QColor(theme.good if bar.is_marked else theme.text))
            painter.drawText(QRectF(0, top, width, LINE), Qt.AlignmentFlag.AlignVCenter, text)
            line = QRectF(width, top + (LINE - BAR) / 2, room, BAR)
            painter.fillRect(line, QColor(theme.grid))
            painter.fillRect(QRectF(line.left(), line.top(), room * bar.share, BAR), self.ink(bar.ink))
            mark = line.left() + room * bar.before
            painter.fillRect(QRectF(mark - 1, line.top() - 2, 2, BAR + 4), QColor(theme.muted))
            painter.setPen(QColor(theme.muted))
            figure = QRectF(line.right() + GRID / 2, top, FIGURE, LINE)
            painter.drawText(figure, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, percent(bar.share))
        painter.end()
