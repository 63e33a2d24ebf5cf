"""Timelines of a run: components with births and removals, time per sample, likelihood, over a common axis."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolButton, QToolTip, QWidget

from figmn.system.arrays import Floats
from workbench.pages.stream.timeline_drawing import (
    BESIDE,
    CENTRE,
    MARK,
    counts_of,
    draw_counts,
    draw_curve,
    draw_drifts,
    draw_events,
    draw_reading,
    nearest_drift,
)
from workbench.run.show.frame import INPUTS_ONLY, SCORED, Frame, Timeline
from workbench.views.look.icons import icon
from workbench.views.look.naming import named, plain_tip
from workbench.views.look.painting import safe
from workbench.views.look.theme import GRID, LIGHT, SMALL, Theme, font
from workbench.views.plots.plot_ticks import ticks
from workbench.views.plots.track import (
    COMPONENTS,
    INDEFINITE,
    LIKELIHOOD,
    OF_ALL,
    OF_INPUTS,
    TIME,
    Track,
    line,
)
from workbench.words.counts import merged_words
from workbench.words.numbers import whole

LEFT, RIGHT = 60.0, 2.0 * GRID
"""Widths of the axis labels, and of the margin."""
TITLE, STRIP, FOOT = 18.0, 20.0, 22.0
"""Heights of a title, of the strip with births and removals, and of the axis labels below."""
LEAST, USUAL = 30, 46
"""Minimum and usual height of a plot."""
LARGEST = 16_777_215
"""Qt's QWIDGETSIZE_MAX: a widget without a size limit."""
BUTTON = 18
VALUE = 120.0
"""Width of the latest value beside a title."""
SHORT_TITLES = {
    TIME.title: "{} per sample",
    LIKELIHOOD.title: "log-likelihood {}",
    OF_ALL.title: "log-likelihood {} (all columns)",
    OF_INPUTS.title: "log-likelihood {} (inputs only)",
    INDEFINITE.title: "{} indefinite",
}
"""Formats of the latest figures whose curves are folded."""
INPUTS_HELP = (
    "Show the log density of the input columns alone.\n"
    "Otherwise it is that of inputs and targets together, which climbs as the widths of the labels' columns shrink, "
    "however well the inputs are described.\n"
    f"Of the inputs alone the first rows of a chunk are scored, up to {SCORED}, under the mixture before the chunk is "
    "learned: at a slow speed every row, at full speed as many as take a small share of the time."
)
TICK_ROOM = 36.0
"""Approximate pixels between two ticks."""
TO_THE_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class Timelines(QWidget):
    """Painted without child widgets: thousands of pieces in a few milliseconds, thirty times a second.

    Folded, it shows only the curve of the components, and the latest of the other figures as text.
    """

    folded = Signal(bool)
    """The user has folded or unfolded it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "timelines", "timelines")
        self._theme = LIGHT
        self._plain, self._bold = font(SMALL), font(SMALL, QFont.Weight.DemiBold)
        self._metrics = QFontMetricsF(self._plain)
        self._plain_width = self._metrics.horizontalAdvance
        self._bold_width = QFontMetricsF(self._bold).horizontalAdvance
        self._frame: Frame | None = None
        self._cursor: int | None = None
        """Index of the piece under the mouse."""
        self.is_folded = False
        self._button = named(QToolButton(self), "foldTimelines", manner="flat")
        self._button.setGeometry(4, 0, BUTTON, BUTTON)
        self._button.setAutoRaise(True)
        self._button.setIconSize(QSize(14, 14))
        self._button.clicked.connect(self._toggle)
        self._button.hide()
        self._of_inputs = named(QToolButton(self), "inputsOnly", "log-likelihood of inputs only", INPUTS_HELP, "chip")
        self._of_inputs.setText(INPUTS_ONLY)
        self._of_inputs.setCheckable(True)
        self._of_inputs.toggled.connect(self.update)
        self._of_inputs.hide()
        self.set_folded(False)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_frame(self, frame: Frame) -> None:
        """Draw the timelines of a frame."""
        before, self._frame = self._frame, frame
        self._button.show()
        if before is None or self._tracks_of(before) != self._tracks_of(frame):
            self.updateGeometry()
        self._place_choice()
        self.update()

    def clear(self) -> None:
        """Show nothing."""
        self._frame = self._cursor = None
        self._button.hide()
        self._place_choice()
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self._theme = theme
        self._show_button()
        self.update()

    @property
    def shown(self) -> Frame | None:
        """The frame that is drawn."""
        return self._frame

    def set_folded(self, is_folded: bool) -> None:
        """Show only the curve of the components, or all curves."""
        self.is_folded = is_folded
        self.setMaximumHeight(self._height(LEAST) if is_folded else LARGEST)
        self.updateGeometry()
        self._show_button()
        self._place_choice()
        self.update()

    def _toggle(self) -> None:
        self.set_folded(not self.is_folded)
        self.folded.emit(self.is_folded)

    def _show_button(self) -> None:
        words = "Show all curves" if self.is_folded else "Show the components alone"
        self._button.setIcon(icon("chevron-right" if self.is_folded else "chevron-down", self._theme.muted))
        self._button.setToolTip(f"{words} (Ctrl+T)")
        self._button.setAccessibleName(words)

    def readings(self, piece: int = -1) -> dict[str, str]:
        """The values as text, at a piece or the latest."""
        past = self._past
        if past is None:
            return {}
        if piece < 0:
            return {track.title: track.latest(past) for track in self._tracks}
        found = {track: float(track.values(past)[piece]) for track in self._tracks}
        return {track.title: track.text(value) if np.isfinite(value) else "–" for track, value in found.items()}

    def sizeHint(self) -> QSize:
        """Called by Qt."""
        return QSize(640, self._height(LEAST if self.is_folded else USUAL))

    def minimumSizeHint(self) -> QSize:
        """Called by Qt."""
        return QSize(320, self._height(LEAST))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Called by Qt."""
        super().resizeEvent(event)
        self._place_choice()

    @safe
    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Called by Qt."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(self._theme.base))
        past = self._past
        if past is not None and self._frame is not None:
            x = past.samples / past.samples[-1] * self._width
            areas = self._areas()
            self._draw_axis(painter, areas, past)
            for track, area in zip(self._tracks, areas, strict=True):
                self._draw_track(painter, area, track, x, past)
            draw_events(painter, areas[0], x, past, self._theme, self.devicePixelRatioF())
            draw_drifts(painter, areas, self._frame.drifts, int(past.samples[-1]), self._theme)
            place = QPointF(LEFT + self._plain_width(COMPONENTS.title) + 3 * GRID, areas[0].top() - TITLE / 2)
            painter.setFont(self._plain)
            draw_counts(painter, self._frame, place, TITLE, self._theme, self._plain_width)
            if self.is_folded:
                self._draw_others(painter, areas[0], past)
            self._draw_cursor(painter, areas, x, past)
        if self.hasFocus():
            painter.setPen(QPen(QColor(self._theme.accent), 1.0))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.end()

    def event(self, event: QEvent) -> bool:
        """Called by Qt: a tooltip at the line of a drift."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), plain_tip(self.drift_words(event.pos().x())), self)
            return True
        return super().event(event)

    def drift_words(self, x: float) -> str:
        """What is known of the drift whose line is nearest to a place, in pixels; empty where there is none."""
        past = self._past
        if self._frame is None or past is None:
            return ""
        drift = nearest_drift(x, self._frame.drifts, self._areas()[0], int(past.samples[-1]))
        return "" if drift is None else f"{drift.words()}\n{drift.change_words()}".strip()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Called by Qt."""
        past = self._past
        if past is not None:
            sample = (event.position().x() - LEFT) / self._width * past.samples[-1]
            self._set_cursor(int(np.searchsorted(past.samples, sample)))

    def leaveEvent(self, event: QEvent) -> None:  # noqa: ARG002
        """Called by Qt."""
        self._cursor = None
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Called by Qt: the arrow keys step from piece to piece."""
        past = self._past
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        if past is not None and event.key() in steps:
            at = len(past.samples) if self._cursor is None else self._cursor
            self._set_cursor(at + steps[Qt.Key(event.key())])
        elif event.key() == Qt.Key.Key_Escape and self._cursor is not None:
            self._cursor = None
            self.update()
        else:
            super().keyPressEvent(event)

    # Content and layout

    @property
    def _past(self) -> Timeline | None:
        """The timeline of the frame; None if nothing was learned yet."""
        past = None if self._frame is None else self._frame.timeline
        return past if past is not None and len(past.samples) else None

    @property
    def _tracks(self) -> tuple[Track, ...]:
        if self.is_folded:
            return (COMPONENTS,)
        return (COMPONENTS, TIME, LIKELIHOOD) if self._frame is None else self._tracks_of(self._frame)

    def _tracks_of(self, frame: Frame) -> tuple[Track, ...]:
        """The curves of a run; indefinite components only occur with the published rule."""
        of_what = OF_INPUTS if self._of_inputs.isChecked() else OF_ALL
        common = (COMPONENTS, TIME, of_what if frame.has_targets else LIKELIHOOD)
        return (*common, INDEFINITE) if frame.census.parameters.covariance == "published" else common

    @property
    def _foot(self) -> float:
        return 0.0 if self.is_folded else FOOT

    @property
    def _width(self) -> float:
        return max(1.0, self.width() - LEFT - RIGHT)

    def _height(self, plot: int) -> int:
        return int(len(self._tracks) * (TITLE + plot) + STRIP + self._foot)

    def _areas(self) -> list[QRectF]:
        """Rectangles of the plots, one below the other."""
        count = len(self._tracks)
        room = (self.height() - STRIP - self._foot) / count - TITLE
        tops = [TITLE + position * (TITLE + room) + STRIP * (position > 0) for position in range(count)]
        return [QRectF(LEFT, top, self._width, max(room - GRID / 2, 1.0)) for top in tops]

    def _place_choice(self) -> None:
        """Place the likelihood's check box beside its title; hide it if there are no targets."""
        is_there = self._past is not None and self._frame is not None and self._frame.has_targets
        self._of_inputs.setVisible(is_there and not self.is_folded)
        if is_there and not self.is_folded:
            area = self._areas()[2]
            width = self._of_inputs.sizeHint().width()
            left = max(area.left(), area.right() - VALUE - width)
            self._of_inputs.setGeometry(int(left), int(area.top() - TITLE), width, int(TITLE) - 1)

    def _set_cursor(self, piece: int) -> None:
        past = self._past
        assert past is not None
        self._cursor = min(max(piece, 0), len(past.samples) - 1)
        self.update()

    # Drawing

    def _draw_axis(self, painter: QPainter, areas: list[QRectF], past: Timeline) -> None:
        painter.setFont(self._plain)
        last, foot = int(past.samples[-1]), self.height() - FOOT
        found = ticks(0, last, self._width / 110)
        for value, text in zip(found.values.tolist(), found.texts(), strict=True):
            x = LEFT + value / last * self._width
            painter.setPen(QPen(QColor(self._theme.grid), 1.0))
            for area in areas:
                painter.drawLine(QPointF(round(x) + 0.5, area.top()), QPointF(round(x) + 0.5, area.bottom()))
            if self.is_folded:
                continue
            painter.setPen(QColor(self._theme.muted))
            half = self._plain_width(text) / 2
            middle = min(x, self.width() - RIGHT - half)
            painter.drawText(QRectF(middle - half - 1, foot, 2 * half + 2, FOOT), CENTRE, text)
        if not self.is_folded:
            painter.drawText(QRectF(0, foot, LEFT - 1.5 * GRID, FOOT), TO_THE_RIGHT, "samples")

    def _draw_track(self, painter: QPainter, area: QRectF, track: Track, x: Floats, past: Timeline) -> None:
        values = track.values(past)
        known = np.isfinite(values)
        self._draw_title(painter, area, track.title, track.latest(past))
        if not known.any():
            return
        low, high, marks = track.scale(values[known], max(1.0, area.height() / TICK_ROOM))
        height = area.height() / (high - low)
        painter.setFont(self._plain)
        for value, text in marks:
            y = area.bottom() - (value - low) * height
            painter.setPen(QPen(QColor(self._theme.grid), 1.0))
            painter.drawLine(QPointF(area.left(), round(y) + 0.5), QPointF(area.right(), round(y) + 0.5))
            painter.setPen(QColor(self._theme.muted))
            room = QRectF(0, y - GRID, LEFT - GRID, 2 * GRID)
            painter.drawText(room, TO_THE_RIGHT, text)
        heights = np.where(known, (values - low) * height, np.nan)
        if track.sampled:
            x, heights = x[known], heights[known]
        draw_curve(painter, area, track, self._theme, *line(x, heights, track.steps, self._width))

    def _draw_title(self, painter: QPainter, area: QRectF, title: str, latest: str) -> None:
        room = QRectF(area.left(), area.top() - TITLE, area.width(), TITLE)
        painter.setFont(self._plain)
        painter.setPen(QColor(self._theme.muted))
        end = self._of_inputs.x() - GRID if title in {OF_ALL.title, OF_INPUTS.title} else area.right() - VALUE
        width = end - area.left()
        painter.drawText(room, BESIDE, self._metrics.elidedText(title, Qt.TextElideMode.ElideRight, width))
        painter.setFont(self._bold)
        painter.setPen(QColor(self._theme.text))
        painter.drawText(room, TO_THE_RIGHT, latest)

    def _draw_others(self, painter: QPainter, area: QRectF, past: Timeline) -> None:
        """Draw the latest figures of the folded curves, as many as fit beside the title."""
        assert self._frame is not None
        taken = self._bold_width(COMPONENTS.text(float(COMPONENTS.values(past)[-1]))) + 2 * GRID
        room = QRectF(area.left(), area.top() - TITLE, area.width() - taken, TITLE)
        counts = counts_of(self._frame).values()
        left = self._plain_width(" ".join([COMPONENTS.title, *counts])) + (1 + 4 * len(counts)) * GRID
        painter.setFont(self._plain)
        painter.setPen(QColor(self._theme.muted))
        painter.drawText(room, TO_THE_RIGHT, self.others(past, room.width() - left))

    def others(self, past: Timeline, room: float) -> str:
        """The latest figures of the folded curves; if not all fit, the last of them."""
        assert self._frame is not None
        texts = [
            SHORT_TITLES[track.title].format(value)
            for track in self._tracks_of(self._frame)[1:]
            if (value := track.latest(past)) != "–"
        ]
        while texts and self._plain_width(" · ".join(texts)) > room:
            texts.pop(0)
        return " · ".join(texts)

    def _draw_cursor(self, painter: QPainter, areas: list[QRectF], x: Floats, past: Timeline) -> None:
        if self._cursor is None or self._cursor >= len(x):
            return
        at = round(LEFT + float(x[self._cursor])) + 0.5
        painter.setPen(QPen(QColor(self._theme.muted), 1.0))
        painter.drawLine(QPointF(at, areas[0].top()), QPointF(at, areas[-1].bottom()))
        texts = list(self.readings(self._cursor).values())
        places = [QPointF(at, area.top() + GRID) for area in areas]
        births, removals, merges = (int(part[self._cursor]) for part in (past.births, past.removals, past.merges))
        if births or removals or merges:
            texts.append(f"{whole(births)} born, {whole(removals)} removed{merged_words(merges)}")
            places.append(QPointF(at, areas[0].bottom() + GRID / 2 + MARK))
        texts.append(f"sample {whole(int(past.samples[self._cursor]))}")
        places.append(QPointF(at, self.height() - (self._foot or STRIP) / 2))
        for text, place in zip(texts, places, strict=True):
            draw_reading(painter, text, place, self._theme, self._bold, self._bold_width(text), self.width())
