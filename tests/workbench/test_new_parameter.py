"""A hyper-parameter that is declared in `figmn/params/parameters.py`, and nowhere else, is found everywhere."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
CHANGES = ("beta", "v_min", "sp_min", "warm_up", "memory", "max_components", "merge_below")
"""What may change during a run, in the order of the declarations."""


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
        "defaults": [4.0, "mahalanobis"],
        "values": given,
        "copied": given,
        "loaded": given,
        "in docstring": True,
        "scale by position": [2.0],
    }
    assert found["in_engines"] == {"FastIGMN": expected, "IGMN": expected}


def test_in_change_where_it_may_change_during_a_run(found: dict[str, Any]) -> None:
    signature, values, refusal = found["in_change"]
    assert signature == f"(*, {', '.join(f'{name}=unchanged' for name in CHANGES)})"
    assert values == ["7.0", "mahalanobis"]
    assert refusal == f"change() takes no distance: give {', '.join(CHANGES)}; the others need a new model"


def test_in_the_estimators(found: dict[str, Any]) -> None:
    names = ("FastIGMNClassifier", "FastIGMNRegressor", "FastIGMNMixture")
    assert found["in_estimators"] == {name: [3, "mahalanobis"] for name in names}


def test_in_errors(found: dict[str, Any]) -> None:
    assert found["in_errors"] == (
        'warm_up = -1 is outside the range from 0 upwards, or "for ever": choose a value in it (warm-up)'
    )


def test_in_recipes(found: dict[str, Any]) -> None:
    recipes = found["in_recipes"]
    assert recipes["same"] is True
    assert (recipes["start"]["warm_up"], recipes["start"]["distance"]) == (2.0, "euclid")
    (change,) = recipes["changes"]
    assert set(change) == {"sample", *CHANGES}
    assert (change["sample"], change["warm_up"]) == (9, "for ever")
    assert "· sp_min 3 · w_0 for ever ·" in recipes["described"]
    assert recipes["described"].endswith("· exact · euclid · seed 0")


def test_a_recipe_of_before_has_its_neutral_value(found: dict[str, Any]) -> None:
    """The default, 4, is another one; a choice has its default."""
    assert found["in_recipes"]["of before"] == ["0.0", "mahalanobis"]


def test_on_the_command_line(found: dict[str, Any]) -> None:
    assert found["on_the_command_line"] == {"warm_up": "inf", "distance": "euclid"}


def test_in_the_sentence_about_differences(found: dict[str, Any]) -> None:
    expected = "Changed since this run: w_0 4 → 1,000, distance mahalanobis → euclid"
    assert found["in_differences"] == expected


def test_in_the_form(found: dict[str, Any]) -> None:
    form = found["in_the_form"]
    assert set(form["labels"]) == {"w<sub>0</sub>", "distance"}
    assert form["chosen"] == ["inf", "euclid"]
    assert form["live"] == "Changes to β, v_min, sp_min, w_0, memory, K_max, c_max apply from the next sample"


def test_in_the_tooltips(found: dict[str, Any]) -> None:
    assert found["in_the_form"]["tooltip"] == (
        "<p><b>w<sub>0</sub></b> warm-up</p>"
        "<p>Samples before anything is removed.</p>"
        "<p>removed when n &gt; w<sub>0</sub></p>"
        "<p>Larger: removals begin later. Changes apply from the next sample, even during a run.</p>"
        '<p>Default 4, allowed from 0 upwards, or "for ever".</p>'
    )
    assert found["in_the_form"]["choice tooltip"] == (
        "<p><b>Distance measure</b></p><p>How far a sample is.</p><p>Restart the run to apply a change.</p>"
    )
