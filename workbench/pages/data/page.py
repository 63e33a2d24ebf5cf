"""The Data page: sources, columns and values of the dataset, and how its rows are learned."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from figmn.system.arrays import Bools
from workbench.pages.data.attributes.details import AttributeDetails
from workbench.pages.data.attributes.table import AttributeTable
from workbench.pages.data.bar import DataBar
from workbench.pages.data.empty_state import EmptyState
from workbench.pages.data.facts_line import FactsLine
from workbench.pages.data.options import DataOptions, learned_words
from workbench.pages.data.value_table import ValueTable
from workbench.pages.page import PageView
from workbench.run.recipe.dataset import Colour, Dataset
from workbench.source import Encoding, Order, SourceError
from workbench.source.table.table import Kind, Role
from workbench.views.fields.selection_button import SelectionButton
from workbench.views.look.background import AT_ONCE, Background
from workbench.views.look.naming import Label
from workbench.views.look.scrolled import Scrolled
from workbench.views.look.theme import GRID, Theme

COLUMNS_AT_ONCE = 1_000
"""Most columns whose roles are changed in the GUI thread."""


class DataPage(PageView):
    """Shows a dataset and requests changes; every change is a new dataset with a text for undo."""

    open_requested = Signal(object)
    """A path; None asks the user for one."""
    origin_requested = Signal(object)
    generator_requested = Signal()
    paint_requested = Signal()
    dataset_changed = Signal(object, str)
    """The new dataset, and the change in words."""
    change_wanted = Signal(object, str)
    """A slow function from the present dataset to the new one, and the change in words."""
    rows_chosen = Signal(object, str)
    """Rows of the table, and what to do with them: replace, add, remove, intersect, or as the menu says."""
    undo_requested = Signal()
    redo_requested = Signal()
    stream_requested = Signal()

    def __init__(self, versions: str = "", parent: QWidget | None = None) -> None:
        super().__init__(versions, parent)
        self._dataset: Dataset | None = None
        self._bar = DataBar()
        self.background = Background(self)
        """Computes the figures of large columns, for all views of the page."""
        self._empty, self._facts = EmptyState(), FactsLine(self.background)
        self.attributes, self.details = AttributeTable(self.background), AttributeDetails(self.background)
        self.values, self.options = ValueTable(), DataOptions()
        self._learned, self._stream = Label(), QPushButton("Stream it")
        self._stack = QStackedWidget()
        self._lay_out()
        self._connect()

    def show_dataset(self, dataset: Dataset | None) -> None:
        """Show a dataset, or ways to load one."""
        self._stack.setCurrentIndex(0 if dataset is None else 1)
        if dataset is None or dataset is self._dataset:
            self._dataset = dataset
            return
        is_same_table = self._dataset is not None and dataset.table is self._dataset.table
        self._dataset = dataset
        if not is_same_table:
            self.background.forget()
        self.notice.clear()
        self._show_all(dataset, is_same_table)

    @property
    def selecting(self) -> SelectionButton:
        """The button to select rows."""
        return self.values.selecting

    def show_selection(self, selected: Bools | None, words: str) -> None:
        """Mark the rows selected, in the table and in the histogram; None for none."""
        self.values.show_selection(selected, words)
        self.details.show_selection(selected)

    def show_undo(self, can_undo: bool, undo_text: str, can_redo: bool, redo_text: str) -> None:
        """Show what can be undone and redone."""
        self._bar.show_undo(can_undo, undo_text, can_redo, redo_text)

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        super().set_theme(theme)
        for part in (self._bar, self._empty, self.attributes, self.details, self.values):
            part.set_theme(theme)

    def set_recent(self, paths: list[str]) -> None:
        """List the recent files, the latest first."""
        self._bar.set_recent(paths)

    def _show_all(self, dataset: Dataset, is_same_table: bool = False) -> None:
        self.details.show_dataset(dataset)
        if not is_same_table:
            self._facts.show_dataset(dataset)
            self.attributes.show_table(dataset.table)
            self.values.show_table(dataset.table)
        self.options.show_dataset(dataset)
        self._show_learned(dataset)

    def _show_learned(self, dataset: Dataset) -> None:
        try:
            words, manner = learned_words(dataset), "muted"
        except SourceError as error:
            words, manner = str(error), "error"
        self._learned.setText(words)
        self._learned.setProperty("manner", manner)
        self._learned.style().polish(self._learned)
        self._stream.setEnabled(manner == "muted")

    def _change(self, change: Callable[[Dataset], Dataset], what: str) -> None:
        """Request a changed dataset; if that raises, show the error and the present values."""
        before = self._dataset
        if before is None:
            return
        try:
            changed = change(before)
        except SourceError as error:
            self.notice.show_error(str(error))
            self._show_all(before)
            return
        self.show_dataset(changed)
        self.dataset_changed.emit(changed, what)

    def _set_roles(self, names: Sequence[str], role: Role) -> None:
        def change(dataset: Dataset) -> Dataset:
            return with_checked_order(dataset.with_roles(dict.fromkeys(names, role)))

        self._change_soon(change, _what("role", names), len(names) > COLUMNS_AT_ONCE)

    def _set_kinds(self, names: Sequence[str], kind: Kind) -> None:
        def change(dataset: Dataset) -> Dataset:
            return with_checked_order(dataset.with_kinds(dict.fromkeys(names, kind)))

        n_values = len(names) * (self._dataset.table.n_rows if self._dataset is not None else 0)
        self._change_soon(change, _what("kind", names), n_values > AT_ONCE)

    def _change_soon(self, change: Callable[[Dataset], Dataset], what: str, takes_long: bool) -> None:
        """Change the dataset now, or request the change in the background."""
        if takes_long:
            self.change_wanted.emit(change, what)
        else:
            self._change(change, what)

    def _set_encoding(self, encoding: Encoding, what: str) -> None:
        self._change(lambda dataset: dataset.with_encoding(encoding), what)

    def _set_order(self, order: Order) -> None:
        self._change(lambda dataset: dataset.with_order(order), "order")

    def _set_test_share(self, share: float) -> None:
        self._change(lambda dataset: dataset.with_test_share(share), "held-out rows")

    def _set_colour(self, colour: Colour) -> None:
        self._change(lambda dataset: dataset.with_colour(colour), "colour")

    def _connect(self) -> None:
        for part in (self._bar, self._empty):
            part.open_requested.connect(self.open_requested)
            part.origin_requested.connect(self.origin_requested)
            part.generator_requested.connect(self.generator_requested)
        self._bar.paint_requested.connect(self.paint_requested)
        self._bar.undo_requested.connect(self.undo_requested)
        self._bar.redo_requested.connect(self.redo_requested)
        self._stream.clicked.connect(self.stream_requested)
        self.attributes.column_chosen.connect(self.details.show_column)
        self.attributes.roles_wanted.connect(self._set_roles)
        self.attributes.kinds_wanted.connect(self._set_kinds)
        self.options.encoding_wanted.connect(self._set_encoding)
        self.options.order_wanted.connect(self._set_order)
        self.options.test_share_wanted.connect(self._set_test_share)
        self.details.histogram.colour_chosen.connect(self._set_colour)
        self.details.histogram.rows_chosen.connect(self.rows_chosen)
        self.values.rows_chosen.connect(self.rows_chosen)

    def _lay_out(self) -> None:
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._facts)
        column.addWidget(self._made_panes(), 1)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(content)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        message = QVBoxLayout()
        message.setContentsMargins(2 * GRID, 0, 2 * GRID, 0)
        message.addWidget(self.notice)
        layout.addWidget(self._bar)
        layout.addLayout(message)
        layout.addWidget(Scrolled(self._stack, "dataScroll"), 1)

    def _made_panes(self) -> QSplitter:
        left, right, panes = (QSplitter(way) for way in (VERTICAL, VERTICAL, Qt.Orientation.Horizontal))
        left.addWidget(self.attributes)
        left.addWidget(self.values)
        right.addWidget(self.details)
        right.addWidget(self._made_foot())
        panes.addWidget(left)
        panes.addWidget(right)
        for splitter, sizes in ((left, (50, 50)), (right, (50, 50)), (panes, (58, 42))):
            splitter.setChildrenCollapsible(False)
            splitter.setHandleWidth(1)
            splitter.setSizes([10 * size for size in sizes])
            for place, size in enumerate(sizes):
                splitter.setStretchFactor(place, size)
        return panes

    def _made_foot(self) -> QWidget:
        """The options, which scroll in a low window, above the button that starts a run."""
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setWidget(self.options)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._learned.setObjectName("learnedWords")
        self._learned.setWordWrap(True)
        self._stream.setObjectName("streamButton")
        self._stream.setProperty("manner", "main")
        self._stream.setToolTip("Go to the Stream page and watch the mixture learn these rows")
        line = QHBoxLayout()
        line.setContentsMargins(2 * GRID, GRID, 2 * GRID, GRID)
        line.setSpacing(2 * GRID)
        line.addWidget(self._learned, 1)
        line.addWidget(self._stream)
        foot = QWidget()
        foot.setProperty("manner", "side")
        foot.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        layout = QVBoxLayout(foot)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(scroll, 1)
        layout.addLayout(line)
        return foot


VERTICAL = Qt.Orientation.Vertical


def with_checked_order(dataset: Dataset) -> Dataset:
    """The dataset; raises if its order needs a column that no longer has the required kind or role."""
    return dataset.with_order(dataset.order)


def _what(thing: str, names: Sequence[str]) -> str:
    return f"{thing} of {names[0]}" if len(names) == 1 else f"{thing}s of {len(names):,} columns"
