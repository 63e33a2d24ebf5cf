"""The bar of what is done in the background: followed, cancelled, hidden."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QProgressBar, QPushButton
from pytestqt.qtbot import QtBot

from tests.workbench.hands import click, find
from workbench.window.loading_bar import LoadingBar


def test_a_load_is_followed_and_cancelled(qtbot: QtBot) -> None:
    loading = LoadingBar()
    qtbot.addWidget(loading)
    words, bar = find(loading, QLabel, "loadWords"), find(loading, QProgressBar, "loadProgress")
    cancel = find(loading, QPushButton, "cancelLoad")
    assert words is not None
    assert bar is not None
    assert cancel is not None
    assert not cancel.isVisible()
    loading.show_progress("Loading covertype.csv", 43 * 10**9, 10**11)
    assert words.text() == "Loading covertype.csv: 43 %"
    assert (bar.value(), bar.maximum()) == (430, 1000)
    with qtbot.waitSignal(loading.cancel_requested):
        click(cancel)
    loading.show_progress("Loading covertype.csv", 5, 0)
    assert words.text() == "Loading covertype.csv"
    assert bar.maximum() == 0
    loading.show_progress(None, 0, 0)
    assert not cancel.isVisible()
