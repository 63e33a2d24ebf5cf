"""The name under which a selection of rows is saved as a column."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QVBoxLayout, QWidget

from workbench.run.recipe.saved_selection import LABELS, LONGEST_NAME
from workbench.views.look.naming import Label, named
from workbench.views.look.theme import GRID

WORDS = (
    "Saved as a column with the labels {0} and {1}, which can be a class, a colour or a target. "
    "It is ignored until you give it another role, and kept in the recipe by its row numbers."
)


class SelectionDialog(QDialog):
    """A name that no column has."""

    def __init__(self, taken: Sequence[str], words: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Save the selection as a column")
        self._taken = frozenset(taken)
        self._field = named(QLineEdit(), "selectionName", "Name of the column", "Name of the new column")
        self._field.setMaxLength(LONGEST_NAME)
        self._field.setText(self._free_name())
        self._field.selectAll()
        self._problem = named(Label(), "selectionProblem", manner="error")
        kinds = QDialogButtonBox.StandardButton
        self._buttons = QDialogButtonBox(kinds.Save | kinds.Cancel)
        self._buttons.button(kinds.Save).setObjectName("saveSelectionButton")
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        self._field.textChanged.connect(self._check)
        layout = QVBoxLayout(self)
        layout.setSpacing(GRID)
        told = named(Label(f"{words}. " + WORDS.format(*LABELS), wordWrap=True), "selectionWords", manner="muted")
        for part in (told, self._field, self._problem, self._buttons):
            layout.addWidget(part)
        self.setMinimumWidth(420)
        self._check()

    @property
    def name(self) -> str:
        """The name chosen."""
        return self._field.text().strip()

    def _check(self) -> None:
        problem = "Give it a name." if not self.name else ""
        problem = "A column has this name already." if self.name in self._taken else problem
        self._problem.setText(problem)
        self._buttons.button(QDialogButtonBox.StandardButton.Save).setEnabled(not problem)

    def _free_name(self) -> str:
        names = ("selection", *(f"selection {number}" for number in range(2, len(self._taken) + 3)))
        return next(name for name in names if name not in self._taken)
