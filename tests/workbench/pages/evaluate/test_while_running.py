"""The Evaluate page while an evaluation is under way, and by keyboard alone."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from tests.workbench.hands import click, find, wait
from tests.workbench.pages.evaluate.steps import evaluate, rest
from tests.workbench.parts import evaluate_page
from tests.workbench.steps import open_sample
from workbench.window.shell import WindowShell

MOST_STOPS = 80


@pytest.fixture
def iris(qtbot: QtBot, shell: WindowShell) -> WindowShell:
    """The Evaluate page with iris, in few folds."""
    open_sample(qtbot, shell)
    shell.show_page(evaluate_page(shell))
    evaluate_page(shell).form.options.folds.setValue(3)
    return shell


def test_what_was_found_so_far_is_shown(qtbot: QtBot, iris: WindowShell) -> None:
    page = evaluate_page(iris)
    page.form.options.repeats.setValue(100)
    click(page, "evaluateStart")
    wait(qtbot, lambda: page.evaluation is not None and not page.evaluation.is_complete)
    assert page.title.text() == "Running: class · 3-fold cross-validation, 100 times"
    wait(qtbot, lambda: page.figures.table.cells.rows)
    click(page, "evaluateStart")
    assert page.evaluation is None
    wait(qtbot, lambda: not iris.desk.evaluate.is_running)
    rest(qtbot, iris)


def test_a_result_that_is_looked_at_stays_in_front(qtbot: QtBot, iris: WindowShell) -> None:
    page = evaluate_page(iris)
    first = evaluate(qtbot, iris)
    page.form.options.repeats.setValue(100)
    click(page, "evaluateStart")
    wait(qtbot, lambda: page.evaluation is not None and page.evaluation is not first.evaluation)
    page.results.view.setCurrentIndex(page.results.model.index(0, 0))
    assert page.evaluation is first.evaluation
    done = page.form.bar.value()
    wait(qtbot, lambda: page.form.bar.value() > done + 3)
    assert page.evaluation is first.evaluation
    page.results.view.clearSelection()  # what is under way is shown again
    wait(qtbot, lambda: page.evaluation is not None and page.evaluation is not first.evaluation)
    click(page, "evaluateStart")
    wait(qtbot, lambda: not iris.desk.evaluate.is_running)
    rest(qtbot, iris)


def test_another_dataset_does_not_end_it(qtbot: QtBot, iris: WindowShell) -> None:
    page = evaluate_page(iris)
    page.form.options.repeats.setValue(30)
    click(page, "evaluateStart")
    wait(qtbot, lambda: page.form.bar.value() > 0)
    open_sample(qtbot, iris, "Old Faithful")
    iris.show_page(page)
    wait(qtbot, lambda: iris.desk.evaluate.results)
    (result,) = iris.desk.evaluate.results
    assert result.dataset == "iris"
    assert result.evaluation is not None
    assert len(result.evaluation.outcomes[0].parts) == 90
    rest(qtbot, iris)


def test_everything_is_reached_by_the_tab_key(qtbot: QtBot, iris: WindowShell) -> None:
    page = evaluate_page(iris)
    evaluate(qtbot, iris)
    page.form.task_box.setFocus()
    met: list[str] = []
    for _ in range(MOST_STOPS):
        focused = QApplication.focusWidget()
        if focused is None or focused.objectName() in met[-1:]:
            break
        met.append(focused.objectName())
        QTest.keyClick(focused, Qt.Key.Key_Tab)
    wanted = {
        "evaluateTask", "evaluateForm", "evaluateBaseline", "optionFolds", "optionFoldCount", "optionRepeats",
        "evaluateStart", "resultSave", "resultList", "resultAgain", "resultSettings", "resultDelete",
        "evaluateParts", "evaluateExportCsv", "evaluateExportCopy", "figuresTable",
    }  # fmt: skip
    assert wanted <= set(met), f"not reached: {wanted - set(met)}"


def test_what_a_user_operates_has_a_name_and_a_tooltip(qtbot: QtBot, iris: WindowShell) -> None:
    page = evaluate_page(iris)
    evaluate(qtbot, iris)
    names = (
        "evaluateTask", "evaluateForm", "evaluateBaseline", "evaluateStart", "resultAgain", "resultCompare",
        "resultSettings", "resultDelete", "resultSave", "tuneStart", "tuneUse", "tuneDeltas", "curveKind", "curveClass",
    )  # fmt: skip
    for name in names:
        assert find(page, QWidget, name).toolTip(), name
