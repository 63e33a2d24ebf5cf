"""The lines of one of the paper's tables as a model, with tooltips of the cells."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt

from workbench.evaluate.speed.printed import PRINTED, Phase
from workbench.evaluate.speed.times import Cell, PhaseTimes, SetTimes, SpeedTables, Timing
from workbench.evaluate.speed.words import TableLine, average_note, lines, rows_run
from workbench.views.tables.cells import CellIndex
from workbench.words.durations import in_seconds
from workbench.words.numbers import NO_FIGURE, fixed

TITLE, ROWS, COLUMNS, IGMN, FAST, MARK, SPEED_UP, THEIR_IGMN, THEIR_FAST, THEIR_MARK, THEIR_SPEED_UP = range(11)
OURS, THEIRS = range(IGMN, SPEED_UP + 1), range(THEIR_IGMN, THEIR_SPEED_UP + 1)
HEADINGS = ("dataset", "N", "D", "IGMN, s", "Fast IGMN, s", "", "speed-up", "IGMN, s", "Fast IGMN, s", "", "speed-up")
TIPS = (
    "The dataset, by the paper's name",
    "Rows of the dataset; each fold has half of them",
    "Columns after encoding, classes included",
    "Seconds for one fold: mean ± standard deviation over the folds that both engines have done",
    "Seconds for one fold: mean ± standard deviation over the folds that both engines have done",
    "● Fast IGMN takes significantly less time than IGMN, ○ more: paired t-test over the folds, p < 0.05",
    "Mean time of IGMN ÷ mean time of Fast IGMN, as shown",
)
PRINTED_TIPS = (
    "As printed: seconds, Java in Weka, another machine",
    "As printed: seconds, Java in Weka, another machine",
    "As printed: ● significantly less time than IGMN, ○ more",
    "Of the printed times",
)
SPIRALS = "The paper counts 193 points; the set has 194."
STAND_IN = (
    "Synthetic images of the same shape: 1,000 of 3,072 bytes in ten classes. The printed figures are of photographs."
)
ROUNDED = "One of the printed times is rounded to 0.000."
NOT_SHOWN = QModelIndex()


class PaperModel(QAbstractTableModel):
    """One line per dataset, the average last."""

    def __init__(self, phase: Phase, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._phase = phase
        self._is_printed = phase in PRINTED
        """Whether the figures on the right are the paper's; otherwise ours with nothing kept."""
        self._tips = (*TIPS, *(PRINTED_TIPS if self._is_printed else TIPS[IGMN:]))
        self._tables = SpeedTables()
        self._lines = lines(self._tables, phase)

    def show(self, tables: SpeedTables) -> None:
        """Show new figures; only lines that changed are repainted."""
        before, after = self._lines, lines(tables, self._phase)
        if len(before) != len(after):
            self.beginResetModel()
            self._tables, self._lines = tables, after
            self.endResetModel()
            return
        self._tables, self._lines = tables, after
        for row in (row for row, (old, new) in enumerate(zip(before, after, strict=True)) if old != new):
            self.dataChanged.emit(self.index(row, 0), self.index(row, self.columnCount() - 1))

    def rowCount(self, parent: CellIndex = NOT_SHOWN) -> int:
        """Called by Qt."""
        return 0 if parent.isValid() else len(self._lines)

    def columnCount(self, parent: CellIndex = NOT_SHOWN) -> int:
        """Called by Qt."""
        return 0 if parent.isValid() else len(HEADINGS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        """Called by Qt."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return HEADINGS[section]
        return self._tips[section] if role == Qt.ItemDataRole.ToolTipRole else None

    def data(self, index: CellIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Called by Qt."""
        line = self._lines[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return line[index.column()]
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{line.title}, {HEADINGS[index.column()] or 'significance'}: {line[index.column()] or 'none'}"
        return self._tip(index.row(), index.column(), line) if role == Qt.ItemDataRole.ToolTipRole else None

    def _tip(self, row: int, column: int, line: TableLine) -> str:
        if row == len(self._tables.rows):
            note = average_note(self._phase) if column in THEIRS else ""
            return note or "Mean over all sets, once all are measured."
        return self._set_tip(self._tables.rows[row], column, line) or self._tips[column]

    def _set_tip(self, row: SetTimes, column: int, line: TableLine) -> str:
        """Tooltip of a cell of a dataset; empty if it would only repeat the heading."""
        if column in OURS:
            return times_tip(row.phase(self._phase), column)
        if column in THEIRS and not self._is_printed:
            return times_tip(row.testing, column - THEIR_IGMN + IGMN)
        if column == THEIR_SPEED_UP and line.other_speed_up == NO_FIGURE:
            return ROUNDED
        if column in (TITLE, ROWS):
            return {"twospirals": SPIRALS, "CIFAR-10 (stand-in)": STAND_IN}.get(line.title, "")
        return ""


def times_tip(times: PhaseTimes, column: int) -> str:
    """Tooltip of a cell of our figures."""
    if column in (IGMN, FAST):
        return cell_tip(times.igmn if column == IGMN else times.fast)
    return significance_tip(times)


def cell_tip(cell: Cell) -> str:
    """Wall-clock and CPU seconds per fold, and the number of rows run."""
    if not cell.timings:
        return "Not measured yet"
    first = f"{in_seconds(cell.mean)} s, CPU time {in_seconds(cell.cpu_mean)} s"
    sampled = [f"{rows_run(cell)}, extrapolated"] if cell.is_sampled else []
    return "\n".join([first, *sampled, *map(_fold_words, cell.timings)])


def significance_tip(times: PhaseTimes) -> str:
    """The figures of the t-test."""
    test = times.test
    if test is None:
        return ""
    basis = ", with extrapolated times" if times.is_sampled else ""
    return f"Paired t-test over {test.n} folds{basis}: t = {fixed(test.t, 2)}, p = {test.p:.4f}"


def _fold_words(t: Timing) -> str:
    rows = f"{t.n_run:,} of {t.n_rows:,} rows" if t.is_sampled else f"{t.n_rows:,} rows"
    return f"run {t.run + 1}, fold {t.fold + 1}: {in_seconds(t.seconds)} s, CPU {in_seconds(t.cpu_seconds)} s, {rows}"
