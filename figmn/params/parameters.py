"""The hyper-parameters of both engines, each declared once, as a field of `Parameters`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, fields, replace
from typing import Any, Literal, get_args

from figmn.params.declarations import DECLARATION, Choice, FloatOrNone, Number, choice, is_automatic, number


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
    memory: FloatOrNone = number(
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
    max_components: FloatOrNone = number(
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
LABEL_WIDTH = Number(
    name="label_width",
    symbol="w_L",
    label="label width",
    help="Width of a new component in the columns of predicted labels, relative to the width that δ gives it there.",
    default=1.0,
    low=1e-3,
    high=1e3,
    log=True,
    effect="A small one keeps components apart that differ in the label alone; a large one mixes labels.",
)
"""A parameter of classifiers over inputs and labels together, and of runs with nominal targets."""
