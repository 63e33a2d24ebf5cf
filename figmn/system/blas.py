"""Number of BLAS threads during the library's calls: one, unless more are requested.

OpenBLAS splits even products of 64 × 64 × 784, and its threads spin while they wait for each other: with the other
cores in use such a product takes up to 200 times as long. More threads pay off from about 1,500 columns on, with
mature components and idle cores: `set_blas_threads`.

The number of threads is global to the process, so calls are counted: the first to begin sets it, the last to end
restores the previous value. threadpoolctl finds the libraries, but takes a millisecond to set their threads, and works
for a single thread of the program only; OpenBLAS's own functions take 0.2 µs. OpenBLAS built with OpenMP has one
setting per thread of the program: there, only calls that do not overlap are limited.
"""

from __future__ import annotations

import ctypes
import itertools
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from types import TracebackType
from typing import Any, NamedTuple, ParamSpec, TypeVar

from threadpoolctl import ThreadpoolController

_P = ParamSpec("_P")
_R = TypeVar("_R")


class Library(NamedTuple):
    """A BLAS that this process has loaded; NumPy and SciPy may each bring their own."""

    get: Callable[[], int]
    set: Callable[[int], Any]


class Threads:
    """Limits the threads of all BLAS libraries: by the innermost `limited`, else to `number` while a call is running.

    >>> inner = []
    >>> library = Library(lambda: inner[-1], inner.append)
    >>> threads = Threads(lambda: [library])
    >>> inner.append(8)
    >>> with threads, threads:
    ...     inner[-1]
    1
    >>> with threads.limited(2), threads:
    ...     inner[-1]
    2
    >>> inner[-1]
    8
    """

    def __init__(self, find: Callable[[], list[Library]]) -> None:
        self.number = 1
        """BLAS threads during the library's calls."""
        self._find = find
        self._libraries: list[Library] | None = None
        self.reset()

    def reset(self) -> None:
        """Forget all running calls: in a forked process, those of other threads never end."""
        self._lock = threading.Lock()
        self._n_calls = 0
        self._limits: list[list[int]] = []
        self._changed: list[tuple[Library, int, int]] = []
        """Libraries whose number of threads was changed, with the number before and the number set."""

    def __enter__(self) -> None:
        self._loaded()  # may raise, so it comes before counting
        with self._lock:
            self._n_calls += 1
            if self._n_calls == 1:
                self._apply()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock:
            self._n_calls -= 1
            if not self._n_calls:
                self._apply()

    @contextmanager
    def limited(self, number: int) -> Iterator[None]:
        """Limit BLAS to `number` threads within a `with` block, both during the library's calls and outside of them."""
        self._loaded()
        limit = [number]
        with self._lock:
            self._limits.append(limit)
            self._apply()
        try:
            yield
        finally:
            with self._lock:
                self._limits = [other for other in self._limits if other is not limit]
                self._apply()

    def set_number(self, number: int) -> None:
        """Change the number of BLAS threads during the library's calls, including those that are running."""
        with self._lock:
            self.number = number
            self._apply()

    def counts(self) -> list[int]:
        """The current number of threads of every library."""
        return [library.get() for library in self._loaded()]

    def _apply(self) -> None:
        for library, before, given in self._changed:
            if library.get() == given:  # unless it was changed elsewhere since
                library.set(before)
        self._changed = []
        if not (self._limits or self._n_calls):
            return
        wanted = self._limits[-1][0] if self._limits else self.number
        for library in self._loaded():
            before = library.get()
            if before != wanted:
                library.set(wanted)
                self._changed.append((library, before, wanted))

    def _loaded(self) -> list[Library]:
        if self._libraries is None:
            self._libraries = self._find()
        return self._libraries


def loaded_libraries() -> list[Library]:
    """Every BLAS that is loaded.

    >>> all(library.get() >= 1 for library in loaded_libraries())
    True
    """
    found = ThreadpoolController().select(user_api="blas").lib_controllers
    return [
        _own_functions(controller) or Library(controller.get_num_threads, controller.set_num_threads)
        for controller in found
    ]


def _own_functions(controller: Any) -> Library | None:
    """OpenBLAS's own functions, by ctypes; None for other libraries and for builds with OpenMP."""
    if controller.internal_api != "openblas" or controller.threading_layer == "openmp":
        return None
    library = ctypes.CDLL(controller.filepath)
    for prefix, suffix in itertools.product(("", "scipy_"), ("", "64_", "_64")):
        name = f"{prefix}openblas_{{}}_num_threads{suffix}"
        if hasattr(library, name.format("set")):
            return Library(getattr(library, name.format("get")), getattr(library, name.format("set")))
    return None


THREADS = Threads(loaded_libraries)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=THREADS.reset)


def inside(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Decorator for functions that use BLAS: limits its threads while they run."""

    @wraps(function)
    def limited(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        with THREADS:
            return function(*args, **kwargs)

    return limited


def set_blas_threads(number: int) -> None:
    """Set the number of BLAS threads during `learn`, `recall` and `score_samples`; 1 by default.

    More than one pays off from about 1,500 columns on, with mature components and idle cores.

    >>> set_blas_threads(2)
    >>> set_blas_threads(1)
    >>> set_blas_threads(0)
    Traceback (most recent call last):
    ...
    ValueError: BLAS threads: 0 is not a number of threads; give a whole number from 1 on
    """
    if isinstance(number, bool) or not isinstance(number, int) or number < 1:
        raise ValueError(f"BLAS threads: {number!r} is not a number of threads; give a whole number from 1 on")
    THREADS.set_number(number)
