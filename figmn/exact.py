"""What Fast IGMN keeps under the exact rule: factors of the scatter, positive definite by construction.

With S = sp C the rule C' = (1 - ω) C + ω (1 - ω) e eᵀ is S' = S + h e eᵀ, h = p sp / sp': the scatter only grows. The
paper's Λ' (`figmn-sherman1/2`) is the inverse of that, and is what `precisions` returns. Λ itself, stored in doubles,
would lose more digits of C the more collinear the columns are, and results would depend on the CPU. Factors of S lose
none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from figmn.arguments import RecorderPage, Rules, ScatterSteps
from figmn.forms.bases import Upper, Widths
from figmn.forms.form import Form
from figmn.forms.inverse import Inverse, inverse_of
from figmn.forms.precision import Precision
from figmn.forms.renewed import renewed_form, renewed_root
from figmn.forms.scatter import Learned, Scatter, scatter_of_precision
from figmn.forms.triangle import Triangle, project_triangles, root_of_covariance, root_of_precision, triangle_of_root
from figmn.keeping import Block, Keeping, Kept, in_forms, in_matrices
from figmn.state import Components
from figmn.system.arrays import Floats, Ints
from figmn.system.tuning import EXACT_COMPILED_UP_TO


class Scatters(Keeping):
    """A `Triangle` per component in few columns; in many a `Scatter`, or an `Inverse` if mature and not collinear."""

    kind = "triangle"
    compiled_up_to = EXACT_COMPILED_UP_TO

    def born(self, width: Floats, mass: float) -> dict[str, Any]:
        """See `Keeping`."""
        if self.is_in_forms(len(width)):
            return {"matrices": np.empty((0, 0)), "forms": Scatter(Widths(np.sqrt(mass) * width), mass)}
        return {"matrices": np.diag(width**-2 / mass), "forms": None}

    def forms(self, kept: Kept) -> Sequence[Form]:
        """See `Keeping`."""
        if len(kept.forms) and kept.forms[0] is not None:
            scatters: Sequence[Form] = kept.forms.tolist()
            return scatters
        return [Triangle(matrix, mass) for matrix, mass in zip(kept.matrices, kept.masses.tolist(), strict=True)]

    def project(self, kept: Kept, plane: Floats) -> Floats:
        """See `Keeping`."""
        if kept.matrices.shape[1]:
            return project_triangles(kept.matrices, kept.masses, plane)
        return np.array([form.project(plane) for form in kept.forms])

    def of_covariances(self, covariances: Floats, masses: Floats) -> dict[str, Any]:
        """See `Keeping`; a numerically singular covariance is widened just enough to be positive definite."""
        roots = [root_of_covariance(covariance) for covariance in covariances]
        return self.of_roots(roots, masses, covariances.shape[1])

    def of_precisions(
        self, precisions: Sequence[Floats | Precision], masses: Floats, n_features: int
    ) -> dict[str, Any]:
        """The arrays `matrices` and `forms` of components given by Λ, as in files of version 1."""
        pairs = list(zip(precisions, masses.tolist(), strict=True))
        if self.is_in_forms(n_features) and all(isinstance(form, Precision) for form, _ in pairs):
            return in_forms([scatter_of_precision(form, mass) for form, mass in pairs if isinstance(form, Precision)])
        dense = [form.dense() if isinstance(form, Precision) else form for form, _ in pairs]
        return self.of_roots([root_of_precision(precision) for precision in dense], masses, n_features)

    def of_roots(self, roots: Sequence[Floats], masses: Floats, n_features: int) -> dict[str, Any]:
        """The arrays `matrices` and `forms` of components given by L with C = L Lᵀ."""
        pairs = list(zip(roots, masses.tolist(), strict=True))
        if self.is_in_forms(n_features):
            return in_forms([Scatter(Upper(np.sqrt(mass) * root.T), mass) for root, mass in pairs])
        return in_matrices([triangle_of_root(root, mass) for root, mass in pairs], n_features)

    def of_root(self, root: Floats, mass: float) -> dict[str, Any]:
        """See `Keeping`; in many columns, an `Inverse` if that keeps its digits."""
        if not self.is_in_forms(len(root)):
            return {"matrices": triangle_of_root(root, mass), "forms": None}
        scatter = Scatter(Upper(np.sqrt(mass) * root.T), mass)
        return {"matrices": np.empty((0, 0)), "forms": inverse_of(scatter) or scatter}

    def root(self, kept: Kept, position: int) -> Floats:
        """See `Keeping`."""
        form = kept.forms[position]
        if form is None:
            form = Triangle(kept.matrices[position], float(kept.masses[position]))
        root: Floats = form.root()
        return root

    def renewed(self, components: Components, shares: Floats, width: Floats, masses: Floats) -> dict[str, Any]:
        """See `Keeping`."""
        if self.is_in_forms(len(width)):
            parts = zip(components.forms, shares.tolist(), masses.tolist(), strict=True)
            forms = [renewed_form(form, share, width, mass) for form, share, mass in parts]
            return in_forms(forms) | {"log_dets": np.array([form.log_determinant() for form in forms])}
        pairs = zip(self.forms(components), shares.tolist(), strict=True)
        roots = [renewed_root(form.root(), share, width) for form, share in pairs]
        log_dets = np.array([2 * np.log(root.diagonal()).sum() for root in roots])
        return self.of_roots(roots, masses, len(width)) | {"log_dets": log_dets}

    def rescale(self, components: Components, ratio: Floats) -> None:
        """See `Keeping`."""
        if self.is_in_forms(len(ratio)):
            for form in components.forms:
                form.rescale(ratio)
            return
        matrices, diagonal = components.matrices, np.arange(len(ratio))
        values = matrices[:, diagonal, diagonal] / ratio**2
        matrices *= ratio[:, None] / ratio
        matrices[:, diagonal, diagonal] = values

    def block(self, components: Components, rows: Floats, weights: Floats, counters: list[int]) -> Block:
        """See `Keeping`."""
        return ScatterBlock(components, rows, weights, counters)


class ScatterBlock(Block):
    """See `kernels.learn_scatter_block` for what the arrays mean."""

    def __init__(self, components: Components, rows: Floats, weights: Floats, counters: list[int]) -> None:
        super().__init__(components, rows, weights, counters)
        self._seen = [form.see(errors) for form, errors in zip(components.forms, self.errors, strict=True)]
        self._grams = np.array([seen.gram for seen in self._seen])
        self._steps = ScatterSteps.of(components.count, len(rows))

    @property
    def updates(self) -> Ints:
        """See `Block`."""
        return self._steps.updates

    def learn(self, rules: Rules, page: RecorderPage) -> tuple[int, int, float]:
        """See `Block`."""
        from figmn import kernels  # numba takes half a second to import

        n_features = self.errors.shape[2]
        return kernels.learn_scatter_block(
            self._grams, self.weights, n_features, self.after, rules, self._steps, page, self.work, self.counters
        )

    def _reserve(self, j: int) -> None:
        self.components.forms[j].reserve(self.updates[j])

    def _put_into(self, j: int, done: int) -> None:
        n, components, form = int(self.updates[j]), self.components, self.components.forms[j]
        errors, seen, weight = self.errors[j, :done], self._seen[j], float(self.after.masses[j])
        inner = np.ascontiguousarray(seen.half.T)
        shift, grown = self._follow_mean(j, errors)
        for rows in (seen.white, inner):
            self._follow_mean(j, rows)
        variances = (components.masses[j] * components.variances[j] + grown) / weight
        learned = Learned(errors[:n], inner[:n], self._steps.strengths[j, :n], self._steps.corners[j, :n, :n], weight)
        components.forms[j] = _grown(form, learned, seen.white[:n], variances)
        components.centres[j] += shift
        components.variances[j] = variances
        fresh = components.forms[j].fresh_log_determinant(components.masses[j])
        if fresh is not None:
            self.after.log_dets[j] = fresh

    def _follow_mean(self, j: int, rows: Floats) -> Floats:
        """See `kernels.follow_mean`."""
        from figmn import kernels  # numba takes half a second to import

        n, steps = self.updates[j], self._steps
        return kernels.follow_mean(rows, steps.places[j, :n], steps.rates[j, :n], steps.strengths[j, :n])


def _grown(form: Scatter | Inverse, learned: Learned, white: Floats, variances: Floats) -> Scatter | Inverse:
    """The form of a component after it has learned: one that has just matured is inverted, if that keeps its digits.

    An inverse that would lose digits becomes a triangle and stays one: inverting it again would cost as much as some
    hundred samples.
    """
    if isinstance(form, Inverse):
        if form.add(learned, white, variances):
            return form
        scatter = form.settled()
        scatter.take_in(learned.errors, learned.strengths, learned.weight)
        return scatter
    was_young = form.matrix is None
    form.add(learned)
    return inverse_of(form) or form if was_young and form.matrix is not None else form
