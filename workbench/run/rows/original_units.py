"""Conversion of encoded values to original units."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from figmn.system.arrays import Floats


@dataclass(frozen=True, eq=False)
class OriginalUnits:
    """Conversion of encoded values to original units, where the encoding scales columns.

    >>> units = OriginalUnits(np.array([40.0]), np.array([5.0]))
    >>> units.means(np.array([[-1.0]])), units.variances(np.array([[4.0]]))
    (array([[35.]]), array([[100.]]))
    """

    centers: Floats
    """(D,): what was subtracted from each column."""
    scales: Floats
    """(D,): what each was divided by."""

    def means(self, means: Floats) -> Floats:
        """Means of components, (..., D)."""
        return means * self.scales + self.centers

    def variances(self, variances: Floats) -> Floats:
        """Variances of the columns, (..., D)."""
        return variances * self.scales**2

    def log_determinants(self, log_determinants: Floats) -> Floats:
        """Logarithms of the determinants of whole covariances."""
        return log_determinants + 2 * float(np.log(self.scales).sum())

    def log_densities(self, log_densities: Floats, known: NDArray[np.bool_]) -> Floats:
        """Log densities of rows, (n,), of whose values some are known, (n, D)."""
        return log_densities - known @ np.log(self.scales)
