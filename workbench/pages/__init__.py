"""The pages of the window, one folder each. To add a page: a folder with `page.py` and `wiring.py`, and a line here."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workbench.desk.desk import Desk
    from workbench.pages.page import Page
    from workbench.pages.shell import Shell

PAGES = (
    "data",
    "stream",
    "race",
    "predict",
    "evaluate",
)
"""Folders, in the order of the tabs. Each has a `wiring` module with `open_page(shell, desk) -> Page`."""


def open_pages(shell: Shell, desk: Desk) -> list[Page]:
    """Make all pages. They are imported by name: an import statement here would be circular."""
    return [import_module(f"{__name__}.{name}.wiring").open_page(shell, desk) for name in PAGES]
