"""Between the panes of a race: the speed-up and the figures of every engine."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.pages.race.inks import ink_of
from workbench.run.race.frame import Figures, RaceFrame
from workbench.views.look.naming import named
from workbench.views.look.painting import safe
from workbench.views.look.theme import GRID, LIGHT, SMALL, Theme, font
from workbench.words.durations import duration
from workbench.words.factors import factor
from workbench.words.numbers import NO_FIGURE, short, whole
from workbench.words.sizes import size_text

WIDTH = 28 * GRID
HUGE = 30
"""Font size of the speed-up in pixels."""
LINE, BIG, GAP = 15.0, 36.0, 6.0
"""Heights of a line, of the speed-up, and between two parts."""
HEAD = 3 * LINE + BIG
"""Height of the speed-up with its texts."""
NUMBER = 74.0
"""Width of a column of numbers."""
NO_RACE = ("Fast IGMN", "IGMN")
"""Names of the contenders before there is a race."""
ROWS: tuple[tuple[str, Callable[[Figures, Sequence[Figures]], str]], ...] = (
    ("samples", lambda figures, _: whole(figures.n_done)),
    ("µs median", lambda figures, _: short(figures.median, 3)),
    ("µs p99", lambda figures, _: short(figures.p99, 3)),
    ("engine time", lambda figures, all_: duration(figures.engine_seconds, max(one.engine_seconds for one in all_))),
    ("CPU time", lambda figures, all_: duration(figures.cpu_seconds, max(one.cpu_seconds for one in all_))),
    ("K", lambda figures, _: whole(figures.n_components)),
    ("memory", lambda figures, _: size_text(figures.n_bytes, digits=3)),
)
"""Name, and a function from the figures of one engine and of all to text; all engines' times get the same unit."""
CENTRE = Qt.AlignmentFlag.AlignCenter
TO_THE_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
TO_THE_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
HELP = (
    "Time inside the engines alone: reading, encoding, drawing and comparing count for neither.\n"
    "A sample takes the time of its chunk, divided by the samples of the chunk.\n"
    "Speed-up: total engine time of IGMN ÷ that of Fast IGMN over the same samples, the first ones of the stream, as "
    "many as both have learned.\n"
    "Ratio of medians: median time per sample of IGMN ÷ that of Fast IGMN, each over all samples it has learned; it "
    "leaves out rare slow samples.\n"
    "A call has its own cost, which counts where it brings few samples: the fast engine is made for blocks of 64.\n"
    "With the published rule a covariance may not be positive definite; IGMN then factorises it again, with pivots.\n"
    "Engine time is wall-clock time, CPU time that of the engine's thread: they differ where other "
    "programs take the processor.\n"
    "Memory is that of the components and the work space."
)


class RaceFigures(QWidget):
    """Speed-up and table, painted without child widgets, since all of it changes with every frame."""

    painted = Signal()
    """The latest frame has been painted, or the widget is not visible."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "raceFigures", "figures of both engines", HELP)
        self._theme = LIGHT
        self._frame: RaceFrame | None = None
        self._small, self._bold = font(SMALL), font(SMALL, QFont.Weight.DemiBold)
        self._huge = font(HUGE, QFont.Weight.Bold)
        self._is_new = False
        """Whether the latest frame has not been painted yet."""
        self._told = QTimer(self, singleShot=True, interval=0)
        self._told.timeout.connect(self.painted)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        # Qt need not draw a background.
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def show_frame(self, frame: RaceFrame) -> None:
        """Show the figures of a frame."""
        if len(frame.lanes) != len(self.names()):
            self.updateGeometry()
        self._frame = frame
        self._is_new = True
        self.setAccessibleDescription(self.words())
        self.update()
        if self.visibleRegion().isEmpty():
            self._tell()

    def clear(self) -> None:
        """Show no figures: there is no race."""
        self._frame = None
        self.update()

    def words(self) -> str:
        """All texts, for screen readers."""
        lines = [f"{name}: {', '.join(figures)}" for name, *figures in self.rows()]
        head = f"{self.heading()}: {self.speed_up()} ({self.basis()}; {self.medians()})"
        return "\n".join([head, *lines])

    def heading(self) -> str:
        """The samples that the speed-up is computed over: those that all engines have learned."""
        frame = self._frame
        if frame is None or not frame.split.n_samples:
            return "speed-up"
        count = frame.split.n_samples
        which = "all" if count == frame.n_total else "first"
        return f"speed-up, {which} {whole(count)} samples" if count > 1 else "speed-up, first sample"

    def speed_up(self) -> str:
        """The speed-up as text."""
        return NO_FIGURE if self._frame is None else factor(self._frame.speed_up)

    def basis(self) -> str:
        """The two times that are divided, of the first two contenders."""
        if self._frame is None or not self._frame.split.n_samples:
            return "engine time, IGMN ÷ Fast IGMN"
        first, second, *_ = self._frame.split.seconds
        return f"{duration(second, first)} ÷ {duration(first, second)} engine time"

    def medians(self) -> str:
        """The ratio of the medians, which differs from the ratio of total times above."""
        return f"ratio of medians {NO_FIGURE if self._frame is None else factor(self._frame.median_ratios[0])}"

    def names(self) -> tuple[str, ...]:
        """Names of the engines, the reference first."""
        return NO_RACE if self._frame is None else self._frame.short_titles

    def rows(self) -> list[tuple[str, ...]]:
        """Name and one figure for each engine; with more than two engines, also the speed-up relative to each."""
        frame = self._frame
        if frame is None:
            return [(name, *(NO_FIGURE for _ in NO_RACE)) for name, _ in ROWS]
        figures = [lane.figures for lane in frame.lanes]
        rows = [(name, *(text(one, figures) for one in figures)) for name, text in ROWS]
        return rows if frame.is_pair else [*rows, ("speed-up", "", *map(factor, frame.split.speed_ups))]

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        """Called by Qt."""
        n_more = len(self.names()) - len(NO_RACE)
        return QSize(WIDTH + int(n_more * NUMBER), int(HEAD + GAP + (len(self.rows()) + 1) * LINE))

    def minimumSizeHint(self) -> QSize:
        """Called by Qt."""
        return self.sizeHint()

    @safe
    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Called by Qt."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(self._theme.base))
        self._draw_table(painter, self._draw_speed_up(painter) + GAP)
        painter.end()
        if self._is_new:
            self._tell()

    def _tell(self) -> None:
        """Emit `painted` from the event loop, after the whole window was painted."""
        self._is_new = False
        self._told.start()

    def _draw_speed_up(self, painter: QPainter) -> float:
        width = float(self.width())
        painter.setFont(self._small)
        painter.setPen(QColor(self._theme.muted))
        painter.drawText(QRectF(0, 0, width, LINE), CENTRE, self.heading())
        painter.drawText(QRectF(0, LINE + BIG, width, LINE), CENTRE, self.basis())
        painter.drawText(QRectF(0, 2 * LINE + BIG, width, LINE), CENTRE, self.medians())
        value = math.nan if self._frame is None else self._frame.speed_up
        painter.setFont(self._huge)
        winner = self._theme.cubic if value < 1 else self._theme.accent
        painter.setPen(QColor(self._theme.faint if math.isnan(value) else winner))
        painter.drawText(QRectF(0, LINE, width, BIG), CENTRE, self.speed_up())
        return HEAD

    def _draw_table(self, painter: QPainter, top: float) -> None:
        theme, names = self._theme, self.names()
        inks = [getattr(theme, ink_of(position)) for position in range(len(names))]
        self._draw_row(painter, top, ("", *self._column_heads(names)), self._bold, [theme.muted, *inks])
        for row in self.rows():
            top += LINE
            self._draw_row(painter, top, row, self._small, [theme.muted, *(theme.text for _ in names)])

    def _column_heads(self, names: Sequence[str]) -> list[str]:
        """Names that fit into a column; of a name with parentheses, only the text inside them."""
        metrics = QFontMetricsF(self._bold)
        short = [name.rpartition(" (")[2].rstrip(")") for name in names]
        return [metrics.elidedText(name, Qt.TextElideMode.ElideRight, NUMBER) for name in short]

    def _draw_row(self, painter: QPainter, top: float, texts: Sequence[str], used: QFont, inks: Sequence[str]) -> None:
        width, n_numbers = float(self.width()), len(texts) - 1
        rooms = [(QRectF(0, top, width, LINE), TO_THE_LEFT)]
        rooms += [(QRectF(width - (n_numbers - k) * NUMBER, top, NUMBER, LINE), TO_THE_RIGHT) for k in range(n_numbers)]
        painter.setFont(used)
        for text, (room, side), ink in zip(texts, rooms, inks, strict=True):
            painter.setPen(QColor(ink))
            painter.drawText(room, side, text)
