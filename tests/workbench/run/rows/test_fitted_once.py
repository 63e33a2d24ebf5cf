"""An encoder is fitted once a run, in the thread of the run; what a window shows of a dataset needs none."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from workbench.commands import demo
from workbench.run import Choices, FileOrigin, Frame, GeneratorOrigin, Origin, Recipe, SampleOrigin, run
from workbench.run.learn.runner import Runner
from workbench.run.race.headless import race
from workbench.run.race.settings import RaceSettings
from workbench.run.show.mailbox import Mailbox
from workbench.source import Encoder, Encoding, Table
from workbench.source.generators import BirthsAndDeaths
from workbench.source.table.profile import Profile

ORIGINS: dict[str, Callable[[Path], Origin]] = {
    "sample": lambda _: SampleOrigin("iris"),
    "generator": lambda _: GeneratorOrigin(BirthsAndDeaths(), endless=True),
    "streamed file": lambda path: FileOrigin(str(_written(path / "t.csv")), streamed=True),
}


def _written(path: Path) -> Path:
    path.write_text("x,y,class\n" + "".join(f"{i / 7},{i % 5},{'ab'[i % 2]}\n" for i in range(50)))
    return path


@pytest.fixture
def fits(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The threads that fit an encoder from now on."""
    found: list[str] = []
    fit = Encoding.fit

    def noted(self: Encoding, source: Table | Profile) -> Encoder:
        found.append(threading.current_thread().name)
        return fit(self, source)

    monkeypatch.setattr(Encoding, "fit", noted)
    return found


@pytest.mark.parametrize("name", ORIGINS)
def test_a_run_fits_its_encoder_once_in_its_own_thread(name: str, tmp_path: Path, fits: list[str]) -> None:
    recipe = Recipe(ORIGINS[name](tmp_path), n_samples=20)
    dataset = recipe.dataset()
    assert not fits
    runner = Runner(7, recipe, dataset, Mailbox[Frame](), is_held=True)
    try:
        n_columns = runner.ask(lambda learner, log: learner.engine.n_features).result(60)  # noqa: ARG005
    finally:
        runner.close()
        runner.join()
    assert fits == ["run 7"]
    assert n_columns == dataset.n_encoded


def test_a_headless_run_and_a_race_fit_it_once(fits: list[str]) -> None:
    run(Recipe(SampleOrigin("iris")))
    assert len(fits) == 1
    race(Recipe(SampleOrigin("iris"), n_samples=20), RaceSettings(source="data", values="form"))
    assert len(fits) == 2


def test_the_demo_counts_columns_without_a_fit_of_its_own(fits: list[str]) -> None:
    demo.both_engines(Recipe(SampleOrigin("iris"), n_samples=10, choices=Choices()))
    assert len(fits) == 1
