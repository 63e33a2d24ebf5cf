"""Search for hyper-parameters by cross-validation: a grid, or candidates drawn from it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import product

import numpy as np

from figmn import Parameters
from figmn.params import LABEL_WIDTH
from figmn.system.arrays import Floats
from workbench.evaluate.trial.figures import Measure, figure, measures_of_task
from workbench.evaluate.trial.methods import JOINT
from workbench.evaluate.trial.plan import Folds, Plan, TaskKind
from workbench.evaluate.trial.testing import evaluate
from workbench.evaluate.trial.workers import Workers
from workbench.run.recipe.dataset import Dataset
from workbench.source.read.options import Progress, silent
from workbench.words.sentences import UserError

DELTAS = (0.03, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0)
BETAS = (0.0, 1e-4, 1e-3, 0.01, 0.1)
MOST_CANDIDATES = 2000


@dataclass(frozen=True)
class Search:
    """Which candidates are tried, and how they are judged."""

    deltas: tuple[float, ...] = DELTAS
    betas: tuple[float, ...] = BETAS
    prunings: tuple[tuple[float, float], ...] = ()
    """v_min and sp_min; v_min is infinite where nothing is removed. None: those of the recipe."""
    methods: tuple[str, ...] = (JOINT,)
    label_widths: tuple[float, ...] = ()
    """Of the joint form, where labels are predicted; others have no columns of labels. None: that of the recipe."""
    n_folds: int = 5
    n_random: int | None = None
    """Candidates that are drawn by the seed of the recipe; None: all."""
    measure: str = ""
    """Name of the figure they are judged by; empty: the first of the task."""

    def __post_init__(self) -> None:
        Folds(self.n_folds)  # checks
        for what, values in (("δ", self.deltas), ("β", self.betas), ("form", self.methods)):
            if not values:
                raise UserError("The search has no value for {what}. Give at least one.", what=what)
        if self.n_random is not None and self.n_random < 1:
            raise UserError("{value:,} candidates cannot be drawn. Draw at least one.", value=self.n_random)
        if self.n_candidates() > MOST_CANDIDATES:
            raise UserError(
                "The search has {n_candidates:,} candidates, more than {most:,}. Give fewer values, or draw some of "
                "them at random.",
                n_candidates=self.n_candidates(),
                most=MOST_CANDIDATES,
            )

    def n_candidates(self, kind: TaskKind = "classes") -> int:
        """Candidates that are tried for a kind of task.

        >>> Search().n_candidates(), Search(n_random=10).n_candidates()
        (35, 10)
        """
        n_all = len(self.forms(kind)) * len(self.deltas) * len(self.betas) * max(1, len(self.prunings))
        return n_all if self.n_random is None else min(n_all, self.n_random)

    def forms(self, kind: TaskKind, usual: float = LABEL_WIDTH.default) -> list[tuple[str, float]]:
        """Forms of Fast IGMN, each with every label width that it can have; `usual` is that of the recipe."""
        widths = self.label_widths or (usual,)
        return [
            (method, width)
            for method in self.methods
            for width in (widths if method == JOINT and kind == "classes" else (usual,))
        ]


@dataclass(frozen=True)
class Candidate:
    """One setting and how well it did."""

    parameters: Parameters
    method: str
    value: float = math.nan
    """Mean over the folds; NaN before it is measured, and where it is not defined."""
    folds: tuple[float, ...] = ()
    label_width: float = LABEL_WIDTH.default


@dataclass(frozen=True, eq=False)
class Tuning:
    """All candidates, in the order in which they are tried."""

    plan: Plan
    search: Search
    measure: Measure
    candidates: tuple[Candidate, ...]
    n_done: int = 0

    @property
    def n_total(self) -> int:
        """Candidates in all."""
        return len(self.candidates)

    @property
    def best(self) -> Candidate | None:
        """The best one so far; None before one is measured."""
        known = [one for one in self.candidates if not math.isnan(one.value)]
        sign = -1 if self.measure.better == "less" else 1
        return max(known, key=lambda one: sign * one.value, default=None)

    def heat_map(self) -> tuple[Floats, Floats, Floats]:
        """Values of δ, values of β, and the best figure for each pair of them; NaN where there is none yet."""
        deltas, betas = (np.unique(values) for values in (self.search.deltas, self.search.betas))
        found = np.full((len(deltas), len(betas)), np.nan)
        best = np.fmin if self.measure.better == "less" else np.fmax
        for one in self.candidates:
            assert one.parameters.delta is not None
            place = np.searchsorted(deltas, one.parameters.delta), np.searchsorted(betas, one.parameters.beta)
            found[place] = best(found[place], one.value)
        return deltas, betas, found


def ignore(tuning: Tuning) -> None:
    """Show nothing."""


def tune(
    plan: Plan,
    dataset: Dataset,
    search: Search,
    progress: Progress = silent,
    show: Callable[[Tuning], None] = ignore,
) -> Tuning:
    """Try all candidates on the rows of a dataset, each by cross-validation on the same folds.

    The figure of the best is too good: it was chosen by it. The form *tuned* of an evaluation chooses inside of every
    training set instead, and tests on rows that had no say.

    >>> from workbench.evaluate.trial.plan import Task
    >>> from workbench.run import Recipe, SampleOrigin
    >>> recipe = Recipe(SampleOrigin("iris"))
    >>> search = Search(deltas=(0.3, 1.0), betas=(0.0,), n_folds=2)
    >>> found = tune(Plan(recipe, Task("classes", "class")), recipe.dataset(), search)
    >>> found.n_done, found.best.parameters.delta in (0.3, 1.0)
    (2, True)
    """
    measure = _measure(plan, search)
    found = Tuning(plan, search, measure, _candidates(plan, search))
    n_folds, n_total = search.n_folds, search.n_folds * found.n_total
    with Workers() as workers:
        for place, candidate in enumerate(found.candidates):
            go_on = partial(_further, progress, place * n_folds, n_total)
            measured = _measured(plan, dataset, search, candidate, measure, go_on, workers)
            candidates = (*found.candidates[:place], measured, *found.candidates[place + 1 :])
            found = replace(found, candidates=candidates, n_done=place + 1)
            show(found)
    return found


def _further(progress: Progress, n_before: int, n_total: int, n_done: int, _: int) -> bool:
    """Progress of one candidate as that of all."""
    return progress(n_before + n_done, n_total)


def _measure(plan: Plan, search: Search) -> Measure:
    known = {measure.name: measure for measure in measures_of_task(plan.task.kind) if measure.better}
    name = search.measure or next(iter(known))
    if name not in known:
        raise UserError(
            "{value!r} is no figure that candidates for {task} can be judged by. Choose one of: {known}.",
            value=name,
            task=plan.task.words,
            known=", ".join(known),
        )
    return known[name]


def _candidates(plan: Plan, search: Search) -> tuple[Candidate, ...]:
    parameters = plan.recipe.choices.parameters
    prunings = search.prunings or ((parameters.v_min, parameters.sp_min),)
    forms = search.forms(plan.task.kind, plan.recipe.choices.label_width)
    grid = list(product(forms, prunings, search.deltas, search.betas))
    if search.n_random is not None and search.n_random < len(grid):
        drawn = np.random.default_rng(plan.recipe.choices.seed).choice(len(grid), search.n_random, replace=False)
        grid = [grid[place] for place in np.sort(drawn)]
    return tuple(
        Candidate(replace(parameters, delta=delta, beta=beta, v_min=v_min, sp_min=sp_min), method, label_width=width)
        for (method, width), (v_min, sp_min), delta, beta in grid
    )


def _measured(
    plan: Plan,
    dataset: Dataset,
    search: Search,
    candidate: Candidate,
    measure: Measure,
    go_on: Progress,
    workers: Workers,
) -> Candidate:
    choices = replace(plan.recipe.choices, parameters=candidate.parameters, label_width=candidate.label_width)
    recipe = replace(plan.recipe, choices=choices, changes=())
    tried = Plan(recipe, plan.task, Folds(search.n_folds), candidate.method)
    evaluation = evaluate(tried, dataset, go_on, workers=workers)
    folds = figure(evaluation, evaluation.outcomes[0], measure.name).folds
    known = [value for value in folds if not math.isnan(value)]
    return replace(candidate, value=float(np.mean(known)) if known else math.nan, folds=folds)
