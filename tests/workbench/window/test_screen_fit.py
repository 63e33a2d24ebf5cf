"""A window is never larger than its screen, nor beside it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QMainWindow, QWidget
from pytestqt.qtbot import QtBot

from tests.workbench.hands import wait
from workbench.window.screen_fit import ScreenFit, fitted

SCREEN = QRect(0, 30, 1280, 770)


@pytest.mark.parametrize(
    ("frame", "expected"),
    [
        (QRect(0, 20, 1280, 828), SCREEN),
        (QRect(100, 600, 600, 400), QRect(100, 400, 600, 400)),
        (QRect(-50, 0, 600, 400), QRect(0, 30, 600, 400)),
        (QRect(1000, 100, 600, 400), QRect(680, 100, 600, 400)),
        (QRect(10, 40, 600, 400), QRect(10, 40, 600, 400)),
    ],
)
def test_a_frame_is_moved_and_shrunk_no_more_than_it_must_be(frame: QRect, expected: QRect) -> None:
    assert fitted(frame, SCREEN) == expected


def test_a_window_that_opens_or_grows_too_large_comes_back(qtbot: QtBot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    ScreenFit(window)
    room = window.screen().availableGeometry()
    window.setGeometry(40, 40, room.width() + 200, room.height() + 100)
    window.show()
    wait(qtbot, lambda: room.contains(window.frameGeometry()))
    inside = QWidget()
    window.setCentralWidget(inside)
    window.resize(window.width(), room.height() + 60)
    wait(qtbot, lambda: room.contains(window.frameGeometry()))
