"""Every hyper-parameter, declared once, as a field of `Parameters`.

The signatures of engines and estimators, `change`, validation, recipes, command-line flags and the parameter form with
its tooltips are derived from these declarations. `parameters` has the hyper-parameters, `declarations` what a
declaration can say: limits, words, defaults.
"""

from figmn.params.declarations import AUTOMATIC, Choice, Number, allows_none, is_automatic, plain
from figmn.params.parameters import (
    BETA,
    CHANGEABLE,
    CHOICES,
    COVARIANCE,
    DECLARED,
    DELTA,
    LABEL_WIDTH,
    NEUTRAL,
    NUMBERS,
    SOLVER,
    SP_MIN,
    V_MIN,
    Parameters,
    Solver,
)

__all__ = [
    "AUTOMATIC",
    "BETA",
    "CHANGEABLE",
    "CHOICES",
    "COVARIANCE",
    "DECLARED",
    "DELTA",
    "LABEL_WIDTH",
    "NEUTRAL",
    "NUMBERS",
    "SOLVER",
    "SP_MIN",
    "V_MIN",
    "Choice",
    "Number",
    "Parameters",
    "Solver",
    "allows_none",
    "is_automatic",
    "plain",
]
