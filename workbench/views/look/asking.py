"""Modal dialogs: shown until answered, deleted afterwards."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtWidgets import QDialog
from shiboken6 import isValid

Accepted = TypeVar("Accepted")


def ask(dialog: QDialog, answer: Callable[[], Accepted]) -> Accepted | None:
    """Show a dialog until it is closed; return `answer()` where it was accepted, None otherwise.

    A closed dialog is only hidden: it would live as long as its parent, with its widgets, timers and shortcuts.
    """
    try:
        return answer() if dialog.exec() == QDialog.DialogCode.Accepted else None
    finally:
        if isValid(dialog):  # the program may have ended meanwhile, and its windows with it
            dialog.deleteLater()


def tell(dialog: QDialog) -> None:
    """Show a dialog that returns nothing."""
    ask(dialog, lambda: None)
