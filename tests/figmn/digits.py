"""Rows that cost a precision its digits, and what a model says of them; as a program, all of it into one file.

``python -m tests.figmn.digits FILE`` is run under several BLAS kernels by `test_digits`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np

from figmn.system.arrays import Floats
from tests.figmn.paper import FastIGMN

DELTAS = [1e-6, 1e-3, 1.0]


def collinear(rng: np.random.Generator, n_rows: int, width: int) -> Floats:
    return np.multiply.outer(rng.integers(-8, 9, n_rows) / 8, 1 + np.arange(width) % 3).astype(np.float64)


def duplicated(rng: np.random.Generator, n_rows: int, width: int) -> Floats:
    rows = rng.integers(-8, 9, (n_rows, width)) / 8
    rows[:, 1::2] = rows[:, : width - 1 : 2]
    return rows


def one_hot(rng: np.random.Generator, n_rows: int, width: int) -> Floats:
    rows = rng.integers(-8, 9, (n_rows, width)) / 8
    classes = min(3, width - 1)
    rows[:, -classes:] = np.eye(classes)[rng.integers(classes, size=n_rows)]
    return rows


def constant(rng: np.random.Generator, n_rows: int, width: int) -> Floats:
    rows = rng.integers(-8, 9, (n_rows, width)) / 8
    rows[:, 0] = 2.5
    return rows


def far(rng: np.random.Generator, n_rows: int, width: int) -> Floats:
    return 1e8 + one_hot(rng, n_rows, width)


def scaled(rng: np.random.Generator, n_rows: int, width: int) -> Floats:
    exponents = np.resize([-27, 0, 27], width)  # powers of 2 near 1e±8: the rows stay exact
    return collinear(rng, n_rows, width) * 2.0**exponents + one_hot(rng, n_rows, width) * 2.0**exponents


def mild(rng: np.random.Generator, n_rows: int, width: int) -> Floats:
    """Correlated columns that are no combinations of each other: mature, they are kept as an inverse."""
    rows = rng.integers(-8, 9, (n_rows, width)) / 8
    rows[:, 1::2] += 4 * rows[:, : width - 1 : 2]
    return rows


DATA: list[Callable[[np.random.Generator, int, int], Floats]] = [
    collinear, duplicated, one_hot, constant, far, scaled, mild,
]  # fmt: skip


def learned(rows: Floats, delta: float) -> tuple[FastIGMN, Floats]:
    """A single component, and the standard deviations that it was given."""
    widths = np.maximum(rows.std(axis=0), 0.125 * np.abs(rows).max(axis=0) * (np.ptp(rows, axis=0) == 0))
    widths = np.where(widths == 0, 1.0, widths)
    return FastIGMN(delta, 0, scale=widths).learn(rows), widths


def sizes() -> list[tuple[int, int]]:
    """Columns and rows: compiled loops, young components, and mature ones."""
    return [(2, 60), (40, 120), (270, 60), (270, 400), (800, 50)]


def asked(rows: Floats) -> Floats:
    """Questions: the second column of the first rows, from the others."""
    questions = rows[:3].copy()
    questions[:, 1] = np.nan
    return questions


def found() -> dict[str, Floats]:
    """Learn everything: covariances (their corner, as correlations), densities and answers, by name."""
    found = {}
    for make in DATA:
        for delta in (DELTAS[0], DELTAS[-1]):
            for width, n_rows in sizes():
                rows = make(np.random.default_rng(4), n_rows, width)
                model, _ = learned(rows, delta)
                corner = model.project(np.eye(width)[:, :8]).covariances[0]
                roots, name = np.sqrt(corner.diagonal()), f"{make.__name__} {delta:g} {width}x{n_rows}"
                found[f"covariance {name}"] = corner / np.outer(roots, roots)
                found[f"density {name}"] = model.score_samples(rows[:3])
                found[f"answer {name}"] = (model.recall(asked(rows))[:, 1] - rows[0, 1]) / roots[1]
    return found


if __name__ == "__main__":
    np.savez(sys.argv[1], **found())  # type: ignore[arg-type]
