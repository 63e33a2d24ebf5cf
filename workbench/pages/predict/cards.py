"""Cards on the side of the answers: always open, or opened by a click on their heading."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QFrame, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from workbench.pages.predict.elided import ElidedLabel
from workbench.views.look.naming import Label, named
from workbench.views.look.theme import GRID, font


class Card(QFrame):
    """A title and a line of words."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("manner", "card")
        self.title, self.words = ElidedLabel(), word_line()
        self.title.setProperty("manner", "strong")
        self.lines = _card_lines(self)
        self.lines.addWidget(self.title)
        self.lines.addWidget(self.words)


class FoldCard(QFrame):
    """A heading to click, and below it what it opens."""

    opened = Signal(bool)

    def __init__(self, name: str, heading: str, tip: str, is_open: bool = False) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setProperty("manner", "card")
        self.fold = named(QToolButton(), f"{name}Fold", heading, tip, manner="flat")
        self.fold.setText(heading)
        self.fold.setCheckable(True)
        self.fold.setChecked(is_open)
        self.fold.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.fold.setFont(font(weight=QFont.Weight.DemiBold))
        self.fold.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.body = QWidget()
        self.lines = QVBoxLayout(self.body)
        self.lines.setContentsMargins(0, 0, 0, 0)
        self.lines.setSpacing(GRID // 2)
        outer = _card_lines(self)
        outer.addWidget(self.fold)
        outer.addWidget(self.body)
        self._show(is_open)
        self.fold.toggled.connect(self._show)
        self.fold.toggled.connect(self.opened)

    @property
    def is_open(self) -> bool:
        """Whether its content is to be seen."""
        return self.fold.isChecked()

    def _show(self, is_open: bool) -> None:
        self.fold.setArrowType(Qt.ArrowType.DownArrow if is_open else Qt.ArrowType.RightArrow)
        self.body.setVisible(is_open)


def word_line(manner: str = "muted") -> Label:
    """A line of words, wrapped, that can be copied."""
    words = Label()
    words.setProperty("manner", manner)
    words.setWordWrap(True)
    words.setMinimumWidth(1)  # a long word is cut and makes the cards no wider
    words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return words


def _card_lines(card: QFrame) -> QVBoxLayout:
    lines = QVBoxLayout(card)
    lines.setContentsMargins(12, GRID, 12, GRID)
    lines.setSpacing(GRID // 2)
    return lines
