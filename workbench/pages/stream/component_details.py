"""Every number of one component."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt
from PySide6.QtGui import QColor, QPixmap
from PySide6.QtWidgets import QAbstractItemView, QGridLayout, QHBoxLayout, QHeaderView, QTableView, QVBoxLayout, QWidget

from figmn.system.arrays import Floats
from workbench.run.show.endings import ending_of
from workbench.run.show.frame import Frame
from workbench.views.look.naming import Label, named, one_line, plain_tip
from workbench.views.look.theme import GRID, LIGHT, Theme
from workbench.views.plots.component_state import SETTLED, born_at, words
from workbench.views.tables.cells import CellIndex, ThemedCells, alignment
from workbench.views.tables.plain_table import make_plain
from workbench.words.numbers import short, whole
from workbench.words.values import value_text, width_text

HEADINGS = ("column", "mean", "std")
NAMES = (0,)
FACTS = ("born at sample", "age v", "prior", "evidence sp", "log|C|", "state")
NOT_SHOWN = QModelIndex()
ROW, MOST_ROWS = 22, 4
"""Pixels of a row, and the number of rows that are always visible."""
HINT = "Click a component in the plot or in the table to see its numbers."


class ComponentDetails(QWidget):
    """The numbers of the selected component; after its removal, the last ones shown."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._frame: Frame | None = None
        self._id: int | None = None
        self._theme, self._is_coloured = LIGHT, False
        self._title = named(Label("COMPONENT"), "componentTitle", manner="heading")
        self._swatch = named(Label(), "componentSwatch", "colour of the component")
        self._hint = named(Label(HINT, wordWrap=True), "componentHint", manner="muted")
        self._facts = {name: Label() for name in FACTS}
        self._numbers = self._make_numbers()
        self._model, self._cells = ColumnModel(self), ThemedCells(NAMES, self)
        self._view = self._make_view()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, GRID, 0, 0)
        layout.setSpacing(GRID // 2)
        heading = QHBoxLayout()
        heading.setContentsMargins(2 * GRID, 0, 2 * GRID, 0)
        heading.setSpacing(GRID)
        heading.addWidget(self._title)
        heading.addWidget(self._swatch)
        heading.addStretch(1)
        layout.addLayout(heading)
        self._hint.setContentsMargins(2 * GRID, 0, 2 * GRID, 0)
        layout.addWidget(self._hint)
        layout.addWidget(self._numbers)
        layout.addWidget(self._view, 1)
        layout.addStretch(0)
        self._update()

    def show_component(self, frame: Frame | None, id: int | None) -> None:
        """Show a component of a frame; a text if there is none or it was removed."""
        changed = id != self._id
        self._frame, self._id = frame, id
        if changed:
            self._model.clear()
            for label in self._facts.values():
                label.setText("–")
        self._update()

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self._theme = theme
        self._cells.set_theme(theme)
        self._view.viewport().update()
        self._show_swatch()

    def colour_components(self, is_coloured: bool) -> None:
        """Show the component's colour in the picture, or none."""
        self._is_coloured = is_coloured
        self._show_swatch()

    def readings(self) -> dict[str, str]:
        """The texts shown, by name."""
        return {name: label.text() for name, label in self._facts.items()}

    def _make_numbers(self) -> QWidget:
        numbers = QWidget()
        grid = QGridLayout(numbers)
        grid.setContentsMargins(2 * GRID, 0, 2 * GRID, GRID // 2)
        grid.setHorizontalSpacing(GRID)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(1, 1)
        for row, (name, value) in enumerate(self._facts.items()):
            label = Label(name)
            label.setProperty("manner", "muted")
            value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            grid.addWidget(label, row, 0)
            grid.addWidget(value, row, 1)
        return numbers

    def _make_view(self) -> QTableView:
        view = named(QTableView(), "componentColumns", "means and standard deviations")
        view.setModel(self._model)
        view.setItemDelegate(self._cells)
        view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        make_plain(view, ROW)
        view.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        return view

    def _update(self) -> None:
        found = None if self._frame is None else np.flatnonzero(self._frame.census.ids == self._id)
        self._hint.setVisible(self._id is None)
        for part in (self._numbers, self._view):
            part.setVisible(self._id is not None)
        self._title.setText("COMPONENT" if self._id is None else f"COMPONENT #{self._id}")
        self._show_swatch()
        if self._id is None:
            return
        if self._frame is not None and found is not None and len(found):
            self._show_numbers(self._frame, int(found[0]))
        else:
            ending = None if self._frame is None else ending_of(self._frame.endings, self._id)
            gone = "gone" if ending is None else "removed" if ending.kept is None else "merged"
            self._title.setText(f"COMPONENT #{self._id} · {gone}")
            self._facts["state"].setText(gone if ending is None else ending.words())

    def _show_swatch(self) -> None:
        self._swatch.setVisible(self._is_coloured and self._id is not None)
        if self._id is not None:
            picture = QPixmap(2 * GRID, GRID)
            picture.fill(QColor(self._theme.component_colour(self._id)))
            self._swatch.setPixmap(picture)

    def _show_numbers(self, frame: Frame, place: int) -> None:
        census = frame.census
        state = str(words(census)[place])
        texts = (
            whole(int(born_at(census, frame.n_done, frame.n_births)[place])),
            whole(int(census.ages[place])),
            short(float(census.priors[place])),
            short(float(census.accumulators[place])),
            short(float(frame.units.log_determinants(census.log_determinants[place]))),
            "settled" if state == SETTLED else state,
        )
        for label, text in zip(self._facts.values(), texts, strict=True):
            label.setText(text)
        means, variances = frame.units.means(census.means), frame.units.variances(census.variances)
        self._model.show(frame.columns, means[place], variances[place], frame.kinds, sizes(means, variances))
        rows = ROW * min(MOST_ROWS, len(frame.columns)) + 2 * self._view.frameWidth()
        self._view.setMinimumHeight(self._view.horizontalHeader().sizeHint().height() + rows)


class ColumnModel(QAbstractTableModel):
    """Mean and standard deviation of every column, in original units; formatted only when they are shown."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._names: tuple[str, ...] = ()
        self._means: Floats = np.empty(0)
        self._variances: Floats = np.empty(0)
        self._sizes: Floats = np.empty(0)
        self._kinds: tuple[str, ...] = ()

    def show(
        self,
        names: tuple[str, ...],
        means: Floats,
        variances: Floats,
        kinds: tuple[str, ...] = (),
        sizes: Floats | None = None,
    ) -> None:
        """Show the numbers of a component, in columns of these kinds; `sizes` are the magnitudes of their values."""
        self._kinds = kinds or ("numeric",) * len(names)
        self._sizes = np.zeros(len(names)) if sizes is None else sizes
        known = names == self._names
        if not known:
            self.beginResetModel()
        self._names, self._means, self._variances = names, means, variances
        if not known:
            self.endResetModel()
        elif names:
            self.dataChanged.emit(self.index(0, 1), self.index(len(names) - 1, 2))

    def clear(self) -> None:
        """Show nothing."""
        self.show((), np.empty(0), np.empty(0))

    def rowCount(self, parent: CellIndex = NOT_SHOWN) -> int:
        """Called by Qt."""
        return 0 if parent.isValid() else len(self._names)

    def columnCount(self, parent: CellIndex = NOT_SHOWN) -> int:
        """Called by Qt."""
        return 0 if parent.isValid() else len(HEADINGS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        """Called by Qt."""
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return HEADINGS[section]
        return alignment(section, NAMES) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def data(self, index: CellIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Called by Qt."""
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return alignment(index.column(), NAMES)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(self._names[index.row()])
        return self._text(index.row(), index.column()) if role == Qt.ItemDataRole.DisplayRole else None

    def _text(self, row: int, column: int) -> str:
        if column == 0:
            return one_line(self._names[row])
        if column == 1:
            return value_text(float(self._means[row]), self._kinds[row], 5, float(self._sizes[row]))
        variance = float(self._variances[row])
        # With the published rule, variances can be negative.
        return width_text(math.sqrt(variance) if variance >= 0 else math.nan, self._kinds[row], 5)


def sizes(means: Floats, variances: Floats) -> Floats:
    """Magnitude of each column: its largest mean or standard deviation."""
    found: Floats = np.maximum(np.abs(means), np.sqrt(np.maximum(variances, 0.0))).max(axis=0)
    return found
