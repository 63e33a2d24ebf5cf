"""Open attributes are ranked by what the library says that they tell."""

from __future__ import annotations

import numpy as np
import pytest

from figmn import FastIGMN
from figmn.answers.information import information
from figmn.answers.variables import Variable
from tests.workbench.run.ask.made import ATTRIBUTES, LABELS, NUMBERS
from workbench.run.ask.next_questions import next_questions
from workbench.run.ask.question import Question
from workbench.source import Cancelled
from workbench.words.sentences import UserError


@pytest.fixture(scope="module")
def model() -> FastIGMN:
    rows = np.hstack([NUMBERS, np.eye(3)[LABELS]])
    return FastIGMN(delta=0.6, beta=0.001, scale=rows.std(axis=0)).learn(rows)


def test_the_bits_are_those_of_the_library(model: FastIGMN) -> None:
    found = next_questions(model, model.n_seen, ATTRIBUTES, Question({"b": 40.0}, {}, ("label", "d")))
    given = model.condition([np.nan, -1.0, np.nan, np.nan, np.nan, np.nan, np.nan])  # a, c, d, then the labels
    wanted = [Variable((3, 4, 5), 3), Variable((2,))]
    for gain in found.gains:
        candidate = Variable(({"a": 0, "c": 1}[gain.attribute],))
        expected = sum(information(given, one, candidate).bits for one in wanted)
        assert gain.bits == pytest.approx(expected, abs=1e-9)
    assert [gain.attribute for gain in found.gains] == ["a", "c"]
    assert found.gains[0].bits > found.gains[1].bits


def test_labels_tell_too(model: FastIGMN) -> None:
    found = next_questions(model, model.n_seen, ATTRIBUTES, Question({}, {}, ("a",)))
    assert found.gains[0].attribute == "label"
    assert {gain.attribute for gain in found.gains} == {"b", "c", "d", "label"}


def test_it_can_be_cancelled(model: FastIGMN) -> None:
    steps = []

    def progress(done: int, total: int) -> bool:
        steps.append((done, total))
        return done < 1

    with pytest.raises(Cancelled):
        next_questions(model, model.n_seen, ATTRIBUTES, Question({}, {}, ("label",)), progress)
    assert steps == [(0, 4), (1, 4)]


def test_nothing_wanted_is_refused(model: FastIGMN) -> None:
    with pytest.raises(UserError, match="Nothing is wanted"):
        next_questions(model, model.n_seen, ATTRIBUTES, Question({"a": 1.0}, {}, ()))
