"""Steps of a user in the whole window: load, run, export, and read what it says."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from tests.workbench.hands import click, wait
from workbench.pages.data.wiring import DataWiring
from workbench.run import SampleOrigin
from workbench.window.shell import WindowShell


def open_sample(qtbot: QtBot, shell: WindowShell, name: str = "iris") -> None:
    """Load a bundled sample."""
    shell.page(DataWiring).load(SampleOrigin(name))
    wait(qtbot, lambda: shell.desk.data.dataset is not None and shell.desk.data.dataset.title == name)


def run_to_the_end(qtbot: QtBot, shell: WindowShell) -> None:
    """Stream what is loaded."""
    click(shell.window, "streamButton")
    wait(qtbot, lambda: state(shell) == "finished")


def state(shell: WindowShell) -> str | None:
    """Of the run that is shown; None where there is none."""
    return None if shell.desk.run.frame is None else shell.desk.run.frame.state


def n_done(shell: WindowShell) -> int:
    """Samples that the run has learned, as far as it is shown."""
    return 0 if shell.desk.run.frame is None else shell.desk.run.frame.n_done


def log_text(shell: WindowShell) -> str:
    """All messages so far."""
    return shell.window.log.text()


def answer_save(monkeypatch: pytest.MonkeyPatch, shell: WindowShell, path: Path) -> None:
    """The next question for a file to write gets this answer."""
    monkeypatch.setattr(shell.window, "ask_save", lambda *_: str(path))


def threads_of(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str) -> list[threading.Thread]:
    """The threads that call a function from now on."""
    found: list[threading.Thread] = []
    call = getattr(owner, name)

    def noted(*arguments: Any) -> Any:
        found.append(threading.current_thread())
        return call(*arguments)

    monkeypatch.setattr(owner, name, noted)
    return found
