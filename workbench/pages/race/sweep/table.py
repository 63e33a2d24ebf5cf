"""The figures of a sweep: for each D a line with wall-clock times, CPU times and speed-ups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QSize, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from workbench.evaluate.sweep.settings import role_of
from workbench.evaluate.sweep.sweep import SweepResult
from workbench.views.look.naming import named
from workbench.views.look.theme import GRID, Theme
from workbench.views.tables.cells import CellIndex, ThemedCells, alignment
from workbench.views.tables.plain_table import make_plain
from workbench.words.durations import in_microseconds
from workbench.words.factors import table_factor
from workbench.words.numbers import NO_FIGURE

if TYPE_CHECKING:
    from figmn.bench import Contender

ROW, HEADER = 21, 38
WIDTH = 62
"""Least pixels of a column."""
NOT_SHOWN = QModelIndex()
NAMES = {"literal": "as printed"}
WALL, CPU, FASTER = "µs", "CPU µs", "speed-up"
TIPS = {
    WALL: "Median wall-clock time per sample, in microseconds",
    CPU: "Median CPU time per sample, in microseconds. Less than wall-clock time where other programs were running",
    FASTER: "How many times faster than the cubic engine: its median time divided by this engine's",
}


@dataclass(frozen=True)
class Figure:
    """One column: a kind of figure, and its contender; the first column has none."""

    kind: str
    contender: Contender | None = None

    @property
    def heading(self) -> str:
        """The contender above the kind."""
        return self.kind if self.contender is None else f"{short_name(self.contender)}\n{self.kind}"

    def text(self, result: SweepResult, n_features: int) -> str:
        """The cell of one D; a dash if it is not measured yet."""
        if self.contender is None:
            return f"{n_features:,}"
        if self.kind == FASTER:
            found = result.speed_up(n_features, self.contender)
            return NO_FIGURE if found is None else table_factor(found)
        m = result.measurement(n_features, self.contender)
        return NO_FIGURE if m is None else in_microseconds(m.cpu_median if self.kind == CPU else m.median)


def short_name(contender: Contender) -> str:
    """A short name for a column heading."""
    role = role_of(contender)
    return contender.name.split(", ")[-1] if role in {"mature", "cubic"} else NAMES.get(role, contender.name)


def sweep_columns(result: SweepResult) -> list[Figure]:
    """The columns: both times of every engine, then the speed-ups."""
    contenders = result.settings.contenders
    times = [Figure(kind, contender) for contender in contenders for kind in (WALL, CPU)]
    return [Figure("D"), *times, *(Figure(FASTER, contender) for contender in contenders if not contender.cubic)]


class SweepModel(QAbstractTableModel):
    """The cells of a result."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._result: SweepResult | None = None
        self.figures: list[Figure] = []

    def show(self, result: SweepResult | None) -> None:
        """Show a result; None for nothing."""
        figures = sweep_columns(result) if result else []
        dims = result.settings.dims if result else ()
        if figures == self.figures and dims == self._dims:
            self._result = result
            if figures:  # Qt warns of `dataChanged` without cells
                self.dataChanged.emit(self.index(0, 0), self.index(len(dims) - 1, len(figures) - 1))
            return
        self.beginResetModel()
        self._result, self.figures = result, figures
        self.endResetModel()

    def rowCount(self, parent: CellIndex = NOT_SHOWN) -> int:
        """Called by Qt."""
        return 0 if parent.isValid() else len(self._dims)

    def columnCount(self, parent: CellIndex = NOT_SHOWN) -> int:
        """Called by Qt."""
        return 0 if parent.isValid() else len(self.figures)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        """Called by Qt."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.figures[section].heading
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return alignment(section, ())
        return TIPS.get(self.figures[section].kind) if role == Qt.ItemDataRole.ToolTipRole else None

    def data(self, index: CellIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Called by Qt."""
        if role == Qt.ItemDataRole.DisplayRole and self._result is not None:
            return self.figures[index.column()].text(self._result, self._dims[index.row()])
        return alignment(index.column(), ()) if role == Qt.ItemDataRole.TextAlignmentRole else None

    @property
    def _dims(self) -> tuple[int, ...]:
        return self._result.settings.dims if self._result else ()


class SweepCells(ThemedCells):
    """Speed-ups in the colour of Fast IGMN, CPU times muted."""

    def __init__(self, model: SweepModel, parent: QWidget) -> None:
        self._model = model
        super().__init__((), parent)

    def ink(self, text: str, column: int) -> QColor:  # noqa: ARG002
        """The colour of a text."""
        kind = self._model.figures[column].kind
        return QColor({FASTER: self.theme.accent, CPU: self.theme.muted}.get(kind, self.theme.text))


class SweepTable(QTableView):
    """All figures of a sweep."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "sweepTable", "times and speed-ups")
        self.figures = SweepModel(self)
        self._cells = SweepCells(self.figures, self)
        self.setModel(self.figures)
        self.setItemDelegate(self._cells)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        make_plain(self, ROW)
        header = self.horizontalHeader()
        header.setMinimumSectionSize(WIDTH)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        header.setFixedHeight(HEADER)

    def show_result(self, result: SweepResult | None) -> None:
        """Show a result; None for nothing."""
        before = self.figures.rowCount()
        self.figures.show(result)
        if before != self.figures.rowCount():
            self.updateGeometry()

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self._cells.set_theme(theme)
        self.viewport().update()

    def sizeHint(self) -> QSize:
        """Called by Qt: all lines."""
        return QSize(480, HEADER + ROW * max(1, self.figures.rowCount()) + GRID)

    def minimumSizeHint(self) -> QSize:
        """Called by Qt: a few lines."""
        return QSize(240, HEADER + 3 * ROW)
