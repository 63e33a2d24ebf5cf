"""LAPACK at its addresses: the same numbers, without the interpreter lock."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable

import numpy as np
import pytest

from figmn.lapack import largest_eigenvalues
from figmn.state import Floats

NEVER = 1e6
"""Seconds after which a thread would be made to let go of the interpreter."""


def gram(size: int) -> Floats:
    rows = np.random.default_rng(0).normal(size=(2 * size, size))
    return np.array(rows.T @ rows, order="F")


@pytest.mark.parametrize(("size", "count"), [(1, 1), (2, 2), (3, 2), (60, 2), (60, 60)])
def test_the_largest_eigenvalues_are_those_of_numpy(size: int, count: int) -> None:
    matrix = gram(size)
    values, vectors = largest_eigenvalues(matrix.copy(order="F"), count)
    expected, _ = np.linalg.eigh(matrix)
    np.testing.assert_allclose(values, expected[size - count :], rtol=1e-10)
    np.testing.assert_allclose(matrix @ vectors, vectors * values, rtol=1e-8, atol=1e-8 * expected[-1])
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(count), atol=1e-10)


def test_other_threads_go_on_meanwhile() -> None:
    """The principal plane of MNIST held the window for a second."""
    assert is_seen_inside(lambda matrix: largest_eigenvalues(matrix, 2))


def is_seen_inside(call: Callable[[Floats], object], most: int = 200) -> bool:
    """Whether this thread ever runs while another is inside of a call: only where that lets go of the interpreter."""
    inside, was_seen, is_over = [False], [False], threading.Event()

    matrix = gram(300)

    def work() -> None:
        for _ in range(most):
            copied = matrix.copy(order="F")  # which lets go of it, too
            inside[0] = True
            call(copied)
            inside[0] = False
            if was_seen[0]:
                break
        is_over.set()

    interval = sys.getswitchinterval()
    sys.setswitchinterval(NEVER)
    thread = threading.Thread(target=work)
    try:
        thread.start()
        while not is_over.is_set():
            was_seen[0] = was_seen[0] or inside[0]
            is_over.wait(1e-4)
    finally:
        sys.setswitchinterval(interval)
        thread.join()
    return was_seen[0]
