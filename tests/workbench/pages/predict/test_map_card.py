"""Maps and decision regions, used through the window."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QSlider
from pytestqt.qtbot import QtBot

from tests.workbench.hands import choose, click, find, let_pass, wait, write
from tests.workbench.pages.predict.asking import ask, ask_map, learned, predict_penguins
from tests.workbench.parts import predict_page
from tests.workbench.steps import open_sample, run_to_the_end
from workbench.pages.predict.map_plot import MapPlot
from workbench.pages.predict.wiring import PredictWiring
from workbench.run.ask.maps import FINE
from workbench.views.look.theme import DARK
from workbench.window.shell import WindowShell


def test_regions_are_the_answers_of_the_library(qtbot: QtBot, iris: WindowShell) -> None:
    """With nothing known: over the two numbers that tell most, every cell by a row with NaN elsewhere."""
    found = ask_map(qtbot, iris)
    assert {found.across.name, found.up.name} == {"petallength", "petalwidth"}
    snapshot, prepared = learned(iris)
    up, across = np.meshgrid(found.y, found.x, indexing="ij")
    assert up.shape == FINE[::-1]
    rows = np.full((up.size, snapshot.n_features), np.nan)
    rows[:, prepared.encoder.block(found.across.name).start] = across.ravel()
    rows[:, prepared.encoder.block(found.up.name).start] = up.ravel()
    shares = snapshot.recall(rows)[:, prepared.encoder.targets].clip(0, 1)
    shares /= shares.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(found.values.ravel(), shares.max(axis=1), atol=1e-9)
    clear = np.diff(np.sort(shares, axis=1)[:, -2:])[:, 0] > 1e-9
    np.testing.assert_array_equal(found.best.ravel()[clear], shares.argmax(axis=1)[clear])
    card = predict_page(iris).answers.map
    assert card.plot.isVisible()
    assert "the likeliest class" in card.words.text()


def test_a_map_of_a_number_is_the_answer_of_the_library(qtbot: QtBot, shell: WindowShell, tmp_path: Path) -> None:
    """Two axes known, a third attribute fixed; the mean and the width of the interval."""
    predict_penguins(qtbot, shell, tmp_path)
    page = predict_page(shell)
    click(page.form.rows["species"].wanted)
    click(page.form.rows["body_mass_g"].wanted)
    page.form.know({"flipper_length_mm": 205.0, "bill_length_mm": 45.0, "sex": "female"})
    found = ask_map(qtbot, shell)
    assert {found.across.name, found.up.name} == {"flipper_length_mm", "bill_length_mm"}
    snapshot, prepared = learned(shell)
    blocks = {block.name: block for block in prepared.encoder.blocks}
    row = np.full(snapshot.n_features, np.nan)
    sex = blocks["sex"]
    row[sex.start : sex.stop] = [label == "female" for label in sex.labels]
    column, line = 17, 61
    row[blocks[found.across.name].start], row[blocks[found.up.name].start] = found.x[column], found.y[line]
    filled = prepared.encoder.decode(snapshot.recall([row]))
    np.testing.assert_allclose(found.values[line, column], filled["body_mass_g"].values[0], rtol=1e-9)
    choose(page.answers.map.figure, "width of the 90 % interval")
    found = ask_map(qtbot, shell)
    mass = np.flatnonzero(np.isnan(row)).tolist().index(blocks["body_mass_g"].start)
    low, high = snapshot.condition(row).marginal([mass]).interval(0.9)
    np.testing.assert_allclose(found.values[line, column], high - low, rtol=1e-9)
    assert "width of the 90 % interval of body_mass_g" in page.answers.map.words.text()


def test_only_the_mark_moves_with_an_axis(qtbot: QtBot, iris: WindowShell) -> None:
    before = ask_map(qtbot, iris)
    page = predict_page(iris)
    row = page.form.rows["petallength"]
    find(row, QSlider, row.slider.objectName()).setValue(500)
    ask(qtbot, iris)
    assert iris.desk.predict.map.latest is before
    assert iris.desk.predict.map.is_current
    write(page.form.rows["sepallength"].field, "5.5")
    page_map = page.answers.map
    after = ask_map(qtbot, iris)
    assert after is not before
    assert after.key.fixed.known == {"sepallength": 5.5} or "sepallength" in {after.across.name, after.up.name}
    wait(qtbot, lambda: page_map.plot.is_current)


def test_an_old_map_is_grey(qtbot: QtBot, iris: WindowShell) -> None:
    ask_map(qtbot, iris)
    card, asked = predict_page(iris).answers.map, iris.desk.predict.map
    assert card.plot.is_current
    assert not is_grey(card.plot)
    card.show_map(asked.latest, iris.desk.predict.question, is_current=False)
    assert is_grey(card.plot)


def is_grey(plot: MapPlot) -> bool:
    """Whether all cells are drawn without a colour, but not all in the same grey."""
    image, area = plot.grab().toImage(), plot.area().toRect()
    inks = [image.pixelColor(x, area.center().y()) for x in range(area.left() + 2, area.right() - 2, 3)]
    return all(ink.saturation() < 40 for ink in inks) and len({ink.name() for ink in inks}) > 2


def test_a_click_asks_about_a_place(qtbot: QtBot, iris: WindowShell) -> None:
    found = ask_map(qtbot, iris)
    page = predict_page(iris)
    plot = page.answers.map.plot
    page.answers.map.fold.setFocus()
    area = plot.area()
    pixel = QPoint(round(area.left() + 0.25 * area.width()), round(area.top() + 0.25 * area.height()))
    QTest.mouseClick(plot, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, pixel)
    known = ask(qtbot, iris).question.known
    assert set(known) == {found.across.name, found.up.name}
    place = plot.place_of(QPointF(pixel))
    assert place is not None
    np.testing.assert_allclose([known[found.across.name], known[found.up.name]], place, atol=0.01)  # type: ignore[arg-type]
    assert found.across.name in plot.words_at(place)
    assert iris.desk.predict.map.latest is found


def test_any_plane_can_be_chosen(qtbot: QtBot, iris: WindowShell) -> None:
    card = predict_page(iris).answers.map
    ask_map(qtbot, iris)
    choose(card.across, "sepalwidth")
    choose(card.up, "sepallength")
    found = ask_map(qtbot, iris)
    assert (found.across.name, found.up.name) == ("sepalwidth", "sepallength")
    click(predict_page(iris).form.rows["sepalwidth"].wanted)  # no longer free
    assert card.wanted.isVisible()
    choose(card.wanted, "class")
    found = ask_map(qtbot, iris)
    assert found.up.name == "sepallength"
    assert found.across.name != "sepalwidth"
    choose(card.wanted, "sepalwidth")
    assert ask_map(qtbot, iris).wanted.name == "sepalwidth"


def test_a_closed_card_computes_nothing(qtbot: QtBot, iris: WindowShell) -> None:
    before, card = ask_map(qtbot, iris), predict_page(iris).answers.map
    click(card.fold)
    assert not card.plot.isVisible()
    write(predict_page(iris).form.rows["sepallength"].field, "5.5")
    ask(qtbot, iris)
    assert iris.desk.predict.map.latest is before
    assert iris.desk.predict.map.key is None
    click(card.fold)
    assert ask_map(qtbot, iris) is not before


def test_one_number_has_no_map(qtbot: QtBot, shell: WindowShell) -> None:
    open_sample(qtbot, shell, "Old Faithful")
    run_to_the_end(qtbot, shell)
    shell.show_page(predict_page(shell))
    ask(qtbot, shell)
    assert not predict_page(shell).answers.map.isVisible()


def test_it_draws_in_both_themes(qtbot: QtBot, iris: WindowShell) -> None:
    ask_map(qtbot, iris)
    plot = predict_page(iris).answers.map.plot
    light = plot.grab().toImage()
    predict_page(iris).set_theme(DARK)
    assert plot.grab().toImage() != light


def test_what_cannot_be_drawn_is_told_and_not_tried_again(
    qtbot: QtBot, iris: WindowShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask_map(qtbot, iris)
    tries = list[object]()

    def fail(*given: object) -> None:
        tries.append(given)
        raise ValueError("no map today")

    monkeypatch.setattr("workbench.desk.asked_map.MapWork", fail)
    page = predict_page(iris)
    choose(page.answers.map.across, "sepalwidth")
    wait(qtbot, lambda: "no map today" in page.notice.text())
    for _ in range(20):
        let_pass(qtbot)
        iris.page(PredictWiring).pump()
    assert len(tries) == 1
    monkeypatch.undo()
    choose(page.answers.map.up, "sepallength")
    assert ask_map(qtbot, iris).up.name == "sepallength"
