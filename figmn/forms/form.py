"""Interface through which inference uses one component, whatever its representation."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

import numpy as np

from figmn.forms.conditional import Conditional
from figmn.system.arrays import Floats, Ints


class Form(Protocol):
    """Interface of `Triangle`, `Scatter` and `Inverse` (exact rule), `Dense` and `Precision` (published rule)."""

    def given(self, wanted: Ints) -> Conditional:
        """Conditional of the wanted columns given the others; with none wanted, the density of all columns."""

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
    """Stack matrices into one array, (K, D, D); there may be none.

    >>> stacked([], 3).shape
    (0, 3, 3)
    """
    return np.array(list(matrices)).reshape(-1, n_features, n_features)
