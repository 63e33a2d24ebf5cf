"""What predicts a stream row by row: Fast IGMN over inputs and classes, one mixture a class, and river's forest."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from figmn import FastIGMN, Parameters
from workbench.evaluate.quality.optional import river
from workbench.evaluate.quality.streams.sources import SEED, StreamRows
from workbench.words.sentences import UserError

Predictions = NDArray[np.intp]
GROUP = 10
"""Rows that one mixture a class predicts and learns at a time."""


@dataclass(frozen=True)
class StreamLearner:
    """A title, and the function that predicts each row of a stream before it learns it."""

    title: str
    predict: Callable[[StreamRows], Predictions]


def joint(stream: StreamRows, **parameters: Any) -> Predictions:
    """Fast IGMN over the inputs and a column of 0 and 1 for each class, predicted and learned in the compiled loop."""
    rows = np.hstack([stream.X, np.eye(stream.n_classes)[stream.codes]])
    wanted = range(stream.X.shape[1], rows.shape[1])
    answers = FastIGMN(**parameters).learn_prequential(rows, wanted)
    found: Predictions = np.nan_to_num(answers).argmax(axis=1)
    return found


def per_class(stream: StreamRows, **parameters: Any) -> Predictions:
    """One Fast IGMN for each class, with the shares of the classes as priors, which are forgotten as the rows are.

    Rows are predicted and learned in groups of `GROUP`: none is learned before it is predicted.
    """
    models = dict[int, FastIGMN]()
    counts = np.zeros(stream.n_classes)
    kept = 1 - 1 / Parameters(**parameters).memory
    found = np.zeros(len(stream.X), dtype=np.intp)
    for begin in range(0, len(stream.X), GROUP):
        part = slice(begin, begin + GROUP)
        rows, codes = stream.X[part], stream.codes[part]
        if models:
            scores = np.full((len(rows), stream.n_classes), -np.inf)
            for code, model in models.items():
                scores[:, code] = model.score_samples(rows) + np.log(counts[code])
            found[part] = scores.argmax(axis=1)
        for code in np.unique(codes).tolist():
            models.setdefault(code, FastIGMN(**parameters)).learn(rows[codes == code])
        counts = counts * kept ** len(rows) + np.bincount(codes, minlength=stream.n_classes)
    return found


def forest(stream: StreamRows) -> Predictions:
    """River's adaptive random forest with its defaults."""
    model = river("forest").ARFClassifier(seed=SEED)
    found = np.zeros(len(stream.X), dtype=np.intp)
    for place, (row, code) in enumerate(zip(stream.X.tolist(), stream.codes.tolist(), strict=True)):
        named = dict(enumerate(row))
        found[place] = model.predict_one(named) or 0
        model.learn_one(named, code)
    return found


def stream_learners(**parameters: Any) -> Mapping[str, StreamLearner]:
    """All learners by their names on the command line; `parameters` are those of Fast IGMN."""
    return {
        "joint": StreamLearner("Fast IGMN, joint", partial(joint, **parameters)),
        "per-class": StreamLearner("Fast IGMN, one a class", partial(per_class, **parameters)),
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
