"""What the header of an ARFF file says of the table."""

from __future__ import annotations

from pathlib import Path

from tests.workbench.source.read.arff.files import read, reader, values, written


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
