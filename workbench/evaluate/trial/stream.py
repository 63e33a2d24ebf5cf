"""Prequential evaluation: every row is tested before it is learned, in the order of the stream."""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import numpy as np

from figmn.rows import check_rows
from figmn.scale import std_of_blocks
from figmn.system.arrays import Floats, Ints
from workbench.evaluate.trial.course import CourseKeeper, Guesses, Told
from workbench.evaluate.trial.material import Material, gaps, truth_of
from workbench.evaluate.trial.outcome import Evaluation, Outcome, Tested
from workbench.evaluate.trial.plan import Plan, Prequential
from workbench.evaluate.trial.stream_learners import StreamLearner, StreamMethod, stream_methods
from workbench.run.learn.learner import ONE_AT_A_TIME
from workbench.run.rows.naming import naming
from workbench.source import Cancelled, Table
from workbench.source.read.options import Progress
from workbench.words.sentences import UserError

SHOWN = 0.3
"""Seconds between two looks at what was found so far."""
FIRST_BLOCK, LARGEST_BLOCK = 10, 20_000
"""Rows that are predicted and learned between two looks whether it was cancelled: as many as time allows."""
LOOK = 0.1
"""Seconds between two such looks."""


def evaluate_stream(
    plan: Plan, material: Material, progress: Progress, show: Callable[[Evaluation], None]
) -> Evaluation:
    """Test and learn all rows by all methods, side by side."""
    began, clock = datetime.now().isoformat(sep=" ", timespec="seconds"), time.perf_counter()
    table = _in_order(plan, material)
    lanes = [_Lane(method, plan, table, material) for method in stream_methods(plan)]
    n_rows = table.table.n_rows
    found = Evaluation(plan, material.labels, (), 0, n_rows, (*material.remarks, *_remarks(plan)), began)
    shown = time.perf_counter()
    n_done, block = 0, FIRST_BLOCK
    while n_done < n_rows:
        started = time.perf_counter()
        end = min(n_rows, n_done + block)
        for lane in lanes:
            lane.advance(n_done, end)
        n_done, spent = end, time.perf_counter() - started
        block = int(np.clip(block * LOOK / max(spent, 1e-6), FIRST_BLOCK, LARGEST_BLOCK))
        now = time.perf_counter()
        if now - shown > SHOWN or n_done == n_rows:
            shown = now
            outcomes = tuple(lane.outcome(table.sources[:n_done]) for lane in lanes)
            found = replace(found, outcomes=outcomes, n_done=n_done, seconds=now - clock)
            show(found)
        if not progress(n_done, n_rows):
            raise Cancelled
    return found


@dataclass(frozen=True, eq=False)
class _Ordered:
    """The rows of a stream, and where they stand in the source."""

    table: Table
    sources: Ints


def _in_order(plan: Plan, material: Material) -> _Ordered:
    rows = material.rows
    if plan.task.kind == "density" and plan.baseline is not None:
        rows = rows[~gaps(material.table)[rows]]
        if not len(rows):
            raise UserError("Every row has a missing value, and the baseline takes none. Choose no baseline.")
    usable = material.table.take(rows)
    order = replace(plan.recipe.order, seed=plan.recipe.choices.seed).rows(usable)
    return _Ordered(usable.take(order), rows[order])


def _remarks(plan: Plan) -> Iterator[str]:
    if plan.recipe.choices.scale == "dataset":
        yield "Widths of new components come from the standard deviations of all rows, also of those not met yet"
    if plan.task.kind != "classes":
        yield "Rows that were met before anything was learned have no figure"


class _Lane:
    """One method on the stream."""

    def __init__(self, method: StreamMethod, plan: Plan, ordered: _Ordered, material: Material) -> None:
        assert isinstance(plan.option, Prequential)
        self._method, self._kind, self._option = method, plan.task.kind, plan.option
        table, self._rows, self._title = ordered.table, ordered.sources, plan.recipe.origin.title
        encoder = method.encoding.fit(table)
        self._names = encoder.names
        values = encoder.encode(table, self._rows).values
        n_inputs = values.shape[1] if plan.task.target is None else int(encoder.targets[0])
        self._X: Floats = np.ascontiguousarray(values[:, :n_inputs])
        if method.encoding.missing == "mean":
            self._X = np.nan_to_num(self._X)
        self._y: Floats = np.asarray(truth_of(table, plan.task), np.float64)
        self._truth, self._weights = truth_of(table, plan.task), table.weights
        self._n_classes = len(material.labels)
        self._units = np.log(encoder.units[1][:n_inputs])
        is_running, self._label_width = plan.recipe.choices.scale == "running", plan.recipe.choices.label_width
        with naming(self._rows, self._names, self._title), np.errstate(over="ignore"):
            check_rows(self._X, n_inputs, None)
        scale = None if is_running else self._scale(encoder.scale)
        self._learner: StreamLearner = method.make(n_inputs, self._n_classes, scale)
        self._keeper = CourseKeeper(self._kind, plan.option, table.n_rows, self._n_classes)
        self._said: list[Any] = []
        self._guesses = Guesses(plan.option, self._n_classes)
        self._seconds = 0.0

    def advance(self, begin: int, end: int) -> None:
        """Test and learn some rows."""
        with naming(self._rows[begin:end], self._names, self._title), ONE_AT_A_TIME, warnings.catch_warnings():
            began = time.perf_counter()
            warnings.simplefilter("ignore")  # columns that have not varied yet
            said = self._both(begin, end) if not self._option.delay else self._one_by_one(begin, end)
            self._seconds += time.perf_counter() - began
        if self._kind == "density":
            said = said - self._log_units(begin, end)
        self._said.append(said)
        self._keeper.add(self._told(said, begin, end))

    def outcome(self, rows: Ints) -> Outcome:
        """What was found so far."""
        said = np.concatenate(self._said)
        n_rows = len(rows)
        fields = {"classes": "probabilities", "numbers": "predicted", "density": "log_densities"}
        known = np.isfinite(said) if said.ndim == 1 else np.ones(n_rows, np.bool_)
        tested = Tested(
            repeat=0,
            fold=0,
            rows=rows[known],
            truth=self._truth[:n_rows][known],
            **{fields[self._kind]: said[known]},
            n_trained=n_rows,
            n_components=self._learner.n_components,
            train_seconds=self._seconds,
            test_seconds=math.nan,
        )
        return Outcome(self._method.name, self._method.title, (tested,), self._keeper.course())

    def _both(self, begin: int, end: int) -> Floats:
        weights = None if self._weights is None else self._weights[begin:end]
        return self._learner.both(self._X[begin:end], self._y[begin:end], weights)

    def _one_by_one(self, begin: int, end: int) -> Floats:
        """Every row is predicted when it comes, and learned when its target is known."""
        found = []
        for row in range(begin, end):
            late = row - 1 - self._option.delay
            if late >= 0:
                some = slice(late, late + 1)
                weights = None if self._weights is None else self._weights[some]
                with naming(self._rows[some], self._names, self._title):
                    self._learner.learn(self._X[some], self._y[some], weights)
            with naming(self._rows[row : row + 1], self._names, self._title):
                found.append(self._learner.predict(self._X[row : row + 1]))
        return np.concatenate(found)

    def _told(self, said: Floats, begin: int, end: int) -> Told:
        truth = self._y[begin:end]
        if self._kind == "density":
            return Told(said[:, None])
        if self._kind == "numbers":
            errors = said - truth
            return Told(np.column_stack([errors**2, np.abs(errors)]))
        codes, predicted = truth.astype(np.intp), said.argmax(axis=1)
        terms = np.column_stack([codes == predicted, self._guesses.right(codes)]).astype(np.float64)
        return Told(terms, codes * self._n_classes + predicted)

    def _scale(self, derived: Floats) -> Floats:
        """Standard deviations of the inputs, and of the target's columns; `derived` are the encoder's."""
        columns = [self._X]
        if self._kind == "classes":
            columns.append(np.eye(self._n_classes)[self._truth])
        elif self._kind == "numbers":
            columns.append(self._y[:, None])
        rows = np.hstack(columns)
        with np.errstate(over="ignore", invalid="ignore"):
            found = std_of_blocks([rows], rows.shape[1])
        # Squares of numbers that no engine takes overflow: its refusal names the row.
        found = np.where(np.isfinite(found), found, derived)
        if self._kind == "classes":
            found[self._X.shape[1] :] *= self._label_width
        return found

    def _log_units(self, begin: int, end: int) -> Floats:
        known = ~np.isnan(self._X[begin:end])
        found: Floats = known @ self._units
        return found
