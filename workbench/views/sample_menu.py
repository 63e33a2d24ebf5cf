"""The bundled datasets as a menu."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu, QWidget

from workbench.source import samples


class SampleMenu(QMenu):
    """Name and size of every sample, with what it is as a tooltip."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setToolTipsVisible(True)

    def fill(self) -> None:
        """List all bundled datasets."""
        self.clear()
        for sample in samples():
            # A tab puts what follows at the right, where shortcuts stand.
            action = self.addAction(f"{sample.name}\t{sample.n_rows:,} × {sample.n_columns:,}")
            action.setToolTip(f"<p>{sample.description}</p>")
            action.triggered.connect(lambda _=False, name=sample.name: self.chosen.emit(name))
