"""A combo box to choose what points and bars are coloured by."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QWidget

from workbench.run.recipe.dataset import Colour
from workbench.views.fields.name_box import NameBox
from workbench.views.look.naming import one_line

NO_COLOUR, BY_COMPONENT = "nothing", "component"
FIRST = 3
"""Position of the first column: after one colour, components, and a separator."""


class ColourBox(NameBox):
    """Offers one colour, the components of the run, and columns of the dataset."""

    colour_chosen = Signal(object)
    """A `Colour`."""

    def __init__(self, name: str, tip: str, parent: QWidget | None = None) -> None:
        super().__init__(name, "Colour by", tip, parent)
        self.setMaxVisibleItems(30)
        self._columns: tuple[str, ...] | None = None
        self.show_choices((), Colour())
        self.currentIndexChanged.connect(lambda: self.colour_chosen.emit(self.colour()))

    def show_choices(self, columns: Sequence[str], chosen: Colour) -> None:
        """Offer these columns without emitting a signal."""
        with QSignalBlocker(self):
            if tuple(columns) != self._columns:
                self._columns = tuple(columns)
                self.clear()
                self.addItems([NO_COLOUR, BY_COMPONENT])
                self.insertSeparator(FIRST - 1)
                self.addItems([one_line(column) for column in columns])
            self.setCurrentIndex(self._place(chosen))
        self.tell_whole(self.currentText())
        self.setEnabled(bool(columns))

    def colour(self) -> Colour:
        """What to colour by."""
        place = self.currentIndex()
        if place < FIRST or self._columns is None:
            return Colour(by="component") if place == 1 else Colour()
        return Colour(self._columns[place - FIRST])

    def _place(self, chosen: Colour) -> int:
        if chosen.by == "component":
            return 1
        return 0 if chosen.column is None or self._columns is None else FIRST + self._columns.index(chosen.column)
