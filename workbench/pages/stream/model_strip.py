"""The line above the plot while runs go on from a model file."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from workbench.run.recipe.model_file import OpenedModel
from workbench.views.look.naming import Label, named, one_line, plain_tip
from workbench.views.look.theme import GRID
from workbench.words.counts import counted

GO_ON_HELP = (
    "Learn the rows of the present dataset, from this model on.\n"
    "Labels, units and widths are those of the model; the dataset must have its columns."
)
OPEN_HELP = "Open a table with the columns of this model, to go on learning or to score it on the Predict page"
EMPTY_HELP = "Close the model: runs start without components again"
LONGEST_TITLE = 60


class ModelStrip(QWidget):
    """Says which model runs go on from; hidden where they start empty."""

    go_on_requested = Signal()
    open_requested = Signal()
    empty_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        named(self, "modelStrip", manner="bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.words = named(Label(), "modelWords")
        self.words.setMinimumWidth(1)  # a long name is cut rather than widening the window
        self.go_on = named(QPushButton("Go on learning"), "modelGoOn", tip=GO_ON_HELP, manner="main")
        self.open = named(QPushButton("Open a table…"), "modelOpenTable", tip=OPEN_HELP)
        self.empty = named(QPushButton("Start empty"), "modelEmpty", tip=EMPTY_HELP)
        self.go_on.clicked.connect(self.go_on_requested)
        self.open.clicked.connect(self.open_requested)
        self.empty.clicked.connect(self.empty_requested)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(2 * GRID, GRID // 2, GRID, GRID // 2)
        layout.setSpacing(GRID)
        layout.addWidget(self.words, stretch=1)
        for button in (self.go_on, self.open, self.empty):
            layout.addWidget(button)
        self.hide()

    def show_model(self, model: OpenedModel | None, has_data: bool, is_looked_at: bool) -> None:
        """Show a model, and what can be done next; None hides the line."""
        self.setVisible(model is not None)
        if model is None:
            return
        self.words.setText(strip_words(model, is_looked_at))
        self.words.setToolTip(plain_tip(f"{model.file.path}\nSHA-256 {model.file.sha256}"))
        self.go_on.setVisible(has_data and is_looked_at)
        self.open.setVisible(not has_data)


def strip_words(model: OpenedModel, is_looked_at: bool) -> str:
    """Name and size of a model, and what runs do with it."""
    snapshot = model.snapshot
    title = one_line(model.file.title)
    title = title if len(title) <= LONGEST_TITLE else f"{title[: LONGEST_TITLE - 1]}…"
    figures = ", ".join(
        counted(*pair)
        for pair in (
            (snapshot.n_components, "component"),
            (snapshot.n_features, "column"),
            (snapshot.n_seen, "sample"),
        )
    )
    unnamed = "" if model.is_described else " The file does not say what its columns mean."
    return f"{'Model' if is_looked_at else 'Runs go on from'} {title}: {figures}.{unnamed}"
