"""The test options: on which rows methods are tested."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QGridLayout,
    QPushButton,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from workbench.evaluate.trial.plan import (
    MOST_FOLDS,
    MOST_REPEATS,
    Folds,
    Prequential,
    Split,
    SuppliedFile,
    TestOption,
    TrainingSet,
)
from workbench.run.recipe.dataset import FileOrigin
from workbench.views.fields.calm_spin import CalmCount, CalmNumber
from workbench.views.look.layouts import label_for
from workbench.views.look.naming import named, one_line, plain_tip
from workbench.views.look.theme import GRID
from workbench.words.sentences import UserError, shortened

MOST_ROWS = 10_000_000
LONGEST_NAME = 24
"""Characters of a file's name on its button."""
OPTIONS: dict[str, tuple[str, str]] = {
    "training": (
        "Training set",
        "Learn all rows, and test the same rows: figures look better than they are on new rows",
    ),
    "file": ("Supplied file", "Learn all rows, and test those of another file with the same columns"),
    "folds": (
        "Cross-validation",
        "Every row is tested once in every repeat, by a model that has not learned it; every class is spread evenly",
    ),
    "split": ("Percentage split", "Learn a share of the rows, and test the rest"),
    "prequential": (
        "Prequential",
        "Test every row before it is learned, in the order of the stream, as MOA does",
    ),
}


class OptionForm(QWidget):
    """Radio buttons, with the fields of the chosen option under it."""

    changed = Signal()
    file_requested = Signal()
    """The user wants to choose the file to test."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._file: str | None = None
        self.group = QButtonGroup(self)
        self.buttons = {
            key: named(QRadioButton(text), f"option{key.capitalize()}", tip=tip) for key, (text, tip) in OPTIONS.items()
        }
        self._make_fields()
        self._lay_out()
        self.buttons["folds"].setChecked(True)
        self.group.buttonToggled.connect(lambda _, is_on: self._show_fields() if is_on else None)
        self.file.clicked.connect(self.file_requested)
        self.ordered.toggled.connect(lambda is_on: self.split_repeats.setEnabled(not is_on))
        self._show_fields()

    @property
    def key(self) -> str:
        """Name of the chosen option."""
        return next(key for key, button in self.buttons.items() if button.isChecked())

    def option(self) -> TestOption:
        """The chosen option; UserError where it has no file yet."""
        key = self.key
        if key == "training":
            return TrainingSet()
        if key == "folds":
            return Folds(self.folds.value(), self.repeats.value())
        if key == "split":
            is_ordered = self.ordered.isChecked()
            return Split(self.share.value() / 100, 1 if is_ordered else self.split_repeats.value(), is_ordered)
        if key == "prequential":
            return Prequential(self.window_rows.value(), self.fading.value(), self.delay.value())
        if self._file is None:
            raise UserError("No file to test was chosen: choose one beside Supplied file.")
        return SuppliedFile(FileOrigin(self._file))

    def set_file(self, path: str) -> None:
        """Test the rows of this file."""
        self._file = path
        self.file.setText(shortened(one_line(Path(path).name), LONGEST_NAME).replace("&", "&&"))  # no mnemonic
        self.file.setToolTip(plain_tip(path))
        self.buttons["file"].setChecked(True)
        self.changed.emit()

    def _make_fields(self) -> None:
        self.file = named(QPushButton("Choose…"), "optionFilePath", "file to test", "Choose the file to test")
        self.folds = _count("optionFoldCount", "folds", 2, MOST_FOLDS, 10, "Parts into which the rows are divided")
        self.repeats = _count("optionRepeats", "repeats", 1, MOST_REPEATS, 1, "Whole tests, each with other folds")
        self.share = named(CalmNumber(0.1, 99.9, 66.0, 1), "optionShare", "share of the rows that is learned")
        self.share.setSuffix(" %")
        self.split_repeats = _count(
            "optionSplitRepeats", "repeats", 1, MOST_REPEATS, 1, "Whole tests, each with other rows"
        )
        self.ordered = named(
            QCheckBox("keep the order"),
            "optionOrdered",
            tip="Learn the first rows, test the last ones",
        )
        self.window_rows = _count(
            "optionWindow", "rows of the window", 1, MOST_ROWS, 200, "Latest rows over which figures are taken"
        )
        self.fading = named(
            CalmNumber(0.000001, 0.999999, 0.995, 6),
            "optionFading",
            "fading factor",
            "Weight of a row relative to the row after it",
        )
        self.fading.setSingleStep(0.001)
        self.delay = _count(
            "optionDelay", "rows of delay", 0, MOST_ROWS, 0, "Rows after which the target becomes known and is learned"
        )

    def _lay_out(self) -> None:
        self._fields: dict[str, QWidget] = {
            "file": _lines(("Rows of", self.file)),
            "folds": _lines(("Folds", self.folds), ("Repeats", self.repeats)),
            "split": _lines(("Learn", self.share), ("Repeats", self.split_repeats), ("", self.ordered)),
            "prequential": _lines(("Window", self.window_rows), ("Fading", self.fading), ("Delay", self.delay)),
        }
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID // 2)
        for key, button in self.buttons.items():
            self.group.addButton(button)
            layout.addWidget(button)
            if key in self._fields:
                layout.addWidget(self._fields[key])

    def _show_fields(self) -> None:
        for key, fields in self._fields.items():
            fields.setVisible(key == self.key)
        for button in self.buttons.values():  # the Tab key meets the chosen one, the arrows choose another
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus if button.isChecked() else Qt.FocusPolicy.ClickFocus)
        self.changed.emit()


def _lines(*fields: tuple[str, QWidget]) -> QWidget:
    """Fields under each other, indented below their button."""
    box = QWidget()
    grid = QGridLayout(box)
    grid.setContentsMargins(3 * GRID, 0, 0, GRID // 2)
    grid.setHorizontalSpacing(GRID)
    grid.setVerticalSpacing(GRID // 2)
    grid.setColumnStretch(1, 1)
    for row, (text, field) in enumerate(fields):
        if text:
            grid.addWidget(label_for(text, field), row, 0)
        grid.addWidget(field, row, 1)
    return box


def _count(name: str, spoken: str, low: int, high: int, value: int, tip: str) -> CalmCount:
    return named(CalmCount(low, high, value), name, spoken, tip)
