"""A frame of a race: all contenders on the same stream at one moment, frozen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from figmn.parity import Differences
from workbench.run.race.settings import RaceSettings
from workbench.run.show.frame import Census, Latest, Picture, State, Timeline
from workbench.words.factors import speed_up

if TYPE_CHECKING:
    from workbench.run.recipe.recipe import Recipe

GREEN = 1e-8
"""Largest relative difference that rounding explains."""
ParityLevel = Literal["unknown", "good", "drift", "bad"]
PAIR = 2
"""Contenders of the Race page; a race has at least as many."""
BY_SEVERITY: tuple[ParityLevel, ...] = get_args(ParityLevel)
"""From nothing known to broken."""


@dataclass(frozen=True)
class Figures:
    """The numbers of one contender."""

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
    """Engine time over the same samples: the first `n_samples` of the stream, which all contenders have learned."""

    n_samples: int = 0
    seconds: tuple[float, ...] = (0.0, 0.0)
    """One for each contender."""

    @property
    def speed_ups(self) -> tuple[float, ...]:
        """Of the first contender, relative to each of the others."""
        first, *others = self.seconds
        return tuple(speed_up(first, seconds) for seconds in others)


@dataclass(frozen=True, eq=False)
class LaneFrame:
    """One contender of a race."""

    title: str
    """Such as "Fast IGMN" or "IGMN (Cholesky)"."""
    figures: Figures
    picture: Picture
    census: Census
    timeline: Timeline
    latest: Latest | None


@dataclass(frozen=True)
class Divergence:
    """The first sample on which two contenders decided differently; the reference first."""

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
        first, second = self.distances
        return first - self.threshold, second - self.threshold


@dataclass(frozen=True)
class Parity:
    """How far a contender agrees with the reference, which is the first contender."""

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
    """Which part of the matrices was compared; empty where all of it was."""
    check_seconds: float = 0.0
    """Time that the checks took; it counts for no engine."""

    @property
    def level(self) -> ParityLevel:
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
    """Which rows of the source are not learned, in words; empty where all are learned."""
    lanes: tuple[LaneFrame, ...]
    """One for each contender; the first is the reference of speed-up and parity."""
    split: Split
    """At the sample that all have learned: the times that the speed-up divides."""
    parities: tuple[Parity, ...]
    """One for each contender but the first."""
    threads: int
    """BLAS threads of every engine."""
    seconds_left: float | None
    """Until all are through, estimated from the time so far; None where that is not known."""
    colour: str | None = None
    """The column that points are coloured by; None for none."""
    has_targets: bool = False
    """Whether some columns are targets and others inputs, so that a plane of the inputs alone is another."""

    @property
    def reference(self) -> LaneFrame:
        """The first contender."""
        return self.lanes[0]

    @property
    def n_done(self) -> int:
        """Samples that all have learned."""
        return min(lane.figures.n_done for lane in self.lanes)

    @property
    def farthest(self) -> int:
        """Samples that the leader has learned."""
        return max(lane.figures.n_done for lane in self.lanes)

    @property
    def is_pair(self) -> bool:
        """Whether there are two contenders, so that texts need not say which one is compared with the first."""
        return len(self.lanes) == PAIR

    @property
    def short_titles(self) -> tuple[str, ...]:
        """Names of the contenders, as short as tells them apart."""
        return short_titles([lane.title for lane in self.lanes])

    @property
    def speed_up(self) -> float:
        """Engine time over the same samples, second contender over first; NaN before all have learned one."""
        return self.split.speed_ups[0]

    @property
    def median_ratios(self) -> tuple[float, ...]:
        """Median time of a sample, each contender but the first over the first, of all samples that each has learned.

        NaN before the first sample.
        """
        first, *others = (lane.figures.median for lane in self.lanes)
        return tuple(speed_up(first, median) for median in others)

    @property
    def level(self) -> ParityLevel:
        """The worst of all parities."""
        return max((parity.level for parity in self.parities), key=BY_SEVERITY.index)


def short_titles(titles: Sequence[str]) -> tuple[str, ...]:
    """Titles without the part in brackets, unless two of them would be the same.

    >>> short_titles(["Fast IGMN", "IGMN (Cholesky)"])
    ('Fast IGMN', 'IGMN')
    >>> short_titles(["Fast IGMN", "IGMN (Cholesky)", "IGMN (inverse + determinant)"])
    ('Fast IGMN', 'IGMN (Cholesky)', 'IGMN (inverse + determinant)')
    """
    short = [title.split(" (")[0] for title in titles]
    return tuple(name if short.count(name) == 1 else title for name, title in zip(short, titles, strict=True))
