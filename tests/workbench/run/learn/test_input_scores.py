"""The likelihood of the inputs alone, beside that of all columns."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from figmn import FastIGMN, Parameters, Record, Snapshot
from figmn.engine import Engine
from figmn.system.arrays import Floats
from workbench.run import Choices, Recipe, SampleOrigin
from workbench.run.learn.input_scores import FIRST, SHARE, WORK, InputScores, log_density, n_scored
from workbench.run.learn.learner import Learner
from workbench.run.learn.sample_log import SampleLog
from workbench.run.rows.original_units import OriginalUnits
from workbench.run.rows.prepared import prepare
from workbench.run.show.frame import SCORED
from workbench.source import Encoding, Order

IRIS = Recipe(
    SampleOrigin("iris"),
    order=Order("shuffled"),
    choices=Choices(Parameters(delta=0.2, beta=0.05, v_min=20, sp_min=2)),
)
N_INPUTS = 4


def stopped() -> float:
    """A clock that stands still: scoring takes no time."""
    return 0.0


def learner_of(recipe: Recipe, scores: type[InputScores] = InputScores) -> Learner:
    prepared = prepare(recipe.dataset(), recipe)
    return Learner(recipe, prepared, SampleLog(), input_scores=scores(prepared.encoder.targets, stopped, stopped))


def expected(mixture: Snapshot, rows: Floats) -> Floats:
    """Log density of the first columns, from the blocks of the covariances."""
    densities = np.zeros(len(rows))
    for prior, mean, covariance in zip(mixture.priors, mixture.means, mixture.covariances, strict=True):
        block, errors = covariance[:N_INPUTS, :N_INPUTS], rows[:, :N_INPUTS] - mean[:N_INPUTS]
        distances = np.einsum("nd,nd->n", errors, np.linalg.solve(block, errors.T).T)
        densities += prior * np.exp(-0.5 * distances) / np.sqrt(np.linalg.det(2 * np.pi * block))
    return np.log(densities)


def test_one_row_at_a_time_is_scored_before_it_is_learned() -> None:
    learner = learner_of(IRIS)
    wanted = [np.nan]  # there is no mixture yet
    learner.advance(1)
    while learner.n_done < 150:
        before = learner.engine.snapshot()
        wanted.extend(expected(before, learner.advance(1).values))
    past = learner.past.timeline()
    assert past.piece == 1
    np.testing.assert_allclose(past.input_log_likelihoods, wanted, rtol=1e-8)
    assert not np.allclose(past.input_log_likelihoods[1:], past.log_likelihoods[1:])


def test_of_a_long_chunk_the_first_rows_are_scored() -> None:
    learner = learner_of(IRIS)
    learner.advance(40)
    before = learner.engine.snapshot()
    rows = learner.advance(50).values
    found = learner.past.timeline().input_log_likelihoods[40:]
    np.testing.assert_allclose(found[:SCORED], expected(before, rows[:SCORED]), rtol=1e-8)
    assert np.isnan(found[SCORED:]).all()


def test_pieces_hold_the_mean_of_what_was_scored() -> None:
    learner = learner_of(IRIS)
    learner.past._double()
    learner.past._double()
    learner.advance(1)
    before = learner.engine.snapshot()
    rows = learner.advance(3).values
    past = learner.past.timeline()
    assert past.piece == 4
    np.testing.assert_allclose(past.input_log_likelihoods, [expected(before, rows).mean()], rtol=1e-8)


def test_a_stop_at_an_event_keeps_the_scores_of_its_rows() -> None:
    learner = learner_of(IRIS)
    learner.advance(1)
    chunk, happened = learner.advance_to_event(100, births=True, removals=True)
    assert happened
    past = learner.past.timeline()
    assert len(past.samples) == 1 + len(chunk.values) < 101
    before = FastIGMN.from_snapshot(learner_after(1).engine.snapshot())
    n = min(SCORED, len(chunk.values))
    np.testing.assert_allclose(past.input_log_likelihoods[1 : 1 + n], expected(before.snapshot(), chunk.values[:n]))


def learner_after(n_rows: int) -> Learner:
    learner = learner_of(IRIS)
    learner.advance(n_rows)
    return learner


def test_scoring_is_no_engine_time() -> None:
    """It is done before the stopwatch runs."""
    is_running: list[bool] = []

    class Watched(InputScores):
        def of(self, engine: Engine, rows: Floats) -> Floats:
            assert not is_running
            return super().of(engine, rows)

    def stopwatch(learn: Callable[[], Record]) -> Record:
        is_running.append(True)
        record = learn()
        is_running.clear()
        return record

    prepared = prepare(IRIS.dataset(), IRIS)
    scores = Watched(prepared.encoder.targets, stopped, stopped)
    learner = Learner(IRIS, prepared, SampleLog(), stopwatch=stopwatch, input_scores=scores)
    learner.advance(1)
    learner.advance(20)
    assert np.isfinite(learner.past.timeline().input_log_likelihoods).sum() == SCORED


def test_scoring_takes_its_share_of_the_time_and_no_more() -> None:
    """A chunk every second, and a scoring that takes one."""
    prepared = prepare(IRIS.dataset(), IRIS)
    wall, own = itertools.count(), itertools.count()
    scores = InputScores(prepared.encoder.targets, lambda: float(next(wall)), lambda: float(next(own)))
    model = FastIGMN(delta=1, scale=prepared.scale).learn(prepared.scouts[:10])
    n_chunks = 2000
    n_found = sum(bool(np.isfinite(scores.of(model, prepared.scouts[:5])).all()) for _ in range(n_chunks))
    assert FIRST + SHARE * n_chunks - 1 <= n_found <= FIRST + SHARE * n_chunks + 1


def test_the_work_of_a_chunk_is_bounded() -> None:
    few, many = FastIGMN(delta=1, scale=np.ones(3)), FastIGMN(delta=0.1, beta=0.5, scale=np.ones(900))
    few.learn(np.zeros((1, 3)))
    many.learn(10.0 * np.arange(12 * 900).reshape(12, 900))
    assert many.n_components == 12
    assert n_scored(few) == SCORED
    assert 1 <= n_scored(many) < SCORED
    assert n_scored(many) * 12 * 900**2 <= WORK


def test_a_density_that_cannot_be_had_is_none() -> None:
    """Under the published rule a block may be singular; the run goes on."""

    class Singular(FastIGMN):
        def score_samples(self, X: object) -> Floats:  # noqa: ARG002
            raise np.linalg.LinAlgError

    model = Singular(delta=1, scale=[1.0, 1.0]).learn([[0, 0]])
    assert np.isnan(log_density(model, np.zeros((2, 2)), np.array([1]))).all()


@pytest.mark.parametrize("roles", [{"class": "ignored"}, {"class": "input"}])
def test_without_targets_there_is_nothing_to_tell_apart(roles: dict[str, str]) -> None:
    recipe = Recipe(SampleOrigin("iris"), roles=roles, test_share=0.2)  # type: ignore[arg-type]
    prepared = prepare(recipe.dataset(), recipe)
    assert not prepared.has_targets
    learner = Learner(recipe, prepared, SampleLog())
    learner.advance(100)
    found = learner.held_out()
    assert found is not None
    assert found.inputs_only is None
    assert "inputs" not in found.words()
    assert np.isnan(learner.past.timeline().input_log_likelihoods).all()


def test_targets_alone_are_no_choice() -> None:
    names = IRIS.dataset().table.names
    recipe = Recipe(SampleOrigin("iris"), roles=dict.fromkeys(names, "target"))
    assert not prepare(recipe.dataset(), recipe).has_targets


@pytest.mark.parametrize("n_rows", [1, 150])
def test_likelihoods_are_in_the_users_units_whatever_the_scaling(n_rows: int) -> None:
    """As means and determinants are: z-scores made them others beside a plot in centimetres."""
    found = []
    for scaling in ("none", "standard"):
        recipe = replace(IRIS, encoding=Encoding(scaling=scaling), test_share=0.2)
        learner = learner_of(recipe)
        learner.advance(1)
        while len(learner.advance(n_rows).values):
            pass
        past, held_out = learner.past.timeline(), learner.held_out()
        assert held_out is not None
        assert learner.latest is not None
        last = learner.latest.log_likelihood
        found.append([*past.log_likelihoods, *past.input_log_likelihoods, *held_out, last])
    np.testing.assert_allclose(found[0], found[1], rtol=1e-6)


def test_a_missing_value_has_no_unit() -> None:
    units = OriginalUnits(np.zeros(3), np.array([10.0, 100.0, 1.0]))
    known = np.array([[True, True, True], [True, False, True]])
    np.testing.assert_allclose(units.log_densities(np.zeros(2), known), [-np.log(1000.0), -np.log(10.0)])
