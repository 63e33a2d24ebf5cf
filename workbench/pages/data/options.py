"""How rows are learned: encoding, scaling, missing values, order, and held-out rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QComboBox, QFormLayout, QSpinBox, QVBoxLayout, QWidget

from workbench.run.recipe.dataset import Dataset
from workbench.source import Column, Encoding, Table
from workbench.source.table.profile import columns_in_use
from workbench.views.fields.calm_box import CalmBox
from workbench.views.look.naming import Label
from workbench.views.look.theme import GRID
from workbench.words.counts import counted

NOMINAL = {"one-hot": "one-hot: a column per label", "index": "index: one column of numbers"}
SCALING = {"none": "none: original units", "standard": "mean 0, std 1"}
MISSING = {"model": "filled in by the model", "mean": "filled in with the mean", "drop": "drop the row"}
ORDER = {"as is": "as is", "shuffled": "shuffled", "sorted": "sorted by", "interleaved": "classes interleaved"}
WIDEST = 320
"""Most pixels of a combo box; wider ones are hard to read."""
TIPS = {
    "nominalBox": "How labels become numbers. One-hot treats all labels alike; "
    "index takes one column only, but gives the labels an order. A target is always one-hot.",
    "scalingBox": "none: columns are learned in original units. mean 0, std 1: every column is standardised first.",
    "missingBox": "The model can fill in a missing value from the other columns. The mean of labels is the most "
    "frequent one. A row without a value in any input column is always skipped.",
    "orderBox": "Rows are learned one by one, so their order matters. Shuffled depends on the seed.",
    "orderColumn": "The column to sort or interleave by",
    "testShare": "Share of the rows, drawn with the seed, that is never learned but used to evaluate the mixture",
}


class DataOptions(QWidget):
    """The preprocessing options that apply to every row."""

    encoding_wanted = Signal(object, str)
    """An `Encoding`, and the change in words, for undo."""
    order_wanted = Signal(object)
    test_share_wanted = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("manner", "side")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._dataset: Dataset | None = None
        self._nominal = self._made_box("nominalBox", NOMINAL)
        self._scaling = self._made_box("scalingBox", SCALING)
        self._missing = self._made_box("missingBox", MISSING)
        self._order = self._made_box("orderBox", ORDER)
        self._column = self._made_box("orderColumn", {})
        self._column.setAccessibleName(TIPS["orderColumn"])
        self._share = self._made_share()
        self._words = Label()
        self._connect()
        self._lay_out()

    def show_dataset(self, dataset: Dataset) -> None:
        """Show the options of a dataset, and which of them it does not support."""
        self._dataset = dataset
        with QSignalBlocker(self):
            _choose(self._nominal, dataset.encoding.nominal)
            _choose(self._scaling, dataset.encoding.scaling)
            _choose(self._missing, dataset.encoding.missing)
            _choose(self._order, dataset.order.kind)
            self._share.setValue(round(100 * dataset.test_share))
            self._show_order_column(dataset)
        self._show_limits(dataset)

    def _made_box(self, name: str, choices: dict[str, str]) -> CalmBox:
        box = CalmBox()
        box.setObjectName(name)
        box.setToolTip(TIPS[name])
        box.setMaximumWidth(WIDEST)
        for value, words in choices.items():
            box.addItem(words, value)
        return box

    def _made_share(self) -> QSpinBox:
        box = QSpinBox()
        box.setObjectName("testShare")
        box.setToolTip(TIPS["testShare"])
        box.setRange(0, 50)
        box.setSingleStep(10)
        box.setAlignment(Qt.AlignmentFlag.AlignRight)
        box.setSuffix(" %")
        box.setSpecialValueText("none")
        box.setKeyboardTracking(False)
        box.setMaximumWidth(WIDEST // 3)
        return box

    def _connect(self) -> None:
        self._nominal.activated.connect(lambda: self._want_encoding("encoding of labels"))
        self._scaling.activated.connect(lambda: self._want_encoding("scaling"))
        self._missing.activated.connect(lambda: self._want_encoding("missing values"))
        self._order.activated.connect(self._want_order)
        self._column.activated.connect(self._want_order)
        self._share.valueChanged.connect(lambda percent: self.test_share_wanted.emit(percent / 100))

    def _lay_out(self) -> None:
        heading = Label("HOW IT IS LEARNED")
        heading.setProperty("manner", "heading")
        self._words.setObjectName("optionWords")
        self._words.setProperty("manner", "small")
        self._words.setWordWrap(True)
        form = QFormLayout()
        form.setContentsMargins(0, 0, 0, 0)
        form.setSpacing(GRID)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.addRow("Labels", self._nominal)
        form.addRow("Scaling", self._scaling)
        form.addRow("Missing values", self._missing)
        form.addRow("Order", self._order)
        form.addRow("", self._column)
        form.addRow("Held out", self._share)
        form.addRow("", self._words)
        self._form = form
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID, GRID, 2 * GRID, GRID)
        layout.setSpacing(GRID)
        layout.addWidget(heading)
        layout.addLayout(form)
        layout.addStretch(1)

    def _want_encoding(self, what: str) -> None:
        if self._dataset is not None:
            chosen = Encoding(self._scaling.currentData(), self._nominal.currentData(), self._missing.currentData())
            if chosen != self._dataset.encoding:
                self.encoding_wanted.emit(chosen, what)

    def _want_order(self) -> None:
        if self._dataset is None:
            return
        kind = self._order.currentData()
        if kind != self._dataset.order.kind:
            self._fill_order_column(self._dataset.table, kind)
        column = self._column.currentText() if kind in {"sorted", "interleaved"} else ""
        order = replace(self._dataset.order, kind=kind, column=column or None)
        if order != self._dataset.order:
            self.order_wanted.emit(order)

    def _show_order_column(self, dataset: Dataset) -> None:
        kind = dataset.order.kind
        used = kind in {"sorted", "interleaved"}
        self._form.setRowVisible(self._column, used)
        if used:
            self._fill_order_column(dataset.table, kind)
            if dataset.order.column is not None:
                self._column.setCurrentText(dataset.order.column)

    def _fill_order_column(self, table: Table, kind: str) -> None:
        usable = [column.name for column in table if kind == "sorted" or column.kind == "nominal"]
        target = next((column.name for column in table.targets if column.name in usable), None)
        self._column.clear()
        self._column.addItems(usable)
        if kind == "interleaved" and target is not None:
            self._column.setCurrentText(target)

    def _show_limits(self, dataset: Dataset) -> None:
        has_labels = any(column.kind == "nominal" and column.role == "input" for column in dataset.table)
        self._nominal.setEnabled(has_labels)
        self._nominal.setToolTip(
            TIPS["nominalBox"] if has_labels else "No input has labels: there is nothing to choose"
        )
        for box in (self._order, self._column, self._share):
            box.setEnabled(dataset.is_whole)
        self._words.setText(share_words(dataset))


def share_words(dataset: Dataset) -> str:
    """What happens to held-out rows, or why there can be none."""
    if not dataset.is_whole:
        stream = "An endless stream" if dataset.is_endless else "A file that is streamed from disk"
        return f"{stream} keeps its own order, and all its rows are learned. Load it as a table to shuffle or split it."
    n_rows = dataset.table.n_rows
    n_test = round(dataset.test_share * n_rows)
    if not n_test:
        n_out = int(dataset.table.is_weightless.sum())
        exception = f", except {counted(n_out, 'row')} of weight 0" if n_out else ""
        return f"Every row is learned{exception}."
    return f"{n_test:,} of {n_rows:,} rows are never learned; their log-likelihood is reported."


def learned_words(dataset: Dataset) -> str:
    """The encoded columns in words; raises SourceError if the columns cannot be encoded.

    >>> from workbench.run.recipe.dataset import SampleOrigin, load
    >>> learned_words(load(SampleOrigin("iris")))
    '7 columns after encoding: 4 numeric, 3 for class'
    """
    used = columns_in_use(dataset.table, dataset.table.name)
    widths = [(column, dataset.encoding.width(column)) for column in used]
    total = sum(width for _, width in widths)
    columns = counted(total, "column")
    return f"{columns} after encoding: {', '.join(_parts(widths))}"


def _parts(widths: Sequence[tuple[Column, int]]) -> list[str]:
    plain = Counter("numeric" if column.kind == "numeric" else column.kind for column, width in widths if width == 1)
    wide = [(column.name, width) for column, width in widths if width > 1]
    parts = [f"{count:,} {kind if kind != 'nominal' else 'of labels'}" for kind, count in plain.items()]
    if len(wide) > 2:  # noqa: PLR2004
        return [*parts, f"{sum(width for _, width in wide):,} for the labels of {len(wide):,} columns"]
    return [*parts, *(f"{width:,} for {name}" for name, width in wide)]


def _choose(box: QComboBox, value: str) -> None:
    box.setCurrentIndex(box.findData(value))
