"""The Predict page: what is known on the left, what the mixture says of the rest on the right."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSpinBox, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from workbench.pages.page import PageView
from workbench.pages.predict.answers import AnswersView, Truth
from workbench.pages.predict.question_form import QuestionForm
from workbench.run.ask.answer import Answer
from workbench.views.look.icons import icon
from workbench.views.look.layouts import across, label_for
from workbench.views.look.naming import Label, named
from workbench.views.look.theme import GRID, Theme

MOST_ROWS = 2**31 - 1


class PredictPage(PageView):
    """Form and answers; before anything is learned, a hint."""

    row_chosen = Signal(int)
    """Ask about this row of the table, counted from 1."""
    run_requested = Signal()

    def __init__(self, versions: str = "") -> None:
        super().__init__(versions)
        self.form, self.answers = QuestionForm(), AnswersView()
        self.row = named(QSpinBox(), "askedRow", "row of the table", "Row of the table, counted from 1")
        self.row.setKeyboardTracking(False)
        self.row.setMinimumWidth(11 * GRID)
        self.take_row = named(
            QPushButton("Ask about this row"),
            "takeRow",
            tip="Know the values of the row; what is wanted stays wanted, and what the row has there is marked",
        )
        self.forget = named(
            QPushButton("Forget all"), "forgetAll", tip="Nothing is known; the targets are wanted, as at the start"
        )
        self.score = named(
            QPushButton("Score table…"),
            "scoreTable",
            tip="Write all rows with their component, log density, novelty, predicted targets and filled gaps, "
            "as CSV, Parquet or ARFF",
        )
        self.run = named(QPushButton("Stream the data"), "predictRun", manner="main")
        self._words = Label()
        self._words.setProperty("manner", "muted")
        self._picture = Label()
        self._rows = self._row_line()
        self._aside = named(Label(), "noAnswer", manner="muted")
        self._aside.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._aside.setWordWrap(True)
        self._stack, self._right = QStackedWidget(), QStackedWidget()
        self._right.addWidget(self._aside)
        self._right.addWidget(self.answers)
        self._lay_out()
        self.take_row.clicked.connect(lambda: self.row_chosen.emit(self.row.value()))
        self.row.valueChanged.connect(self.row_chosen)
        self.forget.clicked.connect(self.form.forget)
        self.run.clicked.connect(self.run_requested)

    def show_answer(self, answer: Answer, truth: Truth, is_current: bool) -> None:
        """Show an answer, in grey where it is not to the present question."""
        self._stack.setCurrentIndex(1)
        self._right.setCurrentIndex(1)
        self.answers.show_answer(answer, truth, is_current)

    def show_hint(self, words: str, can_ask: bool, can_run: bool = False) -> None:
        """Say why there is no answer: beside the question, or alone where nothing can be asked yet."""
        self._stack.setCurrentIndex(1 if can_ask else 0)
        self._right.setCurrentIndex(0)
        for label in (self._words, self._aside):
            label.setText(words)
        self.run.setVisible(can_run)

    def set_n_rows(self, n_rows: int | None) -> None:
        """Offer the rows of a table in memory; None: there is none."""
        for part in (self._rows, self.score):
            part.setVisible(bool(n_rows))
        if n_rows:
            self.row.blockSignals(True)
            self.row.setRange(1, min(n_rows, MOST_ROWS))
            self.row.blockSignals(False)

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        super().set_theme(theme)
        self.form.set_theme(theme)
        self.answers.set_theme(theme)
        self._picture.setPixmap(icon("search", theme.muted).pixmap(48, 48))

    def _lay_out(self) -> None:
        left = named(QWidget(), "question", manner="side")
        left.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        column = QVBoxLayout(left)
        column.setContentsMargins(0, GRID, 0, 0)
        column.setSpacing(GRID)
        head = QHBoxLayout()
        head.setContentsMargins(2 * GRID, 0, 2 * GRID, 0)
        title = Label("QUESTION")
        title.setProperty("manner", "heading")
        head.addWidget(title)
        head.addStretch(1)
        head.addWidget(self.score)
        head.addWidget(self.forget)
        column.addLayout(head)
        column.addWidget(self._rows)
        column.addWidget(across())
        column.addWidget(self.form, 1)
        left.setMinimumWidth(300)
        halves = QSplitter(Qt.Orientation.Horizontal)
        halves.addWidget(left)
        halves.addWidget(self._right)
        halves.setChildrenCollapsible(False)
        halves.setHandleWidth(1)
        halves.setStretchFactor(0, 2)
        halves.setStretchFactor(1, 3)
        halves.setSizes([400, 600])
        self._stack.addWidget(self._hint())
        self._stack.addWidget(halves)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.notice)
        layout.addWidget(self._stack, 1)

    def _row_line(self) -> QWidget:
        line = QWidget()
        layout = QHBoxLayout(line)
        layout.setContentsMargins(2 * GRID, 0, 2 * GRID, 0)
        layout.setSpacing(GRID)
        layout.addWidget(label_for("Row", self.row))
        layout.addWidget(self.row)
        layout.addWidget(self.take_row)
        layout.addStretch(1)
        return line

    def _hint(self) -> QWidget:
        box = QWidget()
        layout = QVBoxLayout(box)
        layout.setSpacing(GRID)
        layout.addStretch(2)
        title = Label("Nothing to ask yet")
        title.setProperty("manner", "large")
        for widget in (self._picture, title, self._words, self.run):
            layout.addWidget(widget, alignment=Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch(3)
        return box
