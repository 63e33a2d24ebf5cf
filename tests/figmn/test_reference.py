"""Both engines against the paper's equations, and against each other, decision by decision."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest

from figmn.engine import Engine
from figmn.system.arrays import Floats
from tests.figmn.datasets import NAMES, rows_of, widths_of
from tests.figmn.paper import IGMN, FastIGMN
from tests.figmn.reference import Reference


class Setting(NamedTuple):
    delta: float
    beta: float
    v_min: float
    sp_min: float


# Accumulators are sums of posteriors near 1: at a whole sp_min rounding alone would decide, so none is whole here.
SETTINGS = [
    Setting(1, 0, 5, 0),
    Setting(1, 0.001, 5, 2.9),
    Setting(1, 0.001, 50, 0),
    Setting(0.3, 0.1, 20, 1.9),
    Setting(0.1, 0.1, 5, 0),
    Setting(3, 1e-6, 50, 2.9),
]
RULES = ["exact", "published"]
TOLERANCE = 1e-8


class Run(NamedTuple):
    decisions: list[tuple[bool, tuple[int, ...]]]
    model: Engine


def data_for(name: str, setting: Setting) -> Floats:
    # Narrow or never pruned components on 74 columns: hundreds of them, and hours in the literal version.
    many = name == "digits" and (setting.delta < 1 or (setting.sp_min == 0 and setting.beta > 0))
    return rows_of(name)[:200] if many else rows_of(name)


@cache
def reference(name: str, rule: str, setting: Setting) -> Reference:
    return Reference(*setting, rule, widths_of(name)).learn(data_for(name, setting))


def run(engine: type[Engine], name: str, rule: str, setting: Setting, **options: Any) -> Run:
    model = engine(*setting, rule, scale=widths_of(name), **options)
    traces = [model.learn_one(row) for row in data_for(name, setting)]
    return Run([(trace.created, trace.removed) for trace in traces], model)


@cache
def fast_run(name: str, rule: str, setting: Setting) -> Run:
    return run(FastIGMN, name, rule, setting)


def relative_error(actual: Floats, expected: Floats) -> float:
    """Largest difference of any component, relative to the largest entry of that component."""
    axes = tuple(range(1, actual.ndim))
    if not axes:
        return float((np.abs(actual - expected) / np.maximum(np.abs(expected), 1)).max())
    return float((np.abs(actual - expected).max(axis=axes) / np.abs(expected).max(axis=axes)).max())


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("name", NAMES)
class TestEveryRun:
    def test_fast_igmn_follows_the_paper(self, name: str, rule: str, setting: Setting) -> None:
        decisions, model = fast_run(name, rule, setting)
        truth = reference(name, rule, setting)
        assert decisions == truth.decisions
        assert model.ids.tolist() == [c.id for c in truth.components]
        assert model.ages.tolist() == [c.v for c in truth.components]
        assert relative_error(model.accumulators, as_floats([c.sp for c in truth.components])) < TOLERANCE
        assert relative_error(model.means, as_floats([c.mean for c in truth.components])) < TOLERANCE
        assert relative_error(model.precisions, as_floats([c.precision for c in truth.components])) < TOLERANCE
        log_determinants = as_floats([np.log(abs(c.determinant)) for c in truth.components])
        assert relative_error(model.log_determinants, log_determinants) < TOLERANCE
        assert model.snapshot().negatives.tolist() == [
            int((np.linalg.eigvalsh(c.precision.astype(float)) < 0).sum()) for c in truth.components
        ]

    @pytest.mark.parametrize("solver", ["cholesky", "inverse"])
    def test_cubic_igmn_agrees(self, name: str, rule: str, setting: Setting, solver: str) -> None:
        fast = fast_run(name, rule, setting)
        cubic = run(IGMN, name, rule, setting, solver=solver)
        assert cubic.decisions == fast.decisions
        for face in ("means", "precisions", "covariances", "log_determinants", "accumulators"):
            actual, expected = getattr(fast.model, face), getattr(cubic.model, face)
            assert relative_error(actual, expected) < TOLERANCE, face
        assert cubic.model.n_indefinite == fast.model.n_indefinite
        assert cubic.model.snapshot().negatives.tolist() == fast.model.snapshot().negatives.tolist()


def test_exact_never_loses_definiteness_and_published_does() -> None:
    runs = {rule: [fast_run("wine", rule, setting).model.n_indefinite for setting in SETTINGS] for rule in RULES}
    assert runs["exact"] == [0] * len(SETTINGS)
    assert sum(runs["published"]) > 0


def as_floats(values: list[Any]) -> Floats:
    return np.array([np.asarray(value, np.float64) for value in values])
