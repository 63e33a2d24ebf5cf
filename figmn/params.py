"""Every hyper-parameter, declared once: default, limits, label, symbol and help.

Validation, command-line flags and the parameter forms are derived from these declarations.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from numbers import Real


@dataclass(frozen=True)
class Number:
    """A numeric hyper-parameter and its limits.

    >>> BETA.check(0.1)
    0.1
    >>> BETA.check(1.5)
    Traceback (most recent call last):
    ...
    ValueError: beta = 1.5 is outside 0 <= beta <= 1: choose a value in that range (novelty level)
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

    @property
    def limits(self) -> str:
        """The allowed range in words.

        >>> BETA.limits
        '0 <= beta <= 1'
        """
        lower = f"{self.low:g} {'<=' if self.low_allowed else '<'} {self.name}"
        return lower if math.isinf(self.high) else f"{lower} <= {self.high:g}"

    def check(self, value: object) -> float:
        """Return `value` as a float, or raise `ValueError` saying what is allowed.

        >>> V_MIN.check(5)
        5.0
        """
        if isinstance(value, bool) or not isinstance(value, Real):
            raise ValueError(f"{self.name} = {value!r} is not a number: give a number with {self.limits}")
        number = float(value)
        above = number >= self.low if self.low_allowed else number > self.low
        if not (above and number <= self.high):
            raise ValueError(
                f"{self.name} = {value!r} is outside {self.limits}: choose a value in that range ({self.label})"
            )
        return number


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
            raise ValueError(f"{self.name} = {value!r} is not known: choose {allowed} ({self.label})")
        return value


DELTA = Number(
    name="delta",
    symbol="δ",
    label="initial width",
    help="Width of a newborn component, as a fraction of each column's standard deviation. "
    "Small: many narrow components. Large: few wide ones.",
    default=0.5,
    low=1e-6,
    high=1e6,
    log=True,
)
BETA = Number(
    name="beta",
    symbol="β",
    label="novelty level",
    help="A sample farther from every component than the chi-squared quantile at 1 - beta starts a new one. "
    "0: one component for ever. 1: every sample is a component.",
    default=0.01,
    high=1.0,
)
V_MIN = Number(
    name="v_min",
    symbol="v_min",
    label="age before pruning",
    help="A component older than this many samples must have gathered sp_min evidence, or it is removed.",
    default=100.0,
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
SOLVER = Choice(
    name="solver",
    label="cubic solver",
    help="cholesky: one triangular factorisation a sample. inverse: inverse and determinant, as the paper timed it.",
    choices=("cholesky", "inverse"),
)


@dataclass(frozen=True)
class Parameters:
    """A checked set of the hyper-parameters that both engines share.

    >>> Parameters(beta=0).beta
    0.0
    """

    delta: float = DELTA.default
    beta: float = BETA.default
    v_min: float = V_MIN.default
    sp_min: float = SP_MIN.default
    covariance: str = COVARIANCE.default

    def __post_init__(self) -> None:
        for field in fields(self):
            object.__setattr__(self, field.name, DECLARED[field.name].check(getattr(self, field.name)))


DECLARED: dict[str, Number | Choice] = {
    parameter.name: parameter for parameter in (DELTA, BETA, V_MIN, SP_MIN, COVARIANCE, SOLVER)
}
