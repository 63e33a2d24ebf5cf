"""Questions to the user: a dialog is shown until it is answered, and is gone afterwards."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtWidgets import QDialog
from shiboken6 import isValid

Accepted = TypeVar("Accepted")


def ask(dialog: QDialog, answer: Callable[[], Accepted]) -> Accepted | None:
    """Show a dialog until it is closed; what `answer` says where it was accepted, None otherwise.

    A closed dialog is only hidden, and would live as long as its parent: with all its widgets, timers and shortcuts.
    """
    try:
        return answer() if dialog.exec() == QDialog.DialogCode.Accepted else None
    finally:
        if isValid(dialog):  # the program may have ended meanwhile, and its windows with it
            dialog.deleteLater()


def tell(dialog: QDialog) -> None:
    """Show a dialog that has nothing to answer."""
    ask(dialog, lambda: None)
