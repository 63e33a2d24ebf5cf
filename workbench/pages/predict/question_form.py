"""The attributes of a question, one row each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QLineEdit, QScrollArea, QVBoxLayout, QWidget

from workbench.pages.predict.dragging import DropStrip, Part
from workbench.pages.predict.known_row import Asked, KnownRow
from workbench.run.ask.attributes import Attribute
from workbench.run.ask.question import Question
from workbench.views.look.naming import Label, named
from workbench.views.look.theme import GRID, LIGHT, Theme
from workbench.words.counts import counted

MOST_SHOWN = 60
"""Rows that are shown at once; the filter finds the others."""
FILTER_FROM = 12
"""Attributes from which the filter is shown."""


class QuestionForm(QWidget):
    """Rows for the attributes; what was asked about one stays when the filter hides it."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._attributes: tuple[Attribute, ...] = ()
        self._asked: dict[str, Asked] = {}
        self.rows: dict[str, KnownRow] = {}
        self._theme = LIGHT
        self.strip = DropStrip()
        self.filter = named(QLineEdit(), "attributeFilter", "filter the attributes by name")
        self.filter.setPlaceholderText("Filter attributes")
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self._show_rows)
        self._more = Label(self)
        self._more.hide()
        self._more.setProperty("manner", "small")
        self._more.setContentsMargins(2 * GRID, GRID, 2 * GRID, GRID)
        self._list = named(QWidget(), "questionList", manner="side")
        self._list.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._lines = QVBoxLayout(self._list)
        self._lines.setContentsMargins(0, GRID // 2, 0, GRID)
        self._lines.setSpacing(0)
        self._area = area = named(QScrollArea(), "questionScroll")
        area.setWidget(self._list)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        head = QVBoxLayout()
        head.setContentsMargins(2 * GRID, 0, 2 * GRID, 0)
        head.addWidget(self.filter)
        self.strip.dropped.connect(self.assign)
        self.changed.connect(self._show_counts)
        layout.addWidget(self.strip)
        layout.addSpacing(GRID // 2)
        layout.addLayout(head)
        layout.addWidget(area, 1)

    @property
    def question(self) -> Question:
        """What is asked."""
        asked = {one.name: self._asked[one.name] for one in self._attributes}
        known = {name: one for name, one in asked.items() if one.is_known}
        return Question(
            known={name: one.value for name, one in known.items()},
            errors={name: one.error for name, one in known.items() if one.error},
            wanted=tuple(name for name, one in asked.items() if one.is_wanted),
        )

    def set_attributes(self, attributes: tuple[Attribute, ...]) -> None:
        """Offer these; what was asked stays where they are the same, otherwise the targets are wanted."""
        if [one.block for one in attributes] == [one.block for one in self._attributes]:
            return
        self._attributes = attributes
        self.filter.setVisible(len(attributes) >= FILTER_FROM)
        with QSignalBlocker(self.filter):
            self.filter.clear()
        self.forget()

    def forget(self) -> None:
        """Nothing is known; the targets are wanted, or the last attribute where there is none."""
        targets = [one.name for one in self._attributes if one.block.role == "target"]
        wanted = targets or [one.name for one in self._attributes[-1:]]
        self._asked = {
            one.name: Asked(is_wanted=one.name in wanted, value=_first_value(one)) for one in self._attributes
        }
        self._show_rows()
        self.changed.emit()

    def take_values(self, values: Mapping[str, float | str | None]) -> None:
        """Know the values of a row, except of what is wanted; None: it is missing."""
        for name, value in values.items():
            before = self._asked.get(name)
            if before is None or before.is_wanted:
                continue
            kept = before.value if value is None else value
            self._put(name, replace(before, is_known=value is not None, error=0.0, value=kept))
        self.changed.emit()

    def know(self, values: Mapping[str, float | str]) -> None:
        """Know these values; what else is asked stays as it is."""
        for name, value in values.items():
            self._put(name, replace(self._asked[name], is_known=True, is_wanted=False, value=value))
        self.changed.emit()

    def assign(self, name: str, part: Part) -> None:
        """Make an attribute known, with the value that it was given last, wanted, or open."""
        if name in self._asked:
            self._put(name, replace(self._asked[name], is_known=part == "known", is_wanted=part == "wanted"))
            self.changed.emit()

    def make_known(self, name: str) -> None:
        """Know an attribute with the value that it was given last, and bring its row into view."""
        self.know({name: self._asked[name].value})
        if name not in self.rows:
            self.filter.setText(name)
        if name in self.rows:
            row = self.rows[name]
            self._area.ensureWidgetVisible(row)
            row.value_field.setFocus(Qt.FocusReason.OtherFocusReason)

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self._theme = theme
        for row in self.rows.values():
            row.set_theme(theme)

    def _put(self, name: str, asked: Asked) -> None:
        self._asked[name] = asked
        if name in self.rows:
            self.rows[name].show_asked(asked)

    def _take(self, name: str, asked: Asked) -> None:
        self._asked[name] = asked
        self.changed.emit()

    def _show_counts(self) -> None:
        known, wanted = (
            sum(getattr(one, which) for one in self._asked.values()) for which in ("is_known", "is_wanted")
        )
        self.strip.show_counts(known, wanted, len(self._asked) - known - wanted)

    def _show_rows(self) -> None:
        looked_for = self.filter.text().strip().casefold()
        found = [one for one in self._attributes if looked_for in one.name.casefold()]
        # What takes part in the question comes first where not all can be shown.
        if len(found) > MOST_SHOWN:
            found.sort(key=lambda one: not (self._asked[one.name].is_known or self._asked[one.name].is_wanted))
        self._clear()
        for place, attribute in enumerate(found[:MOST_SHOWN]):
            row = KnownRow(attribute, self._asked[attribute.name], place)
            row.set_theme(self._theme)
            row.changed.connect(self._take)
            self.rows[attribute.name] = row
            self._lines.addWidget(row)
        hidden = len(found) - MOST_SHOWN
        self._more.setText(f"{counted(hidden, 'attribute')} more: filter by name" if hidden > 0 else "")
        self._more.setVisible(hidden > 0)
        self._lines.addWidget(self._more)
        self._lines.addStretch(1)

    def _clear(self) -> None:
        self.rows = {}
        while (item := self._lines.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None and widget is not self._more:
                widget.hide()
                widget.deleteLater()


def _first_value(attribute: Attribute) -> float | str:
    return attribute.labels[0] if attribute.has_labels and attribute.labels else attribute.typical
