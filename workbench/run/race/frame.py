"""What a race shows of itself: two engines on the same stream at one moment, frozen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from figmn.parity import Differences
from workbench.run.race.settings import RaceSettings
from workbench.run.show.frame import Census, Latest, Picture, State, Timeline
from workbench.words.factors import speed_up

if TYPE_CHECKING:
    from workbench.run.recipe.recipe import Recipe

GREEN = 1e-8
"""Largest relative difference that rounding explains."""
Level = Literal["unknown", "good", "drift", "bad"]


@dataclass(frozen=True)
class Figures:
    """The numbers of one engine."""

    n_done: int
    n_components: int
    median: float
    """µs per sample, engine time: the time of a chunk divided by its samples; NaN before the first."""
    p99: float
    engine_seconds: float
    """Time in the engine in wall-clock time."""
    cpu_seconds: float
    """Time in the engine by the clock of its thread."""
    n_bytes: int
    """Memory of the engine's components and work space."""
    chunk: int
    """Samples that the engine learned with a typical one in the same call; 0 before the first."""


@dataclass(frozen=True)
class Split:
    """Engine time of both over the same samples: the first `n_samples` of the stream."""

    n_samples: int = 0
    fast_seconds: float = 0.0
    cubic_seconds: float = 0.0

    @property
    def speed_up(self) -> float:
        """Cubic time over fast time; NaN before both have learned a sample."""
        return speed_up(self.fast_seconds, self.cubic_seconds)


@dataclass(frozen=True, eq=False)
class LaneFrame:
    """One engine of a race."""

    title: str
    """Such as "Fast IGMN" or "IGMN (Cholesky)"."""
    figures: Figures
    picture: Picture
    census: Census
    timeline: Timeline
    latest: Latest | None


@dataclass(frozen=True)
class Divergence:
    """The first sample on which the engines decided differently; fast first, cubic second."""

    sample: int
    """Its number in the stream, from 0."""
    distances: tuple[float, float]
    """d² to the nearest component."""
    threshold: float
    """τ."""
    decisions: tuple[str, str]
    """In words, such as "#3 born" and "learned"."""

    @property
    def margins(self) -> tuple[float, float]:
        """Distances of the two d² from τ."""
        fast, cubic = self.distances
        return fast - self.threshold, cubic - self.threshold


@dataclass(frozen=True)
class Parity:
    """How far both engines agree."""

    n_compared: int = 0
    """Samples, from the first on, whose decisions were compared."""
    divergence: Divergence | None = None
    counts: tuple[int, int] | None = None
    """K of both after as many samples; None before both have learned one."""
    differences: Differences | None = None
    """The largest of all checks so far; None before the first."""
    n_checked: int = 0
    """Samples that both had learned at the latest check of the numbers."""
    sampled: str = ""
    """What of the matrices was compared, where not all was; empty otherwise."""
    check_seconds: float = 0.0
    """What the checks took; no engine's time."""

    @property
    def level(self) -> Level:
        """Good: the same to rounding. Drift: the same decisions, larger differences. Bad: other decisions."""
        if self.divergence is not None:
            return "bad"
        if self.differences is None:
            return "good" if self.n_compared else "unknown"
        return "good" if self.differences.worst <= GREEN else "drift"


@dataclass(frozen=True, eq=False)
class RaceFrame:
    """One moment of a race."""

    run: int
    recipe: Recipe
    settings: RaceSettings
    columns: tuple[str, ...]
    labels: tuple[str, ...]
    state: State
    n_total: int | None
    left_out: str
    """Which rows of the source neither engine is given, in words; empty where all are learned."""
    fast: LaneFrame
    cubic: LaneFrame
    split: Split
    """Where the slower engine is: the times that the speed-up divides."""
    parity: Parity
    threads: int
    """BLAS threads of both."""
    seconds_left: float | None
    """Until the slower one is through, by what it took so far; None where that is not known."""
    colour: str | None = None
    """The column that points are coloured by; None for none."""
    has_targets: bool = False
    """Whether some columns are targets and others inputs, so that a plane of the inputs alone is another."""

    @property
    def n_done(self) -> int:
        """Samples that both have learned."""
        return min(self.fast.figures.n_done, self.cubic.figures.n_done)

    @property
    def speed_up(self) -> float:
        """Engine time over the same samples, cubic over fast; NaN before both have learned one."""
        return self.split.speed_up

    @property
    def median_ratio(self) -> float:
        """Median time of a sample, cubic over fast, each of all samples it has learned; NaN before the first."""
        fast, cubic = self.fast.figures.median, self.cubic.figures.median
        return speed_up(fast, cubic)
