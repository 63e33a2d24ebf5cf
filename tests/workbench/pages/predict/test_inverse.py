"""Inverse questions: the angles of a robot arm from the place of its hand, which the elbow reaches on two sides."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from tests.workbench.hands import wait
from tests.workbench.pages.predict.asking import ask, ask_map, learned
from tests.workbench.parts import predict_page
from tests.workbench.steps import run_to_the_end
from workbench.pages.data.wiring import DataWiring
from workbench.run.ask.answer import NumberAnswer
from workbench.run.recipe.dataset import GeneratorOrigin
from workbench.source.generators.regression import RobotArm
from workbench.window.shell import WindowShell


def test_both_ways_to_reach_a_place_are_shown(qtbot: QtBot, shell: WindowShell) -> None:
    shell.page(DataWiring).load(GeneratorOrigin(RobotArm(task="inverse"), 8000))
    wait(qtbot, lambda: shell.desk.data.dataset is not None)
    choices = shell.desk.data.choices
    shell.set_choices(replace(choices, parameters=replace(choices.parameters, delta=0.15, beta=0.05)))
    run_to_the_end(qtbot, shell)
    page = predict_page(shell)
    shell.show_page(page)
    ask(qtbot, shell)
    page.form.know({"hand x": 0.6, "hand y": 0.9})
    found = ask(qtbot, shell)
    elbow = np.arccos((0.6**2 + 0.9**2 - 1 - 0.8**2) / (2 * 0.8))
    both = np.array([elbow, -elbow])
    shoulder = np.arctan2(0.9, 0.6) - np.arctan2(0.8 * np.sin(both), 1 + 0.8 * np.cos(both))
    snapshot, _ = learned(shell)
    joint = snapshot.condition([0.6, 0.9, np.nan, np.nan])
    for column, (one, truth) in enumerate(zip(found.wanted, (shoulder, both), strict=True)):
        assert isinstance(one, NumberAnswer)
        np.testing.assert_allclose(one.modes, joint.marginal([column]).modes(), atol=1e-9)
        for angle in truth:
            assert any(low <= angle <= high for low, high in one.regions), "each way is in a region of its own"
            assert np.abs(one.modes[:3] - angle).min() < 0.15
        assert len(one.regions) >= 2
        words = page.answers.cards[one.attribute.name].words.text()
        assert words.count("(peak ") >= 2
    assert ask_map(qtbot, shell).wanted.name == "angle 1"


def test_where_one_angle_is_known_the_other_has_one_peak(qtbot: QtBot, shell: WindowShell) -> None:
    shell.page(DataWiring).load(GeneratorOrigin(RobotArm(task="inverse"), 8000))
    wait(qtbot, lambda: shell.desk.data.dataset is not None)
    choices = shell.desk.data.choices
    shell.set_choices(replace(choices, parameters=replace(choices.parameters, delta=0.15, beta=0.05)))
    run_to_the_end(qtbot, shell)
    page = predict_page(shell)
    shell.show_page(page)
    ask(qtbot, shell)
    page.form.know({"hand x": 0.6, "hand y": 0.9, "angle 1": 0.2})
    (one,) = ask(qtbot, shell).wanted
    assert isinstance(one, NumberAnswer)
    assert one.modes[0] == pytest.approx(1.87, abs=0.15)
    assert one.interval[0] > 0
