"""What a frame carries of a mixture: the numbers that are drawn, never the matrices."""

from __future__ import annotations

import numpy as np
import pytest

from figmn import IGMN, FastIGMN, Parameters
from figmn.engine import Engine
from workbench.run import Choices, Frame, Recipe, SampleOrigin
from workbench.run.learn.runner import Runner
from workbench.run.show.frame import FullCensus
from workbench.run.show.mailbox import Mailbox

ENGINES: list[type[Engine]] = [FastIGMN, IGMN]


def learned(engine: type[Engine], rule: str, n_features: int) -> Engine:
    rows = np.random.default_rng(0).normal(size=(60, n_features)) + 9 * (np.arange(60) % 3)[:, None]
    return engine(delta=0.5, beta=0.001, covariance=rule, scale=rows.std(axis=0)).learn(rows)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("rule", ["exact", "published"])
@pytest.mark.parametrize("n_features", [3, 400])
def test_a_census_has_the_numbers_of_a_snapshot(engine: type[Engine], rule: str, n_features: int) -> None:
    model = learned(engine, rule, n_features)
    census, snapshot = FullCensus.of_engine(model), model.snapshot()
    assert census.n_components == snapshot.n_components > 1
    assert census.parameters == snapshot.parameters
    for name in ("ids", "priors", "accumulators", "ages", "means", "variances", "log_determinants"):
        np.testing.assert_array_equal(getattr(census, name), getattr(snapshot, name), err_msg=name)
    diagonals = snapshot.covariances.diagonal(axis1=1, axis2=2)
    np.testing.assert_allclose(census.variances, diagonals, rtol=1e-6)


def test_a_census_stays_as_it_was() -> None:
    model = learned(FastIGMN, "exact", 3)
    census = FullCensus.of_engine(model)
    means, ages = census.means.copy(), census.ages.copy()
    model.learn(np.zeros((9, 3)))
    np.testing.assert_array_equal(census.means, means)
    np.testing.assert_array_equal(census.ages, ages)
    with pytest.raises(ValueError, match="read-only"):
        census.variances[0, 0] = 1.0


@pytest.mark.parametrize("n_features", [100, 400])
def test_a_census_grows_with_the_columns_and_not_with_their_square(n_features: int) -> None:
    census = FullCensus.of_engine(learned(FastIGMN, "exact", n_features))
    n_bytes = sum(array.nbytes for array in vars(census).values() if isinstance(array, np.ndarray))
    assert n_bytes == 8 * census.n_components * (2 * n_features + 5)


def test_the_frames_of_a_run_need_no_snapshot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FastIGMN, "snapshot", lambda _: pytest.fail("copied all matrices"))
    mailbox: Mailbox[Frame] = Mailbox()
    recipe = Recipe(SampleOrigin("iris"), choices=Choices(Parameters(delta=0.3, beta=0.05)))
    runner = Runner(1, recipe, recipe.dataset(), mailbox, is_held=True)
    try:
        runner.step(100)
        while runner.ask(lambda learner, log: learner.n_done).result(60) < 100:  # noqa: ARG005
            pass
        runner.stop()
        runner.ask(lambda learner, log: None).result(60)  # noqa: ARG005
    finally:
        runner.close()
        runner.join()
    frame = mailbox.take_frame()
    assert frame is not None, mailbox.take_messages()
    assert frame.state in {"running", "paused", "stopped"}
    assert frame.census.n_components > 1
