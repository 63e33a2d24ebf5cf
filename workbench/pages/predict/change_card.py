"""What would change it? The smallest change of known values that turns an answer."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QLineEdit, QPushButton, QWidget

from figmn.answers.counterfactual import Norm
from workbench.pages.predict.cards import FoldCard, word_line
from workbench.pages.predict.value_texts import field_text, value_in, value_text
from workbench.run.ask.attributes import Attribute
from workbench.run.ask.changes import ChangeQuestion, FoundChange, Turn
from workbench.run.ask.question import Question
from workbench.views.fields.calm_box import CalmBox
from workbench.views.fields.name_box import NameBox
from workbench.views.look.flow import Flow
from workbench.views.look.layouts import label_for, side_by_side
from workbench.views.look.naming import Label, named, one_line, plain_tip
from workbench.views.look.theme import GRID
from workbench.words.counts import counted
from workbench.words.numbers import MINUS, percent, short

ANY = "any other"
MOST_TICKED = 24
"""Known attributes that have a box to tick; more all may change."""
MOST_NAMED = 6
"""Changes that are named."""


class ChangeCard(FoldCard):
    """What the answer is to become, what may change, and the change that was found."""

    asked = Signal()
    """Search for a change."""
    values_chosen = Signal(dict)
    """Set these values."""

    def __init__(self) -> None:
        super().__init__(
            "whatIf",
            "What would change it?",
            "The smallest change of known values that turns the answer, within the range of the data",
        )
        self.wanted = NameBox("changeWanted", "attribute to change", "The wanted attribute whose answer is to turn")
        self.label = NameBox("changeLabel", "label to become", "What it is to become")
        self.threshold = named(QLineEdit(), "changeThreshold", "number to pass", "The number that its mean is to pass")
        self.norm = named(
            CalmBox(),
            "changeNorm",
            "measure of a change",
            "Changes are measured in standard deviations of their columns, a changed label as one: the smallest sum of "
            "squares, or the smallest sum, which changes fewer values",
        )
        self.norm.addItem("small changes", "l2")
        self.norm.addItem("few changes", "l1")
        self.search = named(QPushButton("Search"), "findChange", tip="Search for the smallest change")
        self.use = named(QPushButton("Set these values"), "useChange", tip="Ask about the changed values")
        self.words = word_line("")
        self.problem = word_line("error")
        self.problem.hide()
        self._attributes: dict[str, Attribute] = {}
        self._offered: Attribute | None = None
        """The wanted attribute whose labels, or number, are offered."""
        self._question = Question()
        self._found: FoundChange | None = None
        self._ticks: dict[str, QCheckBox] = {}
        self._unticked: set[str] = set()
        self._wanted_part = side_by_side([label_for("of", self.wanted), self.wanted])
        self._label_part = side_by_side([label_for("to become", self.label), self.label])
        self._number_part = side_by_side([label_for("mean to pass", self.threshold), self.threshold])
        self.threshold.setFixedWidth(12 * GRID)
        tools, self._tick_line, self._ticked = Flow(), Flow(), QWidget()
        for part in (self._wanted_part, self._label_part, self._number_part):
            tools.addWidget(part)
        tools.addWidget(side_by_side([label_for("by", self.norm), self.norm]))
        tools.addWidget(self.search)
        self._ticked.setLayout(self._tick_line)
        self._tick_line.setContentsMargins(0, 0, 0, 0)
        may = Label("may change:")
        may.setProperty("manner", "muted")
        self._tick_line.addWidget(may)
        self.lines.addLayout(tools)
        for widget in (self._ticked, self.problem, self.words):
            self.lines.addWidget(widget)
        self.lines.addWidget(self.use, 0, Qt.AlignmentFlag.AlignLeft)
        self.search.clicked.connect(self.asked)
        self.threshold.returnPressed.connect(self.asked)
        self.use.clicked.connect(lambda: self.values_chosen.emit(dict(self._found.values)) if self._found else None)
        self.wanted.currentIndexChanged.connect(self._offer_turns)

    def offer(self, attributes: Sequence[Attribute], question: Question) -> None:
        """Offer the wanted attributes, and those that are known to change."""
        self._attributes, self._question = {one.name: one for one in attributes}, question
        if [self.wanted.itemText(place) for place in range(self.wanted.count())] != list(question.wanted):
            with QSignalBlocker(self.wanted):
                before = self.wanted.currentText()
                self.wanted.clear()
                self.wanted.addItems(question.wanted)
                self.wanted.setCurrentIndex(max(self.wanted.findText(before), 0) if question.wanted else -1)
            self.wanted.tell_whole(self.wanted.currentText())
            self._wanted_part.setVisible(len(question.wanted) > 1)
        if self._attributes.get(self.wanted.currentText()) != self._offered:
            self._offer_turns()
        self._offer_ticks()
        self.search.setEnabled(bool(question.known and question.wanted))

    def change_question(self) -> ChangeQuestion | None:
        """What is to be searched; None where the number to pass is none, which is then told."""
        attribute = self._attributes.get(self.wanted.currentText())
        if attribute is None:
            return None
        threshold: float | None = math.nan
        if not attribute.has_labels:
            threshold = value_in(attribute, self.threshold.text() or self.threshold.placeholderText())
        self.problem.setVisible(threshold is None)
        if threshold is None:
            self.problem.setText("Write the number that the mean is to pass, such as 12.5")
            return None
        label = self.label.currentText() if attribute.has_labels and self.label.currentIndex() > 0 else ""
        free = tuple(name for name in self._question.known if name not in self._unticked)
        norm: Norm = "l1" if self.norm.currentData() == "l1" else "l2"
        return ChangeQuestion(self._question, Turn(attribute.name, label, threshold), free, norm)

    def show_found(self, found: FoundChange | None, is_under_way: bool) -> None:
        """Show a change, in grey where it is of another question."""
        self._found = found
        is_current = found is not None and found.asked.question == self._question
        if is_under_way:
            words = "Searching…"
        elif not self._question.known:
            words = "Nothing is known: set some values on the left first."
        elif found is None:
            words = ""
        else:
            words = change_words(found, self._attributes)
            words = words if is_current else f"Of another question: {words}"
        self.words.setText(words)
        self.words.setVisible(bool(words))
        self.words.setEnabled(is_current or is_under_way or found is None)
        self.use.setVisible(is_current and not is_under_way and found is not None and found.is_found)

    def _offer_turns(self) -> None:
        self._offered = attribute = self._attributes.get(self.wanted.currentText())
        has_labels = attribute is not None and attribute.has_labels
        self._label_part.setVisible(has_labels)
        self._number_part.setVisible(attribute is not None and not has_labels)
        self.label.clear()
        self.threshold.clear()
        self.problem.hide()
        if attribute is None:
            return
        if attribute.has_labels:
            self.label.addItems([ANY, *attribute.labels])
        else:
            self.threshold.setPlaceholderText(field_text(attribute, attribute.typical))

    def _offer_ticks(self) -> None:
        names = list(self._question.known)[: MOST_TICKED + 1]
        if names == list(self._ticks):
            return
        for tick in self._ticks.values():
            self._tick_line.removeWidget(tick)
            tick.hide()
            tick.setObjectName("")
            tick.deleteLater()
        self._ticks = {}
        self._unticked &= set(self._question.known) if len(names) <= MOST_TICKED else set()
        for place, name in enumerate(names if len(names) <= MOST_TICKED else ()):
            tick = named(QCheckBox(one_line(name).replace("&", "&&")), f"mayChange{place}", f"{name} may change")
            tick.setToolTip(plain_tip(f"{name} may change"))
            tick.setChecked(name not in self._unticked)
            tick.toggled.connect(lambda on, one=name: self._tick(one, on))
            self._ticks[name] = tick
            self._tick_line.addWidget(tick)
        self._ticked.setVisible(bool(self._ticks))

    def _tick(self, name: str, may_change: bool) -> None:
        self._unticked = self._unticked - {name} if may_change else self._unticked | {name}


def change_words(found: FoundChange, attributes: dict[str, Attribute]) -> str:
    """A change in words."""
    turn, before = found.asked.turn, found.asked.question.known
    wanted = attributes.get(turn.wanted)
    if not found.is_found:
        if not found.distance:
            return f"It is {one_line(found.label)} already ({percent(found.figure)})."
        goal = f"{one_line(turn.label)}" if turn.label else "another label" if wanted and wanted.has_labels else ""
        becomes = f"makes it {goal}" if goal else f"makes the mean pass {short(turn.threshold)}"
        return f"Within the range of the data no change of these values {becomes}."
    changes = []
    # The largest changes first; a changed label is no small one.
    names = sorted(found.values, key=lambda name: -abs(found.shifts.get(name, math.inf)))
    for name in names[:MOST_NAMED]:
        value = found.values[name]
        attribute = attributes[name]
        if isinstance(value, str):
            changes.append(f"{one_line(name)} {one_line(str(before[name]))} → {one_line(value)}")
            continue
        shift = found.shifts[name]
        size = f"{'+' if shift > 0 else MINUS}{abs(shift):.2g} σ"
        texts = field_text(attribute, float(before[name])), field_text(attribute, value)
        changes.append(f"{one_line(name)} {texts[0]} → {texts[1]} ({size})")
    if len(names) > MOST_NAMED:
        changes.append(f"and {counted(len(names) - MOST_NAMED, 'smaller change')}")
    if found.label:
        result = f"{one_line(found.label)} ({percent(found.figure)})"
        return f"{', '.join(changes)} makes it {result}."
    assert wanted is not None, "the attributes are those of the run"
    is_date = wanted.block.kind == "date"
    mean = value_text(wanted, found.figure) if is_date else short(found.figure)
    return f"{', '.join(changes)} makes the mean of {one_line(turn.wanted)} {mean}."
