"""Estimators in files: `figmn.save` and `figmn.load`."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import figmn
from figmn import (
    FastIGMN,
    FastIGMNClassifier,
    FastIGMNEnsemble,
    FastIGMNMixture,
    FastIGMNRegressor,
    FileFormatError,
)
from figmn.estimators.files import VERSION
from figmn.storage import DIGEST_SIZE, ESTIMATOR_MAGIC, LENGTHS
from tests.figmn.estimators.data import iris

ESTIMATORS = [
    FastIGMNClassifier(delta=0.5, memory=1000),
    FastIGMNClassifier(mixtures="per class", scale=np.array([0.5, 0.4, 1.0, 0.7])),
    FastIGMNRegressor(beta=0.01),
    FastIGMNMixture(),
    FastIGMNEnsemble(memory=1000),
]
CLASSIFIERS = FastIGMNClassifier, FastIGMNEnsemble


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "estimator.figmn"


def again(estimator: Any, path: Path) -> Any:
    figmn.save(estimator, path)
    return figmn.load(path)


def answers(estimator: Any, X: Any) -> Any:
    return estimator.predict(X) if isinstance(estimator, FastIGMNRegressor) else estimator.predict_proba(X)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)
class TestRoundTrip:
    @pytest.mark.parametrize("n_rows", [5, 17, 40, 150])
    def test_it_answers_and_learns_alike(self, estimator: Any, n_rows: int, path: Path) -> None:
        X, y = iris()
        named = {"classes": [0, 1, 2]} if isinstance(estimator, CLASSIFIERS) else {}
        model = clone(estimator).partial_fit(X[:n_rows], y[:n_rows], **named)
        twin = again(model, path)
        assert type(twin) is type(model)
        np.testing.assert_array_equal(answers(twin, X), answers(model, X))
        for row in range(60, 90):  # through the tests of the calibration
            for one in (model, twin):
                one.partial_fit(X[row : row + 1], y[row : row + 1])
        np.testing.assert_array_equal(answers(twin, X), answers(model, X))

    def test_names_and_settings_come_back(self, estimator: Any, path: Path) -> None:
        X, y = iris()
        frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
        twin = again(clone(estimator).fit(frame, y), path)
        assert twin.feature_names_in_.tolist() == ["a", "b", "c", "d"]
        assert twin.n_features_in_ == 4
        for name, value in estimator.get_params().items():
            assert np.array_equal(getattr(twin, name), value)
        with pytest.raises(ValueError, match="same order"):
            twin.predict(frame[["d", "c", "b", "a"]])
        with pytest.raises(ValueError, match=r"delta = 0\.77 was set after learning began"):
            twin.set_params(delta=0.77).partial_fit(frame, y)

    def test_one_that_was_not_fitted(self, estimator: Any, path: Path) -> None:
        twin = again(estimator, path)
        assert repr(twin.fit(*iris()).n_components_) == repr(clone(estimator).fit(*iris()).n_components_)


@pytest.mark.parametrize("form", ["joint", "per class"])
@pytest.mark.parametrize(
    "labels",
    [
        np.array(["röt", "grün", "blau"]),
        np.array(["red", "green", "blue"], object),
        np.array([1.0, 2.0, 3.0]),
        np.array([2**40, 7, 9]),
        np.array([True, False, True]),
    ],
)
def test_labels_come_back(form: str, labels: Any, path: Path) -> None:
    X, y = iris()
    model = FastIGMNClassifier(mixtures=form).fit(X, labels[y])
    twin = again(model, path)
    assert twin.classes_.dtype == model.classes_.dtype
    np.testing.assert_array_equal(twin.predict(X), model.predict(X))


def test_classes_that_have_not_occurred(path: Path) -> None:
    X, y = iris()
    model = FastIGMNClassifier(mixtures="per class").partial_fit(X[y < 2], y[y < 2], classes=[0, 1, 2])
    twin = again(model, path)
    assert twin.models_[2] is None
    np.testing.assert_array_equal(twin.predict_proba(X), model.predict_proba(X))


def test_an_ensemble_keeps_its_members_and_their_weights(path: Path) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 6))
    y = np.where(X[:, 0] * X[:, 1] > 0, "same", "other")
    model = FastIGMNEnsemble().partial_fit(X[:200], y[:200], classes=["same", "other"])
    assert len(model.members_) < 9  # some have been dropped
    twin = again(model, path)
    assert twin.classes_.tolist() == ["other", "same"]
    for one in (model, twin):
        one.set_params(memory=50).partial_fit(X[200:], y[200:])
    np.testing.assert_array_equal(twin.weights_, model.weights_)
    np.testing.assert_array_equal(twin.predict_proba(X), model.predict_proba(X))
    for member, other in zip(twin.members_, model.members_, strict=True):
        assert member.get_params() == other.get_params()
        np.testing.assert_array_equal(member.predict_proba(X), other.predict_proba(X))


def test_what_cannot_be_saved(path: Path) -> None:
    with pytest.raises(TypeError, match="dict cannot be saved: give one of FastIGMN, IGMN, Snapshot, FastIGMNClass"):
        figmn.save({}, path)
    dates = np.array(["2020-01-01", "2021-01-01", "2022-01-01"], "datetime64[D]").astype(object)
    model = FastIGMNMixture().fit(iris()[0])
    model.delta = dates
    with pytest.raises(TypeError, match=r"delta = .* cannot be saved"):
        figmn.save(model, path)
    assert not path.exists()


def test_models_are_still_models(path: Path) -> None:
    figmn.save(FastIGMN(scale=[1.0]).learn([[0.0]]), path)
    assert isinstance(figmn.load(path), FastIGMN)


def forged(path: Path, of: Any = None, **changes: Any) -> bytes:
    """The file of an estimator, by default a classifier, with another header and a checksum that is right."""
    figmn.save((of or FastIGMNClassifier()).fit(*iris()), path)
    data = path.read_bytes()
    _, version, header_size, body_size = LENGTHS.unpack_from(data)
    header = json.loads(data[LENGTHS.size : LENGTHS.size + header_size])
    for place, value in changes.items():
        inside, *names = [header, *place.split("__")]
        for name in names[:-1]:
            inside = inside[int(name)] if name.isdigit() else inside[name]
        inside[names[-1]] = value
    encoded = json.dumps(header).encode()
    body = data[LENGTHS.size + header_size : -DIGEST_SIZE]
    whole = LENGTHS.pack(ESTIMATOR_MAGIC, version, len(encoded), body_size) + encoded + body
    return whole + hashlib.sha256(whole).digest()


@pytest.mark.parametrize(
    "changes",
    [
        {"estimator": "os.system"},
        {"parameters__exec": "1"},
        {"sizes": [1]},
        {"sizes": []},
        {"learned__classes": {"dtype": "V8", "values": []}},
        {"learned__classes": {"dtype": "<i8", "values": [0, 1]}},
        {"learned__calibration": [1, 2, [0.0]]},
        {"learned__calibration": [1, 0, [0.0] * 13]},
        {"learned__mixtures": {"models": [3]}},
        {"learned__mixtures": {"models": [0], "counts": [1.0], "classes": {"dtype": "<i8", "values": [1]}}},
        {"learned__n_features_in": 9},
        {"learned": 7},
    ],
)
def test_damaged_content_is_named(changes: dict[str, Any], path: Path) -> None:
    path.write_bytes(forged(path, **changes))
    with pytest.raises(FileFormatError, match="damaged"):
        figmn.load(path)


@pytest.mark.parametrize(
    "changes",
    [
        {"learned__members": []},
        {"learned__members__0__estimator": "FastIGMNEnsemble"},
        {"learned__members__0__learned": None},
        {"learned__members__1__learned__n_features_in": 3},
        {"learned__members__0__learned__classes": {"dtype": "<i8", "values": [0, 1, 5]}},
        {"learned__places": [0, 1, 7]},
        {"learned__places": [0, 1]},
        {"learned__right": [[1.0, 1.0, 1.0]]},
        {"learned__counts": [float("nan")] * 146},
        {"learned__classes": {"dtype": "<i8", "values": [0, 1]}},
    ],
)
def test_a_damaged_ensemble_is_named_with_the_remedy(changes: dict[str, Any], path: Path) -> None:
    path.write_bytes(forged(path, FastIGMNEnsemble(delta=0.5), **changes))
    with pytest.raises(FileFormatError, match=r"damaged: .*; restore the file from a copy"):
        figmn.load(path)


def test_truncated_changed_and_newer_files_are_named(path: Path) -> None:
    data = forged(path)
    path.write_bytes(data)
    assert figmn.load(path).score(*iris()) > 0.9
    changed = bytearray(data)
    changed[len(data) // 2] ^= 1
    newer = LENGTHS.pack(ESTIMATOR_MAGIC, VERSION + 1, 0, 0)
    for content, reason in [
        (data[:-7], "truncated"),
        (data[:20], "truncated"),
        (bytes(changed), "damaged: its checksum"),
        (newer + hashlib.sha256(newer).digest(), "written by a newer version"),
    ]:
        path.write_bytes(content)
        with pytest.raises(FileFormatError, match=reason):
            figmn.load(path)
