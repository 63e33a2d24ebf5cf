"""Files of Weka are read as Weka reads them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy.io.arff import ArffError, loadarff

from tests.workbench.source.read.arff.files import reader, same_columns, written
from tests.workbench.source.read.arff.weka import (
    BUNDLED,
    COUNTS,
    DATASETS,
    EXAMPLES,
    WekaTable,
    assert_weka_has,
    example,
    weka_tables,
)


@pytest.mark.parametrize(("name", "counts"), COUNTS.items())
def test_every_example_of_weka_has_the_counts_that_weka_reports(name: str, counts: tuple[int, int]) -> None:
    table = reader(example(name)).table()
    assert (table.n_rows, len(table.columns)) == counts


@pytest.mark.parametrize(("name", "original"), BUNDLED.items())
def test_the_bundled_copies_are_wekas_files(name: str, original: str) -> None:
    if not (DATASETS / f"{name}.arff").exists():
        pytest.skip("not bundled")
    table = reader(DATASETS / f"{name}.arff").table()
    assert (table.n_rows, len(table.columns)) == COUNTS[original]
    if (EXAMPLES / f"{original}.arff").exists():
        assert same_columns(table, reader(example(original)).table())


@pytest.mark.parametrize("name", COUNTS)
def test_what_scipy_can_read_has_the_same_values(name: str) -> None:
    path = example(name)
    try:
        records, meta = loadarff(path)
    except (ArffError, NotImplementedError, ValueError):
        assert name.startswith("Reuters") or name == "soybean"
        return
    table = reader(path).table()
    assert list(table.names) == [found.strip().strip("'") for found in meta.names()]
    for column, field in zip(table, meta.names(), strict=True):
        if column.kind == "numeric":
            np.testing.assert_array_equal(column.values, records[field])
        else:
            assert [text or "?" for text in column.texts()] == [text.decode() for text in records[field]]


STATISTICS = ["iris", "labor", "soybean", "credit-g", "glass", "vote", "ReutersCorn-test"]


@pytest.fixture(scope="module")
def weka_examples(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], dict[str, WekaTable]]:
    """To be called in the test: what a fixture leaves out, pytest counts in a line of its own."""

    @cache
    def tables() -> dict[str, WekaTable]:
        found = weka_tables(tmp_path_factory.mktemp("weka"), [example(name) for name in STATISTICS])
        return dict(zip(STATISTICS, found, strict=True))

    return tables


@pytest.mark.parametrize("name", STATISTICS)
def test_the_figures_of_a_column_are_those_of_weka(
    name: str, weka_examples: Callable[[], dict[str, WekaTable]]
) -> None:
    table, weka = reader(example(name)).table(), weka_examples()[name]
    assert table.n_rows == len(weka.rows)
    for column, attribute in zip(table, weka.attributes, strict=True):
        found = column.summary
        assert (column.name, column.kind, column.labels) == (attribute.name, attribute.kind, attribute.labels)
        # Weka counts the dummy that it puts first among strings as one more.
        assert (found.n_missing, found.n_distinct) == (attribute.missing, attribute.distinct)
        assert found.n_unique == attribute.unique
        figures = (found.minimum, found.maximum, found.mean, found.std)
        assert tuple(f for f in figures if f is not None) == pytest.approx(attribute.figures)


def test_odd_lines_are_read_as_weka_reads_them(tmp_path: Path) -> None:
    text = r"""% a comment
@RELATION 'odd ones'
@Attribute 'the x' Real [0, 1]
@ATTRIBUTE s STRING % remark
@attribute "c"{ one , 'two words' ,"three's"  '50\%'}
@attribute when date 'dd.MM.yyyy HH:mm'
@Data
1,abc,one,"31.01.2026 12:30"

2 , 'x y' , 'two words' ? % remark
  % indented comment
3	"quoted \"x\""	"three's",?
,4,,'a\tb\nc\101\q', one,?,
 5,?,'50\%',?, {2.5}
6,'?',?,'1.2.2026 1:05'
{0 7, 1 y, 2 'two words', 3 ?}
{1 'z'}, {3}
'8', C:\temp\new, "one",?
-1e-5,é…日本,one,?
NaN,'%{},',one,?
"""
    path = written(tmp_path, text)
    table = reader(path).table()
    assert table["when"].texts()[0] == "2026-01-31T12:30:00"
    assert table["when"].texts()[7] == "1970-01-01T00:00:00"
    assert table["s"].texts()[3] == "a\tb\ncAq"
    assert_weka_has(weka_tables(tmp_path, [path])[0], table)
