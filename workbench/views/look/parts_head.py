"""The line above the parts of a page: their tabs, and what can be exported."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSizePolicy, QTabBar, QWidget

from workbench.views.look.flow import Flow
from workbench.views.look.naming import named
from workbench.views.look.theme import GRID


def parts_head(name: str, tabs: QTabBar, exports: QWidget) -> QWidget:
    """Tabs to the left, exports to the right; `name` is its object name."""
    tabs.setDrawBase(False)
    tabs.setExpanding(False)
    tabs.setUsesScrollButtons(False)  # the current tab is bold, which Qt's size hint ignores
    head = named(QWidget(), name, manner="bar")
    head.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    row = Flow(head)
    row.setContentsMargins(GRID, 0, 2 * GRID, 0)
    between = QWidget()
    between.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    for part in (tabs, between, exports):
        row.addWidget(part)
    return head
