"""What all tables of the window have in common."""

from __future__ import annotations

from PySide6.QtWidgets import QHeaderView, QTableView


def make_plain(view: QTableView, row_height: int) -> None:
    """No lines, no numbers of rows, one line of text a row; and the Tab key leaves the table."""
    view.setShowGrid(False)
    view.setWordWrap(False)
    view.setTabKeyNavigation(False)
    view.horizontalHeader().setHighlightSections(False)
    rows = view.verticalHeader()
    rows.hide()
    rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    rows.setDefaultSectionSize(row_height)
