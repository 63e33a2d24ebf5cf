"""The generators: their settings, the picture that follows, and settings that cannot be."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QListWidget, QPushButton, QSpinBox
from pytestqt.qtbot import QtBot

from tests.workbench.hands import find, wait, write
from workbench.pages.data.dialogs import generator_dialog
from workbench.pages.data.dialogs.generator_dialog import GeneratorDialog, columns_drawn, first_rows
from workbench.source import GENERATORS, Generator
from workbench.source.generators import (
    BirthsAndDeaths,
    CifarStandIn,
    GaussianBlobs,
    Rings,
    TwoSpirals,
    UniformNoise,
    WideGaussian,
)
from workbench.views.look.theme import DARK


def shown(qtbot: QtBot, kind: type[Generator] = BirthsAndDeaths) -> GeneratorDialog:
    dialog = GeneratorDialog()
    qtbot.addWidget(dialog)
    dialog.choose(kind)
    with qtbot.waitExposed(dialog):
        dialog.show()
    return dialog


def words(dialog: GeneratorDialog) -> str:
    label = find(dialog, QLabel, "generatorWords")
    return label.text()


def load_button(dialog: GeneratorDialog) -> QPushButton:
    return find(dialog, QPushButton, "loadButton")


def test_all_generators_are_listed(qtbot: QtBot) -> None:
    dialog = shown(qtbot)
    listed = find(dialog, QListWidget, "generatorList")
    assert [listed.item(i).text() for i in range(listed.count())] == [kind.title for kind in GENERATORS]


@pytest.mark.parametrize("kind", GENERATORS)
def test_every_generator_has_its_default_settings_and_a_picture(qtbot: QtBot, kind: type[Generator]) -> None:
    dialog = shown(qtbot, kind)
    dialog.set_theme(DARK)
    assert dialog.origin().generator == kind()
    assert dialog._plot.points.n_points > 0
    assert dialog._description.text() == kind.description
    assert load_button(dialog).isEnabled()
    dialog.grab()


def test_the_picture_follows_a_setting(qtbot: QtBot) -> None:
    dialog = shown(qtbot, Rings)
    before = dialog._plot.plot.vb.viewRect()
    write(dialog._form()._sliders["rings"].field, "9", Qt.Key.Key_Tab)
    wait(qtbot, lambda: dialog._plot.plot.vb.viewRect() != before)
    assert dialog.origin().generator == Rings(rings=9)
    assert dialog._legend.labels()[-1] == "ring 9"


def has_clusters(dialog: GeneratorDialog, clusters: int) -> bool:
    return len(dialog._legend.labels()) == clusters


def test_a_slider_moves_the_picture_after_a_pause_that_nobody_sees(qtbot: QtBot) -> None:
    dialog = shown(qtbot, GaussianBlobs)
    slider = dialog._form()._sliders["clusters"].slider
    assert dialog._timer.interval() <= 20
    for clusters in (3, 9, 6):
        slider.setValue(clusters - 1)
        assert dialog._timer.isActive()
        dialog._timer.stop()
        dialog._timer.timeout.emit()
        assert has_clusters(dialog, clusters)


def test_choices_are_boxes(qtbot: QtBot) -> None:
    dialog = shown(qtbot, TwoSpirals)
    box = find(dialog._form(), QComboBox, "pointsBox")
    box.setCurrentText("dense")
    assert dialog.origin().generator == TwoSpirals(points="dense")


def test_rows_and_endless_streams(qtbot: QtBot) -> None:
    dialog = shown(qtbot)
    rows, endless = find(dialog, QSpinBox, "rowsBox"), find(dialog, QCheckBox, "endlessBox")
    assert isinstance(rows, QSpinBox)
    assert isinstance(endless, QCheckBox)
    assert words(dialog) == "5,000 rows × 3 columns, 100 KB in memory"
    rows.setValue(2000)
    endless.setChecked(True)
    assert (dialog.origin().n_rows, dialog.origin().endless) == (2000, True)
    wait(qtbot, lambda: words(dialog).startswith("The stream never ends; the Data page shows its first 2,000 rows"))


def test_a_setting_that_cannot_be_is_said_and_blocks_the_load(qtbot: QtBot) -> None:
    dialog = shown(qtbot, Rings)
    write(dialog._form()._sliders["rings"].field, "11", Qt.Key.Key_Tab)
    wait(qtbot, lambda: not load_button(dialog).isEnabled())
    assert "outside the range from 1 to 10" in words(dialog)
    write(dialog._form()._sliders["rings"].field, "4", Qt.Key.Key_Tab)
    wait(qtbot, lambda: load_button(dialog).isEnabled())
    assert dialog.origin().generator == Rings(rings=4)


def test_a_load_in_a_hurry_does_not_take_an_older_setting(qtbot: QtBot) -> None:
    dialog = shown(qtbot, Rings)
    field = dialog._form()._sliders["rings"].field
    field.selectAll()
    qtbot.keyClicks(field, "11")
    with qtbot.assertNotEmitted(dialog.accepted):
        dialog.accept()
    assert "outside the range from 1 to 10" in words(dialog)


def test_more_than_the_memory_is_refused_with_the_numbers(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generator_dialog, "total_bytes", lambda: 8 * 10**9)
    dialog = shown(qtbot, CifarStandIn)
    rows = find(dialog, QSpinBox, "rowsBox")
    rows.setValue(10_000_000)
    wait(qtbot, lambda: not load_button(dialog).isEnabled())
    assert "10,000,000 rows of 3,073 columns would take 31 GB, and this machine has 8.0 GB" in words(dialog)


def test_wide_generators_draw_few_rows_of_two_columns() -> None:
    table = first_rows(WideGaussian(dimensions=3072))
    assert table.n_rows == 80
    x, y, names = columns_drawn(table)
    assert (len(x), len(y), names) == (80, 80, ("x 1", "x 2"))


def test_a_single_column_is_drawn_in_its_order() -> None:
    table = first_rows(UniformNoise(dimensions=1))
    x, y, names = columns_drawn(table)
    assert names == ("row", "x")
    assert x.tolist() == list(range(1500))
    assert (y == table["x"].values).all()
