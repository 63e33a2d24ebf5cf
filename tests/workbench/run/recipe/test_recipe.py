"""Recipes: what is written can be read, and what cannot be used is named."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from figmn import Parameters
from figmn.params import NEUTRAL
from workbench.desk.differences import recipe_differences
from workbench.run import Choices, FileOrigin, GeneratorOrigin, Origin, PaintedOrigin, Recipe, RecipeError, SampleOrigin
from workbench.run.recipe.dataset import Colour
from workbench.source import Encoding, Order, ReadOptions
from workbench.source.generators import ConceptDrift, Rings, TwoMoons
from workbench.words.decode import DecodeError
from workbench.words.sentences import UserError

ORIGINS: list[Origin] = [
    SampleOrigin("iris"),
    FileOrigin("wine.csv", ReadOptions(delimiter=";", missing=("", "-"), kinds={"class": "nominal"}), streamed=True),
    GeneratorOrigin(Rings(rings=4, seed=7), 500, endless=True),
    GeneratorOrigin(ConceptDrift(drift="gradual", period=300)),
    PaintedOrigin(((1.5, 2.0, 0), (3.0, 4.25, 2))),
]


@pytest.mark.parametrize("origin", ORIGINS, ids=lambda origin: type(origin).__name__)
def test_what_is_written_can_be_read(origin: Origin, tmp_path: Path) -> None:
    recipe = Recipe(
        origin,
        kinds={"a": "nominal"},
        roles={"class": "ignored"},
        encoding=Encoding(scaling="standard", nominal="index", missing="drop"),
        order=Order("sorted", seed=3, column="a"),
        test_share=0.25,
        choices=Choices(Parameters(delta=0.3, beta=0, covariance="published"), "running", 3),
        n_samples=40,
    ).changed(7, Parameters(delta=0.3, beta=0.5, v_min=9, sp_min=2, covariance="published"))
    path = tmp_path / "recipe.json"
    recipe.to_json(path)
    found = Recipe.from_json(path)
    if isinstance(origin, FileOrigin):
        assert found.origin == FileOrigin(str(tmp_path / "wine.csv"), origin.options, origin.streamed)
    else:
        assert found == recipe
    assert found.changes == recipe.changes
    assert found.parameters.beta == 0.5


def test_a_recipe_makes_the_dataset_that_it_was_taken_from() -> None:
    iris = Recipe(SampleOrigin("iris")).dataset()
    changed = iris.with_roles({"class": "ignored"}).with_order(Order("shuffled")).with_test_share(0.2)
    again = Recipe.of(changed, Choices(seed=5)).dataset()
    assert again.roles == changed.roles
    assert again.test_share == 0.2
    assert again.order.kind == "shuffled"


@pytest.mark.parametrize("colour", [None, Colour(None), Colour("housing"), Colour("duration"), Colour(by="component")])
def test_the_colour_is_written_and_read_and_makes_no_other_run(colour: Colour | None) -> None:
    recipe = Recipe(SampleOrigin("German credit"), roles={"class": "ignored"}, colour=colour)
    again = Recipe.from_text(recipe.to_text())
    assert again.colour == colour
    assert again.dataset().colour == colour
    assert Recipe.of(again.dataset(), recipe.choices).colour == colour
    assert again == replace(again, colour=Colour("class"))


@pytest.mark.parametrize("colour", ["housing", {"column": 1}, {"name": "housing"}, {"by": "x"}, ["housing"], True])
def test_a_colour_that_is_none_is_named(colour: object) -> None:
    content = json.loads(Recipe(SampleOrigin("iris")).to_text())
    content["data"]["colour"] = colour
    with pytest.raises(RecipeError, match=r"recipe, data\.colour.* (Give|Remove|Choose)"):
        Recipe.from_text(json.dumps(content))


def test_the_label_width_is_written_and_read_and_named() -> None:
    recipe = Recipe(SampleOrigin("iris"), choices=Choices(label_width=0.1))
    assert Recipe.from_text(recipe.to_text()) == recipe
    assert "label width 0.1" in recipe.describe()
    assert "label width" not in replace(recipe, choices=Choices(scale="running", label_width=0.1)).describe()
    with pytest.raises(UserError, match=r"label_width = 0\.0 is outside"):
        Choices(label_width=0.0)


def test_the_watch_for_drifts_is_written_and_read() -> None:
    recipe = Recipe(SampleOrigin("iris")).watching_drift()
    assert Recipe.from_text(recipe.to_text()) == recipe
    assert "drift" not in json.loads(Recipe(SampleOrigin("iris")).to_text())
    assert recipe_differences(recipe, Recipe(SampleOrigin("iris"))) == ["drift detection on → off"]
    wrong = recipe.to_text().replace('"drift": true', '"drift": "yes"')
    with pytest.raises(RecipeError, match='recipe, drift: "yes" is not true or false'):
        Recipe.from_text(wrong)


def test_changes_collapse_to_what_they_led_to() -> None:
    recipe, other = Recipe(SampleOrigin("iris")), Parameters(beta=0.2)
    once = recipe.changed(10, other)
    assert len(once.changes) == 1
    assert once.changed(10, recipe.parameters) == recipe
    assert len(once.changed(20, Parameters(beta=0.3)).changes) == 2
    assert not recipe_differences(once, Recipe(SampleOrigin("iris"), choices=Choices(Parameters(beta=0.2))))
    assert recipe_differences(once, Recipe(SampleOrigin("iris"), choices=Choices(Parameters(beta=0.2, delta=0.9))))


def changed(**keys: Any) -> str:
    content = json.loads(Recipe(GeneratorOrigin(TwoMoons())).to_text())
    for place, value in keys.items():
        *parents, last = place.split("__")
        target = content
        for parent in parents:
            target = target[parent]
        target[last] = value
    return json.dumps(content)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("{", "r.json, line 1: .* Correct the JSON"),
        ("[]", "r.json is not a recipe"),
        (changed(version=9), "r.json, version: 9 is not known. This program reads versions 1 to 2"),
        (changed(surprise=1), "r.json, surprise is not known. Remove it, or use one of data"),
        (changed(parameters__beta=2), "r.json, parameters.beta: beta = 2 is outside the range from 0 to 1"),
        (changed(parameters__gamma=2), "parameters.gamma is not known. Remove it, or use one of delta, beta"),
        (changed(scale="mean"), 'scale: "mean" is not a choice. Choose "dataset" or "running"'),
        (changed(seed=-4), "seed: -4 is out of range. Choose a number from 0 to 2,147,483,647"),
        (changed(n_samples=0), "n_samples: 0 is out of range. Choose a number from 1 to"),
        (changed(data__origin={"kind": "web"}), 'data.origin.kind: "web" is not known. Choose sample, file, generator'),
        (
            changed(data__origin={"kind": "generator", "name": "Moons"}),
            'name: "Moons" is not a generator. Choose one of',
        ),
        (changed(data__origin__settings={"noise": -1}), "data.origin.settings: Two moons: noise = -1 is outside"),
        (changed(data__encoding={"scaling": "log"}), 'data.encoding.scaling: "log" is not a choice. Choose "none"'),
        (changed(data__order={"kind": "sorted"}), "data.order: Sorting needs a column"),
        (changed(data__test_share="half"), 'data.test_share: "half" is not a number. Give a number'),
        (changed(data__roles=[]), "data.roles: a list is not an object. Give one in braces"),
        (changed(changes=[{"sample": 5, "beta": 7}]), r"changes\[0\].beta: beta = 7 is outside"),
        (changed(changes=[{"sample": -5}]), r"changes\[0\].sample: -5 is out of range"),
        # Each of these once ended in a TypeError, an OverflowError or Python's own words.
        (changed(data__origin__name=["TwoMoons"]), "data.origin.name: a list is not a text in quotes"),
        (changed(data__origin={"kind": ["sample"]}), "data.origin.kind: a list is not known"),
        (changed(data__roles={"species": ["target"]}), 'data.roles.species: a list is not a choice. Choose "input"'),
        (changed(data__test_share=10**300), r"data.test_share: 1e\+300 is out of range. Choose a number from 0 to 1"),
        (changed(data__test_share=0).replace('"test_share": 0', '"test_share": 1' + "0" * 399), "too large a number"),
        (changed(seed=0).replace('"seed": 0,', '"seed": ' + "7" * 100_000 + ","), "r.json: 777.*… has 100,000 digits"),
        (changed(data__test_share=float("nan")), "data.test_share: NaN is not a finite number"),
        (changed(parameters__beta=float("nan")), "parameters.beta: NaN is not a finite number"),
        (changed(parameters__sp_min=float("inf")), "parameters.sp_min: Infinity is not a finite number"),
        (changed(parameters__v_min=10**300).replace("1" + "0" * 300, "1" + "0" * 398), "v_min: 1000.*… is too large"),
        (changed(parameters__beta=True), "parameters.beta: true is not a number. Give a number"),
        (changed(parameters__delta=[None]), "parameters.delta: a list is not a number"),
        (changed(parameters__sp_min=None), "parameters.sp_min: null is not a number"),
        (changed(parameters__memory=1), "parameters.memory: .*memory = 1 is outside the range from 10 upwards"),
        (changed(parameters__memory="never"), 'parameters.memory: "never" is not a number'),
        (changed(parameters__max_components=2.5), "parameters.max_components: .*2.5 is not whole"),
        (changed(parameters__prior_count=0), "parameters.prior_count: .*0 is outside the range from 0.01"),
        (changed(parameters__merge_below="no limit"), 'parameters.merge_below: "no limit" is not a number'),
        (changed(version=True), "version: true is not known. This program reads versions 1 to 2"),
        (changed(version="1"), 'version: "1" is not known'),
        (changed(version=1, parameters=[]), "parameters: a list is not an object"),
        (changed(parameters__covariance=None), "parameters.covariance: null is not a text in quotes"),
        (changed(data__origin__settings={"noise": float("nan")}), "settings.noise: NaN is not a finite number"),
        (changed(n_samples=True), "n_samples: true is not a whole number"),
        (changed(changes=[7]), r"changes\[0\]: 7 is not an object"),
        (changed(changes={}), "changes: an object is not a list. Give one in brackets"),
        (changed(data__origin={"kind": "painted", "points": [[1, 2]]}), r"points\[0\] has 2 values. Give 3"),
        (changed(data__origin={"kind": "painted", "points": [["a", 2, 0]]}), r'points\[0\]\[0\]: "a" is not a number'),
        (
            changed(data__origin={"kind": "painted", "points": [[1, 2, 10**30]]}),
            r"points\[0\]\[2\]: 1000.* is out of range",
        ),
        (changed(data__origin={"kind": "file"}), "data.origin.path is missing"),
        (changed(data__origin={"kind": "file", "path": "a\0b"}), r'path: "a\\u0000b" is not valid text'),
        (
            changed(data__origin={"kind": "file", "path": "a", "options": {"missing": 5}}),
            "options.missing: 5 is not a list",
        ),
        (
            changed(data__origin={"kind": "file", "path": "a", "options": {"encoding": "rot13"}}),
            "data.origin.options: 'rot13' is not a known encoding",
        ),
        (changed(data__origin={"kind": "file", "path": "a", "streamed": "no"}), 'streamed: "no" is not true or false'),
        (changed(data__kinds={"a": {}}), 'data.kinds.a: an object is not a choice. Choose "numeric"'),
        (changed(data__origin__settings={"loudness": 1}), "settings.loudness is not known"),
        (changed(data__roles={"\ud800": "input"}), "data.roles: .*ud800.* is not valid text"),
        (changed(seed=1).replace('"seed": 1,', '"seed": 1, "seed": 2,'), 'r.json: "seed" is given twice'),
        ("[" * 100_000, "r.json: lists or objects are nested too deeply"),
        ('{"format": "figmn recipe", "version": 1e999}', "r.json: 1e999 is too large a number"),
    ],
)
def test_what_cannot_be_used_is_named(text: str, complaint: str, tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RecipeError, match=complaint):
        Recipe.from_json(path)


def test_never_is_written_and_read_as_a_word() -> None:
    """JSON has no infinity; files of before have the literal that Python writes for it."""
    recipe = Recipe(SampleOrigin("iris"), choices=Choices(Parameters(v_min=math.inf)))
    recipe = recipe.changed(5, Parameters()).changed(9, Parameters(v_min=math.inf))
    text = recipe.to_text()
    assert '"v_min": "never"' in text
    assert "Infinity" not in text
    assert Recipe.from_text(text) == recipe
    assert Recipe.from_text(text.replace('"never"', "Infinity")) == recipe


def test_a_recipe_that_is_not_there_or_no_text(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match=r"gone.json cannot be read \(No such file"):
        Recipe.from_json(tmp_path / "gone.json")
    (tmp_path / "picture.json").write_bytes(b"\x89PNG\xff\xfe")
    with pytest.raises(RecipeError, match="is not text"):
        Recipe.from_json(tmp_path / "picture.json")


def test_a_recipe_that_cannot_be_written_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "recipe.json"
    path.write_text("old", encoding="utf-8")

    def full(*_: object, **__: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(OSError, match="the disk is full"):
        Recipe(SampleOrigin("iris")).to_json(path)
    monkeypatch.undo()
    assert path.read_text(encoding="utf-8") == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["recipe.json"]
    with pytest.raises(FileNotFoundError, match="is not a folder"):
        Recipe(SampleOrigin("iris")).to_json(tmp_path / "no" / "recipe.json")


def test_a_change_is_one_of_what_can_be_changed() -> None:
    """δ waits for a restart: moving it during a run must not fill the recipe with changes that are none."""
    recipe = Recipe(SampleOrigin("iris"))
    assert recipe.changed(10, replace(recipe.choices.parameters, delta=0.7)) is recipe
    changed = recipe.changed(10, replace(recipe.choices.parameters, delta=0.7, beta=0.2))
    assert [(change.sample, change.values["beta"]) for change in changed.changes] == [(10, 0.2)]
    assert changed.changed(10, replace(recipe.choices.parameters, delta=0.9)) == recipe


def test_a_change_keeps_what_it_does_not_name() -> None:
    text = changed(changes=[{"sample": 5, "beta": 0.2}, {"sample": 9, "v_min": 7, "sp_min": None}])
    values = [dict(change.values) for change in Recipe.from_text(text).changes]
    unchanged = Parameters().changeable()
    assert values == [unchanged | {"beta": 0.2}, unchanged | {"beta": 0.2, "v_min": 7.0}]


def test_null_is_infinity_where_that_is_declared() -> None:
    text = changed(parameters={"memory": None, "max_components": None, "prior_count": None})
    assert Recipe.from_text(text).parameters == Parameters(memory=math.inf, max_components=math.inf, prior_count=None)
    text = changed(parameters={"memory": 70}, changes=[{"sample": 5, "memory": None}])
    assert [change.values["memory"] for change in Recipe.from_text(text).changes] == [math.inf]


@pytest.mark.parametrize("given", [{}, {"beta": 0.5}, {"memory": 500}])
def test_what_a_recipe_leaves_out_is_the_papers_in_version_1_and_the_default_since(given: dict[str, Any]) -> None:
    """The defaults of today are not those of the day when a recipe of version 1 was written."""
    assert Recipe.from_text(changed(version=1, parameters=given)).parameters == Parameters(**(NEUTRAL | given))
    assert Recipe.from_text(changed(version=2, parameters=given)).parameters == Parameters(**given)
    nothing = json.loads(changed(version=1))
    del nothing["parameters"]
    assert Recipe.from_text(json.dumps(nothing)).parameters == Parameters(**NEUTRAL)


def test_a_refusal_has_its_parts_by_name() -> None:
    with pytest.raises(RecipeError) as caught:
        Recipe.from_text(changed(scale="mean"), "r.json")
    error = caught.value.fields["problem"]
    assert isinstance(error, DecodeError)
    assert error.template == "{place}: {value} is not a choice. Choose {choices}."
    assert str(error.fields["place"]) == "r.json, scale"
    assert (error.fields["value"], error.fields["choices"]) == ('"mean"', '"dataset" or "running"')


def test_braces_in_a_file_are_only_text() -> None:
    with pytest.raises(RecipeError, match=r'^\{0\}\.json, scale: "\{value\}" is not a choice\.'):
        Recipe.from_text(changed(scale="{value}"), "{0}.json")
