"""Speed-ups: the one definition, and their text."""

from __future__ import annotations

import math

from workbench.words.numbers import in_words, short

HUNDRED = 100


def speed_up(seconds: float, reference_seconds: float) -> float:
    """How many times faster an engine is than the reference engine on the same samples.

    Parameters
    ----------
    seconds : time of the engine
    reference_seconds : time of the engine that it is compared with, the cubic one as a rule

    Returns
    -------
    float
        The quotient of the times; NaN unless both are above 0, as before the first sample or where a printed time was
        rounded to 0.000.

    Examples
    --------
    >>> speed_up(0.5, 10.0), speed_up(0.0, 1.0), speed_up(1.0, 0.0)
    (20.0, nan, nan)
    """
    return reference_seconds / seconds if seconds > 0 and reference_seconds > 0 else math.nan


def factor(value: float) -> str:
    """A single speed-up in three significant digits, as are the times it is the quotient of.

    >>> factor(2410.3), factor(24.13), factor(0.871), factor(float("nan"))
    ('2,410×', '24.1×', '0.871×', '–')
    """
    return f"{short(value, 3)}×" if math.isfinite(value) else in_words(value)


def table_factor(value: float, decimals_below_one: int = 2) -> str:
    """A speed-up in a column: no decimals from 100 on, one from 1 on.

    >>> table_factor(2409.6), table_factor(12.34), table_factor(3.04), table_factor(0.833), table_factor(float("nan"))
    ('2,410×', '12.3×', '3.0×', '0.83×', '–')
    """
    if not math.isfinite(value):
        return in_words(value)
    return f"{value:,.{0 if value >= HUNDRED else 1 if value >= 1 else decimals_below_one}f}×"
