"""Timings of the engines against each other, sweeps over the dimensions, and the exponents of their growth.

Engine time only: data, models and compiled code are ready before the clock starts, every engine gets the same rows and
the same number of BLAS threads, and the engines take turns within a repeat, so that a slow minute of the machine
touches all of them. Beside the time on the clock stands the time that the processor gave: where the two differ, others
were at work.
"""

from __future__ import annotations

import math
import platform
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib.metadata import version
from typing import Any, Protocol

import numpy as np
import scipy
from scipy.special import chdtri, stdtrit
from threadpoolctl import threadpool_info

from figmn.cubic import IGMN
from figmn.engine import Engine
from figmn.fast import FastIGMN
from figmn.system.arrays import Floats
from figmn.system.blas import THREADS
from figmn.system.lapack import matmul
from figmn.system.memory import available_bytes
from figmn.system.processor import cpu_name, n_cores
from figmn.system.tuning import YOUNG_UP_TO

PROBE, PROBE_GROWTH = 1, 8
"""Rows that tell how many are affordable, and how many times more where these took too little time to tell."""


MOST_POWER = 100.0
"""Beyond e to this power no fit says anything: lines as good as parallel."""


class Learner(Protocol):
    """Anything that learns rows."""

    def learn(self, X: Any) -> Any:
        """Learn rows in order."""


@dataclass(frozen=True)
class Contender:
    """One way to learn, as the benchmark names it."""

    name: str
    make: Callable[..., Learner]
    matures: bool = False
    """Whether the model has seen so many rows before the clock starts that its components are mature."""
    cubic: bool = False
    matrices: int = 3
    """D × D matrices that a component takes while it learns, at most: its own and those in between."""


class LiteralFastIGMN:
    """Fast IGMN as printed, with the exact covariance: two Sherman-Morrison and two determinant steps a component.

    Determinants are kept as logarithms, since plain ones leave the range of a double at some hundred dimensions.

    >>> model = LiteralFastIGMN(delta=1.0, beta=0.0, scale=np.ones(2)).learn(np.array([[0.0, 0.0], [2.0, 2.0]]))
    >>> np.linalg.inv(model.precisions[0]).round(6)
    array([[1.5, 1. ],
           [1. , 1.5]])
    """

    def __init__(self, delta: float, beta: float, scale: Floats) -> None:
        self.sigma = delta * scale
        self.threshold = chdtri(len(scale), beta)
        self.means: list[Any] = []
        self.precisions: list[Any] = []
        self.log_dets: list[float] = []
        self.accumulators: list[float] = []

    def learn(self, X: Floats) -> LiteralFastIGMN:
        """Learn rows in order."""
        for row in X:
            distances = [
                (row - mean) @ precision @ (row - mean)
                for mean, precision in zip(self.means, self.precisions, strict=True)
            ]
            if any(distance < self.threshold for distance in distances):
                self._update(row, np.array(distances))
            else:
                self.means.append(row.copy())
                self.precisions.append(np.diag(self.sigma**-2))
                self.log_dets.append(2 * float(np.log(self.sigma).sum()))
                self.accumulators.append(1.0)
        return self

    def _update(self, row: Floats, distances: Floats) -> None:
        joint = np.log(self.accumulators) - 0.5 * (distances + self.log_dets)
        posteriors = np.exp(joint - joint.max())
        posteriors /= posteriors.sum()
        for j, posterior in enumerate(posteriors):
            self.accumulators[j] += posterior
            omega = posterior / self.accumulators[j]
            error = row - self.means[j]
            shift = omega * error
            self.means[j] = self.means[j] + shift
            precision = self.precisions[j]
            inner = 1 + omega / (1 - omega) * (error @ precision @ error)
            halfway = (
                precision / (1 - omega)
                - (omega / (1 - omega) ** 2) * np.outer(precision @ error, error @ precision) / inner
            )
            outer = 1 - shift @ halfway @ shift
            self.precisions[j] = halfway + np.outer(halfway @ shift, shift @ halfway) / outer
            self.log_dets[j] += len(row) * np.log1p(-omega) + np.log(inner) + np.log(outer)


class VectorisedFastIGMN:
    """The same loop in NumPy at its best: one rank-one step, all components at once.

    >>> model = VectorisedFastIGMN(delta=1.0, beta=0.0, scale=np.ones(2)).learn(np.array([[0.0, 0.0], [2.0, 2.0]]))
    >>> np.linalg.inv(model.precisions[0]).round(6)
    array([[1.5, 1. ],
           [1. , 1.5]])
    """

    def __init__(self, delta: float, beta: float, scale: Floats) -> None:
        width = len(scale)
        self.sigma = delta * scale
        self.threshold = chdtri(width, beta)
        self.means, self.precisions = np.empty((0, width)), np.empty((0, width, width))
        self.log_dets, self.accumulators = np.empty(0), np.empty(0)

    def learn(self, X: Floats) -> VectorisedFastIGMN:
        """Learn rows in order."""
        for row in X:
            errors = row - self.means
            products = np.einsum("kde,ke->kd", self.precisions, errors)
            distances = np.einsum("kd,kd->k", errors, products)
            if (distances < self.threshold).any():
                self._update(errors, products, distances)
            else:
                self.means = np.vstack([self.means, row])
                self.precisions = np.concatenate([self.precisions, np.diag(self.sigma**-2)[None]])
                self.log_dets = np.append(self.log_dets, 2 * np.log(self.sigma).sum())
                self.accumulators = np.append(self.accumulators, 1.0)
        return self

    def _update(self, errors: Floats, products: Floats, distances: Floats) -> None:
        joint = np.log(self.accumulators) - 0.5 * (distances + self.log_dets)
        posteriors = np.exp(joint - joint.max())
        posteriors /= posteriors.sum()
        self.accumulators += posteriors
        omegas = posteriors / self.accumulators
        self.means += omegas[:, None] * errors
        factors = 1 + omegas * distances
        self.log_dets += errors.shape[1] * np.log1p(-omegas) + np.log(factors)
        gains = omegas / factors
        self.precisions -= gains[:, None, None] * products[:, :, None] * products[:, None]
        self.precisions /= (1 - omegas)[:, None, None]


YOUNG = Contender("Fast IGMN", FastIGMN)
MATURE = Contender("Fast IGMN, mature", FastIGMN, matures=True)
CHOLESKY = Contender("IGMN, Cholesky", IGMN, cubic=True)
INVERSE = Contender("IGMN, inverse", lambda **options: IGMN(**options, solver="inverse"), cubic=True)
LITERAL = Contender("Fast IGMN as printed", LiteralFastIGMN, matrices=4)
VECTORISED = Contender("Fast IGMN in NumPy", VectorisedFastIGMN)
CONTENDERS = {
    "fast": YOUNG,
    "mature": MATURE,
    "cholesky": CHOLESKY,
    "inverse": INVERSE,
    "literal": LITERAL,
    "numpy": VECTORISED,
}


@dataclass(frozen=True)
class Case:
    """What is to be learned: Gaussian clusters, one component each."""

    n_features: int
    n_rows: int
    n_components: int = 1

    @lru_cache(maxsize=2)  # noqa: B019 (cases are small and few)
    def rows(self, n_rows: int) -> Floats:
        """Rows of the case, the same at every call."""
        rng = np.random.default_rng(0)
        centres = 15.0 * rng.integers(self.n_components, size=(n_rows, 1))
        return centres + rng.normal(size=(n_rows, self.n_features))

    def options(self) -> dict[str, Any]:
        """Parameters that lead to just so many components: wide ones, and one only where one is wanted."""
        beta = 0.0 if self.n_components == 1 else 1e-4
        return {"delta": 1.0, "beta": beta, "scale": np.full(self.n_features, 3.0)}

    def n_before(self, contender: Contender) -> int:
        """Rows that a model has learned before the clock starts: its components are there, and mature where asked for.

        >>> Case(n_features=100, n_rows=10).n_before(YOUNG), Case(n_features=100, n_rows=10).n_before(MATURE)
        (1, 172)
        """
        if contender.matures:
            return int(1.2 * YOUNG_UP_TO * self.n_features * self.n_components) + 64
        return 1 if self.n_components == 1 else 20 * self.n_components

    def n_bytes(self, contenders: Sequence[Contender]) -> int:
        """Memory that the case takes at most: rows, twice while they are made, models that are kept, and one more.

        >>> Case(n_features=3072, n_rows=300).n_bytes([LITERAL]) // 10**6
        316
        """
        n_rows = {self.n_before(contender) + self.n_rows for contender in contenders}
        models = [8 * self.n_components * self.n_features**2 * contender.matrices for contender in contenders]
        kept = sum(size for size, contender in zip(models, contenders, strict=True) if contender.matures)
        return 8 * self.n_features * (sum(n_rows) + max(n_rows, default=0)) + kept + max(models, default=0)


@dataclass(frozen=True)
class Measurement:
    """Times of one contender on one case."""

    contender: Contender
    case: Case
    n_timed: int
    """Rows that were timed: fewer than asked for where a row takes long."""
    seconds: tuple[float, ...]
    """Seconds a row, one for every repeat."""
    cpu_seconds: tuple[float, ...] = ()
    """Seconds a row that the processor gave to the thread that learns, one for every repeat; what further BLAS threads
    do is not in it."""

    @property
    def median(self) -> float:
        """Median over the repeats, seconds a row."""
        return float(np.median(self.seconds))

    @property
    def cpu_median(self) -> float:
        """Median of the processor's time over the repeats, seconds a row; NaN where it was not measured."""
        return float(np.median(self.cpu_seconds)) if self.cpu_seconds else math.nan


@dataclass(frozen=True)
class Stage:
    """How far a series of timings has come."""

    measurements: tuple[Measurement, ...]
    """What has been measured so far; the last few may have fewer repeats than asked for."""
    n_done: int
    n_total: int
    now: tuple[Contender, Case] | None
    """What is timed next; None at the end."""

    @property
    def label(self) -> str:
        """What is timed next, in words."""
        return "done" if self.now is None else f"{self.now[0].name}, D = {self.now[1].n_features}"


Progress = Callable[[int, int, str], bool]
"""Callback `(done, total, label) -> bool`; return False to cancel."""


def measure(
    cases: Sequence[Case],
    contenders: Sequence[Contender],
    repeats: int = 5,
    seconds: float = 2.0,
    progress: Progress | None = None,
) -> list[Measurement]:
    """Time every contender on every case, taking turns, `repeats` times.

    Parameters
    ----------
    cases, contenders, repeats
        What is timed, and how often.
    seconds : float
        Where all the rows of a case would take a contender longer than this, only so many are timed, at least two.
    progress : callable
        Called before every timing and every warm-up with the number done, the total and a label; where it answers
        False, what has been measured so far is returned.

    Examples
    --------
    >>> fast, = measure([Case(n_features=2, n_rows=100)], [YOUNG], repeats=3)
    >>> len(fast.seconds), fast.median > 0
    (3, True)
    """
    stage = Stage((), 0, 0, None)
    with closing(measuring(cases, contenders, repeats, seconds)) as stages:
        for stage in stages:
            if progress and not progress(stage.n_done, stage.n_total, stage.label):
                break
    return list(stage.measurements)


def measuring(
    cases: Sequence[Case], contenders: Sequence[Contender], repeats: int = 5, seconds: float = 2.0
) -> Generator[Stage, None, None]:
    """The same, stage by stage: who takes the stages can show what was measured, and stop and keep it at any time.

    There is a stage before every warm-up, before every timing and at the end. Raises `MemoryError` with the numbers
    before it starts where a case does not fit, and once more before a case where the memory has been taken since.

    >>> stages = list(measuring([Case(n_features=2, n_rows=10)], [YOUNG, CHOLESKY], repeats=2))
    >>> [(stage.n_done, stage.label) for stage in stages][-3:]
    [(2, 'Fast IGMN, D = 2'), (3, 'IGMN, Cholesky, D = 2'), (4, 'done')]
    """
    found: list[Measurement] = []
    total, done = len(cases) * repeats * len(contenders), 0
    for case in cases:
        require_room(case, contenders)
    try:
        for case in cases:
            require_room(case, contenders)
            entries = [_Entry(contender, case, seconds) for contender in contenders]
            for _ in range(repeats):
                for entry in entries:
                    for work in entry.turns():
                        now = entry.contender, case
                        yield Stage((*found, *(e.measurement() for e in entries if e.seconds)), done, total, now)
                        work()
                    done += 1
            found += [entry.measurement() for entry in entries]
        yield Stage(tuple(found), done, total, None)
    finally:
        Case.rows.cache_clear()  # up to hundreds of megabytes


def require_room(case: Case, contenders: Sequence[Contender]) -> None:
    """Raise `MemoryError` with the numbers where there is not enough memory for a case.

    >>> require_room(Case(n_features=10**6, n_rows=10), [YOUNG])
    Traceback (most recent call last):
    ...
    MemoryError: D = 1,000,000: 24,000,176.0 MB needed, ... MB available. Choose fewer dimensions or fewer rows
    """
    needed, available = case.n_bytes(contenders), available_bytes()
    if needed > available:
        raise MemoryError(
            f"D = {case.n_features:,}: {needed / 1e6:,.1f} MB needed, {available / 1e6:,.1f} MB available. "
            "Choose fewer dimensions or fewer rows"
        )


MATRIX_WORK_FROM = 64
"""Dimensions from which operations on D x D matrices dominate; with fewer, calls and loops over D take as much time."""
FEWEST_FITTED = 3
LARGEST_RISE = 0.25
"""Exponent by which the last two dimensions may be steeper than the fit: ten percent of noise make 0.15."""


@dataclass(frozen=True)
class Exponent:
    """Growth of a contender's time with the dimensions: time = scale · D^slope."""

    contender: Contender
    slope: float
    low: float
    high: float
    """95 % confidence interval of the slope."""
    dims: tuple[int, ...]
    """The dimensions that it was fitted over."""
    scale: float
    """Seconds a row in one dimension, if the growth were the same everywhere."""
    rise: float = 0.0
    """How much steeper the last two dimensions are than the fit: positive where the growth still rises."""

    @property
    def is_asymptotic(self) -> bool:
        """Whether it is fitted where work on matrices dominates, and does not still rise: it holds for larger D.

        >>> Exponent(CHOLESKY, 1.5, 1.4, 1.6, (2, 4, 8), scale=1e-7).is_asymptotic
        False
        """
        return self.dims[0] >= MATRIX_WORK_FROM and self.rise <= LARGEST_RISE

    @property
    def margin(self) -> float:
        """Half of the interval."""
        return (self.high - self.low) / 2

    def at(self, n_features: float) -> float:
        """Seconds a row that the fit gives."""
        return float(self.scale * float(n_features) ** self.slope)


def fit_exponents(measurements: Sequence[Measurement]) -> list[Exponent]:
    """Least-squares slope of log time against log D for every contender with three dimensions or more.

    Only dimensions from `MATRIX_WORK_FROM` on are fitted, unless there are fewer than three of them.

    >>> cases = [Case(n_features=width, n_rows=10) for width in (10, 20, 40, 80)]
    >>> cubic = [Measurement(CHOLESKY, case, 10, (1e-9 * case.n_features**3,)) for case in cases]
    >>> round(fit_exponents(cubic)[0].slope, 6)
    3.0
    """
    groups = [
        _fitted([m for m in measurements if m.contender == contender])
        for contender in dict.fromkeys(m.contender for m in measurements)
    ]
    return [_exponent(own) for own in groups if len({m.case.n_features for m in own}) >= FEWEST_FITTED]


def _exponent(own: Sequence[Measurement]) -> Exponent:
    from scipy.stats import linregress  # takes up to 1.3 s to import: only where it is needed

    dims = tuple(m.case.n_features for m in own)
    x, y = np.log(dims), np.log([m.median for m in own])
    line = linregress(x, y)
    slope, margin = float(line.slope), float(stdtrit(len(own) - 2, 0.975) * line.stderr)
    rise = float((y[-1] - y[-2]) / (x[-1] - x[-2])) - slope
    return Exponent(own[0].contender, slope, slope - margin, slope + margin, dims, math.exp(line.intercept), rise)


def _fitted(own: list[Measurement]) -> list[Measurement]:
    many = [m for m in own if m.case.n_features >= MATRIX_WORK_FROM]
    return sorted(many if len(many) >= FEWEST_FITTED else own, key=lambda m: m.case.n_features)


def crossover(first: Exponent, second: Exponent) -> float | None:
    """Dimensions in which both fits give the same time; None where they grow alike and never meet.

    >>> square = Exponent(MATURE, 2.0, 2.0, 2.0, (2, 4, 8), scale=1e-7)
    >>> cube = Exponent(CHOLESKY, 3.0, 3.0, 3.0, (2, 4, 8), scale=1e-8)
    >>> round(crossover(square, cube), 6), crossover(cube, cube) is None
    (10.0, True)
    """
    if first.slope == second.slope:
        return None
    power = math.log(first.scale / second.scale) / (second.slope - first.slope)
    return math.exp(power) if abs(power) < MOST_POWER else None


EVERY_ENGINE: tuple[Callable[..., Engine], ...] = (
    FastIGMN,
    IGMN,
    partial(FastIGMN, covariance="published"),
    partial(IGMN, solver="inverse"),
)
"""Each has compiled loops of its own."""


def warm_up(engines: Sequence[Callable[..., Engine]] = EVERY_ENGINE, n_features: int | None = None) -> float:
    """Load compiled loops, and return the seconds that took: the first time after an installation compiles them.

    Those of these engines for so many columns; None: for few columns and for many.

    >>> warm_up() > 0
    True
    """
    began = time.perf_counter()
    many = 1 + max(FastIGMN.compiled_up_to, IGMN.compiled_up_to)
    widths = (2, many) if n_features is None else (min(max(n_features, 2), many),)
    for width in widths:
        for engine in engines:
            engine(beta=0, scale=np.ones(width)).learn(np.eye(3, width))
    return time.perf_counter() - began


def dgemm_rate(n_features: int, n_rows: int = 64) -> float:
    """Operations a second of a plain product of `n_rows` rows with a square matrix, the best of a few.

    >>> dgemm_rate(64) > 0
    True
    """
    rng = np.random.default_rng(0)
    left, right = rng.normal(size=(n_rows, n_features)), rng.normal(size=(n_features, n_features))
    times = []
    for _ in range(10):
        began = time.perf_counter()
        matmul(left, right)
        times.append(time.perf_counter() - began)
    return 2 * n_rows * n_features**2 / min(times)


@contextmanager
def pinned(threads: int) -> Iterator[None]:
    """Limit BLAS to a number of threads for everyone, as long as the block lasts.

    >>> with pinned(1):
    ...     threads = {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"}
    >>> threads
    {1}
    """
    with THREADS.limited(threads):
        if max(THREADS.counts(), default=threads) > threads:
            raise RuntimeError(
                f"BLAS keeps {max(THREADS.counts())} threads where {threads} are wanted: times would not compare"
            )
        yield


def machine() -> dict[str, str]:
    """The processor and the versions that a timing depends on.

    >>> sorted(machine())
    ['BLAS', 'CPU', 'NumPy', 'Python', 'SciPy', 'cores', 'numba']
    """
    libraries = {
        (lib.get("internal_api"), lib.get("version")) for lib in threadpool_info() if lib["user_api"] == "blas"
    }
    return {
        "CPU": cpu_name(),
        "cores": str(n_cores()),
        "Python": platform.python_version(),
        "NumPy": np.__version__,
        "SciPy": scipy.__version__,
        "numba": version("numba"),  # to import it takes half a second
        "BLAS": ", ".join(sorted(f"{name} {version}" for name, version in libraries)),
    }


class _Entry:
    """One contender on one case, over its repeats."""

    def __init__(self, contender: Contender, case: Case, budget: float) -> None:
        self.contender, self.case, self.budget = contender, case, budget
        self.seconds: list[float] = []
        self.cpu_seconds: list[float] = []
        self.n_timed = 0
        self._model: Learner | None = None

    def turns(self) -> list[Callable[[], None]]:
        """What is to be done for one repeat: a warm-up comes before the first."""
        return [self._run] if self.n_timed else [self._warm_up, self._run]

    def measurement(self) -> Measurement:
        return Measurement(self.contender, self.case, self.n_timed, tuple(self.seconds), tuple(self.cpu_seconds))

    def _warm_up(self) -> None:
        self._time(PROBE)  # compiles
        self.n_timed = self._affordable()

    def _run(self) -> None:
        seconds, cpu_seconds = self._time(self.n_timed)
        self.seconds.append(seconds)
        self.cpu_seconds.append(cpu_seconds)

    def _affordable(self) -> int:
        """Rows that fit into the budget; a few tell, unless they took so little that it was mostly the call."""
        probe = PROBE
        while True:
            each, _ = self._time(probe)
            if probe >= self.case.n_rows or each * probe > self.budget / 20:
                return max(2, min(self.case.n_rows, int(self.budget / each)))
            probe *= PROBE_GROWTH

    def _time(self, n_rows: int) -> tuple[float, float]:
        """Seconds a row over so many rows of the case, on the clock and of the processor."""
        model, n_before = self._prepared()
        rows = self.case.rows(n_before + self.case.n_rows)[n_before : n_before + n_rows]
        # The processor's clock is read inside of the other's: it cannot have given more time than has passed.
        began = time.perf_counter()
        cpu_began = time.thread_time()
        model.learn(rows)
        cpu_ended = time.thread_time()
        ended = time.perf_counter()
        return (ended - began) / len(rows), (cpu_ended - cpu_began) / len(rows)

    def _prepared(self) -> tuple[Learner, int]:
        """A model before the clock starts."""
        case, n_before = self.case, self.case.n_before(self.contender)
        if self._model is not None:
            return self._model, n_before
        model = self.contender.make(**case.options())
        model.learn(case.rows(n_before + case.n_rows)[:n_before])
        if self.contender.matures:
            self._model = model  # mature it stays
        return model, n_before
