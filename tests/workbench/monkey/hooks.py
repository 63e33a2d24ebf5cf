"""Hooks for everything that goes wrong unseen: errors in slots and threads, Qt's warnings, writes elsewhere."""

from __future__ import annotations

import builtins
import faulthandler
import os
import sys
import tempfile
import threading
import traceback
import warnings
from pathlib import Path
from types import TracebackType
from typing import Any

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

from tests.workbench.monkey.findings import Journal
from workbench.window.shell import WindowShell

OF_THE_PLATFORM = ("This plugin does not support",)
"""What a screen that nobody sees says of itself, whatever the program does."""
TOLD = {
    "DecodeError", "FileFormatError", "MemoryError", "OSError", "OptionError", "RecipeError", "SourceError",
    "UserError", "ValueError", "WrongWidthError",
}  # fmt: skip
"""Errors that are meant to be told in words."""
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def install(journal: Journal, folder: Path) -> None:
    """Before the application is made."""
    faulthandler.enable(journal.faults, all_threads=True)
    threading.excepthook = lambda found: _find_error(
        journal, f"error in thread {found.thread and found.thread.name}", found.exc_value
    )
    sys.unraisablehook = lambda found: _find_error(journal, "unraisable error", found.exc_value)
    warnings.simplefilter("always")
    warnings.showwarning = lambda message, category, *_, **__: journal.find(
        "Python warning", f"{category.__name__}: {message}", traceback.extract_stack()[:-1]
    )
    qInstallMessageHandler(lambda *found: _hear_qt(journal, *found))
    _watch_files(journal, folder)


def watch(journal: Journal, shell: WindowShell) -> None:
    """When the window is there: errors in slots, and errors that it calls unforeseen."""
    tell, note = sys.excepthook, shell.note
    found: list[str] = []

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        found.append(str(error))
        _find_error(journal, "unhandled exception", error)
        tell(kind, error, trace)

    def watched(level: Any, text: str, details: str = "") -> None:
        if level == "error" and not (found and found[-1] in text):  # what was found already is told as well
            journal.say(f"told: {text}")
            _judge(journal, text, details)
        note(level, text, details)

    sys.excepthook = hook
    shell.note = watched  # type: ignore[method-assign]


def _judge(journal: Journal, text: str, details: str) -> None:
    """An error that is told without being meant for a person is a finding."""
    kind = details.rstrip().rsplit("\n", 1)[-1].split(":")[0].rsplit(".", 1)[-1]
    if text.startswith("Unexpected error") or (details and not _is_told(kind)):
        journal.find("unforeseen error", f"{text}\n{details}")


def _is_told(name: str) -> bool:
    kind = getattr(builtins, name, None)
    return name in TOLD or (isinstance(kind, type) and issubclass(kind, OSError))


def _find_error(journal: Journal, kind: str, error: BaseException | None) -> None:
    frames = traceback.extract_tb(error.__traceback__) if error is not None else []
    journal.find(kind, f"{type(error).__name__}: {error}", frames)


def _hear_qt(journal: Journal, kind: QtMsgType, _: QMessageLogContext, text: str) -> None:
    if kind in {QtMsgType.QtDebugMsg, QtMsgType.QtInfoMsg} or text.startswith(OF_THE_PLATFORM):
        return
    journal.find(f"Qt {kind.name}", text, traceback.extract_stack()[:-2])


def _watch_files(journal: Journal, folder: Path) -> None:
    """A file that is opened for writing outside of the folder is a finding, bytecode and compiled kernels apart."""
    allowed = (str(folder), "/dev/", "/proc/", str(Path(tempfile.gettempdir()) / "figmn"))

    def look(event: str, details: tuple[Any, ...]) -> None:
        if event != "open" or not isinstance(details[0], str) or not (details[2] or 0) & WRITING:
            return
        path = os.path.abspath(details[0])
        if not path.startswith(allowed) and "__pycache__" not in path:
            journal.find("written elsewhere", path, traceback.extract_stack()[:-1])

    sys.addaudithook(look)
