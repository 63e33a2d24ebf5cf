"""Rounding over a million samples, and determinants that no double can hold."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.figmn.paper import FastIGMN

DELTA = 0.01


def test_a_million_rows_with_condition_number_1e8() -> None:
    rng = np.random.default_rng(0)
    n_rows, n_features = 1_000_000, 10
    rotation, _ = np.linalg.qr(rng.normal(size=(n_features, n_features)))
    rows = rng.normal(size=(n_rows, n_features)) * np.logspace(0, 4, n_features) @ rotation.T
    scale = rows.std(axis=0)
    model = FastIGMN(delta=DELTA, beta=0, scale=scale).learn(rows)

    deviations = (rows - rows.mean(axis=0)).astype(np.longdouble)
    covariance = deviations.T @ deviations / n_rows + np.diag((DELTA * scale) ** 2) / n_rows
    assert 3e7 < np.linalg.cond(covariance.astype(float)) < 3e8
    precision = extended_inverse(covariance)
    assert np.abs(model.precisions[0] - precision).max() < 1e-8 * np.abs(precision).max()
    log_determinant = np.linalg.slogdet(covariance.astype(float))[1]
    np.testing.assert_allclose(model.log_determinants[0], log_determinant, rtol=1e-8)


def test_3072_dimensions_overflow_nothing() -> None:
    rng = np.random.default_rng(0)
    n_features, n_rows = 3072, 6
    rows = rng.normal(0, 1e-3, (n_rows, n_features))
    model = FastIGMN(delta=1, beta=0, scale=np.full(n_features, 1e-3)).learn(rows)
    # |C| = |D| |I + Vᵀ D⁻¹ V| with D = σ² I / N and the centred rows as V: a determinant of N x N.
    noise = 1e-6 / n_rows
    deviations = rows - rows.mean(axis=0)
    small = np.eye(n_rows) + deviations @ deviations.T / (n_rows * noise)
    expected = n_features * np.log(noise) + np.linalg.slogdet(small)[1]
    assert expected < np.log(np.finfo(float).tiny)  # as a plain determinant: 0
    np.testing.assert_allclose(model.log_determinants[0], expected, rtol=1e-12)
    assert np.isfinite(model.score_samples(rows)).all()


def extended_inverse(matrix: Any) -> Any:
    """Inverse in extended precision: Newton's iteration from the ordinary one."""
    inverse = np.linalg.inv(matrix.astype(float)).astype(np.longdouble)
    for _ in range(4):
        inverse = inverse @ (2 * np.eye(len(matrix), dtype=np.longdouble) - matrix @ inverse)
    return inverse
