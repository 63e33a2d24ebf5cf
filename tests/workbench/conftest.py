"""For tests of the window: settings of their own, a window that is closed at the end, and nothing left behind."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.workbench import leaks
from workbench.window import application
from workbench.window.settings import FILE_VARIABLE
from workbench.window.shell import WindowShell


@pytest.fixture(autouse=True)
def garbage_waits() -> Iterator[None]:
    """No garbage is collected within a test: in the middle of one of Qt's calls that stood still for ever, once."""
    gc.disable()
    yield
    gc.enable()


@pytest.fixture(autouse=True)
def nothing_is_left(garbage_waits: None) -> Iterator[None]:  # noqa: ARG001 - enabled again after this has looked
    """A widget or a timer of one test is not met by the next."""
    with leaks.nothing_left():
        yield


@pytest.fixture
def shell(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[WindowShell]:
    """A whole window on a screen that nobody sees, at unlimited speed: nobody watches."""
    monkeypatch.setenv(FILE_VARIABLE, str(tmp_path / "settings.ini"))
    _, found = application.make(application.Start(theme="light", size=(1280, 800)))
    found.hub.speed_requested.emit(None)
    found.window.show()
    qtbot.waitExposed(found.window)
    yield found
    found.window.close()
    found.window.deleteLater()
