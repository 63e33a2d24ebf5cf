"""Progress of background work as text and bar, with a cancel button."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QWidget

from workbench.views.look.naming import Label, named
from workbench.views.look.theme import GRID


class LoadingBar(QWidget):
    """Below every page; hidden while no job is running."""

    cancel_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "loadingBar", manner="bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._words, self._bar, self._cancel = Label(), QProgressBar(), QPushButton("Cancel")
        self._words.setObjectName("loadWords")
        self._bar.setObjectName("loadProgress")
        self._bar.setTextVisible(False)
        self._cancel.setObjectName("cancelLoad")
        self._cancel.setToolTip("Stop this; data and files stay as they are")
        self._cancel.clicked.connect(self.cancel_requested)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(2 * GRID, GRID, 2 * GRID, GRID)
        layout.setSpacing(2 * GRID)
        layout.addWidget(self._words)
        layout.addWidget(self._bar, 1)
        layout.addWidget(self._cancel)
        self.hide()

    def show_progress(self, title: str | None, done: int, total: int) -> None:
        """Show the progress of a job; None as title hides the bar, and a total of 0 means unknown."""
        self.setVisible(title is not None)
        if title is None:
            return
        known = total > 0
        # In thousandths: a progress bar is limited to 31 bits, and a file may be larger.
        share = min(1.0, done / total) if known else 0.0
        self._bar.setRange(0, 1000 if known else 0)
        self._bar.setValue(round(1000 * share))
        self._words.setText(f"{title}: {100 * share:.0f} %" if known else title)
