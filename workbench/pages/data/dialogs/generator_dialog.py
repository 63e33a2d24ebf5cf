"""Synthetic rows: choose a generator and its settings, with a live preview."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from figmn.system.memory import total_bytes
from workbench.pages.data.cell_delegate import CellDelegate
from workbench.pages.data.class_legend import ClassLegend
from workbench.pages.data.dialogs.generator_form import GeneratorForm
from workbench.pages.data.dialogs.points_plot import PointsPlot
from workbench.run.recipe.dataset import GeneratorOrigin
from workbench.source import GENERATORS, Generator, SourceError, Table
from workbench.source.read.reader import memory_estimate
from workbench.views.look.naming import Label, set_property
from workbench.views.look.theme import GRID, LIGHT, Theme
from workbench.words.sizes import size_text

SHOWN, PROBED = 1500, 80
"""Rows in the preview; wide generators get fewer, about one of the blocks in which rows are generated."""
WIDE = 200
"""Columns from which a generator counts as wide."""
MOST_ROWS = 100_000_000
PAUSE = 20
"""Milliseconds from a change to the update of the preview."""
MOST_NAMED = 10


class GeneratorDialog(QDialog):
    """List of generators, settings of the chosen one, and a plot of its first rows."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Generator")
        self._list, self._forms = QListWidget(), QStackedWidget()
        self._cells = CellDelegate(self._list)
        self._title, self._description = Label(), Label()
        self._rows, self._endless = QSpinBox(), QCheckBox("endless stream")
        self._words, self._note = Label(), Label()
        self._plot, self._legend = PointsPlot(), ClassLegend()
        self._load, self._cancel = QPushButton("Load"), QPushButton("Cancel")
        self._timer = QTimer(self, singleShot=True, interval=PAUSE)
        self._name_parts()
        self._lay_out()
        self._fill()
        self._connect()
        self._list.setCurrentRow(0)
        self.set_theme(LIGHT)

    def origin(self) -> GeneratorOrigin:
        """The chosen generator with the chosen number of rows."""
        return GeneratorOrigin(self._form().generator(), self._rows.value(), self._endless.isChecked())

    def accept(self) -> None:
        """Commit pending edits, and close if they are valid."""
        self._form().commit()
        self._follow()
        if self._load.isEnabled():
            super().accept()

    def choose(self, kind: type[Generator]) -> None:
        """Select a generator."""
        self._list.setCurrentRow(GENERATORS.index(kind))

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self._cells.set_theme(theme)
        self._plot.set_theme(theme)
        self._legend.set_theme(theme)
        for place in range(self._forms.count()):
            self._form_at(place).set_theme(theme)

    def _form(self) -> GeneratorForm:
        return self._form_at(self._forms.currentIndex())

    def _form_at(self, place: int) -> GeneratorForm:
        scroll = self._forms.widget(place)
        assert isinstance(scroll, QScrollArea)
        form = scroll.widget()
        assert isinstance(form, GeneratorForm)
        return form

    def _choose(self, place: int) -> None:
        kind = GENERATORS[place]
        self._forms.setCurrentIndex(place)
        self._title.setText(kind.title)
        self._description.setText(kind.description)
        self._follow()

    def _wait(self) -> None:
        # Not connected to `start` directly, which would take the signal's number of rows for an interval.
        self._timer.start()

    def _follow(self) -> None:
        """Draw the first rows, or show the error."""
        self._timer.stop()
        try:
            if problem := self._form().problem():
                raise SourceError("{problem}. Correct the marked setting.", problem=problem.rstrip("."))
            generator = self._form().generator()
            table = first_rows(generator)
            self._require_memory(table)
        except SourceError as error:
            self._say(str(error), wrong=True)
            return
        self._say(self._size_words(table), wrong=False)
        self._draw(table)

    def _draw(self, table: Table) -> None:
        x, y, names = columns_drawn(table)
        label = next((column for column in table if column.kind == "nominal"), None)
        codes = np.full(table.n_rows, -1) if label is None else label.values
        self._plot.set_points(x, y, codes)
        self._plot.fit(x, y)
        self._plot.set_names(*names)
        self._note.setText(picture_words(table, names))
        self._legend.show_labels(label.labels if label is not None and len(label.labels) <= MOST_NAMED else ())

    def _say(self, words: str, wrong: bool) -> None:
        self._words.setText(words)
        set_property(self._words, "manner", "error" if wrong else "small")
        self._load.setEnabled(not wrong)

    def _size_words(self, table: Table) -> str:
        n_rows, n_columns = self._rows.value(), len(table.columns)
        size = f"{n_rows:,} rows × {n_columns:,} columns, {size_text(memory_estimate(table, n_rows))} in memory"
        return f"The stream never ends; the Data page shows its first {size}." if self._endless.isChecked() else size

    def _require_memory(self, table: Table) -> None:
        wanted, there = memory_estimate(table, self._rows.value()), total_bytes()
        if wanted > there / 2:
            raise SourceError(
                "{n_rows:,} rows of {n_columns:,} columns would take {wanted}, and this machine has {there}. "
                "Choose fewer rows, or an endless stream to learn more.",
                n_rows=self._rows.value(),
                n_columns=len(table.columns),
                wanted=size_text(wanted),
                there=size_text(there),
            )

    def _name_parts(self) -> None:
        self._list.setObjectName("generatorList")
        self._list.setItemDelegate(self._cells)
        self._list.setAccessibleName("Generators")
        self._title.setProperty("manner", "large")
        self._description.setProperty("manner", "muted")
        self._description.setWordWrap(True)
        self._words.setObjectName("generatorWords")
        self._words.setWordWrap(True)
        self._note.setProperty("manner", "small")
        self._rows.setObjectName("rowsBox")
        self._rows.setRange(1, MOST_ROWS)
        self._rows.setValue(5000)
        self._rows.setSingleStep(1000)
        self._rows.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._rows.setGroupSeparatorShown(True)
        self._rows.setToolTip("Rows of the table that the Data page shows")
        self._endless.setObjectName("endlessBox")
        self._endless.setToolTip("The stream never ends; the table shows its first rows")
        self._load.setObjectName("loadButton")
        self._load.setProperty("manner", "main")
        self._cancel.setObjectName("cancelButton")
        # Enter in a field commits its number and does not close the dialog.
        for button in (self._load, self._cancel):
            button.setAutoDefault(False)

    def _fill(self) -> None:
        for kind in GENERATORS:
            item = QListWidgetItem(kind.title, self._list)
            item.setToolTip(kind.description)
            item.setSizeHint(QSize(0, 7 * GRID // 2))
            form = GeneratorForm(kind)
            form.changed.connect(self._wait)
            scroll = QScrollArea()
            scroll.setWidgetResizable(True)
            scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            scroll.setWidget(form)
            self._forms.addWidget(scroll)

    def _connect(self) -> None:
        self._list.currentRowChanged.connect(self._choose)
        self._timer.timeout.connect(self._follow)
        self._rows.valueChanged.connect(self._wait)
        self._endless.toggled.connect(self._wait)
        self._load.clicked.connect(self.accept)
        self._cancel.clicked.connect(self.reject)

    def _lay_out(self) -> None:
        middle = QVBoxLayout()
        middle.setSpacing(GRID)
        for part in (self._title, self._description):
            middle.addWidget(part)
        middle.addSpacing(GRID)
        middle.addWidget(self._forms, 1)
        middle.addLayout(self._made_rows())
        middle.addWidget(self._words)
        picture = QVBoxLayout()
        picture.setSpacing(GRID // 2)
        picture.addWidget(self._legend)
        picture.addWidget(self._plot, 1)
        picture.addWidget(self._note)
        upper = QHBoxLayout()
        upper.setSpacing(2 * GRID)
        self._list.setFixedWidth(208)
        upper.addWidget(self._list)
        upper.addLayout(middle, 4)
        upper.addLayout(picture, 5)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        layout.setSpacing(2 * GRID)
        layout.addLayout(upper, 1)
        layout.addLayout(self._made_foot())
        self.resize(QSize(1040, 600))

    def _made_rows(self) -> QHBoxLayout:
        words = Label("Rows")
        words.setBuddy(self._rows)
        line = QHBoxLayout()
        line.setSpacing(GRID)
        line.addWidget(words)
        line.addWidget(self._rows)
        line.addWidget(self._endless)
        line.addStretch(1)
        return line

    def _made_foot(self) -> QHBoxLayout:
        foot = QHBoxLayout()
        foot.setSpacing(GRID)
        foot.addStretch(1)
        foot.addWidget(self._cancel)
        foot.addWidget(self._load)
        return foot


@lru_cache(maxsize=2)
def first_rows(generator: Generator) -> Table:
    """Enough rows for the preview; fewer if the rows are wide.

    >>> from workbench.source.generators import CifarStandIn, Rings
    >>> first_rows(Rings()).n_rows, first_rows(CifarStandIn()).n_rows
    (1500, 80)
    """
    probe = generator.table(PROBED)
    return probe if len(probe.columns) >= WIDE else generator.table(SHOWN)


def columns_drawn(table: Table) -> tuple[NDArray[Any], NDArray[Any], tuple[str, str]]:
    """Two columns to draw, and their names; a single column is drawn against its row numbers."""
    numeric = [column for column in table if column.kind == "numeric"]
    if len(numeric) == 1:
        return np.arange(table.n_rows), numeric[0].values, ("row", numeric[0].name)
    first, second = numeric[:2]
    return first.values, second.values, (first.name, second.name)


def picture_words(table: Table, names: tuple[str, str]) -> str:
    """Caption of the preview."""
    n_numeric = sum(column.kind == "numeric" for column in table)
    shown = f"First {table.n_rows:,} rows"
    return shown if n_numeric <= 2 else f"{shown}: {names[0]} and {names[1]} of {n_numeric:,} columns"  # noqa: PLR2004
