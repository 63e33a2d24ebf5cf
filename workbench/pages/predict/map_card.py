"""The card of the map: which attribute, over which axes, and the drawing."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Signal

from workbench.pages.predict.cards import FoldCard, word_line
from workbench.pages.predict.map_plot import MapPlot
from workbench.pages.predict.value_texts import rounded
from workbench.run.ask.attributes import Attribute
from workbench.run.ask.maps import AnswerMap, Figure, MapChoice
from workbench.run.ask.question import Question
from workbench.views.fields.calm_box import CalmBox
from workbench.views.fields.name_box import NameBox
from workbench.views.look.flow import Flow
from workbench.views.look.layouts import label_for, side_by_side
from workbench.views.look.naming import named, one_line
from workbench.views.look.theme import Theme
from workbench.words.counts import counted

AUTOMATIC = "automatic"
FIGURES: dict[Figure, str] = {
    "mean": "mean",
    "width": "width of the 90 % interval",
    "std": "standard deviation",
}


class MapCard(FoldCard):
    """Decision regions of a wanted label, or a wanted number as colours, over two numbers."""

    chosen = Signal()
    """Another attribute, axis or figure is to be drawn, or the card was opened or closed."""
    place_chosen = Signal(dict)
    """Values of the axes by name, where the drawing was clicked."""

    def __init__(self) -> None:
        super().__init__(
            "answerMapCard",
            "Map",
            "The answer over a plane of two numbers; other attributes stay as they are, open ones may have any value",
            is_open=True,
        )
        self.wanted = NameBox("mapWanted", "attribute of the map", "The wanted attribute that is drawn")
        self.across = NameBox("mapAcross", "axis across", "The number across; automatic: known ones that tell most")
        self.up = NameBox("mapUp", "axis upwards", "The number upwards; automatic: known ones that tell most")
        self.figure = named(CalmBox(), "mapFigure", "figure of the map", "What the colours show of a wanted number")
        for figure, words in FIGURES.items():
            self.figure.addItem(words, figure)
        self.words, self.plot = word_line("small"), MapPlot()
        self._map: AnswerMap | None = None
        self._wanted_part = side_by_side([label_for("of", self.wanted), self.wanted])
        self._figure_part = side_by_side([label_for("show", self.figure), self.figure])
        tools = Flow()
        tools.addWidget(self._wanted_part)
        tools.addWidget(side_by_side([label_for("across", self.across), self.across]))
        tools.addWidget(side_by_side([label_for("up", self.up), self.up]))
        tools.addWidget(self._figure_part)
        self.lines.addLayout(tools)
        self.lines.addWidget(self.plot)
        self.lines.addWidget(self.words)
        for box in (self.wanted, self.across, self.up, self.figure):
            box.currentIndexChanged.connect(self.chosen)
        self.opened.connect(self.chosen)
        self.plot.place_chosen.connect(self._choose)

    @property
    def choice(self) -> MapChoice | None:
        """What is to be drawn; None while the card is closed."""
        if not self.is_open:
            return None
        across, up = ("" if box.currentIndex() <= 0 else box.currentText() for box in (self.across, self.up))
        return MapChoice(self.wanted.currentText(), across, up, self.figure.currentData())

    def offer(self, attributes: Sequence[Attribute], question: Question) -> None:
        """Offer the wanted attributes, and numbers that are not wanted as axes; what was chosen stays if it can."""
        _refill(self.wanted, list(question.wanted))
        numbers = [one.name for one in attributes if one.varies]
        free = [name for name in numbers if name not in question.wanted]
        for box in (self.across, self.up):
            _refill(box, [AUTOMATIC, *free])
        self._wanted_part.setVisible(len(question.wanted) > 1)

    def show_map(self, found: AnswerMap | None, question: Question, is_current: bool) -> None:
        """Draw a map; None where there is none yet."""
        self._map = found
        self.plot.setVisible(found is not None)
        self.words.setVisible(found is not None)
        if found is None:
            return
        has_labels = found.wanted.has_labels
        self._figure_part.setVisible(not has_labels)
        self.words.setText(map_words(found))
        known = [question.known.get(axis.name) for axis in (found.across, found.up)]
        x, y = (None if value is None else float(value) for value in known)
        self.plot.show_map(found, (x, y), is_current)

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self.plot.set_theme(theme)

    def _choose(self, x: float, y: float) -> None:
        assert self._map is not None, "a click comes from a map"
        places = ((self._map.across, x), (self._map.up, y))
        self.place_chosen.emit({axis.name: rounded(axis, value) for axis, value in places})


def map_words(found: AnswerMap) -> str:
    """What the colours stand for, and what is fixed."""
    if found.wanted.has_labels:
        shown = f"Colour: the likeliest {one_line(found.wanted.name)}, stronger where it is likelier."
    else:
        shown = f"Colour: {FIGURES[found.key.figure]} of {one_line(found.wanted.name)}."
    n_fixed = len(found.key.fixed.known)
    fixed = f" {counted(n_fixed, 'other attribute')} fixed at what is known." if n_fixed else ""
    points = " Points: rows of the table." if len(found.points) else ""
    return f"{shown}{fixed}{points} A click asks about a place."


def _refill(box: NameBox, names: list[str]) -> None:
    if [box.itemText(place) for place in range(box.count())] == names:
        return
    with QSignalBlocker(box):
        before = box.currentText()
        box.clear()
        box.addItems(names)
        box.setCurrentIndex(max(box.findText(before), 0) if names else -1)
    box.tell_whole(box.currentText())
