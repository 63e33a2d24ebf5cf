"""The demo without a display: run the window headless, print its figures and write its picture."""

from __future__ import annotations

from dataclasses import replace

from workbench.run.race.headless import race
from workbench.run.race.settings import RaceSettings
from workbench.run.race.texts import as_text
from workbench.run.recipe.recipe import Recipe
from workbench.window import application
from workbench.words.counts import merged_words

PICTURE = "workbench.png"
STRETCH, STRETCH_WORK = 2000, 2e9
"""Samples that both engines learn, and the most operations of the cubic one; fewer samples where it would need more."""


def unseen(start: application.Start) -> int:
    """Run the window headless, print its figures, and write its picture."""
    qt, shell = application.make(start)
    picture = start.screenshot or PICTURE
    with application.living(qt, shell):
        problem = application.picture_of(shell, replace(start, screenshot=picture))
        frame = shell.desk.run.frame
        recipe = shell.desk.run.transport.recipe if shell.desk.run.transport is not None else None
    if problem or frame is None or recipe is None:
        print(f"The run failed: {problem}")
        return 1
    print(f"No display: ran headless.   {recipe.describe(len(frame.columns))}\n")
    print(f"{frame.n_done:,} samples learned in the window, K = {frame.census.n_components}, "
          f"{frame.n_births:,} born, {frame.n_removals:,} removed{merged_words(frame.n_merges)}, "
          f"{1e6 * frame.engine_seconds / max(1, frame.n_done):.2f} µs per sample\n")  # fmt: skip
    print(both_engines(recipe))
    print(f"\npicture: {picture}")
    return 0


def both_engines(recipe: Recipe) -> str:
    """A race of both engines on the first samples of the same stream."""
    dataset = recipe.dataset()
    n_samples = int(min(STRETCH, max(10, STRETCH_WORK // (dataset.n_encoded or 1) ** 3)))
    short = replace(recipe, n_samples=min(n_samples, recipe.n_samples or n_samples))
    return as_text(race(short, RaceSettings(source="data", values="form"), dataset=dataset))
