"""Scores against scikit-learn's."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics

from workbench.evaluate.quality.scores import brier, class_areas, log_loss, weighted_area


def predictions(n_rows: int = 200, n_classes: int = 3) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    scores = rng.dirichlet(np.ones(n_classes), n_rows).round(1)  # rounded: ties
    return scores / scores.sum(axis=1, keepdims=True), rng.choice(n_classes, n_rows, p=[0.5, 0.3, 0.2])


def test_areas_equal_those_of_scikit_learn() -> None:
    scores, codes = predictions()
    wanted = [metrics.roc_auc_score(codes == place, scores[:, place]) for place in range(3)]
    assert class_areas(scores, codes) == pytest.approx(wanted)
    one_vs_rest = metrics.roc_auc_score(codes, scores, multi_class="ovr", average="weighted")
    assert weighted_area(scores, codes) == pytest.approx(one_vs_rest)


def test_a_class_without_rows_has_no_area_and_no_weight() -> None:
    scores, codes = predictions()
    codes[codes == 1] = 0
    areas = class_areas(scores, codes)
    assert np.isnan(areas[1])
    counts = np.bincount(codes)
    assert weighted_area(scores, codes) == pytest.approx((counts[0] * areas[0] + counts[2] * areas[2]) / len(codes))
    assert np.isnan(weighted_area(scores, np.zeros(len(codes), np.intp)))


def test_log_loss_and_brier_equal_those_of_scikit_learn() -> None:
    scores, codes = predictions()
    scores = 0.9 * scores + 0.1 / 3
    assert log_loss(scores, codes) == pytest.approx(metrics.log_loss(codes, scores))
    assert brier(scores[:, :2] / scores[:, :2].sum(axis=1, keepdims=True), codes.clip(max=1)) == pytest.approx(
        2 * metrics.brier_score_loss(codes.clip(max=1), scores[:, 1] / scores[:, :2].sum(axis=1))
    )


def test_an_impossible_class_that_comes_costs_much_but_not_everything() -> None:
    assert log_loss(np.array([[1.0, 0.0]]), np.array([1])) == pytest.approx(-np.log(1e-15))
