"""What the three estimators share: checks, row weights, names, and parameters that change between calls."""

from __future__ import annotations

import operator
import warnings
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from figmn.choosing import suggest
from figmn.estimators.settings import EstimatorSettings
from figmn.fast import FastIGMN
from figmn.params import CHANGEABLE, DECLARED, NEUTRAL, Parameters
from figmn.rows import check_rows, has_gaps, is_plain
from figmn.scale import check_scale, column_std
from figmn.signatures import takes
from figmn.system.arrays import Bools, Floats, Ints

NAMED = 5
"""Skipped rows whose positions a warning lists; the others are only counted."""


class EmptyRowWarning(UserWarning):
    """Rows without any known value were skipped."""


class Chosen(NamedTuple):
    """The rows of a call that are learned."""

    rows: Bools | None
    """None: all of them."""
    weights: Floats | None
    """Of these rows; None: all 1."""
    n_skipped: int
    """Rows without a known value, since learning began."""

    def of(self, array: Any) -> Any:
        """These rows of an array that has all of them."""
        return array if self.rows is None else np.ascontiguousarray(array[self.rows])


class Estimator(BaseEstimator):
    """What the three estimators share."""

    model_: FastIGMN
    n_skipped_: int
    _given: tuple[Any, ...]
    """Arguments of the constructor that the mixtures follow."""

    @takes(EstimatorSettings)
    def __init__(self, **settings: Any) -> None:
        # Unchecked: scikit-learn's `clone` needs the very objects that were given; `fit` checks them.
        self.__dict__.update(settings)

    @property
    def n_components_(self) -> int:
        """Number of components K, of all mixtures together.

        >>> from figmn import FastIGMNMixture
        >>> FastIGMNMixture().fit([[0.0], [1.0], [0.5], [9.0]]).n_components_
        2
        """
        return sum(model.n_components for model in self._fitted())

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(with_later(type(self), state))

    def _models(self) -> list[FastIGMN]:
        """All mixtures; none before the first row is learned."""
        return [self.model_] if hasattr(self, "model_") else []

    def _is_new(self) -> bool:
        return not self._models()

    def _fitted(self) -> list[FastIGMN]:
        models = self._models()
        if not models:
            check_is_fitted(self, "model_")
        return models

    def _changing(self) -> list[FastIGMN]:
        """All mixtures that follow changes of hyper-parameters."""
        return self._models()

    # Rows

    def _checked(self, X: Any, **checks: Any) -> Any:
        """`X` (and y, where given) as scikit-learn checks them, NaN allowed in X."""
        if checks == {"reset": False} and self._names() is None and is_plain(X, self.n_features_in_):
            return X  # scikit-learn's own check would find nothing, in 50 µs
        return validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan", **checks)

    def _chosen(self, X: Floats, sample_weight: Any, is_new: bool) -> Chosen:
        """The rows to learn: rows without a known value are left out with a warning, rows of weight 0 without one.

        At least one is required, unless something was learned before.
        """
        check_rows(X, X.shape[1], self._names())  # before any is left out: errors name positions in X
        empty = np.isnan(X).all(axis=1) if has_gaps(X) else np.zeros(len(X), np.bool_)
        n_empty = int(np.count_nonzero(empty))
        if is_new and n_empty == len(X):
            raise ValueError("no row of X has any value, so there is nothing to learn: give at least one")
        n_skipped = n_empty + (0 if is_new else self.n_skipped_)
        left_out, weights = empty, None
        if sample_weight is not None:
            weights = _check_sample_weight(
                sample_weight, X, dtype=np.float64, ensure_non_negative=True, allow_all_zero_weights=True
            )
            left_out = empty | (weights == 0)
            if is_new and left_out.all():
                raise ValueError(
                    "every row of X with a value has a sample weight of zero, so there is nothing to learn"
                )
        if n_empty:
            _warn_of_empty_rows(np.flatnonzero(empty))
        if not left_out.any():
            return Chosen(None, weights, n_skipped)
        rows = np.logical_not(left_out)
        return Chosen(rows, None if weights is None else weights[rows], n_skipped)

    # Mixtures

    def _new_model(self, scale: Floats | None, columns: Sequence[str] | None, delta: float | None = None) -> FastIGMN:
        """A mixture with the hyper-parameters of the constructor; `delta` is used where it has none."""
        values = {name: getattr(self, name) for name in DECLARED}
        return FastIGMN(**values | ({"delta": delta} if self.delta is None else {}), scale=scale, columns=columns)

    def _found_delta(
        self, rows: Floats, scale: Floats, targets: Sequence[Sequence[int]] = (), per_class: bool = False
    ) -> float | None:
        """δ for a whole table, where the constructor has none; rows count once, whatever their weights."""
        if self.delta is not None:
            return None
        parameters = Parameters(**{name: getattr(self, name) for name in DECLARED})
        return suggest(rows, parameters, targets, scale, per_class).delta

    def _targets(self, n_columns: int) -> list[list[int]]:  # noqa: ARG002 (the regressor has some)
        """Columns of the mixture that are predicted from the others, as `suggest` takes them."""
        return []

    def _given_scale(self, n_columns: int) -> Floats | None:
        """The widths that the constructor was given, checked."""
        if self.scale is None:
            return None
        widths = check_scale(self.scale, None)
        if len(widths) != n_columns:
            raise ValueError(
                f"scale has {len(widths)} numbers, and there are {n_columns} columns: "
                "give one standard deviation for every column of X, and in a regressor of y"
            )
        return widths

    def _names(self, *targets: str) -> list[str] | None:
        """Names of the columns of the mixture, where X has any."""
        names: Iterable[Any] | None = getattr(self, "feature_names_in_", None)
        return None if names is None else [*map(str, names), *targets]

    def _learn_rows(
        self, rows: Floats, chosen: Chosen, columns: Sequence[str] | None, is_new: bool, is_stream: bool
    ) -> None:
        """Learn rows in `model_`, in a new one if `is_new`."""
        if is_new:
            scale, delta = self._given_scale(rows.shape[1]), None
            if not is_stream:
                scale = std_of(rows, chosen.weights) if scale is None else scale
                delta = self._found_delta(rows, scale, self._targets(rows.shape[1]))
            model = self._new_model(scale, columns, delta)
        else:
            self._follow_changes()
            model = self.model_
        if len(rows):
            self._learn_in(model, rows, chosen.weights, is_new)
        self.model_ = model
        self._learned(chosen)

    def _learn_in(self, model: FastIGMN, rows: Floats, weights: Floats | None, is_new: bool) -> None:  # noqa: ARG002
        model.learn(rows, weights)

    def _learned(self, chosen: Chosen) -> None:
        """Note what was skipped, and the arguments that the mixtures follow."""
        self.n_skipped_ = chosen.n_skipped
        self._given = self._arguments()

    def _arguments(self) -> tuple[Any, ...]:
        return tuple(map(self.__dict__.__getitem__, self._get_param_names()))

    def _follow_changes(self) -> None:
        """Apply what `set_params` has changed since the last call, or refuse it."""
        arguments = self._arguments()
        given = getattr(self, "_given", ())
        if len(given) == len(arguments) and all(map(operator.is_, arguments, given)):
            return
        before = dict(zip(self._get_param_names(), given, strict=False))
        models = self._changing()
        old, new = models[0].parameters, Parameters(**{name: getattr(self, name) for name in DECLARED})
        # Mixtures have numbers in place of automatic values.
        automatic = {name for name in DECLARED if getattr(new, name) is None and before.get(name) is None}
        changed = {name: value for name, value in asdict(new).items() if value != getattr(old, name)}
        changed = {name: value for name, value in changed.items() if name not in automatic}
        self._refuse_changes(name for name in changed if name not in CHANGEABLE)
        for model in models:
            model.change(**changed)
        self._given = arguments

    def _refuse_changes(self, names: Iterable[str] = ()) -> None:
        """Raise `ValueError` if there are names, or an argument has changed that is no hyper-parameter."""
        before = dict(zip(self._get_param_names(), getattr(self, "_given", ()), strict=False))
        others = [name for name in before if name not in DECLARED and not _is_same(before[name], getattr(self, name))]
        for name in [*others, *names]:
            raise ValueError(
                f"{name} = {getattr(self, name)!r} was set after learning began, and takes effect only from the start: "
                f"call fit, or set it back; {', '.join(CHANGEABLE)} may change between calls of partial_fit"
            )


class ClassPredictor(ClassifierMixin):
    """What classifiers derive from `predict_proba`."""

    classes_: Any

    @abstractmethod
    def predict_proba(self, X: Any) -> Floats:
        """Class distribution of every row, never exactly 0.

        >>> from figmn import FastIGMNClassifier
        >>> X, y = np.array([[0.0], [1.0], [5.0], [6.0]]), ["low", "low", "high", "high"]
        >>> FastIGMNClassifier().fit(X, y).predict_proba([[0.4]]).sum()
        np.float64(1.0)
        """

    def predict_log_proba(self, X: Any) -> Floats:
        """Logarithms of `predict_proba`, all finite.

        >>> from figmn import FastIGMNClassifier
        >>> X, y = np.array([[0.0], [1.0], [5.0], [6.0]]), ["low", "low", "high", "high"]
        >>> FastIGMNClassifier().fit(X, y).predict_log_proba([[0.4]]).round(2)
        array([[-1.28, -0.33]])
        """
        return np.log(self.predict_proba(X))

    def predict(self, X: Any) -> Any:
        """Most probable class of every row.

        >>> from figmn import FastIGMNClassifier
        >>> X, y = np.array([[0.0], [1.0], [5.0], [6.0]]), ["low", "low", "high", "high"]
        >>> FastIGMNClassifier().fit(X, y).predict([[0.4]]).tolist()
        ['low']
        """
        most_probable = self.predict_proba(X).argmax(axis=1)
        return self.classes_[most_probable]


def with_later(cls: type[Estimator], state: dict[str, Any]) -> dict[str, Any]:
    """A state of before, with the arguments that were declared later: what was learned, was learned without these."""
    later = {name: NEUTRAL.get(name, default) for name, default in cls().get_params().items() if name not in state}
    return later | state


def std_of(rows: Floats, weights: Floats | None) -> Floats:
    """Standard deviation of the known values of every column, each row counted `weights` times.

    >>> std_of(np.array([[1.0], [3.0]]), np.array([3.0, 1.0])) == std_of(np.array([[1.0], [1.0], [1.0], [3.0]]), None)
    array([ True])
    """
    if weights is None:
        return column_std(rows)
    known = ~np.isnan(rows)
    shares = known * weights[:, None]
    shares /= np.maximum(shares.sum(axis=0), np.finfo(np.float64).tiny)
    # Relative to a value of the column itself, equal values have deviations of exactly 0.
    shifted = np.where(known, rows - rows[known.argmax(axis=0), np.arange(rows.shape[1])], 0.0)
    return np.asarray(np.sqrt((shares * (shifted - (shares * shifted).sum(axis=0)) ** 2).sum(axis=0)))


def _is_same(before: Any, after: Any) -> bool:
    if before is None or after is None:
        return before is after
    return np.array_equal(before, after)


def _warn_of_empty_rows(rows: Ints) -> None:
    named = ", ".join(str(row) for row in rows[:NAMED].tolist())
    more = f" and {len(rows) - NAMED:,} more" if len(rows) > NAMED else ""
    count = "1 row of X has" if len(rows) == 1 else f"{len(rows):,} rows of X have"
    warnings.warn(
        f"{count} no value in any column and will be skipped (counted from 0): {named}{more}",
        EmptyRowWarning,
        stacklevel=4,  # to the caller of fit
    )
