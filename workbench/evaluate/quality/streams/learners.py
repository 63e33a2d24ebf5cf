"""What predicts a stream row by row: Fast IGMN over inputs and classes or with a mixture per class; river's forest."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from figmn import FastIGMN, FastIGMNClassifier
from workbench.evaluate.quality.optional import river
from workbench.evaluate.quality.streams.sources import SEED, StreamRows
from workbench.words.sentences import UserError

Predictions = NDArray[np.intp]


@dataclass(frozen=True)
class StreamLearner:
    """A title, and the function that predicts each row of a stream before it learns it."""

    title: str
    predict: Callable[[StreamRows], Predictions]


def prequential(stream: StreamRows, **parameters: Any) -> Predictions:
    """The engine over the inputs and a column of 0 and 1 for each class, predicted and learned in the compiled loop."""
    rows = np.hstack([stream.X, np.eye(stream.n_classes)[stream.codes]])
    wanted = range(stream.X.shape[1], rows.shape[1])
    answers = FastIGMN(**parameters).learn_prequential(rows, wanted)
    found: Predictions = np.nan_to_num(answers).argmax(axis=1)
    return found


def joint(stream: StreamRows, **parameters: Any) -> Predictions:
    """The classifier with one mixture, row by row; it is told all classes with the first row."""
    model = FastIGMNClassifier(**parameters)
    found = np.zeros(len(stream.X), dtype=np.intp)
    for place in range(len(stream.X)):
        row, code = stream.X[place : place + 1], stream.codes[place : place + 1]
        if place:
            found[place] = model.predict(row)[0]
        model.partial_fit(row, code, classes=None if place else np.arange(stream.n_classes))
    return found


def per_class(stream: StreamRows, **parameters: Any) -> Predictions:
    """The classifier for river, with one mixture for each class."""
    river("forest")  # says what to install
    from figmn.river import FastIGMNClassifier as RiverClassifier

    return _one_by_one(RiverClassifier(**parameters), stream)


def forest(stream: StreamRows) -> Predictions:
    """River's adaptive random forest with its defaults."""
    return _one_by_one(river("forest").ARFClassifier(seed=SEED), stream)


def _one_by_one(model: Any, stream: StreamRows) -> Predictions:
    """A model of river predicts every row before it learns it."""
    found = np.zeros(len(stream.X), dtype=np.intp)
    for place, (row, code) in enumerate(zip(stream.X.tolist(), stream.codes.tolist(), strict=True)):
        named = dict(enumerate(row))
        found[place] = model.predict_one(named) or 0
        model.learn_one(named, code)
    return found


def stream_learners(**parameters: Any) -> Mapping[str, StreamLearner]:
    """All learners by their names on the command line; `parameters` are those of Fast IGMN."""
    return {
        "prequential": StreamLearner("learn_prequential", partial(prequential, **parameters)),
        "joint": StreamLearner("classifier, joint", partial(joint, **parameters)),
        "per-class": StreamLearner("river classifier, per class", partial(per_class, **parameters)),
        "forest": StreamLearner("adaptive random forest", forest),
    }


def chosen_stream_learners(names: Sequence[str], **parameters: Any) -> dict[str, StreamLearner]:
    """The learners of these names; none: all.

    >>> list(chosen_stream_learners(["forest", "joint"]))
    ['forest', 'joint']
    """
    known = stream_learners(**parameters)
    for name in names:
        if name not in known:
            raise UserError(
                "The learner {value!r} is not known. Choose from: {known}.", value=name, known=", ".join(known)
            )
    return {name: known[name] for name in names or known}
