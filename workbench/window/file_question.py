"""Asks for a file to open or to write, in dialogs that are created once."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDialog, QFileDialog, QLineEdit, QWidget


class FileQuestion(QObject):
    """One dialog to open files and one to write them, made when they are first needed and kept.

    Destroying one blocks the GUI thread: Qt writes the dialog's settings to the disk and removes its watch of the
    folder, for which the kernel waits for all cores. On a busy machine that took seconds.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._open: QFileDialog | None = None
        self._save: QFileDialog | None = None

    def ask_open(self, title: str, folder: str, kinds: str) -> str | None:
        """Ask for an existing file; None if the user cancelled."""
        if self._open is None:
            self._open = QFileDialog(self._window)
            self._open.setFileMode(QFileDialog.FileMode.ExistingFile)
        _forget_name(self._open)
        return _ask(self._open, title, folder, kinds)

    def ask_save(self, title: str, path: str, kinds: str) -> str | None:
        """Ask for a file to write; None if the user cancelled."""
        if self._save is None:
            self._save = QFileDialog(self._window)
            self._save.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        self._save.setDefaultSuffix(Path(path).suffix)  # now, so that it asks before replacing a file
        return _ask(self._save, title, str(Path(path).parent), kinds, Path(path).name)


def _ask(dialog: QFileDialog, title: str, folder: str, kinds: str, name: str = "") -> str | None:
    dialog.setWindowTitle(title)
    dialog.setNameFilters(kinds.split(";;"))
    dialog.setDirectory(folder or str(Path.cwd()))  # without a folder Qt would list the drives
    dialog.selectFile(name)
    return dialog.selectedFiles()[0] if dialog.exec() == QDialog.DialogCode.Accepted else None


def _forget_name(dialog: QFileDialog) -> None:
    """Clear the name of the last file; native dialogs of some desktops have no such field."""
    field = dialog.findChild(QLineEdit, "fileNameEdit")
    if isinstance(field, QLineEdit):
        field.clear()
