"""What a sample did, in words that follow from the numbers of the frame."""

from __future__ import annotations

import math
from dataclasses import replace

from figmn import Parameters
from tests.workbench.frames import births_and_deaths, frame, iris
from workbench.pages.words import percent, sentence
from workbench.run import Choices, Recipe, SampleOrigin
from workbench.run.frame import Frame
from workbench.run.learner import Learner
from workbench.run.prepared import prepare
from workbench.run.sample_log import SampleLog
from workbench.source import Order


def moment(**changes: object) -> Frame:
    found = frame(iris())
    assert found.latest is not None
    return replace(found, latest=replace(found.latest, **changes))  # type: ignore[arg-type]


def test_the_owner_is_named_beside_the_nearest() -> None:
    """It said "#5 is near" of a sample that is #4's."""
    found = moment(
        sample=11, row=206, nearest=5, distance=4.138, threshold=40.87, owner=4, posterior=0.99999998, born=None,
        removed=(),
    )  # fmt: skip
    assert sentence(found) == (
        "Sample 12 · row 207 of iris. Not new: d² to #5 is 4.14, below τ = 40.87. #4 takes 100 % of it."
    )


def test_a_birth_says_why() -> None:
    found = moment(sample=11, row=11, nearest=5, distance=55.1, threshold=40.87, owner=6, posterior=1.0, born=6)
    text = "New: d² to #5 is 55.10, the smallest, and not below τ = 40.87. #6 is born here."
    assert text in sentence(found)
    assert "there was no component yet. #0 is born here" in sentence(moment(nearest=None, born=0, distance=math.nan))


def test_without_novelty_no_infinity_is_shown() -> None:
    text = sentence(moment(nearest=0, owner=0, posterior=1.0, threshold=math.inf, born=None))
    assert "Not new: with β = 0 no sample is new. #0 takes 100 % of it." in text
    assert "∞" not in text
    assert "inf" not in text


def test_without_births_the_sentence_names_no_infinity() -> None:
    """β = 0: τ is infinite."""
    text = sentence(frame(iris(), beta=0.0))
    assert "with β = 0 no sample is new" in text
    assert "inf" not in text
    assert "∞" not in text


def test_made_up_rows_have_no_row_of_their_own() -> None:
    text = sentence(frame(births_and_deaths(50)))
    assert text.startswith("Sample 50. ")


def test_a_share_is_not_rounded_up_to_all() -> None:
    assert [percent(share) for share in (0.5, 0.9951, 0.99951, 0.999999)] == ["50 %", "99.5 %", "99.95 %", "99.9999 %"]


def test_the_words_of_a_shuffled_run_name_the_row_of_the_file() -> None:
    recipe = Recipe(SampleOrigin("iris"), order=Order("shuffled"), choices=Choices(Parameters(beta=0.01)))
    learner = Learner(recipe, prepare(recipe.dataset(), recipe), SampleLog())
    chunk = learner.advance(40)
    found = replace(frame(iris()), recipe=recipe, latest=learner.latest)
    assert sentence(found).startswith(f"Sample 40 · row {chunk.rows[-1] + 1} of iris. ")
