"""B of a `Scatter`, by which errors are whitened: diagonal while the component is young, triangular when mature."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.linalg.blas import dtrmm, dtrsm

from figmn.system import lapack
from figmn.system.arrays import Floats, Ints
from figmn.system.lapack import matmul
from figmn.system.tuning import PANEL


class Widths:
    """B of a young scatter: diagonal."""

    def __init__(self, array: Floats) -> None:
        self.array = array.copy()
        self._inverse = 1 / array
        self.n_features = len(array)

    def copy(self) -> Widths:
        """An independent copy."""
        return Widths(self.array)

    def whiten_into(self, errors: Floats, white: Floats) -> None:
        """E B⁻¹."""
        np.multiply(errors, self._inverse, out=white)

    def unwhiten(self, rows: Floats) -> Floats:
        """Rows times B⁻ᵀ."""
        return np.asarray(rows * self._inverse)

    def spread(self, plane: Floats) -> Floats:
        """B V."""
        return plane * self.array[:, None]

    def log_determinant(self) -> float:
        """log|B|."""
        return float(np.log(self.array).sum())

    def rescale(self, ratio: Floats) -> None:
        """B' = B with its columns multiplied by their ratios."""
        self.array *= ratio
        self._inverse = 1 / self.array

    def units(self, wanted: Ints) -> tuple[Floats, Callable[[Floats], Floats]]:
        """Gram matrix of the whitened unit vectors of the wanted columns, and a function: whitened rows times these."""
        widths = self.array[wanted]
        return np.diag(widths**-2), lambda rows: np.ascontiguousarray(rows[:, wanted]) / widths


class Upper:
    """B of a mature scatter: upper triangular, column-major."""

    def __init__(self, array: Floats) -> None:
        self.array = np.array(array, order="F")
        self.n_features = len(array)

    @property
    def matrix(self) -> Floats:
        """B."""
        return self.array

    def copy(self) -> Upper:
        """An independent copy."""
        return Upper(self.array)

    def take_in(self, rows: Floats) -> None:
        """Update B in place, B'ᵀ B' = Bᵀ B + Rᵀ R, for rows R, which are overwritten."""
        lapack.triangle_upon_rows(self.array, rows, PANEL)

    def whiten_into(self, errors: Floats, white: Floats) -> None:
        """E B⁻¹."""
        white[...] = errors
        dtrsm(1.0, self.array, white.T, lower=0, trans_a=1, overwrite_b=1)

    def unwhiten(self, rows: Floats) -> Floats:
        """Rows times B⁻ᵀ."""
        solved: Floats = dtrsm(1.0, self.array, rows.T, lower=0).T
        return solved

    def spread(self, plane: Floats) -> Floats:
        """B V."""
        spread: Floats = dtrmm(1.0, self.array, plane, lower=0)
        return spread

    def log_determinant(self) -> float:
        """log|B|."""
        return float(np.log(np.abs(self.array.diagonal())).sum())

    def rescale(self, ratio: Floats) -> None:
        """B' = B with its columns multiplied by their ratios."""
        self.array *= ratio

    def units(self, wanted: Ints) -> tuple[Floats, Callable[[Floats], Floats]]:
        """Gram matrix of the whitened unit vectors of the wanted columns, and a function: whitened rows times these."""
        chosen, white = np.zeros((len(wanted), self.n_features)), np.empty((len(wanted), self.n_features))
        chosen[np.arange(len(wanted)), wanted] = 1.0
        self.whiten_into(chosen, white)
        return matmul(white, white.T), lambda rows: matmul(rows, white.T)
