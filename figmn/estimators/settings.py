"""Arguments of the estimators: the hyper-parameters, and what only estimators have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from figmn.params import LABEL_WIDTH, Choice, Parameters

MIXTURES = Choice(
    name="mixtures",
    label="mixtures of a classifier",
    help="joint: one mixture over the columns of X and one column per class. per class: a mixture over X for each.",
    choices=("joint", "per class"),
)
"""A parameter of `FastIGMNClassifier` only."""


@dataclass(frozen=True, kw_only=True)
class EstimatorSettings(Parameters):
    """Arguments of every estimator."""

    scale: Any = None


@dataclass(frozen=True, kw_only=True)
class ClassifierSettings(EstimatorSettings):
    """Arguments of the classifier."""

    mixtures: str = MIXTURES.default
    label_width: float = LABEL_WIDTH.default
