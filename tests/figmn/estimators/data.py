"""Rows for the tests of the estimators."""

from __future__ import annotations

from typing import Any

from sklearn.datasets import load_iris, load_wine
from sklearn.utils import shuffle


def iris() -> Any:
    return shuffle(*load_iris(return_X_y=True), random_state=0)


def wine() -> Any:
    return shuffle(*load_wine(return_X_y=True), random_state=0)
