"""One choice of colour, which lives with the dataset, and changes that look at no row."""

from __future__ import annotations

import pytest

from workbench.run.recipe.dataset import Colour, Dataset, GeneratorOrigin, SampleOrigin, load
from workbench.source import SourceError
from workbench.source.generators import BirthsAndDeaths


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


def test_all_but_text_can_colour(credit: Dataset) -> None:
    by_number = credit.with_colour(Colour("duration"))
    assert (by_number.colour_column, by_number.label_column) == ("duration", "class")
    text = by_number.with_kinds({"duration": "string"})
    assert text.colour_column == "class", "text cannot colour"
    with pytest.raises(SourceError, match="'duration' is no column to colour by"):
        text.with_colour(Colour("duration"))


def test_components_colour_without_a_column(credit: Dataset) -> None:
    chosen = credit.with_colour(Colour(by="component"))
    assert (chosen.colour_column, chosen.label_column) == (None, "class")
    assert chosen.with_roles({"class": "ignored"}).colour_choice == Colour(by="component")


def test_numbers_of_a_stream_colour_where_they_are_learned() -> None:
    stream = load(GeneratorOrigin(BirthsAndDeaths(), endless=True))
    assert set(stream.colourable) == set(stream.table.names)
    chosen = stream.with_colour(Colour("x"))
    ignored = chosen.with_roles({"x": "ignored"})
    assert "x" not in ignored.colourable
    assert ignored.colour_column == "class"


def test_a_share_is_checked_without_drawing_its_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nine seconds at twenty million rows, in the window's thread."""
    iris = load(SampleOrigin("iris"))
    monkeypatch.setattr("workbench.run.recipe.dataset.split", lambda *_: pytest.fail("rows were drawn"))
    assert iris.with_test_share(0.2).test_share == 0.2
    with pytest.raises(SourceError, match="leaves no training or no test rows"):
        iris.with_test_share(0.001)


def test_encoded_targets_are_counted_where_there_are_inputs() -> None:
    iris = load(SampleOrigin("iris"))
    assert iris.n_encoded_targets == 3
    assert iris.with_roles({"class": "input"}).n_encoded_targets == 0
    measures = dict.fromkeys(iris.table.names[:4], "ignored")
    assert iris.with_roles(measures).n_encoded_targets == 0  # type: ignore[arg-type]
    assert iris.with_roles({"petalwidth": "target"}).n_encoded_targets == 4
