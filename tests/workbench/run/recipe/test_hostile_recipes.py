"""Recipes damaged at random: each is read and run, or refused by a declared error."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path

import pytest

from figmn import Parameters
from tests.workbench.run.recipe.hostile import damaged
from workbench import cli
from workbench.run import Choices, FileOrigin, GeneratorOrigin, Origin, PaintedOrigin, Recipe, RecipeError, SampleOrigin
from workbench.run.learn.headless import run
from workbench.source import Cancelled, Encoding, Order, ReadOptions, SourceError
from workbench.source.generators import Rings

ORIGINS: dict[str, Origin] = {
    "sample": SampleOrigin("iris"),
    "file": FileOrigin(
        "x.csv",
        ReadOptions("ascii", ",", ".", True, 0, "'", ("", "?"), {"class": "nominal"}, "skip", "x"),
    ),
    "generator": GeneratorOrigin(Rings(rings=2, seed=7), 60, endless=True),
    "painted": PaintedOrigin(((1.5, 2.0, 0), (3.0, 4.25, 2), (1.0, 4.0, 0), (0.0, 0.0, 2))),
}
LONGEST = 1000
"""Characters of an error, whatever was in the recipe."""
ENOUGH = 10_000
"""Samples after which a recipe that asks for very many has shown that it runs."""


@pytest.mark.parametrize("name", ORIGINS)
def test_a_damaged_recipe_is_run_or_refused_in_words(name: str, tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("x,y,class\n1,2,a\n3,4,b\n5,?,a\n7,1,b\n", encoding="utf-8")
    chance, path, fates = random.Random(name), tmp_path / "r.json", Counter[str]()
    whole = json.loads(recipe_of(ORIGINS[name]).to_text())
    for _ in range(200):
        text = json.dumps(damaged(whole, chance))
        path.write_text(text, encoding="utf-8")
        fates[fate_of(path, text)] += 1
    assert set(fates) == {"run", "refused"}
    assert fates["refused"] > fates["run"] > 5


@pytest.mark.parametrize("name", ORIGINS)
def test_the_command_line_ends_with_a_sentence(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(cli, "_progress", enough)
    chance, path = random.Random(name + " on the command line"), tmp_path / "r.json"
    whole = json.loads(recipe_of(ORIGINS[name]).to_text())
    for _ in range(40):
        path.write_text(json.dumps(damaged(whole, chance)), encoding="utf-8")
        code, words = cli.main(["run", str(path)]), capsys.readouterr()
        said = words.err.partition(":")[0].strip()
        assert code == {"figmn-workbench": 1, "stopped": cli.INTERRUPTED, "": 0}[said]
        assert len(words.err) < LONGEST


def enough(done: int, _: int) -> bool:
    """Progress that stops a run without end as Ctrl+C does."""
    if done >= ENOUGH:
        raise KeyboardInterrupt
    return True


def recipe_of(origin: Origin) -> Recipe:
    """With something to damage in every part."""
    recipe = Recipe(
        origin,
        kinds={},
        roles={"class": "target"} if not isinstance(origin, FileOrigin) else {"class": "ignored"},
        encoding=Encoding(missing="mean"),
        order=Order("as is"),
        choices=Choices(Parameters(delta=0.3, beta=0.1), seed=3),
        n_samples=40,
    )
    return recipe.changed(7, Parameters(delta=0.3, beta=0.2, v_min=9, sp_min=2))


def fate_of(path: Path, text: str) -> str:
    """What became of a recipe; any error but the declared ones fails the test, with the recipe beside it."""
    try:
        run(Recipe.from_json(path), lambda done, _: done < ENOUGH)
    except Cancelled:
        return "run"
    except (RecipeError, SourceError) as error:
        return "refused" if len(str(error)) < LONGEST else "refused at length"
    except Exception as error:
        raise AssertionError(f"{type(error).__name__}: {error}\n{text[:3000]}") from error
    return "run"
