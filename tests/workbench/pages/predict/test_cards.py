"""Cards of answers are as wide as there is room, whatever the data say."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from workbench.pages.predict.cards import Card


def test_a_long_label_makes_a_card_no_wider(qtbot: QtBot) -> None:
    card = Card()
    qtbot.addWidget(card)
    before = card.minimumSizeHint().width()
    card.title.setText("n" * 300)
    card.words.setText("most likely " + "x" * 300)
    assert card.minimumSizeHint().width() == before
