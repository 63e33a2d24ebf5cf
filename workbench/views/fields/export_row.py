"""A row of buttons that export what a page shows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from workbench.views.look.naming import Label, named
from workbench.views.look.theme import GRID


class ExportButton(NamedTuple):
    """One button of the row."""

    kind: str
    """What `chosen` is emitted with."""
    name: str
    """Object name."""
    text: str
    tip: str


class ExportRow(QWidget):
    """The heading, where there is room for one, and its buttons."""

    chosen = Signal(str)
    """The kind of the button that was pressed."""

    def __init__(self, buttons: Iterable[ExportButton], with_heading: bool = True) -> None:
        super().__init__()
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(0, 0, 0, 0)
        self.row.setSpacing(GRID)
        if with_heading:
            heading = Label("EXPORT")
            heading.setProperty("manner", "heading")
            self.row.addWidget(heading)
        self._buttons = {button.kind: self._made(button) for button in buttons}
        for made in self._buttons.values():
            self.row.addWidget(made)

    def button(self, kind: str) -> QToolButton:
        """The button of a kind."""
        return self._buttons[kind]

    def _made(self, button: ExportButton) -> QToolButton:
        made = named(QToolButton(), button.name, f"Export: {button.text}", button.tip)
        made.setText(button.text)
        made.clicked.connect(lambda: self.chosen.emit(button.kind))
        return made
