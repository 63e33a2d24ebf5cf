"""Prior count, memory and row weights: both engines against the literal reference, and what each is for."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import pytest

from figmn import load, save
from figmn.engine import Engine
from figmn.system.arrays import Floats
from tests.figmn.datasets import rows_of, widths_of
from tests.figmn.paper import IGMN, FastIGMN
from tests.figmn.reference import Reference
from tests.figmn.test_reference import RULES, TOLERANCE, as_floats, relative_error


class Extras(NamedTuple):
    prior_count: float = 1.0
    memory: float = math.inf
    weighted: bool = False


EXTRAS = [
    Extras(prior_count=3.5),
    Extras(prior_count=0.5),
    Extras(memory=40),
    Extras(weighted=True),
    Extras(prior_count=2.5, memory=60, weighted=True),
]
ENGINES: list[tuple[type[Engine], dict[str, Any]]] = [
    (FastIGMN, {}),
    (IGMN, {"solver": "cholesky"}),
    (IGMN, {"solver": "inverse"}),
]
DELTA, BETA, V_MIN, SP_MIN = 0.8, 0.01, 30, 1.9


def weights_for(rows: Floats, extras: Extras) -> Floats | None:
    return np.random.default_rng(5).uniform(0.2, 3, len(rows)) if extras.weighted else None


@pytest.mark.parametrize("extras", EXTRAS, ids=str)
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("name", ["iris", "wine"])
def test_both_engines_follow_the_reference(name: str, rule: str, extras: Extras) -> None:
    rows, widths = rows_of(name), widths_of(name)
    weights = weights_for(rows, extras)
    truth = Reference(
        DELTA, BETA, V_MIN, SP_MIN, rule, widths, prior_count=extras.prior_count, memory=extras.memory
    ).learn(rows, weights)
    for engine, options in ENGINES:
        model = engine(
            DELTA, BETA, V_MIN, SP_MIN, rule,
            scale=widths, prior_count=extras.prior_count, memory=extras.memory, **options,
        )  # fmt: skip
        traces = [model.learn_one(row, weight) for row, weight in zip(rows, _ones_or(weights, rows), strict=True)]
        assert [(trace.created, trace.removed) for trace in traces] == truth.decisions
        assert relative_error(model.accumulators, as_floats([c.sp for c in truth.components])) < TOLERANCE
        assert relative_error(model.means, as_floats([c.mean for c in truth.components])) < TOLERANCE
        assert relative_error(model.precisions, as_floats([c.precision for c in truth.components])) < TOLERANCE
        log_determinants = as_floats([np.log(abs(c.determinant)) for c in truth.components])
        assert relative_error(model.log_determinants, log_determinants) < TOLERANCE


def _ones_or(weights: Floats | None, rows: Floats) -> Floats:
    return np.ones(len(rows)) if weights is None else weights


@pytest.mark.parametrize("extras", EXTRAS, ids=str)
@pytest.mark.parametrize("rule", RULES)
def test_many_dimensions_follow_the_cubic_engine(rule: str, extras: Extras) -> None:
    rng = np.random.default_rng(0)
    n_columns = 280  # above `compiled_up_to` of all engines
    rows = rng.normal(size=(330, n_columns)) + 40 * rng.integers(0, 2, (330, 1))
    settings: dict[str, Any] = {
        "delta": 0.5, "beta": 1e-9, "covariance": rule, "scale": rows.std(axis=0),
        "prior_count": extras.prior_count, "memory": extras.memory,
    }  # fmt: skip
    weights = weights_for(rows, extras)
    fast, cubic = (engine(**settings).learn(rows, weights) for engine in (FastIGMN, IGMN))
    assert fast.ids.tolist() == cubic.ids.tolist()
    for face in ("means", "covariances", "log_determinants", "accumulators", "variances"):
        assert relative_error(getattr(fast, face), getattr(cubic, face)) < TOLERANCE, face


def test_renewal_keeps_young_and_mature_forms_exact() -> None:
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(700, 260))
    for memory in (50, 5000):  # renewed at sample 260 and 520 (mature), or after the end
        settings: dict[str, Any] = {"delta": 1, "beta": 0, "scale": np.ones(260), "memory": memory, "prior_count": 2}
        fast, cubic = (engine(**settings).learn(rows) for engine in (FastIGMN, IGMN))
        assert relative_error(fast.covariances, cubic.covariances) < TOLERANCE
        expected = np.linalg.slogdet(fast.covariances)[1]
        assert fast.log_determinants == pytest.approx(expected, abs=1e-8)


def test_neutral_values_are_the_paper_to_the_bit() -> None:
    rows, widths = rows_of("wine"), widths_of("wine")
    for engine in (FastIGMN, IGMN):
        model = engine(DELTA, BETA, V_MIN, SP_MIN, scale=widths).learn(rows)
        weighted = engine(DELTA, BETA, V_MIN, SP_MIN, scale=widths).learn(rows, np.ones(len(rows)))
        assert model.accumulators.tolist() == model.snapshot().masses.tolist()
        assert model.covariances.tobytes() == weighted.covariances.tobytes()


def test_a_prior_keeps_one_gaussian_in_one_component() -> None:
    rows = np.random.default_rng(0).normal(size=(600, 60))
    counts = [FastIGMN(scale=np.ones(60), prior_count=prior).learn(rows).n_components for prior in (1, 15)]
    assert counts[0] > 20
    assert counts[1] <= 2


@pytest.mark.parametrize("engine", [FastIGMN, IGMN])
class TestMemory:
    def test_follows_a_change(self, engine: type[Engine]) -> None:
        rng = np.random.default_rng(0)
        rows = np.concatenate([rng.normal(0, 1, (500, 2)), rng.normal(1, 1, (500, 2))])
        memories: tuple[Any, ...] = (None, 100)
        keeping, forgetting = (
            engine(1, 0, scale=[1.0, 1.0], memory=memory).learn(rows).means[0].mean() for memory in memories
        )
        assert keeping == pytest.approx(0.5, abs=0.1)
        assert forgetting == pytest.approx(1.0, abs=0.2)

    def test_evidence_ends_at_the_memory(self, engine: type[Engine]) -> None:
        model = engine(1, 0, scale=[1.0], memory=50).learn(np.zeros((3000, 1)))
        assert model.accumulators == pytest.approx([50])

    def test_a_column_that_never_varies_keeps_a_width(self, engine: type[Engine]) -> None:
        rows = np.random.default_rng(0).normal(size=(60_000, 2)) * [1, 0]
        model = engine(0.5, 0, scale=[1.0, 1.0], memory=20).learn(rows)
        # Without renewal it would be exp(-60,000 / 20), below the smallest number.
        assert 1e-6 < model.variances[0, 1] < 0.25
        assert np.isfinite(model.log_determinants).all()

    def test_what_is_no_longer_seen_is_pruned(self, engine: type[Engine]) -> None:
        rng = np.random.default_rng(0)
        rows = np.concatenate([rng.normal(0, 1, (300, 1)), rng.normal(50, 1, (300, 1))])
        settings: dict[str, Any] = {"delta": 0.1, "scale": [25.0], "beta": 1e-6}
        assert engine(**settings).learn(rows).n_components == 2
        assert engine(**settings, memory=40).learn(rows).means.ravel() == pytest.approx([50], abs=1)

    def test_changes_during_a_run(self, engine: type[Engine]) -> None:
        model = engine(1, 0, scale=[1.0]).learn(np.zeros((200, 1)))
        assert model.change(memory=50).learn(np.zeros((500, 1))).accumulators == pytest.approx([50], abs=0.1)
        assert model.change(memory=math.inf).learn(np.zeros((100, 1))).accumulators == pytest.approx([150], abs=0.1)

    def test_pieces_and_files_make_no_difference(self, engine: type[Engine], tmp_path: Any) -> None:
        rows = rows_of("iris")
        settings: dict[str, Any] = {"delta": DELTA, "beta": BETA, "scale": widths_of("iris"), "memory": 30}
        whole, pieces = engine(**settings).learn(rows), engine(**settings)
        for start in range(0, len(rows), 7):
            save(pieces.learn(rows[start : start + 7]), tmp_path / "model.figmn")
            pieces = load(tmp_path / "model.figmn")
        assert pieces.covariances.tobytes() == whole.covariances.tobytes()
        assert pieces.accumulators.tobytes() == whole.accumulators.tobytes()


@pytest.mark.parametrize("engine", [FastIGMN, IGMN])
class TestWeights:
    def test_twice_is_a_weight_of_two_in_one_component(self, engine: type[Engine]) -> None:
        rows = np.random.default_rng(0).normal(size=(40, 3))
        settings: dict[str, Any] = {"delta": 1, "beta": 0, "scale": np.ones(3), "prior_count": 2}
        twice, weighted = engine(**settings).learn(np.repeat(rows, 2, axis=0)), engine(**settings)
        weighted.learn(rows, np.full(40, 2.0))
        for face in ("means", "covariances", "accumulators", "log_determinants"):
            assert getattr(weighted, face) == pytest.approx(getattr(twice, face), rel=1e-12), face

    def test_a_row_with_gaps_has_its_weight(self, engine: type[Engine]) -> None:
        model = engine(1, 0, scale=[1.0, 1.0])
        model.learn([[0, 0], [math.nan, 1], [1, 0]], weights=[1, 5, 0.5])
        assert model.accumulators == pytest.approx([6.5])

    def test_bad_weights_are_named_and_nothing_is_learned(self, engine: type[Engine]) -> None:
        model = engine(scale=[1.0]).learn([[0.0]])
        for weights, problem in (
            ([1, math.nan], "row 1 has the weight nan"),
            ([1, -2], "row 1 has the weight -2"),
            ([0, 1], "row 0 has the weight 0"),
            ([1, math.inf], "row 1 has the weight inf"),
            ([1], "one number for each of the 2 rows"),
            (["a", 1], "not numbers"),
        ):
            with pytest.raises(ValueError, match=problem):
                model.learn([[1.0], [2.0]], weights)
        with pytest.raises(ValueError, match="row 0 has the weight -1"):
            model.learn_one([1.0], weight=-1)
        assert model.n_seen == 1
