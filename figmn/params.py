"""Every hyper-parameter, declared once: default, limits, label, symbol and help.

Validation, command-line flags and the parameter forms are derived from these declarations.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from numbers import Real
from typing import Literal, get_args

FEWEST, MOST = 1e-9, 1e15
"""Beyond these, powers of ten are easier to read."""
LONGEST = 60
"""Characters of an offending value that an error shows."""


@dataclass(frozen=True)
class Number:
    """A numeric hyper-parameter and its limits.

    >>> BETA.check(0.1)
    0.1
    >>> BETA.check(1.5)
    Traceback (most recent call last):
    ...
    ValueError: beta = 1.5 is outside the range from 0 to 1: choose a value in it (novelty level)
    """

    name: str
    symbol: str
    label: str
    help: str
    default: float
    low: float = 0.0
    high: float = math.inf
    low_allowed: bool = True
    log: bool = False
    """Whether equal steps on a slider are equal ratios."""
    automatic: Callable[[int], float] | None = None
    """The default for a number of columns, where it depends on it; `default` is then that for two."""
    infinite: str = ""
    """The word for infinity where that is allowed."""

    def default_for(self, n_columns: int) -> float:
        """The default for so many columns.

        >>> DELTA.default_for(6), BETA.default_for(6)
        (0.5, 0.0001)
        """
        return self.default if self.automatic is None else self.automatic(n_columns)

    @property
    def limits(self) -> str:
        """The allowed range in words.

        >>> BETA.limits, DELTA.limits, V_MIN.limits
        ('from 0 to 1', 'from 0.000001 to 1,000,000', 'from 0 upwards')
        """
        lower = f"from {plain(self.low)}" if self.low_allowed else f"above {plain(self.low)}"
        if math.isfinite(self.high):
            return f"{lower} to {plain(self.high)}"
        return f"{lower} upwards" if self.low_allowed else lower

    def text(self, value: float) -> str:
        """A value in words and figures for people.

        >>> V_MIN.text(math.inf), V_MIN.text(1000)
        ('never', '1,000')
        """
        return self.infinite if self.infinite and value == math.inf else plain(value)

    def check(self, value: object) -> float:
        """Return `value` as a float, or raise `ValueError` saying what is allowed.

        >>> V_MIN.check(5)
        5.0
        """
        if isinstance(value, bool) or not isinstance(value, Real):
            raise ValueError(f"{self.name} = {_shown(value)} is not a number: give a number {self.limits}")
        try:
            number = float(value)
        except OverflowError:  # a whole number above the largest float
            number = math.nan
        if not self._allows(number):
            raise ValueError(
                f"{self.name} = {_shown(value)} is outside the range {self.limits}: choose a value in it ({self.label})"
            )
        return number

    def _allows(self, number: float) -> bool:
        above = number >= self.low if self.low_allowed else number > self.low
        return above and number <= self.high and (math.isfinite(number) or bool(self.infinite))


@dataclass(frozen=True)
class Choice:
    """A hyper-parameter that takes one of a few named values.

    >>> SOLVER.check("inverse")
    'inverse'
    """

    name: str
    label: str
    help: str
    choices: tuple[str, ...]

    @property
    def default(self) -> str:
        """The first of the choices.

        >>> COVARIANCE.default
        'exact'
        """
        return self.choices[0]

    def check(self, value: object) -> str:
        """Return `value`, or raise `ValueError` naming the choices.

        >>> SOLVER.check("lu")
        Traceback (most recent call last):
        ...
        ValueError: solver = 'lu' is not known: choose 'cholesky' or 'inverse' (cubic solver)
        """
        if not (isinstance(value, str) and value in self.choices):
            allowed = " or ".join(repr(choice) for choice in self.choices)
            raise ValueError(f"{self.name} = {_shown(value)} is not known: choose {allowed} ({self.label})")
        return value


def plain(value: float) -> str:
    """A number as people write it, without powers of ten where a few digits do.

    >>> plain(1e-06), plain(1e6), plain(0.5), plain(1e300)
    ('0.000001', '1,000,000', '0.5', '1e+300')
    """
    if value and not FEWEST <= abs(value) < MOST:
        return f"{value:g}"
    return f"{value:,.9f}".rstrip("0").rstrip(".")


def _shown(value: object) -> str:
    """A value in an error, however long it is."""
    try:
        text = repr(value)
    except ValueError:  # Python writes no whole number of more than 4,300 digits
        return "a number of very many digits"
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def automatic_delta(n_columns: int) -> float:
    """min(2, D / 12): the more columns, the wider a newborn component.

    Two samples of one Gaussian lie about 2D/δ² apart in d², and τ grows like D alone: a δ that suits two columns makes
    nearly every row of a hundred columns a component of its own, and one that suits a hundred sees one cluster in two.
    No single number does well over the bundled datasets and generators; this rule does on all of them.

    >>> [round(automatic_delta(n_columns), 2) for n_columns in (2, 6, 100)]
    [0.17, 0.5, 2.0]
    """
    return round(min(2.0, n_columns / 12), 2)


DELTA = Number(
    name="delta",
    symbol="δ",
    label="initial width",
    help="Width of a newborn component, as a fraction of each column's standard deviation. "
    "Small: many narrow components. Large: few wide ones.",
    default=automatic_delta(2),
    automatic=automatic_delta,
    low=1e-6,
    high=1e6,
    log=True,
)
BETA = Number(
    name="beta",
    symbol="β",
    label="novelty level",
    help="A sample farther from every component than the chi-squared quantile at 1 - beta starts a new one. "
    "0: a single component. 1: every sample is a component.",
    default=1e-4,
    high=1.0,
)
V_MIN = Number(
    name="v_min",
    symbol="v_min",
    label="age before pruning",
    help="A component older than this many samples must have gathered sp_min evidence, or it is removed.",
    default=100.0,
    infinite="never",
)
SP_MIN = Number(
    name="sp_min",
    symbol="sp_min",
    label="evidence to stay",
    help="Least accumulated posterior of a component older than v_min. 0: nothing is ever removed.",
    default=3.0,
)
COVARIANCE = Choice(
    name="covariance",
    label="covariance rule",
    help="exact: the weighted sample covariance. published: the equation as printed in the paper, "
    "which can lose positive definiteness.",
    choices=("exact", "published"),
)
Solver = Literal["cholesky", "inverse"]
SOLVER = Choice(
    name="solver",
    label="cubic solver",
    help="cholesky: one triangular factorisation a sample. inverse: inverse and determinant, as the paper timed it.",
    choices=get_args(Solver),
)


@dataclass(frozen=True)
class Parameters:
    """A checked set of the hyper-parameters that both engines share.

    >>> Parameters(beta=0).beta
    0.0
    """

    delta: float | None = None
    """None: by the number of columns, `automatic_delta`."""
    beta: float = BETA.default
    v_min: float = V_MIN.default
    sp_min: float = SP_MIN.default
    covariance: str = COVARIANCE.default

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name != DELTA.name or value is not None:
                object.__setattr__(self, field.name, DECLARED[field.name].check(value))

    def for_columns(self, n_columns: int) -> Parameters:
        """With the numbers that stand for what depends on the number of columns.

        >>> Parameters().for_columns(6).delta
        0.5
        """
        return self if self.delta is not None else replace(self, delta=automatic_delta(n_columns))


DECLARED: dict[str, Number | Choice] = {
    parameter.name: parameter for parameter in (DELTA, BETA, V_MIN, SP_MIN, COVARIANCE, SOLVER)
}
