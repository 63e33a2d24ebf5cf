"""The side panel: the dataset by name, and the parameters."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from workbench.pages.panel_use import PanelUse
from workbench.views.fields.slider_box import SliderBox
from workbench.views.look.naming import Label, named
from workbench.views.look.theme import GRID
from workbench.window.parameter_form import ParameterForm

WIDTH = 288
NO_DATA = "no data yet"


class SidePanel(QScrollArea):
    """A panel of fixed width that does not limit the window's minimum width: a narrow window folds it."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("sidePanel")
        self.form = ParameterForm()
        self._title = named(Label(NO_DATA), "dataTitle", manner="strong")
        self._facts = named(Label(""), "dataFacts", manner="muted")
        self._dataset = NO_DATA, ""
        self.setWidget(self._made())
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for box in self.form.boxes.values():
            box.problem_changed.connect(partial(self._show_problem, box))

    def set_dataset(self, title: str, facts: str) -> None:
        """Set title and facts of the dataset, empty if there is none; `show_use` shows them."""
        self._dataset = title or NO_DATA, facts

    def show_use(self, use: PanelUse, n_targets: int = 0) -> None:
        """Show the data and parameters that the page in front uses, and how many of the columns are targets."""
        title, facts = use.data or self._dataset
        self._title.setText(title)
        self._facts.setText(facts)
        self.form.set_fixed(use.fixed, use.note, use.is_used, use.is_watched)
        self.form.set_threshold_hint(use.n_columns, n_targets if use.data is None else 0)

    def sizeHint(self) -> QSize:
        """Called by Qt."""
        return QSize(WIDTH, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """Called by Qt."""
        return QSize(0, 0)

    def _show_problem(self, box: SliderBox, problem: str) -> None:
        """Scroll to what is wrong, once it has its place."""
        if problem:
            QTimer.singleShot(0, box, lambda: self.ensureWidgetVisible(box.problem_label, 0, GRID))

    def _made(self) -> QWidget:
        inside = QWidget()
        inside.setProperty("manner", "side")
        inside.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        layout = QVBoxLayout(inside)
        layout.setContentsMargins(2 * GRID, GRID + 4, 2 * GRID, GRID)
        layout.setSpacing(GRID // 2)
        for label in (named(Label("DATA"), "dataHeading", manner="heading"), self._title, self._facts):
            label.setWordWrap(True)
            layout.addWidget(label)
        layout.addSpacing(GRID)
        layout.addWidget(self.form)
        layout.addStretch()
        return inside
