"""The bundled datasets are what their table says."""

from __future__ import annotations

import gzip
import re

import numpy as np
import pytest

from workbench.source import SourceError, sample, samples
from workbench.source.samples import Sample, assets

EXPECTED = {
    "iris": "numeric numeric numeric numeric nominal",
    "Old Faithful": "numeric numeric",
    "wine": " ".join(["numeric"] * 13 + ["nominal"]),
    "digits": " ".join(["numeric"] * 64 + ["nominal"]),
    "MNIST (1,000)": " ".join(["numeric"] * 784 + ["nominal"]),
}


def test_the_paper_s_eight_sets_and_four_more_are_there() -> None:
    assert {found.name for found in samples()} == {
        *("iris", "glass", "Pima diabetes", "breast cancer", "German credit", "ionosphere", "labor", "soybean"),
        *("Old Faithful", "wine", "digits", "MNIST (1,000)"),
    }


@pytest.mark.parametrize("found", samples(), ids=lambda found: found.name)
def test_the_table_tells_the_truth(found: Sample) -> None:
    table = found.read()
    assert (table.n_rows, len(table.columns)) == (found.n_rows, found.n_columns)
    words = re.search(r"([\d,]+) values are missing|missing \(([\d,]+)\)", found.description)
    expected = int(next(part for part in words.groups() if part).replace(",", "")) if words else 0
    assert table.n_missing == expected
    folder = assets() / "datasets"
    files = [
        folder / found.file,
        *([folder / found.file.replace("images-idx3", "labels-idx1")] * ("idx3" in found.file)),
    ]
    assert found.size == f"{round(sum(file.stat().st_size for file in files) / 1000)} KB"
    assert found.source
    assert found.licence
    assert len(found.description) > 40
    if found.name in EXPECTED:
        assert " ".join(table.kinds) == EXPECTED[found.name]
    if found.name != "Old Faithful":
        assert [column.kind for column in table.targets] == ["nominal"]


def test_every_file_in_the_folder_is_in_the_table() -> None:
    listed = (assets() / "datasets" / "README.md").read_text(encoding="utf-8")
    for path in (assets() / "datasets").iterdir():
        assert path.name == "README.md" or f"`{path.name}`" in listed


def test_mnist_holds_a_hundred_of_each_digit() -> None:
    table = sample("MNIST (1,000)").read()
    assert table["class"].summary.counts == tuple((str(digit), 100) for digit in range(10))
    raw = gzip.decompress((assets() / "datasets" / "mnist-1000-images-idx3-ubyte.gz").read_bytes())
    pixels = np.frombuffer(raw[16:], dtype=np.uint8).reshape(1000, 784)
    np.testing.assert_array_equal(np.column_stack([column.values for column in table.columns[:-1]]), pixels)


def test_an_unknown_name_is_refused_with_those_there_are() -> None:
    with pytest.raises(
        SourceError, match=r"'titanic' is not a bundled dataset. Choose one of: iris, Old Faithful, wine"
    ):
        sample("titanic")
