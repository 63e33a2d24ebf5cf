"""How much a value that is not known yet is expected to tell about another: mutual information, in bits."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.polynomial.legendre import leggauss

from figmn.answers.density import Answers, Density
from figmn.answers.inference import normalised
from figmn.answers.quantiles import density, quantile
from figmn.answers.variables import Variable
from figmn.system.arrays import Floats

N_VALUES = 129
"""Values of a number that are tried: the middles of parts of the same probability. Every third is one of the middles
of a third as many parts, by which the error is estimated."""
EDGES = np.array([-9.0, -6.0, -4.0, -2.5, -1.5, -0.75, 0.0, 0.75, 1.5, 2.5, 4.0, 6.0, 9.0])
"""Standard deviations around every mean between which a density is integrated."""
MOST_EDGES, LEAST_EDGES, WORK = 1500, 100, 300_000
"""Edges that are kept where there are more, at most and at least, and edges times components between them: those of
many components lie close together."""
NODES, FEWER_NODES = 5, 3
"""Of the Gauss-Legendre rule between two edges, and of the rule that it is compared with."""
LEAST_SHARE, MOST_LABELS = 1e-4, 200
"""Labels below this share of the likeliest one's probability, and beyond this number, are not tried."""
NEGLIGIBLE = 1e-6
"""Share of the heaviest component's weight below which one does not count in an entropy."""


class Information(NamedTuple):
    """Expected drop of the entropy of a variable when another becomes known."""

    bits: float
    error: float
    """Estimate of the numerical error; 0 where the computation is exact."""


def information(model: Answers, wanted: Variable, candidate: Variable) -> Information:
    """Mutual information of two variables of a mixture, whatever its other columns are.

    What is known already is given to the mixture before, by `condition`. A candidate number is tried at the quantiles
    of its distribution, candidate labels all at their probabilities. Entropies of wanted numbers are integrated piece
    by piece; those of wanted labels are of the probabilities that `Variable.shares` gives.

    Examples
    --------
    >>> from figmn import Density
    >>> both = Density(np.ones(1), np.zeros((1, 2)), np.array([[[1.0, 0.6], [0.6, 1.0]]]))
    >>> found = information(both, Variable((0,)), Variable((1,)))
    >>> round(found.bits, 6), float((-0.5 * np.log2(1 - 0.6**2)).round(6))
    (0.321928, 0.321928)
    """
    pair = model.marginal([*candidate.columns, *wanted.columns])
    n_given, n_wanted = len(candidate.columns), len(wanted.columns)
    values, shares = _tried(pair.marginal(np.arange(n_given)), candidate)
    rows = np.hstack([values, np.full((len(values), n_wanted), np.nan)])
    weights, means = np.empty((len(rows), pair.n_components)), np.empty((len(rows), pair.n_components, n_wanted))
    covariances = np.empty((pair.n_components, n_wanted, n_wanted))
    for part in pair.conditionals(rows):
        weights[part.rows], means[part.rows] = normalised(part.log_weights), part.means
        covariances = part.covariances
    third, inner = slice(1, None, 3), 0.0
    if wanted.has_labels:
        found = wanted.shares(weights, means, covariances)
        bits, roughly = _label_bits(found, shares), _label_bits(found[third], 3 * shares[third])
    else:
        stds = np.sqrt(np.maximum(covariances[:, 0, 0], np.finfo(float).tiny))
        entropies = np.array([entropy(w, m, stds) for w, m in zip(weights, means[:, :, 0], strict=True)])
        # The distribution of the wanted number is that of all tried values together.
        whole = _whole(pair, shares, weights, means[:, :, 0], stds, candidate)
        before = entropy(*whole)
        bits, roughly = before - float(shares @ entropies), before - float(3 * shares[third] @ entropies[third])
        inner = abs(before - entropy(*whole, FEWER_NODES))
    outer = 0.0 if candidate.has_labels else 0.5 * abs(bits - roughly)
    return Information(max(bits, 0.0), outer + inner)


def entropy(weights: Floats, means: Floats, stds: Floats, nodes: int = NODES) -> float:
    """Differential entropy of a mixture in one dimension, in bits; it may be negative.

    >>> one = np.ones(1)
    >>> round(entropy(one, np.zeros(1), one), 6), float((0.5 * np.log2(2 * np.pi * np.e)).round(6))
    (2.047096, 2.047096)
    """
    counts = weights > NEGLIGIBLE * weights.max()
    weights, means, stds = weights[counts] / weights[counts].sum(), means[counts], stds[counts]
    centre = means[weights.argmax()]
    means = means - centre
    edges = np.unique(means[:, None] + stds[:, None] * EDGES)
    most = min(max(WORK // len(weights), LEAST_EDGES), MOST_EDGES)
    if len(edges) > most:
        edges = edges[np.linspace(0, len(edges) - 1, most).astype(np.intp)]
    places, masses = leggauss(nodes)
    half = 0.5 * np.diff(edges)
    x = (edges[:-1, None] + half[:, None] * (places + 1)).ravel()
    heights = density(x, weights, means, stds)
    terms = heights * np.log2(np.where(heights > 0, heights, 1.0))
    return -float((half[:, None] * masses).ravel() @ terms)


def _tried(marginal: Density, candidate: Variable) -> tuple[Floats, Floats]:
    """Values of a candidate, encoded, and their probabilities."""
    if candidate.has_labels:
        shares = candidate.shares(marginal.priors[None], marginal.means[None], marginal.covariances)[0]
        likeliest = np.argsort(-shares, kind="stable")[:MOST_LABELS]
        likeliest = likeliest[shares[likeliest] >= LEAST_SHARE * shares.max()]
        return candidate.patterns[likeliest], shares[likeliest] / shares[likeliest].sum()
    shares = (np.arange(N_VALUES) + 0.5) / N_VALUES
    line = marginal.priors[None], marginal.means[None, :, 0], np.sqrt(marginal.covariances[None, :, 0, 0])
    return quantile(shares, *line)[:, None], np.full(N_VALUES, 1 / N_VALUES)


def _whole(
    pair: Density, shares: Floats, weights: Floats, means: Floats, stds: Floats, candidate: Variable
) -> tuple[Floats, Floats, Floats]:
    """Weights, means and standard deviations of the wanted number where the candidate is not known."""
    if candidate.has_labels:
        return (shares[:, None] * weights).ravel(), means.ravel(), np.tile(stds, len(shares))
    return pair.priors, pair.means[:, -1], np.sqrt(pair.covariances[:, -1, -1])


def _label_bits(shares: Floats, weights: Floats) -> float:
    """Entropy of the mean of distributions, minus the mean of their entropies."""
    return float(_label_entropy(weights @ shares) - weights @ _label_entropy(shares))


def _label_entropy(shares: Floats) -> Floats:
    logs = np.log2(np.where(shares > 0, shares, 1.0))
    return np.asarray(-(shares * logs).sum(axis=-1))
