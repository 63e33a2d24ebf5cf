"""What to ask next, used through the window."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from figmn.answers.information import information
from figmn.answers.variables import Variable
from tests.workbench.hands import click, find, wait, write
from tests.workbench.pages.predict.asking import ask, learned, predict_penguins
from tests.workbench.parts import predict_page
from workbench.run.ask.next_questions import NextQuestions
from workbench.window.shell import WindowShell


def rank(qtbot: QtBot, shell: WindowShell) -> NextQuestions:
    """The ranking of the present question."""
    desk = shell.desk.predict
    wait(qtbot, lambda: desk.next.latest is not None and desk.next.latest.question == desk.question)
    assert desk.next.latest is not None
    wait(qtbot, lambda: not predict_page(shell).answers.next.again.isVisible())
    return desk.next.latest


def test_the_ranking_is_that_of_the_library(qtbot: QtBot, shell: WindowShell, tmp_path: Path) -> None:
    predict_penguins(qtbot, shell, tmp_path)
    page = predict_page(shell)
    write(page.form.rows["flipper_length_mm"].field, "205")
    ask(qtbot, shell)
    click(page.answers.next.fold)
    found = rank(qtbot, shell)
    snapshot, prepared = learned(shell)
    row = np.full(snapshot.n_features, np.nan)
    row[prepared.encoder.block("flipper_length_mm").start] = 205.0
    given, left = snapshot.condition(row), np.flatnonzero(np.isnan(row)).tolist()

    def variable(name: str) -> Variable:
        block = prepared.encoder.block(name)
        columns = tuple(left.index(place) for place in range(block.start, block.stop))
        return Variable(columns, len(block.labels))

    assert {gain.attribute for gain in found.gains} == {"bill_length_mm", "bill_depth_mm", "body_mass_g", "sex"}
    for gain in found.gains:
        expected = information(given, variable("species"), variable(gain.attribute)).bits
        assert gain.bits == pytest.approx(expected, abs=1e-9)
    assert "Bits by which each open attribute" in page.answers.next.words.text()
    assert found.gains[0].bits > 0.1


def test_a_click_makes_it_known(qtbot: QtBot, iris: WindowShell) -> None:
    page = predict_page(iris)
    card = page.answers.next
    click(card.fold)
    first = rank(qtbot, iris).gains[0].attribute
    wait(qtbot, find(card, QPushButton, "know1").isVisible)
    click(card, "know1")
    assert list(ask(qtbot, iris).question.known) == [first]
    wait(qtbot, card.again.isVisible)
    assert "Of another question" in card.words.text()
    click(card.again)
    assert first not in {gain.attribute for gain in rank(qtbot, iris).gains}


def test_costs_change_the_order(qtbot: QtBot, iris: WindowShell) -> None:
    card = predict_page(iris).answers.next
    click(card.fold)
    rank(qtbot, iris)
    dearest = card.ordered()[0].attribute
    write(find(card, QLineEdit, "cost1"), "1000")
    assert card.ordered()[-1].attribute == dearest
    assert card.costs == {dearest: 1000.0}
    write(find(card, QLineEdit, "cost1"), "-3")
    assert "must be a positive number" in card.words.text()
    assert card.costs == {dearest: 1000.0}


def test_everything_known_leaves_nothing_to_ask(qtbot: QtBot, iris: WindowShell) -> None:
    page = predict_page(iris)
    write(page.row, "101")
    ask(qtbot, iris)
    click(page.answers.next.fold)
    assert not rank(qtbot, iris).gains
    wait(qtbot, lambda: "No open attribute can tell" in page.answers.next.words.text())


def test_another_run_forgets_the_ranking(qtbot: QtBot, iris: WindowShell) -> None:
    page = predict_page(iris)
    click(page.answers.next.fold)
    rank(qtbot, iris)
    iris.hub.run_requested.emit()
    iris.show_page(page)
    wait(qtbot, lambda: iris.desk.predict.next.latest is None)
    ask(qtbot, iris)
    wait(qtbot, lambda: "Not ranked yet" in page.answers.next.words.text())
