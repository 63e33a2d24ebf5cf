"""Ticks at round numbers, labelled with all their digits, however large, small or close together they are."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.views.plots.plot_units import Exact
from workbench.words.numbers import MINUS

MOST = 60
"""Most ticks of an axis."""
LONGEST = 8
"""Most digits of a label; where all need more, they are relative to a round offset."""
LARGE, SMALL = 7, -4
"""Powers of ten between which numbers are written without exponents."""
LOGS_CLOSER = 0.6
"""Ticks of a logarithmic axis may be closer than others: with fewer than two its scale is not recognised."""
LEAST_LOG, LARGEST_LOG = -300.0, 300.0
"""Decimal logarithms of the smallest and the largest float."""
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class Ticks(NamedTuple):
    """Round numbers: whole numbers times one power of ten."""

    digits: tuple[int, ...]
    factor: int
    power: int

    @property
    def step(self) -> float:
        """The distance between two ticks."""
        return float(_times(self.factor, self.power))

    @property
    def exact(self) -> list[Fraction]:
        """The exact numbers."""
        return [_times(digits, self.power) for digits in self.digits]

    @property
    def values(self) -> NDArray[np.float64]:
        """The numbers as floats."""
        return np.array([float(value) for value in self.exact])

    def texts(self) -> list[str]:
        """Labels with all digits."""
        return [decimal_text(digits, self.power) for digits in self.digits]

    def short_texts(self) -> tuple[list[str], str]:
        """Labels relative to an offset, and the offset; empty where it is zero.

        Thousands are set apart only where there are ten of them: years are not written with a comma.

        >>> ticks(1.7e18 - 1000, 1.7e18 + 1000, 3).short_texts()
        (['−1000', '0', '+1000'], '1.7e18')
        """
        longest = max((len(str(abs(digits))) for digits in self.digits), default=0)
        if longest <= LONGEST:
            is_grouped = longest + self.power > len("9999")
            return [decimal_text(digits, self.power, is_grouped) for digits in self.digits], ""
        begin = _roundest(self.digits[0], self.digits[-1])
        away = [digits - begin for digits in self.digits]
        is_grouped = max(len(str(abs(digits))) for digits in away) + self.power > len("9999")
        shown = [decimal_text(digits, self.power, is_grouped) for digits in away]
        signs = ("+" if digits > begin else "" for digits in self.digits)
        return [sign + text for sign, text in zip(signs, shown, strict=True)], _shortest(begin, self.power)


def ticks(low: Exact, high: Exact, most: float) -> Ticks:
    """Round numbers from low to high, at most `most`.

    >>> ticks(0.13, 0.92, 4).values.tolist()
    [0.2, 0.4, 0.6, 0.8]
    """
    if not low < high or math.inf in {-low, high}:
        return Ticks((), 1, 0)
    first, last = Fraction(low), Fraction(high)
    least = (last - first) / Fraction(min(max(most, 1.0), MOST))
    factor, power = _step(least)
    step = _times(factor, power)
    slack = step / 10**9  # limits that are round but for rounding errors count as round
    numbers = range(math.ceil((first - slack) / step), math.floor((last + slack) / step) + 1)
    return Ticks(tuple(factor * number for number in numbers), factor, power)


def decimal_text(digits: int, power: int, is_grouped: bool = True) -> str:
    """digits × 10^power as text, with all its digits.

    >>> decimal_text(3, -1), decimal_text(-15, 2), decimal_text(2, -7), decimal_text(125, 5)
    ('0.3', '−1,500', '2e−7', '1.25e7')
    """
    if not digits:
        return "0"
    sign, text = MINUS if digits < 0 else "", str(abs(digits))
    top = len(text) - 1 + power
    if power < SMALL or top >= LARGE:
        rest = f".{text[1:]}" if len(text) > 1 else ""
        return f"{sign}{text[0]}{rest}e{str(top).replace('-', MINUS)}"
    whole, rest = divmod(abs(digits), 10 ** max(0, -power))
    whole *= 10 ** max(0, power)
    written = f"{whole:,}" if is_grouped else str(whole)
    return f"{sign}{written}.{rest:0{-power}d}" if power < 0 else f"{sign}{written}"


def _step(least: Fraction) -> tuple[int, int]:
    """The smallest of 1, 2 and 5 times a power of ten that is at least `least`."""
    power = math.floor(math.log10(least.numerator) - math.log10(least.denominator) + 1e-9)
    enough = least * (1 - Fraction(1, 10**9))
    factor = next((factor for factor in (1, 2, 5) if _times(factor, power) >= enough), 10)
    return (1, power + 1) if factor == 10 else (factor, power)  # noqa: PLR2004 - ten is one of the next power


def _times(digits: int, power: int) -> Fraction:
    return Fraction(digits * 10**power) if power >= 0 else Fraction(digits, 10**-power)


def _roundest(first: int, last: int) -> int:
    """The number in the range with the most trailing zeros."""
    unit = int(10 ** len(str(abs(last))))
    while -(-first // unit) * unit > last:
        unit //= 10
    return -(-first // unit) * unit


def _shortest(digits: int, power: int) -> str:
    while digits and digits % 10 == 0:
        digits, power = digits // 10, power + 1
    return decimal_text(digits, power)


def log_places(low: float, high: float, most: float) -> list[float]:
    """Logarithms of round numbers: powers of ten, or of two where fewer than two powers of ten are in the range.

    Where there is no room for all of them, as many as possible: two of three rather than the one in the middle.

    >>> [round(10**mark) for mark in log_places(0.5, 3.6, 5)], [round(10**mark) for mark in log_places(0.1, 0.95, 9)]
    ([10, 100, 1000], [2, 4, 8])
    >>> [round(10**mark) for mark in log_places(0.8, 3.2, 2.8)]
    [10, 1000]
    """
    if not (math.isfinite(low) and math.isfinite(high) and high > low):
        return []
    unit = 1.0 if math.floor(high) - math.ceil(low) >= 1 else math.log10(2)
    first, last = math.ceil(low / unit - 1e-9), math.floor(high / unit + 1e-9)
    step = max(1, math.ceil((last - first + 1) / max(most, 1.0)))
    begins = [math.ceil(first / step) * step, first]
    begin = max(begins, key=lambda begin: (last - begin) // step)
    found: list[float] = (np.arange(begin, last + 1, step) * unit).tolist()
    return found


def power_of_ten(value: float) -> str:
    """A number on a logarithmic axis.

    >>> power_of_ten(1e-4), power_of_ten(100), power_of_ten(0.1), power_of_ten(1e6), power_of_ten(256)
    ('10⁻⁴', '100', '0.1', '10⁶', '256')
    """
    power = math.log10(value)
    if abs(power - round(power)) < 1e-6 and not -2 <= round(power) <= 4:  # noqa: PLR2004 - short as plain numbers
        return raised(round(power))
    return f"{value:,.3g}" if value < 1000 else f"{value:,.0f}"  # noqa: PLR2004


def raised(power: int) -> str:
    """A power of ten, however large or small.

    >>> raised(-4), raised(600)
    ('10⁻⁴', '10⁶⁰⁰')
    """
    return "10" + str(power).translate(SUPERSCRIPTS)
