"""Positions of a slider and their values; numbers as text in a field."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from figmn.params import Number
from workbench.source.generators.settings import Setting
from workbench.words.sentences import UserError

POSITIONS = 1000
"""Positions of a slider."""
ZERO_SPACE = 0.05
"""Share of a logarithmic slider that stands for zero."""
THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?")


@dataclass(frozen=True)
class Scale:
    """Maps slider positions, from 0 to 1, to values.

    >>> beta = Scale(1e-12, 1.0, log=True, zero=True)
    >>> beta.value(0.0), beta.value(1.0), beta.position(0.0), beta.position(1.0)
    (0.0, 1.0, 0.0, 1.0)
    """

    low: float
    high: float
    log: bool = False
    zero: bool = False
    """Whether a logarithmic scale has 0 at its left end."""
    whole: bool = False

    @staticmethod
    def of(declared: Number | Setting, low: float | None = None, high: float | None = None) -> Scale:
        """The scale of a declared number between two ends."""
        open_end = isinstance(declared, Number) and not declared.low_allowed
        zero = declared.low == 0 and low is not None and low > 0 and not open_end
        low, high = declared.low if low is None else low, declared.high if high is None else high
        if math.isinf(high):
            raise UserError("{name} has no upper limit: give the slider one.", name=declared.name)
        if open_end and low == declared.low:
            low += (high - low) / POSITIONS
        return Scale(low, high, declared.log or zero, zero, bool(getattr(declared, "whole", False)))

    @property
    def positions(self) -> int:
        """Number of steps of a slider: one per value where there are few."""
        few = self.whole and not self.log and self.high - self.low <= POSITIONS
        return round(self.high - self.low) if few else POSITIONS

    def position(self, value: float) -> float:
        """The position of a value, clipped to the ends."""
        if self.zero and value <= 0:
            return 0.0
        value = min(max(value, self.low), self.high)
        if not self.log:
            return (value - self.low) / (self.high - self.low)
        start = ZERO_SPACE if self.zero else 0.0
        return start + (1 - start) * math.log(value / self.low) / math.log(self.high / self.low)

    def value(self, position: float) -> float:
        """The value at a position, rounded to the resolution of the slider."""
        start = ZERO_SPACE if self.zero else 0.0
        if self.zero and position < start / 2:
            return 0.0
        share = max(0.0, (position - start) / (1 - start))
        if self.log:
            value = float(f"{self.low * (self.high / self.low) ** share:.2g}")
        else:
            value = round(self.low + (self.high - self.low) * share, self._decimals())
        value = min(max(value, self.low), self.high)
        return round(value) if self.whole else value

    def stepped(self, value: float, steps: int) -> float:
        """The value some steps up or down; a step is 1, 1/100 of a linear scale, or the second significant digit."""
        for _ in range(abs(steps)):
            value = self._next(value, math.copysign(1, steps))
        return value

    def _next(self, value: float, sign: float) -> float:
        if math.isinf(value):
            return value if sign * value > 0 else self.high if value > 0 else self.low
        if self.whole:
            return value + sign
        if not self.log:
            return float(f"{value + sign * 10.0 ** math.floor(math.log10((self.high - self.low) / 50)):.10g}")
        if self.zero and (value < self.low if sign > 0 else value <= self.low):
            return self.low if sign > 0 else 0.0
        # Below 1.0 the next number with two digits is 0.99.
        unit = 10.0 ** (math.floor(math.log10(value * (1 - 1e-9) if sign < 0 else value)) - 1)
        return float(f"{value + sign * max(unit, self.low * self.zero):.10g}")

    def _decimals(self) -> int:
        return max(0, math.ceil(-math.log10((self.high - self.low) / POSITIONS)))


def number_in(text: str) -> float | str:
    """The finite number in a text, or the text itself where it is not a number.

    >>> number_in("10,000"), number_in("1e-06"), number_in("0,5"), number_in("inf")
    (10000, 1e-06, '0,5', 'inf')
    """
    text = text.strip().replace("−", "-")
    plain = text.replace(",", "") if THOUSANDS.fullmatch(text) else text
    for kind in (int, float):
        try:
            number = kind(plain)
        except ValueError:
            continue
        return number if isinstance(number, int) or math.isfinite(number) else text
    return text


def text_of(value: float, grouped: bool = True) -> str:
    """A number as the text of a field, with all its digits.

    >>> text_of(10_000.0), text_of(0.5), text_of(1e-06)
    ('10,000', '0.5', '1e-06')
    """
    if math.isfinite(value) and value == int(value) and abs(value) < 1e15:  # noqa: PLR2004
        return f"{int(value):,}" if grouped else str(int(value))
    return repr(float(value))
