"""One choice of colour, which lives with the dataset, and changes that look at no row."""

from __future__ import annotations

import pytest

from workbench.run.recipe.dataset import Colour, Dataset, SampleOrigin, load
from workbench.source import SourceError


@pytest.fixture(scope="module")
def credit() -> Dataset:
    return load(SampleOrigin("German credit"))


def test_the_class_colours_until_something_is_chosen(credit: Dataset) -> None:
    assert credit.colour_column == "class"
    chosen = credit.with_colour(Colour("own_telephone"))
    assert (chosen.colour_column, chosen.label_column) == ("own_telephone", "own_telephone")
    assert chosen.with_roles({"own_telephone": "ignored"}).colour_column == "own_telephone"


def test_a_class_that_is_not_learned_still_colours(credit: Dataset) -> None:
    assert credit.nominal[-2:] != ("class",)
    assert credit.with_roles({"class": "ignored"}).colour_column == "class"
    other = credit.with_roles({"housing": "target", "class": "ignored"})
    assert other.colour_column == "housing", "a new target is the class"
    assert other.with_roles({"housing": "ignored"}).colour_column == "housing"


def test_without_a_colour_the_classes_are_known_still(credit: Dataset) -> None:
    plain = credit.with_colour(Colour(None))
    assert (plain.colour_column, plain.label_column) == (None, "class")


def test_what_has_no_labels_cannot_colour(credit: Dataset) -> None:
    with pytest.raises(SourceError, match="'duration' is no column with labels to colour by"):
        credit.with_colour(Colour("duration"))
    chosen = credit.with_colour(Colour("own_telephone"))
    assert chosen.with_kinds({"own_telephone": "string"}).colour_column == "class"


def test_a_share_is_checked_without_drawing_its_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nine seconds at twenty million rows, in the window's thread."""
    iris = load(SampleOrigin("iris"))
    monkeypatch.setattr("workbench.run.recipe.dataset.split", lambda *_: pytest.fail("rows were drawn"))
    assert iris.with_test_share(0.2).test_share == 0.2
    with pytest.raises(SourceError, match="leaves no training or no test rows"):
        iris.with_test_share(0.001)
