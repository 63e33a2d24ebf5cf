"""What a component is, in one line: its size, the labels of its rows, and the columns in which it differs."""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from workbench.run.ask.members import Members
from workbench.run.show.frame import Frame
from workbench.run.show.portrait import Contrast
from workbench.views.look.naming import one_line
from workbench.words.counts import counted
from workbench.words.names import component_name
from workbench.words.numbers import MINUS, percent
from workbench.words.sentences import shortened

MOST_LABELS, MOST_COLUMNS = 3, 3
"""Label mixes and columns that the line names."""
LEAST_NATS, LEAST_SHIFT = 0.05, 0.25
"""Divergence from which a column or its labels are named, and the shift from which its mean is what differs."""
LONGEST = 28
"""Characters of a name or label."""
SHORT_LABEL = 3
"""Labels of this length need the name of their column."""


def summary(frame: Frame, position: int, found: Contrast, members: Members | None) -> str:
    """One line, such as "#0 · 52 rows (15 %) · Adelie 100 % · low bill_length_mm (−1.2 σ)"."""
    number = int(frame.census.ids[position])
    mixes = [] if members is None else label_mixes(members, number)
    columns = [] if members is None else list(members.labels)
    return " · ".join(
        [
            component_name(number, frame.names),
            size_words(frame, position, members),
            *mixes,
            *column_words(frame, found, without=columns),
        ]
    )


def size_words(frame: Frame, position: int, members: Members | None) -> str:
    """How many rows have their largest posterior in a component; of a stream, its share of the evidence."""
    size = None if members is None else members.size_of(int(frame.census.ids[position]))
    if size is None or members is None:
        return f"{percent(float(frame.census.priors[position]))} of the evidence"
    return f"{counted(size, 'row')} ({percent(size / max(1, members.n_known))})"


def label_mixes(members: Members, number: int) -> list[str]:
    """The most frequent label of the columns whose labels are distributed most unlike those of all rows."""
    named = Counter(label for labels, _ in members.labels.values() for label in set(labels))
    found = []
    for name, (labels, counts, of_all) in members.labels_of(number).items():
        if counts.sum() and len(labels) > 1:
            best = int(counts.argmax())
            label = shortened(one_line(labels[best]), LONGEST)
            is_clear = named[labels[best]] == 1 and len(label) > SHORT_LABEL and not label[0].isdigit()
            words = label if is_clear else f"{shortened(one_line(name), LONGEST)} {label}"
            found.append((_divergence(counts, of_all), f"{words} {percent(counts[best] / counts.sum())}"))
    found.sort(key=lambda pair: -pair[0])
    return [words for nats, words in found[:MOST_LABELS] if nats >= LEAST_NATS]


def column_words(frame: Frame, found: Contrast, without: list[str]) -> list[str]:
    """The columns in which a component differs most from the rest, unless these are labels that are told otherwise."""
    texts: list[str] = []
    for column in found.ranked().tolist():
        if len(texts) == MOST_COLUMNS or found.divergences[column] < LEAST_NATS:
            break
        name = frame.columns[column]
        if not any(name == label or name.startswith(f"{label}=") for label in without):
            texts.append(_difference(shortened(one_line(name), LONGEST), found, column))
    return texts


def _difference(name: str, found: Contrast, column: int) -> str:
    shift = float(found.shifts[column])
    if abs(shift) < LEAST_SHIFT:
        return f"{'narrow' if found.widths[column] < 1 else 'wide'} {name}"
    return f"{'high' if shift > 0 else 'low'} {name} ({sigmas(shift)})"


def sigmas(shift: float) -> str:
    """A shift in standard deviations.

    >>> sigmas(-1.234), sigmas(0.5)
    ('−1.2 σ', '+0.5 σ')
    """
    return f"{shift:+.1f} σ".replace("-", MINUS)


def _divergence(counts: NDArray[np.int64], of_all: NDArray[np.int64]) -> float:
    """Kullback-Leibler divergence of the labels of a component from those of all rows."""
    shares, usual = counts / counts.sum(), of_all / max(1, of_all.sum())
    is_there = shares > 0
    return float((shares[is_there] * np.log(shares[is_there] / usual[is_there])).sum())
