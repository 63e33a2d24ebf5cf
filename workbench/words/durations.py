"""Durations as text. Every function takes seconds."""

from __future__ import annotations

import math

from workbench.words.numbers import decimal_places, exponent, in_words, short

TIME_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"))
MINUTE, HOUR = 60, 3600
MINUTES_UP_TO = 2 * HOUR
"""Seconds from which an estimate is given in hours."""


def duration(seconds: float, beside: float = 0.0) -> str:
    """A time in three significant digits, in the unit of the time `beside` it where that one is longer.

    >>> duration(0.0185, 12.2), duration(12.2, 0.0185), duration(0.000137, 0.04), duration(0, 3), duration(1e-9, 100)
    ('0.0185 s', '12.2 s', '0.137 ms', '0 s', '0.00000000100 s')
    >>> duration(0.0162), duration(3.05), duration(1234.5), duration(137e-6), duration(0), duration(float("nan"))
    ('16.2 ms', '3.05 s', '1,234 s', '137 µs', '0 s', '–')
    """
    if not seconds:
        return "0 s"
    if not math.isfinite(seconds):
        return in_words(seconds)
    # Rounded before the unit is chosen: 0.9999 s is not 1,000 ms.
    rounded, longest = float(f"{seconds:.3g}"), float(f"{max(seconds, beside):.3g}")
    size, unit = next(((size, unit) for size, unit in TIME_UNITS if longest >= size), TIME_UNITS[-1])
    if longest > rounded and rounded < size:
        return f"{rounded / size:.{2 - exponent(rounded / size)}f} {unit}"
    return f"{short((seconds if rounded >= 1000 * size else rounded) / size, 3)} {unit}"


def about(seconds: float) -> str:
    """An estimate of a waiting time.

    >>> about(0.2), about(7.4), about(41), about(59), about(100), about(5300), about(9000)
    ('about 1 s', 'about 7 s', 'about 40 s', 'about 1 min', 'about 2 min', 'about 88 min', 'about 2.5 h')
    """
    if seconds < MINUTE - 2.5:
        step = 1 if seconds < 10 else 5  # noqa: PLR2004
        return f"about {max(1, step * round(seconds / step))} s"
    if seconds < MINUTES_UP_TO:
        return f"about {max(1, round(seconds / MINUTE))} min"
    return f"about {seconds / HOUR:.1f} h"


def time_left(seconds: float | None) -> str:
    """The remaining time as minutes and seconds, or with hours; empty where it is not known.

    >>> time_left(7.2), time_left(3725), time_left(None)
    ('0:08 left', '1:02:05 left', '')
    """
    if seconds is None or not math.isfinite(seconds):
        return ""
    minutes, rest = divmod(math.ceil(seconds), MINUTE)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02} left" if hours else f"{minutes}:{rest:02} left"


def in_seconds(seconds: float) -> str:
    """A cell of a column in seconds: three significant digits, without the unit.

    >>> in_seconds(0.00021234), in_seconds(1234.5), in_seconds(0.0), in_seconds(float("nan"))
    ('0.000212', '1,234', '0.000', '–')
    """
    return in_words(seconds) if not math.isfinite(seconds) else f"{seconds:,.{second_places(seconds)}f}"


def second_places(seconds: float) -> int:
    """Decimal places that `in_seconds` gives a time; its standard deviation has as many.

    >>> second_places(0.044), second_places(0.0)
    (4, 3)
    """
    return decimal_places(seconds, 3) if seconds > 0 else 3


def in_microseconds(seconds: float) -> str:
    """A cell of a column in microseconds, without the unit: at most two decimals.

    >>> in_microseconds(0.7351e-6), in_microseconds(0.301978), in_microseconds(152.93e-6)
    ('0.74', '301,978', '152.9')
    """
    microseconds = 1e6 * seconds
    return f"{microseconds:,.{0 if microseconds >= 1000 else 1 if microseconds >= 100 else 2}f}"  # noqa: PLR2004
