"""What must hold of a model, whatever it keeps inside."""

from __future__ import annotations

import copy
import pickle
import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from figmn import ConstantColumnWarning
from figmn.engine import Engine
from figmn.scale import CONSTANT_FLOOR
from figmn.system.arrays import Floats
from tests.figmn.datasets import NAMES, rows_of, widths_of
from tests.figmn.paper import IGMN, FastIGMN

ENGINES = [FastIGMN, IGMN]
both_engines = pytest.mark.parametrize("engine", ENGINES)
few_and_many_columns = pytest.mark.parametrize("n_features", [3, 270])  # compiled loops and matrix products


def blobs(n_features: int = 3) -> Floats:
    rng = np.random.default_rng(0)
    return rng.permutation(np.concatenate([rng.normal(center, 1, (60, n_features)) for center in (0, 6, -9)]))


FACES = ["ids", "means", "precisions", "covariances", "log_determinants", "accumulators", "ages", "priors"]
FACES += ["n_seen", "n_indefinite", "n_regularized"]


def faces(model: Engine) -> dict[str, Any]:
    return {name: getattr(model, name) for name in FACES}


def assert_same(left: Engine, right: Engine, rtol: float = 0.0) -> None:
    for name, value in faces(left).items():
        np.testing.assert_allclose(value, getattr(right, name), rtol=rtol, atol=rtol, err_msg=name)


@both_engines
@pytest.mark.parametrize("delta", [0.01, 1, 3])
@pytest.mark.parametrize("name", NAMES)
def test_one_exact_component_is_the_batch_answer(engine: type[Engine], name: str, delta: float) -> None:
    rows, widths = rows_of(name), widths_of(name)
    model = engine(delta=delta, beta=0, scale=widths).learn(rows)
    expected = np.cov(rows.T, bias=True) + np.diag((delta * widths) ** 2) / len(rows)
    assert model.n_components == 1
    np.testing.assert_allclose(model.means[0], rows.mean(axis=0), rtol=1e-10, atol=1e-10 * widths.min())
    # Measured in widths of the columns: those of wine differ by a factor of a thousand.
    error = np.abs(model.covariances[0] - expected) / np.outer(widths, widths)
    # The class columns add up to 1, so a small delta makes C nearly singular; rounding Λ to doubles alone then
    # moves its inverse by this much.
    rounding = np.finfo(float).eps * np.linalg.cond(expected / np.outer(widths, widths))
    assert error.max() < max(1e-10, 4 * rounding)
    assert delta < 1 or 4 * rounding < 1e-10


@both_engines
@few_and_many_columns
@pytest.mark.parametrize("rule", ["exact", "published"])
@settings(max_examples=15, deadline=None)
@given(cuts=st.lists(st.integers(1, 179), max_size=6), gaps=st.booleans(), running=st.booleans())
def test_learning_in_chunks_is_learning_row_by_row(
    engine: type[Engine], n_features: int, rule: str, cuts: list[int], gaps: bool, running: bool
) -> None:
    rows = blobs(n_features)
    scale = None if running else rows.std(axis=0)
    if gaps:
        rows[3::7, 1] = np.nan
    chunked, single = (engine(0.3, 0.01, 20, 2, rule, scale) for _ in range(2))
    for chunk in np.split(rows, sorted(set(cuts))):
        chunked.learn(chunk)
    for row in rows:
        single.learn_one(row)
    assert_same(chunked, single, rtol=1e-9)


@both_engines
def test_beta_one_makes_every_sample_a_component(engine: type[Engine]) -> None:
    rows = blobs()
    assert engine(beta=1, scale=rows.std(axis=0)).learn(rows).n_components == len(rows)


@both_engines
def test_pruning_removes_the_old_without_evidence_and_only_those(engine: type[Engine]) -> None:
    model = engine(delta=1, beta=0.01, v_min=3, sp_min=2, scale=[1.0])
    model.learn([[0.0], [50.0]])
    removed = [model.learn_one([0.0]).removed for _ in range(3)]
    assert removed == [(), (), (1,)]
    assert model.ids.tolist() == [0]
    assert model.learn_one([50.0]).born == 2
    assert model.priors.sum() == pytest.approx(1)


@both_engines
def test_pruning_everything_starts_again(engine: type[Engine]) -> None:
    model = engine(delta=1, beta=0.01, v_min=1, sp_min=100, scale=[1.0]).learn([[0.0], [0.0]])
    assert model.n_components == 0
    assert model.learn_one([3.0]).log_likelihood == -np.inf
    assert model.n_components == 1


@both_engines
def test_the_trace_tells_what_happened(engine: type[Engine]) -> None:
    model = engine(delta=1, beta=0.1, scale=[1.0, 1.0])
    first = model.learn_one([0, 0])
    assert (first.created, first.born, first.n_before, first.n_after) == (True, 0, 0, 1)
    expected = float(model.score_samples([[4, 0]])[0])
    born = model.learn_one([4, 0])
    assert (born.created, born.born, born.n_before, born.n_after) == (True, 1, 1, 2)
    assert born.distances.tolist() == [16.0]
    assert born.threshold == pytest.approx(4.605170185988092)
    assert born.log_likelihood == pytest.approx(expected)
    posteriors = model.responsibilities([[1, 0]])[0]
    update = model.learn_one([1, 0])
    assert not update.created
    assert update.born is None
    np.testing.assert_allclose(update.posteriors, posteriors)
    np.testing.assert_allclose(update.omegas, posteriors / model.accumulators)
    assert update.sample == 2
    assert update.nanoseconds > 0
    with pytest.raises(ValueError, match="read-only"):
        update.distances[0] = 1


@both_engines
def test_far_components_age_and_are_not_touched(engine: type[Engine]) -> None:
    model = engine(delta=0.1, beta=0.1, v_min=1000, scale=[1.0]).learn([[0.0], [1000.0]])
    before = faces(model)
    model.learn([[0.01]])
    assert model.ages.tolist() == [2, 2]
    assert model.means[1] == before["means"][1]
    assert model.precisions[1] == before["precisions"][1]


class TestChange:
    @few_and_many_columns
    @both_engines
    @pytest.mark.parametrize(
        "asked",
        [{}, {"beta": 0.3}, {"beta": 0}, {"v_min": 5}, {"sp_min": 9.5}, {"beta": 1e-9, "v_min": 3, "sp_min": 4.5}],
    )
    def test_it_is_as_if_taken_up_with_other_parameters(
        self, engine: type[Engine], n_features: int, asked: dict[str, Any]
    ) -> None:
        rows = blobs(n_features)[:120]
        model = engine(0.3, 0.01, 20, 2).learn(rows[:60])
        snapshot = model.snapshot()
        twin = engine.from_snapshot(replace(snapshot, parameters=replace(snapshot.parameters, **asked)))
        assert model.change(**asked) is model
        assert model.parameters == twin.parameters
        trace, expected = model.learn_one(rows[60]), twin.learn_one(rows[60])
        assert (trace.threshold, trace.created, trace.removed) == (
            expected.threshold, expected.created, expected.removed,
        )  # fmt: skip
        assert_same(model.learn(rows[61:]), twin.learn(rows[61:]))

    @both_engines
    @pytest.mark.parametrize("asked", [{"beta": 2}, {"beta": 0.5, "sp_min": -1}, {"v_min": "old"}, {"beta": True}])
    def test_a_bad_value_changes_nothing(self, engine: type[Engine], asked: dict[str, Any]) -> None:
        model, twin = (engine(0.3, 0.01, 20, 2).learn(blobs()[:90]) for _ in range(2))
        with pytest.raises(ValueError, match=f"{list(asked)[-1]} = .* (is outside|is not a number)"):
            model.change(**asked)
        assert model.parameters == twin.parameters
        assert_same(model.learn(blobs()[90:]), twin.learn(blobs()[90:]))

    @both_engines
    def test_none_means_what_it_means_in_the_constructor(self, engine: type[Engine]) -> None:
        model = engine(memory=50, max_components=3, beta=0.2)
        assert model.change(memory=None).parameters == engine(memory=None, max_components=3, beta=0.2).parameters
        assert model.change(max_components=None).parameters == engine(beta=0.2).parameters
        with pytest.raises(ValueError, match="beta = None is not a number"):
            model.change(beta=None)
        assert model.parameters == engine(beta=0.2).parameters

    @both_engines
    def test_before_the_first_row(self, engine: type[Engine]) -> None:
        assert engine(beta=0).change(beta=1).learn(blobs()).n_components == len(blobs())

    @few_and_many_columns
    @both_engines
    def test_a_birth_removes_nothing_and_the_next_update_does(self, engine: type[Engine], n_features: int) -> None:
        model = engine(1, 0.01, scale=np.ones(n_features)).learn(np.zeros((9, n_features)))
        model.change(v_min=1, sp_min=20)
        model.learn(np.full((1, n_features), 50.0))
        assert model.ids.tolist() == [0, 1]
        model.learn(np.full((1, n_features), 50.0))
        assert model.ids.tolist() == []


class TestScale:
    @both_engines
    def test_running_estimate_is_the_std_so_far(self, engine: type[Engine]) -> None:
        rows = blobs()
        model = engine(delta=0.7, beta=1)
        for n, row in enumerate(rows, start=1):
            model.learn_one(row)
            expected = 0.7 * (rows[:n].std(axis=0) if n > 1 else np.ones(3))
            np.testing.assert_allclose(np.sqrt(model.covariances[-1].diagonal()), expected)

    @both_engines
    def test_the_first_component_gets_its_width_when_there_is_one(self, engine: type[Engine]) -> None:
        model = engine(delta=0.5, beta=0).learn([[1e-6, 1e6], [1e-6, 1e6]])
        assert not model._settled
        model.learn([[3e-6, 3e6]])
        rows = np.array([[1e-6, 1e6], [1e-6, 1e6], [3e-6, 3e6]])
        expected = np.cov(rows.T, bias=True) + np.diag((0.5 * rows.std(axis=0)) ** 2) / 3
        np.testing.assert_allclose(model.covariances[0], expected, rtol=1e-9)
        np.testing.assert_allclose(model.log_determinants[0], np.log(np.linalg.det(expected)))

    @both_engines
    @pytest.mark.parametrize("scale", [None, [2.0, 0.0, 4.0]])
    def test_a_constant_column_gets_the_floor_and_one_warning(self, engine: type[Engine], scale: Any) -> None:
        rows = np.arange(12.0)[:, None] * [1, 0, 2] + 7
        with pytest.warns(ConstantColumnWarning, match=r"column 1 \('b'\) did not vary.*width") as caught:
            model = engine(delta=0.5, beta=1, scale=scale, columns="abc").learn(rows)
            for row in rows:
                model.learn_one(row)
        assert len(caught) == 1
        assert caught[0].filename == __file__
        widths = np.array(scale or rows.std(axis=0))
        expected = 0.5 * np.array([widths[0], CONSTANT_FLOOR * (widths[0] + widths[2]) / 2, widths[2]])
        np.testing.assert_allclose(np.sqrt(model.covariances[11].diagonal()), expected)

    @both_engines
    def test_sample_by_sample_the_warning_comes_too(self, engine: type[Engine]) -> None:
        with pytest.warns(ConstantColumnWarning) as caught:
            model = engine()
            for value in range(30):
                model.learn_one([value, 7])
        assert len(caught) == 1

    @both_engines
    def test_no_warning_before_a_column_could_show_that_it_varies(self, engine: type[Engine]) -> None:
        rows = np.column_stack([np.arange(40), np.arange(40) // 9])
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            engine().learn(rows[:3]).learn(rows[3:])

    @both_engines
    def test_all_columns_constant_is_width_one(self, engine: type[Engine]) -> None:
        model = engine(delta=0.5, beta=0).learn([[5, 7], [5, 7]])
        np.testing.assert_allclose(model.covariances[0], np.eye(2) * 0.25 / 2)


class TestMissingValues:
    @both_engines
    def test_gaps_are_filled_with_the_mixtures_own_answer(self, engine: type[Engine]) -> None:
        rows = blobs()
        model, twin = (engine(0.3, 0.01, scale=rows.std(axis=0)).learn(rows) for _ in range(2))
        row = np.array([6.0, np.nan, 5.5])
        filled = twin.recall(row[None])[0]
        trace = model.learn_one(row)
        np.testing.assert_array_equal(trace.row, filled)
        twin.learn_one(filled)
        assert_same(model, twin)

    @both_engines
    def test_without_components_the_running_mean_fills(self, engine: type[Engine]) -> None:
        model = engine(delta=1, beta=0, scale=[1.0, 1.0])
        assert model.learn_one([np.nan, 3.0]).row.tolist() == [0.0, 3.0]
        pruned = engine(delta=1, beta=0.1, v_min=1, sp_min=50, scale=[1.0, 1.0]).learn([[2, 2], [2, 3]])
        assert pruned.n_components == 0
        assert pruned.learn_one([np.nan, 3.0]).row.tolist() == [2.0, 3.0]

    @both_engines
    def test_a_row_without_any_value_is_refused(self, engine: type[Engine]) -> None:
        with pytest.raises(ValueError, match="row 1 has no value in any column"):
            engine().learn([[1, 2], [np.nan, np.nan]])

    def test_masked_values_are_missing(self) -> None:
        masked = np.ma.MaskedArray([[1.0, 99.0], [2.0, 4.0]], mask=[[False, True], [False, False]])
        plain = np.array([[1.0, np.nan], [2.0, 4.0]])
        assert_same(FastIGMN(scale=[1, 1]).learn(masked), FastIGMN(scale=[1, 1]).learn(plain))


class TestSnapshot:
    @few_and_many_columns
    @both_engines
    def test_a_model_goes_on_from_its_snapshot(self, engine: type[Engine], n_features: int) -> None:
        rows = blobs(n_features)
        model = engine(0.3, 0.01, 20, 2).learn(rows[:90])
        resumed = engine.from_snapshot(model.snapshot())
        assert_same(model.learn(rows[90:]), resumed.learn(rows[90:]))

    @few_and_many_columns
    @both_engines
    def test_it_is_frozen_and_independent(self, engine: type[Engine], n_features: int) -> None:
        rows = blobs(n_features)
        model = engine(0.3, 0.01, scale=rows.std(axis=0)).learn(rows[:90])
        snapshot = model.snapshot()
        before = faces(model)
        model.learn(rows[90:])
        for name in set(before) - {"n_seen", "n_indefinite", "n_regularized"}:
            np.testing.assert_allclose(getattr(snapshot, name), before[name], rtol=1e-12, atol=1e-12)
            if name != "priors":
                assert not getattr(snapshot, name).flags.writeable

    @few_and_many_columns
    @both_engines
    def test_it_answers_like_the_model(self, engine: type[Engine], n_features: int) -> None:
        rows = blobs(n_features)
        model = engine(0.3, 0.01, scale=rows.std(axis=0)).learn(rows)
        snapshot, question = model.snapshot(), np.where(np.arange(n_features) == 1, np.nan, rows)
        np.testing.assert_allclose(snapshot.recall(question), model.recall(question))
        np.testing.assert_allclose(snapshot.score_samples(rows), model.score_samples(rows))
        np.testing.assert_allclose(snapshot.sample(5, seed=1), model.sample(5, seed=1))

    @few_and_many_columns
    def test_engines_take_over_each_others(self, n_features: int) -> None:
        rows = blobs(n_features)
        fast = FastIGMN(0.3, 0.01, scale=rows.std(axis=0)).learn(rows)
        cubic = IGMN.from_snapshot(fast.snapshot())
        assert_same(cubic, fast, rtol=1e-9)
        assert_same(FastIGMN.from_snapshot(cubic.snapshot()), fast, rtol=1e-9)

    @few_and_many_columns
    @both_engines
    @pytest.mark.parametrize("twin_of", [copy.deepcopy, lambda model: pickle.loads(pickle.dumps(model))])
    def test_copies_learn_on_their_own(self, engine: type[Engine], twin_of: Any, n_features: int) -> None:
        rows = blobs(n_features)
        model = engine(0.3, 0.01).learn(rows[:90])
        before = faces(model)
        twin = twin_of(model).learn(rows[90:])
        np.testing.assert_array_equal(model.means, before["means"])
        assert_same(twin, model.learn(rows[90:]))

    @both_engines
    def test_an_empty_model_has_one_too(self, engine: type[Engine]) -> None:
        assert engine.from_snapshot(engine().snapshot()).learn([[1, 2]]).n_components == 1

    @both_engines
    @few_and_many_columns
    @pytest.mark.parametrize("other", ENGINES)
    def test_an_empty_one_is_taken_over_too(self, engine: type[Engine], other: type[Engine], n_features: int) -> None:
        snapshot = engine(scale=np.ones(n_features)).snapshot()
        assert snapshot.precisions.shape == snapshot.covariances.shape == (0, n_features, n_features)
        assert other.from_snapshot(snapshot).learn(np.ones((1, n_features))).n_components == 1


class TestMerge:
    @few_and_many_columns
    @pytest.mark.parametrize("left", ENGINES)
    @pytest.mark.parametrize("right", ENGINES)
    def test_the_union_keeps_both(self, left: type[Engine], right: type[Engine], n_features: int) -> None:
        rows, scale = blobs(n_features), blobs(n_features).std(axis=0)
        mine, theirs = left(0.3, 0.01, scale=scale).learn(rows[:100]), right(0.3, 0.01, scale=scale).learn(rows[100:])
        before = faces(mine), faces(theirs)
        union = mine.merge(theirs)
        assert isinstance(union, left)
        assert union.n_seen == 180
        assert len(set(union.ids.tolist())) == union.n_components
        for name in ("means", "accumulators", "ages", "precisions", "log_determinants"):
            np.testing.assert_allclose(
                getattr(union, name), np.concatenate([before[0][name], before[1][name]]), rtol=1e-9, atol=1e-9
            )
        for model, then in zip((mine, theirs), before, strict=True):
            np.testing.assert_array_equal(model.accumulators, then["accumulators"])

    def test_column_statistics_are_those_of_both_streams(self) -> None:
        rows = blobs()
        union = FastIGMN(beta=1).learn(rows[:50]).merge(FastIGMN().learn(rows[50:]))
        np.testing.assert_allclose(union.snapshot().statistics.std, rows.std(axis=0))

    def test_components_without_a_width_get_one(self) -> None:
        union = FastIGMN(delta=1, beta=0).learn([[0.0]]).merge(FastIGMN(delta=1, beta=0).learn([[10.0]]))
        np.testing.assert_allclose(union.covariances.ravel(), [25, 25])

    @both_engines
    def test_an_empty_side_changes_nothing(self, engine: type[Engine]) -> None:
        model = engine(scale=[1, 1]).learn([[0, 0], [9, 9]])
        assert_same(engine(scale=[1, 1]).merge(model), model)
        assert_same(model.merge(engine()), model)

    def test_other_columns_are_refused(self) -> None:
        with pytest.raises(ValueError, match="over 2 columns with one over 3"):
            FastIGMN().learn([[1, 2]]).merge(FastIGMN().learn([[1, 2, 3]]))
        with pytest.raises(ValueError, match="column 'b' meets column 'c'"):
            FastIGMN(columns="ab").merge(FastIGMN(columns="ac"))

    def test_another_covariance_rule_is_refused(self) -> None:
        with pytest.raises(ValueError, match="covariance='exact' and one with covariance='published'"):
            FastIGMN().learn([[1, 2]]).merge(FastIGMN(covariance="published").learn([[1, 2]]))
