"""Errors a user can meet: their templates can be read out of the source, and no value of a user breaks one."""

from __future__ import annotations

import ast
import pickle
import string
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import workbench
from workbench.run import Recipe
from workbench.run.recipe.recipe import RecipeError
from workbench.source import SourceError, read_table
from workbench.words.sentences import UserError

ROOT = Path(workbench.__file__).parent
FILES = {path.relative_to(ROOT).as_posix(): ast.parse(path.read_text(encoding="utf-8")) for path in ROOT.rglob("*.py")}
PLAIN = {
    "Exception",
    "FileExistsError",
    "KeyError",
    "LookupError",
    "OSError",
    "RuntimeError",
    "TypeError",
    "ValueError",
}
"""Python's own errors, whose texts no catalogue holds."""
EXCEPTIONS = {
    "source/read/numpy_files.py": "The reader quotes it as the reason in a sentence of its own.",
}


class Given(NamedTuple):
    """An error as the source makes it: the place, the arguments by position, and those by name."""

    place: str
    template: ast.expr | None
    n_arguments: int
    fields: list[str | None]

    @property
    def text(self) -> str:
        """The template; empty where it is not a constant."""
        constant = self.template.value if isinstance(self.template, ast.Constant) else ""
        return constant if isinstance(constant, str) else ""


def error_classes() -> set[str]:
    """The names of `UserError` and of all classes that inherit from it."""
    bases = {
        node.name: {ast.unparse(base) for base in node.bases}
        for tree in FILES.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    }
    found = {UserError.__name__}
    while more := {name for name, given in bases.items() if given & found} - found:
        found |= more
    return found


def given_in(trees: dict[str, ast.Module]) -> Iterator[Given]:
    """All errors that are made in these files."""
    classes = error_classes()
    for name, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in classes:
                fields = [keyword.arg for keyword in node.keywords]
                yield Given(f"{name}:{node.lineno}", next(iter(node.args), None), len(node.args), fields)


def wrong_in(given: Given) -> str:
    """Why a catalogue of translations could not hold this error; nothing where it can."""
    if given.n_arguments != 1 or not given.text:
        return "the template is not a constant text, or there are other arguments without a name"
    wanted = {name for _, name, _, _ in string.Formatter().parse(given.text) if name is not None}
    if not all(name.isidentifier() for name in wanted):
        return "a field of the template is not a plain name"
    if wanted != set(given.fields):
        return f"the template has the fields {sorted(wanted)}, given are {given.fields}"
    if not given.text.endswith((".", "{problem}")):
        return "it does not end with a full stop"
    return (
        "" if given.text[0].isupper() or given.text[0] == "{" else "it begins neither with a capital nor with a field"
    )


def test_every_template_is_a_complete_sentence_whose_fields_are_all_given() -> None:
    found = list(given_in(FILES))
    assert len(found) > 200
    assert {given.place: wrong for given in found if (wrong := wrong_in(given))} == {}


@pytest.mark.parametrize(
    ("source", "wrong"),
    [
        ('SourceError(f"{x} is empty.")', "not a constant"),
        ('SourceError("The file " + x + " is empty.")', "not a constant"),
        ('SourceError("%s is empty." % x)', "not a constant"),
        ('SourceError(TEMPLATE, file=x)', "not a constant"),
        ('SourceError("It is empty.", x)', "other arguments"),
        ('SourceError()', "other arguments"),
        ('SourceError("{} is empty.", file=x)', "not a plain name"),
        ('SourceError("{file.name} is empty.", file=x)', "not a plain name"),
        ('SourceError("{file} is empty.")', "the fields"),
        ('SourceError("{file} is empty.", file=x, line=1)', "the fields"),
        ('SourceError("{file} is empty.", **found)', "the fields"),
        ('UserError("{file} is empty", file=x)', "full stop"),
        ('RecipeError("there is none.")', "capital"),
        ('RecipeError("{name}: {problem}", name=x, problem=error)', ""),
        ('WrongWidthError("{file}, line {line:,}: {value!r} is {{ long.", file=x, line=1, value=y)', ""),
    ],
)  # fmt: skip
def test_the_reading_of_the_source_finds(source: str, wrong: str) -> None:
    (given,) = given_in({"x.py": ast.parse(f"raise {source}")})
    found = wrong_in(given)
    assert wrong in found
    assert bool(wrong) == bool(found)


def test_no_error_with_a_text_of_its_own_passes_by_the_catalogue() -> None:
    found = [
        f"{name}:{node.lineno}"
        for name, tree in FILES.items()
        if name not in EXCEPTIONS
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and ast.unparse(node.func) in PLAIN
        and any(isinstance(part, ast.Constant | ast.JoinedStr | ast.BinOp) for part in node.args)
    ]
    assert found == []


def test_braces_in_the_name_of_a_file_are_no_fields(tmp_path: Path) -> None:
    path = tmp_path / "{x}.csv"
    path.write_text("")
    with pytest.raises(SourceError) as caught:
        read_table(path)
    assert str(caught.value) == "{x}.csv is empty. Choose a file with rows and columns."


@pytest.mark.parametrize("text", ["{0}", "{}", "{value}", "{file.name}", "{", "}", "%s", "{value!r:>999999999}"])
def test_braces_in_a_label_are_no_fields(tmp_path: Path, text: str) -> None:
    path = tmp_path / "{0}.arff"
    path.write_text(f"@relation r\n@attribute '{text}' {{a, b}}\n@data\n'{text}'\n")
    with pytest.raises(SourceError) as caught:
        read_table(path)
    assert str(caught.value) == (
        f"{{0}}.arff, line 4, column {text!r}: {text!r} is not a declared value. "
        "Mend it, or declare it in the header, which has: a, b."
    )


def test_braces_in_an_error_within_an_error_are_no_fields(tmp_path: Path) -> None:
    folder = tmp_path / "{problem}.json"
    folder.mkdir()
    with pytest.raises(RecipeError) as caught:
        Recipe.from_json(folder)
    assert str(caught.value) == "{problem}.json is a folder. Choose a file in it."


def test_fields_keep_what_the_sentence_shortens() -> None:
    error = UserError("{file} {value} {label}.", file=Path("x" * 500), value="y" * 500, label="z" * 500)
    assert [len(word) for word in str(error).rstrip(".").split()] == [120, 60, 400]
    assert error.fields["value"] == "y" * 500


def test_an_error_is_the_same_after_a_way_through_another_process() -> None:
    error = SourceError("{file}, line {line:,} is empty. Delete it.", file=Path("{0}.csv"), line=1234)
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is SourceError
    assert (str(again), again.fields) == (str(error), error.fields)
    assert str(error) == "{0}.csv, line 1,234 is empty. Delete it."
