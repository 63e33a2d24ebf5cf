"""Both engines agree on every bundled set, under both covariance rules; and where they do not, `compare` says so."""

from __future__ import annotations

import numpy as np
import pytest

from figmn.parity import Differences, compare
from tests.figmn.paper import IGMN, FastIGMN

rng = np.random.default_rng(5)


def pair(width: int, n_rows: int, **options: object) -> tuple[FastIGMN, IGMN]:
    rows = rng.normal(size=(n_rows, width)) + 12 * rng.integers(3, size=(n_rows, 1))
    settings = {"delta": 1.0, "beta": 1e-4, "scale": np.full(width, 2.0)} | options
    return FastIGMN(**settings).learn(rows), IGMN(**settings).learn(rows)


@pytest.mark.parametrize("rule", ["exact", "published"])
@pytest.mark.parametrize("width", [3, 40, 300])
def test_the_whole_and_a_part_agree(width: int, rule: str) -> None:
    fast, cubic = pair(width, 60, covariance=rule)
    assert fast.n_components == cubic.n_components > 1
    whole, part = compare(fast, cubic), compare(fast, cubic, n_columns=2, n_components=1)
    assert 0 < whole.worst < 1e-8
    assert part.precisions <= whole.precisions
    assert part.means == whole.means


def test_differences_are_those_of_the_matrices() -> None:
    fast, cubic = pair(4, 50)
    changed = fast.snapshot()
    twin = FastIGMN.from_snapshot(changed)
    twin._components.matrices[0, 0, 0] *= 1 + 1e-3  # v of the first column, which W leaves alone: Λ_00 has sp v_0
    change = 1e-3 * fast.snapshot().matrices[0, 0, 0] * fast.accumulators[0]
    assert compare(twin, cubic).precisions == pytest.approx(change / cubic.precisions[0, 0, 0], rel=1e-6)
    twin._components.accumulators[1] *= 1 + 1e-5
    assert compare(twin, cubic).accumulators == pytest.approx(1e-5, rel=1e-6)
    twin._components.log_dets[0] += 0.5
    assert compare(twin, cubic).log_determinants == pytest.approx(
        0.5 / max(1, abs(cubic.log_determinants[0])), rel=1e-6
    )
    twin._components.centres[0, 3] += 0.1
    width = max(abs(cubic.means[0, 3]), np.sqrt(cubic.covariances[0, 3, 3]))
    assert compare(twin, cubic).means == pytest.approx(0.1 / width, rel=1e-6)


def test_components_are_matched_by_their_ids() -> None:
    fast, cubic = pair(3, 60)
    assert compare(fast, cubic).worst < 1e-10
    only = FastIGMN.from_snapshot(fast.snapshot())
    only._components.keep(np.arange(only.n_components) == 1)
    assert compare(only, cubic).worst < 1e-10
    assert compare(FastIGMN(), cubic) == Differences()


def test_the_larger_of_both() -> None:
    assert Differences(1, 2, 3, 4).or_larger(Differences(4, 3, 2, 1)) == Differences(4, 3, 3, 4)
    assert Differences(1, 5, 3, 4).worst == 5
