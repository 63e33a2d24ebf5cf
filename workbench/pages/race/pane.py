"""One engine of a race: a line with its progress, and its mixture."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from workbench.pages.race.words import progress_text
from workbench.run.race.frame import LaneFrame, RaceFrame
from workbench.views.look.naming import named
from workbench.views.look.painting import safe
from workbench.views.look.theme import GRID, LIGHT, NORMAL, Theme, font
from workbench.views.plots.auto_range import Follower
from workbench.views.plots.mixture_plot import EngineInk, MixturePlot, Scene
from workbench.views.plots.plot_style import quiet_pen
from workbench.words.durations import duration

HEIGHT, LINE = 32, 3.0
"""Heights of the head, and of the progress line at its bottom."""
DOT, GAP = 5.0, 1.5 * GRID
"""Radius of the engine's mark, and the gap between its name and its time."""
N_POINTS = 1000
"""Latest samples that are drawn."""


class RacePane(QWidget):
    """A head and a plot, in the colour of the engine."""

    def __init__(self, name: str, title: str, ink: EngineInk, follower: Follower | None = None) -> None:
        super().__init__()
        named(self, name, title)
        self.head = PaneHead(title, ink)
        self.plot = named(
            MixturePlot(ink, follower, is_light=True), f"{name}Plot", f"samples and components of {title}"
        )
        self.plot.set_n_points(N_POINTS)
        # The legend would otherwise request a larger minimum width than half a page has.
        self.plot.setMinimumWidth(20 * GRID)
        self._shown: tuple[object, ...] = ()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID // 2)
        layout.addWidget(self.head)
        layout.addWidget(self.plot, 1)

    def show_lane(self, frame: RaceFrame, lane: LaneFrame) -> None:
        """Draw one engine of a frame; its mixture only if it has changed."""
        self.head.show_progress(HeadTexts.of(frame, lane))
        shown = (frame.run, lane.figures.n_done, lane.picture.plane, lane.census.parameters)
        if shown != self._shown:
            self._shown = shown
            self.plot.show_scene(Scene.of_lane(frame, lane))

    def clear(self) -> None:
        """Show nothing: there is no race."""
        self._shown = ()
        self.head.show_progress(None)
        self.plot.show_nothing()

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self.head.set_theme(theme)
        self.plot.set_theme(theme)


class HeadTexts(NamedTuple):
    """Texts of the head."""

    title: str
    times: tuple[str, ...]
    """Time per sample with a remark, from the longest version to the shortest."""
    done: str
    share: float

    @staticmethod
    def of(frame: RaceFrame, lane: LaneFrame) -> HeadTexts:
        """The texts of one engine in a frame."""
        figures, total = lane.figures, frame.n_total
        time, remark = duration(figures.median / 1e6), _remark(frame, lane)
        times = (f"{time} per sample", time) if figures.n_done else ("has learned nothing yet",)
        share = figures.n_done / total if total else 0.0
        longest = (f"{times[0]} · {remark}",) if remark else ()
        return HeadTexts(lane.title, (*longest, *times), progress_text(figures, total), share)


def _remark(frame: RaceFrame, lane: LaneFrame) -> str:
    done, other = lane.figures.n_done, frame.farthest
    if frame.n_total is not None and done >= frame.n_total:
        return "done"
    if done < other:
        return f"{other - done:,} behind"
    return "waits" if frame.settings.mode == "sample" and frame.state == "running" and frame.n_done < done else ""


class PaneHead(QWidget):
    """Painted without child widgets, since its texts change with every frame."""

    def __init__(self, title: str, ink: EngineInk) -> None:
        super().__init__()
        self._title, self._ink = title, ink
        self._theme = LIGHT
        self._progress: HeadTexts | None = None
        self._plain, self._strong = font(NORMAL), font(NORMAL, QFont.Weight.DemiBold)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        # Qt need not draw a background.
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def show_progress(self, progress: HeadTexts | None) -> None:
        """Show the progress of the engine; None if there is no race."""
        if progress != self._progress:
            self._progress = progress
            self.setAccessibleName(", ".join(self.words()))
            self.update()

    def words(self) -> tuple[str, ...]:
        """The texts shown."""
        if self._progress is None:
            return (self._title,)
        return self._progress.title, self._progress.times[0], self._progress.done

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        """Called by Qt."""
        return QSize(30 * GRID, HEIGHT)

    def minimumSizeHint(self) -> QSize:
        """Called by Qt."""
        return QSize(20 * GRID, HEIGHT)

    @safe
    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Called by Qt."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(self._theme.base))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(quiet_pen())
        painter.setBrush(QColor(getattr(self._theme, self._ink)))
        text_height = HEIGHT - LINE - 2
        painter.drawEllipse(QPointF(2 * GRID + DOT, text_height / 2), DOT, DOT)
        area = QRectF(2 * GRID + 2 * DOT + GRID, 0, 0, text_height)
        area.setRight(self.width() - 2 * GRID)
        self._draw_words(painter, area)
        self._draw_line(painter)
        painter.end()

    def _draw_words(self, painter: QPainter, area: QRectF) -> None:
        title, times, done, _ = self._progress or HeadTexts(self._title, ("",), "", 0.0)
        room = area.width() - QFontMetricsF(self._strong).horizontalAdvance(done) - GRID
        self._draw(painter, area, done, self._strong, self._theme.text, Qt.AlignmentFlag.AlignRight)
        metrics, needed = QFontMetricsF(self._plain), QFontMetricsF(self._plain).horizontalAdvance(times[-1])
        if QFontMetricsF(self._strong).horizontalAdvance(title) + GAP + needed > room:
            title = title.split(" (")[0]  # the solver is shown above, the time is not
        shown = QFontMetricsF(self._strong).elidedText(title, Qt.TextElideMode.ElideRight, room)
        self._draw(painter, area, shown, self._strong, self._theme.text)
        taken = QFontMetricsF(self._strong).horizontalAdvance(shown) + GAP
        room = max(0.0, room - taken)
        time = next((text for text in times if metrics.horizontalAdvance(text) <= room), times[-1])
        shown = metrics.elidedText(time, Qt.TextElideMode.ElideRight, room)
        self._draw(painter, area.adjusted(taken, 0, 0, 0), shown, self._plain, self._theme.muted)

    def _draw(
        self,
        painter: QPainter,
        area: QRectF,
        text: str,
        used: QFont,
        ink: str,
        side: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
    ) -> None:
        painter.setFont(used)
        painter.setPen(QColor(ink))
        painter.drawText(area, side | Qt.AlignmentFlag.AlignVCenter, text)

    def _draw_line(self, painter: QPainter) -> None:
        groove = QRectF(2 * GRID, HEIGHT - LINE, self.width() - 4 * GRID, LINE)
        painter.setPen(quiet_pen())
        painter.setBrush(QColor(self._theme.border))
        painter.drawRoundedRect(groove, LINE / 2, LINE / 2)
        if self._progress is not None and self._progress.share > 0:
            groove.setWidth(max(LINE, groove.width() * min(1.0, self._progress.share)))
            painter.setBrush(QColor(getattr(self._theme, self._ink)))
            painter.drawRoundedRect(groove, LINE / 2, LINE / 2)
