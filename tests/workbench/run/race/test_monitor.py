"""Where two engines part, the monitor says at which sample, by how much, and never takes it back."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from figmn import IGMN, FastIGMN, Record
from figmn.parity import Differences
from workbench.run.race.frame import Parity
from workbench.run.race.monitor import Monitor


def records(beta: float = 0.1, n_rows: int = 50, chunk: int = 7, **options: float) -> list[Record]:
    rows = np.random.default_rng(2).normal(size=(n_rows, 2)) * 4
    model = FastIGMN(delta=0.5, beta=beta, scale=[1.0, 1.0], **options)  # type: ignore[arg-type]
    return [model.learn_recorded(rows[k : k + chunk]) for k in range(0, n_rows, chunk)]


def compared(fast: list[Record], cubic: list[Record]) -> Parity:
    monitor = Monitor()
    for record in fast:
        monitor.add(0, record)
    for record in cubic:
        monitor.add(1, record)
    return monitor.parity


def test_chunks_of_any_length_are_compared_sample_by_sample() -> None:
    parity = compared(records(chunk=7), records(chunk=3))
    assert parity.n_compared == 50
    assert parity.divergence is None
    assert parity.level == "good"
    assert parity.counts is not None
    assert parity.counts[0] == parity.counts[1] > 3


def test_only_what_both_have_learned_is_compared() -> None:
    parity = compared(records(), records()[:2])
    assert parity.n_compared == 14
    assert compared(records(), []).level == "unknown"


def test_the_first_divergence_is_told_with_both_distances_and_their_way_to_the_threshold() -> None:
    other = records()
    place = 20
    record = other[place // 7]
    distances = record.distances.copy()
    distances[place % 7] = record.threshold - 1e-3
    born = record.born.copy()
    born[place % 7] = 99
    other[place // 7] = replace(record, born=born, distances=distances)
    parity = compared(records(), other)
    found = parity.divergence
    assert parity.level == "bad"
    assert found is not None
    assert found.sample == place
    assert found.threshold == record.threshold
    assert found.distances == (record.distances[place % 7], record.threshold - 1e-3)
    assert found.margins[1] == pytest.approx(-1e-3)
    assert found.decisions[1] == "#99 born"


def test_another_removal_is_a_divergence() -> None:
    mine = records(v_min=5, sp_min=1.5)
    with_removal = next(k for k, record in enumerate(mine) if len(record.removed_ids))
    other = list(mine)
    other[with_removal] = replace(mine[with_removal], removed_ids=mine[with_removal].removed_ids + 1)
    found = compared(mine, other).divergence
    assert found is not None
    assert found.sample == mine[with_removal].removed_samples[0]
    assert "removed" in found.decisions[0]


def test_another_merger_is_a_divergence() -> None:
    mine = records(max_components=3)
    place = next(k for k, record in enumerate(mine) if len(record.merges))
    other = list(mine)
    other[place] = replace(mine[place], merges=mine[place].merges + np.array([0, 1, 0]))
    found = compared(mine, other).divergence
    assert found is not None
    assert found.sample == mine[place].merges[0, 0]
    assert "took in" in found.decisions[0]
    assert compared(mine, mine).divergence is None


def test_the_largest_difference_of_all_checks_stays() -> None:
    rows = np.random.default_rng(1).normal(size=(30, 3))
    fast, cubic = (engine(delta=1, beta=0, scale=np.ones(3)).learn(rows) for engine in (FastIGMN, IGMN))
    monitor = Monitor()
    first = monitor.check([fast, cubic])
    fast._components.centres += 1.0
    second = monitor.check([fast, cubic])
    fast._components.centres -= 1.0
    for found, n_samples in ((first, 10), (second, 20), (first, 30)):
        monitor.take(found, n_samples, 0.5)
    parity = monitor.parity
    assert parity.differences is not None
    assert parity.differences.means == second[0].means > 0.1
    assert (parity.n_checked, parity.check_seconds, parity.level) == (30, 1.5, "drift")


def test_of_many_columns_some_are_compared_and_it_says_which() -> None:
    rows = np.random.default_rng(1).normal(size=(4, 170))
    fast, cubic = (engine(delta=1, beta=0, scale=np.ones(170)).learn(rows) for engine in (FastIGMN, IGMN))
    differences, words = Monitor().check([fast, cubic])
    assert words == "32 of 170 columns"
    assert differences.worst < 1e-8


@pytest.mark.parametrize(("difference", "level"), [(1e-8, "good"), (1.1e-8, "drift"), (np.inf, "drift")])
def test_green_ends_where_rounding_does(difference: float, level: str) -> None:
    assert Parity(n_compared=5, differences=Differences(log_determinants=difference)).level == level
