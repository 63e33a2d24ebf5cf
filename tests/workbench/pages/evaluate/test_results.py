"""The result list of the Evaluate page: kept, marked, compared, deleted, saved."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from figmn import Parameters
from tests.workbench.hands import choose, click, wait
from tests.workbench.pages.evaluate.steps import evaluate, offered, rest, turn_to
from tests.workbench.parts import evaluate_page
from tests.workbench.steps import answer_save, log_text, open_sample, state
from workbench.desk.evaluate import Result
from workbench.evaluate.trial.comparison import compare
from workbench.pages.evaluate.result_list import ResultList
from workbench.pages.evaluate.result_model import STALE_ROLE
from workbench.pages.evaluate.words import figure_text
from workbench.run.recipe.choices import Choices
from workbench.window.shell import WindowShell


@pytest.fixture
def iris(qtbot: QtBot, shell: WindowShell) -> WindowShell:
    """The Evaluate page with iris, in few folds."""
    open_sample(qtbot, shell)
    shell.show_page(evaluate_page(shell))
    evaluate_page(shell).form.options.folds.setValue(3)
    return shell


def results(shell: WindowShell) -> ResultList:
    return evaluate_page(shell).results


def select(shell: WindowShell, *chosen: Result) -> None:
    """Select results, the last of them as the current one."""
    view, model = results(shell).view, results(shell).model
    view.clearSelection()
    for result in chosen:
        row = model.row_of(result)
        assert row is not None
        view.selectionModel().setCurrentIndex(model.index(row, 0), QItemSelectionModel.SelectionFlag.Select)


def test_the_newest_result_is_shown(qtbot: QtBot, iris: WindowShell) -> None:
    page = evaluate_page(iris)
    first = evaluate(qtbot, iris)
    choose(page.form.form_box, "Fast IGMN, a mixture per class")
    second = evaluate(qtbot, iris)
    assert page.evaluation is second.evaluation
    assert results(iris).selected == [second]
    assert page.title.text().startswith("2: class · 3-fold cross-validation")
    select(iris, first)
    assert page.evaluation is first.evaluation
    rest(qtbot, iris)
    value = page.figures.table.cells.values[0][1]
    assert results(iris).model.headline(first) == f"accuracy {100 * value:.2f} %"


def test_a_changed_setting_marks_results(qtbot: QtBot, iris: WindowShell) -> None:
    page = evaluate_page(iris)
    result = evaluate(qtbot, iris)
    index = results(iris).model.index(0, 0)
    assert not index.data(STALE_ROLE)
    iris.set_choices(Choices(Parameters(beta=0.1)))
    assert index.data(STALE_ROLE)
    assert "β 0.0001 → 0.1" in page.facts.text()
    click(page, "resultSettings")
    assert iris.desk.data.choices == result.recipe.choices
    assert not index.data(STALE_ROLE)
    assert "→" not in page.facts.text()


def test_run_again_repeats_the_plan(qtbot: QtBot, iris: WindowShell) -> None:
    first = evaluate(qtbot, iris)
    iris.set_choices(Choices(Parameters(beta=0.1)))
    click(evaluate_page(iris), "resultAgain")
    wait(qtbot, lambda: len(iris.desk.evaluate.results) == 2)
    rest(qtbot, iris)
    second = iris.desk.evaluate.results[-1]
    assert first.evaluation is not None
    assert second.evaluation is not None
    assert second.evaluation.plan == first.evaluation.plan
    same = (part.probabilities for one in (first, second) for part in one.evaluation.outcomes[0].parts)  # type: ignore[union-attr]
    arrays = list(same)
    assert all((one == other).all() for one, other in zip(arrays[:3], arrays[3:], strict=True))  # type: ignore[union-attr]


def test_two_results_are_compared(qtbot: QtBot, iris: WindowShell) -> None:
    page = evaluate_page(iris)
    first = evaluate(qtbot, iris)
    choose(page.form.form_box, "Fast IGMN, a mixture per class")
    second = evaluate(qtbot, iris)
    assert not results(iris).buttons["compare"].isEnabled()
    select(iris, first, second)
    click(page, "resultCompare")
    choose(page.comparing.figure, "log-loss")
    rest(qtbot, iris)
    assert first.evaluation is not None
    assert second.evaluation is not None
    found = compare(first.evaluation, second.evaluation, "log_loss")
    texts = {row[0]: row[1] for row in page.comparing.table.cells.rows}
    assert texts["log-loss, first"].startswith(figure_text(found.measure, found.first))
    assert texts["folds"] == "3 folds"
    values = dict(page.comparing.table.cells.values)
    assert values["P(first better)"] == found.better
    assert values["corrected resampled t-test"] == found.corrected.p
    assert found.better + found.same + found.worse == pytest.approx(1)


def test_other_folds_cannot_be_compared(qtbot: QtBot, iris: WindowShell) -> None:
    page = evaluate_page(iris)
    first = evaluate(qtbot, iris)
    page.form.options.folds.setValue(4)
    second = evaluate(qtbot, iris)
    select(iris, first, second)
    click(page, "resultCompare")
    rest(qtbot, iris)
    assert "other rows" in page.comparing.problem.text()
    assert not page.comparing.table.cells.rows
    select(iris, first)  # a result that is chosen comes to the front
    assert page.part is page.figures


def test_deleted_results_come_back(qtbot: QtBot, iris: WindowShell) -> None:
    page = evaluate_page(iris)
    first = evaluate(qtbot, iris)
    second = evaluate(qtbot, iris)
    select(iris, first, second)
    click(page, "resultCompare")
    QTest.keyClick(results(iris).view, Qt.Key.Key_Delete)
    assert not iris.desk.evaluate.results
    assert "Compare" not in offered(iris)
    assert page.evaluation is None
    click(page, "resultUndo")
    assert iris.desk.evaluate.results == [first, second]
    assert not results(iris).undo.isVisible()
    assert evaluate(qtbot, iris).number == 3


def test_all_results_are_saved(
    qtbot: QtBot, iris: WindowShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluate(qtbot, iris)
    for kind in ("json", "csv"):
        answer_save(monkeypatch, iris, tmp_path / f"all.{kind}")
        results(iris).save_requested.emit(kind)
        wait(qtbot, partial(_is_told, iris, f"all.{kind}"))
    (one,) = json.loads((tmp_path / "all.json").read_text(encoding="utf-8"))
    assert one["recipe"]["data"]
    assert (tmp_path / "all.csv").read_text(encoding="utf-8").count("accuracy") == 4


def _is_told(shell: WindowShell, name: str) -> bool:
    return name in log_text(shell)


def test_the_context_menu_has_the_commands(qtbot: QtBot, iris: WindowShell) -> None:
    evaluate(qtbot, iris)
    menu = results(iris).context_menu()
    enabled = {action.text(): action.isEnabled() for action in menu.actions() if action.text()}
    assert enabled["Run again"]
    assert not enabled["Compare"]
    menu.deleteLater()


def test_held_out_figures_of_a_run_are_kept(qtbot: QtBot, iris: WindowShell) -> None:
    dataset = iris.desk.data.dataset
    assert dataset is not None
    iris.hub.change_requested.emit(dataset.with_test_share(0.2), "held-out rows")
    iris.hub.run_requested.emit()
    wait(qtbot, lambda: state(iris) == "finished")
    wait(qtbot, lambda: iris.desk.evaluate.results)
    (result,) = iris.desk.evaluate.results
    page = evaluate_page(iris)
    iris.show_page(page)
    select(iris, result)
    assert offered(iris) == ["Figures", "Tuning"]
    assert ("held-out rows", "30") in page.figures.table.cells.rows
    assert not results(iris).buttons["again"].isEnabled()
    evaluate(qtbot, iris)
    turn_to(qtbot, iris, "Confusion")


def test_a_thousand_results_are_listed(qtbot: QtBot, iris: WindowShell, monkeypatch: pytest.MonkeyPatch) -> None:
    result = evaluate(qtbot, iris)
    many = [replace(result, number=number) for number in range(1, 1001)]
    iris.desk.evaluate.results = many
    asked: set[int] = set()
    is_current = results(iris).model._is_current

    def noted(one: Result) -> bool:
        asked.add(one.number)
        return is_current(one)

    monkeypatch.setattr(results(iris).model, "_is_current", noted)
    iris.hub.results_changed.emit()
    iris.set_choices(Choices(Parameters(beta=0.1)))
    results(iris).view.grab()
    assert results(iris).model.rowCount() == 1000
    assert 0 < len(asked) < 50  # those that are seen
