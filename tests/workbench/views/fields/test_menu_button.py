from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QMenu, QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from tests.workbench.hands import wait
from workbench.pages.data.bar import DataBar
from workbench.pages.data.empty_state import EmptyState
from workbench.pages.stream.welcome import Welcome
from workbench.views.fields.menu_button import open_by
from workbench.views.plots.mixture_tools import MixtureTools


def test_a_button_is_not_highlighted_after_its_menu(qtbot: QtBot) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    page.resize(400, 300)
    button, menu = QPushButton("Samples", page), QMenu(page)
    menu.addAction("iris")
    open_by(button, menu)
    page.show()
    choice = page.mapToGlobal(QPoint(300, 250))  # far away from the button
    QCursor.setPos(choice)
    wait(qtbot, lambda: QCursor.pos() == choice)
    button.setAttribute(Qt.WidgetAttribute.WA_UnderMouse)  # the pointer came over it, and a click opened the menu
    menu.popup(button.mapToGlobal(QPoint(0, button.height())))
    menu.close()
    assert not button.underMouse()


def test_the_focus_stays_where_it_was_when_a_menu_is_opened_by_a_click(qtbot: QtBot) -> None:
    for kind in (DataBar, EmptyState, Welcome, MixtureTools):
        page = kind()
        qtbot.addWidget(page)
        buttons: list[QPushButton | QToolButton] = [*page.findChildren(QPushButton), *page.findChildren(QToolButton)]
        opening = [button for button in buttons if button.menu() is not None]
        assert opening, kind
        assert {button.focusPolicy() for button in opening} == {Qt.FocusPolicy.TabFocus}
