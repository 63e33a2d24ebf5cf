"""Processes that learn folds side by side."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from itertools import islice
from types import TracebackType
from typing import Any, Self, TypeVar

from workbench.source import Cancelled
from workbench.words.sentences import UserError

Result = TypeVar("Result")
WATCHED = 0.1
"""Seconds between two looks whether the work was cancelled."""
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
"""Environment of a process: there are as many of them as cores."""


class Workers:
    """joblib's processes, as many as cores, started when they are first needed and ended with the block.

    Its executor is used and not `Parallel`, which cannot be cancelled while it waits for a result.

    >>> with Workers() as workers:
    ...     sorted(workers.results([lambda: 1, lambda: 2], is_alone=True, go_on=lambda n_done: True))
    [1, 2]
    """

    def __init__(self) -> None:
        self._pool: Any = None
        self._is_busy = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True, kill_workers=self._is_busy)

    def results(
        self, tasks: Iterable[Callable[[], Result]], is_alone: bool, go_on: Callable[[int], bool]
    ) -> Iterator[Result]:
        """Results as they are done, in any order.

        Parameters
        ----------
        tasks : functions that can be sent to another process; each is taken when it is its turn
        is_alone : call them in this process, one after the other: for those that take less time than a process to start
        go_on : called with the number of results again and again; False raises `Cancelled` and ends the processes
        """
        if is_alone:
            for n_done, task in enumerate(tasks):
                if not go_on(n_done):
                    raise Cancelled
                yield task()
            return
        if self._pool is None:
            from joblib.externals.loky import ProcessPoolExecutor

            self._pool = ProcessPoolExecutor(_n_cores(), env=ONE_THREAD)
        self._is_busy = True
        # No more than are worked on: what waits in the executor's queue when it is ended makes its thread fail.
        waiting, futures, n_done = iter(tasks), set[Future[Result]](), 0
        while True:
            for task in islice(waiting, _n_cores() - len(futures)):
                futures.add(self._pool.submit(task))
            if not futures:
                break
            done, futures = wait(futures, WATCHED, FIRST_COMPLETED)
            for future in done:
                n_done += 1
                yield _result(future)
            if not go_on(n_done):
                raise Cancelled
        self._is_busy = False


def _result(future: Future[Result]) -> Result:
    try:
        return future.result()
    except BrokenExecutor as error:
        raise UserError(
            "A process that learned a fold was ended by the system, most likely because memory ran out. Choose fewer "
            "rows or columns, or close other programs."
        ) from error


def _n_cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
