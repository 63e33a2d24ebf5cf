"""Settings of a sweep over the dimensions: D, rows, repeats, engines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, get_args

from figmn.bench import CHOLESKY, INVERSE, LITERAL, MATURE, YOUNG, Case, Contender
from figmn.params import Solver
from workbench.source.errors import SourceError
from workbench.source.generators.settings import Setting

EngineRole = Literal["fast", "mature", "cubic", "literal"]
"""Role of a contender in a sweep, independent of its name."""
CUBIC: dict[str, Contender] = {"cholesky": CHOLESKY, "inverse": INVERSE}

GRIDS: dict[str, tuple[int, ...]] = {
    "small": (2, 4, 8, 16, 32, 64),
    "quick": (16, 32, 64, 128, 256, 512),
    "full": (16, 32, 64, 128, 256, 512, 1024, 2048, 3072),
}
"""Dimensions to choose from, each about twice the one before."""

DIMENSIONS = Setting("D", "D", "Dimensions of the rows.", default=16, low=2, high=3072, log=True, whole=True)
ROWS = Setting(
    "n_rows", "rows",
    "Rows per timing; fewer where an engine would take longer than the limit for a timing.",
    default=500, low=2, high=1_000_000, log=True, whole=True,
)  # fmt: skip
COMPONENTS = Setting("n_components", "components", "Components of the mixture.", default=1, low=1, high=100, whole=True)
REPEATS = Setting(
    "repeats", "repeats", "How often everything is timed: medians and error bars are over the repeats.",
    default=5, low=1, high=100, whole=True,
)  # fmt: skip
SECONDS = Setting(
    "seconds", "seconds per timing", "If all rows would take longer than this, fewer are timed.",
    default=2.0, low=0.001, high=60.0, log=True,
)  # fmt: skip


@dataclass(frozen=True)
class SweepSettings:
    """Validated settings.

    >>> SweepSettings(dims=(16, 4096))
    Traceback (most recent call last):
    ...
    workbench.source.errors.SourceError: Sweep: D = 4096 is outside the range from 2 to 3,072. \
Choose a whole number in it.
    """

    dims: tuple[int, ...] = GRIDS["quick"]
    """Dimensions, ascending."""
    n_rows: int = int(ROWS.default)
    n_components: int = int(COMPONENTS.default)
    repeats: int = int(REPEATS.default)
    seconds: float = SECONDS.default
    """Time limit of one timing, roughly."""
    solver: Solver = "cholesky"
    """How the cubic engine computes distances and determinants."""
    with_mature: bool = True
    """Whether Fast IGMN is also timed once its precision matrices are dense."""
    with_literal: bool = False
    """Whether Fast IGMN is also timed as the paper prints it."""

    def __post_init__(self) -> None:
        if self.solver not in get_args(Solver):
            raise SourceError(
                "Sweep: solver = {value} is not known. Choose 'cholesky' or 'inverse'.", value=repr(self.solver)
            )
        object.__setattr__(self, "dims", checked_dims(self.dims))
        for declared in (ROWS, COMPONENTS, REPEATS, SECONDS):
            object.__setattr__(self, declared.name, declared.check(getattr(self, declared.name), "Sweep"))

    @property
    def cubic(self) -> Contender:
        """The engine that the others are compared with."""
        return CUBIC[self.solver]

    @property
    def contenders(self) -> tuple[Contender, ...]:
        """Engines to time, in this order."""
        mature, literal = (MATURE,) * self.with_mature, (LITERAL,) * self.with_literal
        return (YOUNG, *mature, self.cubic, *literal)

    @property
    def cases(self) -> tuple[Case, ...]:
        """One case for each D."""
        return tuple(Case(width, self.n_rows, self.n_components) for width in self.dims)

    @property
    def n_timings(self) -> int:
        """Number of timings, without warm-ups."""
        return len(self.dims) * self.repeats * len(self.contenders)


def checked_dims(dims: Sequence[object]) -> tuple[int, ...]:
    """Dimensions as whole numbers; SourceError if there are none, one is outside the limits or they do not ascend.

    >>> checked_dims([8, 2])
    Traceback (most recent call last):
    ...
    workbench.source.errors.SourceError: Sweep: D = 8 stands before D = 2. \
Give every number of dimensions once, from few to many.
    """
    if not len(dims):
        raise SourceError(
            "Sweep: there is no D to measure. Give at least one, such as 16, 64, 256.",
        )
    found = tuple(int(DIMENSIONS.check(value, "Sweep")) for value in dims)
    for first, second in pairwise(found):
        if first >= second:
            raise SourceError(
                "Sweep: D = {first} stands before D = {second}. Give every number of dimensions once, from few "
                "to many.",
                first=first,
                second=second,
            )
    return found


def typed_dims(text: str) -> tuple[int, ...]:
    """Dimensions from typed text, in any order; SourceError if a word is not a number.

    >>> typed_dims("256, 16 64,16")
    (16, 64, 256)
    >>> typed_dims("16, many")
    Traceback (most recent call last):
    ...
    workbench.source.errors.SourceError: Sweep: 'many' is not a whole number. Give dimensions such as 16, 64, 256.
    """
    words = text.replace(",", " ").replace(";", " ").split()
    for word in words:
        if not (word.isascii() and word.isdigit()):
            raise SourceError(
                "Sweep: {value!r} is not a whole number. Give dimensions such as 16, 64, 256.", value=word
            )
    return checked_dims(sorted({int(word) for word in words}))


def role_of(contender: Contender) -> EngineRole:
    """Role of a contender in a sweep.

    >>> role_of(YOUNG), role_of(INVERSE)
    ('fast', 'cubic')
    """
    if contender.cubic:
        return "cubic"
    return "mature" if contender.matures else "literal" if contender == LITERAL else "fast"
