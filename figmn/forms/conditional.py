"""Conditionals of one component: wanted columns given the known ones, by a factor or by the precision."""

from __future__ import annotations

from functools import cached_property
from typing import Protocol

import numpy as np
from scipy.linalg.lapack import dgeqrf, dorgqr, dtrtri

from figmn.system import lapack
from figmn.system.arrays import Floats, Ints
from figmn.system.lapack import matmul


class Whitener(Protocol):
    """A component with a factor F of its precision, Λ = Fᵀ F: it whitens errors, e → F e, and |F e|² = d²."""

    @property
    def made_bytes(self) -> int:
        """Memory allocated for the query, in addition to the model's."""

    def whiten(self, errors: Floats) -> Floats:
        """E Fᵀ for errors E of shape (n, D)."""

    def unwhiten(self, rows: Floats) -> Floats:
        """Rows times F, (n, D): whitening twice gives E Λ."""


class Conditional(Protocol):
    """One component's conditional for one set of wanted columns, shared by all rows that miss these."""

    @property
    def covariance(self) -> Floats:
        """C of the wanted columns given the known ones, (o, o)."""

    @property
    def log_ratio(self) -> float:
        """log|C| of the known columns minus log|C| of all columns."""

    @property
    def n_bytes(self) -> int:
        """Its own memory, including a form made only for it."""

    def answer(self, errors: Floats, with_distances: bool) -> tuple[Floats, Floats]:
        """Shifts, (n, o), and d² of the known values, (n,); the conditional mean is the mean minus the shift.

        `errors` are e = x - μ with zeros in the wanted places. Without `with_distances`, all d² are 0.
        """


class ByFactor:
    """By least squares: the wanted part of e minimises |F e|², and the minimum is d².

    No digits are lost to cancellation, however collinear the columns are (`figmn-reconstructfull` through the QR
    factors of F's wanted columns, whose R Rᵀ is the inverse of the paper's W).
    """

    def __init__(self, form: Whitener, wanted: Ints, n_features: int) -> None:
        self._form = form
        chosen = np.zeros((len(wanted), n_features))
        chosen[np.arange(len(wanted)), wanted] = 1.0
        self._basis, self._inverse = _factorised(form.whiten(chosen).T)
        self._gain: Floats | None = None
        self._n_answered = 0

    @cached_property
    def covariance(self) -> Floats:
        """See `Conditional`."""
        return matmul(self._inverse, self._inverse.T)

    @cached_property
    def log_ratio(self) -> float:
        """See `Conditional`."""
        return -2 * float(np.log(np.abs(self._inverse.diagonal())).sum())

    @property
    def n_bytes(self) -> int:
        """See `Conditional`; the covariance is as large as the inverse factor."""
        return self._form.made_bytes + n_bytes_of(self._basis, self._inverse, self._inverse, self._gain)

    def answer(self, errors: Floats, with_distances: bool) -> tuple[Floats, Floats]:
        """See `Conditional`."""
        if not with_distances and self._pays_to_keep(len(errors)):
            return matmul(errors, self._kept_gain()), np.zeros(len(errors))
        white = self._form.whiten(errors)
        pulls = matmul(white, self._basis)
        distances = np.zeros(len(errors))
        if with_distances:
            left = white - matmul(pulls, self._basis.T) if self._basis.shape[1] else white
            distances = np.einsum("nd,nd->n", left, left)
        return matmul(pulls, self._inverse.T), distances

    def _pays_to_keep(self, n_rows: int) -> bool:
        """Whether to compute the gain: it costs as much as whitening one row per wanted column."""
        self._n_answered += n_rows
        return bool(self._n_answered > self._basis.shape[1])

    def _kept_gain(self) -> Floats:
        """G with shifts = E G, (D, o)."""
        if self._gain is None:
            self._gain = np.ascontiguousarray(self._form.unwhiten(matmul(self._inverse, self._basis.T)).T)
        return self._gain


def n_bytes_of(*arrays: Floats | None) -> int:
    """Memory of the arrays that are not None.

    >>> n_bytes_of(np.zeros(3), None)
    24
    """
    return sum(array.nbytes for array in arrays if array is not None)


def _factorised(columns: Floats) -> tuple[Floats, Floats]:
    """Q and R⁻¹ of a tall matrix, which may have no columns."""
    n_columns = columns.shape[1]
    if not n_columns:
        return np.empty(columns.shape), np.empty((0, 0))
    # LAPACK directly: SciPy's qr takes three times as long for a few columns. lwork for panels of 64; the default is 3.
    packed, scales, *_ = dgeqrf(columns, lwork=64 * n_columns)
    basis, *_ = dorgqr(packed, scales, lwork=64 * n_columns)
    return np.asarray(basis), np.triu(dtrtri(packed[:n_columns])[0])


class Applied(Protocol):
    """A component that can multiply rows by its precision."""

    @property
    def made_bytes(self) -> int:
        """See `Whitener`."""

    def apply(self, errors: Floats) -> Floats:
        """E Λ for errors E of shape (n, D)."""

    def columns(self, wanted: Ints) -> Floats:
        """Λ[:, wanted], (D, o)."""


class ByPrecision:
    """By the blocks of Λ = [X Y; Yᵀ W], W the wanted one: C of the wanted is W⁻¹, which need not be definite."""

    def __init__(self, form: Applied, wanted: Ints) -> None:
        self._form, self._wanted = form, wanted
        self._columns = form.columns(wanted)
        self._block = self._columns[wanted]
        self.covariance = 1 / self._block if len(wanted) == 1 else np.asarray(np.linalg.inv(self._block))

    @cached_property
    def log_ratio(self) -> float:
        """See `Conditional`."""
        return lapack.log_determinant(self._block)

    @property
    def n_bytes(self) -> int:
        """See `Conditional`."""
        return self._form.made_bytes + n_bytes_of(self._columns, self._block, self.covariance)

    def answer(self, errors: Floats, with_distances: bool) -> tuple[Floats, Floats]:
        """See `Conditional`; the distances cost a product with the whole precision."""
        if not with_distances:
            return matmul(matmul(errors, self._columns), self.covariance), np.zeros(len(errors))
        # One product gives both X e (in the known places) and Yᵀ e (in the wanted ones).
        products = self._form.apply(errors)
        pulls = products[:, self._wanted]
        shifts = matmul(pulls, self.covariance)
        distances = np.einsum("nd,nd->n", errors, products) - np.einsum("no,no->n", pulls, shifts)
        return shifts, distances
