"""What both engines do for users: learning, changes of hyper-parameters, unions, snapshots."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from figmn.engine.mixture import Mixture
from figmn.learning import NO_WEIGHTS
from figmn.params import CHANGEABLE, Parameters
from figmn.recorder import SILENT, Recorder
from figmn.rows import check_columns, check_row, check_rows, check_weights, incomplete
from figmn.scale import check_scale, is_constant
from figmn.signatures import takes, takes_changes
from figmn.snapshot import Snapshot
from figmn.system.arrays import Floats
from figmn.trace import Record, Trace

ROWS_BEFORE_WARNING = 10
"""Rows after which a column that has not varied is reported as constant; it has the floor width from the start."""


@dataclass(frozen=True)
class Arguments(Parameters):
    """Arguments of an engine: hyper-parameters, and what is known of the columns."""

    scale: Any = None
    columns: Sequence[str] | None = None


class Engine(Mixture):
    """Base class of `FastIGMN` and `IGMN`, which document the parameters."""

    keeps: ClassVar[str]
    """The engine whose matrices the snapshots hold: ``"FastIGMN"`` or ``"IGMN"``."""

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

    def learn(self, X: Any, weights: Any = None) -> Self:
        """Learn from rows in order, each once.

        Parameters
        ----------
        X : array-like of shape (N, D)
            NaN marks missing values: they are filled with the mixture's own answer given the known ones (with the
            running column means while there is no component), then the filled row is learned.
        weights : array-like of shape (N,) or None
            How much each row counts, above 0; None: 1 each. Evidence is posterior times weight, and a component is born
            with the weight of its row. With one component, a row of weight 2 equals the row given twice, in means,
            covariances and evidence. Elsewhere it does not: the second of two rows is met by the mixture that has
            learned the first, ages count rows, and running standard deviations do not know weights.

        Returns
        -------
        self
            All rows are checked before the first is learned: after a `ValueError` the model is unchanged.

        Examples
        --------
        >>> from figmn import FastIGMN
        >>> FastIGMN(delta=0.5, scale=[1.0, 1.0]).learn([[0, 0], [0.1, 0], [5, 5]]).n_components
        2
        """
        rows, gaps, checked = self._checked(X, weights)
        self._learn_rows(rows, gaps, SILENT, checked)
        if self.n_seen >= ROWS_BEFORE_WARNING:
            self._warn_of_constant_columns()
        return self

    def learn_recorded(self, X: Any, weights: Any = None) -> Record:
        """Learn from rows as `learn` does; returns a summary for each row.

        Parameters
        ----------
        X : array-like of shape (N, D)
        weights : array-like of shape (N,) or None
            As in `learn`.

        Returns
        -------
        Record
            One entry per row: its log density before it was learned, the nearest component and the one with the
            largest posterior, births and removals.

        Examples
        --------
        >>> from figmn import FastIGMN
        >>> model = FastIGMN(delta=0.5, scale=[1.0, 1.0])
        >>> record = model.learn_recorded([[0, 0], [0.1, 0], [5, 5]])
        >>> record.born, record.log_likelihoods.round(2)
        (array([ 0, -1,  1]), array([   -inf,   -0.47, -195.86]))
        """
        rows, gaps, checked = self._checked(X, weights)
        recorder = Recorder(self.n_seen, len(rows), self.n_components)
        began, cpu_began = time.perf_counter_ns(), time.thread_time_ns()
        self._learn_rows(rows, gaps, recorder, checked)
        cpu_nanoseconds, nanoseconds = time.thread_time_ns() - cpu_began, time.perf_counter_ns() - began
        if self.n_seen >= ROWS_BEFORE_WARNING:
            self._warn_of_constant_columns()
        return recorder.record(self._rules.threshold, nanoseconds, cpu_nanoseconds)

    def learn_prequential(self, X: Any, wanted: Any, weights: Any = None) -> Floats:
        """Predict some columns of every row from its others before the row is learned, then learn it as `learn` does.

        The answers are those of `recall` before each row. The compiled loop finds them at less than twice the time of
        `learn` if the wanted columns are the last ones, which estimators give to their targets; others take longer. In
        many columns, under the published rule and in `IGMN`, rows are predicted and learned one by one in Python.

        Parameters
        ----------
        X : array-like of shape (N, D)
            As in `learn`. Where a wanted value is missing, it is predicted, and learned, as any other missing value.
        wanted : sequence of int or str
            The columns to predict: positions, where negative ones count from the end, or names.
        weights : array-like of shape (N,) or None
            As in `learn`.

        Returns
        -------
        array of shape (N, o)
            The predictions, in the order of `wanted`; NaN in a row that is met by no component, as the very first.

        Examples
        --------
        >>> from figmn import FastIGMN
        >>> model = FastIGMN(delta=0.5, beta=0, scale=[1.0, 1.0])
        >>> model.learn_prequential([[0, 0], [1, 2], [2, 4], [3, 6]], wanted=[1]).round(2).ravel()
        array([ nan, 0.  , 3.  , 5.56])
        """
        rows = check_rows(X, self.n_features, self.columns)
        places = check_columns(wanted, rows.shape[1], self.columns)
        rows, gaps, checked = self._checked(rows, weights)
        order = np.argsort(places)
        answers = self._learn_rows(rows, gaps, SILENT, checked, places[order])
        if self.n_seen >= ROWS_BEFORE_WARNING:
            self._warn_of_constant_columns()
        return answers[:, np.argsort(order)]

    def learn_one(self, x: Any, weight: float = 1.0) -> Trace:
        """Learn from one sample, which counts as `learn` says for its weight; returns what it did.

        >>> from figmn import FastIGMN
        >>> model = FastIGMN(delta=0.5, scale=[1.0, 1.0])
        >>> model.learn_one([0, 0]).created, model.learn_one([0.1, 0]).created
        (True, False)
        """
        row = check_row(x, self.n_features, self.columns).copy()  # it goes into the trace
        has_gaps = bool(incomplete(row[None])[0])
        weights = NO_WEIGHTS if weight == 1 else check_weights([weight], 1)
        self._start_with(len(row))
        ids, next_id = self.ids, self._next_id
        began = time.perf_counter_ns()
        self._learn_rows(row[None], [0] if has_gaps else [], SILENT, weights)
        nanoseconds = time.perf_counter_ns() - began
        if self.n_seen == ROWS_BEFORE_WARNING:
            self._warn_of_constant_columns()
        if has_gaps:
            row = np.where(np.isnan(row), self._filled_row + self.offset, row)
        outcome, merged = self._outcome, tuple(self._merges)
        now = {*self._components.ids.tolist(), *(taken for _, taken in merged)}
        for array in (ids, row, outcome.distances, outcome.posteriors, outcome.omegas):
            array.flags.writeable = False
        return Trace(
            sample=self.n_seen - 1,
            row=row,
            created=self._next_id > next_id,
            ids=ids,
            distances=outcome.distances,
            threshold=self._rules.threshold,
            posteriors=outcome.posteriors,
            omegas=outcome.omegas,
            log_likelihood=outcome.log_likelihood,
            n_before=len(ids),
            n_after=self.n_components,
            born=next_id if self._next_id > next_id else None,
            removed=tuple(number for number in ids.tolist() if number not in now),
            merged=merged,
            nanoseconds=nanoseconds,
        )

    @takes_changes
    def change(self, **values: Any) -> Self:
        """Replace hyper-parameters from the next sample on.

        Parameters
        ----------
        **values
            New values of hyper-parameters that may change during a run, `figmn.params.CHANGEABLE`. Those that are not
            given stay; None means the same as in the constructor: `memory=None` never forgets.

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
        self.parameters = replace(self.parameters, **values)
        self._rules = self._current_rules()
        return self

    def merge(self, other: Engine) -> Self:
        """The union of two mixtures over the same columns, as a new model; both stay unchanged.

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

    # The whole state

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
            next_check=self._next_check,
            n_indefinite=self.n_indefinite,
            n_regularized=self.n_regularized,
            warned=self._warned,
            offset=self.offset.copy(),
            statistics=self._statistics.copy(),
            **self._components.copies(),
        )

    @classmethod
    def from_snapshot(cls, snapshot: Snapshot) -> Self:
        """A model that continues from `snapshot`; a snapshot of the other engine is converted.

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
        model._next_check = own.next_check
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

    def _checked(self, X: Any, weights: Any) -> tuple[Floats, list[int], Floats]:
        """The checked rows, the indices of those with missing values, and the weights; sets the number of columns."""
        rows = check_rows(X, self.n_features, self.columns)
        gaps: list[int] = np.flatnonzero(incomplete(rows)).tolist()
        checked = check_weights(weights, len(rows))
        self._start_with(rows.shape[1])
        return rows, gaps, checked


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
