"""Buttons that open a menu."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QMenu, QPushButton, QToolButton


def open_by(button: QPushButton | QToolButton, menu: QMenu) -> None:
    """Let a button open a menu, and reset its look when the menu is closed.

    While the menu grabs the mouse, the button gets no leave event. The Tab key focuses the button; a click does not, or
    its focus frame would stay after the choice.
    """
    button.setMenu(menu)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    menu.aboutToHide.connect(lambda: _see_pointer(button))


def _see_pointer(button: QPushButton | QToolButton) -> None:
    is_met = button.rect().contains(button.mapFromGlobal(QCursor.pos()))
    button.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, is_met)
    button.update()
