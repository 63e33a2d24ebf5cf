"""Merging: both engines against the literal reference, and what a limit and a threshold do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from figmn import IGMN, FastIGMN, load, save
from figmn.engine import Engine
from figmn.kernels import divergence
from figmn.merging import Pairs, merge_alike, samples_to_next_check
from figmn.params import NEUTRAL
from figmn.system.arrays import Floats
from tests.figmn.datasets import rows_of, widths_of
from tests.figmn.reference import Component, Reference, information, inverse
from tests.figmn.test_beyond_the_paper import ENGINES
from tests.figmn.test_reference import RULES, TOLERANCE, as_floats, relative_error

PAPER: dict[str, Any] = NEUTRAL | {"delta": 0.3, "beta": 0.01, "v_min": 80, "sp_min": 1.9}
LIMITS: list[dict[str, Any]] = [
    {"max_components": 5},
    {"max_components": 1},
    {"merge_below": 1.0},
    {"merge_below": 3.0, "max_components": 5, "prior_count": 2.5, "memory": 90.0},
]


def of_paper(**settings: Any) -> FastIGMN:
    """A mixture with the paper's algorithm but for the settings."""
    return FastIGMN(**(NEUTRAL | settings))


def clusters(
    n_rows: int, n_columns: int = 3, n_clusters: int = 3, distance: float = 12.0, seed: int = 0
) -> tuple[Floats, Floats]:
    """Rows of spherical clusters of standard deviation 1, and the standard deviations of their columns."""
    rng = np.random.default_rng(seed)
    directions = rng.normal(size=(n_clusters, n_columns))
    centres = distance * directions / np.linalg.norm(directions, axis=1)[:, None]
    rows = centres[rng.integers(n_clusters, size=n_rows)] + rng.normal(size=(n_rows, n_columns))
    return rows, rows.std(axis=0)


def same_mixtures(first: Engine, second: Engine) -> None:
    assert first.ids.tolist() == second.ids.tolist()
    for face in ("means", "covariances", "log_determinants", "accumulators", "variances"):
        assert relative_error(getattr(first, face), getattr(second, face)) < TOLERANCE, face
    assert first.ages.tolist() == second.ages.tolist()


@pytest.mark.parametrize("limits", LIMITS, ids=str)
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("data", ["clusters", "iris", "wine"])
def test_both_engines_follow_the_reference(data: str, rule: str, limits: dict[str, Any]) -> None:
    rows, widths = (
        clusters(420, n_clusters=2, distance=5, seed=4)
        if data == "clusters"
        else (rows_of(data)[:120], widths_of(data))
    )
    truth = Reference(**(PAPER | limits), covariance=rule, scale=widths).learn(rows)
    assert truth.merges or data != "clusters"
    for engine, options in ENGINES:
        model = engine(**(PAPER | limits), covariance=rule, scale=widths, **options)
        traces = [model.learn_one(row) for row in rows]
        assert [(trace.created, trace.removed) for trace in traces] == truth.decisions
        merges = [(trace.sample, *pair) for trace in traces for pair in trace.merged]
        assert merges == truth.merges
        assert model.ages.tolist() == [c.v for c in truth.components]
        assert relative_error(model.accumulators, as_floats([c.sp for c in truth.components])) < TOLERANCE
        assert relative_error(model.means, as_floats([c.mean for c in truth.components])) < TOLERANCE
        assert relative_error(model.precisions, as_floats([c.precision for c in truth.components])) < TOLERANCE
        log_determinants = as_floats([np.log(abs(c.determinant)) for c in truth.components])
        assert relative_error(model.log_determinants, log_determinants) < TOLERANCE


@pytest.mark.parametrize("limits", [{"max_components": 1}, {"merge_below": 100.0, "v_min": np.inf}], ids=str)
@pytest.mark.parametrize("rule", RULES)
def test_many_dimensions_follow_the_cubic_engine(rule: str, limits: dict[str, Any]) -> None:
    n_columns = 280  # above `compiled_up_to` of all engines
    rows, _ = clusters(700, n_columns, n_clusters=2, distance=60)
    wide: dict[str, Any] = NEUTRAL | {"delta": 2, "beta": 1e-9, "prior_count": 70, "scale": np.ones(n_columns)}
    settings = wide | {"covariance": rule} | limits
    fast, cubic = FastIGMN(**settings), IGMN(**settings)
    records = [model.learn_recorded(rows) for model in (fast, cubic)]
    assert len(records[0].merges)
    assert records[0].merges.tolist() == records[1].merges.tolist()
    same_mixtures(fast, cubic)


@pytest.mark.parametrize("engine", [FastIGMN, IGMN])
@pytest.mark.parametrize("limits", LIMITS, ids=str)
def test_results_do_not_depend_on_how_rows_come(engine: type[Engine], limits: dict[str, Any], tmp_path: Path) -> None:
    rows, widths = clusters(900, n_clusters=8, distance=5, seed=1)
    whole = engine(**(PAPER | limits), scale=widths)
    record = whole.learn_recorded(rows)
    assert len(record.merges)
    parts = engine(**(PAPER | limits), scale=widths)
    for begin in range(0, 900, 71):
        parts.learn(rows[begin : begin + 71])
        save(parts, tmp_path / "model.figmn")
        parts = load(tmp_path / "model.figmn")
    one_by_one = engine(**(PAPER | limits), scale=widths)
    traces = [one_by_one.learn_one(row) for row in rows]
    for model in (parts, one_by_one):
        assert model.covariances.tobytes() == whole.covariances.tobytes()
        assert model.accumulators.tobytes() == whole.accumulators.tobytes()
    assert record.merges.tolist() == [[trace.sample, *pair] for trace in traces for pair in trace.merged]
    assert record.n_components.tolist() == [trace.n_after for trace in traces]
    removals = zip(record.removed_samples.tolist(), record.removed_ids.tolist(), strict=True)
    assert [*removals] == [(trace.sample, number) for trace in traces for number in trace.removed]


def test_the_limit_holds_after_every_sample() -> None:
    rows, widths = clusters(300, n_clusters=20, distance=40)
    record = of_paper(delta=0.1, beta=0.1, scale=widths, max_components=7).learn_recorded(rows)
    assert record.n_components.max() == 7
    assert (record.born >= 0).sum() > 7
    assert len(record.merges) == (record.born >= 0).sum() - 7 - len(record.removed_ids)


def test_a_limit_of_one_keeps_mean_and_covariance_of_all_rows() -> None:
    rows, widths = clusters(50)
    model = of_paper(delta=0.1, beta=0.1, scale=widths, max_components=1).learn(rows)
    assert model.means[0] == pytest.approx(rows.mean(axis=0))
    assert model.accumulators.tolist() == pytest.approx([50])
    alone = of_paper(delta=0.1, beta=0.0, scale=widths).learn(rows)
    assert model.covariances[0] == pytest.approx(alone.covariances[0], rel=0.1)


def test_a_lower_limit_counts_from_the_next_sample() -> None:
    rows, widths = clusters(200, n_clusters=6, distance=40)
    model = of_paper(delta=0.1, beta=1e-4, scale=widths).learn(rows)
    before = model.n_components
    assert before >= 6
    trace = model.change(max_components=4).learn_one(rows[0])
    assert (model.n_components, trace.n_after, len(trace.merged)) == (4, 4, before - 4)
    assert not trace.removed
    evidence = model.accumulators.sum()
    assert evidence == pytest.approx(201)  # nothing is lost by merging


def test_merging_can_begin_during_a_run() -> None:
    rows, widths = clusters(1000)
    model = of_paper(delta=0.08, beta=1e-4, scale=widths, v_min=np.inf).learn(rows)
    before = model.n_components
    model.change(merge_below=1.0).learn(rows[:1])
    assert model.n_components < before


def test_neutral_values_change_no_bit_and_search_nothing() -> None:
    rows, widths = clusters(600)
    plain = FastIGMN(**PAPER, scale=widths).learn(rows)
    limited = FastIGMN(**(PAPER | {"max_components": 1000}), scale=widths).learn(rows)
    assert plain.covariances.tobytes() == limited.covariances.tobytes()
    assert plain.snapshot().next_check == limited.snapshot().next_check == 0


@pytest.mark.parametrize(("n_columns", "delta"), [(3, 0.1), (10, 0.3)])
def test_clusters_are_found_whatever_the_order(n_columns: int, delta: float) -> None:
    rows, widths = clusters(2000, n_columns, n_clusters=5, distance=14, seed=2)
    counts: dict[float, set[int]] = {0.0: set(), 1.0: set()}
    for limit, found in counts.items():
        for seed in range(5):
            order = np.random.default_rng(seed).permutation(len(rows))
            model = FastIGMN(delta, scale=widths, prior_count=max(1, n_columns / 4), merge_below=limit)
            found.add(model.learn(rows[order]).n_components)
    assert counts[1.0] <= {5, 6}
    assert len(counts[0.0]) > len(counts[1.0])


def test_one_gaussian_becomes_one_component() -> None:
    rows = np.random.default_rng(0).normal(size=(2000, 10))
    model = of_paper(scale=np.ones(10)).learn(rows)
    merged = of_paper(scale=np.ones(10), merge_below=1).learn(rows)
    assert model.n_components > 5
    assert merged.n_components <= 2
    fresh = np.random.default_rng(1).normal(size=(2000, 10))
    assert merged.score_samples(fresh).mean() > model.score_samples(fresh).mean()


def test_indefinite_components_are_not_merged() -> None:
    """Under the published rule; where the limit leaves no other way, the component with least evidence is removed."""
    rows = np.random.default_rng(3).normal(size=(300, 2)) * [1, 1e-3]
    settings: dict[str, Any] = NEUTRAL | {"delta": 3, "beta": 0.3, "covariance": "published", "scale": [1.0, 1e-3]}
    models = [engine(**(settings | {"max_components": 1})) for engine in (FastIGMN, IGMN)]
    for model in models:
        for row in rows:
            was_indefinite = (model.snapshot().negatives > 0).any()
            trace = model.learn_one(row)
            if was_indefinite and trace.created:
                assert not trace.merged
            assert model.n_components == 1


class TestUnions:
    def test_a_union_has_the_moments_of_both(self) -> None:
        rows, widths = clusters(300, n_columns=6, n_clusters=2)
        for rule in RULES:
            model = of_paper(delta=1, beta=1e-3, scale=widths, covariance=rule).learn(rows)
            components = model._components
            union = Pairs(components, model._root).union(0, 1)
            share = components.accumulators[0] / components.accumulators[:2].sum()
            gap = components.centres[0] - components.centres[1]
            within = share * model.covariances[0] + (1 - share) * model.covariances[1]
            expected = within + share * (1 - share) * np.outer(gap, gap)
            assert union.root @ union.root.T == pytest.approx(expected, rel=1e-10)
            assert union.centre == pytest.approx(share * components.centres[0] + (1 - share) * components.centres[1])
            assert (np.triu(union.root, 1) == 0).all()

    def test_collinear_columns_keep_their_digits(self) -> None:
        """A column that is the sum of the others, and components so narrow across that C itself would be singular."""
        rng = np.random.default_rng(0)
        rows = rng.normal(size=(400, 2)) + 40 * rng.integers(0, 2, (400, 1))
        rows = np.column_stack([rows, rows.sum(axis=1)])
        scale = np.array([1.0, 1.0, 1e-6])
        model = of_paper(delta=1, beta=1e-9, scale=scale, v_min=np.inf).learn(rows)
        roots = [model._root(j) for j in range(model.n_components)]
        pairs = Pairs(model._components, model._root)
        i, j = pairs.cheapest() or (0, 1)
        union = pairs.union(i, j)
        sp = [np.longdouble(model.accumulators[k]) for k in (union.kept, union.taken)]
        share = sp[0] / (sp[0] + sp[1])
        exact = [roots[k].astype(np.longdouble) @ roots[k].T.astype(np.longdouble) for k in (union.kept, union.taken)]
        gap = (model._components.centres[union.kept] - model._components.centres[union.taken]).astype(np.longdouble)
        expected = share * exact[0] + (1 - share) * exact[1] + share * (1 - share) * np.outer(gap, gap)
        found = inverse((union.root.astype(np.longdouble) @ union.root.T).astype(np.longdouble))
        assert relative_error(found[None], inverse(expected)[None]) < 1e-6

    def test_the_divergence_is_that_of_two_gaussians_from_one(self) -> None:
        for gap in (0.01, 1.0, 7.0, 60.0):
            for share in (0.5, 0.05, 1e-3):
                expected = 0.5 * np.log1p(share * (1 - share) * gap) - information(gap, share)
                assert divergence(gap, share) == pytest.approx(expected, abs=2e-4)

    def test_the_divergence_grows_with_the_gap(self) -> None:
        gaps = np.geomspace(0.01, 1e6, 400)
        for share in (0.5, 0.01, 1e-9, 1.0):
            assert (np.diff([divergence(gap, share) for gap in gaps]) > -1e-6).all()


class TestSearch:
    def test_what_is_skipped_would_not_have_been_merged(self) -> None:
        rows, widths = clusters(3000, n_columns=4, n_clusters=12, distance=9)
        model = of_paper(delta=0.1, beta=1e-4, scale=widths, v_min=np.inf).learn(rows)
        pairs = Pairs(model._components, model._root)
        firsts, seconds = np.triu_indices(model.n_components, 1)
        found = {(i, j) for _, i, j in pairs.below(1.0, np.ones(model.n_components, np.bool_))}
        costs = {
            (i, j): pairs.measure(i, j).per_parameter for i, j in zip(firsts.tolist(), seconds.tolist(), strict=True)
        }
        assert 0 < len(found) < len(costs)
        assert found == {pair for pair, cost in costs.items() if cost < 1.0}

    def test_the_cheapest_of_few_is_the_cheapest(self) -> None:
        rows, widths = clusters(400, n_columns=4, n_clusters=6, distance=20)
        model = of_paper(delta=0.1, beta=1e-4, scale=widths).learn(rows)
        reference = [
            Component(int(k), mean, precision, 1.0, sp, 1)
            for k, mean, precision, sp in zip(
                model.ids, model.means.astype(np.longdouble), model.precisions.astype(np.longdouble),
                model.accumulators, strict=True,
            )
        ]  # fmt: skip
        truth = Reference(**PAPER, covariance="exact", scale=widths)
        a, b = min(truth.pairs(reference), key=lambda pair: truth.runnalls(*pair))
        i, j = Pairs(model._components, model._root).cheapest() or (-1, -1)
        assert (model.ids[i], model.ids[j]) == (a.id, b.id)

    def test_a_lack_of_memory_leaves_no_half_merged_pair(self) -> None:
        """Where the second union cannot be stored, the first is complete and nothing is counted twice."""
        rows, widths = clusters(1000)
        model = of_paper(delta=0.08, beta=1e-4, scale=widths, v_min=np.inf).learn(rows)
        before, calls = model.n_components, []

        def put(union: Any) -> None:
            calls.append(union)
            if len(calls) == 2:
                raise MemoryError("none left")
            model._put_union(union)

        with pytest.raises(MemoryError, match="none left"):
            merge_alike(model._components, model._root, put, 1.0)
        assert model.n_components == before - 1
        assert model.accumulators.sum() == pytest.approx(1000)

    def test_searches_become_rare(self) -> None:
        rows, widths = clusters(300)
        components = FastIGMN(**PAPER, scale=widths).learn(rows)._components
        assert samples_to_next_check(components, 300) == 100
        assert samples_to_next_check(components, 100_000) == 5000
