"""The options that apply to a file's format, filled in with the detected values."""

from __future__ import annotations

import html
import re
import zipfile
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QGridLayout, QLineEdit, QSpinBox, QWidget

from workbench.source import ReadOptions
from workbench.source.read.opening import open_raw
from workbench.views.fields.calm_box import CalmBox
from workbench.views.look.naming import Label
from workbench.views.look.theme import GRID

TEXT = ("delimiter", "decimal", "header", "skip_lines", "quote", "encoding", "missing", "bad_lines")
MATTERS = {
    "CSV": TEXT,
    "Excel": ("header", "skip_lines", "missing"),
    "ARFF": ("encoding", "bad_lines"),
    "JSON": ("encoding",),
}
"""Options by format; the other formats need none."""
CHOICES: dict[str, dict[Any, str]] = {
    "delimiter": {",": "comma ,", ";": "semicolon ;", "\t": "tab", "|": "bar |", " ": "blanks"},
    "decimal": {".": "point .", ",": "comma ,"},
    "quote": {'"': 'double "', "'": "single '", None: "none"},
    "encoding": {"utf-8": "utf-8", "utf-16": "utf-16", "latin-1": "latin-1", "cp1252": "cp1252"},
    "bad_lines": {"stop": "stop and say where", "skip": "skip them"},
}
OPEN = {"delimiter", "quote", "encoding", "member"}
"""Combo boxes that also take typed text."""
LABELS = {
    "delimiter": "Delimiter",
    "decimal": "Decimal sign",
    "header": "Names",
    "skip_lines": "Lines to skip",
    "quote": "Quotes",
    "encoding": "Encoding",
    "missing": "Missing values",
    "bad_lines": "Bad lines",
    "member": "Member",
}
TIPS = {
    "delimiter": "The character between two values; any other can be typed",
    "decimal": "The decimal separator",
    "header": "Whether the first line has the column names",
    "skip_lines": "Lines above the names or the first row, such as a title",
    "quote": "The quote character around values that contain the delimiter",
    "encoding": "Character encoding of the file; any other name can be typed",
    "missing": "Texts that are read as missing, separated by commas; an empty field always is",
    "bad_lines": "What to do with a line that has too few or too many values",
    "member": "Which file of an archive, sheet of a workbook or array of an archive",
}
ACROSS = 3
"""Options per line."""


class ReadForm(QWidget):
    """Keeps the options that the user changed; all others are still detected."""

    changed = Signal()

    def __init__(self, path: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.touched: dict[str, Any] = {}
        self._parts = parts_of(path)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(GRID)
        self._grid.setVerticalSpacing(GRID)
        self._fields: dict[str, QWidget] = {}
        self._labels: dict[str, Label] = {}
        for name in LABELS:
            self._add(name, self._made(name))
        self.show_format("")

    def options(self) -> ReadOptions:
        """The options that the user changed; raises SourceError if they are invalid."""
        return ReadOptions(**self.touched)

    def touch(self, name: str, value: Any) -> None:
        """Set an option as the user's choice."""
        self.touched[name] = value
        self.changed.emit()

    def show_format(self, name: str) -> None:
        """Show the options that apply to a format."""
        matters = (*MATTERS.get(name, ()), *(["member"] if self._parts or name == "Excel" else []))
        for field in self._fields:
            self._grid.removeWidget(self._labels[field])
            self._grid.removeWidget(self._fields[field])
            self._labels[field].setVisible(field in matters)
            self._fields[field].setVisible(field in matters)
        for place, field in enumerate(matters):
            line, across = divmod(place, ACROSS)
            self._grid.addWidget(self._labels[field], line, 2 * across)
            self._grid.addWidget(self._fields[field], line, 2 * across + 1)
        for across in range(ACROSS):
            self._grid.setColumnStretch(2 * across + 1, 1)

    def show_options(self, options: ReadOptions) -> None:
        """Fill in the detected values; options that the user changed stay."""
        for name, field in self._fields.items():
            if name not in self.touched:
                with QSignalBlocker(field):
                    _fill(field, getattr(options, name))

    def _add(self, name: str, field: QWidget) -> None:
        label = Label(LABELS[name], self)
        label.setBuddy(field)
        field.setParent(self)  # not by the layout alone: a field that no format shows would have no parent and leak
        field.setObjectName("option" + "".join(part.capitalize() for part in name.split("_")))
        field.setAccessibleName(LABELS[name])
        field.setToolTip(TIPS[name])
        self._labels[name], self._fields[name] = label, field

    def _made(self, name: str) -> QWidget:
        if name == "header":
            tick = QCheckBox("first line has names")
            tick.toggled.connect(lambda on: self.touch(name, on))
            return tick
        if name == "skip_lines":
            count = QSpinBox()
            count.setRange(0, 1_000_000)
            count.setAlignment(Qt.AlignmentFlag.AlignRight)
            count.valueChanged.connect(lambda lines: self.touch(name, lines))
            return count
        if name == "missing":
            texts = QLineEdit()
            texts.textEdited.connect(lambda text: self.touch(name, missing_texts(text)))
            return texts
        return self._made_box(name)

    def _made_box(self, name: str) -> QComboBox:
        box = CalmBox()
        for value, words in CHOICES.get(name, dict(zip(self._parts, self._parts, strict=True))).items():
            box.addItem(words, value)
        if name in OPEN:
            box.setEditable(True)
            line = box.lineEdit()
            assert line is not None
            line.setPlaceholderText("choose" if name == "member" else "")
            box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
            # A completer would change the text that was typed.
            box.setCompleter(None)  # type: ignore[arg-type]
            line.textEdited.connect(lambda text: self.touch(name, _value(box, text)))
        if name == "member":
            box.setCurrentIndex(-1)
        box.activated.connect(lambda: self.touch(name, _value(box, box.currentText())))
        return box


def missing_texts(text: str) -> tuple[str, ...]:
    """Texts separated by commas, and the empty text.

    >>> missing_texts("?, NA")
    ('', '?', 'NA')
    """
    return ("", *(part for part in (piece.strip() for piece in text.split(",")) if part))


def parts_of(path: Path) -> list[str]:
    """Members of an archive or sheets of a workbook, from its table of contents; empty for other files."""
    try:
        with open_raw(path) as file, zipfile.ZipFile(file) as archive:
            names = [name for name in archive.namelist() if not name.endswith("/")]
            if "xl/workbook.xml" in names:
                sheets = re.findall(r'<(?:\w+:)?sheet [^>]*?name="([^"]*)"', archive.read("xl/workbook.xml").decode())
                return [html.unescape(sheet) for sheet in sheets]
    except (OSError, ValueError, zipfile.BadZipFile):
        return []
    if "content.xml" in names:
        return []
    arrays = all(name.endswith(".npy") for name in names)
    return [name.removesuffix(".npy") for name in names] if arrays else names


def _fill(field: QWidget, value: Any) -> None:
    if isinstance(field, QCheckBox):
        field.setChecked(bool(value))
    elif isinstance(field, QSpinBox):
        field.setValue(value or 0)
    elif isinstance(field, QLineEdit):
        field.setText(", ".join(text for text in value if text))
        field.setCursorPosition(0)
    elif isinstance(field, QComboBox):
        place = field.findData(value)
        if place >= 0:
            field.setCurrentIndex(place)
        elif field.isEditable():
            field.setCurrentIndex(-1)
            field.setEditText("" if value is None else str(value))


def _value(box: QComboBox, text: str) -> Any:
    """The value of the text in a combo box: that of a listed choice, or the text itself."""
    place = box.findText(text)
    return box.itemData(place) if place >= 0 else text or None
