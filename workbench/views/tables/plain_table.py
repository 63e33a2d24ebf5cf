"""Settings that all tables share."""

from __future__ import annotations

from PySide6.QtWidgets import QHeaderView, QTableView


def make_plain(view: QTableView, row_height: int) -> None:
    """No grid, no row numbers, one line of text per row; the Tab key leaves the table."""
    view.setShowGrid(False)
    view.setWordWrap(False)
    view.setTabKeyNavigation(False)
    view.horizontalHeader().setHighlightSections(False)
    rows = view.verticalHeader()
    rows.hide()
    rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    rows.setDefaultSectionSize(row_height)
