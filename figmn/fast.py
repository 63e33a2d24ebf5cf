"""Fast IGMN: stores covariances in forms that are updated by rank-one steps, at O(D²) per sample."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from figmn.answers import inference
from figmn.answers.questions import Answer, Conditionals, no_components
from figmn.arguments import N_LOST, N_REMOVED
from figmn.engine import ComponentPart, Engine
from figmn.exact import Scatters
from figmn.forms.form import Form, stacked
from figmn.learning import NOTHING, Outcome, weight_of
from figmn.recorder import Recorder
from figmn.signatures import documented
from figmn.snapshot import keeping_of, priors_of
from figmn.system.arrays import Floats, Ints
from figmn.system.tuning import ANSWERED_AT_ONCE, BLOCK_BYTES, LARGEST_BLOCK, SMALLEST_BLOCK


@documented
class FastIGMN(Engine):
    """Fast incremental Gaussian mixture: learns each sample once, at O(K D²).

    A sample whose squared Mahalanobis distance to every component reaches the χ² quantile at 1 - `beta` gives birth
    to a component of width `delta` · std. Any other sample updates all components by their posteriors, and
    components older than `v_min` samples with less than `sp_min` evidence are removed. Components can be merged.

    Parameters
    ----------
    {hyper_parameters}
    scale : array-like of shape (D,) or None
        Standard deviation of every column. None: a running estimate over the rows seen so far. A column that does not
        vary gets a tenth of the median width of the others (1 where none varies), and after ten rows a
        `ConstantColumnWarning`, once.
    columns : sequence of str or None
        Column names, for messages and files.

    Notes
    -----
    Under the exact rule factors of the scatter S = sp C are kept, which only grows: S' = S + h e eᵀ. Components stay
    positive definite by construction and keep their digits however collinear the columns are. `precisions` gives the
    paper's Λ, the result of `figmn-sherman1/2`. Under the published rule Λ itself is kept, and `n_indefinite`
    counts the updates that lost positive definiteness. `figmn.params.parameters.automatic_delta` explains why δ depends
    on D.
    `figmn.merging` explains which components are merged: where a newborn one is more than `max_components`, right after
    its birth, and where two are one (`merge_below`) now and then, at most every 100 samples.

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
    compiled_up_to = Scatters.compiled_up_to

    def _start(self, n_features: int) -> None:
        self._keeping = keeping_of(self.parameters.covariance)
        self.kind, self.compiled_up_to = self._keeping.kind, self._keeping.compiled_up_to
        super()._start(n_features)

    def _forms(self) -> Sequence[Form]:
        return self._keeping.forms(self._components)

    def _precisions(self) -> Floats:
        return stacked((form.dense() for form in self._forms()), self.n_features)

    def _covariances(self) -> Floats:
        return stacked((form.covariance() for form in self._forms()), self.n_features)

    def _log_determinants(self) -> Floats:
        return self._components.log_dets.copy()

    def _mixture(self) -> inference.Mixture:
        components = self._components
        if not components.count:
            raise no_components()
        priors = priors_of(components.accumulators)
        return inference.Mixture(components.centres, self._forms(), components.log_dets, priors, components.negatives)

    @property
    def _fills_in_loop(self) -> bool:
        return self.kind == "triangle" and self.n_features <= self.compiled_up_to

    def _answer_one(self, given: Floats, offset: Floats) -> Answer | None:
        if not self._answers_at_once(given):
            return None
        from figmn import kernels  # numba takes half a second to import

        components = self._components
        filled, joint = kernels.answer_row(_read_only(given), offset, tuple(components.arrays), components.count)
        return Answer(filled[None], joint[None])

    def _condition_one(self, given: Floats) -> Conditionals | None:
        if not self._answers_at_once(given):
            return None
        from figmn import kernels  # numba takes half a second to import

        components = self._components
        wanted, log_weights, distances, means, covariances = kernels.condition_row(
            _read_only(given), self.offset, tuple(components.arrays), components.count
        )
        n_known = self.n_features - len(wanted)
        return Conditionals(slice(0, 1), wanted, n_known, log_weights[None], distances[None], means[None], covariances)

    def _answers_at_once(self, given: Floats) -> bool:
        """Triangles, unless so many values are wanted that a cached pattern is worth its price."""
        if len(given) > 1 or not self._fills_in_loop:
            return False
        n_wanted = int(np.count_nonzero(np.isnan(given)))
        return self.n_features * (self.n_features + n_wanted**2) <= ANSWERED_AT_ONCE

    def _projected(self, plane: Floats) -> Floats:
        return self._keeping.project(self._components, plane)

    def _part(self, position: int, columns: Ints) -> ComponentPart:
        """Precision between some columns, and log determinant, of the component at a position."""
        precision = self._forms()[position].columns(columns)[columns]
        return ComponentPart(precision, float(self._components.log_dets[position]))

    def _n_kept(self, n_features: int) -> int:
        return 0 if self._keeping.is_in_forms(n_features) else n_features

    def _kept_at_birth(self, width: Floats, mass: float) -> dict[str, Any]:
        return self._keeping.born(width, mass)

    def _kept_of(self, root: Floats, mass: float) -> dict[str, Any]:
        return self._keeping.of_root(root, mass)

    def _root(self, position: int) -> Floats:
        return self._keeping.root(self._components, position)

    def _renewed(self, shares: Floats, width: Floats, masses: Floats) -> dict[str, Any]:
        return self._keeping.renewed(self._components, shares, width, masses)

    def _rescale(self, ratio: Floats) -> None:
        self._keeping.rescale(self._components, ratio)

    # Many dimensions: blocks of samples

    def _learn_in_many_dimensions(self, rows: Floats, weights: Floats, observe: bool, recorder: Recorder) -> int:
        """Learn a block of samples in coordinates of the block; matrix products convert to these and back."""
        from figmn import kernels  # numba takes half a second to import

        if not self.n_components:
            recorder.measured(self.n_seen, -np.inf, self._components.ids, np.empty(0), np.empty(0))
            self._give_birth(rows[0], weight_of(weights, 0), observe, recorder)
            self._outcome = NOTHING
            return 1
        size = self._block_size()
        rows, weights = rows[:size], weights[:size]
        counters = [self._next_id, self.n_indefinite, recorder.n_removed]
        block = self._keeping.block(self._components, rows, weights, counters)
        done, reason, log_likelihood = block.learn(self._rules, recorder.page(self.n_seen))
        block.commit(done)
        self.n_seen += done
        self.n_indefinite, recorder.n_removed = int(block.counters[N_LOST]), int(block.counters[N_REMOVED])
        if done:
            self._prune()  # the loop has recorded these removals; births remove nothing
            if observe:
                centre = self._statistics.centre(rows[0])
                self._statistics.observe_sums(centre, done, *kernels.sum_rows(rows[:done], centre))
        self._outcome = Outcome(block.work.distances, block.work.posteriors, block.work.omegas, log_likelihood)
        if reason != kernels.BIRTH:
            return done
        self._give_birth(rows[done], weight_of(weights, done), observe, recorder)
        return done + 1

    def _block_size(self) -> int:
        """Samples to take together: few while components are being born, since a birth ends a block."""
        affordable = BLOCK_BYTES // (8 * self.n_components * self.n_features)
        calm = max(SMALLEST_BLOCK, int(self._components.ages.min()))
        return max(1, min(calm, LARGEST_BLOCK, affordable))


def _read_only(given: Floats) -> Floats:
    """The only row; always read-only, since to numba a writeable one is another type."""
    row: Floats = given[0]
    row.flags.writeable = False
    return row
