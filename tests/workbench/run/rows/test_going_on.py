"""Runs that go on from a model: which tables fit, and what the errors name."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from figmn import FastIGMN, Parameters, save
from workbench.run import Choices, Dataset, Recipe, SampleOrigin, load, run
from workbench.run.ask.attributes import attributes_of
from workbench.run.ask.scored import Scoring
from workbench.run.recipe.model_file import OpenedModel, open_model, save_model
from workbench.run.rows.going_on import columns_to_score, require_fit
from workbench.run.rows.prepared import prepare
from workbench.run.show.planes import axes_of, first_plane
from workbench.source import Column, Table
from workbench.words.sentences import UserError


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> OpenedModel:
    path = tmp_path_factory.mktemp("models") / "iris.figmn"
    result = run(Recipe(SampleOrigin("iris")))
    save_model(result.model.snapshot(), result.encoder, path)
    return open_model(str(path))


def iris(**changes: object) -> Dataset:
    dataset = load(SampleOrigin("iris"))
    return replace(dataset, **changes)  # type: ignore[arg-type]


def with_columns(*columns: Column) -> Dataset:
    table = replace(iris().table, columns=columns)
    return iris(loaded=table, table=table)


def refusal(model: OpenedModel, dataset: Dataset, choices: Choices | None = None) -> str:
    with pytest.raises(UserError) as caught:
        require_fit(model, Recipe.of(dataset, choices or Choices()), dataset)
    return str(caught.value)


def test_the_same_columns_fit_in_any_order_and_role(model: OpenedModel) -> None:
    columns = tuple(reversed(iris().table.columns))
    dataset = with_columns(*columns).with_roles({"class": "input"})
    recipe = replace(Recipe.of(dataset, Choices()), model=model.file)
    prepared = prepare(dataset, recipe, model=model)
    assert prepared.encoder.names == model.encoder.names
    result = run(recipe, dataset=dataset)
    rows = model.encoder.encode(iris().table).values
    np.testing.assert_array_equal(result.model.means, FastIGMN.from_snapshot(model.snapshot).learn(rows).means)


def test_the_error_names_what_differs(model: OpenedModel) -> None:
    first, *others, last = iris().table.columns
    assert "'sepallength' is not in the table" in refusal(model, with_columns(*others, last))
    assert "'sepallength' is ignored in the table" in refusal(model, iris().with_roles({"sepallength": "ignored"}))
    assert "'extra' is not in the model" in refusal(model, with_columns(*iris().table, replace(first, name="extra")))
    nominal = iris().with_kinds({"sepallength": "nominal"})
    assert "'sepallength' is nominal in the table and numeric in the model" in refusal(model, nominal)
    labels = Column.nominal("class", ["Iris-setosa", "Iris-pseudacorus"] * 75, role="target")
    words = refusal(model, with_columns(first, *others, labels))
    assert "'class' has the label 'Iris-pseudacorus', which the model does not know" in words
    assert words.startswith("iris does not have the columns of iris.figmn: ")
    many = refusal(model, load(SampleOrigin("wine")))
    assert "; and 14 more." in many


def test_what_cannot_change_is_refused(model: OpenedModel) -> None:
    words = refusal(model, iris(), Choices(Parameters(delta=2.0), scale="running"))
    assert "learned with δ 0.58, δ relative to column std" in words
    assert "cannot have δ 2, δ relative to running std" in words
    require_fit(model, Recipe.of(iris(), model.choices), iris())


def test_what_may_change_applies_from_the_first_sample(model: OpenedModel) -> None:
    recipe = Recipe(SampleOrigin("iris"), choices=Choices(Parameters(beta=0.2, max_components=2)), model=model.file)
    result = run(recipe)
    rows = model.encoder.encode(iris().table).values
    expected = FastIGMN.from_snapshot(model.snapshot)
    expected.change(beta=0.2, max_components=2)
    np.testing.assert_array_equal(result.model.means, expected.learn(rows).means)


def test_a_file_without_a_description_fits_by_name_or_number(model: OpenedModel, tmp_path: Path) -> None:
    save(model.snapshot, tmp_path / "named.figmn")
    named = open_model(str(tmp_path / "named.figmn"))
    require_fit(named, Recipe.of(iris(), Choices()), iris())
    renamed = with_columns(*(replace(c, name="x") if c.name == "petalwidth" else c for c in iris().table))
    assert "'x' in place of 'petalwidth'" in refusal(named, renamed)
    save(replace(model.snapshot, columns=None), tmp_path / "numbered.figmn")
    numbered = open_model(str(tmp_path / "numbered.figmn"))
    require_fit(numbered, Recipe.of(renamed, Choices()), renamed)
    ignored = iris().with_roles({"petalwidth": "ignored"})
    assert "iris has 6 columns after encoding, numbered.figmn has 7." in refusal(numbered, ignored)


def test_a_new_table_without_the_class_is_scored(model: OpenedModel) -> None:
    *inputs, _ = iris().table.columns
    dataset = with_columns(*inputs, Column.numeric("other", np.arange(150.0)))
    encoder, table = columns_to_score(model, dataset)
    (scored,) = Scoring(model.snapshot, encoder, table).blocks()
    rows = model.encoder.encode(iris().table).values.copy()
    rows[:, model.encoder.targets] = np.nan
    expected = model.encoder.decode(model.snapshot.recall(rows))["class"].texts()
    assert scored["class_predicted"].to_pylist() == expected
    assert scored["other"].to_pylist() == np.arange(150.0).tolist()
    np.testing.assert_allclose(scored["log_density"].to_numpy(), model.snapshot.score_samples(rows))
    with pytest.raises(UserError, match=r"has no column of iris\.figmn, which knows 'sepallength'"):
        columns_to_score(model, with_columns(Column.numeric("other", np.arange(150.0))))


def test_a_model_is_looked_at_without_rows(model: OpenedModel) -> None:
    looked_at = Dataset(model.file, model.table, model.table)
    prepared = prepare(looked_at, Recipe(model.file, choices=model.choices), model=model)
    assert not prepared.has_rows
    assert list(prepared.chunks()) == []
    axes = axes_of(first_plane(prepared), prepared)
    assert axes.labels == ("sepallength", "sepalwidth")
    attributes = attributes_of(prepared)
    assert [one.name for one in attributes] == list(model.table.names)
    widest = model.snapshot.means[:, 0].min()
    assert attributes[0].low < widest < attributes[0].high
    assert np.isnan(attributes[0].values).all()  # what is drawn from the mixture is not shown as data


def test_a_mixture_that_nothing_can_be_drawn_from_is_shown_by_its_means(tmp_path: Path) -> None:
    snapshot = FastIGMN(delta=1, covariance="published", scale=[1.0, 1.0]).learn([[0, 0], [1, 2], [9, 9]]).snapshot()
    lost = replace(snapshot, negatives=snapshot.negatives + 1)
    save(lost, tmp_path / "m.figmn")
    model = open_model(str(tmp_path / "m.figmn"))
    prepared = prepare(Dataset(model.file, model.table, model.table), Recipe(model.file), model=model)
    np.testing.assert_array_equal(prepared.scouts, snapshot.means)


def test_an_empty_table_keeps_its_columns(model: OpenedModel) -> None:
    assert isinstance(model.table, Table)
    assert [column.kind for column in model.table] == [block.kind for block in model.encoder.blocks]


def test_labels_that_no_row_has_do_not_matter(model: OpenedModel) -> None:
    *inputs, kinds = iris().table.columns
    declared = replace(kinds, labels=(*kinds.labels, *(f"other {number}" for number in range(20_000))))
    dataset = with_columns(*inputs, declared)
    require_fit(model, Recipe.of(dataset, Choices()), dataset)
    recipe = replace(Recipe.of(dataset, Choices()), model=model.file)
    assert run(recipe, dataset=dataset).model.n_seen == 300
    used = replace(declared, values=np.where(np.arange(150) == 7, 9, kinds.values).astype(np.int32))
    assert "has the label 'other 6'" in refusal(model, with_columns(*inputs, used))
