"""`save` and `load` of everything that learns: engines, snapshots and estimators."""

from __future__ import annotations

import os
from typing import Any

from figmn import storage
from figmn.engine import Engine
from figmn.snapshot import Snapshot


def save(model: Any, path: str | os.PathLike[str]) -> None:
    """Write a model or an estimator to one file, atomically: an existing file is replaced only by a complete new one.

    Parameters
    ----------
    model : FastIGMN, IGMN, Snapshot, FastIGMNClassifier, FastIGMNRegressor, FastIGMNMixture or FastIGMNEnsemble
    path : path of the file; the usual ending is ``.figmn``

    Examples
    --------
    >>> import tempfile
    >>> from figmn import FastIGMN, FastIGMNMixture
    >>> model = FastIGMN(scale=[1.0, 1.0]).learn([[0, 0], [9, 9]])
    >>> estimator = FastIGMNMixture().fit([[0.0], [1.0], [0.5], [9.0]])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(model, f"{folder}/model.figmn")
    ...     save(estimator, f"{folder}/estimator.figmn")
    ...     load(f"{folder}/model.figmn").n_components, load(f"{folder}/estimator.figmn").n_components_
    (2, 2)
    """
    if isinstance(model, Engine | Snapshot):
        storage.write_pieces(path, storage.pieces_of(model))
        return
    from figmn.estimators import files  # scikit-learn takes a second to import

    files.save(model, path)


def load(path: str | os.PathLike[str]) -> Any:
    """Read what `save` wrote; further learning is bit-identical to what was saved.

    Raises
    ------
    FileFormatError
        Saying whether the file is foreign, truncated, damaged or written by a newer version.

    Examples
    --------
    >>> load("README.md")
    Traceback (most recent call last):
    ...
    figmn.storage.FileFormatError: README.md: not a Fast IGMN model (foreign file): give a file written by figmn.save
    """
    data, name = storage.read(path), os.fspath(path)
    if not data.startswith(storage.ESTIMATOR_MAGIC):
        return storage.model_of(data, name)
    from figmn.estimators import files  # scikit-learn takes a second to import

    return files.estimator_of(data, name)
