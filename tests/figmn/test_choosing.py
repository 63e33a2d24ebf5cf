"""δ chosen from the rows."""

from __future__ import annotations

import warnings
from typing import Any, cast

import numpy as np
import pytest
from sklearn.datasets import make_blobs, make_circles

from figmn import FastIGMN, Parameters
from figmn.choosing import (
    FINALISTS,
    LEAST_ROWS,
    MOST_ROWS,
    WIDTHS,
    Candidate,
    _finalists,
    _tried,
    _winner,
    suggest,
)
from figmn.params import DELTA
from figmn.system.arrays import Floats


def spirals(n_rows: int) -> tuple[Floats, list[list[int]]]:
    """Two spirals of three turns in a random order, with their class as two columns, and the targets."""
    point, code = np.divmod(np.random.default_rng(1).permutation(194)[:n_rows], 2)
    radius = 6.5 * (104 - point) / 104 * (1 - 2 * code)
    plane = radius[:, None] * np.column_stack([np.sin(point * np.pi / 16), np.cos(point * np.pi / 16)])
    return np.hstack([plane, np.eye(2)[code]]), [[2, 3]]


def circles() -> tuple[Floats, list[list[int]]]:
    X, code = make_circles(200, noise=0.05, factor=0.5, random_state=0)
    return np.hstack([X, np.eye(2)[code]]), [[2, 3]]


def n_components(X: Floats, **parameters: Any) -> int:
    """K with the suggested width."""
    chosen = Parameters(**parameters)
    model = FastIGMN(**vars(chosen) | {"delta": suggest(X, chosen).delta}, scale=X.std(axis=0))
    return model.learn(X).n_components


class TestNumberOfComponents:
    def test_a_single_gaussian_of_sixty_columns_stays_one(self) -> None:
        X = np.random.default_rng(0).normal(size=(1000, 60))
        assert FastIGMN(prior_count=1, scale=X.std(axis=0)).learn(X).n_components > 20
        assert n_components(X, prior_count=15) == 1

    @pytest.mark.parametrize("n_columns", [10, 50])
    def test_five_separate_gaussians_are_five(self, n_columns: int) -> None:
        X, _ = make_blobs(1000, n_columns, centers=5, center_box=(-10, 10), random_state=0)
        assert FastIGMN(prior_count=n_columns / 4, scale=X.std(axis=0)).learn(X).n_components < 5
        assert 5 <= n_components(X, prior_count=n_columns / 4) <= 6

    def test_one_component_where_nothing_may_be_born(self) -> None:
        X, _ = make_blobs(100, 2, centers=5, random_state=0)
        assert n_components(X, beta=0) == 1


class TestTargets:
    def test_a_class_is_judged_by_its_predictions(self) -> None:
        rows, targets = spirals(97)
        found = suggest(rows, targets=targets)
        assert found.measure == "classes"
        assert found.delta <= 0.15 < suggest(rows).delta

    def test_numbers_are_judged_by_their_errors(self) -> None:
        x = np.random.default_rng(0).uniform(0, 20, 400)
        found = suggest(np.column_stack([x, np.sin(x)]), targets=[[1]])
        assert found.measure == "numbers"
        assert found.delta <= 0.3
        shares = {one.delta: -one.score for one in found.candidates}
        assert shares[found.delta] < 0.1
        assert shares[3.0] > 0.5

    def test_classes_and_numbers_together(self) -> None:
        rows, targets = circles()
        found = suggest(np.column_stack([rows, rows[:, 0] ** 2]), targets=[*targets, [4]])
        assert found.measure == "predictions"
        assert found.delta < 1

    def test_rows_without_a_target_are_left_out(self) -> None:
        rows, targets = circles()
        more = np.vstack([rows, np.column_stack([rows[:50, :2], np.full((50, 2), np.nan)])])
        found = suggest(more, targets=targets, scale=rows.std(axis=0))
        assert found.n_rows == len(rows)
        assert found.delta == suggest(rows, targets=targets).delta

    def test_a_mixture_per_class(self) -> None:
        rows, targets = circles()
        found = suggest(rows, targets=targets, per_class=True)
        assert found.measure == "classes"
        best = next(one for one in found.candidates if one.delta == found.delta)
        assert np.exp(best.score) > 0.9
        wide = found.candidates[0]
        assert wide.n_components == 2  # of the classes; a ring and what it holds are told apart even so
        assert wide.score < best.score + 0.05


class TestAnyData:
    @pytest.mark.parametrize("with_targets", [False, True])
    def test_units_do_not_matter(self, with_targets: bool) -> None:
        rows, targets = circles()
        factors = np.array([2.0**-20, 2.0**30, 1.0, 1.0])
        first, second = (suggest(some, targets=targets if with_targets else []) for some in (rows, rows * factors))
        assert first.delta == second.delta

    def test_the_same_twice_and_rows_stay_as_they_were(self) -> None:
        rows, targets = circles()
        before = rows.copy()
        first, second = suggest(rows, targets=targets), suggest(rows, targets=targets)
        assert first.reason == second.reason
        np.testing.assert_array_equal(rows, before)

    def test_more_rows_than_needed_are_not_all_learned(self) -> None:
        assert suggest(np.random.default_rng(0).normal(size=(3000, 1))).n_rows == MOST_ROWS
        assert suggest(np.random.default_rng(0).normal(size=(500, 120)), Parameters(prior_count=30)).n_rows == 250

    def test_of_a_long_table_the_best_learn_more_rows(self) -> None:
        rng = np.random.default_rng(0)
        X = rng.normal(size=(5, 50))[rng.integers(5, size=30_000)] + rng.normal(size=(30_000, 50))
        short, found = suggest(X[:600]), suggest(X)
        assert len(found.candidates) <= FINALISTS
        assert found.n_rows == 3750
        assert "learned 600 rows; the best with different numbers of components learned 3,750 rows" in found.reason
        assert found.delta < short.delta
        assert found.candidates[0].n_components < 2  # a single component, which the final is lost by
        assert max(one.score for one in found.candidates) > found.candidates[0].score + 1

    def test_narrower_widths_are_tried_until_more_components_are_worse(self) -> None:
        scores = np.random.default_rng(0).normal(size=100)
        counts = {3.0: 1.0, 2.0: 1.0, 1.5: 1.0, 1.0: 1.0, 0.5: 7.0, 0.3: 9.0, 0.2: 11.0}

        class Judge:
            def candidate(self, parameters: Parameters) -> Candidate:
                assert parameters.delta is not None
                worse = 0.0 if parameters.delta == 3 else 1.0 + 0.01 * np.arange(100)
                return Candidate(parameters.delta, scores - worse, counts[parameters.delta])

        tried = _tried(Parameters(), list(counts), cast(Any, Judge()))
        assert [one.delta for one in tried] == [3.0, 2.0, 1.5, 1.0, 0.5, 0.3]

    def test_finalists_have_different_numbers_of_components(self) -> None:
        scores = np.random.default_rng(0).normal(size=100)
        tried = [
            Candidate(3.0, scores - 9 + 0.01 * np.arange(100), 1.0),  # fewer than the best, and worse beyond doubt
            Candidate(1.0, scores - 1e-3, 4.2),
            Candidate(0.7, scores, 4.0),
            Candidate(0.3, scores - 9 + 0.01 * np.arange(100), 20.0),  # more rows may speak for it
        ]
        assert _finalists(tried) == [0.7, 0.3]

    @pytest.mark.parametrize("share", [0.02, 0.3])
    def test_missing_values(self, share: float) -> None:
        X, _ = make_blobs(300, 4, centers=3, center_box=(-30, 30), random_state=1)
        X[np.random.default_rng(0).random(X.shape) < share] = np.nan
        found = suggest(X)
        assert found.n_rows == (~np.isnan(X).any(axis=1)).sum() if share < 0.1 else len(X)
        assert found.delta < 3

    def test_constant_columns_are_ignored_without_a_warning(self) -> None:
        X, _ = make_blobs(200, 3, centers=4, center_box=(-30, 30), random_state=1)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = suggest(np.column_stack([X, np.full(len(X), 7.0)]))
        assert found.candidates
        assert abs(np.log(found.delta / suggest(X).delta)) < 0.5

    def test_duplicates(self) -> None:
        X, _ = make_blobs(30, 2, centers=3, center_box=(-30, 30), random_state=1)
        assert suggest(np.repeat(X, 10, axis=0)).candidates

    @pytest.mark.parametrize(
        ("rows", "words"),
        [
            (np.arange(2.0 * (LEAST_ROWS - 1)).reshape(-1, 2), "9 rows are too few"),
            (np.ones((50, 2)), "no column varies"),
        ],
        ids=["few", "equal"],
    )
    def test_the_rule_by_columns_where_nothing_can_be_compared(self, rows: Floats, words: str) -> None:
        found = suggest(rows)
        assert found.delta == DELTA.default_for(2)
        assert words in found.reason
        assert not found.candidates

    def test_the_rule_by_columns_in_many_columns(self) -> None:
        found = suggest(np.random.default_rng(0).normal(size=(20, 300)))
        assert found.delta == DELTA.default_for(300)
        assert "300 columns are too many" in found.reason

    def test_the_rule_by_columns_where_every_row_is_born(self) -> None:
        found = suggest(np.random.default_rng(0).normal(size=(300, 2)), Parameters(beta=1))
        assert found.delta == DELTA.default_for(2)
        assert "every row would start a component" in found.reason

    def test_bad_rows_are_refused(self) -> None:
        with pytest.raises(ValueError, match="inf"):
            suggest([[0.0, np.inf]] * 20)
        with pytest.raises(ValueError, match="scale"):
            suggest(np.zeros((20, 2)), scale=[-1.0, 1.0])


class TestReason:
    def test_it_says_what_was_tried_what_won_and_by_how_much(self) -> None:
        X, _ = make_blobs(200, 12, centers=4, center_box=(-30, 30), random_state=1)
        found = suggest(X)
        best = max(found.candidates, key=lambda one: one.score)
        rule = next(one for one in found.candidates if one.delta == DELTA.default_for(12))
        assert found.delta == best.delta != rule.delta
        for text in ("200 rows", f"Best was δ = {best.delta:g}", f"{best.score:.3f}", "columns", f"{rule.score:.3f}"):
            assert text in found.reason

    def test_where_nothing_can_be_predicted_the_widest_wins(self) -> None:
        random = np.random.default_rng(3)
        rows = np.hstack([random.normal(size=(60, 3)), np.eye(2)[random.integers(2, size=60)]])
        assert suggest(rows, targets=[[3, 4]]).delta == max(WIDTHS)


class TestWinner:
    tried = (
        Candidate(2.0, np.array([1.0, 5.0, 1.0, 5.0]), 1.0),
        Candidate(1.0, np.array([4.0, 4.0, 2.0, 4.0]), 2.0),
        Candidate(0.5, np.array([4.1, 4.0, 3.0, 4.0]), 9.0),
    )

    def test_the_best_mean_wins(self) -> None:
        assert _winner(self.tried, 0.0).delta == 0.5

    def test_fewer_components_win_within_the_margin(self) -> None:
        # 0.85 and 1.31 standard errors below the best.
        assert _winner(self.tried, 0.8).delta == 0.5
        assert _winner(self.tried, 0.9).delta == 2.0
        assert _winner(self.tried[1:], 1.3).delta == 0.5
        assert _winner(self.tried[1:], 1.4).delta == 1.0
