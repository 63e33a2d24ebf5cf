"""The whole past of a run in constant memory."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from figmn import FastIGMN, Parameters
from figmn.params import NEUTRAL
from figmn.system.arrays import Floats
from tests.workbench.run.learners import IRIS, LIVELY, learner_of, lines_of
from workbench.run import Choices, GeneratorOrigin, Recipe
from workbench.run.learn import timeline as timeline_module
from workbench.run.learn.timeline import PIECES, Past
from workbench.source.generators import BirthsAndDeaths


def test_the_past_keeps_sums_however_long_it_gets() -> None:
    recipe = Recipe(
        GeneratorOrigin(BirthsAndDeaths(), endless=True), roles={"class": "ignored"}, choices=LIVELY, n_samples=30_000
    )
    learner = learner_of(recipe)
    rng = np.random.default_rng(0)
    while len(learner.advance(int(rng.integers(1, 3000))).values):
        pass
    timeline, lines = learner.past.timeline(), lines_of(learner)
    assert PIECES / 2 <= len(timeline.samples) <= PIECES
    assert timeline.samples[-1] == 30_000
    assert timeline.births.sum() == learner.n_births
    assert timeline.removals.sum() == learner.n_removals
    assert timeline.merges.sum() == learner.n_merges == 0
    np.testing.assert_array_equal(timeline.n_components, lines.n_components[timeline.samples - 1])
    ends = timeline.samples
    for piece in (1, 7, len(ends) - 1):
        part = slice(ends[piece - 1], ends[piece])
        assert timeline.log_likelihoods[piece] == pytest.approx(lines.log_likelihood[part].mean())
        assert timeline.microseconds[piece] == pytest.approx(lines.microseconds[part].mean())


def test_an_empty_past_has_a_timeline() -> None:
    assert len(Past().timeline().samples) == 0


def test_pieces_of_any_chunks_are_the_same() -> None:
    at_once, bit_by_bit = learner_of(IRIS), learner_of(IRIS)
    at_once.advance(150)
    while len(bit_by_bit.advance(7).values):
        pass
    one, other = at_once.past.timeline(), bit_by_bit.past.timeline()
    for name in ("samples", "n_components", "births", "removals", "indefinite"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)
    np.testing.assert_allclose(one.log_likelihoods, other.log_likelihoods, rtol=1e-9)


def test_pieces_double_when_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timeline_module, "PIECES", 8)
    learner = learner_of(IRIS)
    lengths = []
    for _ in range(20):
        learner.advance(1)
        lengths.append(learner.past.piece)
    assert lengths == [1] * 8 + [2] * 8 + [4] * 4
    found, lines = learner.past.timeline(), lines_of(learner)
    assert found.samples.tolist() == [4, 8, 12, 16, 20]
    assert found.births.tolist() == (lines.born >= 0).reshape(5, 4).sum(axis=1).tolist()
    assert found.n_components.tolist() == lines.n_components[3::4].tolist()
    np.testing.assert_allclose(found.microseconds, lines.microseconds.reshape(5, 4).mean(axis=1))


def test_a_doubling_in_the_middle_of_a_pair_keeps_the_latest_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second half of the last pair has not begun: its count of components would be 0."""
    monkeypatch.setattr(timeline_module, "PIECES", 4)
    learner = learner_of(IRIS)
    learner.advance(3)
    learner.advance(2)
    found, lines = learner.past.timeline(), lines_of(learner)
    assert found.samples.tolist() == [2, 4, 5]
    assert found.n_components.tolist() == lines.n_components[[1, 3, 4]].tolist()
    assert found.microseconds[-1] == pytest.approx(lines.microseconds[4]), "the last piece has one sample so far"


def test_scores_that_are_missing_count_in_no_mean(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timeline_module, "PIECES", 2)
    past, model = Past(), FastIGMN(delta=1.0, beta=0.1, scale=[1.0])
    scores: Floats = np.array([np.nan, -1.0, -3.0, np.nan])
    past.add(model.learn_recorded([[0.0], [0.1], [0.2], [0.3]]), scores)
    assert past.timeline().input_log_likelihoods.tolist() == [-1.0, -3.0]
    past = Past()
    past.add(FastIGMN(delta=1.0, beta=0.1, scale=[1.0]).learn_recorded([[0.0], [0.1]]))
    assert np.isnan(past.timeline().input_log_likelihoods).all()


def test_indefinite_updates_are_counted_where_they_happen() -> None:
    """The engine counts from its beginning, a piece from its own."""
    parameters = Parameters(delta=0.2, beta=0.05, covariance="published", **NEUTRAL)
    learner = learner_of(replace(IRIS, choices=Choices(parameters)))
    learner.advance(60)
    learner.advance(90)
    assert learner.past.timeline().indefinite.sum() == learner.engine.n_indefinite > 0


def test_a_timeline_is_read_only_and_stays_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timeline_module, "PIECES", 16)
    learner = learner_of(IRIS)
    learner.advance(10)
    early = learner.past.timeline()
    before = early.n_components.copy()
    learner.advance(50)
    np.testing.assert_array_equal(early.n_components, before)
    with pytest.raises(ValueError, match="read-only"):
        early.births[0] = 7
