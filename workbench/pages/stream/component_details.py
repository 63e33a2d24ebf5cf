"""Every number of one component."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt
from PySide6.QtGui import QColor, QPixmap
from PySide6.QtWidgets import (
    QAbstractItemView,
    QGridLayout,
    QHBoxLayout,
    QHeaderView,
    QScrollArea,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from figmn.system.arrays import Floats
from workbench.pages.stream.component_card import ComponentCard
from workbench.pages.stream.component_words import sigmas
from workbench.run.ask.members import Members
from workbench.run.show.endings import ending_of
from workbench.run.show.frame import Frame
from workbench.run.show.portrait import Contrast, contrast
from workbench.views.look.naming import Label, named, one_line, plain_tip
from workbench.views.look.theme import GRID, LIGHT, Theme
from workbench.views.plots.component_state import SETTLED, born_at, words
from workbench.views.tables.cells import CellIndex, ThemedCells, alignment
from workbench.views.tables.plain_table import make_plain
from workbench.words.numbers import short, whole
from workbench.words.values import value_text, width_text

HEADINGS = ("column", "mean", "std", "shift", "KL")
TIPS = (
    "Column",
    "Mean in the units of the data",
    "Standard deviation in the units of the data",
    "Mean minus the mean of all other components, in standard deviations of the whole mixture",
    "Kullback-Leibler divergence from all other components together, in nats: how much this column tells them apart",
)
NAMES = (0,)
SHIFT, DIVERGENCE = 3, 4
FACTS = ("born at sample", "age v", "prior", "evidence sp", "log|C|", "state")
NOT_SHOWN = QModelIndex()
ROW, MOST_ROWS = 22, 4
"""Pixels of a row, and the number of rows that are always visible."""
LEAST = 120
"""Pixels of all below the heading, at least."""
WIDTHS = (58, 54, 54, 46)
"""Of the numbers; names take what is left."""
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
        self._members: Members | None = None
        self.card = ComponentCard()
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
        heading.addWidget(self.card.name, 1)
        heading.addStretch(0)
        layout.addLayout(heading)
        layout.addWidget(self._make_body(), 1)
        self._update()

    def show_component(self, frame: Frame | None, id: int | None, members: Members | None = None) -> None:
        """Show a component of a frame; a text if there is none or it was removed.

        Members are the rows of all components, as far as they are known.
        """
        changed = id != self._id
        self._frame, self._id, self._members = frame, id, members
        if changed:
            self._model.clear()
            for label in self._facts.values():
                label.setText("–")
        self._update()

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self._theme = theme
        self._cells.set_theme(theme)
        self.card.set_theme(theme)
        self._view.viewport().update()
        self._show_swatch()

    def colour_components(self, is_coloured: bool) -> None:
        """Show the component's colour in the picture, or none."""
        self._is_coloured = is_coloured
        self._show_swatch()

    def readings(self) -> dict[str, str]:
        """The texts shown, by name."""
        return {name: label.text() for name, label in self._facts.items()}

    def _make_body(self) -> QScrollArea:
        """All below the heading: it scrolls where there is too little room."""
        body = named(QWidget(), "componentBody", manner="page")
        body.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        layout = QVBoxLayout(body)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID // 2)
        self._hint.setContentsMargins(2 * GRID, 0, 2 * GRID, 0)
        layout.addWidget(self._hint)
        layout.addWidget(self.card)
        layout.addWidget(self._numbers)
        layout.addWidget(self._view, 1)
        layout.addStretch(0)
        area = named(QScrollArea(), "componentScroll")
        area.setWidget(body)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setMinimumHeight(LEAST)
        return area

    def _make_numbers(self) -> QWidget:
        numbers = QWidget()
        grid = QGridLayout(numbers)
        grid.setContentsMargins(2 * GRID, 0, 2 * GRID, GRID // 2)
        grid.setHorizontalSpacing(GRID)
        grid.setVerticalSpacing(2)
        for place, (name, value) in enumerate(self._facts.items()):
            label = Label(name)
            label.setProperty("manner", "muted")
            value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            # Two beside each other; the last, the state, may be a long text.
            row, side = divmod(place, 2) if name != FACTS[-1] else (len(FACTS) // 2, 0)
            grid.addWidget(label, row, 3 * side)
            grid.addWidget(value, row, 3 * side + 1, 1, 1 if name != FACTS[-1] else 4)
        grid.setColumnMinimumWidth(2, GRID)
        for column in (1, 4):
            grid.setColumnStretch(column, 1)
        return numbers

    def _make_view(self) -> QTableView:
        view = named(QTableView(), "componentColumns", "means and standard deviations")
        view.setModel(self._model)
        view.setItemDelegate(self._cells)
        view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        make_plain(view, ROW)
        header = view.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column, width in enumerate(WIDTHS, 1):
            view.setColumnWidth(column, width)
        header.setSortIndicatorShown(False)
        header.setSectionsClickable(True)
        header.sectionClicked.connect(self._model.sort_by)
        return view

    def _update(self) -> None:
        found = None if self._frame is None else np.flatnonzero(self._frame.census.ids == self._id)
        self._hint.setVisible(self._id is None)
        for part in (self._numbers, self._view, self.card, self.card.name):
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
            self.card.show_gone()

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
        found = contrast(census, place)
        self.card.show_component(frame, place, found, self._members)
        self._model.show(frame.columns, means[place], variances[place], frame.kinds, sizes(means, variances), found)
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
        self._contrast: Contrast | None = None
        self._sorted_by = 0
        """Column that rows are ordered by; 0 for the order of the data."""
        self._order: list[int] = []
        """Columns of the data by row."""

    def sort_by(self, section: int) -> None:
        """Order the rows by the shift or the divergence, the largest first, or as the data are."""
        self._sorted_by = section if section in {SHIFT, DIVERGENCE} else 0
        self._arrange()
        self._announce(0)
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(HEADINGS) - 1)

    def show(
        self,
        names: tuple[str, ...],
        means: Floats,
        variances: Floats,
        kinds: tuple[str, ...] = (),
        sizes: Floats | None = None,
        found: Contrast | None = None,
    ) -> None:
        """Show the numbers of a component, in columns of these kinds; `sizes` are the magnitudes of their values."""
        self._kinds = kinds or ("numeric",) * len(names)
        self._sizes = np.zeros(len(names)) if sizes is None else sizes
        known = names == self._names
        if not known:
            self.beginResetModel()
        self._names, self._means, self._variances, self._contrast = names, means, variances, found
        before = self._order
        self._arrange()
        if not known:
            self.endResetModel()
        elif names:
            self._announce(1 if before == self._order else 0)

    def _announce(self, first: int) -> None:
        if self._names:
            self.dataChanged.emit(self.index(0, first), self.index(len(self._names) - 1, len(HEADINGS) - 1))

    def _arrange(self) -> None:
        self._order = list(range(len(self._names)))
        if self._sorted_by and self._contrast is not None:
            keys = (np.abs(self._contrast.shifts), self._contrast.divergences)[self._sorted_by == DIVERGENCE]
            self._order = np.argsort(-np.nan_to_num(keys, nan=-1.0), kind="stable").tolist()

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
            return HEADINGS[section] + (" ↓" if section == self._sorted_by != 0 else "")
        if role == Qt.ItemDataRole.ToolTipRole:
            return TIPS[section]
        return alignment(section, NAMES) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def data(self, index: CellIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Called by Qt."""
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return alignment(index.column(), NAMES)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(self._names[self._order[index.row()]])
        return self._text(self._order[index.row()], index.column()) if role == Qt.ItemDataRole.DisplayRole else None

    def _text(self, row: int, column: int) -> str:
        if column == 0:
            return one_line(self._names[row])
        if column == 1:
            return value_text(float(self._means[row]), self._kinds[row], 5, float(self._sizes[row]))
        if column in {SHIFT, DIVERGENCE}:
            return self._contrast_text(row, column)
        variance = float(self._variances[row])
        # With the published rule, variances can be negative.
        return width_text(math.sqrt(variance) if variance >= 0 else math.nan, self._kinds[row], 5)

    def _contrast_text(self, row: int, column: int) -> str:
        if self._contrast is None:
            return "–"
        value = float((self._contrast.shifts if column == SHIFT else self._contrast.divergences)[row])
        if not math.isfinite(value):
            return "–"
        return sigmas(value) if column == SHIFT else short(value, 3)


def sizes(means: Floats, variances: Floats) -> Floats:
    """Magnitude of each column: its largest mean or standard deviation."""
    found: Floats = np.maximum(np.abs(means), np.sqrt(np.maximum(variances, 0.0))).max(axis=0)
    return found
