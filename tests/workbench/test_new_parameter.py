"""A hyper-parameter that is declared in `figmn/params.py`, and nowhere else, is found everywhere."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    """What `new_parameter` finds in a process of its own."""
    command = [sys.executable, "-m", "tests.workbench.new_parameter"]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    result = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert result.returncode == 0, result.stderr
    places: dict[str, Any] = json.loads(result.stdout)
    return places


def test_in_the_engines(found: dict[str, Any]) -> None:
    """In their signatures behind what can be given by position, in their docstrings, copies and files."""
    given = ["5.0", "euclid"]
    expected = {
        "defaults": [0.0, "mahalanobis"],
        "values": given,
        "copied": given,
        "loaded": given,
        "in docstring": True,
        "scale by position": [2.0],
    }
    assert found["in_engines"] == {"FastIGMN": expected, "IGMN": expected}


def test_in_change_where_it_may_change_during_a_run(found: dict[str, Any]) -> None:
    signature, values, refusal = found["in_change"]
    assert signature == "(*, beta=None, v_min=None, sp_min=None, warm_up=None)"
    assert values == ["7.0", "mahalanobis"]
    assert refusal == "change() takes no distance: give beta, v_min, sp_min, warm_up; the others need a new model"


def test_in_the_estimators(found: dict[str, Any]) -> None:
    names = ("FastIGMNClassifier", "FastIGMNRegressor", "FastIGMNMixture")
    assert found["in_estimators"] == {name: [3, "mahalanobis"] for name in names}


def test_in_errors(found: dict[str, Any]) -> None:
    assert found["in_errors"] == "warm_up = -1 is outside the range from 0 upwards: choose a value in it (warm-up)"


def test_in_recipes(found: dict[str, Any]) -> None:
    recipes = found["in_recipes"]
    assert recipes["same"] is True
    assert (recipes["start"]["warm_up"], recipes["start"]["distance"]) == (2.0, "euclid")
    (change,) = recipes["changes"]
    assert change == {"sample": 9, "beta": 1e-4, "v_min": 100.0, "sp_min": 3.0, "warm_up": "for ever"}
    assert recipes["described"].endswith("· sp_min 3 · w_0 for ever · exact · euclid · seed 0")


def test_a_recipe_of_before_has_its_default(found: dict[str, Any]) -> None:
    assert found["in_recipes"]["of before"] == ["0.0", "mahalanobis"]


def test_on_the_command_line(found: dict[str, Any]) -> None:
    assert found["on_the_command_line"] == {"warm_up": "inf", "distance": "euclid"}


def test_in_the_sentence_about_differences(found: dict[str, Any]) -> None:
    expected = "Changed since this run: w_0 0 → 1,000, distance mahalanobis → euclid"
    assert found["in_differences"] == expected


def test_in_the_form(found: dict[str, Any]) -> None:
    form = found["in_the_form"]
    assert form["labels"] == ["w<sub>0</sub>", "distance"]
    assert form["chosen"] == ["inf", "euclid"]
    assert form["live"] == "Changes to β, v_min, sp_min, w_0 apply from the next sample"


def test_in_the_tooltips(found: dict[str, Any]) -> None:
    assert found["in_the_form"]["tooltip"] == (
        "<p><b>w<sub>0</sub></b> warm-up</p>"
        "<p>Samples before anything is removed.</p>"
        "<p>removed when n &gt; w<sub>0</sub></p>"
        "<p>Larger: removals begin later. Changes apply from the next sample, even during a run.</p>"
        "<p>Default 0, allowed from 0 upwards.</p>"
    )
    assert found["in_the_form"]["choice tooltip"] == (
        "<p><b>Distance measure</b></p><p>How far a sample is.</p><p>Restart the run to apply a change.</p>"
    )
