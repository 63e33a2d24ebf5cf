"""What inference asks of one component, however it is kept."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

import numpy as np

from figmn.forms.conditional import Conditional
from figmn.system.arrays import Floats, Ints


class Form(Protocol):
    """`Triangle`, `Scatter` and `Inverse` under the exact rule, `Dense` and `Precision` under the published one."""

    def given(self, wanted: Ints) -> Conditional:
        """The wanted columns from the others; with none wanted, the density of all."""

    def columns(self, wanted: Ints) -> Floats:
        """Λ[:, wanted], (D, o)."""

    def dense(self) -> Floats:
        """Λ."""

    def covariance(self) -> Floats:
        """C."""

    def project(self, plane: Floats) -> Floats:
        """Vᵀ C V, (m, m), for a plane V of shape (D, m)."""

    def root(self) -> Floats:
        """A matrix L with C = L Lᵀ, where C is positive definite."""


def stacked(matrices: Iterable[Floats], n_features: int) -> Floats:
    """Matrices as one array, (K, D, D), also where there is none.

    >>> stacked([], 3).shape
    (0, 3, 3)
    """
    return np.array(list(matrices)).reshape(-1, n_features, n_features)
