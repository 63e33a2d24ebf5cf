"""What a sample did, in words that follow from the numbers of the frame."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from figmn import Parameters
from tests.workbench.frames import births_and_deaths, frame, iris
from workbench.pages.stream.words import sentence
from workbench.run import Choices, Recipe, SampleOrigin
from workbench.run.learn.learner import Learner
from workbench.run.learn.sample_log import SampleLog
from workbench.run.rows.prepared import prepare
from workbench.run.show.frame import Frame
from workbench.source import Order, sample
from workbench.words.numbers import percent


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


def test_a_weight_is_said_where_it_is_not_one() -> None:
    assert sentence(moment(row=149, weight=2.5)).startswith("Sample 150 · row 150 of iris. Its weight is 2.5. ")
    assert "weight" not in sentence(moment(weight=1.0))


def test_a_birth_says_why() -> None:
    found = moment(sample=11, row=11, nearest=5, distance=55.1, threshold=40.87, owner=6, posterior=1.0, born=6)
    text = "New: the smallest d², to #5, is 55.10, not below τ = 40.87. #6 is born here."
    assert text in sentence(found)
    assert "New: there is no component yet. #0 is born here." in sentence(
        moment(nearest=None, born=0, distance=math.nan)
    )


def test_without_novelty_no_infinity_is_shown() -> None:
    text = sentence(moment(row=149, nearest=0, owner=0, posterior=1.0, threshold=math.inf, born=None))
    assert (
        text
        == "Sample 150 · row 150 of iris. Not new: with β = 0 τ is infinite, so no sample is new. #0 takes 100 % of it."
    )


def test_without_births_the_sentence_names_no_infinity() -> None:
    """β = 0: τ is infinite."""
    text = sentence(frame(iris(), beta=0.0))
    assert "with β = 0 τ is infinite, so no sample is new" in text
    assert "inf" not in text.replace("infinite", "")
    assert "∞" not in text


def test_huge_and_close_distances_stay_readable() -> None:
    far = sentence(moment(nearest=0, distance=3.25e200, threshold=9.0, born=1, removed=()))
    assert "the smallest d², to #0, is 3.250e200, not below τ = 9.00." in far
    close = sentence(moment(nearest=0, owner=0, distance=8.9996, threshold=9.0001, born=None, removed=()))
    assert "d² to #0 is 8.9996, below τ = 9.0001." in close


def test_a_removal_says_why() -> None:
    text = sentence(moment(removed=(2, 7)))
    values = frame(iris()).census.parameters
    assert text.endswith(
        f" Removed: #2, #7 (age above v_min = {values.v_min:g}, evidence below sp_min = {values.sp_min:g})."
    )


def test_a_merger_says_why() -> None:
    found = moment(merged=((4, 7), (4, 2)), born=None, removed=())
    assert sentence(with_limits(found, merge_below=1.5)).endswith(
        " Merged: #4 took in #7, #4 took in #2 (loses less than c_max = 1.5 nats for each parameter saved)."
    )
    most = found.census.n_components
    crowded = with_limits(moment(merged=((4, 7),), born=7, removed=()), max_components=most, merge_below=1.5)
    assert sentence(crowded).endswith(
        f" Merged: #4 took in #7 (there may be at most K_max = {most} components, and this loses least)."
    )


def with_limits(found: Frame, **values: Any) -> Frame:
    return replace(found, census=replace(found.census, parameters=replace(found.census.parameters, **values)))


def test_missing_values_that_were_filled_in_are_told() -> None:
    table = sample("iris").read()
    values = table["petalwidth"].values.copy()
    values[-1] = math.nan
    data = replace(
        table, columns=tuple(replace(one, values=values) if one.name == "petalwidth" else one for one in table)
    )
    recipe = Recipe(SampleOrigin("iris"))
    dataset = replace(recipe.dataset(), table=data)
    learner = Learner(recipe, prepare(dataset, recipe), SampleLog())
    while len(learner.advance(50).values):
        pass
    assert learner.latest is not None
    assert learner.latest.n_missing == 1
    text = sentence(replace(frame(iris()), latest=learner.latest))
    assert text.startswith("Sample 150 · row 150 of iris. 1 missing value of 4 filled in by the mixture. ")


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
