"""Maps say at every cell what the answer there says."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from figmn import FastIGMN
from tests.workbench.run.ask.made import LABELS, NUMBERS
from tests.workbench.run.ask.made import attributes as made_attributes
from workbench.run.ask.answer import LabelAnswer, NumberAnswer, answer
from workbench.run.ask.attributes import Attribute
from workbench.run.ask.maps import COARSE, FINE, AnswerMap, MapChoice, MapKey, MapWork, map_key
from workbench.run.ask.question import Question
from workbench.run.ask.telling import Telling


@pytest.fixture(params=["one-hot", "index"])
def asked(request: pytest.FixtureRequest) -> tuple[FastIGMN, list[Attribute]]:
    """A mixture of four numbers, one of them scaled, and a label in either encoding."""
    one_hot = request.param == "one-hot"
    codes = np.eye(3)[LABELS] if one_hot else LABELS[:, None].astype(float)
    rows = np.hstack([NUMBERS, codes])
    return FastIGMN(delta=0.6, beta=0.001, scale=rows.std(axis=0)).learn(rows), made_attributes(one_hot)


def finished(model: FastIGMN, attributes: list[Attribute], key: MapKey | None) -> list[AnswerMap]:
    """All maps of a key, the coarse one first."""
    assert key is not None
    work, found = MapWork(model, model.n_seen, attributes, key), []
    while not work.is_done:
        step = work.step()
        found += [] if step is None else [step]
    return found


def key_of(attributes: list[Attribute], question: Question, choice: MapChoice | None = None) -> MapKey | None:
    return map_key(attributes, Telling(attributes), question, choice or MapChoice())


@pytest.mark.parametrize("figure", ["mean", "width", "std"])
def test_a_number_is_the_answer_at_every_cell(asked: tuple[FastIGMN, list[Attribute]], figure: str) -> None:
    model, attributes = asked
    question = Question({"a": 1.0, "b": 40.0, "label": "y"}, {"b": 4.0}, ("d",))
    key = key_of(attributes, question, MapChoice(figure=figure))  # type: ignore[arg-type]
    coarse, fine = finished(model, attributes, key)
    for found, size in ((coarse, COARSE), (fine, FINE)):
        assert found.values.shape == size[::-1]
        for line, column in ((0, 0), (11, 30), (size[1] - 1, size[0] - 1)):
            known = {**question.known, found.across.name: found.x[column], found.up.name: found.y[line]}
            (said,) = answer(model, model.ids, 0, attributes, replace(question, known=known)).wanted
            assert isinstance(said, NumberAnswer)
            expected = {"mean": said.mean, "std": said.std, "width": said.interval[1] - said.interval[0]}[figure]
            assert found.values[line, column] == pytest.approx(expected, rel=1e-9)
    assert (coarse.is_fine, fine.is_fine) == (False, True)


def test_regions_are_the_likeliest_label_at_every_cell(asked: tuple[FastIGMN, list[Attribute]]) -> None:
    model, attributes = asked
    question = Question({"c": 0.5, "a": 1.0}, {"a": 0.5}, ("label",))
    _, found = finished(model, attributes, key_of(attributes, question, MapChoice(across="a", up="b")))
    for line, column in ((0, 0), (40, 60), (80, 10), (25, 90)):
        known = {**question.known, "a": found.x[column], "b": found.y[line]}
        (said,) = answer(model, model.ids, 0, attributes, replace(question, known=known)).wanted
        assert isinstance(said, LabelAnswer)
        assert found.values[line, column] == pytest.approx(said.shares.max(), rel=1e-9)
        assert found.best[line, column] == said.shares.argmax()


def test_axes_are_known_numbers_that_tell_most(asked: tuple[FastIGMN, list[Attribute]]) -> None:
    _, attributes = asked
    assert Telling(attributes).ranked("label")[:2] == ["a", "b"]
    axes = {
        known: (key.across, key.up)
        for known in ("", "c", "cd", "bcd")
        if (key := key_of(attributes, Question(dict.fromkeys(known, 1.0), {}, ("label",))))
    }
    assert axes == {"": ("a", "b"), "c": ("a", "c"), "cd": ("c", "d"), "bcd": ("b", "d")}


@pytest.mark.parametrize(
    ("choice", "axes"),
    [
        (MapChoice(across="c"), ("c", "a")),
        (MapChoice(up="a"), ("b", "a")),
        (MapChoice(across="c", up="c"), ("c", "a")),
        (MapChoice(across="label", up="missing"), ("a", "b")),
        (MapChoice(wanted="missing", across="d", up="c"), ("d", "c")),
    ],
)
def test_what_was_chosen_is_drawn_where_it_can_be(
    asked: tuple[FastIGMN, list[Attribute]], choice: MapChoice, axes: tuple[str, str]
) -> None:
    _, attributes = asked
    key = key_of(attributes, Question({}, {}, ("label",)), choice)
    assert key is not None
    assert (key.across, key.up) == axes


def test_two_numbers_are_needed(asked: tuple[FastIGMN, list[Attribute]]) -> None:
    _, attributes = asked
    assert key_of(attributes, Question({}, {}, ("a", "b", "c"))) is None
    constant = [replace(one, low=0.0, high=0.0) for one in attributes[:3]] + attributes[3:]
    assert key_of(constant, Question({}, {}, ("label",))) is None


def test_the_range_reaches_to_the_question(asked: tuple[FastIGMN, list[Attribute]]) -> None:
    _, attributes = asked
    key = key_of(attributes, Question({"a": 99.0, "b": -500.0}, {}, ("label",)))
    assert key is not None
    ends = dict(zip((key.across, key.up), key.ends, strict=True))
    a, b = attributes[:2]
    assert ends["a"][0] < a.low < 99.0 < ends["a"][1] < 99.0 + 0.1 * (a.high - a.low)
    assert ends["b"][0] < -500.0 < b.high < ends["b"][1]


def test_steps_are_small_where_there_are_many_components(
    asked: tuple[FastIGMN, list[Attribute]], monkeypatch: pytest.MonkeyPatch
) -> None:
    model, attributes = asked
    key = key_of(attributes, Question({}, {}, ("label",)))
    whole = finished(model, attributes, key)
    monkeypatch.setattr("workbench.run.ask.maps.STEP_ITEMS", 2000)
    assert key is not None
    work = MapWork(model, model.n_seen, attributes, key)
    assert work.step() is None
    parts = finished(model, attributes, key)
    for one, other in zip(whole, parts, strict=True):
        np.testing.assert_allclose(one.values, other.values, rtol=1e-12)


def test_equal_values_of_a_sorted_table_tell_nothing() -> None:
    attributes = made_attributes(True)
    label, number = attributes[-1], attributes[0]
    order = np.argsort(label.values, kind="stable")
    n_rows = len(order)
    years = replace(number, block=replace(number.block, name="year"), values=np.arange(n_rows, dtype=np.float64) % 3)
    table = [years, *(replace(one, values=one.values[order]) for one in attributes)]
    assert Telling(table).ranked(label.name)[-1] == "year"
