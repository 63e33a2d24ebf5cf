"""Prequential accuracy and CPU time a row of every learner on every stream."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from workbench.evaluate.quality.streams.learners import StreamLearner
from workbench.evaluate.quality.streams.sources import Stream

LAST = 2000
"""Rows at the end of a stream whose accuracy is reported as well."""
FIRST = 50
"""Rows that are predicted and learned once before, untimed."""


@dataclass(frozen=True)
class StreamScore:
    """What a learner reached on a stream."""

    stream: str
    learner: str
    n_rows: int
    accuracy: float
    """Share of the rows predicted right, the first one included."""
    last_accuracy: float
    """The same over the last `LAST` rows."""
    microseconds: float
    """CPU time a row, prediction and learning."""
    published: float
    """Accuracy that others have published; NaN where there is none."""


def measure_streams(
    streams: Sequence[Stream], learners: Mapping[str, StreamLearner], n_rows: int | None = None
) -> Iterator[StreamScore]:
    """Measure one after the other, so that they do not slow each other down; at most `n_rows` of each stream.

    >>> from workbench.evaluate.quality.streams.learners import chosen_stream_learners
    >>> from workbench.evaluate.quality.streams.sources import StreamRows
    >>> rows = StreamRows(np.arange(60.0)[:, None] % 3, np.arange(60) % 3, 3)
    >>> [score] = measure_streams([Stream("thirds", lambda: rows)], chosen_stream_learners(["per-class"]))
    >>> score.n_rows, score.accuracy > 0.8
    (60, True)
    """
    for stream in streams:
        rows = stream.make().first(n_rows)
        for name, learner in learners.items():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of columns that have not varied yet
                learner.predict(rows.first(FIRST))  # loads compiled code, which is not timed
                began = time.process_time()
                right = learner.predict(rows) == rows.codes
            seconds = time.process_time() - began
            yield StreamScore(
                stream.name,
                name,
                len(right),
                float(np.mean(right)),
                float(np.mean(right[-LAST:])),
                1e6 * seconds / len(right),
                stream.published,
            )
