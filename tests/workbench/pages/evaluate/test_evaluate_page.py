"""The Evaluate page, used through the window: what it shows is what the library says."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot
from sklearn.metrics import accuracy_score, confusion_matrix, roc_auc_score
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from figmn import FastIGMNClassifier
from tests.workbench.hands import choose, click, find, wait, write
from tests.workbench.pages.evaluate.steps import evaluate, offered, rest, turn_to
from tests.workbench.parts import evaluate_page
from tests.workbench.penguins import write_penguins
from tests.workbench.steps import answer_save, log_text, open_sample, state
from workbench.evaluate.folds import stratified_folds
from workbench.evaluate.trial.plan import Folds, Prequential, Split, SuppliedFile, TrainingSet
from workbench.pages.data.wiring import DataWiring
from workbench.pages.evaluate.parts.confusion import ConfusionPart
from workbench.pages.evaluate.parts.course import CoursePart
from workbench.pages.evaluate.parts.curves import CurvesPart
from workbench.pages.evaluate.parts.folds import FoldsPart
from workbench.pages.evaluate.parts.numbers import PredictedPart, ResidualsPart
from workbench.pages.evaluate.plan_form import PlanForm
from workbench.pages.evaluate.wiring import NO_TARGET
from workbench.run.recipe.dataset import FileOrigin
from workbench.views.look.theme import DARK
from workbench.window.shell import WindowShell


@pytest.fixture
def iris(qtbot: QtBot, shell: WindowShell) -> WindowShell:
    """The Evaluate page with iris."""
    open_sample(qtbot, shell)
    shell.show_page(evaluate_page(shell))
    return shell


def load(qtbot: QtBot, shell: WindowShell, path: Path) -> None:
    shell.page(DataWiring).load(FileOrigin(str(path)))
    wait(qtbot, lambda: shell.desk.data.dataset is not None and shell.desk.data.dataset.title == path.name)
    shell.show_page(evaluate_page(shell))


def set_target(shell: WindowShell, name: str) -> None:
    dataset = shell.desk.data.dataset
    assert dataset is not None
    shell.hub.change_requested.emit(dataset.with_roles({name: "target"}), "role")


@pytest.fixture
def line(qtbot: QtBot, shell: WindowShell, tmp_path: Path) -> WindowShell:
    """The Evaluate page with a number to predict."""
    rng = np.random.default_rng(3)
    x = rng.normal(size=(300, 2))
    y = 2 * x[:, 0] - x[:, 1] + rng.normal(0, 0.2, 300)
    rows = "\n".join(",".join(f"{value:.6f}" for value in row) for row in np.column_stack([x, y]))
    (tmp_path / "line.csv").write_text(f"a,b,<b>y</b>\n{rows}\n", encoding="utf-8")
    load(qtbot, shell, tmp_path / "line.csv")
    set_target(shell, "<b>y</b>")
    wait(qtbot, lambda: evaluate_page(shell).form.task is not None)
    return shell


def form(shell: WindowShell) -> PlanForm:
    return evaluate_page(shell).form


# Before there is something to evaluate


def test_without_data_it_says_what_to_do(qtbot: QtBot, shell: WindowShell) -> None:
    page = evaluate_page(shell)
    shell.show_page(page)
    assert "Open a file" in page._words.text()
    click(page, "evaluateSample")
    wait(qtbot, lambda: shell.desk.data.dataset is not None)
    shell.show_page(page)
    assert form(shell).isVisible()
    assert "press Start" in page._aside.text()


def test_without_a_target_only_the_density_is_offered(qtbot: QtBot, shell: WindowShell) -> None:
    open_sample(qtbot, shell, "Old Faithful")
    dataset = shell.desk.data.dataset
    assert dataset is not None
    shell.hub.change_requested.emit(dataset.with_roles(dict.fromkeys(dataset.roles, "input")), "roles")
    page = evaluate_page(shell)
    shell.show_page(page)
    assert [task.kind for task in shell.desk.evaluate.tasks()] == ["density"]
    assert page._aside.text() == NO_TARGET
    evaluate(qtbot, shell)
    assert offered(shell) == ["Figures", "Folds", "Tuning"]
    assert page.figures.table.cells.rows[0][0] == "log-likelihood per row"


def test_streamed_data_cannot_be_evaluated(qtbot: QtBot, shell: WindowShell) -> None:
    shell.hub.demo_requested.emit()
    page = evaluate_page(shell)
    shell.show_page(page)
    assert "streamed" in page._words.text()
    assert not page.open_file.isVisible()
    shell.desk.run.stop()
    wait(qtbot, lambda: state(shell) != "running")


# What is shown is what the library says


def test_cross_validation_equals_scikit_learn(qtbot: QtBot, iris: WindowShell) -> None:
    page = evaluate_page(iris)
    choose(form(iris).baseline_box, "naive Bayes")
    result = evaluate(qtbot, iris)
    dataset = iris.desk.data.dataset
    assert dataset is not None
    assert result.evaluation is not None
    table = dataset.table
    X = np.column_stack([column.values for column in table if column.role == "input"])
    y = table.targets[0].values
    cv = [(fold.train, fold.test) for fold in stratified_folds(table, 10, seed=0)]
    parameters = {name: getattr(result.recipe.parameters, name) for name in ("delta", "beta", "v_min", "sp_min")}
    methods = (FastIGMNClassifier(**parameters), make_pipeline(StandardScaler(), GaussianNB()))
    for place, model in enumerate(methods):
        said = cross_val_predict(model, X, y, cv=cv, method="predict_proba")
        # The table of figures
        text = f"{100 * accuracy_score(y, said.argmax(axis=1)):.2f} ±"
        assert page.figures.table.cells.rows[0][1 + place].startswith(text)
        # The confusion matrix
        part = turn_to(qtbot, iris, "Confusion")
        assert isinstance(part, ConfusionPart)
        part.method.setCurrentIndex(place)
        rest(qtbot, iris)
        np.testing.assert_array_equal(part.matrix.matrix.counts, confusion_matrix(y, said.argmax(axis=1)))
        # The area under the curve
        curves = turn_to(qtbot, iris, "Curves")
        assert isinstance(curves, CurvesPart)
        curves.label.setCurrentIndex(1)
        rest(qtbot, iris)
        name, _ = curves.plot.names.entries[place]
        assert name.endswith(f"AUC {roc_auc_score(y == 1, said[:, 1]):.4f}")


def test_every_test_option_is_planned_as_chosen(qtbot: QtBot, iris: WindowShell, tmp_path: Path) -> None:
    options = form(iris).options
    click(options.buttons["training"])
    assert options.option() == TrainingSet()
    click(options.buttons["folds"])
    write(options.folds, "5", key=None)
    write(options.repeats, "2", key=None)
    assert options.option() == Folds(5, 2)
    click(options.buttons["split"])
    options.share.setValue(50.0)
    options.split_repeats.setValue(3)
    assert options.option() == Split(0.5, 3)
    click(options.ordered)
    assert not options.split_repeats.isEnabled()
    assert options.option() == Split(0.5, 1, is_ordered=True)
    click(options.buttons["prequential"])
    options.window_rows.setValue(50)
    options.delay.setValue(7)
    assert options.option() == Prequential(50, 0.995, 7)
    click(options.buttons["file"])
    with pytest.raises(ValueError, match="No file"):
        options.option()
    options.set_file(str(tmp_path / "other.csv"))
    assert options.option() == SuppliedFile(FileOrigin(str(tmp_path / "other.csv")))
    qtbot.waitUntil(lambda: not iris.desk.jobs.under_way)


def test_a_missing_file_is_told(qtbot: QtBot, iris: WindowShell) -> None:
    click(form(iris).options.buttons["file"])
    click(evaluate_page(iris), "evaluateStart")
    assert "No file to test was chosen" in evaluate_page(iris).notice.text()
    qtbot.waitUntil(lambda: not iris.desk.evaluate.is_running)


def test_enter_starts_and_the_keys_of_the_stream_stay(qtbot: QtBot, iris: WindowShell) -> None:
    write(form(iris).options.folds, "3")
    wait(qtbot, lambda: iris.desk.evaluate.results)
    (result,) = iris.desk.evaluate.results
    assert result.evaluation is not None
    assert result.evaluation.plan.option == Folds(3)
    rest(qtbot, iris)
    iris.window.menus["play"].trigger()
    wait(qtbot, lambda: state(iris) == "finished")


def test_prequential_shows_its_course(qtbot: QtBot, iris: WindowShell) -> None:
    click(form(iris).options.buttons["prequential"])
    choose(form(iris).baseline_box, "last class again")
    result = evaluate(qtbot, iris)
    assert result.evaluation is not None
    part = evaluate_page(iris).part  # in front, since its curves grow while it runs
    assert isinstance(part, CoursePart)
    assert part.figure.itemText(0) == "accuracy"
    for over in ("windows", "faded", "overall"):
        part.over.setCurrentIndex(part.over.findData(over))
        for outcome, line in zip(result.evaluation.outcomes, part.plot.item.lines, strict=True):
            assert outcome.course is not None
            np.testing.assert_array_equal(line.y, getattr(outcome.course, over)["accuracy"])
    assert "all rows so far" in part.words.text()
    lines = part.csv(raw=True)().splitlines()
    assert len(lines) == 1 + 2 * 150
    assert "Folds" not in offered(iris)


def test_numbers_show_pairs_residuals_and_coverage(qtbot: QtBot, line: WindowShell) -> None:
    choose(form(line).baseline_box, "linear regression")
    result = evaluate(qtbot, line)
    assert result.evaluation is not None
    assert offered(line) == ["Figures", "Predicted", "Residuals", "Folds", "Tuning"]
    whole = result.evaluation.outcomes[0].whole
    assert whole.predicted is not None
    assert whole.low is not None
    assert whole.high is not None
    part = turn_to(qtbot, line, "Predicted")
    assert isinstance(part, PredictedPart)
    assert part.pairs is not None
    np.testing.assert_array_equal(part.pairs.predicted, whole.predicted)
    covered = 100 * np.mean((whole.low <= whole.truth) & (whole.truth <= whole.high))
    assert f"The 90 % intervals cover {covered:.1f} %" in part.words.text()
    residuals = turn_to(qtbot, line, "Residuals")
    assert isinstance(residuals, ResidualsPart)
    assert residuals.pairs is not None
    np.testing.assert_allclose(residuals.pairs.residuals, whole.predicted - whole.truth)
    choose(residuals.method, "linear regression")
    rest(qtbot, line)
    assert "intervals" not in residuals.words.text()
    assert residuals.pairs.counts.sum() <= 300


def test_folds_are_listed(qtbot: QtBot, iris: WindowShell) -> None:
    form(iris).options.folds.setValue(4)
    form(iris).options.repeats.setValue(2)
    evaluate(qtbot, iris)
    part = turn_to(qtbot, iris, "Folds")
    assert isinstance(part, FoldsPart)
    rows = part.table.cells.rows
    assert [row[:2] for row in rows] == [(str(repeat), str(fold)) for repeat in (1, 2) for fold in (1, 2, 3, 4)]
    assert sum(int(row[2]) for row in rows) == 300


def test_the_part_that_is_looked_at_stays(qtbot: QtBot, iris: WindowShell) -> None:
    page = evaluate_page(iris)
    form(iris).options.folds.setValue(3)
    evaluate(qtbot, iris)
    turn_to(qtbot, iris, "Confusion")
    evaluate(qtbot, iris)
    assert page.tabs.tabText(page.tabs.currentIndex()) == "Confusion"
    choose(form(iris).task_box, "density of the rows")
    evaluate(qtbot, iris)
    assert page.tabs.tabText(page.tabs.currentIndex()) == "Figures"
    choose(form(iris).task_box, "class")
    evaluate(qtbot, iris)
    assert page.tabs.tabText(page.tabs.currentIndex()) == "Confusion"


def test_missing_values_and_penguins(qtbot: QtBot, shell: WindowShell, tmp_path: Path) -> None:
    load(qtbot, shell, write_penguins(tmp_path / "penguins.csv"))
    set_target(shell, "species")
    choose(form(shell).baseline_box, "logistic regression")
    evaluate(qtbot, shell)
    part = turn_to(qtbot, shell, "Confusion")
    assert isinstance(part, ConfusionPart)
    assert part.matrix.matrix.counts.sum() > 300
    assert len(part.classes.cells.rows) == 3


# Rows behind a cell


def test_a_cell_of_the_matrix_selects_its_rows(qtbot: QtBot, iris: WindowShell) -> None:
    result = evaluate(qtbot, iris)
    part = turn_to(qtbot, iris, "Confusion")
    assert isinstance(part, ConfusionPart)
    assert result.evaluation is not None
    view = part.matrix
    whole = result.evaluation.outcomes[0].whole
    for cell, key in (((0, 0), Qt.KeyboardModifier.NoModifier), ((1, 1), Qt.KeyboardModifier.ControlModifier)):
        place = view.visualRect(view.matrix.index(*cell)).center()
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, key, place)
    wanted = [code in {0, 1} and code == truth for code, truth in zip(whole.predicted_codes, whole.truth, strict=True)]
    np.testing.assert_array_equal(iris.desk.data.selection.rows, np.sort(whole.rows[wanted]))
    assert "rows selected" in part.chosen.text()
    click(part, "confusionToPlot")
    assert iris.window.page.key == "stream"
    iris.show_page(evaluate_page(iris))
    click(part, "confusionToTable")
    assert iris.window.page.key == "data"


def test_rows_of_other_data_are_not_selected(qtbot: QtBot, iris: WindowShell) -> None:
    evaluate(qtbot, iris)
    part = turn_to(qtbot, iris, "Confusion")
    assert isinstance(part, ConfusionPart)
    open_sample(qtbot, iris, "Old Faithful")
    iris.show_page(evaluate_page(iris))
    part.matrix.setCurrentIndex(part.matrix.matrix.index(0, 0))
    QTest.keyClick(part.matrix, Qt.Key.Key_Return)
    assert "other data" in part.chosen.text()
    assert not iris.desk.data.selection


# Cancelling, exports, look


def test_cancel_keeps_nothing(qtbot: QtBot, iris: WindowShell) -> None:
    form(iris).options.repeats.setValue(100)
    click(evaluate_page(iris), "evaluateStart")
    button = find(evaluate_page(iris), QPushButton, "evaluateStart")
    wait(qtbot, lambda: form(iris).bar.value() > 0)
    assert button.text() == "Cancel"
    click(button)
    assert button.text() == "Start"
    wait(qtbot, lambda: not iris.desk.evaluate.is_running)
    assert not iris.desk.evaluate.results
    form(iris).options.repeats.setValue(1)
    evaluate(qtbot, iris)


def test_tables_and_plots_are_written(
    qtbot: QtBot, iris: WindowShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = evaluate_page(iris)
    evaluate(qtbot, iris)
    answer_save(monkeypatch, iris, tmp_path / "figures.csv")
    click(page, "evaluateExportCsv")
    wait(qtbot, lambda: "written to figures.csv" in log_text(iris))
    assert (tmp_path / "figures.csv").read_text(encoding="utf-8").startswith("figure,Fast IGMN,")
    click(page, "evaluateExportCopy")
    assert QApplication.clipboard().text().startswith("figure,")
    assert not page.exports.button("png").isEnabled()
    turn_to(qtbot, iris, "Curves")
    for kind in ("png", "svg"):
        answer_save(monkeypatch, iris, tmp_path / f"curve.{kind}")
        iris.window.menus[f"export{kind.capitalize()}"].trigger()
        wait(qtbot, partial(_is_told, iris, f"curve.{kind}"))
        assert (tmp_path / f"curve.{kind}").stat().st_size > 1000
    for title in ("Confusion", "Folds"):
        part = turn_to(qtbot, iris, title)
        text = part.csv(raw=True)
        assert text is not None
        assert len(text().splitlines()) > 3


def _is_told(shell: WindowShell, name: str) -> bool:
    return name in log_text(shell)


def test_it_draws_in_both_themes(qtbot: QtBot, iris: WindowShell) -> None:
    evaluate(qtbot, iris)
    for title in ("Figures", "Confusion", "Curves"):
        part = turn_to(qtbot, iris, title)
        light = part.grab().toImage()
        evaluate_page(iris).set_theme(DARK)
        assert part.grab().toImage() != light
        evaluate_page(iris).set_theme(iris.theme)


def test_classes_are_plain_text(qtbot: QtBot, shell: WindowShell, tmp_path: Path) -> None:
    lines = [f"{i % 13},{i % 7},{'<i>a</i>' if i % 2 else 'b & c'}" for i in range(80)]
    (tmp_path / "odd.csv").write_text("\n".join(["x,constant,label", *lines]) + "\n", encoding="utf-8")
    load(qtbot, shell, tmp_path / "odd.csv")
    set_target(shell, "label")
    evaluate(qtbot, shell)
    part = turn_to(qtbot, shell, "Confusion")
    assert isinstance(part, ConfusionPart)
    tips = [
        part.matrix.matrix.headerData(place, Qt.Orientation.Vertical, Qt.ItemDataRole.ToolTipRole) for place in (0, 1)
    ]
    assert any("&lt;i&gt;a" in tip for tip in tips)
