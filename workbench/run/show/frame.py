"""Output of a run: frames, each a frozen view of one moment, and messages, none of which is lost."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from figmn import Parameters
from figmn.engine import Engine
from figmn.system.arrays import Floats, Ints
from workbench.run.rows.original_units import OriginalUnits
from workbench.run.show.drift import Drift
from workbench.run.show.endings import NO_ENDINGS
from workbench.words.counts import counted
from workbench.words.names import NO_NAMES, ComponentNames

if TYPE_CHECKING:
    from workbench.run.recipe.recipe import Recipe
    from workbench.run.show.matrix import Matrix

Scheme = Literal["classes", "components", "scale"]
"""What points are coloured by: labels, components, or numbers on a scale."""
SCALE_STEPS, COMPONENT_CODES = 256, 27_720
"""Colours of a scale, and codes of components: a multiple of every number of colours and of shapes up to 12."""
PlaneKind = Literal["columns", "pca", "input pca", "tour", "kept"]
State = Literal["running", "paused", "finished", "stopped", "failed"]
MessageKind = Literal[
    "started", "paused", "event", "drift", "changed", "warning", "left-out", "held-out", "finished", "stopped", "failed"
]
LIVE: tuple[State, ...] = ("running", "paused")
"""States from which a run can go on."""
INPUTS_AND_TARGETS, INPUTS_ONLY = "inputs and targets", "inputs only"
"""Names of figures where some columns are targets. Where none is, figures are of all columns and need no name."""
SCORED = 16
"""Rows of a chunk that are scored by their inputs alone, the first ones, at most."""


@dataclass(frozen=True)
class Plane:
    """What a picture is drawn on: two columns, two principal components, or a plane of the tour, turning or kept."""

    kind: PlaneKind = "columns"
    x: int = 0
    y: int = 1
    name: str = ""
    """Of a plane that was kept."""
    loadings: tuple[tuple[float, float], ...] = ()
    """Of a plane that was kept: (D, 2), of columns in units of their standard deviations."""


class ColourScale(NamedTuple):
    """The values at both ends of a scale of colours; days since 1970 for dates."""

    low: float
    high: float
    kind: str = "numeric"


@dataclass(frozen=True, eq=False)
class Picture:
    """Mixture and samples on a plane, in the user's units. Arrays are read-only."""

    plane: Plane
    labels: tuple[str, str]
    """Labels of the axes."""
    share: float | None
    """Share of the variance that a principal plane shows; None for a pair of columns."""
    centres: Floats
    """(K, 2), in the order of the census."""
    covariances: Floats
    """(K, 2, 2)."""
    points: Floats
    """(n, 2): the latest samples, the newest last; NaN where a value is missing."""
    codes: NDArray[np.int16]
    """(n,): the colour of every point, -1 where it has none: the position of its class in `Frame.labels`, the id of its
    component modulo `COMPONENT_CODES`, or a step of the scale."""
    kinds: tuple[str, str] = ("numeric", "numeric")
    """Of the columns at the axes; dates are counted in days since 1970."""
    rows: Ints = field(default_factory=lambda: np.empty(0, np.int64))
    """(n,): row of every point in the source, from 0; empty where rows are not told."""
    scheme: Scheme = "classes"
    scale: ColourScale | None = None
    """Where points are coloured by numbers."""
    loadings: Floats | None = None
    """(D, 2): of a plane that is no pair of columns, for columns in units of their standard deviations."""
    about: str = ""
    """Which projection it is; empty for a pair of columns and for principal planes."""
    n_outdated: int = 0
    """Points whose component is that of an earlier mixture: there was no time to ask for all of them."""


class Population(Protocol):
    """Components without their matrices: what an engine, a snapshot and a census have in common."""

    @property
    def parameters(self) -> Parameters:
        """Its hyper-parameters."""

    @property
    def ids(self) -> Ints:
        """Numbers of the components."""

    @property
    def priors(self) -> Floats:
        """p(j)."""

    @property
    def accumulators(self) -> Floats:
        """Evidence sp."""

    @property
    def ages(self) -> Ints:
        """Ages v."""


@dataclass(frozen=True, eq=False)
class Census:
    """The components of a mixture, O(K) numbers: a snapshot would copy K matrices for every picture."""

    parameters: Parameters
    ids: Ints
    priors: Floats
    accumulators: Floats
    ages: Ints

    @staticmethod
    def of(population: Population) -> Census:
        """A copy of the present values."""
        return Census(
            population.parameters, population.ids, population.priors, population.accumulators, population.ages
        )

    def __post_init__(self) -> None:
        for array in vars(self).values():
            if isinstance(array, np.ndarray):
                array.flags.writeable = False

    @property
    def n_components(self) -> int:
        """K."""
        return len(self.ids)


@dataclass(frozen=True, eq=False)
class FullCensus(Census):
    """A census with the columns of every component, O(K·D) numbers: all that tables show, still without matrices."""

    means: Floats
    """(K, D)."""
    variances: Floats
    """(K, D): the diagonals of the covariances."""
    log_determinants: Floats
    """(K,): log|C|."""

    @staticmethod
    def of_engine(engine: Engine) -> FullCensus:
        """Taken now; the arrays are copies."""
        return FullCensus(
            engine.parameters, engine.ids, engine.priors, engine.accumulators, engine.ages,
            engine.means, engine.variances, engine.log_determinants,
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Timeline:
    """The whole past in at most a few thousand pieces of equal length, one entry each."""

    piece: int
    """Samples in a piece; the last may be shorter."""
    samples: Ints
    """Samples learned by the end of each piece."""
    n_components: Ints
    """K at the end of each piece."""
    births: Ints
    removals: Ints
    merges: Ints
    """Mergers of two components."""
    microseconds: Floats
    """Engine time per sample: the time of a chunk divided by its samples."""
    log_likelihoods: Floats
    """Mean log density of the samples before they were learned, of all columns; NaN where there was no mixture yet."""
    input_log_likelihoods: Floats
    """The same of the inputs alone, of the rows that were scored (`InputScores`); NaN where none was."""
    indefinite: Ints
    """Updates that lost positive definiteness."""


@dataclass(frozen=True)
class Latest:
    """What the latest sample did."""

    sample: int
    """Its number in the stream, from 0."""
    row: int
    """Its row in the source, from 0."""
    nearest: int | None
    """Id of the nearest component before it; None where there was none."""
    distance: float
    """d² to the nearest component."""
    owner: int
    """Id of the component that takes most of it, by the posteriors before it was learned; the newborn of a birth."""
    posterior: float
    """That largest posterior; 1 for a birth."""
    threshold: float
    """τ, which every d² must reach for a birth."""
    born: int | None
    removed: tuple[int, ...]
    log_likelihood: float
    """Log density before it was learned, of all columns."""
    n_missing: int = 0
    """Encoded values that were missing and filled in by the mixture before it was learned."""
    weight: float = 1.0
    """How much it counts."""
    merged: tuple[tuple[int, int], ...] = ()
    """For every merger after it, the ids of the component that was kept and of the one that it took in."""


class HeldOut(NamedTuple):
    """Log-likelihood of rows that were never learned.

    >>> HeldOut(30, 1.5, -4.25).words()
    'held-out log-likelihood 1.5000 per sample, inputs and targets; -4.2500, inputs only (30 rows)'
    >>> HeldOut(1, -4.25).words()
    'held-out log-likelihood -4.2500 per sample (1 row)'
    """

    n_rows: int
    log_likelihood: float
    """Mean over the rows, of all columns."""
    inputs_only: float | None = None
    """Mean over the rows, of the inputs alone; None where there are no targets."""

    def words(self) -> str:
        """All of it in one line."""
        rows = f"({counted(self.n_rows, 'row')})"
        text = f"held-out log-likelihood {self.log_likelihood:,.4f} per sample"
        if self.inputs_only is None:
            return f"{text} {rows}"
        return f"{text}, {INPUTS_AND_TARGETS}; {self.inputs_only:,.4f}, {INPUTS_ONLY} {rows}"


@dataclass(frozen=True, eq=False)
class Frame:
    """One moment of a run."""

    run: int
    """Number of the run, so that a late frame of an earlier run is recognised."""
    recipe: Recipe
    """The recipe of the run, including changes during the run."""
    columns: tuple[str, ...]
    """The encoded columns, D of them."""
    units: OriginalUnits
    """Of the numbers in the census."""
    labels: tuple[str, ...]
    """The classes that points are coloured by; empty without a class."""
    state: State
    n_done: int
    n_total: int | None
    """None where the stream has no end."""
    census: FullCensus
    picture: Picture
    timeline: Timeline
    latest: Latest | None
    n_births: int
    n_removals: int
    engine_seconds: float
    """Time spent in the engine alone."""
    rows_per_second: float
    """Recent throughput: samples per second of wall-clock time; 0 while paused."""
    n_merges: int = 0
    endings: Ints = field(default_factory=lambda: NO_ENDINGS)
    """How the components ended that are no more, as `endings_of` gives them; the latest ones."""
    colour: str | None = None
    """The column that points are coloured by, whose labels are `labels`; None for none and for components."""
    kinds: tuple[str, ...] = ()
    """Of the encoded columns; empty where all are numeric."""
    has_targets: bool = False
    """Whether some columns are targets and others inputs, so that figures of the inputs alone are others."""
    drifts: tuple[Drift, ...] = ()
    """Seen so far, where the stream is watched for them."""
    matrix: Matrix | None = None
    """The mixture and the samples of the picture in several columns; None where they are not wanted."""
    names: ComponentNames = field(default_factory=lambda: NO_NAMES)
    """Of components, by their ids, where the user gave them one."""
    n_seen: int = 0
    """Samples that the mixture has learned, those before the run included."""


@dataclass(frozen=True)
class Message:
    """Something that happened, in words."""

    run: int
    kind: MessageKind
    text: str
    details: str = ""
    """Details for a report, such as a traceback."""
    data: dict[str, Any] = field(default_factory=dict)
