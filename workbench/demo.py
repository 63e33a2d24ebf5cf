"""The demo where there is no screen: the window runs unseen, its figures are printed and its picture is written."""

from __future__ import annotations

from dataclasses import replace

from figmn import IGMN, FastIGMN
from figmn.bench import pinned
from figmn.engine import Engine
from workbench import application
from workbench.run.headless import Result, run
from workbench.run.recipe import Recipe

PICTURE = "workbench.png"
STRETCH, STRETCH_WORK = 2000, 2e9
"""Samples that both engines learn, fewer where the cubic one would take more operations than these."""


def unseen(start: application.Start) -> int:
    """Run the window without a screen, print what came out, and write its picture."""
    qt, wiring = application.make(start)
    picture = start.screenshot or PICTURE
    with application.living(qt, wiring):
        problem = application.picture_of(wiring, replace(start, screenshot=picture))
        frame = wiring.workspace.frame
        recipe = wiring.workspace.runner.recipe if wiring.workspace.runner is not None else None
    if problem or frame is None or recipe is None:
        print(f"The run failed: {problem}")
        return 1
    print(f"No display: ran unseen.   {recipe.describe()}\n")
    print(f"{frame.n_done:,} samples learned in the window, K = {frame.snapshot.n_components}, "
          f"{frame.n_births:,} born, {frame.n_removals:,} removed, "
          f"{1e6 * frame.engine_seconds / max(1, frame.n_done):.2f} µs per sample\n")  # fmt: skip
    print(both_engines(recipe))
    print(f"\npicture: {picture}")
    return 0


def both_engines(recipe: Recipe) -> str:
    """A table of both engines on the same short stretch, one BLAS thread each."""
    dataset = recipe.dataset()
    width = dataset.encoding.fit(dataset.table).n_columns
    n_samples = int(min(STRETCH, max(10, STRETCH_WORK // width**3)))
    short = replace(recipe, n_samples=min(n_samples, recipe.n_samples or n_samples))
    with pinned(1):
        fast, cubic = (run(short, dataset=dataset, engine=engine) for engine in (FastIGMN, IGMN))
    lines = [f"{'engine':<10} {'rows':>6} {'K':>4} {'µs per sample':>14} {'log-likelihood':>15}"]
    lines += [_line(name, result) for name, result in (("Fast IGMN", fast), ("IGMN", cubic))]
    ratio = cubic.microseconds / fast.microseconds
    lines.append(f"\nD = {width}: speed-up {ratio:.1f} (engine time alone, one run)")
    return "\n".join(lines)


def _line(name: str, result: Result) -> str:
    """Mean log-likelihood of every sample before it was learned."""
    known = result.log.lines().log_likelihood[1:]
    model: Engine = result.model
    likelihood = f"{known.mean():>15,.3f}" if len(known) else f"{'–':>15}"
    return f"{name:<10} {model.n_seen:>6,} {model.n_components:>4} {result.microseconds:>14,.2f} {likelihood}"
