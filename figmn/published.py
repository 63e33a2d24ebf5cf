"""What Fast IGMN keeps under the published rule: precisions, which may be indefinite."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from figmn.arguments import PrecisionSteps, RecorderPage, Rules
from figmn.forms.collinear import inverses
from figmn.forms.form import Form, stacked
from figmn.forms.precision import Dense, Precision
from figmn.forms.triangle import root_of_precision
from figmn.keeping import Block, Keeping, Kept, in_forms, in_matrices
from figmn.state import Components
from figmn.system import lapack
from figmn.system.arrays import Floats, Ints
from figmn.system.lapack import matmul
from figmn.system.tuning import PUBLISHED_COMPILED_UP_TO


class Precisions(Keeping):
    """Λ as a matrix in few columns, a `Precision` in many."""

    kind = "precision"
    compiled_up_to = PUBLISHED_COMPILED_UP_TO

    def born(self, width: Floats, mass: float) -> dict[str, Any]:  # noqa: ARG002
        """See `Keeping`."""
        if self.is_in_forms(len(width)):
            return {"matrices": np.empty((0, 0)), "forms": Precision(width**-2)}
        return {"matrices": np.diag(width**-2), "forms": None}

    def forms(self, kept: Kept) -> Sequence[Form]:
        """See `Keeping`."""
        return [form or Dense(kept.matrices[j]) for j, form in enumerate(kept.forms)]

    def project(self, kept: Kept, plane: Floats) -> Floats:
        """See `Keeping`."""
        if kept.matrices.shape[1]:
            projected: Floats = plane.T @ np.linalg.solve(kept.matrices, plane)
            return projected
        return np.array([form.project(plane) for form in kept.forms])

    def of_covariances(self, covariances: Floats, masses: Floats) -> dict[str, Any]:  # noqa: ARG002
        """See `Keeping`."""
        precisions, n_features = inverses(covariances), covariances.shape[1]
        if self.is_in_forms(n_features):
            return in_forms([Precision.from_dense(precision) for precision in precisions])
        return in_matrices(precisions, n_features)

    def of_root(self, root: Floats, mass: float) -> dict[str, Any]:
        """See `Keeping`."""
        kept = self.of_covariances(matmul(root, root.T)[None], np.array([mass]))
        return {name: array[0] for name, array in kept.items()}

    def root(self, kept: Kept, position: int) -> Floats:
        """See `Keeping`."""
        form = kept.forms[position]
        return root_of_precision(kept.matrices[position] if form is None else form.dense())

    def renewed(self, components: Components, shares: Floats, width: Floats, masses: Floats) -> dict[str, Any]:
        """See `Keeping`."""
        covariances = stacked((form.covariance() for form in self.forms(components)), len(width))
        covariances = (1 - shares[:, None, None]) * covariances + shares[:, None, None] * np.diag(width**2)
        log_dets = np.array([lapack.lu(np.array(covariance, order="F"))[1] for covariance in covariances])
        return self.of_covariances(covariances, masses) | {"log_dets": log_dets}

    def rescale(self, components: Components, ratio: Floats) -> None:
        """See `Keeping`."""
        if self.is_in_forms(len(ratio)):
            for form in components.forms:
                form.rescale(ratio)
        else:
            components.matrices /= ratio[:, None] * ratio

    def block(self, components: Components, rows: Floats, weights: Floats, counters: list[int]) -> Block:
        """See `Keeping`."""
        return PrecisionBlock(components, rows, weights, counters)


class PrecisionBlock(Block):
    """See `kernels.learn_precision_block` for what the arrays mean."""

    def __init__(self, components: Components, rows: Floats, weights: Floats, counters: list[int]) -> None:
        super().__init__(components, rows, weights, counters)
        pairs = [form.half_and_gram(errors) for form, errors in zip(components.forms, self.errors, strict=True)]
        self._halves = [half for half, _ in pairs]
        self._grams = np.array([gram for _, gram in pairs])
        self._steps = PrecisionSteps.of(components.count, len(rows))

    @property
    def updates(self) -> Ints:
        """See `Block`."""
        return self._steps.updates

    def learn(self, rules: Rules, page: RecorderPage) -> tuple[int, int, float]:
        """See `Block`."""
        from figmn import kernels  # numba takes half a second to import

        n_features = self.errors.shape[2]
        return kernels.learn_precision_block(
            self._grams, self.weights, n_features, self.after, rules, self._steps, page, self.work, self.counters
        )

    def _reserve(self, j: int) -> None:
        form = self.components.forms[j]
        if form.reserve(self.updates[j]):
            self._halves[j] = form.half(self.errors[j])

    def _put_into(self, j: int, done: int) -> None:
        components, steps = self.components, self._steps
        shift = matmul(steps.shifts[j : j + 1, :done], self.errors[j, :done])[0]
        components.variances[j] = self._variances(j, done)
        # Directions are combinations of only those samples that were learned from.
        learned = np.flatnonzero(steps.posteriors[j, :done])
        gains = steps.gains[j, : len(learned)]
        coefficients = np.sqrt(np.abs(gains))[:, None] * steps.directions[j, : len(learned)][:, learned]
        errors, half = self.errors[j], self._halves[j]
        if len(learned) < len(errors):
            errors, half = errors[learned], half[learned]
        components.forms[j].subtract(coefficients, errors, half, np.sign(gains), steps.scales[j])
        components.centres[j] += shift

    def _variances(self, j: int, done: int) -> Floats:
        n, weights = self.updates[j], self._steps.variance_weights[j]
        errors = matmul(self._steps.errors[j, :n, :done], self.errors[j, :done])
        added = np.einsum("k,kd,kd->d", weights[:n], errors, errors)
        return np.asarray(weights[-1] * self.components.variances[j] + added)
