"""Asks for a file to open or to write, in dialogs that are made once."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDialog, QFileDialog, QLineEdit, QWidget


class FileQuestion(QObject):
    """One dialog to open files and one to write them, made when they are first needed and kept.

    To destroy one keeps the window's thread waiting: Qt writes its notes of the dialog to the disk, and stops watching
    the folder, for which the kernel waits until all cores have let go of it. On a busy machine that took seconds.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._open: QFileDialog | None = None
        self._save: QFileDialog | None = None

    def ask_open(self, title: str, folder: str, kinds: str) -> str | None:
        """A file that exists; None if the user cancelled."""
        if self._open is None:
            self._open = QFileDialog(self._window)
            self._open.setFileMode(QFileDialog.FileMode.ExistingFile)
        _forget_name(self._open)
        return _ask(self._open, title, folder, kinds)

    def ask_save(self, title: str, path: str, kinds: str) -> str | None:
        """A file to write; None if the user cancelled."""
        if self._save is None:
            self._save = QFileDialog(self._window)
            self._save.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        self._save.setDefaultSuffix(Path(path).suffix)  # before it asks whether to replace a file, not after
        return _ask(self._save, title, str(Path(path).parent), kinds, Path(path).name)


def _ask(dialog: QFileDialog, title: str, folder: str, kinds: str, name: str = "") -> str | None:
    dialog.setWindowTitle(title)
    dialog.setNameFilters(kinds.split(";;"))
    dialog.setDirectory(folder or str(Path.cwd()))  # without one Qt would list the drives
    dialog.selectFile(name)
    return dialog.selectedFiles()[0] if dialog.exec() == QDialog.DialogCode.Accepted else None


def _forget_name(dialog: QFileDialog) -> None:
    """The file of the last time; the dialogs of some desktops have no field of Qt's."""
    field = dialog.findChild(QLineEdit, "fileNameEdit")
    if isinstance(field, QLineEdit):
        field.clear()
