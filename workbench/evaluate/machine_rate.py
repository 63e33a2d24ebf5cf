"""How fast this machine multiplies matrices: what estimates of the duration of a benchmark are scaled by."""

from __future__ import annotations

from functools import cache

from figmn.bench import dgemm_rate, pinned

RATE_DIMENSIONS = 512
"""Columns of the product that is measured."""


@cache
def machine_rate() -> float:
    """Operations per second of a matrix product with one BLAS thread.

    Measured at the first call, which takes a few hundredths of a second, and kept for the process: the sweep and the
    paper's tables share one measurement.

    >>> machine_rate() == machine_rate() > 0
    True
    """
    with pinned(1):
        return dgemm_rate(RATE_DIMENSIONS)
