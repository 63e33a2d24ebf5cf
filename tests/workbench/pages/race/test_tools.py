"""What is raced and how: only what counts can be used, and wrong numbers are said in place."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QLabel
from pytestqt.qtbot import QtBot

from tests.workbench.hands import find, write
from workbench.pages.race.tools import ONE_LINE, RaceTools
from workbench.run.race.settings import RaceSettings


@pytest.fixture
def tools(qtbot: QtBot) -> RaceTools:
    tools = RaceTools()
    qtbot.addWidget(tools)
    tools.resize(990, 80)
    tools.show()
    qtbot.waitExposed(tools)
    return tools


def box(tools: RaceTools, name: str) -> QComboBox:
    return find(tools, QComboBox, name)


def test_begins_with_the_defaults(tools: RaceTools) -> None:
    assert tools.settings() == RaceSettings()
    assert box(tools, "raceSource").currentText() == "synthetic Gaussian"
    assert box(tools, "raceSolver").currentText() == "Cholesky"


@pytest.mark.parametrize(
    ("name", "choice", "wanted"),
    [
        ("raceSource", "my data: iris", RaceSettings(source="data", values="form")),
        ("raceValues", "all from the panel", RaceSettings(values="form")),
        ("raceSolver", "inverse + determinant", RaceSettings(solver="inverse")),
        ("raceMode", "same sample", RaceSettings(mode="sample")),
        ("raceTurns", "at the same time", RaceSettings(takes_turns=False)),
    ],
)
def test_every_choice_is_told(qtbot: QtBot, tools: RaceTools, name: str, choice: str, wanted: RaceSettings) -> None:
    tools.set_dataset("iris", needs_rows=False)
    with qtbot.waitSignal(tools.changed) as caught:
        box(tools, name).setCurrentText(choice)
    assert caught.args == [wanted]
    assert tools.settings() == wanted


def test_numbers_are_typed(qtbot: QtBot, tools: RaceTools) -> None:
    with qtbot.waitSignal(tools.changed) as caught:
        write(find(tools, QAbstractSpinBox, "raceDimensionsBox"), "3,072")
    assert caught.args == [RaceSettings(n_features=3072)]
    with qtbot.waitSignal(tools.changed) as caught:
        write(find(tools, QAbstractSpinBox, "raceRowsBox"), "20")
    assert caught.args == [RaceSettings(n_features=3072, n_rows=20)]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("raceDimensions", "1", "D = 1 is outside the range from 2 to 3,072"),
        ("raceDimensions", "many", "D = 'many' is not a whole number"),
        ("raceRows", "1.5", "N = 1.5 is"),
    ],
)
def test_a_wrong_number_is_said_in_place(qtbot: QtBot, tools: RaceTools, name: str, text: str, said: str) -> None:
    with qtbot.waitSignal(tools.problem_changed):
        write(find(tools, QAbstractSpinBox, f"{name}Box"), text)
    label = find(tools, QLabel, f"{name}Problem")
    assert label.isVisible()
    assert said in label.text()
    assert label.text() == tools.problem()
    assert label.width() > 0.9 * tools.width() - 32
    assert tools.settings() == RaceSettings()


def test_a_wrong_number_that_does_not_count_is_no_problem(qtbot: QtBot, tools: RaceTools) -> None:
    tools.set_dataset("iris", needs_rows=False)
    write(find(tools, QAbstractSpinBox, "raceDimensionsBox"), "1")
    assert tools.problem()
    with qtbot.waitSignal(tools.problem_changed) as caught:
        box(tools, "raceSource").setCurrentText("my data: iris")
    assert caught.args == [""]
    assert tools.problem() == ""


@pytest.mark.parametrize(
    ("source", "needs_rows", "enabled"),
    [("generator", False, (True, True)), ("data", False, (False, False)), ("data", True, (False, True))],
)
def test_only_what_counts_can_be_used(
    tools: RaceTools, source: str, needs_rows: bool, enabled: tuple[bool, bool]
) -> None:
    tools.set_settings(RaceSettings(source=source))  # type: ignore[arg-type]
    tools.set_dataset("births", needs_rows)
    assert (tools.dimensions.isEnabled(), tools.rows.isEnabled()) == enabled
    assert (tools.dimensions.isVisibleTo(tools), tools.rows.isVisibleTo(tools)) == enabled, "no number that is not true"


def test_without_data_there_is_only_the_generator(qtbot: QtBot, tools: RaceTools) -> None:
    source = box(tools, "raceSource")
    assert source.itemText(1) == "my data: none yet"
    assert not source.model().flags(source.model().index(1, 0)) & Qt.ItemFlag.ItemIsEnabled
    with qtbot.assertNotEmitted(tools.changed):
        tools.set_dataset("iris", needs_rows=False)
    assert source.itemText(1) == "my data: iris"
    assert source.model().flags(source.model().index(1, 0)) & Qt.ItemFlag.ItemIsEnabled


def test_settings_are_shown_without_telling(qtbot: QtBot, tools: RaceTools) -> None:
    wanted = RaceSettings("data", 12, 34, "inverse", "sample", takes_turns=False)
    with qtbot.assertNotEmitted(tools.changed):
        tools.set_settings(wanted)
    assert tools.settings() == wanted
    assert box(tools, "raceMode").currentText() == "same sample"
    assert tools.dimensions.field.text() == "12"


def test_modes_and_turns_are_explained(tools: RaceTools) -> None:
    assert "falls behind" in box(tools, "raceMode").toolTip()
    assert "waits" in box(tools, "raceMode").toolTip()
    assert "rests" in box(tools, "raceTurns").toolTip()


@pytest.mark.parametrize("width", [815, 990, ONE_LINE + 20])
def test_no_tool_is_clipped_or_covered(tools: RaceTools, width: int) -> None:
    tools.set_settings(RaceSettings("generator", 300, 60, "inverse", "sample", takes_turns=False))  # with resets
    tools.resize(width, tools.sizeHint().height())
    tools.grab()
    numbers = (tools.dimensions.slider, tools.dimensions.field, tools.rows.field)
    parts = (tools.source, *numbers, tools.solver, tools.mode, tools.turns)
    rects = [part.rect().translated(part.mapTo(tools, QPoint(0, 0))) for part in parts]
    for position, rect in enumerate(rects):
        assert tools.rect().contains(rect)
        assert not any(rect.intersects(other) for other in rects[:position])
    assert tools.sizeHint().height() <= 80
