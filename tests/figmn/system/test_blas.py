"""BLAS threads inside of the library's calls, and what is left of them outside."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable

import numpy as np
import pytest

from figmn import learning, set_blas_threads
from figmn.engine import Engine
from figmn.system import blas
from figmn.system.arrays import Floats
from figmn.system.blas import Library, Threads
from tests.figmn.paper import IGMN, FastIGMN

EIGHT = 8
MANY = 1 + max(FastIGMN.compiled_up_to, IGMN.compiled_up_to)


class Counted:
    """A BLAS library with a number of threads that is remembered."""

    def __init__(self) -> None:
        self.numbers = [EIGHT]
        self.threads = Threads(lambda: [Library(lambda: self.numbers[-1], self.numbers.append)])


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> Counted:
    counted = Counted()
    monkeypatch.setattr(learning, "THREADS", counted.threads)
    monkeypatch.setattr(blas, "THREADS", counted.threads)
    return counted


def rows_of(n_features: int, n_rows: int = 4) -> Floats:
    return np.random.default_rng(0).normal(size=(n_rows, n_features))


@pytest.mark.parametrize("make", [FastIGMN, IGMN])
def test_one_thread_while_rows_of_many_columns_are_learned(make: Callable[..., Engine], library: Counted) -> None:
    make(beta=0, scale=np.ones(MANY)).learn(rows_of(MANY))
    assert library.numbers == [EIGHT, 1, EIGHT]


def test_compiled_loops_have_no_use_for_it(library: Counted) -> None:
    FastIGMN(beta=0, scale=np.ones(2)).learn(rows_of(2))
    assert library.numbers == [EIGHT]


@pytest.mark.parametrize("ask", [FastIGMN.score_samples, FastIGMN.responsibilities, FastIGMN.recall])
def test_one_thread_for_every_question(ask: Callable[[FastIGMN, Floats], Floats], library: Counted) -> None:
    model = FastIGMN(beta=0, scale=np.ones(3)).learn(rows_of(3))
    ask(model, rows_of(3))
    assert library.numbers == [EIGHT, 1, EIGHT]


def test_more_threads_by_request(library: Counted) -> None:
    set_blas_threads(2)
    FastIGMN(beta=0, scale=np.ones(MANY)).learn(rows_of(MANY))
    assert library.numbers == [EIGHT, 2, EIGHT]


def test_threads_come_back_after_an_error(library: Counted) -> None:
    @blas.inside
    def fail() -> None:
        assert library.numbers[-1] == 1
        raise MemoryError

    with pytest.raises(MemoryError):
        fail()
    assert library.numbers[-1] == EIGHT


def test_the_last_call_that_ends_restores_what_the_first_has_found() -> None:
    library, first_is_in, second_is_done = Counted(), threading.Event(), threading.Event()

    def first() -> None:
        with library.threads:
            first_is_in.set()
            second_is_done.wait()

    thread = threading.Thread(target=first)
    thread.start()
    first_is_in.wait()
    with library.threads:
        pass
    assert library.numbers == [EIGHT, 1], "the first is still inside"
    second_is_done.set()
    thread.join()
    assert library.numbers == [EIGHT, 1, EIGHT]


def test_limits_end_in_any_order() -> None:
    library = Counted()
    outer, inner = library.threads.limited(2), library.threads.limited(1)
    outer.__enter__()
    inner.__enter__()
    assert library.numbers[-1] == 1
    outer.__exit__(None, None, None)
    assert library.numbers[-1] == 1
    inner.__exit__(None, None, None)
    assert library.numbers[-1] == EIGHT


def test_what_somebody_else_has_set_meanwhile_is_left_alone() -> None:
    library = Counted()
    with library.threads:
        library.numbers.append(3)
    assert library.numbers[-1] == 3


def test_the_libraries_of_this_process_obey() -> None:
    before = blas.THREADS.counts()
    assert before, "NumPy and SciPy have loaded a BLAS"
    with blas.THREADS.limited(2):
        with blas.THREADS.limited(1):
            assert set(blas.THREADS.counts()) == {1}
        FastIGMN(beta=0, scale=np.ones(MANY)).learn(rows_of(MANY))
    assert blas.THREADS.counts() == before


def test_a_new_number_holds_for_calls_that_are_running(library: Counted) -> None:
    with library.threads:
        set_blas_threads(3)
        assert library.numbers[-1] == 3
    assert library.numbers[-1] == EIGHT


def test_a_failure_to_find_the_libraries_is_not_counted() -> None:
    library = Counted()
    found = [OSError("not yet"), [Library(lambda: library.numbers[-1], library.numbers.append)]]

    def find() -> list[Library]:
        item = found.pop(0)
        if isinstance(item, OSError):
            raise item
        return item  # type: ignore[return-value]

    threads = Threads(find)
    with pytest.raises(OSError, match="not yet"):
        threads.__enter__()
    with threads:
        assert library.numbers[-1] == 1
    assert library.numbers[-1] == EIGHT


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_process_counts_from_the_beginning() -> None:
    code = """
import os
from figmn.system.blas import THREADS
THREADS.__enter__()
child = os.fork()
if child == 0:
    os._exit(THREADS._n_calls)
print(os.waitpid(child, 0)[1])
"""
    assert subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout == "0\n"
