"""Every hyper-parameter, declared once, as a field of `Parameters`.

The signatures of engines and estimators, `change`, validation, recipes, command-line flags and the parameter form with
its tooltips are derived from these declarations.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field, fields, replace
from numbers import Real
from typing import Any, Literal, get_args

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

    @property
    def allowed(self) -> str:
        """The allowed range in words, and the word for infinity.

        >>> BETA.allowed, V_MIN.allowed
        ('from 0 to 1', 'from 0 upwards, or "never"')
        """
        return f'{self.limits}, or "{self.infinite}"' if self.infinite else self.limits

    def stands_for_infinity(self, text: str) -> bool:
        """Whether a text is the word for infinity, or "none" where None stands for it.

        >>> V_MIN.stands_for_infinity(" Never"), V_MIN.stands_for_infinity("none")
        (True, False)
        """
        words = [self.infinite] if self.infinite else []
        return text.strip().lower() in [*words, *(["none"] if self.none == math.inf else [])]

    def text(self, value: float | None, n_columns: int | None = None) -> str:
        """A value for people to read; an automatic one with its number where the number of columns is known.

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

        >>> COVARIANCE.symbol
        'covariance'
        """
        return self.name

    @property
    def default(self) -> str:
        """The first of the choices.

        >>> COVARIANCE.default
        'exact'
        """
        return self.choices[0]

    @property
    def limits(self) -> str:
        """The allowed values in words.

        >>> COVARIANCE.limits
        'exact or published'
        """
        return " or ".join(self.choices)

    def text(self, value: str, n_columns: int | None = None) -> str:  # noqa: ARG002 - as in `Number`
        """A value for people to read.

        >>> COVARIANCE.text("exact")
        'exact'
        """
        return value

    def parse(self, text: str) -> str:
        """The value that a text stands for, or raise `ValueError`.

        >>> COVARIANCE.parse(" exact ")
        'exact'
        """
        return self.check(text.strip())

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


def _shown(value: object) -> str:
    """A value in an error, shortened."""
    try:
        text = repr(value)
    except ValueError:  # Python writes no whole number of more than 4,300 digits
        return "a number of very many digits"
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def automatic_delta(n_columns: int) -> float:
    """min(2, D / 12): the more columns, the wider a newborn component.

    Two samples of one Gaussian lie about 2D/δ² apart in d², and τ grows like D alone: a δ that suits two columns makes
    nearly every row of a hundred a component, and one that suits a hundred finds a single cluster in two.

    >>> [round(automatic_delta(n_columns), 2) for n_columns in (2, 6, 100)]
    [0.17, 0.5, 2.0]
    """
    return round(min(2.0, n_columns / 12), 2)


def automatic_prior_count(n_columns: int) -> float:
    """max(1, D / 2): the more columns, the longer a component keeps the width that it was born with.

    The covariance of D columns needs some D samples. With the paper's 1, a component of many columns collapses upon its
    first samples, and most others are far from it: a single Gaussian of 60 columns became 100 components.

    >>> [automatic_prior_count(n_columns) for n_columns in (1, 2, 5, 60)]
    [1.0, 1.0, 2.5, 30.0]
    """
    return max(1.0, n_columns / 2)


@dataclass(frozen=True)
class Parameters:
    """A checked set of the hyper-parameters that both engines share.

    This class is their declaration. Adding a hyper-parameter takes one field here and its mathematics; everything else
    is derived. Either its default leaves results as they were, or `neutral` says which value does.

    >>> Parameters(beta=0).beta
    0.0
    """

    delta: float | None = number(
        "δ",
        "initial width",
        "Width of a newborn component, as a fraction of each column's standard deviation. "
        "Small: many narrow components. Large: few wide ones.",
        default=automatic_delta(2),
        automatic=automatic_delta,
        low=1e-6,
        high=1e6,
        log=True,
        formula="σ_ini = δ · standard deviation of each column",
        effect="By default δ is automatic: min(2, D / 12) for D encoded columns; fit of the estimators finds it from "
        "the rows.",
        slider=(0.001, 10),
    )
    beta: float = number(
        "β",
        "novelty level",
        "A sample farther from every component than the chi-squared quantile at 1 - beta starts a new one. "
        "0: a single component. 1: every sample is a component.",
        default=1e-4,
        high=1.0,
        log=True,
        formula="new when every d² ≥ τ = χ²(D, 1 − β)",
        effect="Smaller: fewer components.",
        slider=(1e-12, 1),
        changeable=True,
    )
    v_min: float = number(
        "v_min",
        "age before pruning",
        "A component older than this many samples must have gathered sp_min evidence, or it is removed.",
        default=100.0,
        log=True,
        infinite="never",
        formula="removed when v > v_min and sp < sp_min",
        effect="Smaller: components are removed sooner.",
        slider=(1, 10_000),
        changeable=True,
    )
    sp_min: float = number(
        "sp_min",
        "evidence to stay",
        "Least accumulated posterior of a component older than v_min. 0: nothing is ever removed.",
        default=3.0,
        log=True,
        formula="removed when v > v_min and sp < sp_min",
        effect="Larger: more components are removed.",
        slider=(0.1, 10_000),
        changeable=True,
    )
    covariance: str = choice(
        "covariance rule",
        "exact: the weighted sample covariance. published: the equation as printed in the paper, "
        "which can lose positive definiteness.",
        "exact",
        "published",
    )
    _: KW_ONLY  # new hyper-parameters come below: calls by position keep their meaning
    prior_count: float | None = number(
        "n_0",
        "prior count",
        "How many samples the width of a newborn component counts for in its covariance. "
        "Small: it soon follows the data. Large: it stays wide, and fewer samples are new.",
        default=automatic_prior_count(2),
        automatic=automatic_prior_count,
        low=0.01,
        high=1e6,
        log=True,
        formula="C = (n_0 · C_0 + S) / (sp − 1 + n_0)",
        effect="By default it is automatic: D / 2 for D encoded columns, at least 1. The paper has 1.",
        slider=(0.1, 1000),
        neutral=1.0,
    )
    memory: float = number(
        "memory",
        "memory in samples",
        "Samples after which evidence has lost its weight: sp is multiplied by 1 − 1 / memory before each sample. "
        "Small: the mixture follows changes. For ever: it never forgets.",
        default=math.inf,
        low=10.0,
        log=True,
        infinite="for ever",
        none=math.inf,
        neutral=math.inf,
        formula="sp ← (1 − 1 / memory) · sp + p",
        effect="Smaller: the past counts for less.",
        slider=(10, 100_000),
        changeable=True,
    )
    max_components: float = number(
        "K_max",
        "most components",
        "Where a newborn component is one too many, the two components that lose least by it are merged.",
        default=math.inf,
        low=1.0,
        log=True,
        infinite="no limit",
        none=math.inf,
        neutral=math.inf,
        whole=True,
        formula="K ≤ K_max",
        effect="Smaller: coarser, and faster.",
        slider=(1, 1000),
        changeable=True,
    )
    merge_below: float = number(
        "c_max",
        "merge below",
        "Two components are merged when that costs less than this many nats of log-likelihood for each parameter that "
        "it saves, for their means as well as for their covariances. 0: never.",
        default=0.3,
        high=1e6,
        neutral=0.0,
        formula="merged when gap < c_max · (D + 1) and spread < c_max · D (D + 1) / 2",
        effect="Larger: fewer components.",
        log=True,
        slider=(0.001, 10),
        changeable=True,
    )

    def __post_init__(self) -> None:
        for name, declared in DECLARED.items():
            value = getattr(self, name)
            if value is not None or not is_automatic(declared):
                object.__setattr__(self, name, declared.check(value))

    def __setstate__(self, state: dict[str, Any]) -> None:
        # Pickles of before lack what was declared later.
        self.__dict__.update(NEUTRAL | state)

    def for_columns(self, n_columns: int) -> Parameters:
        """A copy with numbers in place of automatic values, which depend on the number of columns.

        >>> Parameters().for_columns(6).delta
        0.5
        """
        unset = [name for name in DECLARED if getattr(self, name) is None]
        values: dict[str, Any] = {name: NUMBERS[name].default_for(n_columns) for name in unset}
        return replace(self, **values)

    def phrase(self, name: str, n_columns: int | None = None) -> str:
        """A hyper-parameter with its symbol and value, as `Number.text` writes it.

        >>> Parameters().phrase("v_min"), Parameters().phrase("delta", n_columns=13)
        ('v_min 100', 'δ automatic (1.08)')
        """
        return f"{DECLARED[name].symbol} {DECLARED[name].text(getattr(self, name), n_columns)}"

    def changeable(self) -> dict[str, Any]:
        """The values of the hyper-parameters that may change during a run.

        >>> list(Parameters().changeable())
        ['beta', 'v_min', 'sp_min', 'memory', 'max_components', 'merge_below']
        """
        return {name: getattr(self, name) for name in CHANGEABLE}


def is_automatic(declared: Number | Choice) -> bool:
    """Whether None stands for a value that depends on the number of columns.

    >>> is_automatic(DELTA), is_automatic(BETA)
    (True, False)
    """
    return isinstance(declared, Number) and declared.automatic is not None


def allows_none(declared: Number | Choice) -> bool:
    """Whether None is allowed: for an automatic value, or in place of infinity.

    >>> allows_none(DELTA), allows_none(NUMBERS["memory"]), allows_none(BETA)
    (True, True, False)
    """
    return is_automatic(declared) or (isinstance(declared, Number) and declared.none is not None)


DECLARED: Mapping[str, Number | Choice] = {
    field.name: replace(field.metadata[DECLARATION], name=field.name) for field in fields(Parameters)
}
"""The declarations by name, in the order of `Parameters`."""
NUMBERS = {name: declared for name, declared in DECLARED.items() if isinstance(declared, Number)}
CHOICES = {name: declared for name, declared in DECLARED.items() if isinstance(declared, Choice)}
NEUTRAL: dict[str, Any] = {name: declared.neutral for name, declared in NUMBERS.items() if declared.neutral is not None}
"""The hyper-parameters that the paper does not have, with the values that leave its algorithm as it is. A file that was
written before one of them was declared means this value, whatever the default is now."""
CHANGEABLE = tuple(name for name, declared in DECLARED.items() if declared.changeable)
"""Names of the hyper-parameters that may change during a run."""
DELTA, BETA, V_MIN, SP_MIN = NUMBERS["delta"], NUMBERS["beta"], NUMBERS["v_min"], NUMBERS["sp_min"]
COVARIANCE = CHOICES["covariance"]
Solver = Literal["cholesky", "inverse"]
SOLVER = Choice(
    name="solver",
    label="cubic solver",
    help="cholesky: one triangular factorisation a sample. inverse: inverse and determinant, as the paper timed it.",
    choices=get_args(Solver),
)
"""A parameter of `IGMN` only."""
