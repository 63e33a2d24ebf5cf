"""Whether one method is better than another on the same folds, and how sure that is."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from workbench.evaluate.significance import PairedTest, paired_t_test
from workbench.evaluate.trial.figures import Measure, figure
from workbench.evaluate.trial.outcome import Evaluation, Outcome, Tested
from workbench.words.sentences import UserError

SAME = 0.01
"""Shares that differ by less than this are the same in practice, as in Benavoli et al. (2017)."""


@dataclass(frozen=True)
class Comparison:
    """A figure of two methods on the same folds."""

    measure: Measure
    first: float
    second: float
    """Means over the folds."""
    n_folds: int
    better: float
    same: float
    worse: float
    """Probabilities that the first is better, that both are the same to within `margin`, and that it is worse."""
    margin: float
    test: PairedTest
    """Student's paired t-test, which takes folds for independent."""
    corrected: PairedTest
    """The corrected resampled t-test, which does not (Nadeau and Bengio 2003)."""


def compare(
    first: Evaluation, second: Evaluation, name: str, outcomes: tuple[Outcome, Outcome] | None = None
) -> Comparison:
    """Compare a figure of the first methods of two evaluations, or of two outcomes of them, fold by fold.

    The probabilities are those of the Bayesian correlated t-test of Corani and Benavoli (2015): the posterior of the
    mean difference is Student's t with the variance of the corrected test.
    """
    pair = outcomes or (first.outcomes[0], second.outcomes[0])
    _check_same_data(first, second)
    _check_same_folds(pair)
    found = [figure(evaluation, outcome, name) for evaluation, outcome in zip((first, second), pair, strict=True)]
    values = np.array([one.folds for one in found])
    if not np.isfinite(values).all():
        raise UserError(
            "{figure} is not defined in every fold, so the two cannot be compared by it. Choose another figure, or "
            "fewer folds.",
            figure=found[0].measure.title,
        )
    measure = found[0].measure
    if not measure.better:
        raise UserError(
            "More of {figure} is neither better nor worse, so nothing is compared by it. Choose another figure.",
            figure=measure.title,
        )
    share = _tested_share(pair[0])
    margin = (
        SAME
        if measure.unit == "share" or measure.name in {"auc", "first_auc", "kappa", "r2", "f1"}
        else (SAME * float(np.abs(values).mean()))
    )
    less, same, more = _probabilities(values[0] - values[1], share, margin)
    better, worse = (less, more) if measure.better == "less" else (more, less)
    return Comparison(
        measure=measure,
        first=float(values[0].mean()),
        second=float(values[1].mean()),
        n_folds=values.shape[1],
        better=better,
        same=same,
        worse=worse,
        margin=margin,
        test=paired_t_test(values[0].tolist(), values[1].tolist()),
        corrected=_corrected(values[0] - values[1], share),
    )


def _check_same_data(first: Evaluation, second: Evaluation) -> None:
    if first.plan.recipe.origin != second.plan.recipe.origin:
        raise UserError(
            "{first} and {second} are different data, so their figures cannot be compared fold by fold. Evaluate both "
            "on the same data.",
            first=first.plan.recipe.origin.title,
            second=second.plan.recipe.origin.title,
        )


def _check_same_folds(pair: tuple[Outcome, Outcome]) -> None:
    parts = [outcome.parts for outcome in pair]
    if len(parts[0]) != len(parts[1]) or not all(map(_is_same_test, *parts)):
        raise UserError(
            "The two were tested on other rows, so they cannot be compared fold by fold. Evaluate both with the same "
            "data, test option and seed."
        )
    if len(parts[0]) < 2:  # noqa: PLR2004 - one difference has no variance
        raise UserError(
            "The two were tested on one set of rows only, which says nothing about chance. Evaluate both by "
            "cross-validation or with several repeats."
        )


def _is_same_test(one: Tested, other: Tested) -> bool:
    """Whether the same rows with the same truth were tested, in any order."""
    if len(one.rows) != len(other.rows):
        return False
    first, second = np.argsort(one.rows, kind="stable"), np.argsort(other.rows, kind="stable")
    return np.array_equal(one.rows[first], other.rows[second]) and np.array_equal(one.truth[first], other.truth[second])


def _tested_share(outcome: Outcome) -> float:
    """Test rows for each training row."""
    return float(np.mean([len(part.rows) / max(1, part.n_trained) for part in outcome.parts]))


def _variance(differences: np.ndarray, share: float) -> float:
    """Of the mean difference; folds that share training rows are correlated."""
    return float(np.var(differences, ddof=1) * (1 / len(differences) + share))


def _probabilities(differences: np.ndarray, share: float, margin: float) -> tuple[float, float, float]:
    """That the mean difference is below -margin, within the margin, and above it."""
    from scipy.special import stdtr

    mean, variance = float(differences.mean()), _variance(differences, share)
    if variance == 0:
        return float(mean < -margin), float(abs(mean) <= margin), float(mean > margin)
    scale, freedom = math.sqrt(variance), len(differences) - 1
    below = float(stdtr(freedom, (-margin - mean) / scale))
    above = float(stdtr(freedom, (mean - margin) / scale))
    return below, max(0.0, 1 - below - above), above


def _corrected(differences: np.ndarray, share: float) -> PairedTest:
    from scipy.special import stdtr

    mean, variance, n = float(differences.mean()), _variance(differences, share), len(differences)
    if variance == 0:
        return PairedTest(float(np.copysign(np.inf, mean)) if mean else 0.0, 0.0 if mean else 1.0, n)
    t = mean / math.sqrt(variance)
    return PairedTest(t, float(2 * stdtr(n - 1, -abs(t))), n)
