"""Settings of the speed tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from figmn.params import Solver
from workbench.source.generators.settings import Setting
from workbench.words.sentences import UserError

N_FOLDS = 2

RUNS = Setting(
    name="n_runs",
    label="runs",
    help="Each run splits the rows into two new folds.",
    default=1,
    low=1,
    high=10,
    whole=True,
)
SECONDS = Setting(
    name="seconds_at_most",
    label="at most",
    help="If a fold would take longer, only its first rows are timed and the rest is extrapolated.",
    default=5.0,
    low=0.001,
    high=3600.0,
    log=True,
)
SEED = Setting(
    name="seed", label="seed", help="Of the folds.", default=0, low=0, high=2**31 - 1, whole=True
)  # fmt: skip


@dataclass(frozen=True)
class TableSettings:
    """Validated settings.

    >>> TableSettings(n_runs=0)
    Traceback (most recent call last):
    ...
    workbench.source.errors.SourceError: Speed tables: n_runs = 0 is outside the range from 1 to 10. \
Choose a whole number in it.
    """

    n_runs: int = int(RUNS.default)
    """Of two folds each."""
    solver: Solver = "cholesky"
    """How the cubic engine computes distances and determinants while learning; predictions always use an inverse."""
    seconds_at_most: float | None = SECONDS.default
    """Time limit for one engine to learn or predict one fold; None runs all rows."""
    seed: int = int(SEED.default)

    def __post_init__(self) -> None:
        if self.solver not in get_args(Solver):
            allowed = " or ".join(map(repr, get_args(Solver)))
            raise UserError(
                "Speed tables: solver = {value} is not known: choose {allowed}.",
                value=repr(self.solver),
                allowed=allowed,
            )
        place = "Speed tables"
        object.__setattr__(self, "n_runs", int(RUNS.check(self.n_runs, place)))
        object.__setattr__(self, "seed", int(SEED.check(self.seed, place)))
        if self.seconds_at_most is not None:
            object.__setattr__(self, "seconds_at_most", SECONDS.check(self.seconds_at_most, place))
