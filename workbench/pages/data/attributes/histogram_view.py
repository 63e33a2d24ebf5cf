"""A histogram with bars stacked by class, and the choice of the column to colour by."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from figmn.system.arrays import Bools, Ints
from workbench.pages.data.attributes.bar_plot import BarPlot
from workbench.pages.data.attributes.bars import EMPTY, Bars, bars_of, places_of
from workbench.pages.data.attributes.groups import Owners
from workbench.pages.data.class_legend import ClassLegend
from workbench.run.recipe.dataset import Colour
from workbench.source import Column
from workbench.views.fields.colour_box import ColourBox
from workbench.views.look.background import Background
from workbench.views.look.naming import Label
from workbench.views.look.theme import GRID, Theme

Wish = tuple[Column | None, Column | Owners | None, Bools | None]
"""A column, what colours it, and which rows are selected."""
MOST_NAMED = 10
"""Classes that a legend can name."""


class HistogramView(QWidget):
    """Bars, their legend, and a tooltip with the counts of a bar.

    The owner places `chooser`, the box for the column to colour by.
    """

    colour_chosen = Signal(object)
    """A `Colour`."""
    rows_chosen = Signal(object, str)
    """Rows of the bars that were chosen, and what to do with them."""

    def __init__(
        self, beside: QWidget | None = None, background: Background | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._background = background or Background(self)
        self._wish: Wish = (None, None, None)
        """The columns shown, or requested."""
        self.remark = ""
        """Said in place of a legend."""
        self._number = 0
        """Of the latest request."""
        self._is_shown = False
        self.setObjectName("histogram")
        self.plot = BarPlot()
        self.plot.bars_chosen.connect(self._choose_bars)
        self.legend = ClassLegend()
        self._many = Label()
        self._many.setProperty("manner", "small")
        self._many.hide()
        self._colour = ColourBox("colourBy", "Colour bars here and points on the Stream page")
        self._colour.colour_chosen.connect(self.colour_chosen)
        self.chooser = self._made_chooser()
        self._nothing = Label()
        self._nothing.setObjectName("noHistogram")
        self._nothing.setProperty("manner", "muted")
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._lay_out(beside)

    def show_choices(self, names: Sequence[str], chosen: Colour) -> None:
        """Offer these columns to colour by."""
        self._colour.show_choices(names, chosen)

    def colour(self) -> Colour:
        """What to colour by."""
        return self._colour.colour()

    def show_column(self, column: Column | None, colour: Column | Owners | None, selected: Bools | None = None) -> None:
        """Draw the values of a column, stacked by groups of rows; large ones are counted in the background."""
        before, self._wish = self._wish, (column, colour, selected)
        is_same = all(map(_are_alike, before[:2], self._wish[:2]))
        if self._is_shown and is_same and before[2] is selected:
            return
        self._background.drop(("bars", self._number))
        self._number += 1
        if not (self._is_shown and is_same):
            self._is_shown = False
            self._show_words(f"Counting {len(column.values):,} rows…" if column is not None else "")
        count = partial(bars_of, column, colour, selected) if column is not None else lambda: EMPTY
        n_values = 0 if column is None else len(column.values)
        self._background.compute(("bars", self._number), n_values, count, partial(self._draw, self._wish))

    def _choose_bars(self, first: int, last: int, how: str) -> None:
        """Find the rows of some bars: of large columns in the background."""
        column, bars = self._wish[0], self.plot.bars
        if column is None or bars.is_empty:
            return

        def find() -> Ints:
            places = places_of(column, bars)
            return np.flatnonzero((places >= first) & (places <= last))

        key, n_values = ("rows of bars", id(bars), first, last), len(column.values)
        self._background.compute(key, n_values, find, lambda rows: self.rows_chosen.emit(rows, how))

    def _draw(self, wish: Wish, bars: Bars) -> None:
        if wish is not self._wish:
            return
        self._is_shown = True
        column = wish[0]
        labels = () if bars.is_empty else bars.groups
        many = len(labels) > MOST_NAMED
        self.legend.show_labels(() if many else labels, bars.scheme, bars.colours)
        self._many.setText(f"{len(labels):,} {bars.scheme}: colours repeat, hover for names" if many else self.remark)
        self._many.setVisible(many or bool(self.remark))
        self.plot.show_bars(bars, "" if column is None else column.name)
        self._show_words(why_nothing(column) if column is not None and bars.is_empty else "", bars.is_empty)
        self.setAccessibleName(f"Histogram of {column.name}" if column is not None else "Histogram")

    def _show_words(self, words: str, in_place: bool = True) -> None:
        """Show a text in place of the plot, or the plot."""
        self.plot.setVisible(not in_place)
        self._nothing.setVisible(in_place)
        self._nothing.setText(words)

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
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


def _are_alike(first: Column | Owners | None, second: Column | Owners | None) -> bool:
    """Whether two columns give the same bars and texts."""
    if not isinstance(first, Column) or not isinstance(second, Column):
        return first is second
    return first.name == second.name and first.shares_values(second)


def why_nothing(column: Column) -> str:
    """Why there are no bars."""
    if column.is_empty:
        return "All values are missing."
    return "Text has no histogram." if column.kind == "string" else "No value is a finite number."
