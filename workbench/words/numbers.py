"""Numbers as people read them: thousands apart, a true minus, no more digits than help."""

from __future__ import annotations

import math

MINUS = "\u2212"
LARGE, SMALL = 1e7, 1e-3
"""Beyond these, powers of ten are shorter."""


def short(value: float, digits: int = 4) -> str:
    """A number with `digits` significant digits.

    >>> short(1234567.8), short(-0.012345), short(3), short(0.99999), short(float("nan")), short(1.5e-9)
    ('1,234,568', '−0.01235', '3.000', '1.000', '–', '1.500e−9')
    """
    if not math.isfinite(value):
        return in_words(value)
    size = abs(value)
    if size and not SMALL <= size < LARGE:
        return _scientific(value, digits - 1)
    rounded = float(f"{size:.{digits - 1}e}")  # 0.99999 has as many places as 1
    places = digits - 1 - (math.floor(math.log10(rounded)) if size else 0)
    return f"{value:,.{max(0, places)}f}".replace("-", MINUS)


def in_words(value: float) -> str:
    """What stands in place of a number that is none.

    >>> in_words(math.inf), in_words(-math.inf), in_words(math.nan)
    ('infinite', '−infinite', '–')
    """
    return "–" if math.isnan(value) else "infinite" if value > 0 else f"{MINUS}infinite"


def fixed(value: float, places: int) -> str:
    """A number with `places` decimal places.

    >>> fixed(-1234.5, 2), fixed(math.inf, 2)
    ('−1,234.50', 'infinite')
    """
    return f"{value:,.{places}f}".replace("-", MINUS) if math.isfinite(value) else in_words(value)


def whole(value: float) -> str:
    """A count.

    >>> whole(1204)
    '1,204'
    """
    return fixed(value, 0)


def compact(value: float) -> str:
    """A number of any size in the room of six digits.

    >>> compact(50), compact(12345.6), compact(123456), compact(999_999.5), compact(10_234_567)
    ('50.00', '12,346', '123 k', '1.00 M', '10.2 M')
    """
    for unit, name in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if math.inf > abs(value) >= max(0.9995 * unit, 1e5):  # what is rounded up to a unit has its name
            return f"{short(value / unit, 3)} {name}"
    return short(value)


def stepped(value: float, step: float) -> str:
    """A number on an axis whose marks are a step apart.

    >>> stepped(0.30000000000000004, 0.1), stepped(-1500, 500), stepped(2e-7, 1e-7), stepped(12_500_000, 500_000)
    ('0.3', '−1,500', '2e−7', '1.25e7')
    """
    if abs(value) < step / 100:
        return "0"
    if step >= SMALL / 10 and abs(value) < LARGE:
        return f"{value:,.{max(0, -exponent(step))}f}".replace("-", MINUS)
    return _scientific(value, max(0, exponent(abs(value)) - exponent(step)))


def exponent(value: float) -> int:
    """The power of ten of a positive number's first digit.

    >>> exponent(0.02), exponent(999.0)
    (-2, 2)
    """
    return math.floor(math.log10(value) + 1e-9)


def _scientific(value: float, places: int) -> str:
    mantissa, power = f"{value:.{places}e}".split("e")
    return f"{mantissa}e{int(power)}".replace("-", MINUS)
