"""The answers of a mixture: a card for each wanted attribute, and one for what is known."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QPushButton, QScrollArea, QVBoxLayout, QWidget

from workbench.pages.predict.band_plot import BandPlot
from workbench.pages.predict.bars import Bar, Bars, with_rest_summed
from workbench.pages.predict.cards import Card, word_line
from workbench.pages.predict.change_card import ChangeCard
from workbench.pages.predict.curve import Curve
from workbench.pages.predict.dragging import attribute_in
from workbench.pages.predict.map_card import MapCard
from workbench.pages.predict.next_card import NextCard
from workbench.pages.predict.value_texts import value_text
from workbench.run.ask.answer import Answer, LabelAnswer, NumberAnswer
from workbench.run.ask.coverage import Coverage, pattern_of
from workbench.run.ask.given import COVERAGE
from workbench.run.ask.question import Question
from workbench.views.look.naming import Label, named, one_line
from workbench.views.look.theme import GRID, LIGHT, Theme
from workbench.words.counts import counted
from workbench.words.names import NO_NAMES, component_name
from workbench.words.numbers import fixed, percent, short

MOST_BARS, MOST_COMPONENTS = 12, 6
"""Labels and components that are shown; the others are summed up."""
MOST_REGIONS = 3
"""Regions of a number that are named."""
Truth = Mapping[str, float | str]
"""What the row that was asked about has in the wanted attributes."""


class AnswersView(QWidget):
    """Cards, kept from answer to answer as long as the same attributes are wanted."""

    check_asked = Signal()
    """Check the intervals of the wanted numbers on the table."""
    dropped = Signal(str, str)
    """An attribute, and its new part of the question."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAcceptDrops(True)
        self.evidence, self.map, self.next, self.change = EvidenceCard(), MapCard(), NextCard(), ChangeCard()
        self.cards: dict[str, NumberCard | LabelCard] = {}
        self._theme = LIGHT
        self._list = named(QWidget(), "answerList", manner="page")
        self._lines = QVBoxLayout(self._list)
        self._lines.setContentsMargins(2 * GRID, GRID, 2 * GRID, 2 * GRID)
        self._lines.setSpacing(GRID)
        self._lines.addWidget(self.evidence)
        for card in (self.map, self.next, self.change):
            self._lines.addWidget(card)
        legend = Label(
            "Grey marks and areas: what the mixture says when nothing is known. Filled: 90 %; in bands also 50 %."
        )
        legend.setProperty("manner", "small")
        self._lines.addWidget(legend)
        self._lines.addStretch(1)
        area = named(QScrollArea(), "answerScroll")
        area.setWidget(self._list)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(area)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Called by Qt: an attribute that is dropped on the answers is wanted."""
        if attribute_in(event.mimeData()) is not None:
            event.acceptProposedAction()
        else:
            event.ignore()

    def dropEvent(self, event: QDropEvent) -> None:
        """Called by Qt."""
        name = attribute_in(event.mimeData())
        if name is not None:
            event.acceptProposedAction()
            self.dropped.emit(name, "wanted")

    def show_answer(self, answer: Answer, truth: Truth, is_current: bool) -> None:
        """Show an answer, in grey where it is not to the present question."""
        self.evidence.show_answer(answer, is_current)
        wanted = [(one.attribute.name, isinstance(one, NumberAnswer)) for one in answer.wanted]
        if wanted != [(name, isinstance(card, NumberCard)) for name, card in self.cards.items()]:
            self._replace_cards(answer)
        for one in answer.wanted:
            card = self.cards[one.attribute.name]
            found = truth.get(one.attribute.name)
            if isinstance(card, NumberCard) and isinstance(one, NumberAnswer):
                card.show_answer(one, found if isinstance(found, float) else None, is_current)
            elif isinstance(card, LabelCard) and isinstance(one, LabelAnswer):
                card.show_answer(one, found if isinstance(found, str) else None, is_current)

    def show_coverages(
        self, found: Mapping[str, Coverage], question: Question, can_check: bool, is_under_way: bool
    ) -> None:
        """Show how often the intervals of the wanted numbers hold."""
        for name, card in self.cards.items():
            if isinstance(card, NumberCard):
                card.show_coverage(found.get(name), question, can_check, is_under_way)

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self._theme = theme
        for card in (self.evidence, self.map, *self.cards.values()):
            card.set_theme(theme)

    def _replace_cards(self, answer: Answer) -> None:
        for card in self.cards.values():
            self._lines.removeWidget(card)
            card.hide()
            card.deleteLater()
        self.cards = {}
        for place, one in enumerate(answer.wanted):
            made = NumberCard() if isinstance(one, NumberAnswer) else LabelCard()
            made.setObjectName(f"answer{place}")
            if isinstance(made, NumberCard):
                made.check_asked.connect(self.check_asked)
            made.set_theme(self._theme)
            self.cards[one.attribute.name] = made
            self._lines.insertWidget(1 + place, made)


class NumberCard(Card):
    """A wanted number."""

    check_asked = Signal()
    """Check its interval on the table."""

    def __init__(self) -> None:
        super().__init__()
        self.curve, self.bands = Curve(), BandPlot()
        self.check = named(
            QPushButton("Check the interval on the table"),
            "checkInterval",
            tip="How many rows of the table lie within their 90 % interval, each given its own values of what is known",
        )
        self.coverage = word_line("small")
        for widget in (self.curve, self.bands, self.coverage):
            self.lines.addWidget(widget)
        self.lines.addWidget(self.check, 0, Qt.AlignmentFlag.AlignLeft)
        self.check.clicked.connect(self.check_asked)

    def show_coverage(self, found: Coverage | None, question: Question, can_check: bool, is_under_way: bool) -> None:
        """Show the share of rows within their interval, in grey where other attributes were known."""
        is_current = found is not None and found.pattern == pattern_of(question)
        words = "" if found is None else coverage_words(found)
        if is_under_way:
            words = "Checking the interval…"
        elif found is not None and not is_current:
            words = f"Of another question: {words}"
        self.coverage.setText(words)
        self.coverage.setVisible(bool(words))
        self.coverage.setEnabled(is_current or is_under_way)
        self.check.setVisible(can_check and not is_current and not is_under_way)

    def show_answer(self, answer: NumberAnswer, truth: float | None, is_current: bool) -> None:
        """Show mean, interval, peaks and the whole density."""
        attribute = answer.attribute
        self.title.set_whole(attribute.name)
        self.words.setText(number_words(answer, truth))
        self.curve.setAccessibleName(f"density of {attribute.name}")
        self.curve.show_answer(answer, truth, is_current)
        self.bands.show_bands(answer.bands, is_current)

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self.curve.set_theme(theme)
        self.bands.set_theme(theme)


class LabelCard(Card):
    """A wanted label."""

    def __init__(self) -> None:
        super().__init__()
        self.bars = Bars("answerBars")
        self._theme = LIGHT
        self._shown: tuple[LabelAnswer, str | None, bool] | None = None
        self.lines.addWidget(self.bars)

    def show_answer(self, answer: LabelAnswer, truth: str | None, is_current: bool) -> None:
        """Show the probability of every label, the likeliest first where there are many."""
        self._shown = answer, truth, is_current
        labels, shares, before = answer.attribute.labels, answer.shares, answer.prior_shares
        self.title.set_whole(answer.attribute.name)
        best = int(np.argmax(shares)) if len(shares) else 0
        words = f"most likely {labels[best]}, {percent(float(shares[best]))}" if labels else "it has no label"
        self.words.setText(words + (f"; the row has {truth}" if truth is not None else ""))
        bars = [
            Bar(label, float(shares[k]), float(before[k]), self._theme.class_colour(k), label == truth)
            for k, label in enumerate(labels)
        ]
        self.bars.show_bars(with_rest_summed(bars, MOST_BARS, self._theme.muted), is_current)

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self._theme = theme
        self.bars.set_theme(theme)
        if self._shown is not None:
            self.show_answer(*self._shown)  # classes have other colours


class EvidenceCard(Card):
    """How surprising what is known is, and which components it speaks for."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("evidence")
        self.names = NO_NAMES
        """Of components, given by the user."""
        self.other_data = ""
        """Title of the data that are asked about, where these are not the present ones."""
        self.bars = Bars("responsibilities")
        self.lines.addWidget(self.bars)

    def show_answer(self, answer: Answer, is_current: bool) -> None:
        """Show the evidence of an answer."""
        after = f"after {counted(answer.n_seen, 'sample')}"
        self.title.set_whole(f"{self.other_data}, {after}" if self.other_data else after.capitalize())
        self.words.setText(evidence_words(answer))
        of_components = zip(answer.ids.tolist(), answer.responsibilities.tolist(), answer.priors.tolist(), strict=True)
        bars = [Bar(component_name(number, self.names), share, before) for number, share, before in of_components]
        bars.sort(key=lambda bar: -bar.share)
        self.bars.show_bars(with_rest_summed(bars, MOST_COMPONENTS), is_current)

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self.bars.set_theme(theme)


def number_words(answer: NumberAnswer, truth: float | None = None) -> str:
    """Mean, interval and peaks of a wanted number in words."""
    attribute = answer.attribute

    def text(value: float) -> str:
        return value_text(attribute, value) if attribute.block.kind == "date" else short(value)

    low, high = answer.interval
    sentences = [f"mean {text(answer.mean)}; {percent(COVERAGE)} between {text(low)} and {text(high)}"]
    if len(answer.regions) > 1:
        sentences.append(f"several peaks: {percent(COVERAGE)} within {region_words(answer, text)}")
    if truth is not None:
        sentences.append(f"the row has {value_text(attribute, truth)}")
    return "; ".join(sentences)


def region_words(answer: NumberAnswer, text: Callable[[float], str]) -> str:
    """The regions of a number with several peaks, each with its highest, those with the highest peaks first."""
    found: list[tuple[list[float], float]] = []
    for mode in answer.modes.tolist():
        ends = next((ends for ends in answer.regions.tolist() if ends[0] <= mode <= ends[1]), None)
        if ends is not None and all(ends != other for other, _ in found):
            found.append((ends, mode))
    words = [f"{text(low)} to {text(high)} (peak {text(mode)})" for (low, high), mode in found[:MOST_REGIONS]]
    hidden = len(answer.regions) - len(words)
    return " and ".join([*words, *([f"{hidden} more"] if hidden else [])])


def coverage_words(found: Coverage) -> str:
    """How often the intervals hold, in words."""
    given = ", ".join(one_line(name) for name in found.pattern[0]) or "nothing"
    some = f"{found.n_rows:,} of {found.n_all:,}" if found.n_rows < found.n_all else f"{found.n_rows:,}"
    rows = f"{some} held-out rows" if found.is_held_out else f"{some} rows that the mixture learns from"
    share = f"{fixed(100 * found.share, 1)} % ± {fixed(100 * found.error, 1)} %"
    after = counted(found.n_seen, "sample")
    return f"{share} of {rows} lie within their {percent(COVERAGE)} interval, given {given} (after {after})."


def evidence_words(answer: Answer) -> str:
    """How surprising what is known is, in words."""
    question: Question = answer.question
    if not question.known:
        return (
            "Nothing is known: these are the shares of the components, and the answers are those of the whole mixture."
        )
    return (
        f"{counted(len(question.known), 'value')} known, log density {short(answer.log_density)}. "
        f"{percent(answer.novelty)} of the nearest component's own samples would be nearer to it."
    )
