"""A combo box to choose the column that points are coloured by."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QWidget

from workbench.views.fields.name_box import NameBox

NO_COLOUR = "nothing"


class ColourBox(NameBox):
    """Offers the nominal columns of a dataset."""

    column_chosen = Signal(object)
    """A name; None for one colour."""

    def __init__(self, name: str, tip: str, parent: QWidget | None = None) -> None:
        super().__init__(name, "Colour by", tip, parent)
        self.show_choices((), None)
        self.currentIndexChanged.connect(lambda: self.column_chosen.emit(self.column()))

    def show_choices(self, names: Sequence[str], chosen: str | None) -> None:
        """Offer these columns without emitting a signal."""
        with QSignalBlocker(self):
            self.clear()
            self.addItems([NO_COLOUR, *names])
            self.setCurrentIndex(0 if chosen is None else 1 + names.index(chosen))
        self.tell_whole(self.currentText())
        self.setEnabled(bool(names))

    def column(self) -> str | None:
        """The column to colour by; None for one colour."""
        return self.currentText() if self.currentIndex() > 0 else None
