"""Folds: every row once, every class evenly, the same again for the same seed."""

from __future__ import annotations

import numpy as np
import pytest

from workbench.evaluate.folds import stratified_folds
from workbench.source import Column, SourceError, Table, sample


def labelled(*labels: str | None) -> Table:
    return Table("t", (Column.nominal("class", labels, role="target"),))


@pytest.mark.parametrize("name", ["iris", "glass", "labor", "soybean"])
@pytest.mark.parametrize("n_folds", [2, 3, 10])
def test_every_row_is_asked_about_once_and_never_learned_by_the_same_fold(name: str, n_folds: int) -> None:
    table = sample(name).read()
    folds = stratified_folds(table, n_folds, seed=3)
    everything = list(range(table.n_rows))
    assert sorted(np.concatenate([fold.test for fold in folds])) == everything
    for fold in folds:
        assert sorted([*fold.train, *fold.test]) == everything
    sizes = [len(fold.test) for fold in folds]
    assert max(sizes) - min(sizes) <= 1


@pytest.mark.parametrize("name", ["iris", "glass", "labor", "soybean"])
def test_classes_are_spread_evenly(name: str) -> None:
    table = sample(name).read()
    codes, n_classes = table.targets[0].values, len(table.targets[0].labels)
    counts = np.array([np.bincount(codes[fold.test], minlength=n_classes) for fold in stratified_folds(table)])
    assert np.abs(counts[0] - counts[1]).max() <= 1


def test_the_seed_decides() -> None:
    table = sample("iris").read()
    first, again, other = (stratified_folds(table, seed=seed)[0].test.tolist() for seed in (1, 1, 2))
    assert first == again != other


def test_rows_are_shuffled_and_not_in_blocks_of_a_class() -> None:
    table = sample("iris").read()
    for fold in stratified_folds(table):
        assert len(set(table.targets[0].values[fold.train[:12]].tolist())) == 3
        assert fold.train.tolist() != sorted(fold.train)


def test_rows_without_a_class_are_a_class_of_their_own() -> None:
    folds = stratified_folds(labelled("a", "a", None, None, None, None))
    assert [np.count_nonzero(fold.test >= 2) for fold in folds] == [2, 2]
    assert len(stratified_folds(Table("t", (Column.numeric("x", [1.0, 2.0, 3.0]),)))) == 2


def test_folds_are_read_only() -> None:
    with pytest.raises(ValueError, match="read-only"):
        stratified_folds(labelled("a", "b"))[0].train[0] = 1


@pytest.mark.parametrize(
    ("n_folds", "words"), [(1, "1 folds are too few for t"), (4, "3 rows of t cannot be divided into 4 folds")]
)
def test_too_few_or_too_many_are_refused(n_folds: int, words: str) -> None:
    with pytest.raises(SourceError, match=words):
        stratified_folds(labelled("a", "b", "a"), n_folds)


def test_classes_rarer_than_the_folds_are_divided_all_the_same() -> None:
    """scikit-learn refuses where every class is rarer, and warns where one is."""
    folds = stratified_folds(labelled(*"abcde"), 3)
    assert sorted(len(fold.test) for fold in folds) == [1, 2, 2]
    some = stratified_folds(labelled(*"aaaaab"), 3)
    assert sorted(np.concatenate([fold.test for fold in some])) == list(range(6))
    assert [len(fold.test) for fold in some] == [2, 2, 2]
