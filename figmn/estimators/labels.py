"""Class labels: what is a class, and which rows have none."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import column_or_1d

from figmn.system.arrays import Bools, Floats, Ints

UNLABELLED = -1
"""Whole number that marks a row without a label, as in `sklearn.semi_supervised`."""
TWO = 2


def places_of(y: Any, classes: Any) -> Ints:
    """Where in the sorted `classes` every label is, or raise `ValueError`.

    >>> places_of(np.array(["low", "high"]), np.array(["high", "low"]))
    array([1, 0])
    """
    places: Ints = np.searchsorted(classes, y).clip(0, len(classes) - 1)
    for value in y[classes[places] != y]:
        raise ValueError(f"y holds the class {value!r}, which is not among {classes!r}: name it in the first call")
    return places


def all_classes(known: Any, labels: Any) -> Any:
    """The classes so far and those among `labels`, sorted.

    >>> all_classes(np.array(["low"]), np.array(["medium", "high", "low"]))
    array(['high', 'low', 'medium'], dtype='<U6')
    """
    new = np.unique(labels)
    if not len(known):
        return new
    if not len(new):
        return known
    if (known.dtype.kind in "US") != (new.dtype.kind in "US") and "O" not in (known.dtype.kind, new.dtype.kind):
        raise ValueError(f"y holds the class {new[0]!r}, and the classes so far are {known!r}: give one kind of label")
    return np.union1d(known, new)


def one_hot(places: Ints, n_classes: int) -> Floats:
    """One column of 0 and 1 for every class.

    >>> one_hot(np.array([1, 0]), 2)
    array([[0., 1.],
           [1., 0.]])
    """
    block: Floats = np.eye(n_classes)[places]
    return block


def unlabelled(y: Any, known: Any = (), is_stream: bool = False) -> tuple[Any, Bools]:
    """`y` as an array, and which rows have no label: None, NaN or, in whole numbers, -1.

    -1 is a class where `known`, the classes so far, hold it. Where fewer than two others are known, -1 is a class as
    well in a whole table; in a stream that is too early to tell, so it is refused.

    >>> unlabelled([0, 1, -1])[1]
    array([False, False,  True])
    >>> unlabelled([-1, 1, -1])[1]
    array([False, False, False])
    >>> unlabelled(["a", None, "b"])[1]
    array([False,  True, False])
    """
    if isinstance(y, list | tuple) and any(map(_is_missing, y)):
        y = np.array(y, object)  # NumPy would make texts of numbers that stand beside texts
    labels = column_or_1d(y, warn=True)
    if labels.dtype.kind == "O":
        return labels, np.array([_is_missing(label) for label in labels], bool)
    if labels.dtype.kind == "f":
        return labels, np.isnan(labels)
    without = (labels == UNLABELLED) if labels.dtype.kind == "i" else np.zeros(len(labels), bool)
    if not without.any():
        return labels, without
    is_class = UNLABELLED in known
    if not is_class and len({*labels[~without].tolist(), *known}) >= TWO:
        return labels, without
    if is_stream and not is_class:
        raise ValueError(
            "y holds -1 before two classes are known, so that it could be a class or mark rows without a label: "
            "name all known classes in classes=, with -1 if it is one"
        )
    return labels, np.zeros(len(labels), bool)


def filled_labels(y: Any, known: Any, is_stream: bool, is_new: bool) -> tuple[Any, Bools]:
    """`unlabelled`, with any label in the places of those that are missing, so that the rest can be checked.

    >>> filled_labels(["a", None], np.empty(0), is_stream=False, is_new=True)
    (array(['a', 'a'], dtype=object), array([False,  True]))
    """
    labels, without = unlabelled(y, known.tolist(), is_stream)
    if not without.any():
        return labels, without
    if without.all() and is_new:
        raise ValueError("no row has a label, so there is no class to learn: give at least one")
    labels = labels.copy()
    labels[without] = known[0] if without.all() else labels[~without][0]
    natural = np.array(labels.tolist())
    return natural if natural.dtype.kind in "biuf" else labels, without


def _is_missing(label: Any) -> bool:
    is_nan = isinstance(label, float) and label != label  # noqa: PLR0124
    return label is None or is_nan or type(label).__name__ == "NAType"  # pandas' own


def listed_classes(classes: Any, known: Any | None) -> Any:
    """All classes of a stream: those that the first call lists, where none are known, and those of then afterwards.

    >>> listed_classes(["b", "a"], None), listed_classes(None, np.array(["a", "b"]))
    (array(['a', 'b'], dtype='<U1'), array(['a', 'b'], dtype='<U1'))
    """
    named = np.empty(0) if classes is None else np.unique(classes)
    if known is None:
        if not len(named):
            raise ValueError("classes is missing in the first call of partial_fit: name all that will ever come")
        return named
    if len(named) and not np.array_equal(named, known):
        raise ValueError(f"classes = {classes!r} are not those of the first call, {known!r}: leave them out")
    return known
