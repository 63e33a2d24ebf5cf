"""The bundled datasets as a menu."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QMenu

from workbench.source import samples


def fill_sample_menu(menu: QMenu, chosen: Callable[[str], object]) -> None:
    """List the bundled datasets with their sizes, described by tooltips; `chosen` is called with the name."""
    menu.setToolTipsVisible(True)
    for sample in samples():
        # Text after a tab is right-aligned, in the column of shortcuts.
        action = menu.addAction(f"{sample.name}\t{sample.n_rows:,} × {sample.n_columns:,}")
        action.setToolTip(f"<p>{sample.description}</p>")
        action.triggered.connect(lambda _=False, name=sample.name: chosen(name))
