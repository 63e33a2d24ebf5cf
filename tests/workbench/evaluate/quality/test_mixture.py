"""Mixtures of known data."""

from __future__ import annotations

import numpy as np
import pytest

from workbench.evaluate.quality import expected
from workbench.evaluate.quality.mixture import MixtureCase, MixtureScore, measure_mixtures
from workbench.evaluate.quality.texts import expectation_text, mixture_text


def test_the_true_likelihood_is_that_of_the_drawn_mixture() -> None:
    train, new, true = MixtureCase(30, "far", 5000).draw()
    [score] = measure_mixtures([MixtureCase(3, "far", 5000)], delta=0.3)
    assert train.shape == (5000, 30)
    assert new.shape == (10_000, 30)
    assert score.batch == pytest.approx(score.true, abs=0.1)
    # Far clusters: entropy of a unit Gaussian and of the choice among five.
    assert true == pytest.approx(-(15 * np.log(2 * np.pi * np.e) + np.log(5)), abs=0.2)


def test_a_score_compares_both() -> None:
    score = MixtureScore(MixtureCase(2, "near"), 5, -4.0, -4.5, -3.9, 0.2, 0.5, 3.0)
    assert (score.difference, score.speed_up) == (0.5, 6.0)
    line = mixture_text([score]).splitlines()[1].split()
    assert line[-8:] == ["+0.500", "0.200", "s", "0.500", "s", "3.000", "s", "6.0×"]


def test_a_single_component_holds_for_a_unit_gaussian_and_not_for_clusters() -> None:
    assert expected.unit_gaussian(n_columns=60, n_rows=2000, beta=0).holds
    assert not expected.unit_gaussian(n_columns=60, n_rows=300, beta=1).holds
    assert not expected.well_separated(10, n_rows=300, beta=0).holds
    assert expected.shuffled_penguins(beta=0).found == "K 1"


def test_the_reversed_hyperplane_needs_new_rows() -> None:
    found = expected.reversed_hyperplane(2000, 100, beta=0)
    assert not found.holds
    assert float(found.found) < 0.5
    assert expected.reversed_hyperplane(100, 10_000, beta=0).holds


def test_the_spirals_are_told_apart_by_narrow_components() -> None:
    assert expected.spirals(delta=0.1, beta=0.1).holds
    assert not expected.spirals(beta=0).holds


def test_every_figure_stands_beside_its_goal() -> None:
    text = expectation_text([expected.calibrated("pima-diabetes", 0.0, beta=0), expected.shuffled_penguins(beta=0)])
    assert "0.0 or less  does not hold" in text
    assert "K 3 to 5  does not hold" in text
