"""A histogram whose bars are divided by class, and what they are coloured by."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from workbench.source import Column
from workbench.views.bar_plot import BarPlot
from workbench.views.bars import EMPTY, bars_of
from workbench.views.class_legend import ClassLegend
from workbench.views.colour_box import ColourBox
from workbench.views.naming import Label
from workbench.views.theme import GRID, Theme

MOST_NAMED = 10
"""Classes that a legend can name."""


class HistogramView(QWidget):
    """Bars, their legend, and the numbers behind a bar under the mouse.

    `chooser`, by which the user says what they are coloured by, stands wherever the owner puts it.
    """

    colour_chosen = Signal(object)
    """A column; None for one colour."""

    def __init__(self, beside: QWidget | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("histogram")
        self.plot = BarPlot()
        self.legend = ClassLegend()
        self._many = Label()
        self._many.setProperty("manner", "small")
        self._many.hide()
        self._colour = ColourBox("colourBy", "Colour bars here and points on the Stream page by these labels")
        self._colour.column_chosen.connect(self.colour_chosen)
        self.chooser = self._made_chooser()
        self._nothing = Label()
        self._nothing.setObjectName("noHistogram")
        self._nothing.setProperty("manner", "muted")
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._lay_out(beside)

    def show_choices(self, names: Sequence[str], chosen: str | None) -> None:
        """Offer these columns to colour by."""
        self._colour.show_choices(names, chosen)

    def colour(self) -> str | None:
        """The column to colour by."""
        return self._colour.column()

    def show_column(self, column: Column | None, colour: Column | None) -> None:
        """Draw the values of a column, divided by the labels of another."""
        bars = EMPTY if column is None else bars_of(column, colour)
        labels = colour.labels if colour is not None and not bars.is_empty else ()
        many = len(labels) > MOST_NAMED
        self.legend.show_labels(() if many else labels)
        self._many.setText(f"{len(labels):,} classes: colours repeat, hover for names")
        self._many.setVisible(many)
        self.plot.show_bars(bars, labels, "" if column is None else column.name)
        self.plot.setVisible(not bars.is_empty)
        self._nothing.setVisible(bars.is_empty)
        self._nothing.setText("" if column is None else why_nothing(column))
        self.setAccessibleName(f"Histogram of {column.name}" if column is not None else "Histogram")

    def set_theme(self, theme: Theme) -> None:
        """Take over the colours of a look."""
        self.plot.set_theme(theme)
        self.legend.set_theme(theme)

    def _made_chooser(self) -> QWidget:
        words = Label("Colour by")
        words.setProperty("manner", "muted")
        words.setBuddy(self._colour)
        chooser = QWidget()
        line = QHBoxLayout(chooser)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(GRID)
        line.addWidget(words)
        line.addWidget(self._colour)
        return chooser

    def _lay_out(self, beside: QWidget | None) -> None:
        line = QHBoxLayout()
        line.addWidget(self.legend, 1)
        line.addWidget(self._many, 1)
        lower = QHBoxLayout()
        lower.setSpacing(GRID)
        if beside is not None:
            lower.addWidget(beside, 2)
        lower.addWidget(self.plot, 3)
        lower.addWidget(self._nothing, 3)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        layout.addLayout(line)
        layout.addLayout(lower, 1)


def why_nothing(column: Column) -> str:
    """Why there are no bars."""
    if column.is_empty:
        return "All values are missing."
    return "Text has no histogram." if column.kind == "string" else "No value is a finite number."
