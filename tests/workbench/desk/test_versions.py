"""Undo and redo of a value that is replaced again and again."""

from __future__ import annotations

import pytest

from workbench.desk import versions
from workbench.desk.versions import KEPT, LEAST, SHARE, Versions, share_of_memory
from workbench.run.recipe.dataset import SampleOrigin, load


def test_versions_go_back_and_forth() -> None:
    values = Versions(0)
    assert values.undo() is None
    for number in (1, 2, 3):
        values.change(number, f"to {number}")
    assert values.undo() == "to 3"
    assert values.undo() == "to 2"
    assert values.present == 1
    assert values.redo() == "to 2"
    assert values.present == 2
    values.change(9, "to 9")
    assert values.redo_text is None
    assert values.undo() == "to 9"
    assert values.present == 2


def test_versions_keep_to_their_memory_and_say_what_they_lost() -> None:
    """Each value has a part of its own and shares one with the value before: shared parts count once."""
    values = Versions(0, lambda number: {number: 100, number + 1: 100}, lambda: 350.0)
    for number in (1, 2, 3):
        values.change(number, f"to {number}")
    assert values.take_lost() == 0
    values.change(4, "to 4")
    assert values.take_lost() == 1
    assert values.take_lost() == 0
    assert [values.undo() for _ in range(5)] == ["to 4", "to 3", "to 2", None, None]
    assert values.present == 1


def test_a_dataset_counts_what_versions_share_once() -> None:
    iris = load(SampleOrigin("iris"))
    roles = iris.with_roles({"class": "ignored"})
    assert sum(iris.sizes().values()) == 150 * (4 * iris.table.columns[0].values.itemsize + 4)
    assert roles.sizes() == iris.sizes()
    kinds = iris.with_kinds({"class": "string"})
    assert len(set(kinds.sizes()) - set(iris.sizes())) == 1


def test_the_next_change_back_and_forth_is_named() -> None:
    values = Versions("a")
    assert (values.undo_text, values.redo_text) == (None, None)
    values.change("b", "rename")
    assert (values.undo_text, values.redo_text) == ("rename", None)
    values.undo()
    assert (values.undo_text, values.redo_text) == (None, "rename")
    assert values.redo() == "rename"
    assert values.redo() is None
    assert values.present == "b"


def test_only_the_latest_changes_are_kept() -> None:
    values = Versions(0)
    for number in range(1, KEPT + 11):
        values.change(number, f"to {number}")
    while values.undo():
        pass
    assert values.present == 10
    assert values.take_lost() == 0, "memory did not take them"


def test_what_was_taken_back_counts_again_when_it_is_done_again() -> None:
    """A value's bytes are those beyond the value in whose favour it steps back, whichever way that was."""
    values = Versions(0, lambda number: {number: 100}, lambda: 150.0)
    values.change(1, "to 1")
    values.undo()
    values.redo()
    assert values.take_lost() == 0
    values.change(2, "to 2")
    assert values.take_lost() == 1
    assert values.undo() == "to 2"
    assert values.undo() is None


@pytest.mark.parametrize(("available", "budget"), [(8 * 2**30, SHARE * 8 * 2**30), (2**20, LEAST)])
def test_the_past_may_take_a_share_of_the_memory(
    monkeypatch: pytest.MonkeyPatch, available: int, budget: float
) -> None:
    monkeypatch.setattr(versions, "available_bytes", lambda: available)
    assert share_of_memory() == budget
