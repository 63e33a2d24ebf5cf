"""What should I ask next? Open attributes by the bits that they are expected to tell."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLineEdit, QPushButton, QWidget

from workbench.pages.predict.cards import FoldCard, word_line
from workbench.pages.predict.elided import ElidedLabel
from workbench.run.ask.next_questions import Gain, NextQuestions
from workbench.views.fields.number_scale import number_in
from workbench.views.look.naming import Label, named, one_line, plain_tip, set_property
from workbench.views.look.theme import GRID
from workbench.words.counts import counted
from workbench.words.numbers import fixed, rough

MOST_SHOWN = 10
KNOW_TIP = "Make it known, with the value on the left"
HEADINGS = ("attribute", "bits", "cost", "bits per cost", "")


class NextCard(FoldCard):
    """A line for each open attribute; a click makes it known. Costs that the user gives change the order."""

    asked = Signal()
    """Rank the attributes for the present question."""
    known = Signal(str)
    """Make this attribute known."""

    def __init__(self) -> None:
        super().__init__(
            "nextQuestions",
            "What should I ask next?",
            "Open attributes by how much they are expected to tell about the wanted ones",
        )
        self.costs: dict[str, float] = {}
        """What the user has given by name; 1 for the others."""
        self.words = word_line()
        self.again = named(QPushButton("Rank"), "rankNext", tip="Rank the open attributes for the present question")
        self._found: NextQuestions | None = None
        self._is_current = False
        self._table = QWidget()
        self._grid = QGridLayout(self._table)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(2 * GRID)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnStretch(0, 1)
        self.lines.addWidget(self.words)
        self.lines.addWidget(self._table)
        self.lines.addWidget(self.again, 0, Qt.AlignmentFlag.AlignLeft)
        self.again.clicked.connect(self.asked)
        self.opened.connect(lambda is_open: self.asked.emit() if is_open and not self._is_current else None)

    def show_found(self, found: NextQuestions | None, is_current: bool, is_under_way: bool) -> None:
        """Show a ranking, in grey where it is of another question."""
        if is_under_way:
            words = "Ranking the open attributes…"
        elif found is None:
            words = "Not ranked yet."
        else:
            words = ranking_words(found, is_current)
        self.words.setText(words)
        self.again.setVisible(not is_under_way and not is_current)
        if (found, is_current) != (self._found, self._is_current):
            self._found, self._is_current = found, is_current
            self._show_lines()

    def ordered(self) -> list[Gain]:
        """The gains, those with most bits per cost first."""
        gains = [] if self._found is None else self._found.gains
        return sorted(gains, key=lambda gain: -self._per_cost(gain))

    def _per_cost(self, gain: Gain) -> float:
        return gain.bits / self.costs.get(gain.attribute, 1.0)

    def _show_lines(self) -> None:
        while (item := self._grid.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.setObjectName("")  # another has its name before it is gone
                widget.deleteLater()
        gains = self.ordered()
        self._table.setVisible(bool(gains))
        manner = "" if self._is_current else "muted"
        for column, heading in enumerate(HEADINGS):
            self._grid.addWidget(_text(heading, "small", column > 0), 0, column)
        for line, gain in enumerate(gains[:MOST_SHOWN], start=1):
            name = ElidedLabel(gain.attribute)
            set_property(name, "manner", manner)
            bits = _text(fixed(gain.bits, 3), manner, True)
            bits.setToolTip(plain_tip(f"numerical error about {rough(gain.error)} bits"))
            per_cost = _text(fixed(self._per_cost(gain), 3), manner, True)
            know = named(QPushButton("Know"), f"know{line}", f"know {gain.attribute}", KNOW_TIP)
            know.clicked.connect(lambda _=False, chosen=gain.attribute: self.known.emit(chosen))
            for column, cell in enumerate((name, bits, self._cost_field(gain, line), per_cost, know)):
                self._grid.addWidget(cell, line, column)
        hidden = len(gains) - MOST_SHOWN
        if hidden > 0:
            rest = _text(f"and {counted(hidden, 'attribute')} that tell less", "small")
            self._grid.addWidget(rest, MOST_SHOWN + 1, 0, 1, len(HEADINGS))

    def _cost_field(self, gain: Gain, line: int) -> QLineEdit:
        field = named(
            QLineEdit(f"{self.costs.get(gain.attribute, 1.0):.6g}"),
            f"cost{line}",
            f"cost of {gain.attribute}",
            "What it costs to find out, in any unit",
        )
        field.setFixedWidth(8 * GRID)
        field.setAlignment(Qt.AlignmentFlag.AlignRight)
        field.editingFinished.connect(lambda: self._take_cost(gain.attribute, field))
        return field

    def _take_cost(self, name: str, field: QLineEdit) -> None:
        number = number_in(field.text())
        cost = math.nan if isinstance(number, str) else float(number)
        before = self.costs.get(name, 1.0)
        if not (math.isfinite(cost) and cost > 0):
            self.words.setText(
                f"The cost of {one_line(name)} must be a positive number, such as 2.5: it stays {before:.6g}."
            )
            field.setText(f"{before:.6g}")
        elif cost != before:
            self.costs[name] = cost
            self._show_lines()
            self._focus(name)

    def _focus(self, name: str) -> None:
        """Go on from the line of an attribute, wherever it stands now."""
        lines = [gain.attribute for gain in self.ordered()[:MOST_SHOWN]]
        if name in lines:
            item = self._grid.itemAtPosition(1 + lines.index(name), HEADINGS.index(""))
            widget = None if item is None else item.widget()
            if widget is not None:
                widget.setFocus(Qt.FocusReason.TabFocusReason)


def ranking_words(found: NextQuestions, is_current: bool) -> str:
    """What the figures mean."""
    wanted = ", ".join(one_line(name) for name in found.question.wanted)
    if not found.gains:
        return f"No open attribute can tell anything about {wanted}."
    after = counted(found.n_seen, "sample")
    what = f"Bits by which each open attribute is expected to make {wanted} more certain, after {after}."
    return what if is_current else f"Of another question. {what}"


def _text(text: str, manner: str = "", is_right: bool = False) -> Label:
    label = Label(text)
    label.setProperty("manner", manner)
    side = Qt.AlignmentFlag.AlignRight if is_right else Qt.AlignmentFlag.AlignLeft
    label.setAlignment(side | Qt.AlignmentFlag.AlignVCenter)
    return label
