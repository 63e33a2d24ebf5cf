"""Fast IGMN: precisions and log determinants, kept by rank-one steps at O(D²) a sample."""

from __future__ import annotations

from typing import Any

import numpy as np

from figmn import inference
from figmn.collinear import inverses, widened_inverse
from figmn.engine import Engine, Measured, Outcome, Part, Step
from figmn.limits import INFLATION_LIMIT
from figmn.precision import Dense, Form, Precision, matmul, stacked
from figmn.questions import no_components
from figmn.recorder import Recorder
from figmn.snapshot import Snapshot, priors_of
from figmn.state import Components, Floats, Ints
from figmn.tuning import BLOCK_BYTES, FAST_COMPILED_UP_TO, LARGEST_BLOCK, SMALLEST_BLOCK


class FastIGMN(Engine):
    """Fast incremental Gaussian mixture: learns each sample once, at O(K D²).

    A sample whose squared Mahalanobis distance to every component reaches the χ² quantile at 1 - `beta` gives birth
    to a component of width `delta` · std. Any other sample updates all components by their posteriors, and
    components older than `v_min` samples with less than `sp_min` evidence are removed.

    Parameters
    ----------
    delta : float or None
        Initial width of a component as a share of each column's standard deviation, 1e-6 to 1e6. None: min(2, D / 12)
        for D columns (`figmn.params.automatic_delta` says why).
    beta : float
        Novelty level in [0, 1]. 0: one component for ever; 1: every sample is a component.
    v_min : float
        Age after which a component needs `sp_min` evidence.
    sp_min : float
        Least accumulated posterior of a component older than `v_min`; 0 removes nothing.
    covariance : {"exact", "published"}
        ``"exact"`` keeps the weighted sample covariance, always positive definite. ``"published"`` is the equation as
        printed, which can lose definiteness; `n_indefinite` counts those updates.
    scale : array-like of shape (D,) or None
        Standard deviation of every column. None: a running estimate over the rows seen so far. A column that does not
        vary gets a tenth of the median width of the others (1 where none varies), and after ten rows a
        `ConstantColumnWarning`, once.
    columns : sequence of str or None
        Column names, for messages and files.

    Notes
    -----
    Where a component's columns become collinear to double precision (C_dd Λ_dd above 1e11), every column of it is
    widened by 1e-10 of its variance; `n_regularized` counts how often.

    References
    ----------
    R. Pinto, P. Engel. A Fast Incremental Gaussian Mixture Model. PLOS ONE 10(10), 2015.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = np.concatenate([rng.normal(0, 1, (200, 2)), rng.normal(8, 1, (200, 2))])
    >>> model = FastIGMN(delta=0.5, beta=0.0001, scale=X.std(axis=0)).learn(X)
    >>> model.n_components, model.means.round(0)
    (2, array([[-0.,  0.],
           [ 8.,  8.]]))
    """

    keeps = "FastIGMN"
    compiled_up_to = FAST_COMPILED_UP_TO

    def _precisions(self) -> Floats:
        if self._keeps_forms:
            return stacked(self._components.forms, self.n_features)
        return self._components.matrices.copy()

    def _covariances(self) -> Floats:
        return inverses(self._precisions())

    def _log_determinants(self) -> Floats:
        return self._components.log_dets.copy()

    def _mixture(self) -> inference.Mixture:
        components = self._components
        if not components.count:
            raise no_components()
        return inference.Mixture(
            components.means,
            [self._form(j) for j in range(components.count)],
            components.log_dets,
            priors_of(components.accumulators),
            components.negatives,
        )

    def _projection(self, plane: Floats) -> inference.Projection:
        components = self._components
        return inference.project_precisions(components.means, components.matrices, components.forms, plane)

    @property
    def _keeps_forms(self) -> bool:
        return self.n_features > self.compiled_up_to

    def _part(self, position: int, columns: Ints) -> Part:
        """Precision between some columns, and log determinant, of the component at a position."""
        precision = self._form(position).columns(columns)[columns]
        return Part(precision, float(self._components.log_dets[position]))

    def _n_kept(self, n_features: int) -> int:
        return n_features if n_features <= self.compiled_up_to else 0

    def _form(self, j: int) -> Form:
        form: Form = self._components.forms[j] or Dense(self._components.matrices[j])
        return form

    def _kept_at_birth(self, width: Floats) -> dict[str, Any]:
        if self._keeps_forms:
            return {"matrices": np.empty((0, 0)), "forms": Precision(width**-2)}
        return {"matrices": np.diag(width**-2), "forms": None}

    def _taken_over(self, snapshot: Snapshot) -> dict[str, Any]:
        arrays = super()._taken_over(snapshot)
        if self._keeps_forms:
            kept = [form or Precision.from_dense(snapshot.precisions[j]) for j, form in enumerate(snapshot.forms)]
            arrays["forms"] = np.empty(len(kept), np.object_)
            arrays["forms"][:] = [form.copy() for form in kept]
            arrays["matrices"] = np.empty((len(kept), 0, 0))
        return arrays

    # Many dimensions: blocks of samples

    def _learn_in_many_dimensions(self, rows: Floats, observe: bool, recorder: Recorder) -> int:
        """Learn a block of samples in its own coordinates, between matrix products that lead there and back."""
        from figmn import kernels  # numba takes half a second to import

        if not self.n_components:
            self._learn_row(rows[0], observe, recorder)
            return 1
        rows = rows[: self._block_size()]
        block = Block(self._components, rows, [self._next_id, self.n_indefinite, recorder.n_removed])
        done, reason, log_likelihood = kernels.learn_block(
            block.grams,
            self._components.ids,
            *block.state,
            self.n_features,
            self._threshold,
            self.parameters.v_min,
            self.parameters.sp_min,
            self.parameters.covariance == "published",
            *block.result,
            *recorder.pages(self.n_seen),
            block.work,
        )
        if not block.commit(done, exact=self.parameters.covariance == "exact"):
            for row in rows:
                self._learn_row(row, observe, recorder)
            return len(rows)
        self.n_seen += done
        self.n_indefinite = int(block.counters[2])
        recorder.n_removed = int(block.counters[3])
        if done:
            self._prune()  # only samples that update remove, and the loop has written down which
            if observe:
                self._statistics.observe_rows(rows[:done])
        distances, posteriors, omegas = block.work[:3].copy()
        self._outcome = Outcome(distances, posteriors, omegas, log_likelihood)
        if reason == kernels.DONE:
            return int(done)
        if reason == kernels.CAREFUL:
            self._learn_row(rows[done], observe, recorder)
        else:
            self._give_birth(rows[done], observe, recorder)
        return int(done) + 1

    def _block_size(self) -> int:
        """Samples to take together: few while components are being born, since a birth ends a block."""
        affordable = BLOCK_BYTES // (8 * self.n_components * self.n_features)
        calm = max(SMALLEST_BLOCK, int(self._components.ages.min()))
        return max(1, min(calm, LARGEST_BLOCK, affordable))

    # One sample

    def _measure(self, row: Floats) -> Measured:
        errors = row - self._components.means
        products = np.array([self._form(j).apply(error[None])[0] for j, error in enumerate(errors)])
        distances = np.einsum("kd,kd->k", errors, products)
        if self.parameters.covariance == "exact":
            np.maximum(distances, 0.0, out=distances)
        return Measured(errors, distances, products)

    def _absorb(self, measured: Measured, step: Step) -> None:
        """`figmn-sherman1/2` and `figmn-det-lemma-apply1/2`, each pair collapsed into one step."""
        components = self._components
        assert measured.products is not None
        for j in step.active.tolist():
            omega, coefficient, factor = step.omegas[j], step.coefficients[j], step.factors[j]
            error, product, shrink = measured.errors[j], measured.products[j], 1 - omega
            variances = shrink * components.variances[j] + coefficient * error**2
            if self._is_collinear(j, variances):
                self._absorb_through_covariance(j, shrink, coefficient, error)
                continue
            gain = coefficient / (shrink * factor)
            if self._keeps_forms:
                form, row = components.forms[j], error[None]
                form.reserve(1)
                root = np.sqrt(np.abs(gain)).reshape(1, 1)
                form.subtract(root, row, form.half(row), np.sign([gain]), 1 / shrink)
            else:
                # The outer product of a vector with itself is symmetric to the last bit, and so the precision stays.
                direction = np.sqrt(np.abs(gain)) * product
                components.matrices[j] -= np.sign(gain) * (direction[:, None] * direction)
                components.matrices[j] /= shrink
            components.variances[j] = variances
            components.log_dets[j] += self.n_features * np.log1p(-omega) + np.log(np.abs(factor))

    def _is_collinear(self, j: int, variances: Floats) -> bool:
        """Whether the subtraction from Λ could cancel its leading digits: C'_dd Λ_dd bounds what is lost."""
        if self.parameters.covariance != "exact":
            return False
        return bool(self._form(j).inflation(variances) > INFLATION_LIMIT)

    def _absorb_through_covariance(self, j: int, shrink: float, coefficient: float, error: Floats) -> None:
        """The same step at O(D³) without cancellation, on the correlation matrix; rare by construction."""
        components = self._components
        covariance = shrink * inverses(self._form(j).dense()) + coefficient * error[:, None] * error
        precision, components.log_dets[j], widened = widened_inverse(covariance)
        self.n_regularized += widened
        if self._keeps_forms:
            components.forms[j] = Precision.from_dense(precision)
        else:
            components.matrices[j] = precision
        components.variances[j] = covariance.diagonal()

    def _rescale(self, ratio: Floats) -> None:
        if self._keeps_forms:
            for form in self._components.forms:
                form.rescale(ratio)
        else:
            self._components.matrices /= ratio[:, None] * ratio


class Block:
    """A block of samples, seen from every component: Gram matrices for the compiled loop, and the way back.

    See `kernels.learn_block` for what the arrays in `result` mean.
    """

    def __init__(self, components: Components, rows: Floats, counters: list[int]) -> None:
        count, size = components.count, len(rows)
        self.components = components
        self.errors = rows - components.means[:, None]
        pairs = [form.half_and_gram(errors) for form, errors in zip(components.forms, self.errors, strict=True)]
        self.halves = [half for half, _ in pairs]
        self.grams = np.array([gram for _, gram in pairs])
        self.log_dets, self.accumulators = components.log_dets.copy(), components.accumulators.copy()
        self.ages, self.negatives = components.ages.copy(), components.negatives.copy()
        self.counters = np.array([count, *counters])
        self.shifts, self.gains = np.empty((count, size)), np.empty((count, size))
        self.directions, self.error_coefficients = np.empty((count, size, size)), np.empty((count, size, size))
        self.variance_weights, self.scales = np.empty((count, size + 1)), np.empty(count)
        self.updates, self.posteriors = np.zeros(count, np.int64), np.empty((count, size))
        self.work = np.empty((5, count))

    @property
    def state(self) -> tuple[Floats, Floats, Ints, Ints, Ints]:
        """Copies of what the loop changes in the components."""
        return self.log_dets, self.accumulators, self.ages, self.negatives, self.counters

    @property
    def result(self) -> tuple[Floats, Floats, Floats, Floats, Floats, Floats, Ints, Floats]:
        """What the loop finds out, in its order."""
        return (
            self.shifts, self.directions, self.gains, self.error_coefficients, self.variance_weights, self.scales,
            self.updates, self.posteriors,
        )  # fmt: skip

    def commit(self, done: int, exact: bool) -> bool:
        """Put the first `done` samples into the components; False, and nothing done, where digits would be lost."""
        components = self.components
        active = np.flatnonzero(self.updates).tolist()
        shifts = {j: matmul(self.shifts[j : j + 1, :done], self.errors[j, :done])[0] for j in active}
        variances = {j: self._variances(j, done, shifts[j], exact) for j in active}
        for j in active:
            form = components.forms[j]
            if exact and form.inflation(variances[j]) > INFLATION_LIMIT:
                return False
            if form.reserve(self.updates[j]):
                self.halves[j] = form.half(self.errors[j])
        for j in active:
            # Directions are combinations of the samples that were learned from, and of no others.
            learned = np.flatnonzero(self.posteriors[j, :done])
            gains = self.gains[j, : len(learned)]
            coefficients = np.sqrt(np.abs(gains))[:, None] * self.directions[j, : len(learned)][:, learned]
            errors, half = self.errors[j], self.halves[j]
            if len(learned) < len(errors):
                errors, half = errors[learned], half[learned]
            components.forms[j].subtract(coefficients, errors, half, np.sign(gains), self.scales[j])
            components.means[j] += shifts[j]
            components.variances[j] = variances[j]
        components.log_dets[:], components.accumulators[:] = self.log_dets, self.accumulators
        components.ages[:], components.negatives[:] = self.ages, self.negatives
        return True

    def _variances(self, j: int, done: int, shift: Floats, exact: bool) -> Floats:
        components, n = self.components, self.updates[j]
        if exact:
            # The exact rule keeps the weighted sample covariance: old and new deviations from the new mean.
            deviations = self.errors[j, :done] - shift
            if (self.posteriors[j, :done] < 1).any():
                deviations *= np.sqrt(self.posteriors[j, :done])[:, None]
            added = np.einsum("td,td->d", deviations, deviations)
            before = components.accumulators[j] * (components.variances[j] + shift**2)
            return np.asarray((before + added) / self.accumulators[j])
        weights = self.variance_weights[j]
        errors = matmul(self.error_coefficients[j, :n, :done], self.errors[j, :done])
        added = np.einsum("k,kd,kd->d", weights[:n], errors, errors)
        return np.asarray(weights[-1] * components.variances[j] + added)
