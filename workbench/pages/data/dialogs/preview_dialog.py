"""Preview of the first rows of a file before it is loaded, with the options to read it."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, QTimer
from PySide6.QtWidgets import QCheckBox, QDialog, QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from figmn.system.memory import total_bytes
from workbench.pages.data.dialogs.read_form import ReadForm
from workbench.pages.data.value_table import ValueTable
from workbench.run.recipe.dataset import FileOrigin
from workbench.source import Preview, ReadOptions, SourceError, preview
from workbench.source.table.table import KINDS
from workbench.views.fields.calm_box import CalmBox
from workbench.views.look.background import Background
from workbench.views.look.naming import Label, plain_tip
from workbench.views.look.notice import Notice
from workbench.views.look.theme import GRID, LIGHT, Theme
from workbench.words.sizes import size_text

PAUSE = 250
"""Milliseconds without a change after which the preview is updated."""

NOTEWORTHY = 100e6
"""Peak memory while loading, in bytes, above which it is shown."""


class PreviewDialog(QDialog):
    """Shows the detected options and rows, and reads the preview again when the user changes an option.

    Without `found` it reads the preview itself. A file that cannot be read with the detected options may be readable
    with others, such as an archive of several files.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        found: Preview | SourceError | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Open file")
        self.path = Path(path)
        self._form, self._notice = ReadForm(self.path), Notice()
        self._facts, self._values = Label(), ValueTable(title="FIRST ROWS", with_go_to=False)
        self._column, self._kind = CalmBox(), CalmBox()
        self._stream = QCheckBox("Stream from disk instead of loading (for files larger than memory)")
        self._load, self._cancel = QPushButton("Load"), QPushButton("Cancel")
        self._preview: Preview | None = None
        self._timer = QTimer(self, singleShot=True, interval=PAUSE)
        self._background, self._n_looks = Background(self), 0
        self._name_parts()
        self._connect()
        self._lay_out()
        self.set_theme(LIGHT)
        for part in (self._load, self._column, self._kind, self._stream):
            part.setEnabled(False)
        self.look() if found is None else self._take(found)
        self._load.setFocus()
        self._stream.setChecked(self._preview is not None and self._preview.peak > total_bytes())

    def origin(self) -> FileOrigin:
        """The file, with the options that the user chose."""
        return FileOrigin(str(self.path), self._form.options(), self._stream.isChecked())

    def look(self) -> None:
        """Read the preview again with the user's options; of a large file in a worker thread."""
        self._timer.stop()
        self._background.forget()  # earlier requests had other options
        self._n_looks += 1
        try:
            work = partial(look_at, self.path, self._form.options())
        except SourceError as error:
            self._take(error)
            return
        self._facts.setText("Previewing…")
        self._background.compute(("look", self._n_looks), size_of(self.path), work, self._take)

    def done(self, result: int) -> None:
        """Called by Qt when the dialog closes: cancel a pending preview."""
        self._timer.stop()
        self._background.forget()
        super().done(result)

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self._values.set_theme(theme)
        self._notice.set_theme(theme)

    def _take(self, found: Preview | SourceError) -> None:
        if not isinstance(found, SourceError):
            self._show(found)
            return
        self._notice.show_error(str(found))
        self._load.setEnabled(False)
        if self._preview is None:
            self._facts.setText("This file cannot be read as it is.")
            self._form.show_format("")
        else:
            self._facts.setText(preview_facts(self._preview))

    def _show(self, found: Preview) -> None:
        self._preview = found
        self._notice.clear()
        for part in (self._load, self._column, self._kind, self._stream):
            part.setEnabled(True)
        self._facts.setText(preview_facts(found))
        self._form.show_format(found.format)
        self._form.show_options(found.options)
        self._values.show_table(found.table)
        self._show_columns(found)

    def _show_columns(self, found: Preview) -> None:
        chosen = self._column.currentText()
        with QSignalBlocker(self._column):
            self._column.clear()
            self._column.addItems(list(found.table.names))
            self._column.setCurrentIndex(max(0, self._column.findText(chosen)))
        self._show_kind()

    def _show_kind(self) -> None:
        name = self._column.currentText()
        if self._preview is not None and name in self._preview.table.names:
            found = self._preview.table[name].kind
            self._kind.setCurrentText(self._form.touched.get("kinds", {}).get(name, found))

    def _set_kind(self, kind: str) -> None:
        kinds = {**self._form.touched.get("kinds", {}), self._column.currentText(): kind}
        self._form.touch("kinds", kinds)

    def _wait(self) -> None:
        # The last change is not validated yet: disable loading until the next preview.
        self._load.setEnabled(False)
        self._timer.start()

    def _name_parts(self) -> None:
        self._facts.setObjectName("previewFacts")
        self._facts.setProperty("manner", "muted")
        self._facts.setWordWrap(True)
        self._column.setObjectName("previewColumn")
        self._column.setAccessibleName("Column")
        self._kind.setObjectName("previewKind")
        self._kind.setAccessibleName("Kind of the column")
        self._kind.addItems(list(KINDS))
        self._stream.setObjectName("streamBox")
        self._stream.setToolTip("The rows stay on disk and are read while they are learned; only the first are shown")
        self._load.setObjectName("loadButton")
        self._load.setProperty("manner", "main")
        self._load.setDefault(True)
        self._cancel.setObjectName("cancelButton")

    def _connect(self) -> None:
        self._form.changed.connect(self._wait)
        self._timer.timeout.connect(self.look)
        self._column.currentIndexChanged.connect(self._show_kind)
        self._values.column_clicked.connect(self._column.setCurrentIndex)
        self._kind.activated.connect(lambda: self._set_kind(self._kind.currentText()))
        self._load.clicked.connect(self.accept)
        self._cancel.clicked.connect(self.reject)

    def _lay_out(self) -> None:
        title = Label(self.path.name)
        title.setProperty("manner", "large")
        title.setToolTip(plain_tip(str(self.path)))
        foot = QHBoxLayout()
        foot.setSpacing(GRID)
        foot.addWidget(self._stream)
        foot.addStretch(1)
        foot.addWidget(self._cancel)
        foot.addWidget(self._load)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        layout.setSpacing(GRID)
        layout.addWidget(title)
        layout.addWidget(self._facts)
        layout.addWidget(self._form)
        layout.addWidget(self._notice)
        layout.addWidget(self._values, 1)
        layout.addLayout(self._made_kind_line())
        layout.addLayout(foot)
        self.resize(860, 620)

    def _made_kind_line(self) -> QHBoxLayout:
        words, is_read = Label("Column"), Label("is read as")
        words.setBuddy(self._column)
        is_read.setBuddy(self._kind)
        self._column.setMinimumContentsLength(16)
        hint = Label("A click on a column's name chooses it.")
        hint.setProperty("manner", "small")
        hint.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        line = QHBoxLayout()
        line.setSpacing(GRID)
        for part in (words, self._column, is_read, self._kind):
            line.addWidget(part)
        line.addWidget(hint, 1)
        return line


def look_at(path: str | os.PathLike[str], options: ReadOptions = ReadOptions()) -> Preview | SourceError:
    """Preview of a file, or the error for the dialog to show beside its options."""
    try:
        return preview(path, options)
    except SourceError as error:
        return error


def size_of(path: Path) -> int:
    """Bytes of a file; 0 if it is gone: reading it will report that."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


def preview_facts(found: Preview) -> str:
    """Format, size and memory in one line."""
    rows = f"{'' if found.exact else 'about '}{found.n_rows:,} rows × {len(found.table.columns):,} columns"
    on_the_way = f", up to {size_text(found.peak)} while it is loaded" if found.peak > NOTEWORTHY else ""
    sizes = f"file {size_text(found.file_size)}", f"{size_text(found.memory)} in memory{on_the_way}"
    return " · ".join([found.format, rows, *sizes, *found.table.notes])
