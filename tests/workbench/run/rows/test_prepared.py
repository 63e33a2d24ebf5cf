"""Rows on their way into an engine: in their order, encoded, with what is held out of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.workbench.penguins import COLUMNS, EMPTY, write_penguins
from workbench.run import Choices, FileOrigin, GeneratorOrigin, Recipe, SampleOrigin
from workbench.run.rows import prepared as prepared_module
from workbench.run.rows.prepared import Chunk, Prepared, prepare
from workbench.source import Cancelled, Encoding, Order
from workbench.source.generators import BirthsAndDeaths
from workbench.source.table.table import Role

PENGUINS: dict[str, Role] = {"species": "target", "sex": "ignored"}


def prepared_of(recipe: Recipe) -> Prepared:
    return prepare(recipe.dataset(), recipe)


def joined(prepared: Prepared) -> Chunk:
    """All chunks as one; the rows have no weights."""
    parts = zip(*(chunk[:5] for chunk in prepared.chunks()), strict=True)
    return Chunk(*(np.concatenate(part) for part in parts))


def test_rows_are_those_of_the_source_in_the_order_of_the_seed() -> None:
    recipe = Recipe(SampleOrigin("iris"), order=Order("shuffled"), choices=Choices(seed=4))
    table, rows = recipe.dataset().table, joined(prepared_of(recipe))
    assert sorted(rows.rows.tolist()) == list(range(150))
    assert rows.rows.tolist() != list(range(150))
    np.testing.assert_array_equal(rows.values[:, 2], table["petallength"].values[rows.rows])
    np.testing.assert_array_equal(rows.codes, table["class"].values[rows.rows])
    again, other = (joined(prepared_of(Recipe(recipe.origin, order=recipe.order, choices=Choices(seed=seed)))).rows
                    for seed in (4, 5))  # fmt: skip
    np.testing.assert_array_equal(again, rows.rows)
    assert other.tolist() != rows.rows.tolist()


def test_held_out_rows_are_not_learned_and_keep_their_numbers() -> None:
    recipe = Recipe(SampleOrigin("iris"), test_share=0.2, order=Order("shuffled"))
    prepared, table = prepared_of(recipe), recipe.dataset().table
    learned = joined(prepared)
    assert prepared.test is not None
    assert prepared.test_rows is not None
    assert (prepared.n_rows, len(prepared.test)) == (120, 30)
    assert sorted([*learned.rows.tolist(), *prepared.test_rows.tolist()]) == list(range(150))
    np.testing.assert_array_equal(prepared.test[:, 0], table["sepallength"].values[prepared.test_rows])
    np.testing.assert_array_equal(learned.values[:, 0], table["sepallength"].values[learned.rows])


@pytest.mark.parametrize("streamed", [False, True])
def test_rows_without_a_value_are_left_out_and_counted(tmp_path: Path, streamed: bool) -> None:
    path = write_penguins(tmp_path / "penguins.csv")
    recipe = Recipe(FileOrigin(str(path), streamed=streamed), roles={"species": "ignored", "sex": "ignored"})
    prepared = prepared_of(recipe)
    rows = joined(prepared)
    assert (len(rows.rows), rows.left_out.tolist()) == (342, [3, 271])
    if streamed:
        assert (prepared.n_rows, prepared.left_out) == (344, None), "only the stream itself can tell"
    else:
        assert prepared.n_rows == 342
        assert prepared.left_out is not None
        assert prepared.left_out.first == (3, 271)


def test_rows_have_a_class_by_every_nominal_column(tmp_path: Path) -> None:
    recipe = Recipe(FileOrigin(str(write_penguins(tmp_path / "penguins.csv"))), roles=PENGUINS)
    prepared = prepared_of(recipe)
    table, rows = recipe.dataset().table, joined(prepared)
    assert prepared.colours == ("species", "sex")
    np.testing.assert_array_equal(rows.colours[:, 0], table["species"].values[rows.rows])
    np.testing.assert_array_equal(rows.colours[:, 1], table["sex"].values[rows.rows])
    assert [prepared.labels[code] for code in rows.codes[:3]] == ["Adelie"] * 3


def test_the_class_of_a_row_is_that_of_the_target(tmp_path: Path) -> None:
    path = write_penguins(tmp_path / "penguins.csv")
    recipe = Recipe(FileOrigin(str(path)), roles={"species": "ignored", "sex": "target"})
    rows = joined(prepared_of(recipe))
    np.testing.assert_array_equal(rows.codes, recipe.dataset().table["sex"].values[rows.rows])


def test_without_a_nominal_column_rows_have_no_class() -> None:
    prepared = prepared_of(Recipe(SampleOrigin("Old Faithful")))
    assert (prepared.colours, prepared.labels) == ((), ())
    assert set(joined(prepared).codes.tolist()) == {-1}


def test_only_where_some_columns_are_targets_there_are_inputs_alone() -> None:
    assert prepared_of(Recipe(SampleOrigin("iris"))).has_targets
    assert not prepared_of(Recipe(SampleOrigin("iris"), roles={"class": "ignored"})).has_targets


def test_a_generator_has_no_end_and_nothing_held_out() -> None:
    prepared = prepared_of(Recipe(GeneratorOrigin(BirthsAndDeaths(), endless=True), roles={"class": "ignored"}))
    assert (prepared.n_rows, prepared.left_out, prepared.test) == (None, None, None)
    assert prepared.encoder.names == ("x", "y")
    chunks = prepared.chunks()
    first, second = next(chunks), next(chunks)
    chunks.close()
    assert second.rows[0] == first.rows[-1] + 1


def test_the_scale_of_delta_is_that_of_the_data_unless_the_engine_estimates_it() -> None:
    recipe = Recipe(SampleOrigin("iris"), roles={"class": "ignored"})
    scale = prepared_of(recipe).scale
    assert scale is not None
    np.testing.assert_allclose(scale, joined(prepared_of(recipe)).values.std(axis=0), rtol=0.01)
    assert prepared_of(Recipe(recipe.origin, choices=Choices(scale="running"))).scale is None


def test_units_lead_back_to_those_of_the_source() -> None:
    recipe = Recipe(SampleOrigin("iris"), encoding=Encoding(scaling="standard"), roles={"class": "ignored"})
    prepared, table = prepared_of(recipe), recipe.dataset().table
    rows = joined(prepared)
    assert abs(rows.values.mean()) < 1e-9
    back = prepared.units.means(rows.values)
    np.testing.assert_allclose(back[:, 1], table["sepalwidth"].values[rows.rows])


def test_scouts_come_from_everywhere_in_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prepared_module, "SCOUTS", 4)
    recipe = Recipe(SampleOrigin("iris"))
    prepared, table = prepared_of(recipe), recipe.dataset().table
    np.testing.assert_array_equal(prepared.scouts[:, 0], table["sepallength"].values[[0, 49, 99, 149]])
    assert prepared.scout_codes.tolist() == [0, 0, 1, 2]


def test_scouts_without_a_value_are_left_out_with_their_classes(tmp_path: Path) -> None:
    path = write_penguins(tmp_path / "penguins.csv")
    recipe = Recipe(FileOrigin(str(path)), encoding=Encoding(missing="drop"), roles=PENGUINS)
    prepared = prepared_of(recipe)
    known = np.delete(recipe.dataset().table["species"].values, [row - 1 for row in EMPTY])
    np.testing.assert_array_equal(prepared.scout_codes, known)
    assert np.isfinite(prepared.scouts[:, : len(COLUMNS)]).all()


def test_a_part_of_a_chunk_leaves_out_no_row_again(tmp_path: Path) -> None:
    path = write_penguins(tmp_path / "penguins.csv")
    rows = joined(prepared_of(Recipe(FileOrigin(str(path)), roles={"species": "ignored", "sex": "ignored"})))
    part = rows.part(2, 5)
    assert part.rows.tolist() == [2, 4, 5]
    np.testing.assert_array_equal(part.values, rows.values[2:5])
    assert (part.codes.shape, part.colours.shape, part.left_out.shape) == ((3,), (3, 2), (0,))


def test_preparing_can_be_cancelled() -> None:
    recipe = Recipe(SampleOrigin("iris"))
    with pytest.raises(Cancelled):
        prepare(recipe.dataset(), recipe, lambda done, total: False)  # noqa: ARG005
