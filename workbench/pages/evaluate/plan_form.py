"""What is evaluated: target, form of Fast IGMN, baseline and test option, with start, cancel and progress."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QGridLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget

from workbench.evaluate.trial.methods import FORMS, TUNED, baselines
from workbench.evaluate.trial.plan import Task
from workbench.pages.evaluate.choice import Choice
from workbench.pages.evaluate.option_form import OptionForm
from workbench.views.look.layouts import label_for
from workbench.views.look.naming import Label, named, one_line, plain_tip, set_property
from workbench.views.look.still import Still
from workbench.views.look.theme import GRID
from workbench.words.sentences import shortened

NO_BASELINE = "none"
LONGEST_NAME = 40


class PlanForm(QWidget):
    """The form on the left. Enter starts."""

    start_requested = Signal()
    cancel_requested = Signal()
    task_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_running, self._reason = False, ""
        self._chosen: Task | None = None
        """What the user has chosen to predict; where nothing, it is the first that there is."""
        self.task_box = Choice("evaluateTask", "what is predicted", "Target that is predicted, or the density of all")
        self.form_box = Choice("evaluateForm", "form of Fast IGMN", "Form of Fast IGMN")
        self.baseline_box = Choice(
            "evaluateBaseline",
            "baseline",
            "What Fast IGMN is compared with, on the same rows: a learner of scikit-learn",
        )
        self.options = OptionForm()
        self.button = named(QPushButton("Start"), "evaluateStart", manner="main")
        self.bar = named(QProgressBar(textVisible=False), "evaluateBar", "models tested")
        self.progress = named(Label(), "evaluateProgress", manner="small")
        kept = self.bar.sizePolicy()
        kept.setRetainSizeWhenHidden(True)
        self.bar.setSizePolicy(kept)
        self._lay_out()
        self.task_box.currentIndexChanged.connect(lambda _: self._choose_task())
        self.options.changed.connect(self._offer_methods)
        self.button.clicked.connect(self.press)
        self.set_running(False)

    @property
    def task(self) -> Task | None:
        """What is predicted; None where nothing can be."""
        found: Task | None = self.task_box.currentData()
        return found

    @property
    def method(self) -> str:
        """Form of Fast IGMN."""
        return str(self.form_box.currentData())

    @property
    def baseline(self) -> str | None:
        """What it is compared with; None: nothing."""
        found: str | None = self.baseline_box.currentData()
        return found

    def show_tasks(self, tasks: tuple[Task, ...]) -> None:
        """Offer what can be predicted."""
        before = self._chosen if self._chosen in tasks else None
        self._chosen = before
        self.task_box.offer([(shortened(one_line(task.words), LONGEST_NAME), task) for task in tasks])
        with QSignalBlocker(self.task_box):
            self.task_box.setCurrentIndex(0 if before is None else tasks.index(before))
        self._take_task()
        self.set_blocked(self._reason)

    def set_blocked(self, reason: str) -> None:
        """Disable the start and say why; an empty reason enables it."""
        self._reason = reason
        self.button.setEnabled(self._is_running or (not reason and self.task is not None))
        tip = "Stop; nothing is kept" if self._is_running else reason or "Learn and test (Enter)"
        self.button.setToolTip(plain_tip(tip))

    def set_running(self, is_running: bool) -> None:
        """Show whether an evaluation is running."""
        self._is_running = is_running
        self.button.setText("Cancel" if is_running else "Start")
        set_property(self.button, "manner", "" if is_running else "main")
        for widget in (self.task_box, self.form_box, self.baseline_box, self.options):
            widget.setEnabled(not is_running)
        self.bar.setVisible(is_running)
        self.show_progress(0, 0, "")
        self.set_blocked(self._reason)

    def show_progress(self, done: int, total: int, words: str) -> None:
        """Show how far it is."""
        self.bar.setMaximum(total)
        self.bar.setValue(done)
        self.progress.setText(words)

    def press(self) -> None:
        """Start, or cancel what is running."""
        if self._is_running:
            self.cancel_requested.emit()
        elif self.button.isEnabled():
            self.start_requested.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Called by Qt: Enter starts, whichever field has the focus."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and not self._is_running:
            self.press()
        else:
            super().keyPressEvent(event)

    def _choose_task(self) -> None:
        self._chosen = self.task
        self._take_task()

    def _take_task(self) -> None:
        self._offer_methods()
        self.task_changed.emit()

    def _offer_methods(self) -> None:
        """Those that suit the task; on a stream, those that learn row by row."""
        task, is_stream = self.task, self.options.key == "prequential"
        forms = {} if task is None else FORMS[task.kind]
        self.form_box.offer([(title, name) for name, title in forms.items() if not (is_stream and name == TUNED)])
        known = {} if task is None else baselines(task.kind, is_stream)
        self.baseline_box.offer([(NO_BASELINE, None), *((title, name) for name, title in known.items())])

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(GRID)
        grid.setVerticalSpacing(GRID // 2)
        grid.setColumnStretch(1, 1)
        fields = (("Predict", self.task_box), ("By", self.form_box), ("Baseline", self.baseline_box))
        for row, (text, box) in enumerate(fields):
            grid.addWidget(label_for(text, box), row, 0)
            grid.addWidget(box, row, 1)
        heading = Label("TEST OPTION")
        heading.setProperty("manner", "heading")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID, GRID, 2 * GRID, GRID // 2)
        layout.setSpacing(GRID)
        layout.addLayout(grid)
        layout.addWidget(heading)
        layout.addWidget(self.options)
        layout.addWidget(self.button)
        layout.addWidget(self.bar)
        layout.addWidget(Still(self.progress))
        layout.addStretch(1)
