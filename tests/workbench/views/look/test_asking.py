"""A question is asked, answered, and its dialog gone."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QDialog, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import delete, isValid

from tests.workbench.hands import wait
from workbench.views.look.asking import ask


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    found = QWidget()
    qtbot.addWidget(found)
    return found


@pytest.mark.parametrize(("code", "said"), [(QDialog.DialogCode.Accepted, "yes"), (QDialog.DialogCode.Rejected, None)])
def test_an_answer_counts_where_it_was_given(
    qtbot: QtBot, parent: QWidget, code: QDialog.DialogCode, said: str | None
) -> None:
    dialog = QDialog(parent)
    QTimer.singleShot(0, dialog, lambda: dialog.done(code.value))
    assert ask(dialog, lambda: "yes") == said
    wait(qtbot, lambda: not isValid(dialog))


def test_a_dialog_whose_answer_fails_is_gone_as_well(qtbot: QtBot, parent: QWidget) -> None:
    dialog = QDialog(parent)
    QTimer.singleShot(0, dialog, dialog.accept)
    with pytest.raises(ZeroDivisionError):
        ask(dialog, lambda: 1 // 0)
    wait(qtbot, lambda: not isValid(dialog))


def test_a_window_that_ends_takes_its_question_along(parent: QWidget) -> None:
    dialog = QDialog(parent)
    QTimer.singleShot(0, parent, lambda: delete(dialog))
    assert ask(dialog, lambda: "yes") is None
