"""The Predict page, used through the window."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QPushButton, QSlider
from pytestqt.qtbot import QtBot

from tests.workbench.hands import choose, click, find, let_pass, wait, write
from tests.workbench.pages.predict.asking import ask
from tests.workbench.parts import predict_page
from tests.workbench.penguins import write_penguins
from tests.workbench.steps import answer_save, log_text, open_sample, run_to_the_end, state
from workbench.pages.data.wiring import DataWiring
from workbench.pages.predict.answers import LabelCard, NumberCard
from workbench.run.ask.answer import LabelAnswer, NumberAnswer
from workbench.run.recipe.dataset import FileOrigin
from workbench.views.look.theme import DARK
from workbench.window.shell import WindowShell


def test_before_a_run_it_says_what_to_do(qtbot: QtBot, shell: WindowShell) -> None:
    page = predict_page(shell)
    shell.show_page(page)
    assert "Open a file" in page._words.text()
    assert not page.run.isVisible()
    open_sample(qtbot, shell)
    shell.show_page(page)
    assert "Stream the data first" in page._words.text()
    click(page, "predictRun")
    wait(qtbot, lambda: state(shell) == "finished")
    shell.show_page(page)
    ask(qtbot, shell)


def test_the_target_is_wanted_and_nothing_is_known(qtbot: QtBot, iris: WindowShell) -> None:
    found = ask(qtbot, iris)
    assert found.question.wanted == ("class",)
    assert not found.question.known
    (card,) = predict_page(iris).answers.cards.values()
    assert isinstance(card, LabelCard)
    assert [round(bar.share, 2) for bar in card.bars.bars()] == pytest.approx([1 / 3] * 3, abs=0.02)
    assert "Nothing is known" in predict_page(iris).answers.evidence.words.text()


def test_answers_about_other_data_than_the_present_name_theirs(qtbot: QtBot, iris: WindowShell) -> None:
    page = predict_page(iris)
    ask(qtbot, iris)
    assert page.answers.evidence.title.text() == "After 150 samples"
    open_sample(qtbot, iris, "wine")
    iris.show_page(page)
    assert page.answers.evidence.title.text() == "iris, after 150 samples"


def test_moving_a_slider_asks(qtbot: QtBot, iris: WindowShell) -> None:
    page = predict_page(iris)
    row = page.form.rows["petallength"]
    find(row, QSlider, row.slider.objectName()).setValue(50)
    assert row.known.isChecked()
    found = ask(qtbot, iris)
    (label,) = found.wanted
    assert isinstance(label, LabelAnswer)
    assert label.attribute.labels[int(label.shares.argmax())] == "Iris-setosa"
    engine = iris.desk.run.transport
    assert engine is not None
    question = [np.nan, np.nan, float(found.question.known["petallength"]), *[np.nan] * 4]
    columns = engine.ask(lambda learner, _: learner.engine.recall([question])).result()[0, 4:].clip(0, 1)
    np.testing.assert_allclose(label.shares, columns / columns.sum(), atol=1e-9)
    card = page.answers.cards["class"]
    assert card.words.text().startswith("most likely Iris-setosa")


def test_values_errors_and_labels_are_typed(qtbot: QtBot, iris: WindowShell) -> None:
    page = predict_page(iris)
    row = page.form.rows["petallength"]
    write(row.field, "4.9")
    write(row.error, "0.5")
    click(page.form.rows["sepallength"].wanted)
    click(page.form.rows["class"].wanted)  # no longer wanted
    box = find(page.form.rows["class"], QComboBox, page.form.rows["class"].stops()[2].objectName())
    choose(box, "Iris-virginica")
    found = ask(qtbot, iris)
    assert found.question.known == {"petallength": 4.9, "class": "Iris-virginica"}
    assert found.question.errors == {"petallength": 0.5}
    assert found.question.wanted == ("sepallength",)
    (number,) = found.wanted
    assert isinstance(number, NumberAnswer)
    assert isinstance(page.answers.cards["sepallength"], NumberCard)
    assert "90 % between" in page.answers.cards["sepallength"].words.text()


@pytest.mark.parametrize("text", ["abc", "1e999", "nan", "--", "1e90"])
def test_nonsense_is_told_and_changes_nothing(qtbot: QtBot, iris: WindowShell, text: str) -> None:
    row = predict_page(iris).form.rows["petallength"]
    write(row.field, "4.9")
    before = ask(qtbot, iris)
    row.field.setText(text)
    row.field.textEdited.emit(text)  # at once, as pasted
    assert "write it as 12.5" in row.problem.text()
    assert iris.desk.predict.question == before.question
    row.field.editingFinished.emit()
    assert row.field.text() == "4.9"
    assert not row.problem.isVisible()


def test_a_negative_error_is_told(qtbot: QtBot, iris: WindowShell) -> None:
    row = predict_page(iris).form.rows["petallength"]
    write(row.field, "4.9")
    write(row.error, "-1", key=None)
    assert "0 or a positive number" in row.problem.text()
    assert not ask(qtbot, iris).question.errors


def test_nothing_wanted_is_told(qtbot: QtBot, iris: WindowShell) -> None:
    page = predict_page(iris)
    click(page.form.rows["class"].wanted)
    assert "tick at least one attribute" in page.notice.text()
    assert not iris.desk.predict.is_answered
    click(page.form.rows["class"].wanted)
    ask(qtbot, iris)
    wait(qtbot, lambda: not page.notice.isVisible())


def test_a_row_of_the_table_is_asked_about(qtbot: QtBot, iris: WindowShell) -> None:
    page = predict_page(iris)
    write(page.row, "101")
    found = ask(qtbot, iris)
    assert set(found.question.known) == {"sepallength", "sepalwidth", "petallength", "petalwidth"}
    assert "the row has Iris-virginica" in page.answers.cards["class"].words.text()
    click(page, "forgetAll")
    assert not ask(qtbot, iris).question.known
    wait(qtbot, lambda: "the row has" not in page.answers.cards["class"].words.text())


def test_missing_values_stay_unknown(qtbot: QtBot, shell: WindowShell, tmp_path: Path) -> None:
    shell.page(DataWiring).load(FileOrigin(str(write_penguins(tmp_path / "penguins.csv"))))
    wait(qtbot, lambda: shell.desk.data.dataset is not None)
    run_to_the_end(qtbot, shell)
    page = predict_page(shell)
    shell.show_page(page)
    ask(qtbot, shell)
    write(page.row, "4")  # without any measurement
    known = ask(qtbot, shell).question.known
    assert not {"bill_length_mm", "body_mass_g"} & set(known)


def test_answers_follow_the_mixture_while_it_learns(qtbot: QtBot, shell: WindowShell) -> None:
    open_sample(qtbot, shell)
    shell.hub.speed_requested.emit(100.0)
    click(shell.window, "streamButton")
    page = predict_page(shell)
    shell.show_page(page)
    first = ask(qtbot, shell).n_seen
    wait(qtbot, lambda: ask(qtbot, shell).n_seen > first)
    shell.desk.run.stop()


def test_another_run_with_other_columns_asks_anew(qtbot: QtBot, iris: WindowShell) -> None:
    page = predict_page(iris)
    write(page.row, "5")
    ask(qtbot, iris)
    open_sample(qtbot, iris, "Old Faithful")
    run_to_the_end(qtbot, iris)
    iris.show_page(page)
    wait(qtbot, lambda: "waiting (min)" in page.form.rows)
    found = ask(qtbot, iris)
    assert not found.question.known
    assert found.question.wanted == tuple(page.form.rows)[-1:]


def test_a_restart_keeps_the_question(qtbot: QtBot, iris: WindowShell) -> None:
    page = predict_page(iris)
    write(page.form.rows["petallength"].field, "4.9")
    before = ask(qtbot, iris)
    iris.hub.run_requested.emit()
    iris.show_page(page)
    wait(qtbot, lambda: iris.desk.predict.is_answered and iris.desk.predict.latest is not before)
    assert ask(qtbot, iris).question.known == {"petallength": 4.9}


def test_many_attributes_are_found_by_name(qtbot: QtBot, shell: WindowShell) -> None:
    open_sample(qtbot, shell, "digits")
    run_to_the_end(qtbot, shell)
    page = predict_page(shell)
    shell.show_page(page)
    ask(qtbot, shell)
    assert len(page.form.rows) == 60
    write(page.form.filter, "7.7", key=None)
    assert all("7.7" in name for name in page.form.rows)
    (row,) = page.form.rows.values()
    let_pass(qtbot)
    click(row.known)
    write(page.form.filter, " ", key=None)
    assert list(ask(qtbot, shell).question.known) == [row.attribute.name]


def test_names_are_plain_text(qtbot: QtBot, shell: WindowShell, tmp_path: Path) -> None:
    path = tmp_path / "odd.csv"
    lines = [f"{i},{i % 7},{'<i>a</i>' if i % 2 else 'b'},2020-01-{1 + i % 28:02d}" for i in range(60)]
    path.write_text("\n".join(["<b>x</b>,constant & so,label,when", *lines]) + "\n", encoding="utf-8")
    shell.page(DataWiring).load(FileOrigin(str(path)))
    wait(qtbot, lambda: shell.desk.data.dataset is not None)
    run_to_the_end(qtbot, shell)
    page = predict_page(shell)
    shell.show_page(page)
    ask(qtbot, shell)
    for name in ("<b>x</b>", "when"):
        if not page.form.rows[name].asked.is_wanted:
            click(page.form.rows[name].wanted)
    found = ask(qtbot, shell)
    assert {"<b>x</b>", "when"} <= set(found.question.wanted)
    assert "2020-01-" in page.answers.cards["when"].words.text()
    assert page.answers.cards["<b>x</b>"].title.textFormat() == Qt.TextFormat.PlainText


def test_it_draws_in_both_themes(qtbot: QtBot, iris: WindowShell) -> None:
    page = predict_page(iris)
    click(page.form.rows["sepallength"].wanted)
    ask(qtbot, iris)
    wait(qtbot, lambda: "sepallength" in page.answers.cards)
    light = page.answers.cards["sepallength"].grab().toImage()
    page.set_theme(DARK)
    assert page.answers.cards["sepallength"].grab().toImage() != light


def test_everything_has_a_name_to_be_spoken(iris: WindowShell) -> None:
    page = predict_page(iris)
    for row in page.form.rows.values():
        for kind in (QCheckBox, QLineEdit, QSlider):
            assert all(widget.accessibleName() for widget in row.findChildren(kind))
    assert find(page, QPushButton, "takeRow").toolTip()


def test_the_scored_table_is_written(
    qtbot: QtBot, iris: WindowShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer_save(monkeypatch, iris, tmp_path / "iris-scored.csv")
    click(predict_page(iris), "scoreTable")
    wait(qtbot, lambda: "150 rows written to iris-scored.csv" in log_text(iris))
    lines = (tmp_path / "iris-scored.csv").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 151
    assert lines[0].startswith('"row","sepallength"')
    assert '"class_predicted"' in lines[0]


def test_a_stream_without_a_table_cannot_be_scored(
    qtbot: QtBot, shell: WindowShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell.hub.demo_requested.emit()
    page = predict_page(shell)
    shell.show_page(page)
    ask(qtbot, shell)
    assert not page.score.isVisible()
    answer_save(monkeypatch, shell, tmp_path / "none.csv")
    shell.window.menus["exportScored"].trigger()
    assert "no table of this run in memory" in page.notice.text()
    assert not (tmp_path / "none.csv").exists()
    shell.desk.run.stop()


def test_one_known_number_shows_how_the_wanted_one_follows(qtbot: QtBot, iris: WindowShell) -> None:
    page = predict_page(iris)
    click(page.form.rows["sepallength"].wanted)
    write(page.form.rows["petallength"].field, "4.9")
    ask(qtbot, iris)
    wait(qtbot, lambda: "sepallength" in page.answers.cards)
    card = page.answers.cards["sepallength"]
    assert isinstance(card, NumberCard)
    wait(qtbot, card.bands.isVisible)
    assert card.bands.accessibleName().startswith("sepallength against petallength")
    write(page.form.rows["petalwidth"].field, "1.5")
    wait(qtbot, lambda: not card.bands.isVisible())


def test_a_question_that_cannot_be_asked_can_be_mended(qtbot: QtBot, iris: WindowShell) -> None:
    page = predict_page(iris)
    click(page.form.rows["class"].wanted)  # nothing is wanted
    iris.hub.run_requested.emit()
    wait(qtbot, lambda: state(iris) == "finished")
    iris.show_page(page)
    wait(qtbot, lambda: iris.desk.predict.attributes and page.form.isVisible())
    click(page.form.rows["class"].wanted)
    ask(qtbot, iris)


def test_other_data_while_the_filter_holds_text(qtbot: QtBot, shell: WindowShell) -> None:
    open_sample(qtbot, shell, "digits")
    run_to_the_end(qtbot, shell)
    page = predict_page(shell)
    shell.show_page(page)
    ask(qtbot, shell)
    write(page.form.filter, "7", key=None)
    open_sample(qtbot, shell, "iris")
    run_to_the_end(qtbot, shell)
    shell.show_page(page)
    wait(qtbot, lambda: "petallength" in page.form.rows)
    ask(qtbot, shell)


def test_rows_are_those_that_the_run_has_learned(qtbot: QtBot, iris: WindowShell) -> None:
    """A kind or another dataset that is chosen after the run does not change what its rows are."""
    page = predict_page(iris)
    dataset = iris.desk.data.dataset
    assert dataset is not None
    iris.desk.take_dataset(dataset.with_kinds({"petallength": "nominal"}), "kinds")
    iris.hub.dataset_changed.emit()
    write(page.row, "101")
    assert ask(qtbot, iris).question.known["petallength"] == 6.0
    open_sample(qtbot, iris, "wine")
    iris.show_page(page)
    write(page.row, "1")
    assert ask(qtbot, iris).question.known["petallength"] == 1.4


def test_another_value_than_the_rows_forgets_the_row(qtbot: QtBot, iris: WindowShell) -> None:
    page = predict_page(iris)
    write(page.row, "101")
    ask(qtbot, iris)
    assert "the row has" in page.answers.cards["class"].words.text()
    write(page.form.rows["petallength"].field, "2")
    ask(qtbot, iris)
    wait(qtbot, lambda: "the row has" not in page.answers.cards["class"].words.text())


def test_classes_have_the_colours_of_the_theme(iris: WindowShell) -> None:
    page = predict_page(iris)
    card = page.answers.cards["class"]
    assert isinstance(card, LabelCard)
    page.set_theme(DARK)
    assert card.bars.bars()[0].ink == DARK.class_colour(0)


def test_a_run_that_cannot_start_is_told(qtbot: QtBot, shell: WindowShell, tmp_path: Path) -> None:
    path = tmp_path / "huge.csv"
    path.write_text("a,b\n" + "".join(f"{i},1e80\n" for i in range(1, 30)), encoding="utf-8")
    shell.page(DataWiring).load(FileOrigin(str(path)))
    wait(qtbot, lambda: shell.desk.data.dataset is not None)
    click(shell.window, "streamButton")
    page = predict_page(shell)
    wait(qtbot, lambda: shell.desk.run.state == "failed")
    shell.show_page(page)
    wait(qtbot, lambda: page._words.text() or page._aside.text())
    assert "nothing to export" not in log_text(shell)


def test_a_column_of_the_same_name_may_be_of_another_kind(qtbot: QtBot, shell: WindowShell, tmp_path: Path) -> None:
    page = predict_page(shell)

    def wanted_card(values: str) -> NumberCard | LabelCard | None:
        path = tmp_path / f"{values}.csv"
        path.write_text("a,b\n" + "".join(f"{i},{value}\n" for i, value in enumerate(values)), encoding="utf-8")
        origin = FileOrigin(str(path))
        shell.page(DataWiring).load(origin)
        wait(qtbot, lambda: shell.desk.data.dataset is not None and shell.desk.data.dataset.origin == origin)
        run_to_the_end(qtbot, shell)
        shell.show_page(page)
        ask(qtbot, shell)
        return page.answers.cards.get("b")

    assert isinstance(wanted_card("12345"), NumberCard)
    assert isinstance(wanted_card("xyxyx"), LabelCard)
