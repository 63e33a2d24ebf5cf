"""Model files: what they keep about their columns, and what is refused."""

from __future__ import annotations

import json
import math
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from figmn import FastIGMN, FastIGMNMixture, Snapshot, load, save
from figmn.storage import pieces_of, write_pieces
from tests.workbench.run.learn.test_drift import CHANGE, blobs
from tests.workbench.run.recipe.hostile import VALUES
from workbench.run import FileOrigin, Recipe, SampleOrigin, run
from workbench.run.recipe.model_columns import columns_about, encoder_about
from workbench.run.recipe.model_file import ModelFile, is_model, open_model, save_model
from workbench.source import Column, Encoding, Table
from workbench.words.decode import DecodeError
from workbench.words.sentences import UserError


def mixed() -> Table:
    """A column of every kind, markup and all."""
    return Table(
        "<b>t</b>",
        (
            Column.numeric("size", [1.0, 3.0, np.nan, 8.0]),
            Column("day", "date", np.array(["2020-01-01", "2021-05-05", "NaT", "2022-01-01"], "datetime64[us]")),
            Column.nominal("colour, of <i>it</i>", ["red", "green", "red", None]),
            Column.nominal("class", ["b", "a", "a", "b"], role="target"),
        ),
    )


def learned(columns: tuple[str, ...] | None = ("a", "b")) -> Snapshot:
    return FastIGMN(delta=1, beta=0.1, scale=[1.0, 1.0], columns=columns).learn([[0, 0], [9, 9], [0, 1]]).snapshot()


@pytest.mark.parametrize("encoding", [Encoding(), Encoding("standard", "index", "mean")])
def test_columns_are_described_completely(tmp_path: Path, encoding: Encoding) -> None:
    encoder = encoding.fit(mixed())
    rows = encoder.learnable(mixed()).values
    model = FastIGMN(scale=np.ones(encoder.n_columns), columns=encoder.names).learn(rows)
    save_model(model.snapshot(), encoder, tmp_path / "m.figmn")
    opened = open_model(str(tmp_path / "m.figmn"))
    assert opened.is_described
    assert repr(opened.encoder) == repr(encoder)  # NaN is not equal to itself
    assert opened.table.names == tuple(block.name for block in encoder.blocks)
    assert opened.table.n_rows == 0
    np.testing.assert_array_equal(opened.encoder.encode(mixed()).values, encoder.encode(mixed()).values)
    np.testing.assert_array_equal(load(tmp_path / "m.figmn").means, model.means)


@pytest.mark.parametrize(("columns", "names"), [(("a", "b"), ("a", "b")), (None, ("x1", "x2"))])
def test_a_file_that_says_nothing_about_columns_has_numbers(
    tmp_path: Path, columns: tuple[str, ...] | None, names: tuple[str, ...]
) -> None:
    save(learned(columns), tmp_path / "m.figmn")
    opened = open_model(str(tmp_path / "m.figmn"))
    assert not opened.is_described
    assert opened.encoder.names == names
    assert set(opened.encoder.kinds) == {"numeric"}


def test_what_another_program_keeps_is_left_alone(tmp_path: Path) -> None:
    write_pieces(tmp_path / "m.figmn", pieces_of(learned(), {"format": "another", "columns": 7}))
    assert not open_model(str(tmp_path / "m.figmn")).is_described


def test_names_that_no_json_of_ours_holds_leave_the_file_without_a_description(tmp_path: Path) -> None:
    encoder = Encoding().fit(Table("t", (Column.numeric("a\0b", [1.0]), Column.numeric("b", [1.0]))))
    assert columns_about(encoder) is None
    save_model(learned(encoder.names), encoder, tmp_path / "m.figmn")
    assert open_model(str(tmp_path / "m.figmn")).encoder.names == encoder.names


def test_a_damaged_description_is_refused() -> None:
    encoder = Encoding().fit(mixed())
    good = json.loads(json.dumps(columns_about(encoder)))
    assert encoder_about(good, "m", encoder.names, encoder.n_columns) is not None
    bad: list[tuple[dict[str, Any], str]] = [
        ({"version": 2}, "2 is not known"),
        ({"columns": good["columns"][:-1]}, "other columns"),
        ({"columns": [*good["columns"][:-1], good["columns"][0]]}, "twice"),
        ({"columns": [good["columns"][0] | {"scale": 0}]}, "out of range"),
        ({"columns": [good["columns"][0] | {"scale": math.inf}]}, r"columns\[0\]\.scale"),
        ({"columns": [good["columns"][0] | {"kind": "string"}]}, "not described completely"),
        ({"columns": [good["columns"][0] | {"labels": ["a"]}]}, "not described completely"),
        ({"columns": [good["columns"][0] | {"std": []}]}, "not described completely"),
        ({"columns": [good["columns"][0] | {"role": "ignored"}]}, "not a choice"),
    ]
    labelled = next(column for column in good["columns"] if column["labels"])
    bad += [({"columns": [labelled | {"fill": fill}]}, "not described completely") for fill in (99, 0.5, -1, 1e100)]
    for change, words in bad:
        with pytest.raises(DecodeError, match=words):
            encoder_about(good | change, "m.figmn", encoder.names, encoder.n_columns)


def test_no_description_makes_anything_but_a_sentence() -> None:
    rng, encoder, n_refused = random.Random(3), Encoding().fit(mixed()), 0
    for _ in range(400):
        about = json.loads(json.dumps(columns_about(encoder)))
        place = rng.choice([about, about["encoding"], *about["columns"]])
        place[rng.choice(list(place))] = rng.choice(VALUES)
        try:
            found = encoder_about(about, "m", encoder.names, encoder.n_columns)
        except DecodeError:
            n_refused += 1
        else:
            assert found is None or found.names == encoder.names
    assert n_refused > 100


def test_damaged_and_foreign_files_are_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "m.figmn"
    save(learned(), path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-40] + bytes([whole[-40] ^ 1]) + whole[-39:])
    with pytest.raises(UserError, match=r"^m\.figmn: damaged: its checksum does not match; restore"):
        open_model(str(path))
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(UserError, match=r"^m\.figmn: truncated"):
        open_model(str(path))
    path.write_text("size,class\n1,a\n")
    assert is_model(path)
    with pytest.raises(UserError, match=r"not a Fast IGMN model"):
        open_model(str(path))
    save(FastIGMNMixture().fit([[0.0], [1.0], [0.5], [9.0]]), path)
    with pytest.raises(UserError, match="holds an estimator"):
        open_model(str(path))
    save(FastIGMN(), path)
    with pytest.raises(UserError, match="has learned nothing"):
        open_model(str(path))
    with pytest.raises(UserError, match="cannot be read"):
        open_model(str(tmp_path / "none.figmn"))


def test_a_recipe_that_goes_on_from_a_model_runs_headless(tmp_path: Path) -> None:
    first = run(Recipe(SampleOrigin("iris"), encoding=Encoding("standard")))
    save_model(first.model.snapshot(), first.encoder, tmp_path / "iris.figmn")
    file = open_model(str(tmp_path / "iris.figmn")).file
    recipe = Recipe(SampleOrigin("iris"), model=file)
    recipe.to_json(tmp_path / "again.json")
    assert Recipe.from_json(tmp_path / "again.json") == recipe
    result = run(Recipe.from_json(tmp_path / "again.json"))
    # The units are the model's, whatever the dataset would be encoded by.
    rows = first.encoder.encode(SampleOrigin("iris").read()).values
    expected = FastIGMN.from_snapshot(first.model.snapshot()).learn(rows)
    np.testing.assert_array_equal(result.model.means, expected.means)
    assert (result.n_samples, result.model.n_seen) == (150, 300)
    assert result.log.lines().sample.tolist() == list(range(150))
    assert "goes on from iris.figmn" in recipe.describe()
    # A relative path begins at the recipe's folder.
    replace(recipe, model=ModelFile("iris.figmn", file.sha256)).to_json(tmp_path / "near.json")
    assert run(Recipe.from_json(tmp_path / "near.json")).model.n_seen == 300


def test_a_model_that_has_changed_since_the_recipe_is_refused(tmp_path: Path) -> None:
    save(learned(), tmp_path / "m.figmn")
    file = open_model(str(tmp_path / "m.figmn")).file
    save(learned(None), tmp_path / "m.figmn")
    with pytest.raises(UserError, match=r"m\.figmn has changed since the recipe was written"):
        run(Recipe(SampleOrigin("iris"), model=file))


def test_a_model_alone_has_no_recipe(tmp_path: Path) -> None:
    save(learned(), tmp_path / "m.figmn")
    with pytest.raises(UserError, match="no recipe says how"):
        Recipe(open_model(str(tmp_path / "m.figmn")).file).to_text()


def test_drifts_of_a_run_that_goes_on_are_counted_from_its_beginning(tmp_path: Path) -> None:
    pytest.importorskip("river")
    before, rows = blobs(0, 700), np.concatenate([blobs(1, CHANGE), blobs(2, 3000, shift=(3.0, 3.0))])
    model = FastIGMN(columns=("a", "b"), scale=rows.std(axis=0)).learn(before)
    save(model, tmp_path / "m.figmn")
    np.savetxt(tmp_path / "rows.csv", rows, delimiter=",", header="a,b", comments="", fmt="%.9f")
    opened = open_model(str(tmp_path / "m.figmn"))
    recipe = Recipe(FileOrigin(str(tmp_path / "rows.csv")), choices=opened.choices, model=opened.file)
    (drift,) = run(recipe.watching_drift()).drifts
    assert CHANGE <= drift.sample < CHANGE + 150
    assert drift.compared is not None
    first, last = drift.compared
    assert first <= CHANGE < last <= CHANGE + 3000
    assert drift.changes
