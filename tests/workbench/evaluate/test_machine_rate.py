"""The speed of the machine that estimates are scaled by."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from threadpoolctl import threadpool_info

from workbench.evaluate import machine_rate


@pytest.fixture(autouse=True)
def nothing_measured() -> Iterator[None]:
    machine_rate.machine_rate.cache_clear()
    yield
    machine_rate.machine_rate.cache_clear()


def test_a_machine_does_more_than_a_hundred_million_operations_a_second() -> None:
    assert machine_rate.machine_rate() > 1e8


def test_it_is_measured_once_with_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[set[int]] = []

    def rate(_: int) -> float:
        seen.append({library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"})
        return 3e10

    monkeypatch.setattr(machine_rate, "dgemm_rate", rate)
    assert [machine_rate.machine_rate(), machine_rate.machine_rate()] == [3e10, 3e10]
    assert seen == [{1}]
