"""The components of a frame as rows of a table; rows keep their identity when others are added, removed or sorted."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt

from figmn.system.arrays import Floats
from workbench.run.ask.members import Members
from workbench.run.show.frame import Frame
from workbench.views.plots.component_state import probation, words
from workbench.views.tables.cells import CellIndex, alignment
from workbench.words.names import NO_NAMES, ComponentNames, component_name
from workbench.words.numbers import compact, fixed, whole
from workbench.words.values import value_text

HEADINGS = ("#", "prior", "sp", "v", "log|C|", "state", "mean", "rows")
ID, PRIOR, EVIDENCE, AGE, DETERMINANT, STATE, MEAN, ROWS = range(len(HEADINGS))
WORDS = (ID, STATE)
"""Columns that are not quantities."""
TIPS = (
    "Number of the component, in the order of birth",
    "Prior p(j): its share of all evidence",
    "Evidence sp: the sum of its posteriors",
    "Age v: samples since its birth. The bar fills up to v_min while sp is below sp_min; when it is full, "
    "the component is removed",
    "Logarithm of the determinant of its covariance, in the units of the data: a measure of its volume",
    "newborn: 20 samples old or less. at risk: removed soon unless it gathers more evidence",
    "Mean in the two columns shown, in the units of the data",
    "Rows of the table whose largest posterior is that of the component; before them, how many are selected. Counted "
    "while a component or rows are selected, or points coloured by component",
)
BAR_ROLE, ID_ROLE = int(Qt.ItemDataRole.UserRole), int(Qt.ItemDataRole.UserRole) + 1
"""Roles: fill of the age bar from 0 to 1, None without a bar; the id of the component."""
MANY = 100_000
"""Ages from this on are rounded; the details show them in full."""
NOT_SHOWN = QModelIndex()


class ComponentModel(QAbstractTableModel):
    """One row per component, sortable by any column."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._ids: list[int] = []
        """Component ids by row."""
        self._places: dict[int, int] = {}
        """Position of each id in the frame."""
        self._columns: list[NDArray[Any]] = []
        self._means: Floats = np.empty((0, 2))
        self._kinds: tuple[str, ...] = ()
        self._sizes: list[float] = []
        self._bars: Floats = np.empty(0)
        self._names: ComponentNames = NO_NAMES
        self._sizes_of: dict[int, int] = {}
        self._n_selected: dict[int, int] | None = None
        """Rows of components, and how many of them are selected; None where no row is."""
        self._sorted_by, self._order = PRIOR, Qt.SortOrder.DescendingOrder

    def show(self, frame: Frame) -> None:
        """Show the components of a frame; each row keeps its component as long as that exists."""
        census = frame.census
        priors = census.priors if len(census.ids) else np.empty(0)
        self._means, self._bars = shown_means(frame), probation(census)
        self._kinds = shown_kinds(frame)
        self._sizes = np.abs(self._means).max(axis=0, initial=0.0).tolist()
        before, names_before = self._columns, self._names
        self._names = frame.names
        self._columns = [
            census.ids, priors, census.accumulators, census.ages,
            frame.units.log_determinants(census.log_determinants),
            words(census), self._means[:, 0] if self._means.shape[1] else priors, self._rows_key(census.ids),
        ]  # fmt: skip
        self._places = {number: place for place, number in enumerate(census.ids.tolist())}
        if not self._follow() and before:
            pairs = enumerate(zip(before, self._columns, strict=True))
            changed = {column for column, (old, new) in pairs if not np.array_equal(old, new)}
            self._announce(sorted(changed | ({ID} if names_before != self._names else set())))

    def show_members(self, members: Members | None, n_selected: dict[int, int] | None) -> None:
        """Show how many rows belong to every component, and how many of them are selected."""
        sizes = {} if members is None else zip(members.ids.tolist(), members.sizes.tolist(), strict=True)
        self._sizes_of, self._n_selected = dict(sizes), n_selected
        if self._columns:
            self._columns[ROWS] = self._rows_key(self._columns[ID])
            if not (self._sorted_by == ROWS and self._follow()):
                self._announce([ROWS])

    def _rows_key(self, ids: NDArray[Any]) -> NDArray[Any]:
        """What components are sorted by in the column of rows: those selected, where some are."""
        counts = self._sizes_of if self._n_selected is None else self._n_selected
        return np.array([counts.get(number, -1) for number in ids.tolist()], np.int64)

    def clear(self) -> None:
        """Show nothing."""
        self.beginResetModel()
        self._ids, self._places, self._columns = [], {}, []
        self.endResetModel()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Called by the view."""
        self._sorted_by, self._order = column, order
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(HEADINGS) - 1)
        self._follow()

    @property
    def named(self) -> list[str]:
        """What components are called, by row."""
        return [component_name(number, self._names) for number in self._ids]

    @property
    def ids(self) -> list[int]:
        """Component ids by row."""
        return self._ids

    def id_at(self, row: int) -> int | None:
        """The component in a row."""
        return self._ids[row] if 0 <= row < len(self._ids) else None

    def row_of(self, id: int | None) -> int | None:
        """The row of a component."""
        return self._ids.index(id) if id is not None and id in self._places else None

    def rowCount(self, parent: CellIndex = NOT_SHOWN) -> int:
        """Called by Qt."""
        return 0 if parent.isValid() else len(self._ids)

    def columnCount(self, parent: CellIndex = NOT_SHOWN) -> int:
        """Called by Qt."""
        return 0 if parent.isValid() else len(HEADINGS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        """Called by Qt."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return alignment(section, WORDS)
        if role == Qt.ItemDataRole.DisplayRole:
            return HEADINGS[section] + self._arrow(section)
        return TIPS[section] if role == Qt.ItemDataRole.ToolTipRole else None

    def data(self, index: CellIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Called by Qt."""
        place = self._places.get(self._ids[index.row()])
        if place is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(place, index.column())
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return alignment(index.column(), WORDS)
        if role == ID_ROLE:
            return self._ids[index.row()]
        if role == BAR_ROLE and index.column() == AGE and np.isfinite(self._bars[place]):
            return float(self._bars[place])
        return TIPS[index.column()] if role == Qt.ItemDataRole.ToolTipRole else None

    def _arrow(self, column: int) -> str:
        if column != self._sorted_by:
            return ""
        return " ↓" if self._order == Qt.SortOrder.DescendingOrder else " ↑"

    def _text(self, place: int, column: int) -> str:
        if column == MEAN:
            values = zip(self._means[place].tolist(), self._kinds, self._sizes, strict=False)
            return ", ".join(value_text(value, kind, size=size) for value, kind, size in values)
        value = self._columns[column][place]
        if column in {ID, ROWS}:
            number = int(self._columns[ID][place])
            return component_name(number, self._names) if column == ID else self._rows_text(number)
        if column == PRIOR:
            return fixed(value, 4)
        if column == AGE and value < MANY:
            return whole(value)
        if column == DETERMINANT and abs(value) < 1:
            return fixed(value, 3)
        return str(value) if column == STATE else compact(float(value))

    def _rows_text(self, number: int) -> str:
        size = self._sizes_of.get(number)
        if size is None:
            return "–"
        chosen = 0 if self._n_selected is None else self._n_selected.get(number, 0)
        return f"{whole(chosen)} / {whole(size)}" if chosen else whole(size)

    # Adding and removing rows

    def _announce(self, columns: list[int]) -> None:
        """Emit `dataChanged` for columns, if there are rows."""
        for column in columns if self._ids else ():
            self.dataChanged.emit(self.index(0, column), self.index(len(self._ids) - 1, column))

    def _follow(self) -> bool:
        """Add, remove and sort rows; return whether anything changed."""
        wanted = self._wanted()
        if wanted == self._ids:
            return False
        known = set(self._ids)
        alive = [number for number in wanted if number in known]
        dead = [number for number in self._ids if number not in self._places]
        # Rows are only removed and added at the end, so that selection and scroll position stay.
        self._rearrange(alive + dead)
        if dead:
            self.beginRemoveRows(NOT_SHOWN, len(alive), len(self._ids) - 1)
            self._ids = alive
            self.endRemoveRows()
        if len(wanted) > len(alive):
            self.beginInsertRows(NOT_SHOWN, len(alive), len(wanted) - 1)
            self._ids = alive + [number for number in wanted if number not in known]
            self.endInsertRows()
        self._rearrange(wanted)
        return True

    def _wanted(self) -> list[int]:
        """The ids in the chosen order; ties by age."""
        if not self._columns:
            return []
        keys = self._columns[self._sorted_by]
        order = np.argsort(keys, kind="stable")
        if self._order == Qt.SortOrder.DescendingOrder:
            order = len(keys) - 1 - np.argsort(keys[::-1], kind="stable")[::-1]
        found: list[int] = self._columns[ID][order].tolist()
        return found

    def _rearrange(self, ids: list[int]) -> None:
        if ids == self._ids:
            return
        self.layoutAboutToBeChanged.emit()
        rows = {number: row for row, number in enumerate(ids)}
        before = self.persistentIndexList()
        after = [self.index(rows[self._ids[index.row()]], index.column()) for index in before]
        self._ids = ids
        self.changePersistentIndexList(before, after)
        self.layoutChanged.emit()


def shown_means(frame: Frame) -> Floats:
    """The means in the two columns of the picture, in original units; of a projection, in the first two columns."""
    if frame.picture.plane.kind == "columns":
        return frame.picture.centres
    return frame.units.means(frame.census.means)[:, :2]


def shown_kinds(frame: Frame) -> tuple[str, ...]:
    """The kinds of the columns of these means."""
    if frame.picture.plane.kind == "columns":
        return frame.picture.kinds
    return frame.kinds[:2] or ("numeric", "numeric")
