"""The search for settings on the Evaluate page."""

from __future__ import annotations

import math

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from tests.workbench.hands import click, find, wait, write
from tests.workbench.parts import evaluate_page, stream_page
from tests.workbench.steps import open_sample
from workbench.evaluate.trial.figures import measures_of_task
from workbench.evaluate.trial.plan import Folds, Plan, Task
from workbench.evaluate.trial.tuning import Search, Tuning, tune
from workbench.pages.evaluate.tuning.form import TuningForm
from workbench.pages.evaluate.tuning.heat_map import HeatMap
from workbench.pages.evaluate.tuning.view import TuningView
from workbench.run import Recipe, SampleOrigin
from workbench.window.shell import WindowShell


@pytest.fixture
def tuning(qtbot: QtBot, shell: WindowShell) -> TuningView:
    """The search in front, with iris and few candidates."""
    open_sample(qtbot, shell)
    page = evaluate_page(shell)
    shell.show_page(page)
    page.tabs.setCurrentIndex(page.tabs.count() - 1)
    write(page.tuning.form.deltas, "1, 0.3", key=None)
    write(page.tuning.form.betas, "0, 0.1", key=None)
    write(page.tuning.form.widths, "0.3 1", key=None)
    page.tuning.form.folds.setValue(2)
    return page.tuning


def test_what_is_shown_is_what_the_search_found(qtbot: QtBot, shell: WindowShell, tuning: TuningView) -> None:
    assert tuning.form.words.text() == "8 candidates, 16 models to learn"
    click(tuning.button)
    wait(qtbot, lambda: tuning.tuning is not None and tuning.button.text() == "Start search")
    recipe = Recipe(SampleOrigin("iris"))
    search = Search(deltas=(0.3, 1.0), betas=(0.0, 0.1), label_widths=(0.3, 1.0), n_folds=2, measure="accuracy")
    expected = tune(Plan(recipe, Task("classes", "class"), Folds(2)), recipe.dataset(), search)
    deltas, betas, values = expected.heat_map()
    np.testing.assert_array_equal(tuning.map.values, values)
    assert tuning.map.reading_at(1.2, 0.9) == f"δ 1, β 0.1: accuracy {100 * values[1, 1]:.2f} %"
    assert tuning.map.reading_at(5.0, 0.0) == ""
    shown = [row[1] for row in tuning.table.cells.rows]
    assert shown == sorted(shown, reverse=True)
    assert len(shown) == 8
    assert (deltas.tolist(), betas.tolist()) == ([0.3, 1.0], [0.0, 0.1])
    # One click to the Stream page
    click(tuning, "tuneUse")
    assert expected.best is not None
    assert shell.desk.data.choices.parameters == expected.best.parameters
    assert shell.desk.data.choices.label_width == expected.best.label_width
    assert shell.window.page.view is stream_page(shell)


def test_a_selected_candidate_is_used(qtbot: QtBot, shell: WindowShell, tuning: TuningView) -> None:
    click(tuning.button)
    wait(qtbot, lambda: tuning.tuning is not None and tuning.tuning.n_done == 8)
    tuning.table.selectRow(3)
    chosen = tuning.candidate
    assert chosen is not None
    click(tuning, "tuneUse")
    assert shell.desk.data.choices.parameters == chosen.parameters
    wait(qtbot, lambda: not shell.desk.jobs.under_way)


def test_cancel_keeps_what_was_measured(qtbot: QtBot, shell: WindowShell, tuning: TuningView) -> None:
    write(tuning.form.deltas, "0.01 0.02 0.03 0.05 0.1 0.2 0.3 0.5 1 2 3", key=None)
    tuning.form.folds.setValue(20)
    click(tuning.button)
    wait(qtbot, lambda: tuning.tuning is not None and tuning.tuning.n_done >= 1)
    click(tuning.button)
    assert "Cancelled" in tuning.progress.text()
    assert tuning.tuning is not None
    assert tuning.table.cells.rows
    wait(qtbot, lambda: not shell.desk.jobs.under_way)


def test_a_search_is_of_the_data_that_it_was_started_with(qtbot: QtBot, shell: WindowShell, tuning: TuningView) -> None:
    write(tuning.form.deltas, "0.01 0.02 0.03 0.05 0.1 0.2 0.3 0.5 1 2 3", key=None)
    tuning.form.folds.setValue(20)
    click(tuning.button)
    wait(qtbot, lambda: tuning.tuning is not None and tuning.tuning.n_done >= 1)
    open_sample(qtbot, shell, "wine")
    assert tuning.tuning is None
    assert tuning.button.text() == "Start search"
    assert not tuning.use.isEnabled()
    assert not tuning.progress.text()
    wait(qtbot, lambda: not shell.desk.jobs.under_way)
    shell.show_page(evaluate_page(shell))
    assert tuning.tuning is None


@pytest.mark.parametrize(
    ("field", "text", "words"),
    [
        ("tuneDeltas", "0.1, x", "δ"),
        ("tuneDeltas", "-1", "δ"),
        ("tuneDeltas", "", "Give at least one value for δ"),
        ("tuneBetas", "2", "β"),
        ("tuneWidths", "0", "label width"),
        ("tunePrunings", "100", "write v_min / sp_min"),
        ("tunePrunings", "100/x", "pruning"),
    ],
)
def test_nonsense_is_told_and_not_started(tuning: TuningView, field: str, text: str, words: str) -> None:
    write(find(tuning, QLineEdit, field), text or " ", key=Qt.Key.Key_Return)
    assert words in tuning.form.words.text()
    assert not tuning.button.isEnabled()
    assert tuning.form.search is None


def test_the_form_says_what_is_searched(qtbot: QtBot) -> None:
    form = TuningForm()
    qtbot.addWidget(form)
    form.set_task(Task("numbers", "y"))
    assert form.measure.itemData(0) == "rmse"
    form.prunings.setText("20 / 2, never")
    form.is_random.setChecked(True)
    form.n_random.setValue(7)
    assert form.search is not None
    assert form.search.prunings == ((20.0, 2.0), (math.inf, 3.0))
    assert form.search.n_candidates("numbers") == 7
    form.prunings.setText("")
    assert not form.problem, "as in the side panel"
    assert not form.search.prunings
    form.set_task(Task("classes", "c"))
    for box in form.forms.values():
        box.setChecked(False)
    assert "form" in form.problem


def test_candidates_that_are_not_measured_are_hatched(qtbot: QtBot) -> None:
    heat = HeatMap()
    qtbot.addWidget(heat)
    heat.resize(400, 300)
    recipe = Recipe(SampleOrigin("iris"))
    plan = Plan(recipe, Task("classes", "class"))
    search = Search(deltas=(0.3, 1.0), betas=(0.0,))
    measure = measures_of_task("classes")[0]
    heat.show_tuning(Tuning(plan, search, measure, ()))
    assert heat.reading_at(0.0, 0.0) == "δ 0.3, β 0: not measured"
    assert not heat.picture().isNull()
