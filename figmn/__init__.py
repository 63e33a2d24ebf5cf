"""Fast IGMN: incremental Gaussian mixtures that learn from each sample once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from figmn.answers.density import Density
from figmn.answers.inference import Projection
from figmn.cubic import IGMN
from figmn.fast import FastIGMN
from figmn.params import Parameters
from figmn.saving import load, save
from figmn.scale import ConstantColumnWarning
from figmn.snapshot import Snapshot
from figmn.storage import FileFormatError
from figmn.system.blas import set_blas_threads
from figmn.trace import Record, Trace

if TYPE_CHECKING:
    from figmn.estimators import (
        EmptyRowWarning,
        FastIGMNClassifier,
        FastIGMNEnsemble,
        FastIGMNMixture,
        FastIGMNRegressor,
    )

__all__ = [
    "IGMN",
    "ConstantColumnWarning",
    "Density",
    "EmptyRowWarning",
    "FastIGMN",
    "FastIGMNClassifier",
    "FastIGMNEnsemble",
    "FastIGMNMixture",
    "FastIGMNRegressor",
    "FileFormatError",
    "Parameters",
    "Projection",
    "Record",
    "Snapshot",
    "Trace",
    "load",
    "save",
    "set_blas_threads",
]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    # scikit-learn takes a second to import, so that is done only when an estimator is used.
    if name in __all__:
        from figmn import estimators

        return getattr(estimators, name)
    raise AttributeError(f"module 'figmn' has no attribute {name!r}")
