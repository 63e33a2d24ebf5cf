"""A race without a window: the same contenders, the same figures."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.run.learn.learner import Stopwatch
from workbench.run.race.contenders import RaceContender
from workbench.run.race.frame import RaceFrame
from workbench.run.race.race import Race
from workbench.run.race.settings import RaceSettings
from workbench.run.recipe.choices import Choices
from workbench.run.recipe.dataset import Dataset, GeneratorOrigin, load
from workbench.run.recipe.recipe import Recipe, RecipeError
from workbench.run.show.mailbox import Mailbox
from workbench.source.generators import WideGaussian
from workbench.source.read.options import Progress, silent
from workbench.words.sentences import UserError

TABLE_BYTES = 2**28
"""Synthetic rows up to this size are generated at once, larger ones while they are learned."""
NAP = 0.05


def race(
    recipe: Recipe,
    settings: RaceSettings,
    progress: Progress = silent,
    *,
    dataset: Dataset | None = None,
    contenders: Sequence[RaceContender] = (),
    threads: int = 1,
    stopwatches: Sequence[Stopwatch] = (),
) -> RaceFrame:
    """Run a race to its end and return its last frame.

    Parameters
    ----------
    recipe : data and hyper-parameters; a stream without end needs `n_samples`
    settings : solver, mode, and whether the engines take turns
    progress : called with the samples that all have learned and the total; False stops the race
    dataset : of the recipe, where it is loaded already
    contenders : two or more, the first is the reference; by default Fast IGMN and the cubic IGMN with the chosen solver
    threads : BLAS threads of every engine
    stopwatches : one for each contender, for tests

    Examples
    --------
    >>> from workbench.run.recipe.dataset import SampleOrigin
    >>> frame = race(Recipe(SampleOrigin("iris")), RaceSettings(source="data", mode="sample"))
    >>> frame.state, frame.n_done, frame.level
    ('finished', 150, 'good')
    """
    dataset = recipe.dataset() if dataset is None else dataset
    if dataset.is_endless and recipe.n_samples is None:
        raise RecipeError(
            "{title} never ends. Give the recipe a number of samples, n_samples.", title=recipe.origin.title
        )
    mailbox: Mailbox[RaceFrame] = Mailbox()
    given = (dataset, recipe)
    runner = Race(
        1,
        lambda: given,
        settings,
        mailbox,
        contenders=contenders,
        is_watched=False,
        threads=threads,
        stopwatches=stopwatches,
    )
    frame = None
    try:
        while not runner.settled.wait(NAP):
            frame = mailbox.take_frame() or frame
            if frame is not None and not progress(frame.n_done, frame.n_total or 0):
                runner.stop()
    finally:
        runner.close()
        runner.join()
    failed = [message for message in mailbox.take_messages() if message.kind == "failed"]
    if failed:
        raise RuntimeError(failed[0].text)
    return mailbox.take_frame() or frame or runner.frame()


def require_data(settings: RaceSettings, dataset: Dataset | None) -> None:
    """Raise ValueError if the settings ask for a dataset and there is none."""
    if settings.source == "data" and dataset is None:
        raise UserError("There is no data to race on: open a file, choose a sample, or race on the synthetic Gaussian.")


def recipe_of(settings: RaceSettings, form: Choices, dataset: Dataset | None) -> tuple[Dataset, Recipe]:
    """The data of a race, loaded or synthetic, and its recipe."""
    choices = settings.choices(form)
    if settings.source == "generator":
        return _synthetic(settings, choices)
    require_data(settings, dataset)
    assert dataset is not None
    return dataset, Recipe.of(dataset, choices, settings.n_rows if dataset.is_endless else None)


def _synthetic(settings: RaceSettings, choices: Choices) -> tuple[Dataset, Recipe]:
    fits = 8 * settings.n_rows * settings.n_features <= TABLE_BYTES
    n_table = settings.n_rows if fits else TABLE_BYTES // (8 * settings.n_features)
    generator = WideGaussian(dimensions=settings.n_features, seed=choices.seed)
    dataset = load(GeneratorOrigin(generator, n_rows=n_table, endless=not fits))
    return dataset, Recipe.of(dataset, choices, None if fits else settings.n_rows)
