"""The engines that are timed, and the rows that they learn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, Protocol

import numpy as np

from figmn.bench.literal import LiteralFastIGMN, VectorisedFastIGMN
from figmn.cubic import IGMN
from figmn.fast import FastIGMN
from figmn.params import NEUTRAL
from figmn.system.arrays import Floats
from figmn.system.memory import available_bytes
from figmn.system.tuning import YOUNG_UP_TO


class BenchModel(Protocol):
    """Anything that learns rows."""

    def learn(self, X: Any) -> Any:
        """Learn rows in order."""


@dataclass(frozen=True)
class Contender:
    """One way to learn, as the benchmark names it."""

    name: str
    make: Callable[..., BenchModel]
    matures: bool = False
    """Whether the model learns enough rows before the clock starts for its components to be mature."""
    cubic: bool = False
    matrices: int = 3
    """D × D matrices that a component takes while it learns, at most: its own and temporary ones."""


# All learn as the paper does, since those in NumPy know nothing else.
YOUNG = Contender("Fast IGMN", partial(FastIGMN, **NEUTRAL))
MATURE = Contender("Fast IGMN, mature", partial(FastIGMN, **NEUTRAL), matures=True)
CHOLESKY = Contender("IGMN, Cholesky", partial(IGMN, **NEUTRAL), cubic=True)
INVERSE = Contender("IGMN, inverse", partial(IGMN, **NEUTRAL, solver="inverse"), cubic=True)
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
    """Rows to learn: Gaussian clusters, one component each."""

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
        """Parameters that lead to `n_components` components."""
        beta = 0.0 if self.n_components == 1 else 1e-4
        return {"delta": 1.0, "beta": beta, "scale": np.full(self.n_features, 3.0)}

    def n_before(self, contender: Contender) -> int:
        """Rows learned before the clock starts: enough to create all components, and to mature them if asked for.

        >>> Case(n_features=100, n_rows=10).n_before(YOUNG), Case(n_features=100, n_rows=10).n_before(MATURE)
        (1, 172)
        """
        if contender.matures:
            return int(1.2 * YOUNG_UP_TO * self.n_features * self.n_components) + 64
        return 1 if self.n_components == 1 else 20 * self.n_components

    def n_bytes(self, contenders: Sequence[Contender]) -> int:
        """Largest memory of the case: rows (twice while they are generated), models that are kept, and one more model.

        >>> Case(n_features=3072, n_rows=300).n_bytes([LITERAL]) // 10**6
        316
        """
        n_rows = {self.n_before(contender) + self.n_rows for contender in contenders}
        models = [8 * self.n_components * self.n_features**2 * contender.matrices for contender in contenders]
        kept = sum(size for size, contender in zip(models, contenders, strict=True) if contender.matures)
        return 8 * self.n_features * (sum(n_rows) + max(n_rows, default=0)) + kept + max(models, default=0)


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
