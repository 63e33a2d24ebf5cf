"""A body keeps its least size and is scrolled below that."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.workbench.hands import wait
from workbench.views.look.scrolled import Scrolled


class Body(QWidget):
    def sizeHint(self) -> QSize:
        return QSize(900, 900)

    def minimumSizeHint(self) -> QSize:
        return QSize(300, 200)


def test_it_fills_its_room_and_scrolls_where_there_is_less_than_it_needs(qtbot: QtBot) -> None:
    body = Body()
    area = Scrolled(body, "area")
    qtbot.addWidget(area)
    area.resize(500, 400)
    area.show()
    wait(qtbot, lambda: body.size() == area.viewport().size())
    assert not area.verticalScrollBar().isVisible()
    area.resize(320, 120)
    wait(qtbot, lambda: area.verticalScrollBar().maximum() > 0)
    assert body.height() == 200
