"""Changes that turn an answer: verified by asking again, and none nearer on a fine grid."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from figmn import FastIGMN
from tests.workbench.run.ask.made import LABELS, NUMBERS
from tests.workbench.run.ask.made import attributes as made_attributes
from workbench.run.ask.answer import LabelAnswer, NumberAnswer, answer
from workbench.run.ask.attributes import Attribute
from workbench.run.ask.changes import ChangeQuestion, FoundChange, Turn, find_change
from workbench.run.ask.question import Question
from workbench.source import Cancelled
from workbench.words.sentences import UserError

KNOWN: dict[str, float | str] = {"a": 0.0, "b": 50.0, "c": 0.0}


@pytest.fixture(params=["one-hot", "index"])
def asked(request: pytest.FixtureRequest) -> tuple[FastIGMN, list[Attribute]]:
    one_hot = request.param == "one-hot"
    codes = np.eye(3)[LABELS] if one_hot else LABELS[:, None].astype(float)
    rows = np.hstack([NUMBERS, codes])
    return FastIGMN(delta=0.6, beta=0.001, scale=rows.std(axis=0)).learn(rows), made_attributes(one_hot)


def found_by(asked: tuple[FastIGMN, list[Attribute]], question: ChangeQuestion) -> FoundChange:
    model, attributes = asked
    return find_change(model, model.n_seen, attributes, question)


def said(asked: tuple[FastIGMN, list[Attribute]], question: Question) -> LabelAnswer | NumberAnswer:
    model, attributes = asked
    return answer(model, model.ids, model.n_seen, attributes, question).wanted[0]


@pytest.mark.parametrize("label", ["", "z"])
@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_a_label_turns(asked: tuple[FastIGMN, list[Attribute]], label: str, norm: str) -> None:
    question = Question(KNOWN, {"a": 0.2}, ("label",))
    found = found_by(asked, ChangeQuestion(question, Turn("label", label), ("a", "b", "c"), norm))  # type: ignore[arg-type]
    before, after = (said(asked, one) for one in (question, replace(question, known={**KNOWN, **found.values})))
    assert isinstance(before, LabelAnswer)
    assert isinstance(after, LabelAnswer)
    assert before.attribute.labels[before.shares.argmax()] == "x"
    assert after.attribute.labels[after.shares.argmax()] == found.label == (label or "y")
    assert after.shares.max() == pytest.approx(found.figure)
    assert found.distance > 0.1
    a, b = (one for one in asked[1] if one.name in ("a", "b"))
    for one in (a, b):
        if one.name in found.values:
            shift = (float(found.values[one.name]) - float(KNOWN[one.name])) / one.values.std()
            assert found.shifts[one.name] == pytest.approx(shift)
            assert one.low <= float(found.values[one.name]) <= one.high


def test_no_smaller_change_turns_it(asked: tuple[FastIGMN, list[Attribute]]) -> None:
    """Along the only column that may change, values that are nearer by more than the rounding do not."""
    question = Question(KNOWN, {}, ("label",))
    found = found_by(asked, ChangeQuestion(question, Turn("label"), ("a",)))
    end = float(found.values["a"])
    lead = 0.05 * asked[1][0].values.std()  # the label must lead, and its value be rounded
    for value in np.linspace(0.0, end - np.sign(end) * lead, 40):
        there = said(asked, replace(question, known={**KNOWN, "a": float(value)}))
        assert isinstance(there, LabelAnswer)
        assert there.attribute.labels[there.shares.argmax()] == "x"


@pytest.mark.parametrize("threshold", [0.4, 3.0, 6.0])
def test_a_mean_passes_a_number(asked: tuple[FastIGMN, list[Attribute]], threshold: float) -> None:
    question = Question({"b": 40.0, "c": 0.0, "label": "y"}, {}, ("a",))
    before = said(asked, question)
    assert isinstance(before, NumberAnswer)
    found = found_by(asked, ChangeQuestion(question, Turn("a", threshold=threshold), ("b", "c", "label")))
    after = said(asked, replace(question, known={**question.known, **found.values}))
    assert isinstance(after, NumberAnswer)
    assert (before.mean - threshold) * (after.mean - threshold) <= 0
    assert after.mean == pytest.approx(found.figure)


def test_a_label_may_change_too(asked: tuple[FastIGMN, list[Attribute]]) -> None:
    question = Question({"c": 0.0, "label": "x"}, {}, ("a",))
    found = found_by(asked, ChangeQuestion(question, Turn("a", threshold=4.0), ("label",)))
    assert found.values == {"label": "z"}
    assert found.distance == 1.0
    assert found.figure > 4.0


def test_none_within_the_range_is_said(asked: tuple[FastIGMN, list[Attribute]]) -> None:
    found = found_by(asked, ChangeQuestion(Question(KNOWN, {}, ("d",)), Turn("d", threshold=1e3), ("a", "b", "c")))
    assert not found.is_found
    assert found.distance == np.inf


def test_what_it_is_already_needs_no_change(asked: tuple[FastIGMN, list[Attribute]]) -> None:
    found = found_by(asked, ChangeQuestion(Question(KNOWN, {}, ("label",)), Turn("label", "x"), ("a",)))
    assert (found.is_found, found.distance, found.label) == (False, 0.0, "x")


@pytest.mark.parametrize(
    ("turn", "free", "words"),
    [
        (Turn("label"), (), "No value may change"),
        (Turn("label"), ("d",), "No value may change"),
        (Turn("d"), ("a",), "is not wanted"),
        (Turn("label", "missing"), ("a",), "is not a label"),
    ],
)
def test_what_cannot_be_searched_is_refused(
    asked: tuple[FastIGMN, list[Attribute]], turn: Turn, free: tuple[str, ...], words: str
) -> None:
    with pytest.raises(UserError, match=words):
        found_by(asked, ChangeQuestion(Question(KNOWN, {}, ("label",)), turn, free))


def test_a_number_to_pass_is_needed(asked: tuple[FastIGMN, list[Attribute]]) -> None:
    with pytest.raises(UserError, match="Give the number"):
        found_by(asked, ChangeQuestion(Question(KNOWN, {}, ("d",)), Turn("d"), ("a",)))


def test_it_can_be_cancelled(asked: tuple[FastIGMN, list[Attribute]]) -> None:
    model, attributes = asked
    question = ChangeQuestion(Question(KNOWN, {}, ("label",)), Turn("label"), ("a",))
    with pytest.raises(Cancelled):
        find_change(model, model.n_seen, attributes, question, lambda done, total: False)  # noqa: ARG005
