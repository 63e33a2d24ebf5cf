"""About dialog: the program and the versions of its libraries."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QPushButton, QVBoxLayout, QWidget

from workbench.views.look.naming import Label
from workbench.views.look.theme import GRID
from workbench.window.report import versions_text

ROW_HEIGHT = 20
TEXT = (
    "A workbench for incremental Gaussian mixtures. The Fast IGMN of Pinto and Engel (2015) learns each sample once, "
    "at a cost that grows with the square of the dimensions, where the original IGMN's grows with the cube."
)


class AboutDialog(QDialog):
    """Name, purpose, licence and versions; the versions can be copied."""

    def __init__(self, versions: dict[str, str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("About")
        self._versions = versions
        title, text = Label("Fast IGMN workbench"), Label(TEXT)
        licence = Label("BSD 3-Clause. The font is Inter (SIL Open Font License). Datasets name their sources.")
        title.setProperty("manner", "large")
        for label in (text, licence):
            label.setWordWrap(True)
            label.setProperty("manner", "muted")
        rows = QFormLayout()
        rows.setVerticalSpacing(2)
        for name, number in versions.items():
            value = Label(number)
            value.setMinimumHeight(ROW_HEIGHT)  # a form layout would clip descenders
            rows.addRow(name, value)
        copy = QPushButton("Copy versions")
        copy.setObjectName("copyVersions")
        copy.clicked.connect(self._copy)
        buttons = QDialogButtonBox()
        # Qt's standard button has the desktop's icon, which is black even in the dark theme.
        buttons.addButton("Close", QDialogButtonBox.ButtonRole.RejectRole)
        buttons.addButton(copy, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(3 * GRID, 3 * GRID, 3 * GRID, 2 * GRID)
        layout.setSpacing(2 * GRID)
        for part in (title, text, licence):
            layout.addWidget(part)
        layout.addLayout(rows)
        layout.addWidget(buttons)
        self.setMinimumWidth(440)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(versions_text(self._versions))
