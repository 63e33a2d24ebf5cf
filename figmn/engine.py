"""The algorithm that both engines share: decide, create or update, prune. They differ in what they keep of C."""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from scipy.special import chdtri

from figmn import inference
from figmn.params import CHANGEABLE, Parameters
from figmn.patterns import KeptPatterns
from figmn.questions import Questions
from figmn.recorder import SILENT, Recorder
from figmn.rows import RowError, check_row, check_rows
from figmn.scale import ColumnStatistics, check_scale, is_constant, warn_of_constant, with_floor
from figmn.signatures import takes, takes_changes
from figmn.snapshot import Snapshot, priors_of
from figmn.state import Components
from figmn.system.arrays import Bools, Floats, Ints
from figmn.system.blas import THREADS
from figmn.system.tuning import LARGEST_BLOCK, ROWS_PER_CALL
from figmn.trace import Record, Trace

ROWS_BEFORE_WARNING = 10
"""A column is called constant when it has not varied over this many rows; it has its floor from the first."""


class Outcome(NamedTuple):
    """What the components made of the last sample, one entry each."""

    distances: Floats
    posteriors: Floats
    omegas: Floats
    log_likelihood: float


NOTHING = Outcome(np.empty(0), np.empty(0), np.empty(0), -np.inf)
"""What no components make of a sample."""


class Part(NamedTuple):
    """Part of a component, for those who compare."""

    precision: Floats
    """Λ between some columns."""
    log_determinant: float
    """log|det C|."""


@dataclass(frozen=True)
class Arguments(Parameters):
    """What an engine is made with: hyper-parameters, and what is known of the columns."""

    scale: Any = None
    columns: Sequence[str] | None = None


class Engine(Questions):
    """The common face of `FastIGMN` and `IGMN`; see there for the parameters."""

    keeps: ClassVar[str]
    """The engine whose matrices the snapshots hold: ``"FastIGMN"`` or ``"IGMN"``."""
    solver: str | None = None
    n_features: int
    _components: Components
    _statistics: ColumnStatistics
    _threshold: float
    """τ, the χ² quantile."""
    _settled: bool
    """Whether there is a width for newborn components."""
    _given_width: Floats
    """σ_ini where the scale is given, else empty."""
    _outcome: Outcome
    _work: tuple[Floats, Floats, Floats, Floats]
    compiled_up_to: int
    """Dimensions up to which it learns by compiled loops."""
    kind: str
    """What the matrices are, by the name that `kernels.KINDS` has for it."""

    @takes(Arguments)
    def __init__(self, scale: Any, columns: Sequence[str] | None, **parameters: Any) -> None:
        self.parameters = Parameters(**parameters)
        self.columns = None if columns is None else tuple(str(name) for name in columns)
        self.scale = None if scale is None else check_scale(scale, self.columns)
        self.n_seen = 0
        self.n_indefinite = 0
        """Updates that lost positive definiteness; always 0 under the exact rule."""
        self.n_regularized = 0
        """Times that `IGMN` has widened a component with collinear columns; always 0 in `FastIGMN`."""
        self._next_id = 0
        self._warned = False
        self._start(len(self.columns or ()) if self.scale is None else len(self.scale))

    # Learning

    def learn(self, X: Any) -> Self:
        """Learn from rows in order, each once.

        Parameters
        ----------
        X : array-like of shape (N, D)
            NaN marks missing values: they are filled with the mixture's own answer given the known ones (with the
            running column means while there is no component), then the filled row is learned.

        Returns
        -------
        self
            All rows are checked before the first is learned: after a `ValueError` the model is as it was.

        Examples
        --------
        >>> from figmn import FastIGMN
        >>> FastIGMN(delta=0.5, scale=[1.0, 1.0]).learn([[0, 0], [0.1, 0], [5, 5]]).n_components
        2
        """
        rows, gaps = self._checked(X)
        self._learn_rows(rows, gaps, SILENT)
        if self.n_seen >= ROWS_BEFORE_WARNING:
            self._warn_of_constant_columns()
        return self

    def learn_recorded(self, X: Any) -> Record:
        """Learn from rows as `learn` does, and say in short what each of them did.

        Parameters
        ----------
        X : array-like of shape (N, D)
            As in `learn`.

        Returns
        -------
        Record
            One entry a row: its density before it was learned, the nearest component and the one that takes most of
            it, births and removals.

        Examples
        --------
        >>> from figmn import FastIGMN
        >>> model = FastIGMN(delta=0.5, scale=[1.0, 1.0])
        >>> record = model.learn_recorded([[0, 0], [0.1, 0], [5, 5]])
        >>> record.born, record.log_likelihoods.round(2)
        (array([ 0, -1,  1]), array([   -inf,   -0.47, -195.86]))
        """
        rows, gaps = self._checked(X)
        recorder = Recorder(self.n_seen, len(rows), self.n_components)
        began, cpu_began = time.perf_counter_ns(), time.thread_time_ns()
        self._learn_rows(rows, gaps, recorder)
        cpu_nanoseconds, nanoseconds = time.thread_time_ns() - cpu_began, time.perf_counter_ns() - began
        if self.n_seen >= ROWS_BEFORE_WARNING:
            self._warn_of_constant_columns()
        return recorder.record(self._threshold, nanoseconds, cpu_nanoseconds)

    def learn_one(self, x: Any) -> Trace:
        """Learn from one sample and say what it did.

        >>> from figmn import FastIGMN
        >>> model = FastIGMN(delta=0.5, scale=[1.0, 1.0])
        >>> model.learn_one([0, 0]).created, model.learn_one([0.1, 0]).created
        (True, False)
        """
        row = check_row(x, self.n_features, self.columns).copy()  # it goes into the trace
        has_gaps = bool(_incomplete(row[None])[0])
        self._start_with(len(row))
        ids, next_id = self.ids, self._next_id
        began = time.perf_counter_ns()
        self._learn_rows(row[None], [0] if has_gaps else [], SILENT)
        nanoseconds = time.perf_counter_ns() - began
        if self.n_seen == ROWS_BEFORE_WARNING:
            self._warn_of_constant_columns()
        if has_gaps:
            row = np.where(np.isnan(row), self._filled_row + self.offset, row)
        outcome, now = self._outcome, set(self._components.ids.tolist())
        for array in (ids, row, outcome.distances, outcome.posteriors, outcome.omegas):
            array.flags.writeable = False
        return Trace(
            sample=self.n_seen - 1,
            row=row,
            created=self._next_id > next_id,
            ids=ids,
            distances=outcome.distances,
            threshold=self._threshold,
            posteriors=outcome.posteriors,
            omegas=outcome.omegas,
            log_likelihood=outcome.log_likelihood,
            n_before=len(ids),
            n_after=self.n_components,
            born=next_id if self._next_id > next_id else None,
            removed=tuple(number for number in ids.tolist() if number not in now),
            nanoseconds=nanoseconds,
        )

    @takes_changes
    def change(self, **values: Any) -> Self:
        """Replace hyper-parameters from the next sample on.

        Parameters
        ----------
        **values
            New values of those that may change during a run, `figmn.params.CHANGEABLE`; None leaves one as it is.

        Returns
        -------
        self
            After a `ValueError` nothing has changed.

        Examples
        --------
        >>> from figmn import FastIGMN
        >>> model = FastIGMN(delta=1, beta=0, scale=[1.0]).learn([[0.0], [9.0]])
        >>> model.n_components, model.change(beta=0.1).learn([[99.0]]).n_components
        (1, 2)
        """
        for name in values:
            if name not in CHANGEABLE:
                raise TypeError(f"change() takes no {name}: give {', '.join(CHANGEABLE)}; the others need a new model")
        self.parameters = replace(self.parameters, **{name: new for name, new in values.items() if new is not None})
        self._threshold = self._chi_squared()
        return self

    def merge(self, other: Engine) -> Self:
        """The union of two mixtures over the same columns, as a new model; both are left as they were.

        Accumulators and ages are kept, so each side weighs as much as it has learned. The parameters are those of
        `self`; the components of `other` get new ids.

        >>> from figmn import FastIGMN
        >>> left = FastIGMN(scale=[1.0]).learn([[0.0]])
        >>> right = FastIGMN(scale=[1.0]).learn([[5.0], [5.0]])
        >>> both = left.merge(right)
        >>> both.means.ravel(), both.priors.round(3), both.n_seen
        (array([0., 5.]), array([0.333, 0.667]), 3)
        """
        _check_same_rule(self, other)
        _check_same_columns(self, other)
        mine, others = self.snapshot(), other.snapshot()
        offset = mine.offset if self.n_seen else others.offset
        union, theirs = (
            type(self).from_snapshot(side.measured_from(offset) if side.n_seen else side) for side in (mine, others)
        )
        union.columns = self.columns or other.columns
        for side in (union, theirs):
            side._start_with(self.n_features or other.n_features)
        statistics = union._statistics.merged(theirs._statistics)
        for side in (union, theirs):
            side._statistics = statistics
            side._settle_widths()
        ids = union._next_id + np.arange(theirs.n_components)
        union._components.extend(theirs._components.copies() | {"ids": ids})
        union._next_id += theirs.n_components
        union.n_seen += theirs.n_seen
        union.offset = offset.copy() if union.n_seen else union.offset
        union.n_indefinite += theirs.n_indefinite
        union.n_regularized += theirs.n_regularized
        return union

    # The mixture

    @property
    def n_components(self) -> int:
        """K.

        >>> from figmn import FastIGMN
        >>> FastIGMN(delta=2, beta=0.1, scale=[1.0]).learn([[0.0], [9.0], [9.0]]).n_components
        2
        """
        return self._components.count

    @property
    def ids(self) -> Ints:
        """Number of every component, in the order of birth; it never changes.

        >>> from figmn import FastIGMN
        >>> FastIGMN(delta=2, beta=0.1, scale=[1.0]).learn([[0.0], [9.0], [9.0]]).ids
        array([0, 1])
        """
        return self._components.ids.copy()

    @property
    def means(self) -> Floats:
        """μ of every component, (K, D).

        >>> from figmn import FastIGMN
        >>> FastIGMN(delta=2, beta=0.1, scale=[1.0]).learn([[0.0], [9.0], [9.0]]).means.round(2)
        array([[0.],
               [9.]])
        """
        return self._components.centres + self.offset

    @property
    def precisions(self) -> Floats:
        """Λ of every component, (K, D, D).

        >>> from figmn import FastIGMN
        >>> FastIGMN(delta=2, scale=[1.0, 1.0]).learn([[0, 0]]).precisions
        array([[[0.25, 0.  ],
                [0.  , 0.25]]])
        """
        return self._precisions()

    @property
    def covariances(self) -> Floats:
        """C of every component, (K, D, D).

        >>> from figmn import FastIGMN
        >>> FastIGMN(delta=2, scale=[1.0, 1.0]).learn([[0, 0]]).covariances
        array([[[4., 0.],
                [0., 4.]]])
        """
        return self._covariances()

    @property
    def variances(self) -> Floats:
        """Diagonals of the covariances, (K, D), at no more than the cost of a copy.

        >>> from figmn import FastIGMN
        >>> FastIGMN(delta=2, scale=[1.0, 1.0]).learn([[0, 0]]).variances
        array([[4., 4.]])
        """
        return self._components.variances.copy()

    @property
    def log_determinants(self) -> Floats:
        """log|det C| of every component, (K,).

        >>> from figmn import FastIGMN
        >>> FastIGMN(delta=2, scale=[1.0, 1.0]).learn([[0, 0]]).log_determinants.round(4)
        array([2.7726])
        """
        return self._log_determinants()

    @property
    def accumulators(self) -> Floats:
        """Evidence sp that every component has gathered, (K,).

        >>> from figmn import FastIGMN
        >>> FastIGMN(delta=2, beta=0.1, scale=[1.0]).learn([[0.0], [9.0], [9.0]]).accumulators.round(3)
        array([1., 2.])
        """
        return self._components.accumulators.copy()

    @property
    def ages(self) -> Ints:
        """Age v of every component: the samples since its birth, (K,).

        >>> from figmn import FastIGMN
        >>> FastIGMN(delta=2, beta=0.1, scale=[1.0]).learn([[0.0], [9.0], [9.0]]).ages
        array([2, 2])
        """
        return self._components.ages.copy()

    @property
    def priors(self) -> Floats:
        """p(j), from the accumulators (`igmn-p`).

        >>> from figmn import FastIGMN
        >>> FastIGMN(delta=2, beta=0.1, scale=[1.0]).learn([[0.0], [9.0], [9.0]]).priors.round(3)
        array([0.333, 0.667])
        """
        return priors_of(self._components.accumulators)

    @property
    def n_bytes(self) -> int:
        """Memory that the components, the work space and the patterns kept for the next question take.

        >>> from figmn import FastIGMN
        >>> FastIGMN(scale=[1.0, 1.0]).learn([[0, 0]]).n_bytes > 8 * 2 * 2
        True
        """
        return self._components.n_bytes + self._kept.n_bytes + sum(array.nbytes for array in self._work)

    def snapshot(self) -> Snapshot:
        """A frozen copy of the whole state.

        >>> from figmn import FastIGMN
        >>> FastIGMN(delta=2, beta=0.1, scale=[1.0]).learn([[0.0], [9.0], [9.0]]).snapshot().n_components
        2
        """
        return Snapshot(
            engine=self.keeps,
            parameters=self.parameters,
            solver=self.solver,
            columns=self.columns,
            scale=None if self.scale is None else self.scale.copy(),
            n_features=self.n_features,
            n_seen=self.n_seen,
            next_id=self._next_id,
            n_indefinite=self.n_indefinite,
            n_regularized=self.n_regularized,
            warned=self._warned,
            offset=self.offset.copy(),
            statistics=self._statistics.copy(),
            **self._components.copies(),
        )

    @classmethod
    def from_snapshot(cls, snapshot: Snapshot) -> Self:
        """A model that goes on from `snapshot`; one of the other engine's is converted.

        >>> from figmn import IGMN, FastIGMN
        >>> model = IGMN(delta=1, scale=[1.0, 1.0]).learn([[0, 0], [1, 0]])
        >>> FastIGMN.from_snapshot(model.snapshot()).precisions.round(6)
        array([[[1.333333, 0.      ],
                [0.      , 2.      ]]])
        """
        own = snapshot.kept_as(cls.keeps)
        solver: dict[str, Any] = {} if own.solver is None else {"solver": own.solver}
        model = cls(**asdict(own.parameters), scale=own.scale, columns=own.columns, **solver)
        model._start(own.n_features)
        model.n_seen, model.n_indefinite, model.n_regularized = own.n_seen, own.n_indefinite, own.n_regularized
        model._next_id, model._warned, model._statistics = own.next_id, own.warned, own.statistics.copy()
        model.offset = own.offset.copy()
        model._settled = model._settled or not is_constant(model._statistics.std).all()
        model._components.extend({name: getattr(own, name) for name in model._components.buffers})
        for j, form in enumerate(own.forms):
            model._components.forms[j] = None if form is None else form.copy()
        return model

    def __reduce__(self) -> tuple[Any, tuple[Snapshot]]:
        return type(self).from_snapshot, (self.snapshot(),)

    def __repr__(self) -> str:
        settings = ", ".join(f"{name}={value!r}" for name, value in asdict(self.parameters).items())
        learned = f"{self.n_components} components over {self.n_features} columns, {self.n_seen} samples seen"
        return f"<{type(self).__name__}({settings}): {learned}>"

    # Rows

    def _checked(self, X: Any) -> tuple[Floats, list[int]]:
        """The rows, and which of them have gaps; the model is ready for so many columns."""
        rows = check_rows(X, self.n_features, self.columns)
        gaps: list[int] = np.flatnonzero(_incomplete(rows)).tolist()
        self._start_with(rows.shape[1])
        return rows, gaps

    def _learn_rows(self, rows: Floats, gaps: list[int], recorder: Recorder) -> None:
        if not self.n_seen:
            self.offset = np.where(np.isnan(rows[0]), 0.0, rows[0])
        if len(self._kept):
            self._kept = KeptPatterns()  # before as well, as they take memory
        try:
            with THREADS if self._works_by_blas else nullcontext():
                self._learn_between_gaps(rows, gaps, recorder)
        finally:
            self._kept = KeptPatterns()

    @property
    def _works_by_blas(self) -> bool:
        return self.n_features > self.compiled_up_to or self.solver == "inverse"

    def _learn_between_gaps(self, rows: Floats, gaps: list[int], recorder: Recorder) -> None:
        begin = 0
        for end in [*gaps, len(rows)]:
            self._learn_complete(rows[begin:end], self.offset, recorder)
            if end < len(rows):
                self._learn_with_gaps(rows[end] - self.offset, recorder)
            begin = end + 1

    def _learn_with_gaps(self, row: Floats, recorder: Recorder) -> None:
        """Learn a row with missing values, measured from the offset."""
        self._observe(row)
        self._filled_row = self._filled(row)
        # Nothing is left to be subtracted, and what was filled in is no observation.
        self._learn_complete(self._filled_row[None], np.zeros(self.n_features), recorder, observe=False)

    def _learn_complete(self, rows: Floats, offset: Floats, recorder: Recorder, observe: bool = True) -> None:
        """Learn rows without gaps, less an offset; `observe` counts them in the column statistics."""
        done = 0
        while done < len(rows):
            if self._settled:
                done += self._learn_some(rows[done:], offset, observe, recorder)
                continue
            if observe:
                self._observe(rows[done] - offset)  # it may give the components their widths
            done += self._learn_some(rows[done : done + 1], offset, False, recorder)

    def _learn_some(self, rows: Floats, offset: Floats, observe: bool, recorder: Recorder) -> int:
        """Learn rows without gaps, less an offset, as many as go together, at least one."""
        if self.n_features <= self.compiled_up_to:
            return self._learn_compiled(rows[:ROWS_PER_CALL], offset, observe, recorder)
        return self._learn_in_many_dimensions(rows[:LARGEST_BLOCK] - offset, observe, recorder)

    def _learn_compiled(self, rows: Floats, offset: Floats, observe: bool, recorder: Recorder) -> int:
        """Learn rows by the compiled loop, as many as it takes at once."""
        from figmn import kernels  # numba takes half a second to import

        learn_rows: Any = kernels.LEARN_ROWS[self.kind]
        # Read-only rows are another type to the compiler than others: always the same, so that it compiles once.
        rows = rows.view()
        rows.flags.writeable = False
        components = self._components
        if components.count == len(components.buffers["ids"]):
            components.reserve(components.count + 1)
        buffers, statistics, parameters = components.buffers, self._statistics, self.parameters
        work = self._work_space(len(buffers["ids"]))
        counters = np.array([components.count, self._next_id, self.n_indefinite, recorder.n_removed])
        before = components.count
        done, reason, log_likelihood = learn_rows(
            rows,
            offset,
            *(buffers[name] for name in kernels.COMPONENT_ARRAYS),
            statistics.count,
            statistics.mean,
            statistics.squares,
            counters,
            self._given_width,
            self._delta,
            self._threshold,
            parameters.v_min,
            parameters.sp_min,
            parameters.covariance == "published",
            observe,
            *recorder.pages(self.n_seen),
            *work,
        )
        if counters[0] != before:
            components.resize(int(counters[0]))
        self._next_id, self.n_indefinite = int(counters[1]), int(counters[2])
        recorder.n_removed = int(counters[3])
        self.n_seen += done
        if reason == kernels.CAREFUL:
            self._learn_with_care(rows[done] - offset, observe, recorder)
            return int(done) + 1
        if done:
            distances, posteriors, omegas = work[2][:3, :before].copy() if done == 1 else np.empty((3, 0))
            self._outcome = Outcome(distances, posteriors, omegas, log_likelihood)
        return int(done)

    def _work_space(self, room: int) -> tuple[Floats, Floats, Floats, Floats]:
        if len(self._work[0]) != room:
            width = self.n_features
            self._work = (
                np.empty((room, width)), np.empty((room, width)), np.empty((4, room)), np.empty((width, width))
            )  # fmt: skip
        return self._work

    def _observe(self, row: Floats) -> None:
        self._statistics.observe(row)
        if not self._settled:
            self._settle_widths()

    def _give_birth(self, row: Floats, observe: bool, recorder: Recorder) -> None:
        self._components.reserve(self.n_components + 1)  # what may fail, before anything is changed
        if observe:
            self._observe(row)
        width = self._width()
        self._components.add(
            ids=self._next_id,
            centres=row,
            variances=width**2,
            log_dets=2 * float(np.log(width).sum()),
            **self._kept_at_birth(width),
        )
        recorder.learned(self.n_seen, self._next_id, self.n_components, self.n_indefinite)
        self._next_id += 1
        self.n_seen += 1

    def _prune(self) -> Ints:
        """Drop what is old and without evidence; the ids of the dropped."""
        components = self._components
        spurious = (components.ages > self.parameters.v_min) & (components.accumulators < self.parameters.sp_min)
        removed: Ints = components.ids[spurious]
        if len(removed):
            components.keep(~spurious)
        return removed

    def _filled(self, row: Floats) -> Floats:
        if self._components.count:
            filled: Floats = inference.recall(self._mixture(), row[None])[0]
            return filled
        return np.where(np.isnan(row), self._statistics.mean, row)

    # Widths

    def _start(self, n_features: int) -> None:
        self.n_features = n_features
        if n_features:
            self.parameters = self.parameters.for_columns(n_features)
        self._components = Components(n_features, self._n_kept(n_features))
        self._statistics = ColumnStatistics.empty(n_features)
        self._work = (np.empty((0, n_features)),) * 4
        self._outcome, self.offset, self._filled_row = NOTHING, np.zeros(n_features), np.empty(0)
        self._threshold, self._kept = self._chi_squared(), KeptPatterns()
        self._settled = self.scale is not None
        self._given_width = np.empty(0) if self.scale is None else self._delta * with_floor(self.scale)

    def _chi_squared(self) -> float:
        """τ; 0 as long as the number of columns is not known."""
        return float(chdtri(self.n_features, self.parameters.beta)) if self.n_features else 0.0

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
        """Before two rows differ there is no std, and components are born δ wide: make up for it when one is there."""
        if not self._settled and not is_constant(self._statistics.std).all():
            self._settled = True
            if self._components.count:
                ratio = self._width() / self._delta
                self._components.variances *= ratio**2
                self._components.log_dets += 2 * np.log(ratio).sum()
                self._rescale(ratio)

    # What the engines do differently

    @abstractmethod
    def _precisions(self) -> Floats:
        """Λ, a copy."""

    @abstractmethod
    def _covariances(self) -> Floats:
        """C, a copy."""

    @abstractmethod
    def _log_determinants(self) -> Floats:
        """log|det C|, a copy."""

    def _n_kept(self, n_features: int) -> int:
        """Width of the matrices that are kept: all columns, or none where something else is kept."""
        return n_features

    @abstractmethod
    def _kept_at_birth(self, width: Floats) -> dict[str, Any]:
        """What is kept of C = diag(width²)."""

    @abstractmethod
    def _learn_in_many_dimensions(self, rows: Floats, observe: bool, recorder: Recorder) -> int:
        """Learn rows without gaps where the compiled loops are too slow: as many as go together, at least one.

        They are measured from the offset, and no more than a block.
        """

    def _learn_with_care(self, row: Floats, observe: bool, recorder: Recorder) -> None:
        """Learn a row that the compiled loop has handed back."""
        raise NotImplementedError("the loops of this engine take every row")

    @abstractmethod
    def _part(self, position: int, columns: Ints) -> Part:
        """Precision between some columns, and log determinant, of the component at a position."""

    @abstractmethod
    def _rescale(self, ratio: Floats) -> None:
        """Multiply every column by its ratio, in the matrices alone."""


def _incomplete(rows: Floats) -> Bools:
    if not np.isnan(rows.max()):
        return np.zeros(len(rows), bool)
    missing = np.isnan(rows)
    empty = np.flatnonzero(missing.all(axis=1))
    if len(empty):
        raise RowError(int(empty[0]), "has no value in any column, so it cannot be learned: drop the row")
    return np.asarray(missing.any(axis=1))


def _check_same_rule(mine: Engine, theirs: Engine) -> None:
    first, second = mine.parameters.covariance, theirs.parameters.covariance
    if first != second:
        raise ValueError(
            f"cannot merge a mixture with covariance={first!r} and one with covariance={second!r}: "
            "learn both under the same rule"
        )


def _check_same_columns(mine: Engine, theirs: Engine) -> None:
    if mine.n_features and theirs.n_features and mine.n_features != theirs.n_features:
        raise ValueError(
            f"cannot merge a mixture over {mine.n_features} columns with one over {theirs.n_features}: "
            "both must describe the same columns"
        )
    if mine.columns and theirs.columns and mine.columns != theirs.columns:
        pair = next((a, b) for a, b in zip(mine.columns, theirs.columns, strict=True) if a != b)
        raise ValueError(
            f"cannot merge: column {pair[0]!r} meets column {pair[1]!r}; give both the same columns in the same order"
        )
