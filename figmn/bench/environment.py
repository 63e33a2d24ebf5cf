"""The machine that timings depend on, and its preparation for them."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from importlib.metadata import version

import numpy as np
import scipy
from threadpoolctl import threadpool_info

from figmn.cubic import IGMN
from figmn.engine import Engine
from figmn.fast import FastIGMN
from figmn.system.blas import THREADS
from figmn.system.lapack import matmul
from figmn.system.processor import cpu_name, n_cores

EVERY_ENGINE: tuple[Callable[..., Engine], ...] = (
    FastIGMN,
    IGMN,
    partial(FastIGMN, covariance="published"),
    partial(IGMN, solver="inverse"),
)
"""Each has compiled loops of its own."""


def warm_up(engines: Sequence[Callable[..., Engine]] = EVERY_ENGINE, n_features: int | None = None) -> float:
    """Load compiled loops and return the seconds it took; the first call after an installation compiles them.

    Loads the loops of `engines` for `n_features` columns; None: for few columns and for many.

    >>> warm_up() > 0
    True
    """
    began = time.perf_counter()
    many = 1 + max(FastIGMN.compiled_up_to, IGMN.compiled_up_to)
    widths = (2, many) if n_features is None else (min(max(n_features, 2), many),)
    for width in widths:
        for engine in engines:
            model = engine(beta=0, scale=np.ones(width)).learn(np.eye(3, width))
            model.learn_prequential(np.eye(3, width), [width - 1])
            model.recall(np.eye(1, width))
            list(model.conditionals(np.eye(1, width)))
            engine(beta=1, max_components=1, scale=np.ones(width)).learn(np.eye(2, width))  # merges
    # The search for components that are one, which is the same for all engines.
    alike = FastIGMN(delta=1, beta=0.1, merge_below=1e6, scale=np.ones(2))
    alike.learn(np.repeat([[0.0, 0.0], [9.0, 9.0]], 60, axis=0))
    return time.perf_counter() - began


def dgemm_rate(n_features: int, n_rows: int = 64) -> float:
    """Operations per second of a plain product of `n_rows` rows with a square matrix, the best of a few.

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
    """Limit BLAS to `threads` threads in the whole process, within a `with` block.

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
        "numba": version("numba"),  # importing it takes half a second
        "BLAS": ", ".join(sorted(f"{name} {version}" for name, version in libraries)),
    }
