"""How a hyper-parameter is declared: a number or a choice, its limits, and its words.

`number` and `choice` declare the fields of `figmn.params.Parameters`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from numbers import Real
from typing import Any, Protocol

FEWEST, MOST = 1e-9, 1e15
"""Numbers outside these limits are written as powers of ten."""
LONGEST = 60
"""Characters of an offending value that an error shows."""
AUTOMATIC = "automatic"
"""The word for a default that depends on the number of columns."""
DECLARATION = "declaration"
"""Metadata key under which a field of `Parameters` holds its declaration."""


@dataclass(frozen=True)
class Number:
    """A numeric hyper-parameter and its limits.

    >>> from figmn.params import BETA
    >>> BETA.check(0.1)
    0.1
    >>> BETA.check(1.5)
    Traceback (most recent call last):
    ...
    ValueError: beta = 1.5 is outside the range from 0 to 1: choose a value in it (novelty level)
    """

    name: str
    symbol: str
    """As in formulas; what follows an underscore is an index."""
    label: str
    help: str
    default: float
    low: float = 0.0
    high: float = math.inf
    low_allowed: bool = True
    log: bool = False
    """Whether equal steps on a slider are equal ratios."""
    automatic: Callable[[int], float] | None = None
    """Default as a function of the number of columns, for the value None; `default` is its value for two columns."""
    infinite: str = ""
    """The word for infinity; empty where infinity is not allowed."""
    formula: str = ""
    """Where the number enters the mathematics."""
    effect: str = ""
    """What another value changes."""
    slider: tuple[float, float] | None = None
    """Ends of the slider where they are narrower than the limits."""
    changeable: bool = False
    """Whether it may change during a run."""
    whole: bool = False
    """Whether only whole numbers are allowed."""
    none: float | None = None
    """What None stands for where it is not automatic."""
    neutral: float | None = None
    """For what the paper does not have: the value that changes nothing, which older files imply."""

    def default_for(self, n_columns: int) -> float:
        """The default for `n_columns` columns.

        >>> from figmn.params import BETA, DELTA
        >>> DELTA.default_for(6), BETA.default_for(6)
        (0.5, 0.0001)
        """
        return self.default if self.automatic is None else self.automatic(n_columns)

    @property
    def limits(self) -> str:
        """The allowed range in words.

        >>> from figmn.params import BETA, DELTA, V_MIN
        >>> BETA.limits, DELTA.limits, V_MIN.limits
        ('from 0 to 1', 'from 0.000001 to 1,000,000', 'from 0 upwards')
        """
        lower = f"from {plain(self.low)}" if self.low_allowed else f"above {plain(self.low)}"
        if math.isfinite(self.high):
            return f"{lower} to {plain(self.high)}"
        return f"{lower} upwards" if self.low_allowed else lower

    @property
    def allowed(self) -> str:
        """The allowed range in words, and the word for infinity.

        >>> from figmn.params import BETA, V_MIN
        >>> BETA.allowed, V_MIN.allowed
        ('from 0 to 1', 'from 0 upwards, or "never"')
        """
        return f'{self.limits}, or "{self.infinite}"' if self.infinite else self.limits

    def stands_for_infinity(self, text: str) -> bool:
        """Whether a text is the word for infinity, or "none" where None stands for it.

        >>> from figmn.params import V_MIN
        >>> V_MIN.stands_for_infinity(" Never"), V_MIN.stands_for_infinity("none")
        (True, False)
        """
        words = [self.infinite] if self.infinite else []
        return text.strip().lower() in [*words, *(["none"] if self.none == math.inf else [])]

    def text(self, value: float | None, n_columns: int | None = None) -> str:
        """A value for people to read; an automatic one with its number where the number of columns is known.

        >>> from figmn.params import DELTA, V_MIN
        >>> V_MIN.text(math.inf), V_MIN.text(1000)
        ('never', '1,000')
        >>> DELTA.text(None), DELTA.text(None, n_columns=13)
        ('automatic', 'automatic (1.08)')
        """
        if value is None:
            return AUTOMATIC if n_columns is None else f"{AUTOMATIC} ({self.default_for(n_columns):.3g})"
        return self.infinite if self.infinite and value == math.inf else plain(value)

    def parse(self, text: str) -> float | None:
        """The value that a text stands for: a number, the word for infinity, or "automatic"; or raise `ValueError`.

        >>> from figmn.params import BETA, DELTA, V_MIN
        >>> BETA.parse("1e-3"), V_MIN.parse("never"), DELTA.parse("automatic")
        (0.001, inf, None)
        """
        word = text.strip().lower()
        if self.automatic is not None and word == AUTOMATIC:
            return None
        if self.stands_for_infinity(text):
            return math.inf
        try:
            number = float(word)
        except ValueError:
            return self.check(text)
        return self.check(number)

    def check(self, value: object) -> float:
        """Return `value` as a float, or raise `ValueError` saying what is allowed.

        >>> from figmn.params import NUMBERS, V_MIN
        >>> V_MIN.check(5)
        5.0
        >>> NUMBERS["memory"].check(None)
        inf
        >>> NUMBERS["max_components"].check(2.5)
        Traceback (most recent call last):
        ...
        ValueError: max_components = 2.5 is not whole: give a whole number from 1 upwards, or "no limit"
        """
        if value is None and self.none is not None:
            return self.none
        if isinstance(value, bool) or not isinstance(value, Real):
            raise ValueError(f"{self.name} = {_shown(value)} is not a number: give a number {self.allowed}")
        try:
            number = float(value)
        except OverflowError:  # a whole number above the largest float
            number = math.nan
        if self.whole and math.isfinite(number) and number != round(number):
            raise ValueError(f"{self.name} = {_shown(value)} is not whole: give a whole number {self.allowed}")
        if not self._allows(number):
            where = f"outside the range {self.allowed}"
            raise ValueError(f"{self.name} = {_shown(value)} is {where}: choose a value in it ({self.label})")
        return number

    def _allows(self, number: float) -> bool:
        above = number >= self.low if self.low_allowed else number > self.low
        return above and number <= self.high and (math.isfinite(number) or bool(self.infinite))


@dataclass(frozen=True)
class Choice:
    """A hyper-parameter that takes one of a few named values.

    >>> from figmn.params import SOLVER
    >>> SOLVER.check("inverse")
    'inverse'
    """

    name: str
    label: str
    help: str
    choices: tuple[str, ...]
    changeable: bool = False
    """Whether it may change during a run."""

    @property
    def symbol(self) -> str:
        """The name: choices have no other symbol.

        >>> from figmn.params import COVARIANCE
        >>> COVARIANCE.symbol
        'covariance'
        """
        return self.name

    @property
    def default(self) -> str:
        """The first of the choices.

        >>> from figmn.params import COVARIANCE
        >>> COVARIANCE.default
        'exact'
        """
        return self.choices[0]

    @property
    def limits(self) -> str:
        """The allowed values in words.

        >>> from figmn.params import COVARIANCE
        >>> COVARIANCE.limits
        'exact or published'
        """
        return " or ".join(self.choices)

    def text(self, value: str, n_columns: int | None = None) -> str:  # noqa: ARG002 - as in `Number`
        """A value for people to read.

        >>> from figmn.params import COVARIANCE
        >>> COVARIANCE.text("exact")
        'exact'
        """
        return value

    def parse(self, text: str) -> str:
        """The value that a text stands for, or raise `ValueError`.

        >>> from figmn.params import COVARIANCE
        >>> COVARIANCE.parse(" exact ")
        'exact'
        """
        return self.check(text.strip())

    def check(self, value: object) -> str:
        """Return `value`, or raise `ValueError` naming the choices.

        >>> from figmn.params import SOLVER
        >>> SOLVER.check("lu")
        Traceback (most recent call last):
        ...
        ValueError: solver = 'lu' is not known: choose 'cholesky' or 'inverse' (cubic solver)
        """
        if not (isinstance(value, str) and value in self.choices):
            allowed = " or ".join(repr(choice) for choice in self.choices)
            raise ValueError(f"{self.name} = {_shown(value)} is not known: choose {allowed} ({self.label})")
        return value


class FloatOrNone(Protocol):
    """Type of a field of `Parameters` that may be given as None and is a float ever after. It makes no objects."""

    def __get__(self, instance: object, owner: type) -> float:
        """What is read."""

    def __set__(self, instance: object, value: float | None) -> None:
        """What may be given."""


def number(symbol: str, label: str, help: str, *, default: float, **facts: Any) -> Any:
    """Declare a field of `Parameters` that is a `Number`; the field gives its name, `facts` the rest."""
    declared = Number("", symbol, label, help, default, **facts)
    return field(default=None if declared.automatic else default, metadata={DECLARATION: declared})


def choice(label: str, help: str, *choices: str, changeable: bool = False) -> Any:
    """Declare a field of `Parameters` that is a `Choice`, by default the first of `choices`."""
    return field(default=choices[0], metadata={DECLARATION: Choice("", label, help, choices, changeable)})


def plain(value: float) -> str:
    """A number in decimal notation, without powers of ten unless it is very small or large.

    >>> plain(1e-06), plain(1e6), plain(0.5), plain(1e300)
    ('0.000001', '1,000,000', '0.5', '1e+300')
    """
    if value and not FEWEST <= abs(value) < MOST:
        return f"{value:g}"
    return f"{value:,.9f}".rstrip("0").rstrip(".")


def is_automatic(declared: Number | Choice) -> bool:
    """Whether None stands for a value that depends on the number of columns.

    >>> from figmn.params import BETA, DELTA
    >>> is_automatic(DELTA), is_automatic(BETA)
    (True, False)
    """
    return isinstance(declared, Number) and declared.automatic is not None


def allows_none(declared: Number | Choice) -> bool:
    """Whether None is allowed: for an automatic value, or in place of infinity.

    >>> from figmn.params import BETA, DELTA, NUMBERS
    >>> allows_none(DELTA), allows_none(NUMBERS["memory"]), allows_none(BETA)
    (True, True, False)
    """
    return is_automatic(declared) or (isinstance(declared, Number) and declared.none is not None)


def _shown(value: object) -> str:
    """A value in an error, shortened."""
    try:
        text = repr(value)
    except ValueError:  # Python writes no whole number of more than 4,300 digits
        return "a number of very many digits"
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
