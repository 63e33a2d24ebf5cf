"""Notices: words in place, details on demand, a report on the clipboard."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from tests.workbench.hands import click, wait
from workbench.views.look.notice import Notice, NoticeKind
from workbench.views.look.theme import DARK


@pytest.fixture
def notice(qtbot: QtBot) -> Notice:
    notice = Notice("figmn 0.1.0, Qt 6.11")
    qtbot.addWidget(notice)
    notice.resize(400, 60)
    return notice


def test_is_hidden_until_there_is_something_to_say(notice: Notice) -> None:
    assert not notice.isVisible()
    notice.show_error("wine.csv is empty. Choose another file.")
    assert notice.isVisible()
    assert notice.text() == "wine.csv is empty. Choose another file."
    notice.clear()
    assert (notice.isVisible(), notice.text()) == (False, "")


def test_words_are_shown_as_they_are_and_can_be_selected(notice: Notice) -> None:
    notice.show_error("'<b>' is not a number")
    assert notice.text_label.textFormat() == Qt.TextFormat.PlainText
    assert notice.text_label.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByMouse


def test_details_are_shown_and_hidden(notice: Notice) -> None:
    notice.show_error("It failed.", "Traceback: deep")
    assert not notice.details.isVisible()
    click(notice.details_button)
    assert notice.details.isVisible()
    assert notice.details.toPlainText() == "Traceback: deep"
    assert notice.details_button.text() == "Hide details"
    click(notice.details_button)
    assert not notice.details.isVisible()


def test_without_details_there_is_no_button_for_them(notice: Notice) -> None:
    notice.show_error("It failed.", "Traceback: deep")
    notice.details_button.setChecked(True)
    notice.show_error("It failed again.")
    assert not notice.details_button.isVisible()
    assert not notice.details.isVisible()


def test_the_report_has_words_details_and_versions(notice: Notice) -> None:
    notice.show_error("It failed.", "Traceback: deep")
    click(notice.copy_button)
    assert QGuiApplication.clipboard().text() == "It failed.\n\nTraceback: deep\n\nfigmn 0.1.0, Qt 6.11\n"


def test_close_says_so(qtbot: QtBot, notice: Notice) -> None:
    notice.show_error("It failed.")
    with qtbot.waitSignal(notice.closed):
        click(notice.close_button)
    assert not notice.isVisible()


def test_kinds_look_different_and_follow_the_look(notice: Notice) -> None:
    notice.set_theme(DARK)
    pictures, kinds = [], ("error", "warning", "info")
    for kind in kinds:
        shown: NoticeKind = kind  # type: ignore[assignment]
        notice.show_error("Words", kind=shown)
        pictures.append(notice.icon_label.pixmap().toImage())
        assert notice.accessibleName() == f"{kind}: Words"
    assert pictures[0] != pictures[1] != pictures[2]
    assert notice.property("manner") == "card"


def test_long_words_wrap(qtbot: QtBot, notice: Notice) -> None:
    notice.show_error("a long message " * 30)
    label = notice.text_label
    notice.resize(400, notice.heightForWidth(400))
    wait(qtbot, lambda: label.height() >= label.heightForWidth(label.width()))
