"""Processes for large tables: what they give, and what happens when one dies."""

from __future__ import annotations

import os
from functools import partial

import pytest

from workbench.evaluate.trial.workers import Workers
from workbench.source import Cancelled
from workbench.words.sentences import UserError


def doubled(number: int) -> int:
    return 2 * number


def die() -> int:
    os._exit(1)


def test_all_results_come_and_the_number_done_is_told() -> None:
    told: list[int] = []

    def go_on(n_done: int) -> bool:
        told.append(n_done)
        return True

    with Workers() as workers:
        found = list(workers.results([partial(doubled, number) for number in range(5)], is_alone=False, go_on=go_on))
        again = list(workers.results([partial(doubled, 7)], is_alone=False, go_on=go_on))
    assert sorted(found) == [0, 2, 4, 6, 8]
    assert again == [14]
    assert told[-1] == 1
    assert max(told) == 5


def test_a_process_that_dies_is_told_with_a_remedy() -> None:
    with pytest.raises(UserError, match="ended by the system"), Workers() as workers:
        list(workers.results([die], is_alone=False, go_on=lambda _: True))


def test_cancelling_ends_the_processes() -> None:
    with pytest.raises(Cancelled), Workers() as workers:
        list(workers.results([partial(doubled, 1)] * 20, is_alone=False, go_on=lambda n_done: n_done < 2))
