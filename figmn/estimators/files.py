"""Estimators on disk: the frame of `figmn.storage`, a JSON header, and the files of the mixtures one after another."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from figmn.engine import Engine
from figmn.estimators.base import Estimator, with_later
from figmn.estimators.calibration import EXPONENTS, FIRST, Calibration
from figmn.estimators.classes import JointClasses, SeparateClasses
from figmn.estimators.classifier import FastIGMNClassifier
from figmn.estimators.ensemble import FastIGMNEnsemble, Predicted
from figmn.estimators.mixture import FastIGMNMixture
from figmn.estimators.regressor import FastIGMNRegressor
from figmn.fast import FastIGMN
from figmn.snapshot import Snapshot
from figmn.storage import ESTIMATOR_MAGIC, FileFormatError, framed, model_of, pieces_of, unframed, write_pieces

VERSION = 2
"""Version 1 had no ensembles."""
ESTIMATORS: dict[str, type[Estimator]] = {
    cls.__name__: cls for cls in (FastIGMNClassifier, FastIGMNRegressor, FastIGMNMixture, FastIGMNEnsemble)
}
LABELS = "biufUO"
"""Kinds of arrays of class labels that are written; in the last, only numbers and texts."""


def save(estimator: Any, path: str | os.PathLike[str]) -> None:
    """Write an estimator, fitted or not, to one file; see `figmn.save`."""
    name = type(estimator).__name__
    if ESTIMATORS.get(name) is not type(estimator):
        known = ", ".join(["FastIGMN", "IGMN", "Snapshot", *ESTIMATORS])
        raise TypeError(f"{name} cannot be saved: give one of {known}")
    models: list[Engine | Snapshot] = []
    header = _described(estimator, models)
    files = [b"".join(pieces_of(model)) for model in models]
    header["sizes"] = [len(file) for file in files]
    write_pieces(path, framed(ESTIMATOR_MAGIC, VERSION, header, files, sum(map(len, files))))


def estimator_of(data: bytes, name: str) -> Any:
    """The estimator in the content of a file."""
    _, header, body = unframed(data, name, ESTIMATOR_MAGIC, VERSION, "estimator")
    try:
        described = json.loads(header)
        return _restored(described, _models(described["sizes"], body, name))
    except FileFormatError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError, RecursionError) as error:
        raise FileFormatError(f"{name}: damaged: {error}; restore the file from a copy") from error


def _described(estimator: Any, models: list[Engine | Snapshot]) -> dict[str, Any]:
    """An estimator as JSON has it; its mixtures are added to `models`."""
    return {
        "estimator": type(estimator).__name__,
        "parameters": {key: _plain(key, value) for key, value in estimator.get_params(deep=False).items()},
        "learned": None if estimator._is_new() else _learned(estimator, models),
    }


def _learned(estimator: Any, models: list[Engine | Snapshot]) -> dict[str, Any]:
    """What an estimator has learned beside its mixtures, which are added to `models`."""
    names = getattr(estimator, "feature_names_in_", None)
    learned: dict[str, Any] = {
        "n_features_in": int(estimator.n_features_in_),
        "feature_names_in": None if names is None else [str(name) for name in names],
        "n_skipped": int(estimator.n_skipped_),
    }
    if isinstance(estimator, FastIGMNClassifier):
        calibration = estimator.calibration_
        learned |= {
            "classes": _labels(estimator.classes_),
            "calibration": [calibration.n_seen, calibration.begin, calibration.losses.tolist()],
            "mixtures": _source(estimator._source(), models),
            "frozen": None if calibration.frozen is None else _source(calibration.frozen, models),
        }
        return learned
    if isinstance(estimator, FastIGMNEnsemble):
        predicted = estimator._predicted
        return learned | {
            "classes": _labels(estimator.classes_),
            "members": [_described(member, models) for member in estimator.members_],
            "places": estimator._places,
            "n_seen": estimator._n_seen,
            "right": predicted.right.tolist(),
            "counts": predicted.counts.tolist(),
        }
    models.append(estimator.model_)
    if isinstance(estimator, FastIGMNRegressor):
        return learned | {"y_shape": list(estimator._y_shape)}
    return learned | {"log_densities": list(estimator._log_densities)}


def _source(source: Any, models: list[Engine | Snapshot]) -> dict[str, Any]:
    """The mixtures of a classifier: their places in `models`."""
    some = [source.model] if isinstance(source, JointClasses) else [*source.models, source.blank]
    places = []
    for model in some:
        places.append(None if model is None else len(models))
        models.extend([] if model is None else [model])
    if isinstance(source, JointClasses):
        return {"models": places}
    return {"models": places, "counts": source.counts.tolist(), "classes": _labels(source.classes)}


def _restored(described: dict[str, Any], models: list[Any]) -> Any:
    cls = ESTIMATORS[described["estimator"]]
    estimator: Any = cls(**with_later(cls, described["parameters"]))
    learned = described["learned"]
    if learned is None:
        return estimator
    estimator.n_features_in_ = int(learned["n_features_in"])
    if learned["feature_names_in"] is not None:
        estimator.feature_names_in_ = np.array(learned["feature_names_in"], object)
    estimator.n_skipped_ = int(learned["n_skipped"])
    if isinstance(estimator, FastIGMNClassifier):
        n_seen, begin, losses = learned["calibration"]
        frozen = None if learned["frozen"] is None else _restored_source(learned["frozen"], learned, models).frozen()
        calibration = Calibration(int(n_seen), int(begin), _losses(losses), frozen)
        if calibration.begin < FIRST or not 0 <= calibration.n_seen < calibration.end:
            raise ValueError("the calibration is out of step")
        estimator._keep(_restored_source(learned["mixtures"], learned, models), calibration)
    elif isinstance(estimator, FastIGMNEnsemble):
        _restore_members(estimator, learned, models)
    else:
        (estimator.model_,) = models
    if isinstance(estimator, FastIGMNRegressor):
        estimator._y_shape = tuple(map(int, learned["y_shape"]))
    if isinstance(estimator, FastIGMNMixture):
        total, weight = learned["log_densities"]
        estimator._log_densities = float(total), float(weight)
    if not isinstance(estimator, FastIGMNEnsemble):  # where every member has been checked
        _check_columns(estimator)
    estimator._given = estimator._arguments()
    return estimator


def _restore_members(ensemble: FastIGMNEnsemble, learned: dict[str, Any], models: list[Any]) -> None:
    described = learned["members"]
    if any(member["estimator"] != FastIGMNClassifier.__name__ for member in described):
        raise ValueError("a member of the ensemble is no classifier")
    ensemble.classes_ = _restored_labels(learned["classes"])
    ensemble.members_ = [_restored(member, models) for member in described]
    ensemble._places, ensemble._n_seen = list(map(int, learned["places"])), int(learned["n_seen"])
    right, counts = np.array(learned["right"], np.float64), np.array(learned["counts"], np.float64)
    ensemble._predicted = Predicted(right.reshape(len(counts), len(described)), counts)
    if not (np.isfinite(right).all() and np.isfinite(counts).all()):
        raise ValueError("what the members have predicted is missing")
    expected = ensemble.n_features_in_, list(range(len(ensemble.classes_)))
    if any((member.n_features_in_, member.classes_.tolist()) != expected for member in ensemble.members_):
        raise ValueError("members and classes do not match")
    if len(ensemble._places) != len(described) or not set(ensemble._places) <= set(range(len(ensemble._settings()))):
        raise ValueError("members and their places do not match")


def _check_columns(estimator: Any) -> None:
    """Raise `ValueError` if mixtures and columns do not match."""
    n_targets = 0
    if isinstance(estimator, FastIGMNRegressor):
        n_targets = math.prod(estimator._y_shape)
    elif hasattr(estimator, "classes_") and hasattr(estimator, "model_"):
        n_targets = len(estimator.classes_)
    if any(model.n_features != estimator.n_features_in_ + n_targets for model in estimator._models()):
        raise ValueError("mixtures and columns do not match")


def _models(sizes: Sequence[int], body: memoryview, name: str) -> list[Any]:
    models, begin = [], 0
    for size in sizes:
        models.append(model_of(body[begin : begin + size], name))
        begin += size
    if begin != len(body) or not all(isinstance(model, FastIGMN) for model in models):
        raise ValueError("the mixtures do not fill the file")
    return models


def _restored_source(described: dict[str, Any], learned: dict[str, Any], models: list[Any]) -> Any:
    some: list[Any] = [None if place is None else models[place] for place in described["models"]]
    if "counts" not in described:
        (model,) = some
        return JointClasses(_restored_labels(learned["classes"]), model)
    classes, counts = _restored_labels(described["classes"]), np.array(described["counts"], np.float64)
    *of_classes, blank = some
    if not len(classes) == len(counts) == len(of_classes) or blank is None:
        raise ValueError("classes and mixtures do not match")
    return SeparateClasses(classes, of_classes, counts, blank)


def _losses(values: Sequence[float]) -> Any:
    losses = np.array(values, np.float64)
    if losses.shape != EXPONENTS.shape or not np.isfinite(losses).all():
        raise ValueError("losses of the calibration are missing")
    return losses


def _labels(classes: Any) -> dict[str, Any]:
    values = classes.tolist()
    if classes.dtype.kind not in LABELS or not all(isinstance(value, str | int | float) for value in values):
        raise TypeError(f"classes_ = {classes!r} cannot be saved: use numbers or texts as labels")
    return {"dtype": "O" if classes.dtype.kind == "O" else classes.dtype.str, "values": values}


def _restored_labels(described: dict[str, Any]) -> Any:
    dtype = np.dtype(str(described["dtype"]))
    if dtype.kind not in LABELS:
        raise ValueError(f"labels of type {dtype} are not known")
    return np.array(described["values"], dtype)


def _plain(name: str, value: Any) -> Any:
    """An argument of the constructor as JSON has it."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    try:
        json.dumps(value)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{name} = {value!r} cannot be saved: {error}") from error
    return value
