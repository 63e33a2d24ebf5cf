"""The share of rows within their interval is that of the library's intervals, row by row."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from figmn import FastIGMN
from tests.workbench.penguins import write_penguins
from workbench.run.ask.attributes import attributes_of
from workbench.run.ask.coverage import coverages
from workbench.run.ask.question import Question
from workbench.run.recipe.dataset import Dataset, FileOrigin
from workbench.run.recipe.recipe import Recipe
from workbench.run.rows.prepared import Prepared, prepare
from workbench.source.encode.encoding import Encoding
from workbench.words.sentences import UserError


def learned(path: Path, share: float = 0.0, missing: str = "model") -> tuple[FastIGMN, Prepared, Dataset]:
    encoding = Encoding(scaling="standard", missing=missing)  # type: ignore[arg-type]
    recipe = Recipe(FileOrigin(str(path)), encoding=encoding)
    dataset = recipe.dataset().with_test_share(share)
    prepared = prepare(dataset, recipe)
    model = FastIGMN(delta=0.5, scale=prepared.scale)
    for chunk in prepared.chunks():
        model.learn(chunk.values)
    return model, prepared, dataset


@pytest.mark.parametrize("share", [0.0, 0.3])
@pytest.mark.parametrize("missing", ["model", "mean", "drop"])
def test_it_is_the_share_of_the_librarys_intervals(tmp_path: Path, share: float, missing: str) -> None:
    """Gaps of the known attributes are left open, whatever the policy; rows without the wanted number do not count."""
    model, prepared, dataset = learned(write_penguins(tmp_path / "penguins.csv"), share, missing)
    known, wanted = ("flipper_length_mm", "sex"), "body_mass_g"
    question = Question({"flipper_length_mm": 200.0, "sex": "male"}, {"flipper_length_mm": 2.0}, (wanted, "species"))
    found = coverages(model, model.n_seen, attributes_of(prepared), question, prepared, dataset.table)[wanted]
    encoder = replace(prepared.encoder, encoding=replace(prepared.encoder.encoding, missing="model"))
    rows = encoder.encode(dataset.table).values
    rows = rows if prepared.test_rows is None else rows[prepared.test_rows]
    blocks = {block.name: block for block in encoder.blocks}
    noise = np.zeros(rows.shape[1])
    noise[blocks["flipper_length_mm"].start] = 2.0 / blocks["flipper_length_mm"].scale
    inside = []
    for row in rows:
        value = row[blocks[wanted].start]
        asked = np.full(len(row), np.nan)
        for name in known:
            places = slice(blocks[name].start, blocks[name].stop)
            asked[places] = row[places]
        left = np.flatnonzero(np.isnan(asked)).tolist()
        if np.isfinite(value):
            line = model.condition(asked, noise).marginal([left.index(blocks[wanted].start)])
            low, high = line.interval(0.9)
            inside.append(low <= value <= high)
    assert (found.n_rows, found.n_inside) == (len(inside), sum(inside))
    assert found.is_held_out == bool(share)
    assert found.n_all == len(rows)
    assert found.error == pytest.approx(np.sqrt(found.share * (1 - found.share) / len(inside)))


def test_many_rows_are_a_sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.run.ask.coverage.MOST_ROWS", 50)
    model, prepared, dataset = learned(write_penguins(tmp_path / "penguins.csv"))
    question = Question({}, {}, ("body_mass_g",))
    found = coverages(model, 1, attributes_of(prepared), question, prepared, dataset.table)["body_mass_g"]
    assert found.n_rows <= 50
    assert found.n_all == dataset.table.n_rows


def test_labels_have_no_interval(tmp_path: Path) -> None:
    model, prepared, dataset = learned(write_penguins(tmp_path / "penguins.csv"))
    with pytest.raises(UserError, match="cannot be checked"):
        coverages(model, 1, attributes_of(prepared), Question({}, {}, ("species",)), prepared, dataset.table)
