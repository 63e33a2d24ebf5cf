"""Helpers to lay out rows of tools."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from workbench.views.look.naming import Label
from workbench.views.look.theme import GRID


def label_for(text: str, buddy: QWidget) -> Label:
    """A label in front of a field."""
    label = Label(text)
    label.setProperty("manner", "muted")
    label.setBuddy(buddy)
    return label


def side_by_side(widgets: Sequence[QWidget]) -> QWidget:
    """Widgets that stay in one row."""
    group = QWidget()
    line = QHBoxLayout(group)
    line.setContentsMargins(0, 0, 0, 0)
    line.setSpacing(GRID)
    for widget in widgets:
        line.addWidget(widget, 0, Qt.AlignmentFlag.AlignVCenter)
    return group


def across() -> QFrame:
    """A thin horizontal line."""
    line = QFrame()
    line.setProperty("manner", "line")
    line.setFixedHeight(1)
    return line
