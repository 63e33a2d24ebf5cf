"""`python -m workbench bench --rows`: single rows beside scikit-learn, prediction before learning, rows with gaps."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from sklearn.naive_bayes import GaussianNB

from figmn import FastIGMN, FastIGMNClassifier, FastIGMNMixture, FastIGMNRegressor
from figmn.bench import Case
from figmn.system.arrays import Floats

CALLS = 300
"""Calls with one row that are timed, of each kind, for each repeat."""
CLASSES = 3
ONE_ROW_WIDTHS = (4, 20)
WIDTHS, COMPONENTS = (5, 10, 20, 50), (1, 5, 30)
ROWS = 4000
"""Rows per timing of whole tables."""
GAP_SHARE = 0.1
"""Share of the rows with missing values."""

Call = Callable[[int], Any]


def run(repeats: int) -> None:
    """Time everything and print the results."""
    for width in ONE_ROW_WIDTHS:
        print(f"One row a call, D = {width}, µs, beside scikit-learn's GaussianNB with {CLASSES} classes:")
        for line in one_row_lines(width, repeats * CALLS):
            print("  " + line)
    print(f"\nWhole tables of {ROWS:,} rows, µs per row (ratio to learn):")
    for width in WIDTHS:
        for n_components in COMPONENTS:
            print("  " + table_line(Case(width, ROWS, n_components), repeats))


def one_row_lines(width: int, n_calls: int) -> Iterator[str]:
    """Median times of calls with one row, ours and those of GaussianNB in turns."""
    rng = np.random.default_rng(0)
    y = rng.integers(CLASSES, size=1000)
    X = rng.normal(size=(len(y), width)) + 4 * y[:, None]
    questions = X.copy()
    questions[:, -1] = np.nan
    engine = FastIGMN(scale=X.std(axis=0)).learn(X)
    classes = np.arange(CLASSES)
    bayes, classifier = (made.partial_fit(X, y, classes=classes) for made in (GaussianNB(), FastIGMNClassifier()))
    regressor, mixture = FastIGMNRegressor().partial_fit(X, X[:, 0]), FastIGMNMixture().partial_fit(X)
    theirs: dict[str, Call] = {
        "partial_fit": lambda n: bayes.partial_fit(X[n : n + 1], y[n : n + 1]),
        "predict": lambda n: bayes.predict(X[n : n + 1]),
        "predict_proba": lambda n: bayes.predict_proba(X[n : n + 1]),
    }
    # Each question follows a learned row, as in a stream: nothing that was computed for the last one can be reused.
    ours: list[tuple[str, Call, str]] = [
        ("FastIGMN.learn_one", lambda n: engine.learn_one(X[n]), "partial_fit"),
        ("FastIGMN.recall", lambda n: engine.recall(questions[n : n + 1]), "predict"),
        ("FastIGMNClassifier.partial_fit", lambda n: classifier.partial_fit(X[n : n + 1], y[n : n + 1]), "partial_fit"),
        ("FastIGMNClassifier.predict", lambda n: classifier.predict(X[n : n + 1]), "predict"),
        ("FastIGMNClassifier.predict_proba", lambda n: classifier.predict_proba(X[n : n + 1]), "predict_proba"),
        (
            "FastIGMNRegressor.partial_fit",
            lambda n: regressor.partial_fit(X[n : n + 1], X[n : n + 1, 0]),
            "partial_fit",
        ),
        ("FastIGMNRegressor.predict", lambda n: regressor.predict(X[n : n + 1]), "predict"),
        ("FastIGMNMixture.partial_fit", lambda n: mixture.partial_fit(X[n : n + 1]), "partial_fit"),
        ("FastIGMNMixture.predict", lambda n: mixture.predict(X[n : n + 1]), "predict"),
    ]
    times: dict[str, list[float]] = {name: [] for name in (*theirs, *(name for name, *_ in ours))}
    for n in range(n_calls):
        for name, call in (*theirs.items(), *((name, call) for name, call, _ in ours)):
            times[name].append(_timed(call, n % len(X)))
    for name, _, other in ours:
        mine, other_time = float(np.median(times[name])), float(np.median(times[other]))
        yield f"{name} {1e6 * mine:.1f}, {other} {1e6 * other_time:.1f}: {mine / other_time:.2f} times its time"


def table_line(case: Case, repeats: int) -> str:
    """Median times per row of `learn`, `learn_prequential` and `learn` of rows with gaps, in turns."""
    rows = case.rows(2 * case.n_rows)
    before, rows = rows[: case.n_rows], rows[case.n_rows :]
    wanted = [case.n_features - 1]
    gaps = _with_gaps(rows)
    ways: dict[str, Callable[[FastIGMN], Any]] = {
        "learn": lambda model: model.learn(rows),
        "learn_prequential": lambda model: model.learn_prequential(rows, wanted),
        f"learn, {GAP_SHARE:.0%} of the rows with gaps": lambda model: model.learn(gaps),
    }
    times: dict[str, list[float]] = {name: [] for name in ways}
    learned = FastIGMN(**case.options()).learn(before).snapshot()
    for turn in range(repeats + 1):
        for name, way in ways.items():
            model = FastIGMN.from_snapshot(learned)
            seconds = _timed(way, model)
            if turn:  # the first compiles
                times[name].append(seconds / len(rows))
    medians = {name: float(np.median(found)) for name, found in times.items()}
    plain = medians["learn"]
    texts = (f"{name} {1e6 * found:.2f} ({found / plain:.2f}x)" for name, found in medians.items())
    return f"D = {case.n_features}, K = {learned.n_components}: {', '.join(texts)}"


def _with_gaps(rows: Floats) -> Floats:
    """The rows, a share of them with one or two values missing."""
    rng, gaps = np.random.default_rng(1), rows.copy()
    for row in np.flatnonzero(rng.random(len(rows)) < GAP_SHARE):
        gaps[row, rng.choice(rows.shape[1], rng.integers(1, 3), replace=False)] = np.nan
    return gaps


def _timed(call: Callable[[Any], Any], argument: Any) -> float:
    began = time.perf_counter()
    call(argument)
    return time.perf_counter() - began
