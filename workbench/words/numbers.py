"""Numbers as text: thousands separators, a true minus sign, no more digits than are useful."""

from __future__ import annotations

import math

MINUS = "\u2212"
NO_FIGURE = "–"
"""Stands where there is no number."""
LARGE, SMALL = 1e7, 1e-3
"""From `LARGE` on and below `SMALL`, scientific notation is shorter."""
PERCENT_PLACES = 4
"""Most decimals of a percentage; beyond them the rest is less than a millionth."""
COMPARED_PLACES = 9
"""Most decimals of two numbers that are compared."""


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
    return fixed(value, decimal_places(rounded, digits) if size else digits - 1)


def in_words(value: float) -> str:
    """The text for infinity and NaN; NaN means "no figure" everywhere.

    >>> in_words(math.inf), in_words(-math.inf), in_words(math.nan)
    ('infinite', '−infinite', '–')
    """
    return NO_FIGURE if math.isnan(value) else "infinite" if value > 0 else f"{MINUS}infinite"


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
    """A number of any size in the width of six digits, for narrow columns.

    >>> compact(50), compact(12345.6), compact(123456), compact(999_999.5), compact(10_234_567)
    ('50.00', '12,346', '123 k', '1.00 M', '10.2 M')
    """
    for unit, name in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if math.inf > abs(value) >= max(0.9995 * unit, 1e5):  # 999,999 rounds to 1.00 M
            return f"{short(value / unit, 3)} {name}"
    return short(value)


def with_prefix(value: float) -> str:
    """Three significant digits with a metric prefix, for rates.

    >>> with_prefix(1_934_000), with_prefix(20_500), with_prefix(12), with_prefix(999_900)
    ('1.93 M', '20.5 k', '12', '1 M')
    """
    for prefix, unit in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if abs(value) >= 0.9995 * unit:  # 999,900 rounds to 1 M
            return f"{value / unit:.3g} {prefix}"
    return f"{value:.3g}"


def rough(value: float) -> str:
    """The order of magnitude of a difference: one significant digit.

    >>> rough(3.2e-13), rough(-0.0002), rough(0.0), rough(float("inf"))
    ('3e−13', '−2e−4', '0', 'infinite')
    """
    if not value:
        return "0"
    return _scientific(value, 0) if math.isfinite(value) else in_words(value)


def percent(share: float) -> str:
    """A share as a percentage that is not rounded up to 100 % while the rest is visible.

    >>> percent(0.31), percent(0.996), percent(0.99996), percent(0.99999998), percent(1.0)
    ('31 %', '99.6 %', '99.996 %', '100 %', '100 %')
    """
    texts = (f"{100 * share:.{places}f}" for places in range(PERCENT_PLACES + 1))
    return f"{next((text for text in texts if float(text) < 100), '100')} %"  # noqa: PLR2004


def compared(first: float, second: float) -> tuple[str, str]:
    """Two numbers with two decimals, with more where they would look equal, in scientific notation where huge.

    >>> compared(4.138, 40.87), compared(40.8699999, 40.87), compared(2.5e300, 9.0)
    (('4.14', '40.87'), ('40.8699999', '40.8700000'), ('2.500e300', '9.00'))
    """
    for places in range(2, COMPARED_PLACES + 1):
        texts = [short(value) if value >= LARGE else fixed(value, places) for value in (first, second)]
        if texts[0] != texts[1]:
            break
    return texts[0], texts[1]


def stepped(value: float, step: float) -> str:
    """A number on an axis whose marks are `step` apart.

    >>> stepped(0.30000000000000004, 0.1), stepped(-1500, 500), stepped(2e-7, 1e-7), stepped(12_500_000, 500_000)
    ('0.3', '−1,500', '2e−7', '1.25e7')
    """
    if abs(value) < step / 100:
        return "0"
    if step >= SMALL / 10 and abs(value) < LARGE:
        return f"{value:,.{max(0, -exponent(step))}f}".replace("-", MINUS)
    return _scientific(value, max(0, exponent(abs(value)) - exponent(step)))


def decimal_places(value: float, digits: int) -> int:
    """Decimal places that show a positive number with `digits` significant digits.

    >>> decimal_places(0.00021234, 3), decimal_places(9.99, 3), decimal_places(1234.5, 3)
    (6, 2, 0)
    """
    return max(0, digits - 1 - math.floor(math.log10(value)))


def exponent(value: float) -> int:
    """The power of ten of a positive number's first digit.

    >>> exponent(0.02), exponent(999.0)
    (-2, 2)
    """
    return math.floor(math.log10(value) + 1e-9)


def _scientific(value: float, places: int) -> str:
    mantissa, power = f"{value:.{places}e}".split("e")
    return f"{mantissa}e{int(power)}".replace("-", MINUS)
