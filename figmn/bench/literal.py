"""Baselines of the engine: Fast IGMN as printed, and the same in optimised NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import chdtri

from figmn.system.arrays import Floats


class LiteralFastIGMN:
    """Fast IGMN as printed, with the exact covariance: two Sherman-Morrison and determinant steps per component.

    Determinants are kept as logarithms, since plain ones leave the range of a double at some hundred dimensions.

    >>> model = LiteralFastIGMN(delta=1.0, beta=0.0, scale=np.ones(2)).learn(np.array([[0.0, 0.0], [2.0, 2.0]]))
    >>> np.linalg.inv(model.precisions[0]).round(6)
    array([[1.5, 1. ],
           [1. , 1.5]])
    """

    def __init__(self, delta: float, beta: float, scale: Floats) -> None:
        self.sigma = delta * scale
        self.threshold = chdtri(len(scale), beta)
        self.means: list[Any] = []
        self.precisions: list[Any] = []
        self.log_dets: list[float] = []
        self.accumulators: list[float] = []

    def learn(self, X: Floats) -> LiteralFastIGMN:
        """Learn rows in order."""
        for row in X:
            distances = [
                (row - mean) @ precision @ (row - mean)
                for mean, precision in zip(self.means, self.precisions, strict=True)
            ]
            if any(distance < self.threshold for distance in distances):
                self._update(row, np.array(distances))
            else:
                self.means.append(row.copy())
                self.precisions.append(np.diag(self.sigma**-2))
                self.log_dets.append(2 * float(np.log(self.sigma).sum()))
                self.accumulators.append(1.0)
        return self

    def _update(self, row: Floats, distances: Floats) -> None:
        joint = np.log(self.accumulators) - 0.5 * (distances + self.log_dets)
        posteriors = np.exp(joint - joint.max())
        posteriors /= posteriors.sum()
        for j, posterior in enumerate(posteriors):
            self.accumulators[j] += posterior
            omega = posterior / self.accumulators[j]
            error = row - self.means[j]
            shift = omega * error
            self.means[j] = self.means[j] + shift
            precision = self.precisions[j]
            inner = 1 + omega / (1 - omega) * (error @ precision @ error)
            halfway = (
                precision / (1 - omega)
                - (omega / (1 - omega) ** 2) * np.outer(precision @ error, error @ precision) / inner
            )
            outer = 1 - shift @ halfway @ shift
            self.precisions[j] = halfway + np.outer(halfway @ shift, shift @ halfway) / outer
            self.log_dets[j] += len(row) * np.log1p(-omega) + np.log(inner) + np.log(outer)


class VectorisedFastIGMN:
    """The same loop in optimised NumPy: one rank-one step, all components at once.

    >>> model = VectorisedFastIGMN(delta=1.0, beta=0.0, scale=np.ones(2)).learn(np.array([[0.0, 0.0], [2.0, 2.0]]))
    >>> np.linalg.inv(model.precisions[0]).round(6)
    array([[1.5, 1. ],
           [1. , 1.5]])
    """

    def __init__(self, delta: float, beta: float, scale: Floats) -> None:
        width = len(scale)
        self.sigma = delta * scale
        self.threshold = chdtri(width, beta)
        self.means, self.precisions = np.empty((0, width)), np.empty((0, width, width))
        self.log_dets, self.accumulators = np.empty(0), np.empty(0)

    def learn(self, X: Floats) -> VectorisedFastIGMN:
        """Learn rows in order."""
        for row in X:
            errors = row - self.means
            products = np.einsum("kde,ke->kd", self.precisions, errors)
            distances = np.einsum("kd,kd->k", errors, products)
            if (distances < self.threshold).any():
                self._update(errors, products, distances)
            else:
                self.means = np.vstack([self.means, row])
                self.precisions = np.concatenate([self.precisions, np.diag(self.sigma**-2)[None]])
                self.log_dets = np.append(self.log_dets, 2 * np.log(self.sigma).sum())
                self.accumulators = np.append(self.accumulators, 1.0)
        return self

    def _update(self, errors: Floats, products: Floats, distances: Floats) -> None:
        joint = np.log(self.accumulators) - 0.5 * (distances + self.log_dets)
        posteriors = np.exp(joint - joint.max())
        posteriors /= posteriors.sum()
        self.accumulators += posteriors
        omegas = posteriors / self.accumulators
        self.means += omegas[:, None] * errors
        factors = 1 + omegas * distances
        self.log_dets += errors.shape[1] * np.log1p(-omegas) + np.log(factors)
        gains = omegas / factors
        self.precisions -= gains[:, None, None] * products[:, :, None] * products[:, None]
        self.precisions /= (1 - omegas)[:, None, None]
