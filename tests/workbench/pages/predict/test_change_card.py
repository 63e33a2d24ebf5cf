"""What would change an answer, used through the window."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QCheckBox
from pytestqt.qtbot import QtBot

from figmn.answers.counterfactual import Goal, nearest_change
from tests.workbench.hands import choose, click, find, wait, write
from tests.workbench.pages.predict.asking import ask, learned, predict_penguins
from tests.workbench.parts import predict_page
from tests.workbench.steps import open_sample, run_to_the_end
from workbench.run.ask.answer import LabelAnswer, NumberAnswer
from workbench.run.ask.changes import LEAD, FoundChange
from workbench.window.shell import WindowShell


def search(qtbot: QtBot, shell: WindowShell) -> FoundChange:
    """Click on Search, and wait for what is found."""
    desk, card = shell.desk.predict, predict_page(shell).answers.change
    before = desk.change.latest
    click(card.search)
    wait(qtbot, lambda: desk.change.latest is not before and not desk.change.is_under_way)
    assert desk.change.latest is not None
    wait(qtbot, lambda: "Searching" not in card.words.text())
    return desk.change.latest


def test_the_change_is_that_of_the_library(qtbot: QtBot, shell: WindowShell, tmp_path: Path) -> None:
    predict_penguins(qtbot, shell, tmp_path)
    page = predict_page(shell)
    card = page.answers.change
    click(card.fold)
    write(page.form.rows["flipper_length_mm"].field, "190")
    write(page.form.rows["bill_length_mm"].field, "39")
    ask(qtbot, shell)
    click(find(card, QCheckBox, "mayChange0"))  # the bill stays as it is
    choose(card.label, "Gentoo")
    found = search(qtbot, shell)
    assert set(found.values) == {"flipper_length_mm"}
    snapshot, prepared = learned(shell)
    blocks = {block.name: block for block in prepared.encoder.blocks}
    row = np.full(snapshot.n_features, np.nan)
    row[blocks["bill_length_mm"].start] = 39.0
    asked = [blocks["flipper_length_mm"].start, *range(blocks["species"].start, blocks["species"].stop)]
    left = np.flatnonzero(np.isnan(row)).tolist()
    mixture = snapshot.condition(row).marginal([left.index(place) for place in asked])
    goal = Goal(np.array([[-1.0, 0.0, 1.0], [0.0, -1.0, 1.0]]), np.full(2, LEAD))
    flipper = next(one for one in shell.desk.predict.attributes if one.name == "flipper_length_mm")
    low, high, std = (np.array([one]) for one in (flipper.low, flipper.high, blocks["flipper_length_mm"].std[0]))
    expected = nearest_change(mixture, np.array([190.0]), goal, low, high, std)
    assert expected is not None
    assert float(found.values["flipper_length_mm"]) == pytest.approx(expected.values[0], abs=0.11)  # rounded outwards
    assert float(found.values["flipper_length_mm"]) >= expected.values[0] - 1e-6
    text = card.words.text()
    assert text.startswith("flipper_length_mm 190 → ")
    assert "σ) makes it Gentoo (" in text


def test_a_click_sets_the_values(qtbot: QtBot, iris: WindowShell) -> None:
    page = predict_page(iris)
    card = page.answers.change
    write(page.row, "101")
    ask(qtbot, iris)
    click(card.fold)
    found = search(qtbot, iris)
    wait(qtbot, card.use.isVisible)
    click(card.use)
    answer = ask(qtbot, iris)
    (label,) = answer.wanted
    assert isinstance(label, LabelAnswer)
    assert found.values.items() <= answer.question.known.items()
    assert label.attribute.labels[int(label.shares.argmax())] == found.label != "Iris-virginica"
    assert label.shares.max() == pytest.approx(found.figure)
    wait(qtbot, lambda: "Of another question" in card.words.text())
    assert not card.use.isVisible()


def test_a_number_passes_a_threshold(qtbot: QtBot, iris: WindowShell) -> None:
    page = predict_page(iris)
    card = page.answers.change
    click(page.form.rows["class"].wanted)
    click(page.form.rows["sepallength"].wanted)
    write(page.form.rows["petallength"].field, "4")
    ask(qtbot, iris)
    click(card.fold)
    assert card.threshold.isVisible()
    write(card.threshold, "abc", key=None)
    click(card.search)
    assert "Write the number" in card.problem.text()
    assert not iris.desk.predict.change.is_under_way
    write(card.threshold, "6.5", key=None)
    search(qtbot, iris)
    assert "makes the mean of sepallength" in card.words.text()
    click(card.use)
    (number,) = ask(qtbot, iris).wanted
    assert isinstance(number, NumberAnswer)
    assert number.mean >= 6.5
    write(card.threshold, "60", key=None)
    search(qtbot, iris)
    assert "no change of these values makes the mean pass 60" in card.words.text()
    assert not card.use.isVisible()


def test_nothing_known_is_said(iris: WindowShell) -> None:
    card = predict_page(iris).answers.change
    click(card.fold)
    assert "Nothing is known" in card.words.text()
    assert not card.search.isEnabled()


def test_nothing_may_change_is_told(qtbot: QtBot, iris: WindowShell) -> None:
    page = predict_page(iris)
    card = page.answers.change
    click(card.fold)
    write(page.form.rows["petallength"].field, "4")
    ask(qtbot, iris)
    wait(qtbot, find(card, QCheckBox, "mayChange0").isVisible)
    click(find(card, QCheckBox, "mayChange0"))
    click(card.search)
    wait(qtbot, lambda: "No value may change" in page.notice.text())
    wait(qtbot, lambda: not iris.desk.predict.change.is_under_way)


def test_of_many_changes_the_largest_are_named(qtbot: QtBot, shell: WindowShell) -> None:
    open_sample(qtbot, shell, "digits")
    run_to_the_end(qtbot, shell)
    page = predict_page(shell)
    shell.show_page(page)
    ask(qtbot, shell)
    write(page.row, "5")
    ask(qtbot, shell)
    click(page.answers.change.fold)
    found = search(qtbot, shell)
    assert len(found.values) > 6
    words = page.answers.change.words.text()
    assert words.count("→") == 6
    assert f"and {len(found.values) - 6} smaller change" in words
    largest = max(found.shifts, key=lambda name: abs(found.shifts[name]))
    assert words.startswith(largest)
