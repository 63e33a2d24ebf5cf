"""The one rule of the speed that data start with, and of the one that the user chose."""

from __future__ import annotations

import numpy as np
import pytest

from workbench.run import FileOrigin, GeneratorOrigin, Recipe
from workbench.run.recipe.dataset import Dataset
from workbench.run.speed import SMALL, SPEEDS, WATCHED_SECONDS, Speed
from workbench.source import Column, Table
from workbench.source.generators import BirthsAndDeaths


def data(n_rows: int, name: str = "a.csv", streamed: bool = False) -> Dataset:
    table = Table(name, (Column.numeric("x", np.zeros(n_rows)),))
    return Dataset(FileOrigin(name, streamed=streamed), table, table)


def endless() -> Dataset:
    return Recipe(GeneratorOrigin(BirthsAndDeaths(), n_rows=10, endless=True)).dataset()


@pytest.mark.parametrize("n_rows", [50, 150, 344, 1000, 1599, 4177, SMALL])
def test_small_data_start_at_a_round_speed_that_takes_about_twenty_seconds(n_rows: int) -> None:
    speed = Speed()
    speed.suit(data(n_rows))
    assert speed.value in SPEEDS
    assert speed.value is not None
    assert n_rows / speed.value == pytest.approx(WATCHED_SECONDS, rel=0.3)


def test_larger_data_and_those_on_disk_start_unlimited_and_endless_ones_do_not() -> None:
    for large in (data(SMALL + 1), data(100, streamed=True)):
        speed = Speed()
        speed.suit(large)
        assert speed.value is None
    speed.suit(endless())
    assert speed.value == 1500


def test_one_row_and_none_have_a_speed() -> None:
    for n_rows in (0, 1):
        speed = Speed()
        speed.suit(data(n_rows))
        assert speed.value == 1


def test_a_chosen_number_holds_for_its_data_and_no_longer() -> None:
    speed = Speed()
    speed.suit(data(150))
    speed.choose(50.0)
    speed.suit(data(150).with_test_share(0.2))
    assert speed.value == 50
    speed.suit(data(2000, "b.csv"))
    assert speed.value == 100
    speed.choose(50.0)
    speed.suit(data(10**6, "c.csv"))
    assert speed.value is None


def test_unlimited_once_chosen_stays_until_it_is_switched_off() -> None:
    speed = Speed()
    speed.suit(data(150))
    speed.toggle()
    assert speed.value is None
    speed.suit(data(2000, "b.csv"))
    assert speed.value is None
    speed.toggle()
    assert speed.value == 100
    speed.suit(data(150))
    assert speed.value == 7


def test_switched_off_it_is_the_number_of_before() -> None:
    speed = Speed()
    speed.suit(data(150))
    speed.choose(30.0)
    speed.toggle()
    speed.toggle()
    assert speed.value == 30
    speed.suit(data(10**6, "large.csv"))
    speed.toggle()
    assert speed.value == 50_000
