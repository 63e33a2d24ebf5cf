"""The decoder: what is of the wanted type comes out typed, the rest is refused with place, value and remedy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import pytest

from workbench.words.decode import DecodeError, Place, Range, checked, decode, parse, shown

ROOT = Place("f.json")


@dataclass(frozen=True)
class Point:
    x: float
    y: float = 0.0


@dataclass(frozen=True)
class Drawing:
    title: str
    points: tuple[Point, ...] = ()
    size: tuple[int, int] = (1, 1)
    look: Literal["light", "dark"] = "light"
    share: Annotated[float, Range(0, 1)] = 0.5
    names: Mapping[str, int] = field(default_factory=dict)
    note: str | None = None
    visible: bool = True

    def __post_init__(self) -> None:
        if self.title == "none":
            raise ValueError("A drawing needs a title.")


def test_a_dataclass_is_its_own_declaration() -> None:
    text = """{"title": "house", "points": [{"x": 1}, {"x": 2, "y": 3.5}], "size": [4, 5], "look": "dark",
               "share": 1, "names": {"roof": 7}, "note": null, "visible": false}"""
    expected = Drawing("house", (Point(1.0), Point(2.0, 3.5)), (4, 5), "dark", 1.0, {"roof": 7}, None, False)
    found = decode(Drawing, parse(text, ROOT), ROOT)
    assert found == expected
    assert isinstance(found.points[0].x, float)
    assert isinstance(found.share, float)


@pytest.mark.parametrize(
    ("members", "complaint"),
    [
        ("", "f.json, title is missing. Add it."),
        ('"title": 3', "f.json, title: 3 is not a text in quotes. Give a text in quotes."),
        ('"title": "a", "colour": 1', "f.json, colour is not known. Remove it, or use one of title, points, size, "
         "look, share, names, note, visible."),
        ('"title": "a", "title": "b"', 'f.json: "title" is given twice. Keep one of them.'),
        ('"title": "none"', "f.json: A drawing needs a title."),
        ('"title": "a", "points": [{"x": 1}, {}]', "f.json, points[1].x is missing. Add it."),
        ('"title": "a", "points": 4', "f.json, points: 4 is not a list. Give one in brackets [ ]."),
        ('"title": "a", "points": [7]', "f.json, points[0]: 7 is not an object. Give one in braces { }."),
        ('"title": "a", "size": [1, 2, 3]', "f.json, size has 3 values. Give 2."),
        ('"title": "a", "size": [1, 2.5]', "f.json, size[1]: 2.5 is not a whole number. Give a whole number."),
        ('"title": "a", "look": "grey"', 'f.json, look: "grey" is not a choice. Choose "light" or "dark".'),
        ('"title": "a", "share": 2', "f.json, share: 2.0 is out of range. Choose a number from 0 to 1."),
        ('"title": "a", "share": NaN', "f.json, share: NaN is not a finite number. Give one."),
        ('"title": "a", "share": true', "f.json, share: true is not a number. Give a number."),
        ('"title": "a", "visible": 1', "f.json, visible: 1 is not true or false. Give true or false."),
        ('"title": "a", "names": {"roof": "red"}', 'f.json, names.roof: "red" is not a whole number. '
         "Give a whole number."),
    ],
)  # fmt: skip
def test_what_is_of_another_type_is_refused_with_place_value_and_remedy(members: str, complaint: str) -> None:
    with pytest.raises(DecodeError) as caught:
        decode(Drawing, parse(f"{{{members}}}", ROOT), ROOT)
    assert str(caught.value) == complaint


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('{"a":\n 1,}', "f.json, line 2: Illegal trailing comma|f.json, line 2: Expecting property name"),
        ("[" * 100_000, "f.json: lists or objects are nested too deeply. Save the file again."),
        ("1e999", "f.json: 1e999 is too large a number. Give one below 1e308."),
        ("7" * 500, f"f.json: {'7' * 59}… has 500 digits. Give at most 400."),
    ],
)
def test_what_is_no_json_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(DecodeError) as caught:
        parse(text, ROOT)
    assert any(str(caught.value).startswith(words) for words in complaint.split("|"))


def test_fields_of_an_error_have_names() -> None:
    with pytest.raises(DecodeError) as caught:
        decode(int, "many", ROOT.member("rows"))
    assert caught.value.template == "{place}: {value} is not a whole number. Give a whole number."
    assert caught.value.fields == {"place": Place("f.json", "rows"), "value": '"many"'}


def test_a_decoder_of_ones_own_reads_what_is_no_plain_dataclass() -> None:
    def both(value: Any, place: Place) -> Point:
        x, y = decode(tuple[float, float], value, place)
        return Point(x, y)

    assert decode(Drawing, {"title": "a", "points": [[1, 2]]}, ROOT, {Point: both}).points == (Point(1.0, 2.0),)
    with pytest.raises(DecodeError, match=r"^f\.json, points\[0\] has 1 values\. Give 2\.$"):
        decode(Drawing, {"title": "a", "points": [[1]]}, ROOT, {Point: both})


def test_an_error_of_another_check_gets_the_place() -> None:
    with pytest.raises(DecodeError, match=r"^f\.json, seed: invalid literal"):
        checked(int, ROOT.member("seed"), "x")


@pytest.mark.parametrize("name", ["a" * 1000, "\ud800", "{0}", "a\0b"])
def test_names_of_members_are_shown_whatever_they_are(name: str) -> None:
    text = str(DecodeError("{place} is missing. Add it.", place=ROOT.member(name)))
    assert len(text) < 100
    text.encode()


def test_values_that_are_not_of_json_are_named_by_their_type() -> None:
    assert shown(object()) == "a value of type object"
    with pytest.raises(DecodeError, match="a value of type bytes is not a text in quotes"):
        decode(str, b"x", Place("settings", "theme"))
