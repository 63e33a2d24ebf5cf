"""Questions in the user's units are answered as the library answers them on encoded rows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from figmn import FastIGMN
from tests.workbench.penguins import COLUMNS, write_penguins
from workbench.pages.predict.value_texts import value_in
from workbench.run.ask.answer import Answer, LabelAnswer, NumberAnswer, answer
from workbench.run.ask.attributes import Attribute, attributes_of
from workbench.run.ask.question import Question
from workbench.run.recipe.dataset import Dataset, FileOrigin
from workbench.run.recipe.recipe import Recipe
from workbench.run.rows.prepared import Prepared, prepare
from workbench.source.encode.encoding import ColumnBlock, Encoding
from workbench.words.sentences import UserError


@pytest.fixture(params=["none", "standard"])
def penguins(tmp_path: Path, request: pytest.FixtureRequest) -> tuple[FastIGMN, Prepared, tuple[Attribute, ...]]:
    """A mixture of penguins, plain or standardised, with the species as target."""
    recipe = Recipe(FileOrigin(str(write_penguins(tmp_path / "penguins.csv"))), roles={"species": "target"})
    recipe = Recipe(recipe.origin, roles=recipe.roles, encoding=Encoding(scaling=request.param))
    dataset: Dataset = recipe.dataset()
    prepared = prepare(dataset, recipe)
    model = FastIGMN(delta=0.5, scale=prepared.scale)
    for chunk in prepared.chunks():
        model.learn(chunk.values)
    return model, prepared, attributes_of(prepared)


def asked(penguins: Any, known: dict[str, float | str], wanted: tuple[str, ...], **errors: float) -> Answer:
    model, _, attributes = penguins
    return answer(model, model.ids, model.n_seen, attributes, Question(known, errors, wanted))


def row_of(prepared: Prepared, known: dict[str, float | str]) -> Any:
    """The same question by the encoder: an encoded row with NaN elsewhere."""
    blocks = {block.name: block for block in prepared.encoder.blocks}
    row = np.full(prepared.encoder.n_columns, np.nan)
    for name, value in known.items():
        block = blocks[name]
        if isinstance(value, str):
            row[block.start : block.stop] = [label == value for label in block.labels]
        else:
            row[block.start] = (value - block.center) / block.scale
    return row


def test_numbers_are_those_of_the_library_in_the_users_units(penguins: Any) -> None:
    model, prepared, _ = penguins
    known: dict[str, float | str] = {"flipper_length_mm": 215.0, "sex": "female"}
    (found,) = asked(penguins, known, ("body_mass_g",)).wanted
    assert isinstance(found, NumberAnswer)
    filled = prepared.encoder.decode(model.recall([row_of(prepared, known)]))
    assert found.mean == pytest.approx(filled["body_mass_g"].values[0], rel=1e-9)
    low, high = found.interval
    assert low < found.mean < high
    assert 3000 < low < high < 7000
    area = np.trapezoid(found.heights, found.places)
    assert area == pytest.approx(1.0, abs=0.01)
    inside = [np.trapezoid(found.heights[i], found.places[i]) for i in [(found.places >= low) & (found.places <= high)]]
    assert inside[0] == pytest.approx(0.9, abs=0.02)


def test_labels_have_the_shares_of_their_columns(penguins: Any) -> None:
    model, prepared, _ = penguins
    known: dict[str, float | str] = {"flipper_length_mm": 230.0}
    (found,) = asked(penguins, known, ("species",)).wanted
    assert isinstance(found, LabelAnswer)
    block = next(block for block in prepared.encoder.blocks if block.name == "species")
    columns = model.recall([row_of(prepared, known)])[0, block.start : block.stop].clip(0, 1)
    np.testing.assert_allclose(found.shares, columns / columns.sum(), atol=1e-9)
    assert found.attribute.labels[int(found.shares.argmax())] == "Gentoo"
    assert found.prior_shares.sum() == pytest.approx(1.0)


def test_where_nothing_is_known_the_answer_is_that_of_the_mixture(penguins: Any) -> None:
    found = asked(penguins, {}, ("species", "bill_length_mm"))
    np.testing.assert_allclose(found.responsibilities, found.priors)
    assert (found.log_density, found.novelty) == (0.0, 0.0)
    label, number = found.wanted
    assert isinstance(label, LabelAnswer)
    assert isinstance(number, NumberAnswer)
    np.testing.assert_allclose(label.shares, label.prior_shares, atol=1e-9)
    np.testing.assert_allclose(number.heights, number.prior_heights, atol=1e-9)


def test_the_evidence_has_the_users_unit(penguins: Any) -> None:
    """A density per millimetre does not depend on the encoding."""
    model, prepared, _ = penguins
    found = asked(penguins, {"bill_depth_mm": 17.0, "bill_length_mm": 45.0}, ("species",))
    row = row_of(prepared, {"bill_depth_mm": 17.0, "bill_length_mm": 45.0})
    scales = [block.scale for block in prepared.encoder.blocks if block.name in {"bill_depth_mm", "bill_length_mm"}]
    assert found.log_density == pytest.approx(model.score_samples([row])[0] - np.log(scales).sum(), abs=1e-9)
    assert found.novelty == pytest.approx(model.novelty([row])[0], abs=1e-9)
    np.testing.assert_allclose(found.responsibilities, model.responsibilities([row])[0], atol=1e-9)
    assert asked(penguins, {"bill_depth_mm": 90.0}, ("species",)).novelty > 0.999


def test_an_error_makes_the_answer_vaguer(penguins: Any) -> None:
    known: dict[str, float | str] = {"flipper_length_mm": 215.0}
    (exact,) = asked(penguins, known, ("body_mass_g",)).wanted
    (vague,) = asked(penguins, known, ("body_mass_g",), flipper_length_mm=10.0).wanted
    assert isinstance(exact, NumberAnswer)
    assert isinstance(vague, NumberAnswer)
    assert vague.std > exact.std


@pytest.mark.parametrize("n_known", [1, 3])
def test_open_attributes_may_have_any_value(penguins: Any, n_known: int) -> None:
    """Left out before or after, whichever is less work, the answer is the same as with NaN."""
    model, prepared, _ = penguins
    known: dict[str, float | str] = dict(zip(COLUMNS[:n_known], (45.0, 17.0, 200.0), strict=False))
    (found,) = asked(penguins, known, ("body_mass_g",)).wanted
    assert isinstance(found, NumberAnswer)
    filled = prepared.encoder.decode(model.recall([row_of(prepared, known)]))
    assert found.mean == pytest.approx(filled["body_mass_g"].values[0], rel=1e-9)


def test_nothing_wanted_is_refused(penguins: Any) -> None:
    with pytest.raises(UserError, match="tick at least one attribute"):
        asked(penguins, {"bill_depth_mm": 17.0}, ())


def test_attributes_know_the_range_of_the_data(penguins: Any) -> None:
    _, _, attributes = penguins
    by_name = {one.name: one for one in attributes}
    flipper = by_name["flipper_length_mm"]
    assert 150 < flipper.low < flipper.typical < flipper.high < 260
    assert max(flipper.heights) == 1.0
    assert by_name["species"].labels == ("Adelie", "Chinstrap", "Gentoo")
    assert attributes[-1].name == "species"


def test_the_bands_are_the_answers_along_the_range(penguins: Any) -> None:
    question: dict[str, float | str] = {"flipper_length_mm": 205.0}
    (found,) = asked(penguins, question, ("body_mass_g",)).wanted
    assert isinstance(found, NumberAnswer)
    bands = found.bands
    assert bands is not None
    for place in (0, 30, 60):
        (there,) = asked(penguins, {"flipper_length_mm": float(bands.places[place])}, ("body_mass_g",)).wanted
        assert isinstance(there, NumberAnswer)
        assert bands.means[place] == pytest.approx(there.mean, rel=1e-9)
        np.testing.assert_allclose(bands.bands[0.9][place], there.interval, rtol=1e-9)
    low, high = (np.interp(bands.points[:, 0], bands.places, edge) for edge in bands.bands[0.9].T)
    inside = (low < bands.points[:, 1]) & (bands.points[:, 1] < high)
    assert 0.85 < inside.mean() < 0.95


def test_an_error_widens_the_bands_as_it_does_the_answer(penguins: Any) -> None:
    (found,) = asked(penguins, {"flipper_length_mm": 205.0}, ("body_mass_g",), flipper_length_mm=8.0).wanted
    assert isinstance(found, NumberAnswer)
    assert found.bands is not None
    at = np.array([np.interp(205.0, found.bands.places, edge) for edge in found.bands.bands[0.9].T])
    np.testing.assert_allclose(at, found.interval, rtol=1e-3)


@pytest.mark.parametrize("known", [{}, {"sex": "male"}, {"bill_depth_mm": 17.0, "flipper_length_mm": 205.0}])
def test_there_are_bands_only_where_one_number_is_known(penguins: Any, known: dict[str, float | str]) -> None:
    (found,) = asked(penguins, known, ("body_mass_g",)).wanted
    assert isinstance(found, NumberAnswer)
    assert found.bands is None


def test_a_value_of_another_kind_is_refused(penguins: Any) -> None:
    for name, value in (("sex", 2.0), ("sex", "unknown"), ("bill_depth_mm", "male")):
        with pytest.raises(UserError, match="is not a value that"):
            asked(penguins, {name: value}, ("species",))


def test_under_the_published_rule_columns_are_left_out_afterwards() -> None:
    rows = np.random.default_rng(0).normal(size=(200, 3))
    model = FastIGMN(delta=0.1, scale=rows.std(axis=0), covariance="published").learn(rows)
    blocks = [ColumnBlock(name, "numeric", "input", place, place + 1, (1.0,)) for place, name in enumerate("abc")]
    attributes = [Attribute(block, -3.0, 3.0, 0.0) for block in blocks]
    with pytest.raises(ValueError, match="not positive definite"):
        model.marginal([0, 2]).condition([0.3, np.nan])
    question = Question({"a": 0.3}, {}, ("c",))
    with pytest.raises(ValueError, match="not positive definite"):
        answer(model, model.ids, model.n_seen, attributes, question)
    found = model.condition([0.3, np.nan, np.nan])
    if (found.covariances[:, 1, 1] > 0).all():
        assert answer(model, model.ids, model.n_seen, attributes, question, is_exact=False).wanted


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2020-01-15", 18276.0),
        ("1970-01-02T12:00", 1.5),
        *((text, None) for text in ("20200115", "now", "300000-01-01", "2020-13-01", "2020-01-15Z", "")),
    ],
)
def test_dates_are_read_strictly(text: str, value: float | None) -> None:
    attribute = Attribute(ColumnBlock("when", "date", "input", 0, 1, (1.0,)), 0.0, 20000.0, 9000.0)
    assert value_in(attribute, text) == value


def test_large_numbers_count_in_the_units_of_the_engine() -> None:
    block = ColumnBlock("x", "numeric", "input", 0, 1, (1.0,), (), center=0.0, scale=1e300)
    assert value_in(Attribute(block, -1e300, 1e300, 0.0), "5e299") == 5e299
    assert value_in(Attribute(replace(block, scale=1.0), -1.0, 1.0, 0.0), "1e71") is None
