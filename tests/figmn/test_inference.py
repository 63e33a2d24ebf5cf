"""Any elements from any others, against the textbook conditional computed from covariances."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from figmn import IGMN, FastIGMN
from figmn.engine import Engine
from figmn.system.arrays import Floats
from tests.figmn.datasets import rows_of, widths_of

ENGINES = [FastIGMN, IGMN]
both_engines = pytest.mark.parametrize("engine", ENGINES)


def trained(engine: type[Engine], rule: str = "exact") -> Engine:
    # Priors that differ, and more than one component that matters.
    model = engine(0.5, 0.01, 30, 2, rule, scale=widths_of("iris")).learn(rows_of("iris"))
    assert model.n_components > 2
    return model


def textbook(model: Engine, row: Floats) -> tuple[Floats, Floats, Floats, float]:
    """Conditional mean and covariance of the NaNs, responsibilities and log density of the knowns."""
    wanted, known = np.flatnonzero(np.isnan(row)), np.flatnonzero(~np.isnan(row))
    log_weights, means, covariances = [], [], []
    for prior, mean, C in zip(model.priors, model.means, model.covariances, strict=True):
        Cii, Cti = C[np.ix_(known, known)], C[np.ix_(wanted, known)]
        error = row[known] - mean[known]
        quadratic = error @ np.linalg.solve(Cii, error) if len(known) else 0.0
        log_determinant = np.linalg.slogdet(Cii)[1]
        log_weights.append(np.log(prior) - (quadratic + log_determinant + len(known) * np.log(2 * np.pi)) / 2)
        gain = Cti @ np.linalg.inv(Cii)
        means.append(mean[wanted] + gain @ error)
        covariances.append(C[np.ix_(wanted, wanted)] - gain @ Cti.T)
    weights = np.exp(np.array(log_weights) - max(log_weights))
    density = max(log_weights) + np.log(weights.sum())
    weights /= weights.sum()
    mean = weights @ np.array(means)
    covariance = sum(
        w * (c + np.outer(m - mean, m - mean)) for w, m, c in zip(weights, means, covariances, strict=True)
    )
    return mean, np.asarray(covariance), weights, float(density)


@both_engines
@pytest.mark.parametrize("rule", ["exact", "published"])
@pytest.mark.parametrize(
    "wanted", [[0], [3], [6], [0, 2], [4, 5, 6], [1, 2, 3, 4, 5], list(range(7))], ids=lambda wanted: f"wanted{wanted}"
)
def test_recall_is_the_textbook_conditional(engine: type[Engine], rule: str, wanted: list[int]) -> None:
    model = trained(engine, rule)
    rows = rows_of("iris")[:20].copy()
    rows[:, wanted] = np.nan
    filled, covariances = model.recall(rows, return_cov=True)
    assert_allclose(filled, model.recall(rows))
    for row, answer, covariance, weights, density in zip(
        rows, filled, covariances, model.responsibilities(rows), model.score_samples(rows), strict=True
    ):
        expected = textbook(model, row)
        assert_allclose(answer[wanted], expected[0], rtol=1e-7, atol=1e-8)
        assert_allclose(covariance, expected[1], rtol=1e-6, atol=1e-8)
        assert_allclose(weights, expected[2], rtol=1e-7, atol=1e-9)
        assert_allclose(density, expected[3], rtol=1e-8, atol=1e-12)


@both_engines
def test_every_column_is_predicted_from_the_others(engine: type[Engine]) -> None:
    rows = rows_of("iris")
    model = engine(1, 0.001, 5, 0, scale=widths_of("iris")).learn(rows)
    for column in range(rows.shape[1]):
        question = rows.copy()
        question[:, column] = np.nan
        answer = model.recall(question)
        np.testing.assert_array_equal(np.delete(answer, column, 1), np.delete(rows, column, 1))
        unexplained = ((answer - rows)[:, column] ** 2).mean() / rows[:, column].var()
        assert unexplained < 0.5, f"column {column}"


@both_engines
def test_rows_of_different_patterns_are_answered_in_their_own_places(engine: type[Engine]) -> None:
    model = trained(engine)
    rng = np.random.default_rng(0)
    rows = np.where(rng.random((150, 7)) < 0.4, np.nan, rows_of("iris"))
    filled, covariances = model.recall(rows, return_cov=True)
    for row, answer, covariance in zip(rows, filled, covariances, strict=True):
        alone, alone_covariance = model.recall(row[None], return_cov=True)
        assert_allclose(answer, alone[0], rtol=1e-10)
        assert covariance.shape == (np.isnan(row).sum(),) * 2
        assert_allclose(covariance, alone_covariance[0], rtol=1e-9, atol=1e-12)


@both_engines
@pytest.mark.parametrize("rule", ["exact", "published"])
@pytest.mark.parametrize("wanted", [[], [6], [4, 5, 6], [0], [1, 3, 6], list(range(7))], ids=str)
def test_conditionals_of_a_single_row_are_those_of_several(engine: type[Engine], rule: str, wanted: list[int]) -> None:
    model = trained(engine, rule)
    rows = rows_of("iris")[::30].copy()
    rows[:, wanted] = np.nan
    (together,) = model.conditionals(rows)
    for number, row in enumerate(rows):
        (alone,) = model.conditionals(row[None])
        assert alone.wanted.tolist() == wanted
        assert alone.n_known == together.n_known
        for name in ("log_weights", "distances", "means"):
            found, expected = getattr(alone, name), getattr(together, name)[number : number + 1]
            assert_allclose(found, expected, rtol=1e-9, atol=1e-9, err_msg=name)
        assert_allclose(alone.covariances, together.covariances, rtol=1e-8, atol=1e-12)


def test_complete_rows_come_back_unchanged() -> None:
    rows = rows_of("iris")
    np.testing.assert_array_equal(trained(FastIGMN).recall(rows), rows)


def test_more_rows_than_a_block_are_answered_alike() -> None:
    model = trained(FastIGMN)
    rows = np.tile(np.where(np.arange(7) == 2, np.nan, rows_of("iris")), (30, 1))
    answers = model.recall(rows)
    assert_allclose(answers, np.tile(answers[:150], (30, 1)))


def test_densities_integrate_to_one() -> None:
    model = FastIGMN(0.3, 0.05, scale=[1.0]).learn(np.random.default_rng(0).normal(0, 2, (200, 1)))
    grid = np.linspace(-60, 60, 200_001)
    assert np.exp(model.score_samples(grid[:, None])).sum() * (grid[1] - grid[0]) == pytest.approx(1, abs=1e-6)


@both_engines
def test_samples_have_the_moments_of_the_mixture(engine: type[Engine]) -> None:
    model = engine(0.5, 0.01, scale=[1.0, 1.0]).learn(correlated(400))
    rows, components = model.sample_with_components(200_000, seed=0)
    assert_allclose(np.bincount(components) / len(rows), model.priors, atol=0.01)
    for j in range(model.n_components):
        mine = rows[components == j]
        tolerance = 6 / np.sqrt(len(mine))
        assert_allclose(mine.mean(axis=0), model.means[j], atol=tolerance)
        assert_allclose(np.cov(mine.T), model.covariances[j], atol=tolerance)


def test_nothing_is_drawn_from_an_indefinite_component() -> None:
    model = FastIGMN(1, 0, covariance="published", scale=[1.0, 1.0]).learn([[0, 0], [5, 5]])
    assert model.n_indefinite == 1
    with pytest.raises(ValueError, match=r"component 0 is not positive definite.*exact"):
        model.sample()


@both_engines
@pytest.mark.parametrize("question", ["recall", "score_samples", "responsibilities"])
def test_an_empty_mixture_says_so(engine: type[Engine], question: str) -> None:
    with pytest.raises(ValueError, match="no components yet: learn"):
        getattr(engine(), question)([[1.0]])


def correlated(n_rows: int) -> Any:
    rng = np.random.default_rng(1)
    return rng.normal(size=(n_rows, 2)) @ [[1, 0.8], [0, 0.5]] + rng.choice([0, 7], (n_rows, 1))
