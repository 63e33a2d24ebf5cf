"""How often intervals hold, checked through the window."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from pytestqt.qtbot import QtBot

from tests.workbench.hands import click, wait, write
from tests.workbench.pages.predict.asking import ask, learned, predict_penguins
from tests.workbench.parts import predict_page
from workbench.pages.predict.answers import NumberCard
from workbench.run.ask.coverage import Coverage
from workbench.window.shell import WindowShell


def card_of(shell: WindowShell, name: str) -> NumberCard:
    card = predict_page(shell).answers.cards[name]
    assert isinstance(card, NumberCard)
    return card


def check(qtbot: QtBot, shell: WindowShell, name: str) -> Coverage:
    """Click, and wait for the figure."""
    wait(qtbot, card_of(shell, name).check.isVisible)
    click(card_of(shell, name).check)
    wait(qtbot, lambda: name in (shell.desk.predict.coverage.latest or {}))
    wait(qtbot, lambda: "interval, given" in card_of(shell, name).coverage.text())
    found = shell.desk.predict.coverage.latest
    assert found is not None
    return found[name]


def test_the_share_is_that_of_the_library_on_the_same_rows(qtbot: QtBot, shell: WindowShell, tmp_path: Path) -> None:
    """The held-out rows, each by its own `condition` and `interval`."""
    predict_penguins(qtbot, shell, tmp_path, lambda dataset: dataset.with_test_share(0.3))
    page = predict_page(shell)
    for name, row in page.form.rows.items():
        if row.asked.is_wanted != (name == "body_mass_g"):
            click(row.wanted)
    write(page.form.rows["flipper_length_mm"].field, "200")
    ask(qtbot, shell)
    wait(qtbot, lambda: list(page.answers.cards) == ["body_mass_g"])
    found = check(qtbot, shell, "body_mass_g")
    snapshot, prepared = learned(shell)
    assert prepared.test is not None
    flipper, mass = (prepared.encoder.block(name).start for name in ("flipper_length_mm", "body_mass_g"))
    rows = prepared.test[np.isfinite(prepared.test[:, mass])]
    pair, inside = snapshot.marginal([flipper, mass]), 0
    for row in rows:
        low, high = pair.condition([row[flipper], np.nan]).interval(0.9)
        inside += low <= row[mass] <= high
    assert (found.n_rows, found.n_inside) == (len(rows), inside)
    text = card_of(shell, "body_mass_g").coverage.text()
    assert f"{100 * inside / len(rows):.1f} % ±" in text
    assert "held-out rows" in text
    assert "given flipper_length_mm" in text


def test_other_attributes_make_it_old_and_other_values_do_not(qtbot: QtBot, iris: WindowShell) -> None:
    page = predict_page(iris)
    click(page.form.rows["sepallength"].wanted)
    write(page.form.rows["petallength"].field, "4")
    ask(qtbot, iris)
    wait(qtbot, lambda: "sepallength" in page.answers.cards)
    check(qtbot, iris, "sepallength")
    card = card_of(iris, "sepallength")
    assert "150 rows that the mixture learns from" in card.coverage.text()
    assert not card.check.isVisible()
    write(page.form.rows["petallength"].field, "5")
    ask(qtbot, iris)
    assert not card.coverage.text().startswith("Of another question")
    write(page.form.rows["petalwidth"].field, "1.5")
    ask(qtbot, iris)
    wait(qtbot, lambda: card.coverage.text().startswith("Of another question"))
    assert card.check.isVisible()


def test_a_stream_without_a_table_has_nothing_to_check(qtbot: QtBot, shell: WindowShell) -> None:
    shell.hub.demo_requested.emit()
    page = predict_page(shell)
    shell.show_page(page)
    ask(qtbot, shell)
    for row in list(page.form.rows.values())[:1]:
        if not row.asked.is_wanted:
            click(row.wanted)
    ask(qtbot, shell)
    cards = [card for card in page.answers.cards.values() if isinstance(card, NumberCard)]
    assert cards
    assert not any(card.check.isVisible() for card in cards)
    shell.desk.run.stop()
