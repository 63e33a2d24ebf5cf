"""Who takes part in a race: a tuple of contenders, the first of which is the reference of parity and speed-up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from figmn import IGMN, FastIGMN
from figmn.engine import Engine
from workbench.run.race.settings import RaceSettings
from workbench.words.names import SOLVER_NAMES


@dataclass(frozen=True)
class RaceContender:
    """An engine under the name that a race shows."""

    title: str
    """Such as "Fast IGMN" or "IGMN (Cholesky)"."""
    make: Callable[..., Engine]
    """Takes the arguments of an engine: hyper-parameters, `scale` and `columns`."""


RACE_ENGINES = {"fast": RaceContender("Fast IGMN", FastIGMN)} | {
    solver: RaceContender(f"IGMN ({name})", partial(IGMN, solver=solver)) for solver, name in SOLVER_NAMES.items()
}
"""Contenders by their names on the command line."""


def contenders_of(settings: RaceSettings) -> tuple[RaceContender, ...]:
    """Contenders of the Race page: Fast IGMN, then the cubic IGMN with the chosen solver.

    >>> [contender.title for contender in contenders_of(RaceSettings(solver="inverse"))]
    ['Fast IGMN', 'IGMN (inverse + determinant)']
    """
    return RACE_ENGINES["fast"], RACE_ENGINES[settings.solver]
