"""The algorithm that both engines share: decide, create or update, prune. They differ in how they store C."""

from __future__ import annotations

import math
from abc import abstractmethod
from contextlib import nullcontext
from typing import Any, NamedTuple

import numpy as np
from scipy.special import chdtri

from figmn.answers import inference
from figmn.answers.density import Answers
from figmn.answers.patterns import KeptPatterns
from figmn.arguments import Columns, Rules, Unknowns, Work
from figmn.merging import Union, merge_alike, merge_down_to, samples_to_next_check
from figmn.params import Parameters
from figmn.recorder import Recorder
from figmn.rules import counted_by, is_spurious
from figmn.scale import ColumnStatistics, is_constant, warn_of_constant, with_floor
from figmn.state import Components
from figmn.system.arrays import Floats, Ints
from figmn.system.blas import THREADS
from figmn.system.tuning import LARGEST_BLOCK, ROWS_PER_CALL

RENEWED_AFTER = 100
"""Least number of samples between two renewals."""
MOST_MEMORIES = 300
"""Most memories between two renewals: the mass of a component grows by a factor e at most in each."""
NO_WEIGHTS = np.empty(0)
"""Weights of rows that all have the weight 1."""
NO_COLUMNS = np.empty(0, np.int64)


def weight_of(weights: Floats, row: int) -> float:
    """The weight of a row, given all weights or none.

    >>> weight_of(np.array([2.0, 3.0]), 1), weight_of(NO_WEIGHTS, 1)
    (3.0, 1.0)
    """
    return float(weights[row]) if len(weights) else 1.0


class Outcome(NamedTuple):
    """Results of the last sample, one entry per component."""

    distances: Floats
    posteriors: Floats
    omegas: Floats
    log_likelihood: float


NOTHING = Outcome(np.empty(0), np.empty(0), np.empty(0), -np.inf)
"""The outcome of a sample where there is no component."""


class Learning(Answers):
    """Learns rows that have been checked; `Engine` adds what users call."""

    parameters: Parameters
    scale: Floats | None
    n_seen: int
    n_indefinite: int
    solver: str | None = None
    _next_id: int
    _warned: bool
    _components: Components
    _statistics: ColumnStatistics
    _rules: Rules
    _settled: bool
    """Whether there is a width for newborn components."""
    _given_width: Floats
    """σ_ini where the scale is given, else empty."""
    _outcome: Outcome
    _next_check: int
    """Samples seen at which components that are one are searched for next, if they are merged."""
    _merges: list[tuple[int, int]]
    """Ids of the components that were kept and taken in by the last call."""
    _work: Work
    compiled_up_to: int
    """Dimensions up to which it learns by compiled loops."""
    kind: str
    """What the matrices are: a key of `kernels.KINDS`."""

    def _learn_rows(
        self,
        rows: Floats,
        gaps: list[int],
        recorder: Recorder,
        weights: Floats = NO_WEIGHTS,
        wanted: Ints = NO_COLUMNS,
    ) -> Floats:
        """Learn rows, of which those at `gaps` have missing values; returns predictions of the wanted columns."""
        self._merges = []
        if not self.n_seen:
            self.offset = np.where(np.isnan(rows[0]), 0.0, rows[0])
        if len(self._kept):
            self._kept = KeptPatterns()  # before learning as well, to free their memory
        try:
            with THREADS if self._works_by_blas else nullcontext():
                if len(wanted):
                    return self._learn_unknown(rows, weights, Unknowns.of(rows, gaps, wanted), recorder)
                if self._fills_in_loop and (gaps or self._has_met_gaps):
                    # Rows before the first gap that it meets always go through the plain loop, and all others through
                    # the one that fills: so how the rows are split into calls changes no bit of the model.
                    first = 0 if self._has_met_gaps else gaps[0]
                    self._learn_complete(rows[:first], weights[:first], self.offset, recorder)
                    unknowns = Unknowns.of(rows, gaps, wanted).part(first)
                    return self._learn_unknown(rows[first:], weights[first:], unknowns, recorder)
                self._learn_between_gaps(rows, weights, gaps, recorder)
        finally:
            self._kept = KeptPatterns()
        return np.empty((len(rows), 0))

    @property
    def _has_met_gaps(self) -> bool:
        """Whether it has learned a row with missing values, which are not counted."""
        return bool(self._statistics.count.min() < self.n_seen)

    @property
    def _works_by_blas(self) -> bool:
        return self.n_features > self.compiled_up_to or self.solver == "inverse"

    def _learn_unknown(self, rows: Floats, weights: Floats, unknowns: Unknowns, recorder: Recorder) -> Floats:
        """Predict the wanted values of every row and fill in the missing ones before it is learned.

        By the compiled loop, if it can, as soon as components have widths; until then row by row. Returns predictions.
        """
        n = 0
        while n < len(rows) and not (self._settled and self._fills_in_loop):
            unknowns.answers[n] = self._predicted(rows[n], unknowns.wanted)
            self._learn_between_gaps(rows[n : n + 1], weights[n : n + 1], [0] if unknowns.gaps[n] else [], recorder)
            n += 1
        if n < len(rows):
            self._learn_complete(rows[n:], weights[n:], self.offset, recorder, unknowns=unknowns.part(n))
            self._filled_row = unknowns.filled
        return unknowns.answers

    def _predicted(self, row: Floats, wanted: Ints) -> Floats:
        """The wanted values given the other known ones; NaN while there is no component."""
        if not (len(wanted) and self._components.count):
            return np.full(len(wanted), np.nan)
        question = row - self.offset
        question[wanted] = np.nan
        predicted: Floats = (self._filled(question) + self.offset)[wanted]
        return predicted

    def _learn_between_gaps(self, rows: Floats, weights: Floats, gaps: list[int], recorder: Recorder) -> None:
        begin = 0
        for end in [*gaps, len(rows)]:
            self._learn_complete(rows[begin:end], weights[begin:end], self.offset, recorder)
            if end < len(rows):
                self._learn_with_gaps(rows[end] - self.offset, weights[end : end + 1], recorder)
            begin = end + 1

    def _learn_with_gaps(self, row: Floats, weight: Floats, recorder: Recorder) -> None:
        """Learn a row with missing values, from which the offset is already subtracted."""
        self._observe(row)
        self._filled_row = self._filled(row)
        # The offset is already subtracted, and the statistics must not count values that were filled in.
        self._learn_complete(self._filled_row[None], weight, np.zeros(self.n_features), recorder, observe=False)

    def _learn_complete(
        self,
        rows: Floats,
        weights: Floats,
        offset: Floats,
        recorder: Recorder,
        observe: bool = True,
        unknowns: Unknowns | None = None,
    ) -> None:
        """Learn rows minus an offset, without gaps unless there are `unknowns`, for which the widths must be known.

        `observe` counts the rows in the column statistics.
        """
        done = 0
        while done < len(rows):
            most = min(self._rows_before_renewal, self._rows_before_merging)
            if self._settled:
                asked = None if unknowns is None else unknowns.part(done, done + most)
                done += self._learn_some(
                    rows[done : done + most], weights[done : done + most], offset, observe, recorder, asked
                )
            else:
                if observe:
                    self._observe(rows[done] - offset)  # this may set the widths of the components
                done += self._learn_some(rows[done : done + 1], weights[done : done + 1], offset, False, recorder)
            if self._rules.decay < 1 and self.n_seen % self._renewal_period == 0:
                self._renew()
            if self._is_crowded or self._is_check_due:
                self._merge_components(recorder)

    def _learn_some(
        self,
        rows: Floats,
        weights: Floats,
        offset: Floats,
        observe: bool,
        recorder: Recorder,
        unknowns: Unknowns | None = None,
    ) -> int:
        """Learn rows as `_learn_complete` does; returns how many were learned, at least one."""
        if self.n_features <= self.compiled_up_to:
            return self._learn_compiled(rows[:ROWS_PER_CALL], weights, offset, observe, recorder, unknowns)
        return self._learn_in_many_dimensions(rows[:LARGEST_BLOCK] - offset, weights, observe, recorder)

    def _learn_compiled(
        self,
        rows: Floats,
        weights: Floats,
        offset: Floats,
        observe: bool,
        recorder: Recorder,
        unknowns: Unknowns | None,
    ) -> int:
        """Learn rows by the compiled loop; returns how many were learned."""
        from figmn import kernels  # numba takes half a second to import

        # Always read-only: to numba, writeable rows are another type, for which the loop would be compiled again.
        rows = rows.view()
        rows.flags.writeable = False
        components, before = self._components, self._components.count
        components.reserve(before + 1)
        arrays = components.arrays
        if len(self._work.distances) != len(arrays.ids):
            self._work = Work.of(len(arrays.ids), self.n_features)
        work, counters = self._work, np.array([before, self._next_id, self.n_indefinite, recorder.n_removed])
        named = arrays, self._columns(), self._rules, recorder.page(self.n_seen), work
        arguments: list[Any] = [rows, weights, offset, observe, *map(tuple, named), counters]
        loop = kernels.LEARN_ROWS[self.kind]
        if unknowns is not None:
            loop = kernels.fill_and_learn_rows
            arguments.append(tuple(unknowns))
        done, reason, log_likelihood = loop(*arguments)
        count, self._next_id, self.n_indefinite, recorder.n_removed = counters.tolist()
        if count != before:
            components.resize(count)
        self.n_seen += done
        if reason == kernels.CAREFUL:
            self._learn_with_care(rows[done] - offset, weight_of(weights, int(done)), observe, recorder)
            return int(done) + 1
        if done:
            asked = before if done == 1 else 0
            distances, posteriors, omegas = work.results[:, :asked].copy()
            self._outcome = Outcome(distances, posteriors, omegas, log_likelihood)
        return int(done)

    def _columns(self) -> Columns:
        statistics = self._statistics
        return Columns(self._given_width, statistics.count, statistics.mean, statistics.squares)

    def _observe(self, row: Floats) -> None:
        self._statistics.observe(row)
        if not self._settled:
            self._settle_widths()

    def _give_birth(self, row: Floats, weight: float, observe: bool, recorder: Recorder) -> None:
        self._components.reserve(self.n_components + 1)  # may raise, so it comes before any change
        if observe:
            self._observe(row)
        mass = counted_by(weight, self._rules.surplus)
        share = (1 + self._rules.surplus) / mass
        width = self._width() * np.sqrt(share)
        self._components.add(
            ids=self._next_id,
            centres=row,
            variances=width**2,
            log_dets=2 * float(np.log(width).sum()),
            accumulators=weight,
            masses=mass,
            **self._kept_at_birth(width, mass),
        )
        recorder.learned(self.n_seen, self._next_id, self.n_components, self.n_indefinite)
        self._next_id += 1
        self.n_seen += 1

    def _prune(self) -> Ints:
        """Remove components with too little evidence; returns their ids."""
        components = self._components
        spurious = is_spurious(components.ages, components.accumulators, self.parameters.v_min, self.parameters.sp_min)
        removed: Ints = components.ids[spurious]
        if len(removed):
            components.keep(~spurious)
        return removed

    # Memory

    @property
    def _renewal_period(self) -> int:
        """Samples between renewals, which cost O(D³): enough for O(D²) a sample, few enough to keep masses finite."""
        memory = self.parameters.memory
        return math.ceil(min(max(memory, self.n_features, RENEWED_AFTER), MOST_MEMORIES * memory))

    @property
    def _rows_before_renewal(self) -> int:
        if self._rules.decay == 1:
            return ROWS_PER_CALL
        return self._renewal_period - self.n_seen % self._renewal_period

    def _renew(self) -> None:
        """Give components back what they have forgotten of the initial covariance: C' = (1 - s) C + s C₀.

        While evidence is forgotten, C is a running average of which C₀ is the oldest part. Without this, the variance
        of a column that does not vary within a component would shrink exponentially to 0. With it,
        C = (n_0 C₀ + S) / (sp - 1 + n_0) holds with S and sp as they are remembered, and with C₀ as it is now.
        """
        components, rules = self._components, self._rules
        n_forgotten = np.minimum(components.ages - 1, self._renewal_period)
        forgotten = (1 + rules.surplus) * (1 - rules.decay**n_forgotten)
        masses = np.maximum(components.accumulators, 1.0) + rules.surplus
        shares = np.where(components.negatives > 0, 0.0, forgotten / (masses + forgotten))
        width = self._width()
        kept = self._renewed(shares, width, masses)  # may raise, so it comes before any change
        for name, array in kept.items():
            components.buffers[name][: components.count] = array
        components.masses[:] = masses
        components.variances[:] = (1 - shares[:, None]) * components.variances + shares[:, None] * width**2

    # Merging

    @property
    def _is_crowded(self) -> bool:
        return self.n_components > self._rules.most

    @property
    def _is_check_due(self) -> bool:
        return self.parameters.merge_below > 0 and self.n_seen >= self._next_check

    @property
    def _rows_before_merging(self) -> int:
        """Rows after which components may have to be merged, whoever is born."""
        if self._is_crowded:  # since the limit was lowered
            return 1
        return max(self._next_check - self.n_seen, 1) if self.parameters.merge_below > 0 else ROWS_PER_CALL

    def _merge_components(self, recorder: Recorder) -> None:
        """Merge components after a sample: down to the most that are allowed, and now and then those that are one.

        A sample that is one component too many has become a component before, and may be taken in by another at once.
        """
        components, began = self._components, len(self._merges)
        with THREADS:
            self._merges += merge_down_to(self._rules.most, components, self._root, self._put_union)
            if self._is_check_due:
                self._merges += merge_alike(components, self._root, self._put_union, self.parameters.merge_below)
                self._next_check = self.n_seen + samples_to_next_check(components, self.n_seen)
        if self._is_crowded:  # there are no two with positive definite covariances
            self._remove_weakest(recorder)
        recorder.merged(self.n_seen - 1, self._merges[began:], components.count)

    def _remove_weakest(self, recorder: Recorder) -> None:
        components = self._components
        by_evidence = np.argsort(components.accumulators, kind="stable")
        weakest = by_evidence[: components.count - int(self._rules.most)]
        recorder.removed(self.n_seen - 1, components.ids[weakest])
        components.keep(~np.isin(np.arange(components.count), weakest))

    def _put_union(self, union: Union) -> None:
        """Put the union of two components into the place of the one that is kept; the other is dropped later."""
        components, pair = self._components, [union.kept, union.taken]
        evidence = float(components.accumulators[pair].sum())
        mass = counted_by(evidence, self._rules.surplus)
        kept = self._kept_of(union.root, mass)  # may raise, so it comes before any change
        values = kept | {
            "centres": union.centre,
            "variances": np.einsum("de,de->d", union.root, union.root),
            "log_dets": 2 * np.log(union.root.diagonal()).sum(),
            "accumulators": evidence,
            "masses": mass,
            "negatives": 0,
        }
        for name, value in values.items():
            components.buffers[name][union.kept] = value

    def _filled(self, row: Floats) -> Floats:
        if self._components.count:
            answer = self._answer_one(row[None], np.zeros(self.n_features))
            filled: Floats = inference.recall(self._mixture(), row[None])[0] if answer is None else answer.filled[0]
            return filled
        return np.where(np.isnan(row), self._statistics.mean, row)

    # Widths

    def _start(self, n_features: int) -> None:
        self.n_features = n_features
        if n_features:
            self.parameters = self.parameters.for_columns(n_features)
        self._components = Components(n_features, self._n_kept(n_features))
        self._statistics = ColumnStatistics.empty(n_features)
        self._work = Work.of(0, 0)
        self._outcome, self.offset, self._filled_row = NOTHING, np.zeros(n_features), np.empty(0)
        self._next_check, self._merges = 0, []
        self._rules, self._kept = self._current_rules(), KeptPatterns()
        self._settled = self.scale is not None
        self._given_width = np.empty(0) if self.scale is None else self._delta * with_floor(self.scale)

    def _current_rules(self) -> Rules:
        """The rules that follow from the parameters; not used before the number of columns is known."""
        parameters = self.parameters
        threshold = float(chdtri(self.n_features, parameters.beta)) if self.n_features else 0.0
        is_published = parameters.covariance == "published"
        surplus, decay = (parameters.prior_count or 1.0) - 1, 1 - 1 / parameters.memory
        delta = parameters.delta or 0.0
        limits = threshold, parameters.v_min, parameters.sp_min
        return Rules(*limits, delta, is_published, surplus, decay, parameters.max_components)

    def _start_with(self, n_features: int) -> None:
        if n_features != self.n_features:
            self._start(n_features)

    def _width(self) -> Floats:
        """σ_ini = δ std (`sigma`)."""
        return self._given_width if self.scale is not None else self._delta * with_floor(self._widths)

    @property
    def _delta(self) -> float:
        assert self.parameters.delta is not None, "known as soon as the columns are"
        return self.parameters.delta

    @property
    def _widths(self) -> Floats:
        return self._statistics.std if self.scale is None else self.scale

    def _warn_of_constant_columns(self) -> None:
        if not self._warned and is_constant(self._widths).any():
            self._warned = True
            warn_of_constant(self._widths, self.columns)

    def _settle_widths(self) -> None:
        """Rescale the components once there is a std; before two rows differ, components are δ wide."""
        if not self._settled and not is_constant(self._statistics.std).all():
            self._settled = True
            if self._components.count:
                ratio = self._width() / self._delta
                self._components.variances *= ratio**2
                self._components.log_dets += 2 * np.log(ratio).sum()
                self._rescale(ratio)

    # What the engines do differently

    @property
    def _fills_in_loop(self) -> bool:
        """Whether the compiled loop can fill in missing values, and predict wanted ones."""
        return False

    def _n_kept(self, n_features: int) -> int:
        """Width of the matrices that are kept: all columns, or 0 where forms are kept."""
        return n_features

    @abstractmethod
    def _kept_at_birth(self, width: Floats, mass: float) -> dict[str, Any]:
        """The entries `matrices` and `forms` of a component with C = diag(width²)."""

    @abstractmethod
    def _kept_of(self, root: Floats, mass: float) -> dict[str, Any]:
        """The entries `matrices` and `forms` of a component with C = L Lᵀ, for L lower triangular."""

    @abstractmethod
    def _root(self, position: int) -> Floats:
        """L, lower triangular, with C = L Lᵀ, of the component at a position; C is positive definite."""

    @abstractmethod
    def _renewed(self, shares: Floats, width: Floats, masses: Floats) -> dict[str, Any]:
        """Arrays of all components with C' = (1 - s) C + s diag(width²), in the unit of the given masses."""

    @abstractmethod
    def _learn_in_many_dimensions(self, rows: Floats, weights: Floats, observe: bool, recorder: Recorder) -> int:
        """Learn rows without gaps in many dimensions; returns how many were learned, at least one.

        The offset is already subtracted, and there are at most `LARGEST_BLOCK` rows.
        """

    def _learn_with_care(self, row: Floats, weight: float, observe: bool, recorder: Recorder) -> None:
        """Learn a row that the compiled loop has returned as `CAREFUL`."""
        raise NotImplementedError("the loops of this engine take every row")

    @abstractmethod
    def _rescale(self, ratio: Floats) -> None:
        """Multiply every column by its ratio, in the matrices only."""
