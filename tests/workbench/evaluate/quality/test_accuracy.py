"""The paper's protocol: the same folds for all, candidates chosen without the test fold."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from workbench.evaluate.folds import stratified_folds
from workbench.evaluate.quality.accuracy import AccuracyTable, measure_accuracy
from workbench.evaluate.quality.learners import GAPS_KEPT, Learner, chosen_learners
from workbench.evaluate.quality.printed import PRINTED
from workbench.evaluate.quality.sets import LABELLED, LabelledSet, chosen_sets, labelled_table
from workbench.evaluate.quality.texts import accuracy_records, accuracy_text
from workbench.source import Column, Table
from workbench.words.sentences import UserError


def measured(sets: list[LabelledSet], learners: dict[str, Learner], n_seeds: int = 1, n_jobs: int = 1) -> AccuracyTable:
    *_, table = measure_accuracy(sets, learners, n_seeds, n_jobs)
    return table


def rings(n_rows: int = 300) -> LabelledSet:
    """Two rings, which the nearest neighbours tell apart and a constant does not."""
    rng = np.random.default_rng(0)
    codes = rng.integers(2, size=n_rows)
    angle, radius = rng.uniform(0, 2 * np.pi, n_rows), 1 + codes + rng.normal(0, 0.05, n_rows)
    X = radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    return LabelledSet("rings", "choosing", partial(labelled_table, "rings", X, codes.tolist()))


def test_the_better_candidate_is_chosen() -> None:
    neighbours = Learner("k-NN", tuple(partial(KNeighborsClassifier, n_neighbors=count) for count in (70, 1)))
    table = measured([rings()], {"neighbours": neighbours}, n_seeds=2)
    assert [score.candidate for score in table.scores] == [1] * 4
    assert table.mean("rings", "neighbours", "first_area") > 0.95


class Watching(KNeighborsClassifier):
    """Remembers what it was trained with and asked for."""

    fits: ClassVar[list[set[float]]] = []
    questions: ClassVar[list[set[float]]] = []

    def fit(self, X: np.ndarray, y: np.ndarray) -> Watching:
        self.fits.append(set(X[:, 0]))
        return super().fit(X, y)  # type: ignore[no-any-return]

    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        self.questions.append(set(X[:, 0]))
        return super().predict_proba(X)  # type: ignore[no-any-return]


def test_candidates_are_chosen_inside_of_the_training_fold() -> None:
    Watching.fits.clear()
    Watching.questions.clear()
    one = rings(60)
    two = Learner("watching", (Watching, Watching), GAPS_KEPT)
    measured([one], {"watching": two})
    fold = stratified_folds(one.read(), 2, 0)[0]
    train = set(one.read().columns[0].values[fold.train])
    test = set(one.read().columns[0].values[fold.test])
    assert all(rows < train for rows in Watching.fits[:4])  # two folds of two candidates
    assert all(rows < train for rows in Watching.questions[:4])
    assert (Watching.fits[4], Watching.questions[4]) == (train, test)


def test_a_learner_without_probabilities_has_areas_only() -> None:
    table = measured(chosen_sets(["iris"]), {"svc": Learner("SVC", (SVC,))})
    assert table.mean("iris", "svc", "weighted_area") > 0.95
    assert np.isnan(table.mean("iris", "svc", "log_loss"))


def test_processes_give_the_same_scores() -> None:
    learners = {"nearest": Learner("1-NN", (partial(KNeighborsClassifier, n_neighbors=1),))}
    alone, together = (measured(chosen_sets(["iris"]), learners, 2, n_jobs) for n_jobs in (1, 2))

    def areas(table: AccuracyTable) -> set[tuple[int, int, float]]:
        return {(score.seed, score.fold, score.weighted_area) for score in table.scores}

    assert areas(alone) == areas(together)
    assert len(areas(alone)) == 4


def test_gaps_reach_the_mixtures_and_are_filled_for_the_others() -> None:
    table = measured(chosen_sets(["labor-neg-data"]), chosen_learners(["defaults", "lda", "bayes"]))
    for learner in table.learners:
        assert table.mean("labor-neg-data", learner, "first_area") > 0.6


def test_a_column_without_any_value_is_no_obstacle() -> None:
    one = rings(60)

    def with_gap() -> Table:
        return Table("gap", (Column.numeric("empty", np.full(60, np.nan)), *one.read().columns))

    neighbours = Learner("k-NN", (KNeighborsClassifier,))
    table = measured([LabelledSet("gap", "choosing", with_gap)], {"neighbours": neighbours})
    assert table.mean("gap", "neighbours", "accuracy") > 0.8


def test_the_table_shows_every_set_with_the_printed_figure() -> None:
    table = measured(chosen_sets(["iris", "Glass"]), chosen_learners(["defaults", "lda"]))
    text = accuracy_text(table)
    glass = next(line.split() for line in text.splitlines() if line.startswith("Glass"))
    assert glass[-1] == f"{PRINTED['Glass'].figmn:.2f}"
    assert glass[2] == f"{table.mean('Glass', 'lda', 'first_area'):.4f}"
    records = accuracy_records(table)
    assert len(records["folds"]) == 8
    assert records["sets"][0] == {"name": "iris", "purpose": "paper"}


def test_purposes_stand_for_their_sets_and_share_none() -> None:
    names = [one.name for one in chosen_sets(["paper", "choosing", "fresh"])]
    assert len(names) == len(set(names)) == len(LABELLED)
    assert [one.name for one in chosen_sets(["paper"])] == list(PRINTED)
    assert len(chosen_sets(["fresh"])) >= 6


def test_unknown_names_are_refused_with_what_is_known() -> None:
    with pytest.raises(UserError, match=r"'irs' is not known.*iris"):
        chosen_sets(["irs"])
    with pytest.raises(UserError, match=r"'tree' is not known.*forest"):
        chosen_learners(["tree"])


@pytest.mark.parametrize("one", LABELLED.values(), ids=LABELLED.keys())
def test_every_set_has_one_class_column_with_two_labels_or_more(one: LabelledSet) -> None:
    if one.name in {"phishing", "bananas", "segments"}:
        pytest.importorskip("river")
    table = one.read()
    [target] = table.targets
    assert target.kind == "nominal"
    assert len(np.unique(target.values)) >= 2
    assert not target.missing.any()
