"""The rows that a user has selected."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.desk.data import DataDesk
from workbench.desk.selection import HOWS, How, Selection
from workbench.run.recipe.dataset import GeneratorOrigin, SampleOrigin, load
from workbench.source.generators import BirthsAndDeaths
from workbench.words.sentences import UserError

N_ROWS = 12
SOME_ROWS = st.lists(st.integers(0, N_ROWS - 1))


@given(SOME_ROWS, SOME_ROWS, st.sampled_from(HOWS), st.sampled_from([N_ROWS, None]))
def test_changes_are_those_of_sets(first: list[int], second: list[int], how: How, n_rows: int | None) -> None:
    expected = {
        "replace": set(second),
        "add": {*first, *second},
        "remove": set(first) - set(second),
        "intersect": set(first) & set(second),
    }[how]
    found = Selection(n_rows=n_rows).changed(first, "replace").changed(second, how)
    assert found.rows.tolist() == sorted(expected)
    assert found.holds(np.arange(N_ROWS + 3)).tolist() == [row in expected for row in range(N_ROWS + 3)]
    assert np.flatnonzero(found.mask).tolist() == sorted(expected)
    assert bool(found) == bool(expected)


def test_inverting_twice_changes_nothing() -> None:
    some = Selection(n_rows=5).changed([1, 4], "replace")
    assert some.inverted().rows.tolist() == [0, 2, 3]
    assert some.inverted().inverted().rows.tolist() == [1, 4]
    assert not some.cleared()
    with pytest.raises(UserError, match="cannot be inverted"):
        Selection(some.rows).inverted()


@pytest.mark.parametrize("wrong", [-1, 5])
def test_rows_that_are_not_there_are_refused(wrong: int) -> None:
    with pytest.raises(UserError, match=f"Row {wrong + 1:,} cannot be selected"):
        Selection(n_rows=5).changed([0, wrong], "add")


def test_a_selection_belongs_to_its_data() -> None:
    desk = DataDesk()
    assert not desk.selection
    iris, glass = load(SampleOrigin("iris")), load(SampleOrigin("glass"))
    desk.take_dataset(iris, "iris")
    desk.select([3, 1])
    desk.versions.change(iris.with_roles({"class": "ignored"}), "role")
    assert desk.selection.rows.tolist() == [1, 3], "another role changes no row"
    desk.take_dataset(glass, "glass")
    assert (len(desk.selection.rows), desk.selection.n_rows) == (0, glass.table.n_rows)


def test_rows_of_a_stream_are_selected_without_an_end() -> None:
    desk = DataDesk()
    desk.take_dataset(load(GeneratorOrigin(BirthsAndDeaths(), endless=True)), "stream")
    desk.select([10**9])
    assert desk.selection.words == "1 row selected"
