"""The nearest change of some values that turns an answer: a counterfactual."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np
from scipy.optimize import minimize

from figmn.answers.density import Answers
from figmn.answers.inference import normalised
from figmn.system.arrays import Floats
from figmn.system.lapack import log_determinant
from figmn.system.tuning import ANSWER_ITEMS

Norm = Literal["l1", "l2"]
N_STEPS, HALVINGS = 32, 40
"""Places on the way to each start that are looked at, and how often the first part that turns the answer is halved."""
N_CENTRES, N_RANDOM, SEED = 128, 64, 0
"""Starts at the heaviest components, and anywhere in the range, always the same."""
N_REFINED, MOST_REFINED = 6, 100
"""Starts, the nearest first, from which a local search goes on, and columns up to which it does."""
SLACK = 1e-7
"""By which a local search must exceed what is wanted, so that rounding does not turn the answer back."""


class Goal(NamedTuple):
    """What the conditional means y of the wanted columns must fulfil: ``weights @ y >= least``, in every row."""

    weights: Floats
    """(m, o)."""
    least: Floats
    """(m,)."""


class Change(NamedTuple):
    """Values that reach a goal."""

    values: Floats
    """(f,)."""
    distance: float
    """From the values before, in standard deviations."""


def nearest_change(
    model: Answers, x: Floats, goal: Goal, low: Floats, high: Floats, scale: Floats, norm: Norm = "l2"
) -> Change | None:
    """The values nearest to `x`, within a range, whose answer fulfils a goal; None where none was found.

    The first columns of the mixture are those that may change, the others are wanted. What is known besides is given to
    the mixture before, by `condition`.

    The straight ways from `x` to the components, along every column, and to places anywhere in the range are searched
    for the first place that fulfils the goal; from the nearest of these places a local search follows the closed-form
    gradient of the conditional means. The same arguments always give the same change.

    Parameters
    ----------
    x, low, high, scale : arrays of shape (f,)
        The values now, the range of each, and the standard deviation in which its change is measured.
    norm : "l2" or "l1"
        Square root of the sum of squared changes, or sum of absolute changes, which changes fewer columns.

    Examples
    --------
    >>> from figmn import Density
    >>> model = Density(np.ones(1), np.zeros((1, 2)), np.array([[[1.0, 0.8], [0.8, 1.0]]]))
    >>> goal = Goal(np.ones((1, 1)), np.array([1.2]))
    >>> one = np.ones(1)
    >>> found = nearest_change(model, 0 * one, goal, -3 * one, 3 * one, one)
    >>> found.values.round(4), nearest_change(model, 0 * one, goal, -one, one, one)
    (array([1.5]), None)
    """
    means = _Means(model, len(x))

    def margins(places: Floats) -> Floats:
        found: Floats = (means.at(places) @ goal.weights.T - goal.least).min(axis=1)
        return found

    if margins(x[None])[0] >= 0:
        return Change(x.copy(), 0.0)
    low, high = np.minimum(low, x), np.maximum(high, x)
    nearest = _first_on_the_way(margins, x, _starts(means.heaviest(), x, low, high))
    if not len(nearest):
        return None
    distances = distances_of(nearest, x, scale, norm)
    order = np.argsort(distances, kind="stable")
    best = Change(nearest[order[0]], float(distances[order[0]]))
    for place in nearest[order[: N_REFINED if len(x) <= MOST_REFINED else 0]]:
        refined = _refined(means, goal, place, x, low, high, scale, norm)
        distance = float(distances_of(refined[None], x, scale, norm)[0])
        if distance < best.distance and margins(refined[None])[0] >= 0:
            best = Change(refined, distance)
    return best


def distances_of(places: Floats, x: Floats, scale: Floats, norm: Norm) -> Floats:
    """How far places are from values, in standard deviations.

    >>> distances_of(np.array([[3.0, 4.0]]), np.zeros(2), np.ones(2), "l2")
    array([5.])
    """
    changes = np.abs(places - x) / scale
    return np.asarray(changes.sum(axis=1) if norm == "l1" else np.sqrt((changes**2).sum(axis=1)))


class _Means:
    """Conditional means of the last columns of a mixture given the first, and their derivatives."""

    def __init__(self, model: Answers, n_given: int) -> None:
        means, covariances = model.means, model.covariances
        self._centres, self._answers = means[:, :n_given], means[:, n_given:]
        self._priors = model.priors
        given = covariances[:, :n_given, :n_given]
        self._precisions = np.linalg.inv(given)
        self._slopes = covariances[:, n_given:, :n_given] @ self._precisions
        self._logs = np.log(self._priors) - 0.5 * np.array([log_determinant(one) for one in given])

    def heaviest(self) -> Floats:
        """The means of the given columns, of the components with the largest priors."""
        found: Floats = self._centres[np.argsort(-self._priors, kind="stable")[:N_CENTRES]]
        return found

    def at(self, places: Floats) -> Floats:
        """At places, (n, o)."""
        found = np.empty((len(places), self._answers.shape[1]))
        size = max(1, ANSWER_ITEMS // (len(self._logs) * places.shape[1]))
        for start in range(0, len(places), size):
            part = slice(start, start + size)
            weights, answers, _ = self._parts(places[part])
            found[part] = np.einsum("nk,nko->no", weights, answers)
        return found

    def slope(self, place: Floats) -> Floats:
        """Derivatives at a place, (o, f)."""
        weights, answers, pulls = (one[0] for one in self._parts(place[None]))
        mean, pull = weights @ answers, weights @ pulls
        found: Floats = np.tensordot(weights, self._slopes, 1) + np.einsum("k,ko,kf->of", weights, answers, pulls)
        return found - np.outer(mean, pull)

    def _parts(self, places: Floats) -> tuple[Floats, Floats, Floats]:
        """Responsibilities (n, K), conditional means (n, K, o) and gradients of the log densities (n, K, f)."""
        errors = places[:, None] - self._centres
        pulls = -np.einsum("kfg,nkg->nkf", self._precisions, errors)
        joint = self._logs + 0.5 * (pulls * errors).sum(axis=2)
        return normalised(joint), self._answers + np.einsum("kof,nkf->nko", self._slopes, errors), pulls


def _starts(centres: Floats, x: Floats, low: Floats, high: Floats) -> Floats:
    """Places to look for the goal: components, the ends of every column, and others."""
    along = np.repeat(x[None], 2 * len(x), axis=0)
    along[np.arange(len(x)), np.arange(len(x))] = low
    along[len(x) + np.arange(len(x)), np.arange(len(x))] = high
    anywhere = np.random.default_rng(SEED).uniform(size=(N_RANDOM, len(x)))
    return np.concatenate([centres.clip(low, high), along, low + (high - low) * anywhere])


def _first_on_the_way(margins: Callable[[Floats], Floats], x: Floats, starts: Floats) -> Floats:
    """The first place on the straight way to each start that fulfils the goal, for those ways that have one."""
    steps = np.arange(1, N_STEPS + 1) / N_STEPS
    places = x + steps[None, :, None] * (starts - x)[:, None]
    fulfils = margins(places.reshape(-1, len(x))).reshape(len(starts), N_STEPS) >= 0
    chosen = np.flatnonzero(fulfils.any(axis=1))
    ways = starts[chosen] - x
    after = steps[fulfils[chosen].argmax(axis=1)]
    before = after - 1 / N_STEPS
    for _ in range(HALVINGS if len(chosen) else 0):
        middle = 0.5 * (before + after)
        is_enough = margins(x + middle[:, None] * ways) >= 0
        before, after = np.where(is_enough, before, middle), np.where(is_enough, middle, after)
    found: Floats = x + after[:, None] * ways
    return found


def _refined(
    means: _Means, goal: Goal, place: Floats, x: Floats, low: Floats, high: Floats, scale: Floats, norm: Norm
) -> Floats:
    """A local search from a place, by sequential quadratic programming, in standard deviations from `x`.

    Changes upwards and downwards are variables of their own, so that the sum of absolute changes is smooth.
    """
    n = len(x)

    def values(changes: Floats) -> Floats:
        return np.asarray(x + scale * (changes[:n] - changes[n:]))

    def length(changes: Floats) -> tuple[float, Floats]:
        if norm == "l1":
            return float(changes.sum()), np.ones(2 * n)
        return float(changes @ changes), 2 * changes

    def excess(changes: Floats) -> Floats:
        return np.asarray(goal.weights @ means.at(values(changes)[None])[0] - goal.least - SLACK)

    def slopes(changes: Floats) -> Floats:
        along = goal.weights @ means.slope(values(changes)) * scale
        return np.hstack([along, -along])

    first = (place - x) / scale
    room = np.concatenate([(high - x) / scale, (x - low) / scale])
    found = minimize(
        length,
        np.concatenate([first, -first]).clip(0.0, room),
        jac=True,
        method="SLSQP",
        bounds=list(zip(np.zeros(2 * n), room, strict=True)),
        constraints={"type": "ineq", "fun": excess, "jac": slopes},
        options={"maxiter": 100, "ftol": 1e-9},
    )
    result: Floats = values(found.x.clip(0.0, room))
    return result if np.isfinite(result).all() else place
