from __future__ import annotations

import base64
import gzip
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example as case
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.io.arff import ArffError, loadarff

from tests.places import ASSETS
from workbench.source.errors import Cancelled, SourceError
from workbench.source.read import text_reader
from workbench.source.read.arff import reader as arff
from workbench.source.read.arff.block import Parsing, Part, as_csv
from workbench.source.read.arff.reader import ArffReader
from workbench.source.read.arff.rows import NotSo
from workbench.source.read.options import ReadOptions
from workbench.source.read.text import TextBlock
from workbench.source.table.fields import Field
from workbench.source.table.table import Column, Table

EXAMPLES = Path("/usr/share/doc/weka/examples")
DATASETS = ASSETS / "datasets"
WEKA_JAR = Path("/usr/share/java/weka.jar")
COUNTS = {
    "ReutersCorn-test": (604, 2),
    "ReutersCorn-train": (1554, 2),
    "ReutersGrain-test": (604, 2),
    "ReutersGrain-train": (1554, 2),
    "breast-cancer": (286, 10),
    "contact-lenses": (24, 5),
    "cpu": (209, 7),
    "cpu.with.vendor": (209, 8),
    "credit-g": (1000, 21),
    "diabetes": (768, 9),
    "glass": (214, 10),
    "ionosphere": (351, 35),
    "iris.2D": (150, 3),
    "iris": (150, 5),
    "labor": (57, 17),
    "segment-challenge": (1500, 20),
    "segment-test": (810, 20),
    "soybean": (683, 36),
    "supermarket": (4627, 217),
    "unbalanced": (856, 33),
    "vote": (435, 17),
    "weather.nominal": (14, 5),
    "weather.numeric": (14, 5),
}
"""Instances and attributes as `java weka.core.Instances FILE` of Weka 3.6.14 reports them."""
BUNDLED = {
    "breast-cancer": "breast-cancer",
    "german-credit": "credit-g",
    "glass": "glass",
    "ionosphere": "ionosphere",
    "iris": "iris",
    "labor": "labor",
    "pima-diabetes": "diabetes",
    "soybean": "soybean",
}
HEADER = "@relation r\n@attribute x numeric\n@attribute c {a,'b c',d}\n@attribute s string\n@data\n"


def reader(path: Path, **options: Any) -> ArffReader:
    return ArffReader(path, ReadOptions(**options))


def written(folder: Path, text: str | bytes, name: str = "r.arff") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def read(folder: Path, text: str | bytes, **options: Any) -> Table:
    return reader(written(folder, text), **options).table()


def values(table: Table) -> list[tuple[str | None, ...]]:
    return list(zip(*(column.texts() for column in table), strict=True))


def same_columns(one: Table, other: Table) -> bool:
    return all(
        (a.name, a.kind, a.labels, a.date_format) == (b.name, b.kind, b.labels, b.date_format)
        and np.array_equal(a.missing, b.missing)
        and np.array_equal(a.values[~a.missing], b.values[~b.missing])
        for a, b in zip(one, other, strict=True)
    )


# The files of Debian's package, and Weka itself ------------------------------------------------------------------


def require(is_there: bool) -> None:
    """One place for all: so pytest counts them in one line, with the remedy."""
    if not is_there:
        pytest.skip("Weka or a Java compiler is missing: sudo apt-get install weka default-jdk-headless")


def example(name: str) -> Path:
    path = EXAMPLES / f"{name}.arff"
    require(path.exists())
    return path


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


@dataclass(frozen=True)
class WekaAttribute:
    name: str
    kind: str
    missing: int
    unique: int
    distinct: int
    labels: tuple[str, ...]
    figures: tuple[float, ...]
    """Minimum, maximum, mean and standard deviation of numbers and of dates in milliseconds."""


@dataclass(frozen=True)
class WekaTable:
    relation: str
    attributes: list[WekaAttribute]
    rows: list[tuple[float | str | None, ...]]
    weights: list[float]


DUMP = """
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import weka.core.*;

public class Dump {
    static String coded(String text) {
        return "=" + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
    static String value(Instance row, int i) {
        if (row.isMissing(i)) return "?";
        Attribute a = row.attribute(i);
        return a.isNominal() || a.isString() ? coded(row.stringValue(i)) : Double.toString(row.value(i));
    }
    public static void main(String[] files) throws Exception {
        for (String file : files)
            try (Reader reader = Files.newBufferedReader(Path.of(file), StandardCharsets.UTF_8)) {
                Instances data = new Instances(reader);
                System.out.println("file " + coded(data.relationName()));
                for (int i = 0; i < data.numAttributes(); i++) {
                    Attribute a = data.attribute(i);
                    AttributeStats s = data.attributeStats(i);
                    String kind = a.isNominal() ? "nominal" : a.isString() ? "string" : a.isDate() ? "date" : "numeric";
                    StringBuilder line = new StringBuilder("attribute " + coded(a.name()) + " " + kind);
                    line.append(" " + s.missingCount + " " + s.uniqueCount + " " + s.distinctCount);
                    if (s.numericStats != null)
                        line.append(" " + s.numericStats.min + " " + s.numericStats.max + " " + s.numericStats.mean
                            + " " + s.numericStats.stdDev);
                    for (int k = 0; a.isNominal() && k < a.numValues(); k++) line.append(" " + coded(a.value(k)));
                    System.out.println(line);
                }
                for (int r = 0; r < data.numInstances(); r++) {
                    StringBuilder line = new StringBuilder("row " + data.instance(r).weight());
                    for (int i = 0; i < data.numAttributes(); i++) line.append(" " + value(data.instance(r), i));
                    System.out.println(line);
                }
            }
    }
}
"""


def weka_tables(folder: Path, paths: Sequence[Path]) -> list[WekaTable]:
    """What the real Weka reads in some files, in one run of Java."""
    require(bool(shutil.which("javac")) and WEKA_JAR.exists())
    source = folder / "Dump.java"
    source.write_text(DUMP)
    command = ["java", "-Duser.timezone=UTC", "-Xshare:auto", "-cp", str(WEKA_JAR), str(source), *map(str, paths)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert run.returncode == 0, run.stderr
    tables: list[WekaTable] = []
    for line in run.stdout.splitlines():
        what, *words = line.split(" ")
        if what == "file":
            tables.append(WekaTable(str(_decoded(words[0])), [], [], []))
        elif what == "attribute":
            tables[-1].attributes.append(_attribute(words))
        else:
            tables[-1].weights.append(float(words[0]))
            tables[-1].rows.append(tuple(map(_decoded, words[1:])))
    return tables


def _attribute(words: Sequence[str]) -> WekaAttribute:
    rest = [_decoded(word) for word in words[5:]]
    labels, figures = [r for r in rest if isinstance(r, str)], [r for r in rest if isinstance(r, float)]
    name, missing, unique, distinct = str(_decoded(words[0])), *map(int, words[2:5])
    return WekaAttribute(name, words[1], missing, unique, distinct, tuple(labels), tuple(figures))


def _decoded(word: str) -> float | str | None:
    if word == "?":
        return None
    return base64.b64decode(word[1:]).decode() if word.startswith("=") else float(word)


def weka_value(column: Column, row: int) -> float | str | None:
    """A value as Weka has it: dates in milliseconds."""
    if column.missing[row]:
        return None
    if column.kind == "date":
        return float(column.values[row].astype("datetime64[ms]").astype(np.int64))
    return float(column.values[row]) if column.kind == "numeric" else column.texts()[row]


def assert_weka_has(weka: WekaTable, table: Table) -> None:
    assert weka.relation == table.name
    assert [attribute.name for attribute in weka.attributes] == list(table.names)
    assert [attribute.kind for attribute in weka.attributes] == list(table.kinds)
    assert [attribute.labels for attribute in weka.attributes] == [column.labels for column in table]
    ours = zip(*([weka_value(column, row) for row in range(table.n_rows)] for column in table), strict=True)
    assert weka.rows == list(ours)
    assert weka.weights == ([1.0] * table.n_rows if table.weights is None else table.weights.tolist())


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


# What a header may say -------------------------------------------------------------------------------------------


def test_the_header_names_the_table_its_columns_and_their_kinds(tmp_path: Path) -> None:
    text = """@relation 'my flowers'
@attribute length REAL
@attribute width Integer {0.5}
@attribute 'the class' {setosa, 'iris virginica',
    versicolor % the last
}
@attribute text string
@attribute day date yyyy-MM-dd
@attribute moment DATE
@data
1,2,'iris virginica',hello,2026-01-31,2026-01-31T12:30:00
"""
    table = read(tmp_path, text)
    assert (table.name, table.n_rows) == ("my flowers", 1)
    assert table.names == ("length", "width", "the class", "text", "day", "moment")
    assert table.kinds == ("numeric", "numeric", "nominal", "string", "date", "date")
    assert table["the class"].labels == ("setosa", "iris virginica", "versicolor")
    assert table["day"].date_format == "yyyy-MM-dd"
    assert table["moment"].date_format == "yyyy-MM-dd'T'HH:mm:ss"
    assert table.notes == ("The weight 0.5 of attribute 'width' is not used.",)
    assert values(table) == [("1", "2", "iris virginica", "hello", "2026-01-31", "2026-01-31T12:30:00")]


def test_keywords_may_be_written_in_any_case(tmp_path: Path) -> None:
    table = read(tmp_path, "@RELATION r\n@Attribute x NUMERIC\n@aTTRIBUTE y Real\n@DATA\n1,2\n")
    assert values(table) == [("1", "2")]


def test_escapes_stand_for_characters(tmp_path: Path) -> None:
    text = (
        r"""@relation r
@attribute 'it\'s' {'a\\b', "say \"x\"", 'tab\there', '50\%', 'e\u0301', '\ud83d\ude00'}
@data
'a\\b'
'say "x"'
"tab	here"
'50%'
'é'
""".replace("é", "e\u0301")
        + "'😀'\n"
    )
    table = read(tmp_path, text)
    assert table.names == ("it's",)
    assert table.columns[0].texts() == ["a\\b", 'say "x"', "tab\there", "50%", "e\u0301", "😀"]


def test_names_that_are_taken_or_empty_are_replaced(tmp_path: Path) -> None:
    text = "@relation r\n@attribute x real\n@attribute x real\n@attribute '' real\n@data\n1,2,3\n"
    table = read(tmp_path, text)
    assert table.names == ("x", "x (2)", "column 3")
    assert table.notes == (
        "Attribute 2 is called 'x (2)': it has the name 'x' of another one.",
        "Attribute 3 is called 'column 3': it has no name.",
    )


def test_a_label_declared_twice_counts_once(tmp_path: Path) -> None:
    table = read(tmp_path, "@relation r\n@attribute c {a,b,a}\n@data\nb\na\n")
    assert table["c"].labels == ("a", "b")
    assert table.notes == ("Attribute 'c' declares a value twice; it counts once.",)


def test_a_relation_without_a_name_is_called_as_the_file(tmp_path: Path) -> None:
    assert reader(written(tmp_path, "@relation ''\n@attribute x real\n@data\n1\n", "flowers.arff")).name == "flowers"


def test_the_class_is_the_target_else_the_last_attribute_if_it_is_nominal(tmp_path: Path) -> None:
    start = "@relation r\n@attribute a {p,q}\n@attribute Class {u,v}\n"
    assert read(tmp_path, start + "@attribute z {k,l}\n@data\np,u,k\n").roles == ("input", "target", "input")
    start = "@relation r\n@attribute a {p,q}\n@attribute b string\n"
    assert read(tmp_path, start + "@attribute z {k,l}\n@data\np,u,k\n").roles == ("input", "ignored", "target")
    assert read(tmp_path, start + "@attribute z real\n@data\np,u,1\n").roles == ("input", "ignored", "input")


# What rows may look like -----------------------------------------------------------------------------------------


def test_a_question_mark_is_missing_unless_it_is_quoted(tmp_path: Path) -> None:
    table = read(tmp_path, "@relation r\n@attribute c {'?',b}\n@attribute s string\n@data\n?,?\n'?','?'\n\"?\",b\n")
    assert values(table) == [(None, None), ("?", "?"), ("?", "b")]


def test_comments_between_the_rows_and_at_the_end_are_passed_over(tmp_path: Path) -> None:
    table = read(tmp_path, HEADER + "% one\n1,a,x\n% it's \"two\n   % three {\n2,'b c',y\n%\n%")
    assert values(table) == [("1", "a", "x"), ("2", "b c", "y")]


def test_a_comment_after_the_values_ends_the_line(tmp_path: Path) -> None:
    table = read(tmp_path, HEADER + "1,a,x % one, two\n2,'b c','50%'% three\n")
    assert values(table) == [("1", "a", "x"), ("2", "b c", "50%")]


@pytest.mark.parametrize("row", ["1,'b c',x", "1 'b c' x", ' 1\t\t"b c" ,x ', "1,,'b c',,,x,", "'1', 'b c', 'x'"])
def test_values_are_divided_by_any_run_of_blanks_and_commas(row: str, tmp_path: Path) -> None:
    assert values(read(tmp_path, f"{HEADER}{row}\n{row}\n")) == [("1", "b c", "x")] * 2


def test_blanks_within_quotes_belong_to_the_value(tmp_path: Path) -> None:
    text = "@relation r\n@attribute c {' a','a ', a}\n@attribute s string\n@data\n' a',' x '\n'a ',x\na,'\u00a0'\n"
    assert values(read(tmp_path, text)) == [(" a", " x "), ("a ", "x"), ("a", "\u00a0")]


def test_a_sparse_row_leaves_out_zeros(tmp_path: Path) -> None:
    text = """@relation r
@attribute x numeric
@attribute c {a,b}
@attribute s string
@attribute d date 'MM/dd/yyyy'
@attribute e {}
@data
{0 5, 2 'a b', 3 01/31/2026}
{ 1 b , 2 ? }
{}
1 a z 02/28/2026 ?
"""
    table = read(tmp_path, text)
    assert values(table) == [
        ("5", "a", "a b", "2026-01-31", None),
        ("0", "b", None, "1970-01-01", None),
        ("0", "a", None, "1970-01-01", None),
        ("1", "a", "z", "2026-02-28", None),
    ]


def test_rows_may_have_weights(tmp_path: Path) -> None:
    table = read(tmp_path, HEADER + "1,a,x,{2.5}\n2,d,y\n{0 3} , {0}\n")
    assert table.weights is not None
    assert table.weights.tolist() == [2.5, 1.0, 0.0]
    assert read(tmp_path, HEADER + "1,a,x\n").weights is None


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        ("yyyy-MM-dd'T'HH:mm:ss", "2026-01-31T12:30:59", "2026-01-31T12:30:59"),
        ("yyyy-MM-dd HH:mm:ss.SSS", "2026-01-31 12:30:59.007", "2026-01-31T12:30:59.007"),
        ("dd.MM.yyyy", "1.2.2026", "2026-02-01"),
        ("yyyyMMddHHmm", "202601311230", "2026-01-31T12:30"),
        ("MM/dd/yy", "01/31/26", "2026-01-31"),
        ("MM/dd/yy", "01/31/69", "1969-01-31"),
        ("d. M. yyyy h:mm a", "1. 2. 2026 12:05 am", "2026-02-01T00:05"),
        ("d. M. yyyy hh:mm a", "1. 2. 2026 12:05 PM", "2026-02-01T12:05"),
        ("yyyy-MM-dd'T'HH:mm:ssZ", "2026-01-31T00:30:00+0100", "2026-01-30T23:30"),
        ("yyyy-MM-dd HH:mm XXX", "2026-01-31 12:30 -05:30", "2026-01-31T18:00"),
        ("HH 'o''clock'", "9 o'clock", "1970-01-01T09:00"),
    ],
)
def test_dates_are_read_in_the_declared_format(pattern: str, text: str, expected: str, tmp_path: Path) -> None:
    declared = pattern.replace("'", r"\'")
    path = written(tmp_path, f"@relation r\n@attribute d date '{declared}'\n@data\n\"{text}\"\n?\n")
    moments = reader(path).table()["d"].values
    assert moments[0] == np.datetime64(expected, "us")
    assert np.isnat(moments[1])


def test_infinite_numbers_are_missing_with_a_note(tmp_path: Path) -> None:
    path = written(tmp_path, "@relation r\n@attribute x real\n@data\nInfinity\n1e999\nNaN\n1\n")
    table = reader(path).table()
    assert values(table) == [(None,), (None,), (None,), ("1",)]
    assert table.notes == ("Column 'x': 2 infinite values are read as missing.",)
    assert [values(block) for block in reader(path).blocks()] == [values(table)]


def test_lines_of_a_wrong_width_can_be_skipped(tmp_path: Path) -> None:
    table = read(tmp_path, HEADER + "1,a,x\n2,a\n3,a,y,z\n4,a,w\n", bad_lines="skip")
    assert values(table) == [("1", "a", "x"), ("4", "a", "w")]
    assert table.notes == ("2 lines with too few or too many values are skipped, such as '2,a'.",)


def test_the_user_may_choose_another_kind(tmp_path: Path) -> None:
    path = written(tmp_path, HEADER + "10,a,x\n2,d,y\n")
    assert reader(path, kinds={"x": "nominal", "s": "nominal"}).table()["x"].labels == ("2", "10")
    assert next(reader(path, kinds={"s": "nominal"}).blocks())["s"].labels == ("x", "y")


# What is wrong, and where ----------------------------------------------------------------------------------------

NO_RELATION = "An ARFF file begins with a line @relation and a name; open this one as another format."
NO_INDEX = "is not the number of an attribute. In a sparse row the attributes have the numbers 0 to 2."
QUOTE_REMEDY = "Close it; within quotes an apostrophe is written \\'."
WIDTH_REMEDY = "Mend the line: a missing value is written ?, one with a blank, comma or % stands in quotes."
TYPES = "numeric, real, integer, string, date or a set of values in braces"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "r.arff is empty. Choose a file with rows and columns."),
        ("% only this\n", f"r.arff has no line @relation. {NO_RELATION}"),
        ("\na,b\n1,2\n", f"r.arff, line 2: 'a' stands before @relation. {NO_RELATION}"),
        ("@attribute x real\n@data\n1\n", f"r.arff, line 1: '@attribute' stands before @relation. {NO_RELATION}"),
        (
            "@relation r\n@attribute x real\n",
            "r.arff, line 2 ends the file without a line @data. Write @data in a line above the rows.",
        ),
        (
            "@relation r\n@data\n1\n",
            "r.arff, line 2: '@data' comes before any attribute. Write a line @attribute with name and type for every "
            "column.",
        ),
        (
            "@relation r\n@attribute x real\n@data 1\n",
            "r.arff, line 3: '1' stands in the line of @data. Begin the rows in the next line.",
        ),
        (
            "@relation r\n@inputs x\n@attribute x real\n@data\n1\n",
            "r.arff, line 2: '@inputs' is not a line of a header. A header has lines that begin with @relation, "
            "@attribute and @data, and comments after %.",
        ),
        (
            "@relation r\n@attribute x\n@data\n1\n",
            f"r.arff, line 2: 'x' is an attribute without name or type. Write a name and one of: {TYPES}.",
        ),
        (
            "@relation r\n@attribute\n@data\n1\n",
            f"r.arff, line 2: '@attribute' is an attribute without name or type. Write a name and one of: {TYPES}.",
        ),
        (
            "@relation r\n@attribute x float\n@data\n1\n",
            f"r.arff, line 2: 'x' has the type 'float', which ARFF does not know. Use {TYPES}.",
        ),
        (
            "@relation r\n@attribute x '{' a\n@data\na\n",
            f"r.arff, line 2: 'x' has the type '{{', which ARFF does not know. Use {TYPES}.",
        ),
        (
            "@relation r\n@attribute bag relational\n@attribute x real\n@end bag\n@data\n'1'\n",
            "r.arff, line 2: 'bag' is a relational attribute, a table within a value, which is not read here. "
            "In Weka, apply the filter MultiInstanceToPropositional and save the result.",
        ),
        (
            "@relation r\n@attribute c {a,\nb\n@data\na\n",
            "r.arff, line 2: 'c' opens a set of values { that is not closed. Close it with } after the last value.",
        ),
        (
            "@relation r\n@attribute c {a,b} x\n@data\na\n",
            "r.arff, line 2: 'c' has 'x' after its set of values. End the line after the }.",
        ),
        (
            "@relation bob's\n@attribute x real\n@data\n1\n",
            f'r.arff, line 1: "@relation bob\'s" has a quote that is not closed. {QUOTE_REMEDY}',
        ),
        (
            "@relation r\n@attribute d date 'EEE dd'\n@data\n1\n",
            "r.arff, line 2, attribute 'd': 'EEE dd' is no date format: the part 'EEE' is not known here. Use yyyy, "
            "yy, MM, dd, HH, hh, mm, ss, SSS, a, Z and XXX, and text in apostrophes.",
        ),
        (
            "@relation r\n@attribute x real\n@data\n% none\n\n",
            "r.arff has a header but no rows. Choose a file with rows after @data.",
        ),
        (
            HEADER + "1,a,x\n2,a\n",
            f"r.arff, line 7: '2,a' has 2 values where 3 attributes are declared. {WIDTH_REMEDY}",
        ),
        (
            HEADER + "% c\n1,a,x,y % d\n",
            f"r.arff, line 7: '1,a,x,y' has 4 values where 3 attributes are declared. {WIDTH_REMEDY}",
        ),
        (
            "@relation r\n@attribute x real\n@data\n1,2\n",
            f"r.arff, line 4: '1,2' has 2 values where 1 attribute is declared. {WIDTH_REMEDY}",
        ),
        (
            HEADER + "1,a,x\n2,b,x\n",
            "r.arff, line 7, column 'c': 'b' is not a declared value. Mend it, or declare it in the header, which has: "
            "a, b c, d.",
        ),
        (
            HEADER + "\n\n1,a,x\n% c\n1.2.3,a,x\n",
            "r.arff, line 10, column 'x': '1.2.3' is not a number. Mend it, write ? if it is missing, or declare the "
            "attribute as string.",
        ),
        (
            "@relation r\n@attribute d date yyyy-MM-dd\n@data\n2026-01-31\n2026-02-30\n",
            "r.arff, line 5, column 'd': '2026-02-30' is not a date of the form yyyy-MM-dd. Write it as 2026-01-31, or "
            "declare the format that the file has.",
        ),
        (
            HEADER + "1,'b c,x\n",
            f"r.arff, line 6, column 'c': \"'b c x\" opens a quote ' that is not closed in the line. {QUOTE_REMEDY}",
        ),
        (
            HEADER + "{0 1, 3 x}\n",
            f"r.arff, line 6: '3' {NO_INDEX}",
        ),
        (
            HEADER + "{x 1}\n",
            f"r.arff, line 6: 'x' {NO_INDEX}",
        ),
        (
            HEADER + "{2 x, 0 1}\n",
            "r.arff, line 6: '0' comes after the attribute number 2. Sort the values of a sparse row by their "
            "attributes, each of them once.",
        ),
        (
            HEADER + "{0 1, 2}\n",
            "r.arff, line 6: '2' has an index without a value. Write index and value in turn.",
        ),
        (
            HEADER + "{0 1, 2 x\n",
            "r.arff, line 6: '{ 0 1 2 x' opens a sparse row with { that is not closed. Close it with } in the same "
            "line.",
        ),
        (
            HEADER + "1,a,x,{-1}\n",
            "r.arff, line 6: '{ -1 }' is not the weight of a row. Write a number of 0 or more in the braces.",
        ),
        (
            HEADER + "1,a,{x}y\n",
            "r.arff, line 6: '{ x } y' is not the weight of a row. A weight stands in braces at the end: {2.5}; put a "
            "value that contains a brace into quotes.",
        ),
    ],
)
def test_an_error_says_where_what_and_what_to_do(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(SourceError) as caught:
        read(tmp_path, text)
    assert str(caught.value) == message


def test_the_line_of_an_error_counts_from_the_start_of_the_file_in_later_blocks_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arff, "BLOCK", 64)
    with pytest.raises(SourceError, match=r"r.arff, line 206, column 'c': 'e' is not a declared value"):
        read(tmp_path, HEADER + "1,a,x\n" * 200 + "1,e,x\n" + "1,a,x\n" * 10)


# Streams, encodings, previews ------------------------------------------------------------------------------------

MANY = HEADER + "".join(f"{i},{'a' if i % 3 else '?'},'row {i}'{',{2}' if i == 700 else ''}\n" for i in range(1000))


def joined(tables: Sequence[Table], name: str) -> list[str | None]:
    return [text for table in tables for text in table[name].texts()]


def test_the_blocks_are_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arff, "BLOCK", 1000)
    source = reader(written(tmp_path, MANY))
    whole, blocks = source.table(), list(source.blocks())
    assert len(blocks) > 10
    assert whole.n_rows == 1000
    for column in whole:
        assert joined(blocks, column.name) == column.texts()
        assert {block[column.name].labels for block in blocks} == {column.labels}
    weights = np.concatenate([np.ones(b.n_rows) if b.weights is None else b.weights for b in blocks])
    assert whole.weights is not None
    assert weights.tolist() == whole.weights.tolist()
    assert weights.sum() == 1001
    assert source.scanned(lambda tables: sum(table.n_rows for table in tables)) == 1000


def test_a_load_can_be_cancelled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arff, "BLOCK", 1000)
    source, calls = reader(written(tmp_path, MANY)), list[tuple[int, int]]()

    def stop_at_the_third(done: int, total: int) -> bool:
        calls.append((done, total))
        return len(calls) < 3

    with pytest.raises(Cancelled):
        source.table(stop_at_the_third)
    assert len(calls) == 3
    assert {total for _, total in calls} == {len(MANY)}


def test_the_blocks_of_a_file_without_rows_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="has a header but no rows"):
        list(reader(written(tmp_path, HEADER)).blocks())


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
def test_the_encoding_is_found(encoding: str, tmp_path: Path) -> None:
    table = read(tmp_path, "@relation r\n@attribute größe {klein,groß}\n@data\ngroß\n".encode(encoding))
    assert values(table.with_columns([])) == [("groß",)]
    assert table.names == ("größe",)


def test_text_that_is_no_utf8_after_all_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_reader, "HEAD", 200)
    monkeypatch.setattr(arff, "BLOCK", 1000)
    path = written(tmp_path, HEADER.encode() + b"1,a,x\n" * 1000 + "1,a,süß\n".encode("latin-1"))
    table = reader(path).table()
    assert table["s"].texts()[-1] == "süß"
    assert table.notes == ("Read as cp1252: the text is not UTF-8.",)
    assert reader(path).scanned(lambda tables: [table["s"].texts()[-1] for table in tables])[-1] == "süß"
    with pytest.raises(SourceError, match=r"is not utf-8 text. Choose another encoding, such as latin-1"):
        list(reader(path).blocks())
    with pytest.raises(SourceError, match="is not utf-8 text"):
        reader(path, encoding="utf-8").table()


def test_the_preview_of_a_small_file_is_exact(tmp_path: Path) -> None:
    source = reader(written(tmp_path, MANY))
    preview = source.preview()
    assert (preview.format, preview.n_rows, preview.exact, preview.table.n_rows) == ("ARFF", 1000, True, 100)
    assert preview.options.encoding == "utf-8"
    assert preview.file_size == len(MANY)
    assert same_columns(preview.table, source.table().take(slice(0, 100)))
    # 8 bytes a number, 4 a label, 58 and the text a string.
    assert preview.memory == pytest.approx(1000 * (8 + 4 + 58 + 6), rel=0.02)


@pytest.mark.parametrize("packed", [False, True])
def test_the_preview_of_a_large_file_estimates_its_rows(packed: bool, tmp_path: Path) -> None:
    rows = "".join(f"{np.sin(i)},'b c',row{i % 7}\n" for i in range(60_000)).encode()
    text = HEADER.encode() + rows
    preview = reader(written(tmp_path, gzip.compress(text, 1) if packed else text)).preview()
    assert not preview.exact
    assert preview.n_rows == pytest.approx(60_000, rel=0.2 if packed else 0.02)


def test_a_compressed_file_is_unpacked(tmp_path: Path) -> None:
    assert values(read(tmp_path, gzip.compress((HEADER + "1,a,x\n").encode()))) == [("1", "a", "x")]


# Fast and exact --------------------------------------------------------------------------------------------------

FIELDS = (
    Field("n", "numeric"),
    Field("c", "nominal", ("a", "b c", "?", "", "5%")),
    Field("s", "string"),
    Field("d", "date", date_format="yyyy-MM-dd"),
)
CELLS = [
    *("1", "?", "a", "x", "2026-01-31", "'b c'", "'?'", "''", "'5%'", '"a"', "1e5", "' 2 '", "+3", "nan", "inf", "-.5"),
    *("é", "1.", "''''", "'it\\'s'", '"it\'s"', "a'b", "'a'b", "%", "{1 2}", "{2}", "a\\b", "\xa0", "1d", "0x1", "1_0"),
    *("2026-1-1", "2026-02-30", "'2026-01-31'", "' 2026-01-31'", "'", '"', "{", "}", "\x01", "\u3000", "½", "nan(1)"),
]
GOOD = [
    ["1", "?", "-2.5", "'7'"],
    ["a", "'b c'", "'?'", "?", "''", "'5%'"],
    ["x", "' y, z '", "?", "'?'", "é"],
    ["2026-01-31", "?", "2026-1-1"],
]
SEPARATORS = [",", ", ", " ", "\t", ",,", " , "]


@st.composite
def blocks_of_lines(draw: st.DrawFn) -> bytes:
    """Lines that are mostly good, with an odd value here and there: most often a string, where any text will do."""
    lines = []
    for _ in range(draw(st.integers(1, 3))):
        cells = [draw(st.sampled_from(cell)) for cell in GOOD]
        if draw(st.booleans()):
            cells[draw(st.sampled_from([0, 1, 2, 2, 2, 3]))] = draw(st.sampled_from(CELLS))
        gaps = [*draw(st.permutations([",", ",", draw(st.sampled_from(SEPARATORS))])), ""]
        start = draw(st.sampled_from(["", "", " ", "% c\n", ","]))
        lines.append(start + "".join(cell + gap for cell, gap in zip(cells, gaps, strict=True)))
    return ("\n".join(lines) + draw(st.sampled_from(["", ",", " ", " % c", "\n%'"])) + "\n").encode()


def columns_of(part: Part) -> list[list[Any]]:
    """The values; NaN as text, which equals itself."""
    return [[str(value) if isinstance(value, float) else value for value in column.tolist()] for column in part.columns]


@given(blocks_of_lines() | st.text("1a?'\"%{}\\ ,\t\n.-é", max_size=40).map(lambda text: (text + "\n").encode()))
@case(b"1,a,'x'y,?\n")
@case(b"1,a,x'y',?\n")
@case(b"1,a, x,?\n")
@case(b"1,a,x\x01,?\n")
@case(b"1,a,'?',?\n")
@case(b"1,a,,?\n")
@case(b"1,a,x%y,?\n")
@settings(max_examples=400, deadline=None)
def test_the_fast_way_never_gives_another_answer_than_the_exact_one(data: bytes) -> None:
    parsing = Parsing(Path("r.arff"), FIELDS, False, [])
    plain = as_csv(data)
    if plain is None:
        return
    try:
        fast = parsing.fast(*plain)
    except (pa.ArrowInvalid, NotSo):
        return
    exact = parsing.exact(TextBlock(1, data))
    assert exact.weights is None
    assert columns_of(fast) == columns_of(exact)


PLAIN = [
    "1,a,x,2026-01-31",
    "'1','b c',' y, z ',?",
    "1 , 'b c'\tx ?",
    ",,1,?,?,?,",
    "% c\n1,'5%','{%}',?",
    '1,"b c","it is",?',
]


@pytest.mark.parametrize("line", PLAIN)
def test_plain_rows_are_read_the_fast_way(line: str) -> None:
    plain = as_csv(f"{line}\n".encode())
    assert plain is not None
    parsing = Parsing(Path("r.arff"), FIELDS, False, [])
    assert columns_of(parsing.fast(*plain)) == columns_of(parsing.exact(TextBlock(1, f"{line}\n".encode())))
