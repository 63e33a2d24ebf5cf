"""The bundled datasets as a menu."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QMenu

from workbench.source import samples


def fill_sample_menu(menu: QMenu, chosen: Callable[[str], object]) -> None:
    """List name and size of every sample, with what it is as a tooltip; `chosen` is told the name."""
    menu.setToolTipsVisible(True)
    for sample in samples():
        # A tab puts what follows at the right, where shortcuts stand.
        action = menu.addAction(f"{sample.name}\t{sample.n_rows:,} × {sample.n_columns:,}")
        action.setToolTip(f"<p>{sample.description}</p>")
        action.triggered.connect(lambda _=False, name=sample.name: chosen(name))
