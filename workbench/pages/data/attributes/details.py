"""One column in figures, as Weka's Explorer shows it, with its labels and its histogram."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QHeaderView,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from figmn.system.arrays import Bools
from workbench.pages.data.attributes.groups import Owners
from workbench.pages.data.attributes.histogram_view import HistogramView
from workbench.pages.data.attributes.model import missing_text
from workbench.pages.data.cell_delegate import CellDelegate
from workbench.pages.data.value_model import LEFT
from workbench.run.recipe.dataset import Dataset
from workbench.source import Column, Summary
from workbench.views.look.background import Background
from workbench.views.look.naming import Label, one_line, plain_tip
from workbench.views.look.painting import safe
from workbench.views.look.theme import GRID, Theme
from workbench.views.tables.cell_texts import date_text, figure
from workbench.views.tables.cells import CellIndex
from workbench.views.tables.plain_table import make_plain

FIGURES = ("kind", "missing", "distinct", "unique", "minimum", "maximum", "mean", "std")
TIPS = {
    "kind": "How the values are read",
    "missing": "Values that the file does not have",
    "distinct": "Different values",
    "unique": "Values that occur just once",
    "std": "Sample standard deviation (n − 1), as Weka shows it; of dates, in days. A model's scale takes n",
}
NO_OWNERS = "Stream the data to see the components of its rows."
ACROSS = 4
"""Figures per line."""
LABEL_HEADINGS = ("no.", "label", "rows")


class AttributeDetails(QWidget):
    """Name, figures, labels and histogram of the column that is selected in the list."""

    def __init__(self, background: Background | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._background = background or Background(self)
        self.setProperty("manner", "page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._dataset: Dataset | None = None
        self._column: Column | None = None
        self._owners: Owners | None = None
        """Components of the rows, as far as they are known."""
        self._selected: Bools | None = None
        self._title = ElidedLabel()
        self._values = {name: Label() for name in FIGURES}
        self._captions = {name: Label(name) for name in FIGURES}
        self._labels = LabelTable()
        self.histogram = HistogramView(self._labels, self._background)
        self._lay_out()

    def show_dataset(self, dataset: Dataset) -> None:
        """Offer the columns to colour by; `show_column` shows a column."""
        same = self._dataset is not None and self._dataset.table.names == dataset.table.names
        self._dataset = dataset
        self.histogram.show_choices(dataset.colourable, dataset.colour_choice)
        if same and self._column is not None:
            self.show_column(self._column.name)

    def show_owners(self, owners: Owners | None) -> None:
        """Take other components of the rows; None where there is no run."""
        self._owners = owners
        self._draw()

    def show_selection(self, selected: Bools | None) -> None:
        """Highlight the rows selected; None for none."""
        self._selected = selected
        self._draw()

    def show_column(self, name: str) -> None:
        """Show another column of the dataset."""
        assert self._dataset is not None
        before, self._column = self._column, self._dataset.table[name]
        column = self._column
        self._title.setText(column.name)
        self._labels.setVisible(column.kind == "nominal")
        self._background.drop(("figures", before))
        if "summary" not in vars(column):
            self._show_figures(dict.fromkeys(("missing", "distinct", "unique"), "…"), ())
        n_values = 0 if "summary" in vars(column) else len(column.values)
        summarise = partial(getattr, column, "summary")
        self._background.compute(("figures", column), n_values, summarise, partial(self._show_summary, column))
        self._draw()

    def _show_summary(self, column: Column, summary: Summary) -> None:
        if column is self._column:
            self._show_figures(summary_texts(summary), summary.counts)

    def _show_figures(self, figures: dict[str, str], counts: tuple[tuple[str, int], ...]) -> None:
        assert self._column is not None
        texts = {"kind": self._column.kind, **figures}
        for name_, label in self._values.items():
            label.setText(texts.get(name_, ""))
            label.setVisible(name_ in texts)
            self._captions[name_].setVisible(name_ in texts)
        self._labels.show_counts(counts)

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self.histogram.set_theme(theme)
        self._labels.set_theme(theme)

    def _draw(self) -> None:
        if self._dataset is not None:
            is_unknown = self._dataset.colour_choice.by == "component" and self._owners is None
            self.histogram.remark = NO_OWNERS if is_unknown else ""
            n_rows = self._dataset.table.n_rows
            selected = self._selected if self._selected is not None and len(self._selected) == n_rows else None
            self.histogram.show_column(self._column, self._colouring(self._dataset), selected)

    def _colouring(self, dataset: Dataset) -> Column | Owners | None:
        if dataset.colour_choice.by == "component":
            return self._owners
        return None if dataset.colour_column is None else dataset.table[dataset.colour_column]

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID, GRID, 2 * GRID, GRID)
        layout.setSpacing(GRID)
        layout.addLayout(self._made_head())
        layout.addLayout(self._made_grid())
        layout.addWidget(self.histogram, 1)

    def _made_head(self) -> QHBoxLayout:
        self._title.setProperty("manner", "large")
        head = QHBoxLayout()
        head.setSpacing(GRID)
        head.addWidget(self._title, 1)
        head.addWidget(self.histogram.chooser)
        return head

    def _made_grid(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(2 * GRID)
        grid.setVerticalSpacing(0)
        for place, name in enumerate(FIGURES):
            line, across = divmod(place, ACROSS)
            self._captions[name].setProperty("manner", "small")
            self._values[name].setObjectName(f"figure{name.capitalize()}")
            self._values[name].setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            for label in (self._captions[name], self._values[name]):
                label.setToolTip(TIPS.get(name, ""))
            grid.addWidget(self._captions[name], 3 * line, across)
            grid.addWidget(self._values[name], 3 * line + 1, across)
        grid.setRowMinimumHeight(2, GRID // 2)
        for across in range(ACROSS):
            grid.setColumnStretch(across, 1)
        return grid


class ElidedLabel(Label):
    """A line that is elided where it does not fit; the tooltip has the whole text."""

    def setText(self, text: str) -> None:
        """Called by Qt."""
        super().setText(text)
        self.setToolTip(plain_tip(text))

    def minimumSizeHint(self) -> QSize:
        """Called by Qt: any width will do."""
        return QSize(2 * GRID, super().minimumSizeHint().height())

    @safe
    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Called by Qt."""
        painter = QPainter(self)
        text = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self.width())
        painter.drawText(self.rect(), LEFT, text)
        painter.end()


class LabelModel(QAbstractTableModel):
    """How often every label of a nominal column occurs."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._counts: tuple[tuple[str, int], ...] = ()

    def show(self, counts: tuple[tuple[str, int], ...]) -> None:
        """Show the labels of another column."""
        self.beginResetModel()
        self._counts = tuple((one_line(label), count) for label, count in counts)
        self.endResetModel()

    def rowCount(self, parent: CellIndex = QModelIndex()) -> int:  # noqa: B008
        """Called by Qt."""
        return 0 if parent.isValid() else len(self._counts)

    def columnCount(self, parent: CellIndex = QModelIndex()) -> int:  # noqa: B008
        """Called by Qt."""
        return 0 if parent.isValid() else len(LABEL_HEADINGS)

    def data(self, index: CellIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Called by Qt."""
        label, count = self._counts[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return (f"{index.row() + 1:,}", label, f"{count:,}")[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignLeft if index.column() == 1 else Qt.AlignmentFlag.AlignRight
            return side | Qt.AlignmentFlag.AlignVCenter
        return plain_tip(f"{label}: {count:,} rows") if role == Qt.ItemDataRole.ToolTipRole else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Called by Qt."""
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return LABEL_HEADINGS[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft if section == 1 else Qt.AlignmentFlag.AlignRight
        return None


class LabelTable(QTableView):
    """Labels with the numbers that replace them under the bars where they do not fit."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = LabelModel(self)
        self.setModel(self._model)
        self.setObjectName("labelTable")
        self.setAccessibleName("Labels and how often they occur")
        make_plain(self, 3 * GRID)
        self.horizontalHeader().setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        self.setColumnWidth(0, 36)
        self.setColumnWidth(2, 52)
        self.setMinimumWidth(168)
        self._cells = CellDelegate(self)
        self.setItemDelegate(self._cells)

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self._cells.set_theme(theme)
        self.viewport().update()

    def show_counts(self, counts: tuple[tuple[str, int], ...]) -> None:
        """Show the labels of another column."""
        self._model.show(counts)


def summary_texts(summary: Summary) -> dict[str, str]:
    """The figures of a column as text.

    >>> summary_texts(Summary(3, 1, 2, 2, 1.0, 2.0, 1.5, 0.70710678))["std"]
    '0.70711'
    """
    found = {
        "missing": missing_text(summary),
        "distinct": f"{summary.n_distinct:,}",
        "unique": f"{summary.n_unique:,}",
    }
    for name in ("minimum", "maximum", "mean", "std"):
        value = getattr(summary, name)
        if value is not None:
            found[name] = date_text(value) if isinstance(value, np.datetime64) else figure(value, 5)
    if isinstance(summary.mean, np.datetime64) and "std" in found:
        found["mean"] = found["mean"].split(" ", maxsplit=1)[0]
        found["std"] += " days"
    return found
