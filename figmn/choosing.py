"""δ chosen from rows: candidates learn the same rows, and the one that predicts best wins.

Every candidate learns the rows in their own order, in a shuffled one, and in the reverse of both, and is judged in the
second half of each: every row is predicted twice before it is learned, by mixtures that have learned at least half of
the others. What is judged depends on what the mixture is for:

- classes to predict: the log probability of the right class, after mixing the prediction with the class frequencies
  in the share that suits the candidate best. So a candidate counts for what it knows, however overconfident it is;
- numbers to predict: the squared error, in units of the variance of the column;
- nothing to predict: the log density, mixed with a broad Gaussian over all rows at a weight of one row. So a row that
  starts a component costs a bounded amount.

The best mean wins. Predictions are noisy: there the candidate with the fewest components wins among those that are
worse by less than half a standard error.

More rows can tell more components apart. Of a long table, the best candidates with different numbers of components
learn more rows in a final.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from figmn.classes import ClassMixtures
from figmn.fast import FastIGMN
from figmn.params import DELTA, Parameters, plain
from figmn.rows import check_rows, has_gaps
from figmn.scale import check_scale, column_std, is_constant, with_floor
from figmn.system.arrays import Bools, Floats, Ints

Measure = Literal["density", "classes", "numbers", "predictions"]
"""What was judged; ``"predictions"``: classes as well as numbers."""

WIDTHS = (3.0, 2.0, 1.5, 1.2, 1.0, 0.85, 0.7, 0.5, 0.3, 0.2, 0.15, 0.1, 0.07, 0.05, 0.03)
"""Candidates for δ, besides the rule by the number of columns; the widest first."""
MOST_COLUMNS = 256
"""In more columns nothing is tried: it would take many times as long as learning all rows."""
LEAST_ROWS, MOST_ROWS = 10, 2000
"""With fewer rows nothing is tried; of more rows, `MOST_ROWS` are drawn."""
MOST_VALUES, WIDE_ROWS = 30_000, 200
"""Of wide tables, fewer rows are drawn: at most `MOST_VALUES` values, but at least `WIDE_ROWS` rows."""
FINAL_SHARE, FINAL_ROWS = 8, 4000
"""Of the rows, one in `FINAL_SHARE`, at most `FINAL_ROWS`, are drawn for a final, if that makes more rows."""
FINALISTS = 4
ORDERS = 4
"""Orders in which the rows are learned; half of them where a final follows."""
CHECKS = 4
"""Parts of the rows before those judged, after each of which the number of components is checked."""
PIECES = 6
"""Parts of the judged rows with a mixture per class, each predicted before it is learned; else rows are one by one."""
CROWD, CROWDED = 50, 0.6
"""A candidate with more components than both `CROWD` and this share of the rows is given up."""
HOPELESS, PATIENCE = 5.0, 2
"""Narrower widths are not tried after `PATIENCE` in a row were worse than the best by `HOPELESS` standard errors, with
more components."""
MARGIN = 0.5
"""Standard errors by which a prediction may be worse for the sake of fewer components."""
SHARES = np.array([0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0])
"""Shares of the class frequencies in a prediction."""
BROAD = 2.0
"""Width of the broad Gaussian, in standard deviations of the columns."""


@dataclass(frozen=True, eq=False)
class Candidate:
    """A width that was tried."""

    delta: float
    scores: Floats
    """Of every row; larger is better."""
    n_components: float
    """K after all rows, mean over the orders."""

    @property
    def score(self) -> float:
        """Mean of the scores.

        >>> Candidate(0.5, np.array([1.0, 2.0]), 3.0).score
        1.5
        """
        return float(self.scores.mean())

    def is_worse(self, other: Candidate, errors: float) -> bool:
        """Whether the mean is worse than another's by more than `errors` standard errors of the difference.

        >>> low, high = (Candidate(0.5, scores, 3.0) for scores in (np.array([1.0, 2.0]), np.array([2.0, 4.0])))
        >>> low.is_worse(high, 1.0), low.is_worse(high, 9.0), high.is_worse(low, 0.0)
        (True, False, False)
        """
        difference = other.scores - self.scores
        return bool(difference.mean() > errors * difference.std() / np.sqrt(len(difference)))


@dataclass(frozen=True, eq=False)
class Suggestion:
    """A width found by `suggest`, and why.

    >>> rows = np.random.default_rng(0).normal(size=(300, 2))
    >>> found = suggest(rows)
    >>> found.delta, found.n_rows
    (3.0, 300)
    >>> suggest(rows[:5]).reason
    'δ = 0.17 follows from the number of columns: 5 rows are too few to compare widths.'
    """

    delta: float
    reason: str
    """In a few sentences for the user."""
    measure: Measure = "density"
    n_rows: int = 0
    """Rows on which the candidates were judged; 0: δ follows from the number of columns."""
    candidates: tuple[Candidate, ...] = ()
    """The widths that were tried, the widest first; of a long table those in the final."""


def suggest(
    X: Any,
    parameters: Parameters | None = None,
    targets: Sequence[Sequence[int]] = (),
    scale: Any = None,
    per_class: bool = False,
) -> Suggestion:
    """Choose δ from rows.

    Parameters
    ----------
    X : array-like of shape (N, D)
        The rows, targets included; NaN marks missing values. The result does not depend on the units of the columns.
    parameters : Parameters
        The other hyper-parameters; its δ is not read.
    targets : groups of column numbers
        What the mixture is to predict: a group of several columns is a class of 0 and 1, a single column a number.
        Empty: the density of all columns is judged.
    scale : array-like of shape (D,)
        Standard deviations of the columns; None: those of `X`.
    per_class : bool
        Whether there will be a mixture over the other columns for each class; the class is the only target then.

    Returns
    -------
    Suggestion
        The same for the same rows. Where nothing can be compared, with fewer than ten rows, more than 256 columns, or
        columns that are all constant, δ follows from the number of columns, as in the engines.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> centres = rng.uniform(-10, 10, (5, 10))
    >>> X = centres[rng.integers(5, size=500)] + rng.normal(size=(500, 10))
    >>> FastIGMN(delta=suggest(X).delta, scale=X.std(axis=0)).learn(X).n_components
    5
    """
    rows = check_rows(X, 0, None)
    parameters = (parameters or Parameters()).for_columns(rows.shape[1])
    widths = column_std(rows) if scale is None else check_scale(scale, None)
    groups = [np.array(group, dtype=np.int64) for group in targets]
    usable = np.flatnonzero(_is_usable(rows, groups))
    if len(usable) < LEAST_ROWS:
        return _by_rule(rows.shape[1], f"{len(usable)} rows are too few to compare widths")
    if rows.shape[1] > MOST_COLUMNS:
        return _by_rule(rows.shape[1], f"{rows.shape[1]:,} columns are too many to compare widths")
    varies = ~is_constant(widths)
    if not varies.any():
        return _by_rule(rows.shape[1], "no column varies")
    # Where densities are judged, without constant columns: the narrower a component, the denser they would be.
    judged = np.arange(rows.shape[1]) if groups else np.flatnonzero(varies)

    def judge(n_rows: int, n_orders: int) -> _Judge:
        drawn = _filled(rows[np.ix_(_drawn(usable, n_rows), judged)])
        return _Judge(drawn, with_floor(widths)[judged], groups, per_class, n_orders)

    rule = DELTA.default_for(rows.shape[1])
    n_rows, n_final = _numbers_of_rows(len(usable), len(judged))
    has_final = n_final > n_rows
    last = judge(n_rows, ORDERS // 2 if has_final else ORDERS)
    tried = list(_tried(parameters, sorted({*WIDTHS, rule}, reverse=True), last))
    how = f"{len(tried)} widths from {plain(tried[-1].delta)} to {plain(tried[0].delta)} learned " if tried else ""
    if has_final and tried:
        final = judge(n_final, ORDERS)
        finalists = list(_tried(parameters, _finalists(tried), final))
        if finalists:
            how += f"{n_rows:,} rows; the best with different numbers of components learned "
            tried, last = finalists, final
    if not tried:
        return _by_rule(rows.shape[1], "at every width nearly every row would start a component")
    best = _winner(tried, MARGIN if groups else 0.0)
    reason = how + _reason(best, rule, tried, last)
    return Suggestion(best.delta, reason, last.measure, len(last.rows), tuple(tried))


def _numbers_of_rows(n_usable: int, n_columns: int) -> tuple[int, int]:
    """Rows on which all widths are compared, and those on which the best are compared again if they are more.

    >>> _numbers_of_rows(700, 4), _numbers_of_rows(100_000, 4), _numbers_of_rows(100_000, 60)
    ((700, 87), (2000, 4000), (500, 4000))
    """
    n_rows = min(n_usable, MOST_ROWS, max(WIDE_ROWS, MOST_VALUES // n_columns))
    return n_rows, min(n_usable // FINAL_SHARE, FINAL_ROWS)


def _by_rule(n_columns: int, why: str) -> Suggestion:
    delta = DELTA.default_for(n_columns)
    return Suggestion(delta, f"δ = {plain(delta)} follows from the number of columns: {why}.")


def _is_usable(rows: Floats, groups: Sequence[Ints]) -> Bools:
    """The rows to draw from: with known targets, and complete if at least half of these are."""
    if not has_gaps(rows):
        return np.ones(len(rows), np.bool_)
    known = ~np.isnan(rows)
    usable: Bools = np.logical_and.reduce([known.any(axis=1), *(known[:, group].all(axis=1) for group in groups)])
    complete = usable & known.all(axis=1)
    return complete if 2 * complete.sum() >= usable.sum() else usable


def _drawn(places: Ints, most: int) -> Ints:
    """At most so many places, always the same, in their order."""
    n_drawn = min(most, len(places))
    return places[np.sort(np.random.default_rng(0).choice(len(places), n_drawn, replace=False, shuffle=False))]


def _finalists(tried: Sequence[Candidate]) -> list[float]:
    """Widths to be judged on more rows, the widest first: the best with different numbers of components.

    More rows speak for more components: with fewer than the best, a candidate that is worse is out.
    """
    best = max(tried, key=lambda one: one.score)
    found: dict[int, float] = {}
    for one in sorted(tried, key=lambda one: -one.score):
        is_out = one.n_components < best.n_components and one.is_worse(best, HOPELESS)
        if len(found) < FINALISTS and not is_out:
            found.setdefault(round(one.n_components), one.delta)
    return sorted(found.values(), reverse=True)


def _filled(rows: Floats) -> Floats:
    """Gaps filled with the mean of the column; where it has no value at all, with 0."""
    known = ~np.isnan(rows)
    means = np.where(known, rows, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    return np.where(known, rows, means)


def _tried(parameters: Parameters, widths: Sequence[float], judge: _Judge) -> Iterator[Candidate]:
    """Judge widths, the widest first, until narrower ones are hopeless."""
    best: Candidate | None = None
    failures = 0
    for delta in widths:
        candidate = judge.candidate(replace(parameters, delta=delta))
        if candidate is None:
            return
        yield candidate
        best = candidate if best is None or candidate.score > best.score else best
        is_crowded = candidate.n_components > best.n_components
        failures = failures + 1 if is_crowded and candidate.is_worse(best, HOPELESS) else 0
        if failures == PATIENCE:
            return


def _winner(tried: Sequence[Candidate], errors: float) -> Candidate:
    """The candidate with the fewest components among those within `errors` standard errors of the best."""
    best = max(tried, key=lambda one: one.score)
    near = [one for one in tried if one is best or not one.is_worse(best, errors)]
    return min(near, key=lambda one: (one.n_components, -one.score))


class _Judge:
    """Scores of candidates on the same rows."""

    def __init__(self, rows: Floats, widths: Floats, groups: Sequence[Ints], per_class: bool, n_orders: int) -> None:
        self.rows, self.widths, self.groups, self.per_class = rows, widths, groups, per_class
        self.inputs = np.setdiff1d(np.arange(len(widths)), groups[0] if per_class else ())
        given, shuffled = np.arange(len(rows)), np.random.default_rng(1).permutation(len(rows))
        self.orders = (given, given[::-1], shuffled, shuffled[::-1])[:n_orders]
        scaled = (rows - rows.mean(axis=0)) / (BROAD * widths)
        self.broad = -0.5 * (scaled**2 + np.log(2 * np.pi)).sum(axis=1) - np.log(BROAD * widths).sum()

    @property
    def measure(self) -> Measure:
        kinds: set[Measure] = {"classes" if len(group) > 1 else "numbers" for group in self.groups}
        return "predictions" if len(kinds) > 1 else kinds.pop() if kinds else "density"

    def candidate(self, parameters: Parameters) -> Candidate | None:
        """Learn the rows in every order; None if nearly every row starts a component."""
        judged, found, counts = [], [], []
        for order in self.orders:
            model = self._new_model(parameters)
            before, after = np.split(order, [len(order) // 2])
            for part in np.array_split(before, CHECKS):
                self._learn(model, part)
                if model.n_components > max(CROWD, CROWDED * model.n_seen):
                    return None
            judged.append(after)
            found.append(self._predictions(model, after) if self.groups else self._densities(model, after))
            counts.append(model.n_components)
        places, outcomes = np.concatenate(judged), np.concatenate(found)
        scores = self._prediction_scores(places, outcomes) if self.groups else outcomes
        assert parameters.delta is not None
        return Candidate(parameters.delta, np.bincount(places, scores) / np.bincount(places), float(np.mean(counts)))

    def _new_model(self, parameters: Parameters) -> FastIGMN | ClassMixtures:
        if self.per_class:
            blank = FastIGMN(**vars(parameters), scale=self.widths[self.inputs])
            return ClassMixtures.empty(self.groups[0], blank)
        return FastIGMN(**vars(parameters), scale=self.widths)

    def _learn(self, model: FastIGMN | ClassMixtures, places: Ints) -> None:
        rows = self.rows[places]
        if isinstance(model, FastIGMN):
            model.learn(rows)
        else:
            model.learn(rows[:, self.inputs], rows[:, self.groups[0]].argmax(axis=1))

    def _densities(self, model: Any, places: Ints) -> Floats:
        """Learn rows; log densities before each was learned, mixed with the broad Gaussian."""
        share = 1 / (model.n_seen + 1 + np.arange(len(places)))
        record = model.learn_recorded(self.rows[places])
        mixed: Floats = np.logaddexp(np.log1p(-share) + record.log_likelihoods, np.log(share) + self.broad[places])
        return mixed

    def _predictions(self, model: FastIGMN | ClassMixtures, places: Ints) -> Floats:
        """Learn rows; the targets, group by group, as predicted before each was learned."""
        if isinstance(model, FastIGMN):
            return model.learn_prequential(self.rows[places], np.concatenate(self.groups))
        found = []
        for piece in np.array_split(places, min(PIECES, len(places))):
            found.append(_shares(model, self.rows[piece][:, self.inputs]))
            self._learn(model, piece)
        return np.concatenate(found)

    def _prediction_scores(self, places: Ints, predicted: Floats) -> Floats:
        scores = np.zeros(len(places))
        ends = np.cumsum([len(group) for group in self.groups])
        for group, found in zip(self.groups, np.split(predicted, ends[:-1], axis=1), strict=True):
            score = self._class_scores if len(group) > 1 else self._number_scores
            scores += score(self.rows[np.ix_(places, group)], found, group)
        return scores

    def _class_scores(self, truth: Floats, predicted: Floats, group: Ints) -> Floats:
        """Log probability of the right class, mixed with the class frequencies in the best share."""
        guess = predicted.clip(0, 1)
        totals = guess.sum(axis=1)
        right = np.where(totals > 0, (guess * truth).sum(axis=1) / np.where(totals > 0, totals, 1), 1 / len(group))
        frequency = truth @ ((truth.sum(axis=0) + 1) / (len(truth) + len(group)))
        scores = np.log((1 - SHARES) * right[:, None] + SHARES * frequency[:, None])
        best: Floats = scores[:, scores.mean(axis=0).argmax()]
        return best

    def _number_scores(self, truth: Floats, predicted: Floats, group: Ints) -> Floats:
        """Squared errors in units of the column's variance, negative."""
        errors: Floats = ((predicted - truth) / self.widths[group])[:, 0]
        return -(errors**2)


def _shares(model: ClassMixtures, X: Floats) -> Floats:
    """p(c | x) by Bayes' rule; 0 for a class that has not occurred."""
    n_rows = np.array([0 if one is None else one.n_seen for one in model.models])
    log_joint = np.log(np.maximum(n_rows, 1)) + model.log_densities(X)
    shares = np.exp(log_joint - log_joint.max(axis=1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def _reason(best: Candidate, rule: float, tried: Sequence[Candidate], judge: _Judge) -> str:
    """On how many rows they were judged and how, what won and by how much."""
    measure = judge.measure
    top = max(tried, key=lambda one: one.score)
    sentences = [
        f"{len(judge.rows):,} rows in four orders and were judged by {_WORDS[measure]} before it was learned.",
        f"Best was {_figures(top, measure)}.",
    ]
    if top is not best:
        sentences.append(f"As good within the error, with fewer components: {_figures(best, measure)}.")
    sentences += [
        f"By the number of columns alone: {_figures(one, measure)}."
        for one in tried
        if one.delta == rule and one is not best and one is not top
    ]
    return " ".join(sentences)


_WORDS: dict[Measure, str] = {
    "density": "the log density of each row",
    "classes": "the probability of the right class of each row",
    "numbers": "the error of the prediction for each row",
    "predictions": "what was predicted for each row",
}


def _figures(candidate: Candidate, measure: Measure) -> str:
    """Width, mean score and number of components."""
    match measure:
        case "density":
            score = f"log density {candidate.score:.3f}"
        case "classes":
            score = f"probability of the right class {np.exp(candidate.score):.3f}"
        case "numbers":
            score = f"error {-candidate.score:.1%} of the variance"
        case "predictions":
            score = f"score {candidate.score:.3f}"
    return f"δ = {plain(candidate.delta)}, {score}, K = {candidate.n_components:.3g}"
