"""What an evaluation found: the predictions of every method for every test row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from figmn.system.arrays import Floats, Ints
from workbench.evaluate.trial.plan import Plan


@dataclass(frozen=True, eq=False)
class Tested:
    """Rows that one fitted model was tested on, with what it said of them. Arrays have one entry a row."""

    repeat: int
    fold: int
    rows: Ints
    """Their numbers in the source, counted from 0; of a supplied file, in that file."""
    truth: NDArray[np.float64] | NDArray[np.int32]
    """Positions of the classes, or numbers in the user's units; empty for a density."""
    probabilities: Floats | None = None
    """(rows, classes)."""
    predicted: Floats | None = None
    """Numbers in the user's units."""
    low: Floats | None = None
    high: Floats | None = None
    """Ends of the 90 % interval; None where a method gives none."""
    log_densities: Floats | None = None
    n_trained: int = 0
    n_components: int | None = None
    n_parameters: int | None = None
    """Free parameters of a density."""
    delta: float | None = None
    """δ of the model, where it has one."""
    train_seconds: float = 0.0
    test_seconds: float = 0.0
    """Wall-clock time; NaN where a row is tested and learned in one go, which `train_seconds` then counts."""

    @cached_property
    def predicted_codes(self) -> Ints:
        """Most probable classes."""
        assert self.probabilities is not None
        codes: Ints = self.probabilities.argmax(axis=1)
        return codes


@dataclass(frozen=True, eq=False)
class Course:
    """Figures along a stream, at some of its rows."""

    samples: Ints
    """Rows tested before and with each place."""
    windows: Mapping[str, Floats]
    """By name of the figure: over the latest rows."""
    faded: Mapping[str, Floats]
    """With fading weights."""
    overall: Mapping[str, Floats]
    """Over all rows so far."""


@dataclass(frozen=True, eq=False)
class Outcome:
    """What one method reached."""

    name: str
    title: str
    parts: tuple[Tested, ...] = ()
    course: Course | None = None
    """Of a prequential test."""

    @cached_property
    def whole(self) -> Tested:
        """All test rows of all folds and repeats together."""
        return _together(self.parts)


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Everything that was found so far; Fast IGMN first, then the baseline."""

    plan: Plan
    labels: tuple[str, ...]
    """The classes, in the order of their positions."""
    outcomes: tuple[Outcome, ...]
    n_done: int
    n_total: int
    """Models fitted and to be fitted; of a prequential test, rows."""
    remarks: tuple[str, ...] = ()
    """What must be known to read the figures, in sentences: rows left out, columns not used."""
    began: str = ""
    """Date and time, ISO 8601."""
    seconds: float = 0.0
    """Wall-clock time."""

    @property
    def is_complete(self) -> bool:
        """Whether all test rows were tested."""
        return self.n_done >= self.n_total


def _together(parts: tuple[Tested, ...]) -> Tested:
    if len(parts) == 1:
        return parts[0]
    arrays: dict[str, Any] = {}
    for name in ("rows", "truth", "probabilities", "predicted", "low", "high", "log_densities"):
        found = [getattr(part, name) for part in parts]
        arrays[name] = None if any(one is None for one in found) else np.concatenate(found)
    return Tested(
        repeat=0,
        fold=0,
        **arrays,
        train_seconds=sum(part.train_seconds for part in parts),
        test_seconds=sum(part.test_seconds for part in parts),
    )
