"""What predicts: Fast IGMN in its forms, and baselines of scikit-learn, on columns encoded as each wants them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import numpy as np

import figmn
from workbench.evaluate.quality.scores import log_loss
from workbench.evaluate.trial.plan import Plan, TaskKind
from workbench.source import Encoding
from workbench.words.sentences import UserError

JOINT, PER_CLASS, ENSEMBLE, TUNED = "joint", "per class", "ensemble", "tuned"
FORMS: Mapping[TaskKind, Mapping[str, str]] = {
    "classes": {
        JOINT: "Fast IGMN",
        PER_CLASS: "Fast IGMN, a mixture per class",
        ENSEMBLE: "Fast IGMN, ensemble",
        TUNED: "Fast IGMN, tuned",
    },
    "numbers": {JOINT: "Fast IGMN", TUNED: "Fast IGMN, tuned"},
    "density": {JOINT: "Fast IGMN", TUNED: "Fast IGMN, tuned"},
}
"""Forms of Fast IGMN by name, with titles; the first has inputs and target in one mixture, as on the Stream page."""

GRID: Mapping[str, tuple[float | None, ...]] = {
    "delta": (None, 0.1, 0.3, 1.0),
    "beta": (0.0, 0.0001, 0.01),
    "label_width": (0.1, 1.0),
}
"""Values among which the tuned form chooses inside of every training set, in three folds; None is automatic."""
TUNING_FOLDS = 3


@dataclass(frozen=True)
class Method:
    """A learner that is made anew for every fold."""

    name: str
    title: str
    make: Callable[[], Any]
    """A new estimator in the manner of scikit-learn."""
    encoding: Encoding
    learns_running: bool = False
    """Whether it learns by `partial_fit`, so that widths come from running standard deviations."""
    effort: float = 1.0
    """How much longer it takes to learn than one mixture, roughly."""


def methods_of(plan: Plan) -> tuple[Method, ...]:
    """Fast IGMN as the plan wants it, and the baseline where there is one."""
    chosen = [_form(plan)]
    if plan.baseline is not None:
        chosen.append(_baseline(plan, plan.baseline))
    return tuple(chosen)


STREAM_BASELINES: Mapping[TaskKind, Mapping[str, str]] = {
    "classes": {"majority": "majority class so far", "last": "last class again", "bayes": "naive Bayes"},
    "numbers": {"mean": "mean so far", "last": "last value again"},
    "density": {"gaussian": "one Gaussian"},
}
"""Names and titles of those that learn row by row, for a prequential test."""


def baselines(kind: TaskKind, is_stream: bool = False) -> Mapping[str, str]:
    """Names and titles of the baselines for a kind of task; `is_stream` for a prequential test.

    >>> list(baselines("numbers").values())
    ['mean of the training rows', 'linear regression', '1-nearest neighbour', 'gradient boosting']
    """
    return STREAM_BASELINES[kind] if is_stream else {name: title for name, (title, _) in _BASELINES[kind].items()}


def _form(plan: Plan) -> Method:
    kind, parameters = plan.task.kind, asdict(plan.recipe.choices.parameters)
    title, is_running = form_title(plan), plan.recipe.choices.scale == "running"
    if kind == "classes" and not is_running:
        parameters["label_width"] = plan.recipe.choices.label_width
    if plan.method == TUNED:
        return Method(TUNED, title, partial(_tuned, kind, parameters), plan.recipe.encoding, effort=math.inf)
    effort = 10.0 if plan.method == ENSEMBLE else 1.0
    make = partial(_made, kind, plan.method, parameters)
    return Method(plan.method, title, make, plan.recipe.encoding, is_running, effort)


def _tuned(kind: TaskKind, parameters: dict[str, Any]) -> Any:
    from sklearn.model_selection import GridSearchCV

    grid = {name: list(values) for name, values in GRID.items() if name != "label_width" or kind == "classes"}
    # A density is scored by its own log-likelihood.
    scoring = {"classes": minus_log_loss, "numbers": "neg_root_mean_squared_error", "density": None}[kind]
    return GridSearchCV(_made(kind, JOINT, parameters), grid, scoring=scoring, cv=TuningFolds(), error_score="raise")


class TuningFolds:
    """Folds inside of a training set: classes are spread evenly where one has enough rows."""

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:  # noqa: ARG002
        """Number of folds."""
        return TUNING_FOLDS

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[Any, Any]]:  # noqa: ARG002
        """Positions of training and test rows."""
        from sklearn.model_selection import KFold, StratifiedKFold

        has_classes = y is not None and np.asarray(y).dtype.kind in "iu"
        is_divisible = has_classes and np.unique(y, return_counts=True)[1].max() >= TUNING_FOLDS
        splitter = StratifiedKFold(TUNING_FOLDS) if is_divisible else KFold(TUNING_FOLDS)
        yield from splitter.split(X, y)


def minus_log_loss(model: Any, X: Any, y: Any) -> float:
    """A score of probabilities; a class that the model has not met has none."""
    probabilities = np.zeros((len(y), int(max(y.max(), model.classes_.max())) + 1))
    probabilities[:, model.classes_] = model.predict_proba(X)
    return -log_loss(probabilities, y)


def _made(kind: TaskKind, form: str, parameters: dict[str, Any]) -> Any:
    """An estimator of the library."""
    if kind == "numbers":
        return figmn.FastIGMNRegressor(**parameters)
    if kind == "density":
        return figmn.FastIGMNMixture(**parameters)
    return class_estimator(form, parameters)


def class_estimator(form: str, parameters: dict[str, Any], scale: Any = None) -> Any:
    """A classifier of the library; the ensemble's members have their own values of some hyper-parameters."""
    if form == ENSEMBLE:
        known = figmn.FastIGMNEnsemble().get_params()
        return figmn.FastIGMNEnsemble(
            **{name: value for name, value in parameters.items() if name in known}, scale=scale
        )
    return figmn.FastIGMNClassifier(**parameters, scale=scale, mixtures=form)


def form_title(plan: Plan) -> str:
    """Title of the plan's form of Fast IGMN."""
    known = FORMS[plan.task.kind]
    if plan.method not in known:
        raise UserError(
            "{value!r} is no form of Fast IGMN for {task}. Choose one of: {known}.",
            value=plan.method,
            task=plan.task.words,
            known=", ".join(known),
        )
    return known[plan.method]


def unknown_baseline(plan: Plan, known: Mapping[str, object]) -> UserError:
    """For a baseline that the task does not have."""
    return UserError(
        "The baseline {value!r} is not known for {task}. Choose one of: {known}.",
        value=str(plan.baseline),
        task=plan.task.words,
        known=", ".join(known),
    )


def _baseline(plan: Plan, name: str) -> Method:
    known = _BASELINES[plan.task.kind]
    if name not in known:
        raise unknown_baseline(plan, known)
    title, make = known[name]
    return Method(name, title, partial(make, plan.recipe.choices.seed), FILLED)


FILLED = Encoding(scaling="standard", missing="mean")
"""Standardised, gaps filled with the mean or the most frequent label: scikit-learn's learners take no gaps."""


# scikit-learn is imported where it is used: that takes a second.


def _majority(_: int) -> Any:
    from sklearn.dummy import DummyClassifier

    return DummyClassifier(strategy="prior")


def _bayes(_: int) -> Any:
    from sklearn.naive_bayes import GaussianNB

    return GaussianNB()


def _nearest(_: int) -> Any:
    from sklearn.neighbors import KNeighborsClassifier

    return KNeighborsClassifier(1)


def _logistic(_: int) -> Any:
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(max_iter=1000)


def _boosting(seed: int) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier

    # Early stopping holds rows out by class, which a class of one row does not allow.
    return HistGradientBoostingClassifier(random_state=seed, early_stopping=False)


def _mean(_: int) -> Any:
    from sklearn.dummy import DummyRegressor

    return DummyRegressor()


def _linear(_: int) -> Any:
    from sklearn.linear_model import LinearRegression

    return LinearRegression()


def _nearest_number(_: int) -> Any:
    from sklearn.neighbors import KNeighborsRegressor

    return KNeighborsRegressor(1)


def _boosted_number(seed: int) -> Any:
    from sklearn.ensemble import HistGradientBoostingRegressor

    return HistGradientBoostingRegressor(random_state=seed, early_stopping=False)


def _gaussian(_: int) -> Any:
    from sklearn.mixture import GaussianMixture

    return GaussianMixture(1)


def _bayesian_mixture(seed: int) -> Any:
    from sklearn.mixture import BayesianGaussianMixture

    return BayesianGaussianMixture(n_components=10, max_iter=500, random_state=seed)


_BASELINES: Mapping[TaskKind, Mapping[str, tuple[str, Callable[[int], Any]]]] = {
    "classes": {
        "majority": ("majority class", _majority),
        "bayes": ("naive Bayes", _bayes),
        "nearest": ("1-nearest neighbour", _nearest),
        "logistic": ("logistic regression", _logistic),
        "boosting": ("gradient boosting", _boosting),
    },
    "numbers": {
        "mean": ("mean of the training rows", _mean),
        "linear": ("linear regression", _linear),
        "nearest": ("1-nearest neighbour", _nearest_number),
        "boosting": ("gradient boosting", _boosted_number),
    },
    "density": {
        "gaussian": ("one Gaussian", _gaussian),
        "bayesian": ("Bayesian mixture of up to 10", _bayesian_mixture),
    },
}
