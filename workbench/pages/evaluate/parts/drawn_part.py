"""A part of an evaluation with two choices, a plot and words below it."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout

from workbench.pages.evaluate.choice import Choice, ChoiceLine
from workbench.pages.evaluate.parts.line_plot import Ink, LinePlot
from workbench.pages.evaluate.parts.part import Part
from workbench.views.look.background import Background
from workbench.views.look.naming import Label, named
from workbench.views.look.theme import GRID

INKS: tuple[Ink, Ink] = ("first", "second")
"""Of Fast IGMN and of the baseline."""


class DrawnPart(Part):
    """Base class of curves.

    Parameters
    ----------
    choices
        Labels and boxes of what is drawn; another choice draws anew.
    plot
        Its readings stand below it while the mouse is over it.
    words
        Object name of the words below the plot.
    """

    def __init__(self, background: Background, choices: dict[str, Choice], plot: LinePlot, words: str) -> None:
        super().__init__(background)
        self._plot = plot
        self.words = named(Label(wordWrap=True), words, manner="muted")
        line = ChoiceLine()
        for label, box in choices.items():
            box.currentIndexChanged.connect(lambda _: self.compute())
            line.add(label, box)
        plot.reading.connect(lambda text: self.words.setText(text or self._help))
        self.words.setContentsMargins(2 * GRID, 0, 2 * GRID, GRID // 2)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(line)
        layout.addWidget(plot, 1)
        layout.addWidget(self.words)

    @property
    def plot(self) -> LinePlot:
        """The plot, for pictures."""
        return self._plot

    @property
    def _help(self) -> str:
        """The words below the plot while the mouse is elsewhere."""
        return ""
