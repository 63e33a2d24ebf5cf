"""A table with what a mixture says of every row, as files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv, parquet

from figmn import FastIGMN
from tests.workbench.penguins import write_penguins
from workbench.run.ask import scored
from workbench.run.ask.scored import Scoring
from workbench.run.ask.table_files import write_table
from workbench.run.recipe.dataset import FileOrigin
from workbench.run.recipe.recipe import Recipe
from workbench.run.rows.prepared import prepare
from workbench.source import Cancelled, SourceError, read_table
from workbench.source.encode.encoding import Encoding
from workbench.source.table.table import Column, Table
from workbench.words.sentences import UserError


def penguins(tmp_path: Path, encoding: Encoding = Encoding()) -> Scoring:
    """A mixture of penguins, of which some have gaps, with the species as target."""
    origin = FileOrigin(str(write_penguins(tmp_path / "penguins.csv")))
    recipe = Recipe(origin, roles={"species": "target"}, encoding=encoding)
    dataset = recipe.dataset()
    prepared = prepare(dataset, recipe)
    model = FastIGMN(delta=0.5, scale=prepared.scale)
    for chunk in prepared.chunks():
        model.learn(chunk.values)
    return Scoring(model.snapshot(), prepared.encoder, dataset.table)


def whole(scoring: Scoring) -> pa.Table:
    return pa.concat_tables(scoring.blocks())


@pytest.mark.parametrize(
    "encoding",
    [Encoding(), Encoding(scaling="standard"), Encoding(missing="drop"), Encoding(missing="mean")],
    ids=["plain", "standard", "drop", "mean"],
)
def test_figures_are_those_of_the_library(tmp_path: Path, encoding: Encoding) -> None:
    scoring = penguins(tmp_path, encoding)
    found, model = whole(scoring), scoring.snapshot
    rows = Encoding(encoding.scaling).fit(scoring.table).encode(scoring.table).values
    assert found.column("row").to_pylist() == list(range(1, 345))
    posteriors = model.responsibilities(rows)
    assert found.column("component").to_pylist() == model.ids[posteriors.argmax(axis=1)].tolist()
    np.testing.assert_allclose(found.column("posterior").to_numpy(), posteriors.max(axis=1), atol=1e-12)
    np.testing.assert_allclose(found.column("novelty").to_numpy(), model.novelty(rows), atol=1e-12)
    scales = scoring.encoder.units[1]
    expected = model.score_samples(rows) - ~np.isnan(rows) @ np.log(scales)
    np.testing.assert_allclose(found.column("log_density").to_numpy(), expected, atol=1e-9)
    first = f"posterior_of_{model.ids[0]}"
    np.testing.assert_allclose(found.column(first).to_numpy(), posteriors[:, 0], atol=1e-12)


def test_gaps_are_filled_and_named(tmp_path: Path) -> None:
    scoring = penguins(tmp_path)
    found = whole(scoring)
    assert scoring.table["body_mass_g"].missing[3]
    assert found.column("body_mass_g").null_count == found.column("sex").null_count == 0
    assert 3000 < found.column("body_mass_g")[3].as_py() < 6000
    assert found.column("filled")[3].as_py() == "bill_length_mm; bill_depth_mm; flipper_length_mm; body_mass_g; sex"
    assert found.column("filled")[0].as_py() is None
    known = ~scoring.table["body_mass_g"].missing
    written = found.column("body_mass_g").to_numpy()
    np.testing.assert_array_equal(written[known], scoring.table["body_mass_g"].values[known])


def test_targets_are_predicted_from_the_inputs(tmp_path: Path) -> None:
    found = whole(penguins(tmp_path))
    species, predicted = (found.column(name).to_pylist() for name in ("species", "species_predicted"))
    right = np.mean([one == other for one, other in zip(species, predicted, strict=True)])
    assert 0.9 < right < 1.0


def test_blocks_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scoring = penguins(tmp_path)
    expected = whole(scoring)
    monkeypatch.setattr(scored, "ROWS_AT_ONCE", 100)
    found = whole(scoring)
    assert found.column_names == expected.column_names
    for name in ("row", "component", "species", "filled"):
        assert found.column(name).to_pylist() == expected.column(name).to_pylist()


def test_names_of_the_table_are_kept(tmp_path: Path) -> None:
    scoring = penguins(tmp_path)
    columns = [
        Column(f"{column.name}", column.kind, column.values, column.labels, column.role) for column in scoring.table
    ]
    more = Table("t", (*columns, Column.numeric("component", np.arange(344.0), role="ignored")))
    found = whole(Scoring(scoring.snapshot, scoring.encoder, more))
    assert found.column("component").to_pylist() == list(np.arange(344.0))
    assert set(found.column("component_").to_pylist()) <= set(scoring.snapshot.ids.tolist())


@pytest.mark.parametrize("ending", [".csv", ".parquet", ".arff"])
def test_files_are_read_back(tmp_path: Path, ending: str) -> None:
    scoring = penguins(tmp_path)
    path = tmp_path / f"scored{ending}"
    write_table(path, scoring.blocks(), 344)
    table = read_table(str(path))
    assert table.n_rows == 344
    assert table["species"].texts() == scoring.table["species"].texts()
    np.testing.assert_allclose(table["log_density"].values, whole(scoring).column("log_density").to_numpy())
    assert table["filled"].missing.sum() == 344 - sum(
        text is not None for text in whole(scoring).column("filled").to_pylist()
    )


def odd_blocks() -> Any:
    labels = pa.DictionaryArray.from_arrays(pa.array([0, 1, None]), pa.array(["=1+1", "it's, {so}"]))
    when = pa.array(np.array(["2020-01-31T12:30", "NaT", "1969-01-01"], "datetime64[us]"))
    return iter([pa.table({"=name": labels, "when": when, "n": pa.array([1.5, None, -1e300])})])


def test_formulas_are_defused_in_csv(tmp_path: Path) -> None:
    write_table(tmp_path / "a.csv", odd_blocks(), 3)
    found = csv.read_csv(tmp_path / "a.csv")
    assert found.column_names[0] == "'=name"
    assert found.column(0).to_pylist()[0] == "'=1+1"
    write_table(tmp_path / "a.csv", odd_blocks(), 3, raw=True)
    assert csv.read_csv(tmp_path / "a.csv").column("=name").to_pylist()[0] == "=1+1"


def test_odd_texts_in_arff_and_parquet(tmp_path: Path) -> None:
    write_table(tmp_path / "a.arff", odd_blocks(), 3)
    table = read_table(str(tmp_path / "a.arff"))
    assert table["=name"].texts()[:2] == ["=1+1", "it's, {so}"]
    assert table["when"].missing.tolist() == [False, True, False]
    assert table["n"].values[2] == -1e300
    write_table(tmp_path / "a.parquet", odd_blocks(), 3)
    assert parquet.read_table(tmp_path / "a.parquet").num_rows == 3


def test_a_cancelled_file_stays_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "kept.csv"
    path.write_text("before")
    with pytest.raises(Cancelled):
        write_table(path, penguins(tmp_path).blocks(), 344, progress=lambda *_: False)
    assert path.read_text() == "before"
    assert not [one for one in tmp_path.iterdir() if one.name not in {"kept.csv", "penguins.csv"}]


def test_an_unknown_ending_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"ends with \.csv, \.parquet, \.arff"):
        write_table(tmp_path / "a.txt", odd_blocks(), 3)


def test_an_empty_mixture_is_refused(tmp_path: Path) -> None:
    scoring = penguins(tmp_path)
    empty = FastIGMN(scale=np.ones(scoring.encoder.n_columns)).snapshot()
    with pytest.raises(UserError, match="no component yet"):
        Scoring(empty, scoring.encoder, scoring.table)


def test_dates_that_arff_cannot_say_are_refused(tmp_path: Path) -> None:
    late = pa.array(np.array(["20000-01-01", "NaT"], "datetime64[us]"))
    with pytest.raises(SourceError, match="outside the years 1 to 9999"):
        write_table(tmp_path / "late.arff", iter([pa.table({"when": late})]), 2)
    assert not list(tmp_path.iterdir())
