"""For tests of the window: settings of their own, and a window that is closed at the end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from pytestqt.qtbot import QtBot

from workbench import application
from workbench.settings import FILE_VARIABLE
from workbench.wiring import Wiring


@pytest.fixture
def wiring(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Wiring]:
    """A whole window on a screen that nobody sees."""
    monkeypatch.setenv(FILE_VARIABLE, str(tmp_path / "settings.ini"))
    _, found = application.make(application.Start(theme="light", size=(1280, 800)))
    found.window.show()
    qtbot.waitExposed(found.window)
    yield found
    found.window.close()
    found.window.deleteLater()
    # No event loop runs between two tests: windows would pile up, and every new look be given to all of them.
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
