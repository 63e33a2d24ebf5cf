"""The button that suggests a width."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from PySide6.QtWidgets import QAbstractButton, QAbstractSpinBox
from pytestqt.qtbot import QtBot

from figmn.choosing import Suggestion
from tests.workbench.hands import click, find, text_of, wait, write
from tests.workbench.parts import stream_page
from tests.workbench.steps import log_text, open_sample
from workbench.window import shell as shells
from workbench.window.shell import WindowShell


def delta(shell: WindowShell) -> float | None:
    return shell.desk.data.choices.parameters.delta


def is_idle(shell: WindowShell) -> bool:
    return not shell.desk.jobs.under_way


def button(shell: WindowShell) -> QAbstractButton:
    return find(shell.window, QAbstractButton, "suggestDelta")


def test_without_data_there_is_nothing_to_suggest(shell: WindowShell) -> None:
    assert not button(shell).isEnabled()
    assert "Load data first" in button(shell).toolTip()
    shell.window.menus["suggestDelta"].trigger()
    assert is_idle(shell)


def test_it_sets_delta_and_says_why(qtbot: QtBot, shell: WindowShell) -> None:
    open_sample(qtbot, shell)
    shell.show_page(stream_page(shell))
    click(shell.window, "suggestDelta")
    wait(qtbot, lambda: delta(shell) is not None)
    reason = text_of(shell.window, "suggestedReason")
    assert f"δ = {delta(shell):g}" in reason
    assert "150 rows" in reason
    assert "probability of the right class" in reason
    assert reason in log_text(shell)
    assert shell.window.form.boxes["delta"].chosen() == delta(shell)


def test_another_value_hides_the_reason(qtbot: QtBot, shell: WindowShell) -> None:
    open_sample(qtbot, shell)
    shell.show_page(stream_page(shell))
    shell.window.menus["suggestDelta"].trigger()
    wait(qtbot, lambda: text_of(shell.window, "suggestedReason"))
    write(find(shell.window, QAbstractSpinBox, "betaBox"), "0.01")
    assert text_of(shell.window, "suggestedReason")
    write(find(shell.window, QAbstractSpinBox, "deltaBox"), "0.123")
    assert not text_of(shell.window, "suggestedReason")


def test_a_suggestion_for_other_data_is_not_applied(
    qtbot: QtBot, shell: WindowShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on, calls = threading.Event(), []

    def slow(*_: Any) -> Suggestion:
        calls.append(1)
        go_on.wait()
        return Suggestion(0.77, "because")

    open_sample(qtbot, shell)
    monkeypatch.setattr(shells, "suggest_width", slow)
    click(shell.window, "suggestDelta")
    click(shell.window, "suggestDelta")
    shell.window.form.boxes["beta"].set_value(0.01)
    shell.window.form.boxes["beta"].commit()
    shell.window.form._collect()
    go_on.set()
    wait(qtbot, lambda: is_idle(shell))
    assert len(calls) == 1
    assert delta(shell) is None
    assert "it was not applied" in log_text(shell)


def test_an_error_is_told_and_it_can_be_asked_again(
    qtbot: QtBot, shell: WindowShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    outcomes: list[ValueError | Suggestion] = [ValueError("the rows are gone"), Suggestion(0.77, "because")]

    def tried(*_: Any) -> Suggestion:
        outcome = outcomes.pop(0)
        if isinstance(outcome, ValueError):
            raise outcome
        return outcome

    open_sample(qtbot, shell)
    monkeypatch.setattr(shells, "suggest_width", tried)
    click(shell.window, "suggestDelta")
    wait(qtbot, lambda: is_idle(shell))
    assert "the rows are gone" in shell.failure
    click(shell.window, "suggestDelta")
    wait(qtbot, lambda: delta(shell) == 0.77)
