"""Exact rule, many columns: a factor of the scatter, diagonal plus rows while young, a triangle when mature."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from scipy.linalg.blas import dgemm, dtrsm
from scipy.linalg.lapack import dtrtri

from figmn.forms.bands import Bands
from figmn.forms.bases import Upper, Widths
from figmn.forms.conditional import ByFactor, Conditional, n_bytes_of
from figmn.forms.precision import Precision
from figmn.forms.triangle import root_of_precision
from figmn.system import lapack
from figmn.system.arrays import Floats, Ints
from figmn.system.lapack import matmul
from figmn.system.limits import EPSILON, LOST
from figmn.system.memory import require
from figmn.system.tuning import BAND, PENDING, YOUNG_UP_TO


class Seen(NamedTuple):
    """Errors E of some samples, whitened and measured by a scatter."""

    white: Floats
    """E B⁻¹, a view of the rows where the scatter will store it."""
    half: Floats
    """T⁻¹ Y (E B⁻¹)ᵀ, (m, n)."""
    gram: Floats
    """E S⁻¹ Eᵀ, (n, n)."""


class Learned(NamedTuple):
    """The n samples of a block that a component has learned from."""

    errors: Floats
    """e of each, (n, D)."""
    inner: Floats
    """T⁻¹ Y (e B⁻¹)ᵀ of each, (n, m)."""
    strengths: Floats
    """h of each."""
    corner: Floats
    """Their part of T, (n, n)."""
    weight: float
    """sp after them."""

    def growth(self) -> float:
        """Upper bound of the factor by which S grows in any direction: the norm of √H T Tᵀ √H."""
        roots = np.sqrt(self.strengths)
        return float(np.linalg.norm(roots[:, None] * matmul(self.corner, self.corner.T) * roots))


class Scatter:
    """S = sp C = Bᵀ (I + Yᵀ H Y) B: B is diagonal while young and upper triangular when mature.

    The rows of Y are errors that the component has learned from, whitened by B, and H holds their weights h. The exact
    rule is S' = S + h e eᵀ, so learning appends a row: the two Sherman-Morrison steps (`figmn-sherman1/2`) are the
    inverse of that. H⁻¹ + Y Yᵀ = T Tᵀ grows by a row as well, computed when the sample was measured. Nothing is ever
    subtracted from S, so rounding cannot make it indefinite.

    >>> scatter = Scatter(Widths(np.array([2.0, 1.0])), weight=1.0)
    >>> errors = np.array([[1.0, 1.0]])
    >>> seen = scatter.see(errors)
    >>> seen.gram
    array([[1.25]])
    >>> scatter.add(Learned(errors, np.empty((1, 0)), np.array([0.5]), np.sqrt([[1 / 0.5 + 1.25]]), weight=2.0))
    >>> scatter.covariance()
    array([[2.25, 0.25],
           [0.25, 0.75]])
    """

    made_bytes = 0
    """See `conditional.Whitener`: all memory belongs to the model."""

    def __init__(self, base: Widths | Upper, weight: float) -> None:
        self.base = base
        self.weight = weight
        """sp."""
        self.strengths = np.empty(0)
        """Diagonal of H."""
        self.bands = Bands()
        """T."""
        self._rows = np.empty((0, base.n_features))
        self._raw: list[Floats] = []
        """Unwhitened errors of the pending rows of a mature base: put into it without inverting the whitening."""

    # For files and copies

    @property
    def matrix(self) -> Floats | None:
        """B when mature, None while young."""
        return self.base.matrix if isinstance(self.base, Upper) else None

    @property
    def count(self) -> int:
        """Rows of Y."""
        return len(self.strengths)

    @property
    def rows(self) -> Floats:
        """Y, (m, D)."""
        return self._rows[: self.count]

    def arrays(self) -> list[Floats]:
        """Everything but the weight, for a file."""
        raw = [np.concatenate([np.empty((0, self.n_features)), *self._raw])] if self.matrix is not None else []
        return [self.base.array, self.rows, self.bands.dense(), self.strengths, *raw]

    @staticmethod
    def shapes(n_features: int, count: int, mature: bool) -> list[tuple[int, ...]]:
        """Shapes of `arrays`."""
        young: list[tuple[int, ...]] = [(n_features,), (count, n_features), (count, count), (count,)]
        return [(n_features, n_features), *young[1:], (count, n_features)] if mature else young

    @classmethod
    def from_arrays(cls, weight: float, arrays: list[Floats]) -> Scatter:
        """A scatter from its weight and `arrays`."""
        array, rows, factor, strengths, *raw = arrays
        scatter = cls(Widths(array) if array.ndim == 1 else Upper(array), weight)
        scatter._rows, scatter.strengths, scatter.bands = rows, strengths, Bands(factor)
        scatter._raw = [errors for errors in raw if len(errors)]
        return scatter

    def copy(self) -> Scatter:
        """An independent copy, without spare room."""
        twin = Scatter(self.base.copy(), self.weight)
        twin._rows, twin.strengths, twin.bands = self.rows.copy(), self.strengths.copy(), self.bands.copy()
        twin._raw = [errors.copy() for errors in self._raw]
        return twin

    @property
    def n_features(self) -> int:
        """D."""
        return self.base.n_features

    @property
    def n_bytes(self) -> int:
        """Memory of the arrays, spare room included."""
        return sum(array.nbytes for array in self._all_arrays())

    def freeze(self) -> None:
        """Make the arrays read-only."""
        for array in self._all_arrays():
            array.flags.writeable = False

    def _all_arrays(self) -> Iterator[Floats]:
        yield from (self.base.array, self.strengths, self._rows, *self._raw, *self.bands.arrays())

    # Learning

    def see(self, errors: Floats) -> Seen:
        """Measure errors E of shape (n, D); puts rows into B first if a difference would lose too many digits."""
        count, size = self.count, len(errors)
        self._make_room(count + size)
        white = self._rows[count : count + size]
        self.base.whiten_into(errors, white)
        gram = lapack.gram(white)
        if not count:
            return Seen(white, np.empty((0, size)), gram)
        half = self.bands.forward(matmul(self.rows, white.T))
        before = gram.diagonal().copy()
        gram -= lapack.gram(half.T)
        if self.is_lost(before, gram.diagonal()):
            self.mature()
            return self.see(errors)
        return Seen(white, half, gram)

    def is_lost(self, before: Floats, after: Floats) -> bool:
        """Whether subtracting squares from `before` has left too few correct digits in `after`."""
        return bool((EPSILON * self.weight * before > LOST * np.maximum(1.0, self.weight * after)).any())

    def reserve(self, n_rows: int) -> None:
        """Raise `MemoryError` if `n_rows` more rows would make it mature and there is no memory for that."""
        if self.matrix is None and self.count + n_rows >= YOUNG_UP_TO * self.n_features:
            self._require_triangle()

    def add(self, learned: Learned) -> None:
        """S' = S + Σ h e eᵀ; the whitened errors are already in the first rows of the last `Seen.white`."""
        self.weight = learned.weight
        self.strengths = np.concatenate([self.strengths, learned.strengths])
        if self.matrix is not None:
            self._raw.append(learned.errors.copy())
            if self.count >= PENDING:
                self.mature()
                return
        self.bands.append(learned.inner, learned.corner)
        if self.matrix is None and self.count >= YOUNG_UP_TO * self.n_features:
            self.mature()

    def take_in(self, errors: Floats, strengths: Floats, weight: float) -> None:
        """S' = S + Σ h e eᵀ, put directly into the triangle of a scatter without pending rows."""
        assert isinstance(self.base, Upper)
        assert not self.count
        self.base.take_in(np.multiply(np.sqrt(strengths)[:, None], errors, order="F"))
        self.weight = weight

    def fresh_log_determinant(self, weight_before: float) -> float | None:  # noqa: ARG002
        """log|C| if it is cheap (no pending rows), else None."""
        return None if self.count else self.log_determinant()

    def mature(self) -> None:
        """Put all rows into B, by QR factors of B stacked on √H times the errors, at 2 m D² operations."""
        added = self._weighted_errors()
        if isinstance(self.base, Widths):
            self._require_triangle()
            self.base = Upper(np.diag(self.base.array))
        if self.count:
            self.base.take_in(added)
        self.strengths, self.bands, self._raw = np.empty(0), Bands(), []
        self._rows = self._rows[:PENDING].copy()

    def _weighted_errors(self) -> Floats:
        """√H times the unwhitened errors of the rows, (m, D), column-major."""
        if isinstance(self.base, Widths):
            errors = self.rows * self.base.array
        else:
            errors = np.concatenate([np.empty((0, self.n_features)), *self._raw])
        return np.multiply(np.sqrt(self.strengths)[:, None], errors, order="F")

    def _require_triangle(self) -> None:
        # Two matrices: filling or inverting the triangle takes a copy.
        require(16 * self.n_features**2, f"a dense factor over {self.n_features} columns")

    def rescale(self, ratio: Floats) -> None:
        """S' = S with every column and row multiplied by its ratio."""
        self.base.rescale(ratio)
        self._raw = [errors * ratio for errors in self._raw]

    # Queries

    def log_determinant(self) -> float:
        """log|C|."""
        logs = self.base.log_determinant() + self.bands.log_determinant() + 0.5 * float(np.log(self.strengths).sum())
        return 2 * logs - self.n_features * float(np.log(self.weight))

    def given(self, wanted: Ints) -> Conditional:
        """Conditional of the wanted columns given the others."""
        if self.count or self.matrix is None:
            return ByRows(self, wanted)
        return ByFactor(self, wanted, self.n_features)

    def settled(self) -> Scatter:
        """The same scatter with all rows in B; `self` if it has no other rows."""
        if self.matrix is not None and not self.count:
            return self
        twin = self.copy()
        twin.mature()
        return twin

    def whiten(self, errors: Floats) -> Floats:
        """E Fᵀ with Λ = Fᵀ F, for errors E of shape (n, D); only for a settled scatter."""
        white = np.empty(errors.shape)
        self.base.whiten_into(errors, white)
        white *= np.sqrt(self.weight)
        return white

    def unwhiten(self, rows: Floats) -> Floats:
        """Rows times F, (n, D); only for a settled scatter."""
        return self.base.unwhiten(np.sqrt(self.weight) * rows)

    def apply(self, errors: Floats) -> Floats:
        """E Λ for errors E of shape (n, D)."""
        white = np.empty(errors.shape)
        self.base.whiten_into(errors, white)
        if self.count:
            inner = self.bands.backward(self.bands.forward(matmul(self.rows, white.T)))
            dgemm(-1.0, self.rows.T, inner.T, trans_b=1, beta=1.0, c=white.T, overwrite_c=1)
        white *= self.weight
        return self.base.unwhiten(white)

    def columns(self, wanted: Ints) -> Floats:
        """Λ[:, wanted], (D, o)."""
        chosen = np.zeros((len(wanted), self.n_features))
        chosen[np.arange(len(wanted)), wanted] = 1.0
        return self.apply(chosen).T

    def project(self, plane: Floats) -> Floats:
        """Vᵀ C V, (m, m), for a plane V of shape (D, m), as sums of squares."""
        spread = self.base.spread(plane)
        projected = matmul(spread.T, spread)
        if self.count:
            rows = np.sqrt(self.strengths)[:, None] * matmul(self.rows, np.ascontiguousarray(spread))
            projected += matmul(rows.T, rows)
        return projected / self.weight

    def covariance(self) -> Floats:
        """C."""
        # By NumPy's products, which release the interpreter lock: at D = 3072 they take a second.
        added = self._weighted_errors()
        scatter = added.T @ added
        if isinstance(self.base, Widths):
            scatter[np.diag_indices(self.n_features)] += self.base.array**2
        else:
            scatter += self.base.matrix.T @ self.base.matrix
        return np.asarray((scatter + scatter.T) / (2 * self.weight))

    def dense(self) -> Floats:
        """Λ."""
        product = self.apply(np.eye(self.n_features))
        return np.asarray(0.5 * (product + product.T))

    def root(self) -> Floats:
        """L, lower triangular, with C = L Lᵀ."""
        matrix = self.settled().matrix
        assert matrix is not None
        return np.asarray(np.ascontiguousarray(matrix.T) / np.sqrt(self.weight))

    def _make_room(self, count: int) -> None:
        if count > len(self._rows):
            most = int(YOUNG_UP_TO * self.n_features) + 1 if self.matrix is None else 2 * PENDING
            room = max(count, min(max(BAND, 3 * len(self._rows)), most))
            require(8 * room * self.n_features, f"{room} rows of a scatter over {self.n_features} columns")
            grown = np.empty((room, self.n_features))
            grown[: self.count] = self.rows
            self._rows = grown


def scatter_of_precision(precision: Precision, weight: float) -> Scatter:
    """The scatter of a component given by its precision Λ; young if Λ is.

    With Λ = s √B (I - Vᵀ V) √B and I - V Vᵀ = L Lᵀ, S is the scatter of widths √(sp / s) B^-½ with the rows L⁻¹ V.
    """
    if precision.matrix is None:
        roots = np.sqrt(precision.base)
        low_rank = precision.low_rank() / roots
        inner = np.array(np.eye(precision.count) - matmul(low_rank, low_rank.T), order="F")
        if not precision.count or lapack.cholesky(inner):
            scatter = Scatter(Widths(np.sqrt(weight / precision.scale) / roots), weight)
            rows = np.ascontiguousarray(dtrsm(1.0, inner, low_rank, lower=1)) if precision.count else low_rank
            factor: Floats = np.asarray(np.linalg.cholesky(np.eye(len(rows)) + matmul(rows, rows.T)), np.float64)
            return Scatter.from_arrays(weight, [scatter.base.array, rows, factor, np.ones(len(rows))])
    return Scatter(Upper(np.sqrt(weight) * root_of_precision(precision.dense()).T), weight)


class ByRows:
    """A `Conditional` of a scatter with rows, by Λ = sp B⁻¹ (I - (T⁻¹Y)ᵀ (T⁻¹Y)) B⁻ᵀ if that is accurate.

    Otherwise the rows are put into B of a copy, and the `ByFactor` of the copy answers.
    """

    def __init__(self, scatter: Scatter, wanted: Ints) -> None:
        self._scatter, self._wanted = scatter, wanted
        gram, self._towards = scatter.base.units(wanted)
        self._half = np.empty((scatter.count, len(wanted)))
        if self._half.size:
            self._half = scatter.bands.forward(self._towards(scatter.rows))
        block = scatter.weight * (gram - matmul(self._half.T, self._half))
        self._exact: ByFactor | None = None
        self._gain: Floats | None = None
        self._twin: Scatter | None = None
        self._n_answered = 0
        root, is_definite = np.array(block, order="F"), True
        if len(wanted):
            is_definite = lapack.cholesky(root) and bool(
                (EPSILON * scatter.weight * gram.diagonal() <= LOST * root.diagonal() ** 2).all()
            )
        if is_definite:
            inverse = np.tril(dtrtri(root, lower=1)[0]) if len(wanted) else block
            self.covariance = matmul(inverse.T, inverse)
            self.log_ratio = 2 * float(np.log(root.diagonal()).sum())
        else:
            exact = self._by_factor()
            self.covariance, self.log_ratio = exact.covariance, exact.log_ratio

    @property
    def n_bytes(self) -> int:
        """See `Conditional`."""
        by_factor = 0 if self._exact is None or self._twin is None else self._exact.n_bytes + self._twin.n_bytes
        return by_factor + n_bytes_of(self._half, self.covariance, self._gain)

    def answer(self, errors: Floats, with_distances: bool) -> tuple[Floats, Floats]:
        """See `Conditional`."""
        if self._exact is not None:
            return self._exact.answer(errors, with_distances)
        self._n_answered += len(errors)
        if not with_distances and self._n_answered > len(self._wanted):
            return matmul(errors, self._kept_gain()), np.zeros(len(errors))
        scatter, white = self._scatter, np.empty(errors.shape)
        scatter.base.whiten_into(errors, white)
        inner = scatter.bands.forward(matmul(scatter.rows, white.T)) if scatter.count else np.empty((0, len(errors)))
        pulls = scatter.weight * (self._towards(white) - matmul(inner.T, self._half))
        shifts = matmul(pulls, self.covariance)
        if not with_distances:
            return shifts, np.zeros(len(errors))
        squares = np.einsum("nd,nd->n", white, white)
        distances = scatter.weight * (squares - np.einsum("mn,mn->n", inner, inner))
        distances -= np.einsum("no,no->n", pulls, shifts)
        if scatter.is_lost(squares, distances / scatter.weight):
            return self._by_factor().answer(errors, with_distances)
        return shifts, distances

    def _by_factor(self) -> ByFactor:
        if self._exact is None:
            self._twin = self._scatter.settled()
            self._exact = ByFactor(self._twin, self._wanted, self._scatter.n_features)
        return self._exact

    def _kept_gain(self) -> Floats:
        """G with shifts = E G, (D, o)."""
        if self._gain is None:
            self._gain = matmul(self._scatter.columns(self._wanted), self.covariance)
        return self._gain
