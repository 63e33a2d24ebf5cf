"""Arguments of the estimators: changes between calls, given widths, names in messages, columns out of order."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from figmn import (
    ConstantColumnWarning,
    FastIGMN,
    FastIGMNClassifier,
    FastIGMNMixture,
    FastIGMNRegressor,
    load,
    save,
)
from figmn.params import CHANGEABLE, NEUTRAL
from tests.figmn.estimators.data import iris

ESTIMATORS = [
    FastIGMNClassifier(),
    FastIGMNClassifier(mixtures="per class"),
    FastIGMNRegressor(),
    FastIGMNMixture(),
]
OTHER = {"beta": 0.2, "v_min": 7, "sp_min": 1.5, "memory": 50, "max_components": 9, "merge_below": 0.1}


def started(estimator: Any) -> Any:
    X, y = iris()
    named = {"classes": [0, 1, 2]} if isinstance(estimator, FastIGMNClassifier) else {}
    return clone(estimator).partial_fit(X[:60], y[:60], **named)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)
class TestChangesBetweenCalls:
    @pytest.mark.parametrize("name", CHANGEABLE)
    def test_they_count(self, estimator: Any, name: str) -> None:
        X, y = iris()
        model = started(estimator).set_params(**{name: OTHER[name]}).partial_fit(X[60:61], y[60:61])
        assert {getattr(mixture.parameters, name) for mixture in model._models()} == {float(OTHER[name])}
        assert getattr(started(estimator)._models()[0].parameters, name) != OTHER[name]

    def test_they_change_what_is_learned(self, estimator: Any) -> None:
        X, y = iris()
        model = started(estimator).set_params(beta=0.9)
        before = model.n_components_
        assert model.partial_fit(X[60:], y[60:]).n_components_ > before + 9

    @pytest.mark.parametrize(
        ("name", "value"), [("delta", 0.7), ("covariance", "published"), ("prior_count", 3.0), ("scale", [1.0] * 4)]
    )
    def test_others_are_refused(self, estimator: Any, name: str, value: Any) -> None:
        X, y = iris()
        model = started(estimator).set_params(**{name: value})
        state = model._models()[0].means
        with pytest.raises(ValueError, match=rf"{name} = .* was set after learning began.*call fit, or set it back"):
            model.partial_fit(X[60:], y[60:])
        np.testing.assert_array_equal(model._models()[0].means, state)
        model.set_params(**{name: None if name != "covariance" else "exact"}).partial_fit(X[60:], y[60:])

    def test_the_same_value_is_no_change(self, estimator: Any) -> None:
        X, y = iris()
        model = pickle.loads(pickle.dumps(started(clone(estimator).set_params(delta=0.5, memory=None))))
        model.set_params(delta=float("0.5"), memory=np.inf).partial_fit(X[60:], y[60:])

    def test_bad_values_are_named(self, estimator: Any) -> None:
        with pytest.raises(ValueError, match="beta = 3 is outside the range"):
            started(estimator).set_params(beta=3).partial_fit(*iris())


def test_the_form_of_a_classifier_is_refused_too() -> None:
    with pytest.raises(ValueError, match="mixtures = 'per class' was set after learning began"):
        started(FastIGMNClassifier()).set_params(mixtures="per class").partial_fit(*iris())


def test_a_class_that_comes_later_follows_changes() -> None:
    X, y = iris()
    model = FastIGMNClassifier(mixtures="per class").partial_fit(X[y == 0], y[y == 0])
    model.set_params(beta=0.3).partial_fit(X[y == 1], y[y == 1])
    assert [mixture.parameters.beta for mixture in model.models_] == [0.3, 0.3]


class TestGivenWidths:
    def test_they_are_those_of_the_engine(self) -> None:
        X, y = iris()
        widths = [0.5, 0.3, 1.0, 0.4]
        expected = FastIGMN(delta=0.5, scale=widths).learn(X).means
        for verb in ("fit", "partial_fit"):
            model = getattr(FastIGMNMixture(delta=0.5, scale=widths), verb)(X)
            np.testing.assert_array_equal(model.means_, expected)
        separate = FastIGMNClassifier(mixtures="per class", delta=0.5, scale=widths).fit(X, y)
        np.testing.assert_array_equal(
            separate.models_[1].means, FastIGMN(delta=0.5, scale=widths).learn(X[y == 1]).means
        )
        joint = FastIGMNClassifier(scale=widths).partial_fit(X, y, classes=[0, 1, 2])
        np.testing.assert_allclose(np.array(joint.model_.scale), [*widths, *[np.sqrt(2) / 3] * 3])
        np.testing.assert_allclose(np.array(FastIGMNClassifier(scale=widths).fit(X, y).model_.scale)[:4], widths)
        regressor = FastIGMNRegressor(scale=[*widths, 2.0]).fit(X, y)
        np.testing.assert_array_equal(regressor.model_.scale, [*widths, 2.0])

    @pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)
    def test_bad_ones_are_refused(self, estimator: Any) -> None:
        for scale, reason in [([1.0], "scale has 1 numbers"), ([-1.0] * 4, "is not a standard deviation")]:
            for verb in ("fit", "partial_fit"):
                named = {"classes": [0, 1, 2]} if verb != "fit" and isinstance(estimator, FastIGMNClassifier) else {}
                with pytest.raises(ValueError, match=reason):
                    getattr(clone(estimator).set_params(scale=scale), verb)(*iris(), **named)


class TestNames:
    X = pd.DataFrame({"length": np.arange(12.0), "width": np.full(12, 3.0)})
    y = pd.Series(np.arange(12) % 2, name="kind")

    def test_warnings_name_columns(self) -> None:
        for model, expected in [
            (FastIGMNMixture(), r"column 1 \('width'\) did not vary"),
            (FastIGMNClassifier(), r"column 1 \('width'\) did not vary"),
            (FastIGMNRegressor(), r"column 1 \('width'\) did not vary"),
        ]:
            with pytest.warns(ConstantColumnWarning, match=expected):
                model.fit(self.X, self.y)

    def test_targets_have_names(self) -> None:
        X = self.X[["length"]]
        assert FastIGMNClassifier().fit(X, self.y).model_.columns == ("length", "kind=0", "kind=1")
        assert FastIGMNClassifier().fit(X, self.y.to_numpy()).model_.columns == ("length", "class=0", "class=1")
        assert FastIGMNRegressor().fit(X, self.y).model_.columns == ("length", "kind")
        assert FastIGMNRegressor().fit(X, self.y.to_numpy()).model_.columns == ("length", "y")
        targets = pd.DataFrame({"a": self.y, "b": -self.y})
        assert FastIGMNRegressor().partial_fit(X, targets).model_.columns == ("length", "a", "b")
        assert FastIGMNRegressor().fit(X, targets.to_numpy()).model_.columns == ("length", "y[0]", "y[1]")
        assert FastIGMNRegressor().fit(X.to_numpy(), targets).model_.columns is None

    def test_errors_name_columns(self) -> None:
        X = self.X.copy()
        X.loc[3, "width"] = 1e80
        with pytest.raises(ValueError, match=r"row 3, column 1 \('width'\): 1e\+80 cannot be used"):
            FastIGMNMixture().fit(X)

    @pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)
    def test_columns_in_another_order_are_refused(self, estimator: Any) -> None:
        X, y = iris()
        frame = pd.DataFrame(X, columns=list("abcd"))
        model = clone(estimator).fit(frame, y)
        other = frame[list("dcba")]
        for ask in (model.predict, lambda rows: model.partial_fit(rows, y)):
            with pytest.raises(ValueError, match="Feature names must be in the same order as they were in fit"):
                ask(other)
        assert model.fit(other, y).feature_names_in_.tolist() == list("dcba")


@pytest.mark.parametrize("form", ["joint", "per class"])
@pytest.mark.parametrize("labels", [np.array(["no", "yes"]), np.array([False, True]), np.array([3, 17])])
def test_labels_keep_their_kind(form: str, labels: Any) -> None:
    X, y = iris()
    given = labels[(y > 0).astype(int)]
    model = FastIGMNClassifier(mixtures=form).fit(X, given)
    assert model.classes_.dtype == labels.dtype
    assert model.classes_.tolist() == labels.tolist()
    assert (model.predict(X) == given).mean() > 0.95
    assert model.predict(X).dtype == labels.dtype
    model.partial_fit(X, given)


def test_pickles_of_before_go_on() -> None:
    """Made before there were weights, calibration, widths and a mixture per class."""
    content = (Path(__file__).parents[1] / "golden" / "estimators-of-before.pickle").read_bytes()
    for model, asked, expected in pickle.loads(content):
        np.testing.assert_allclose(model.predict(asked), expected)
        assert {name: getattr(model, name) for name in NEUTRAL} == NEUTRAL
        assert {name: getattr(model.model_.parameters, name) for name in NEUTRAL} == NEUTRAL
        assert model.partial_fit(asked, np.round(expected).astype(int)).model_.n_seen == 65
        assert model.scale is None


class TestLabelWidth:
    def test_it_widens_the_columns_of_the_classes_alone(self) -> None:
        X, y = iris()
        usual, narrow = (FastIGMNClassifier(delta=1, label_width=width).fit(X, y).model_ for width in (1.0, 0.1))
        assert usual.scale is not None
        np.testing.assert_allclose(np.asarray(narrow.scale), np.where(np.arange(7) < 4, 1.0, 0.1) * usual.scale)

    def test_given_widths_are_those_of_the_inputs(self) -> None:
        X, y = iris()
        model = FastIGMNClassifier(delta=1, label_width=0.5, scale=np.ones(4))
        widths = np.asarray(model.partial_fit(X, y, classes=[0, 1, 2]).model_.scale)
        np.testing.assert_allclose(widths, [1.0] * 4 + [0.5 * np.sqrt(2) / 3] * 3)

    def test_running_widths_cannot_have_one(self) -> None:
        X, y = iris()
        with pytest.raises(ValueError, match=r"label_width = 0\.5 needs known widths"):
            FastIGMNClassifier(label_width=0.5).partial_fit(X, y, classes=[0, 1, 2])

    def test_it_is_checked_and_kept_in_files(self, tmp_path: Path) -> None:
        X, y = iris()
        with pytest.raises(ValueError, match="label_width = -1 is outside"):
            FastIGMNClassifier(label_width=-1).fit(X, y)
        save(FastIGMNClassifier(label_width=0.5).fit(X, y), tmp_path / "m.figmn")
        assert load(tmp_path / "m.figmn").label_width == 0.5
