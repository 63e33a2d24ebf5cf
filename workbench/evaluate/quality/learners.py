"""The classifiers that are compared, each with the candidates among which it chooses inside of a training fold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import figmn
from figmn import FastIGMNClassifier
from figmn.params import NEUTRAL
from workbench.source import Encoding
from workbench.words.sentences import UserError

GAPS_KEPT = Encoding()
"""User's units, NaN where a value is missing: for Fast IGMN, which scales by itself and takes NaN as unknown."""
FILLED = Encoding(scaling="standard", missing="mean")
"""Standardised, gaps filled with the mean or the most frequent label: for all others."""
PAPER_WIDTHS = (0.01, 0.1, 1.0)
"""Values of δ that the paper tries."""
PAPER_NOVELTY = 0.001
"""The paper's β."""

TUNED: tuple[dict[str, Any], ...] = (
    {"delta": 1.0, "beta": 0.0},
    {"delta": 1.0, "mixtures": "per class"},
    {"delta": 0.1, "mixtures": "per class"},
)
"""As many candidates as in the paper: one joint Gaussian, and wide and narrow components for each class."""
NINE: tuple[dict[str, Any], ...] = (
    *TUNED,
    {"delta": 1.0, "beta": 0.0, "mixtures": "per class"},
    {"delta": 0.3, "mixtures": "per class"},
    {"mixtures": "per class", "beta": 0.01},
    {},
    {"beta": 0.01},
    {"delta": 0.1},
)
"""More candidates: also automatic widths, another novelty level, and joint mixtures."""


@dataclass(frozen=True)
class Learner:
    """A classifier and the settings that it may choose from."""

    title: str
    candidates: tuple[Callable[[], Any], ...]
    """Each makes a new scikit-learn classifier. With more than one, two folds of the training fold decide."""
    encoding: Encoding = FILLED


def chosen_learners(names: Sequence[str], **parameters: Any) -> dict[str, Learner]:
    """The learners of these names; none: all. `parameters` are for Fast IGMN without tuning.

    >>> [one.title for one in chosen_learners(["figmn", "bayes"]).values()]
    ['Fast IGMN', 'naive Bayes']
    """
    known = {**mixtures(**parameters), **scikit_learners()}
    for name in names:
        if name not in known:
            raise UserError(
                "The learner {value!r} is not known. Choose from: {known}.", value=name, known=", ".join(known)
            )
    return {name: known[name] for name in names or known}


def mixtures(**parameters: Any) -> dict[str, Learner]:
    """Fast IGMN in its forms. Three candidates are as many as the paper tries."""
    off: dict[str, Any] = dict(NEUTRAL)
    paper = [partial(FastIGMNClassifier, delta=delta, beta=PAPER_NOVELTY, **off) for delta in PAPER_WIDTHS]
    found = {
        "figmn": Learner("Fast IGMN", tuple(partial(FastIGMNClassifier, **one) for one in TUNED), GAPS_KEPT),
        "figmn9": Learner("Fast IGMN, nine", tuple(partial(FastIGMNClassifier, **one) for one in NINE), GAPS_KEPT),
        "defaults": Learner("Fast IGMN, untuned", (partial(FastIGMNClassifier, **parameters),), GAPS_KEPT),
        "paper": Learner("Fast IGMN as in the paper", tuple(paper), GAPS_KEPT),
    }
    ensemble = getattr(figmn, "FastIGMNEnsemble", None)
    return found if ensemble is None else {**found, "ensemble": Learner("ensemble", (ensemble,), GAPS_KEPT)}


def scikit_learners() -> dict[str, Learner]:
    """scikit-learn's, on standardised columns; those with a setting that matters have three candidates as well."""
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.neural_network import MLPClassifier
    from sklearn.svm import SVC

    forest = [partial(RandomForestClassifier, n_estimators=200, min_samples_leaf=least) for least in (1, 3, 10)]
    network = [partial(MLPClassifier, hidden_layer_sizes=(50,), max_iter=500, alpha=alpha) for alpha in (1e-4, 0.1, 3)]
    return {
        "forest": Learner("RandomForest", tuple(forest)),
        "svc": Learner("SVC", tuple(partial(SVC, C=cost) for cost in (0.1, 1.0, 10.0))),
        "lda": Learner("LDA, shrunk", (partial(LinearDiscriminantAnalysis, solver="lsqr", shrinkage="auto"),)),
        "mlp": Learner("MLP", tuple(network)),
        "bayes": Learner("naive Bayes", tuple(partial(GaussianNB, var_smoothing=share) for share in (1e-9, 1e-3, 0.1))),
        "nearest": Learner("1-NN", (partial(KNeighborsClassifier, n_neighbors=1),)),
    }
