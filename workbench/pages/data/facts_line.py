"""One line about a dataset: name, size, missing values, memory, and notes of its reader."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from workbench.run.recipe.dataset import Dataset
from workbench.source import Table
from workbench.source.read.reader import memory_estimate
from workbench.views.look.background import Background
from workbench.views.look.naming import Label, plain_tip
from workbench.views.look.theme import GRID
from workbench.words.counts import counted
from workbench.words.sizes import size_text


class FactsLine(QWidget):
    """The name in bold, then the facts, and notes that unfold."""

    def __init__(self, background: Background | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._background = background or Background(self)
        self._dataset: Dataset | None = None
        self._name, self._facts, self._notes = Label(), Label(), Label()
        self._more = QToolButton()
        self._lay_out()

    def show_dataset(self, dataset: Dataset) -> None:
        """Show the facts of a dataset."""
        self._dataset, table = dataset, dataset.table
        self._name.setText(dataset.title)
        notes = dataset.table.notes
        self._notes.setText("\n".join(notes))
        self._more.setText(counted(len(notes), "note"))
        self._more.setVisible(bool(notes))
        self._notes.setVisible(bool(notes) and self._more.isChecked())
        self._write("counting missing values")
        n_values = table.n_rows * len(table.columns)
        count = partial(getattr, table, "n_missing")
        self._background.compute(("missing", table), n_values, count, partial(self._tell, table))

    def _tell(self, table: Table, n_missing: int) -> None:
        if self._dataset is not None and self._dataset.table is table:
            self._write(counted(n_missing, "missing value") if n_missing else "no missing values")

    def _write(self, missing: str) -> None:
        assert self._dataset is not None
        text = dataset_facts(self._dataset, missing)
        self._facts.setText(text)
        self._facts.setToolTip(plain_tip(text))

    def _lay_out(self) -> None:
        self._name.setProperty("manner", "large")
        self._name.setObjectName("datasetName")
        self._facts.setProperty("manner", "muted")
        self._facts.setObjectName("datasetFacts")
        self._facts.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._notes.setProperty("manner", "muted")
        self._notes.setObjectName("datasetNotes")
        self._notes.setWordWrap(True)
        self._more.setObjectName("notesButton")
        self._more.setCheckable(True)
        self._more.setToolTip("What was detected or decided while the data was read")
        self._more.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._more.toggled.connect(self._notes.setVisible)
        line = QHBoxLayout()
        line.setSpacing(GRID + GRID // 2)
        for part, stretch in ((self._name, 0), (self._facts, 1), (self._more, 0)):
            line.addWidget(part, stretch)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID, GRID, 2 * GRID, GRID)
        layout.setSpacing(GRID // 2)
        layout.addLayout(line)
        layout.addWidget(self._notes)


def dataset_facts(dataset: Dataset, missing: str) -> str:
    """Size, weights, completeness and memory in one line."""
    table = dataset.table
    rows, columns = counted(table.n_rows, "row"), counted(len(table.columns), "column")
    size = f"{rows} × {columns}"
    if not dataset.is_whole:
        whole = "an endless stream" if dataset.is_endless else "a file that is streamed from disk"
        size = f"{columns}, first {rows} of {whole}"
    weights = [f"row weights {table.weight_range}"] if table.weight_range else []
    return " · ".join([size, *weights, missing, size_text(memory_estimate(table, table.n_rows))])
