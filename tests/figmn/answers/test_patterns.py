"""Patterns that are kept for the next question: never stale, few, and nobody else's business."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from figmn import IGMN, FastIGMN, Snapshot, load, save
from figmn.answers import inference
from figmn.answers.inference import Mixture, Pattern
from figmn.answers.patterns import KeptPatterns
from figmn.engine import Engine
from figmn.system.arrays import Floats

WIDE = 1 + FastIGMN.compiled_up_to
MODELS: dict[str, Callable[[], Engine]] = {
    "few columns": lambda: FastIGMN(0.5, 0.05, 5, 1.5),
    "few columns, published": lambda: FastIGMN(0.5, 0.05, 5, 1.5, "published"),
    "IGMN": lambda: IGMN(0.5, 0.05, 5, 1.5),
    "many columns": lambda: FastIGMN(3, 1e-9, 5, 1.5),
    "many columns, published": lambda: FastIGMN(3, 1e-9, 5, 1.5, "published"),
    "many columns, one component": lambda: FastIGMN(1, 0),
    "many columns, mature": lambda: FastIGMN(1, 0).learn(rows_for("many columns", WIDE)),
}
all_models = pytest.mark.parametrize("name", MODELS)


def rows_for(name: str, n_rows: int = 40, seed: int = 0) -> Floats:
    """Two groups of rows; the first rows are alike, so that widths settle only after a component is born."""
    rng, width = np.random.default_rng(seed), WIDE if "many" in name else 4
    rows: Floats = rng.normal(size=(n_rows, width)) @ rng.normal(size=(width, width)) / np.sqrt(width)
    rows[1::2] += 4 * rng.normal(size=width)
    rows[:3] = rows[0]
    return rows


def questions_of(rows: Floats) -> Floats:
    """Rows with three patterns of missing values, and complete ones."""
    questions = rows[:8].copy()
    questions[0:2, 0] = questions[2:6, 1:3] = questions[6, 1:] = np.nan
    return questions


def twice(row: Floats) -> Floats:
    """The same question twice: a single one in few columns needs no pattern."""
    return np.array([row, row])


def assert_fresh(model: Engine | Snapshot, questions: Floats) -> None:
    """The answers are those of a model that has never been asked before."""
    snapshot = model.snapshot() if isinstance(model, Engine) else copy.deepcopy(model)
    never_asked = snapshot if snapshot.engine == "FastIGMN" else IGMN.from_snapshot(snapshot)
    for _ in range(2):  # what the first has kept answers the second
        filled, covariances = model.recall(questions, return_cov=True)
        assert_allclose(filled, model.recall(questions), rtol=1e-9, atol=1e-9)
        expected, expected_covariances = never_asked.recall(questions, return_cov=True)
        assert_allclose(filled, expected, rtol=1e-9, atol=1e-9)
        for ours, theirs in zip(covariances, expected_covariances, strict=True):
            assert_allclose(ours, theirs, rtol=1e-8, atol=1e-10)
        assert_allclose(model.score_samples(questions), never_asked.score_samples(questions), rtol=1e-9, atol=1e-9)


def after(model: Engine, step: str, rows: Floats) -> Engine:
    """The model after one of the things that can happen to it."""
    with_gaps = rows.copy()
    with_gaps[0, 1] = with_gaps[-1, :2] = np.nan
    steps: dict[str, Callable[[], Any]] = {
        "learn": lambda: model.learn(rows),
        "learn_one": lambda: model.learn_one(rows[0]),
        "learn_recorded": lambda: model.learn_recorded(rows),
        "with gaps": lambda: model.learn(with_gaps),
        "change": lambda: model.change(beta=0.2, v_min=2, sp_min=1.2),
        "refused": lambda: _refuse(model),
        "ask": lambda: None,
    }
    if step == "merge":
        return model.merge(type(model)(0.5, 0.05, covariance=model.parameters.covariance).learn(rows[::-1]))
    if step == "pickle":
        twin: Engine = pickle.loads(pickle.dumps(model))
        return twin
    steps[step]()
    return model


def _refuse(model: Engine) -> None:
    with pytest.raises(ValueError, match="inf cannot be used"):
        model.learn(np.full((1, model.n_features), np.inf))


STEPS = ("learn", "learn_one", "learn_recorded", "with gaps", "change", "refused", "ask", "merge", "pickle")


@all_models
@settings(max_examples=8, deadline=None)
@given(steps=st.lists(st.sampled_from(STEPS), min_size=1, max_size=6), seed=st.integers(0, 99))
def test_no_answer_is_stale(name: str, steps: list[str], seed: int) -> None:
    rows = rows_for(name, seed=seed)
    questions = questions_of(rows)
    model = MODELS[name]().learn(rows[:2])
    for number, step in enumerate(steps):
        model.recall(questions)
        model.score_samples(questions[:1])
        model = after(model, step, rows[2 + 5 * number : 7 + 5 * number])
        assert_fresh(model, questions)
    assert_fresh(model.snapshot(), questions)


@all_models
def test_every_change_takes_a_new_set_of_patterns(name: str) -> None:
    rows = rows_for(name)
    model = MODELS[name]().learn(rows[:10])
    for step in ("learn", "learn_one", "learn_recorded", "with gaps"):
        model.recall(questions_of(rows))
        before = model._kept
        assert len(before) == 4
        after(model, step, rows[10:20])
        assert model._kept is not before
        assert not len(model._kept)


def test_a_model_that_failed_while_it_learned_answers_as_it_is_now(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = rows_for("many columns")
    model = FastIGMN(1, 0).learn(rows[:10])
    question = questions_of(rows)[:1]
    learn = model._learn_some

    def learn_and_be_asked(*args: Any) -> int:
        learn(*args)
        model.recall(question)  # as another thread might
        raise MemoryError

    monkeypatch.setattr(model, "_learn_some", learn_and_be_asked)
    before = model.recall(question)
    with pytest.raises(MemoryError):
        model.learn(rows[10:30])
    assert not len(model._kept)
    assert not np.allclose(model.recall(question), before)
    assert_fresh(model, questions_of(rows))


@all_models
def test_a_pattern_is_made_once(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    def counted(mixture: Mixture, missing: Any) -> Pattern:
        made.append(missing)
        return Pattern(mixture, missing)

    rows = rows_for(name)
    model, questions = MODELS[name]().learn(rows), questions_of(rows)
    for asked in (model, model.snapshot()):
        made.clear()
        monkeypatch.setattr(inference.Mixture, "pattern", counted)
        for _ in range(3):
            asked.recall(questions)
            asked.recall(questions, return_cov=True)
            asked.score_samples(questions)
        assert len(made) == 4


def test_igmn_inverts_nothing_for_a_pattern_that_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = rows_for("IGMN")
    model, question = MODELS["IGMN"]().learn(rows), questions_of(rows)[:1]
    first = model.recall(question)
    monkeypatch.setattr(model, "_inverted", lambda: pytest.fail("inverted once more"))
    np.testing.assert_array_equal(model.recall(question), first)


@all_models
def test_learning_from_rows_with_gaps_keeps_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = rows_for(name)
    model = MODELS[name]().learn(rows[:10])
    monkeypatch.setattr(KeptPatterns, "put", lambda *_: pytest.fail("kept"))
    gaps = rows[10:30].copy()
    gaps[:, 1] = np.nan
    model.learn(gaps)
    model.learn_one(gaps[0])


def test_the_patterns_used_least_recently_go_first() -> None:
    model = FastIGMN(1, 0, scale=np.ones(6)).learn(np.random.default_rng(0).normal(size=(20, 6)))
    model._kept = kept = KeptPatterns(n_patterns=2)
    questions = np.where(np.eye(6, dtype=bool), np.nan, 0.5)
    for column in (0, 1, 0, 2):
        model.recall(twice(questions[column]))
    assert [kept.find(np.isnan(questions[column])) is not None for column in range(3)] == [True, False, True]
    model.recall(questions)
    assert len(kept) == 2


@pytest.mark.parametrize("columns", [6, WIDE])
def test_patterns_take_no_more_than_their_room(columns: int) -> None:
    rows = np.random.default_rng(0).normal(size=(20, columns))
    model = FastIGMN(1, 0, scale=np.ones(columns)).learn(rows)
    before, questions = model.n_bytes, np.where(np.eye(20, columns, dtype=bool), np.nan, rows)
    model.recall(twice(questions[0]))
    each = model.n_bytes - before
    assert each == model._kept.n_bytes > 0
    model._kept = kept = KeptPatterns(n_bytes=3 * each)
    for row in range(6):
        model.recall(twice(questions[row]))
        assert kept.n_bytes <= 3 * each
    assert len(kept) == 3
    model._kept = kept = KeptPatterns(n_bytes=each - 1)
    model.recall(twice(questions[0]))
    assert len(kept) == kept.n_bytes == 0


def test_what_a_pattern_comes_to_hold_is_counted() -> None:
    rows = np.random.default_rng(0).normal(size=(20, WIDE))
    model = FastIGMN(1, 0, scale=np.ones(WIDE)).learn(rows)
    question = rows[:1].copy()
    question[0, :2] = np.nan
    model.recall(question)
    before = model._kept.n_bytes
    for _ in range(2):  # more rows than wanted columns: the gain pays
        model.recall(question)
    assert model._kept.n_bytes == before + 8 * 2 * WIDE


@all_models
def test_copies_pickles_and_files_leave_the_patterns_behind(name: str, tmp_path: Any) -> None:
    rows = rows_for(name)
    model, questions = MODELS[name]().learn(rows), questions_of(rows)
    snapshot = model.snapshot()
    save(model, tmp_path / "before.figmn")
    for asked in (model, snapshot):
        asked.recall(questions)
        assert len(asked._kept)
        for twin in (copy.copy(model), copy.deepcopy(asked), pickle.loads(pickle.dumps(asked))):
            assert not len(twin._kept)
            assert_fresh(twin, questions)
    save(model, tmp_path / "after.figmn")
    assert (tmp_path / "before.figmn").read_bytes() == (tmp_path / "after.figmn").read_bytes()
    assert not len(load(tmp_path / "after.figmn")._kept)


@all_models
def test_a_snapshot_is_asked_from_several_threads(name: str) -> None:
    rows = rows_for(name)
    snapshot, questions = MODELS[name]().learn(rows).snapshot(), questions_of(rows)
    expected = copy.deepcopy(snapshot).recall(questions)
    snapshot.__dict__["_kept"] = KeptPatterns(n_patterns=2)  # they crowd each other out
    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(lambda row: snapshot.recall(questions[row : row + 1])[0], 30 * list(range(8))))
    for number, answer in enumerate(answers):
        assert_allclose(answer, expected[number % 8], rtol=1e-9, atol=1e-9)
    assert len(snapshot._kept) <= 2


@all_models
def test_complete_rows_come_back_as_they_are(name: str) -> None:
    rows = rows_for(name)
    model = MODELS[name]().learn(rows)
    np.testing.assert_array_equal(model.recall(rows), rows)
    assert [covariance.shape for covariance in model.recall(rows[:2], return_cov=True)[1]] == [(0, 0)] * 2


def test_one_question_that_is_too_large_drops_no_other() -> None:
    model = FastIGMN(1, 0, scale=np.ones(6)).learn(np.random.default_rng(0).normal(size=(20, 6)))
    questions = np.where(np.eye(6, dtype=bool), np.nan, 0.5)
    model.recall(twice(questions[0]))
    model._kept = kept = KeptPatterns(n_bytes=2 * model._kept.n_bytes)
    model.recall(questions[:2])
    assert len(kept) == 2
    model.recall(twice(np.where(np.arange(6) < 5, np.nan, 0.5)))
    assert len(kept) == 2


def test_a_kept_pattern_does_not_hold_on_to_the_question() -> None:
    model = FastIGMN(1, 0, scale=np.ones(4)).learn(np.random.default_rng(0).normal(size=(20, 4)))
    questions = np.full((1000, 4), 0.5)
    questions[:, 1] = np.nan
    model.recall(questions)
    found = model._kept.find(np.isnan(questions[0]))
    assert found is not None
    assert found.missing.base is None
