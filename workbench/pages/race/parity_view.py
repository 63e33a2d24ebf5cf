"""Whether the engines of a race agree with the first: in every decision, and in every number."""

from __future__ import annotations

import math
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from figmn.parity import Differences
from workbench.pages.race.words import call_note, divergence_text
from workbench.run.race.frame import GREEN, Parity, ParityLevel, RaceFrame
from workbench.views.look.icons import icon
from workbench.views.look.naming import named
from workbench.views.look.painting import safe
from workbench.views.look.theme import GRID, LIGHT, NORMAL, SMALL, Theme, font
from workbench.words.counts import counted
from workbench.words.durations import duration
from workbench.words.numbers import rough, whole

HEADS: dict[ParityLevel, tuple[str, str, str]] = {
    "unknown": ("parity: nothing compared yet", "muted", ""),
    "good": ("parity", "good", "check"),
    "drift": ("same decisions, numbers drift", "warning", "warning"),
    "bad": ("the engines decided differently", "bad", "error"),
}
"""Text, colour of the theme and icon."""
HELP = (
    "Both engines learn the same samples; both must decide alike and come to the same numbers.\n"
    f"Green: the same decisions, and no relative difference above {rough(GREEN)}, which rounding explains.\n"
    "Amber: the same decisions, larger differences. Red: another decision, with its d² and its distance to τ.\n"
    "means: in units of the mean or the standard deviation, whichever is larger. precisions: of Λ_ij, in units of "
    "√(Λ_ii Λ_jj). evidence: the accumulated posteriors sp.\n"
    "The differences are the largest of all checks so far."
)
START = "press play to start the race"
LATER = "numbers are compared when both have learned the same samples"
HEAD, LINE = 22.0, 15.0
"""Heights of the first line and of the others."""
WRAPPED = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
SHORT = 20
"""Characters of a text that leaves room for another beside it."""
LINES = 5
"""Lines that there is always room for; with more, the widget grows."""


class ParityLine(NamedTuple):
    """One text, or two side by side; a long text wraps."""

    text: str
    beside: str = ""
    ink: str = "muted"


class ParityView(QWidget):
    """Painted without child widgets, since its texts change with every frame."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "raceParity", "parity of both engines", HELP)
        self._theme = LIGHT
        self._small, self._strong = font(SMALL), font(NORMAL, QFont.Weight.DemiBold)
        self._level: ParityLevel = "unknown"
        self._lines: tuple[ParityLine, ...] = ()
        self._height = 0
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        # Qt need not draw a background.
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def show_frame(self, frame: RaceFrame) -> None:
        """Show how far the engines agree, and a note on the times."""
        lines = parity_lines(frame)
        # After a divergence the times do not matter.
        note = "" if frame.level == "bad" else call_note(frame)
        self._show(frame.level, (*lines, ParityLine(note)) if note else lines)

    def clear(self, words: str = START) -> None:
        """Show that nothing was compared, and this text."""
        self._show("unknown", (ParityLine(words),))

    def words(self) -> str:
        """All texts, one per line."""
        found = [HEADS[self._level][0], *(f"{line.text}  {line.beside}".strip() for line in self._lines)]
        return "\n".join(found)

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        """Called by Qt."""
        return QSize(27 * GRID, max(self._height, int(HEAD + LINES * LINE)))

    def minimumSizeHint(self) -> QSize:
        """Called by Qt."""
        return self.sizeHint()

    @safe
    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Called by Qt."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(self._theme.base))
        self._draw_head(painter)
        painter.setFont(self._small)
        top = HEAD
        for line in self._lines:
            painter.setPen(QColor(getattr(self._theme, line.ink)))
            self._draw_line(painter, line, QRectF(0, top, self.width(), self._line_height(line)))
            top += self._line_height(line)
        painter.end()

    def _show(self, level: ParityLevel, lines: tuple[ParityLine, ...]) -> None:
        if (level, lines) != (self._level, self._lines):
            self._level, self._lines = level, lines
            self.setAccessibleDescription(self.words())
            self._ask_for_room()
            self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Called by Qt: texts wrap differently at another width."""
        super().resizeEvent(event)
        self._ask_for_room()

    def _ask_for_room(self) -> None:
        needed = math.ceil(HEAD + sum(self._line_height(line) for line in self._lines))
        if needed != self._height:
            self._height = needed
            self.updateGeometry()

    def _line_height(self, line: ParityLine) -> float:
        if line.beside:
            return LINE
        room = QRectF(0, 0, self.width(), 1e4)
        return max(LINE, QFontMetricsF(self._small).boundingRect(room, WRAPPED, line.text).height() + 1)

    def _draw_head(self, painter: QPainter) -> None:
        words, ink, mark = HEADS[self._level]
        colour = getattr(self._theme, ink)
        left = 0.0
        if mark:
            picture = icon(mark, colour).pixmap(QSize(16, 16), self.devicePixelRatioF())
            painter.drawPixmap(QPointF(0, (HEAD - 16) / 2 - 1), picture)
            left = 16 + GRID / 2
        painter.setFont(self._strong)
        painter.setPen(QColor(colour))
        room = QRectF(left, 0, self.width() - left, HEAD - 2)
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, words)

    def _draw_line(self, painter: QPainter, line: ParityLine, room: QRectF) -> None:
        if line.beside:
            painter.drawText(room, Qt.AlignmentFlag.AlignLeft, line.text)
            painter.drawText(room, Qt.AlignmentFlag.AlignRight, line.beside)
        else:
            painter.drawText(room, WRAPPED, line.text)


def parity_lines(frame: RaceFrame) -> tuple[ParityLine, ...]:
    """The comparison as text; with more than two engines, under the name of each engine compared with the first."""
    first, *others = frame.short_titles
    found: list[ParityLine] = []
    for name, parity in zip(others, frame.parities, strict=True):
        found += [] if frame.is_pair else [ParityLine(name, ink="text")]
        found += _lines_of_pair(parity, (first, name), frame.settings.mode == "clock")
    return tuple(found)


def _lines_of_pair(parity: Parity, names: tuple[str, str], is_by_clock: bool) -> tuple[ParityLine, ...]:
    found: list[ParityLine] = []
    if parity.divergence is not None:
        found.append(ParityLine(divergence_text(parity.divergence, names), ink="bad"))
    if parity.n_compared:
        found += _decisions(parity)
    if parity.differences is not None:
        found += _numbers(parity.differences, "warning" if parity.level == "drift" else "muted")
    elif is_by_clock and parity.n_compared:
        found.append(ParityLine(LATER))
    return (*found, *_checks(parity))


def _checks(parity: Parity) -> list[ParityLine]:
    """What was compared, and the time it took; side by side if they fit."""
    sampled, took = parity.sampled, f"checks took {duration(parity.check_seconds)}"
    if not parity.check_seconds or parity.divergence is not None:  # no room for all lines
        return [ParityLine(sampled)] if sampled else []
    if sampled and len(sampled) <= SHORT:
        return [ParityLine(sampled, took)]
    return [*([ParityLine(sampled)] if sampled else []), ParityLine(f"{took}, counted for neither")]


def _decisions(parity: Parity) -> list[ParityLine]:
    samples = counted(parity.n_compared, "sample")
    counts = f"K = {whole(parity.counts[0])} / {whole(parity.counts[1])}" if parity.counts else ""
    checked = f"checked at sample {whole(parity.n_checked)}" if parity.differences else ""
    # After a divergence, its sample number already says for how many samples the engines agreed.
    found = [ParityLine(f"same decisions over {samples}")] if parity.divergence is None else []
    if counts or checked:
        found.append(ParityLine(counts, checked) if counts else ParityLine(checked))
    return found


def _numbers(found: Differences, ink: str) -> list[ParityLine]:
    return [
        ParityLine(f"means {rough(found.means)}", f"precisions {rough(found.precisions)}", ink),
        ParityLine(f"evidence {rough(found.accumulators)}", f"log-determinants {rough(found.log_determinants)}", ink),
    ]
