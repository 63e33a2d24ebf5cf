"""What a user chooses for a race beside data and hyper-parameters, which are those of a run."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, get_args

from figmn.params import Solver
from workbench.run.recipe.choices import PAPER, Choices
from workbench.source.generators.settings import Setting
from workbench.words.sentences import UserError

RaceSource = Literal["data", "generator"]
RaceMode = Literal["clock", "sample"]
Values = Literal["paper", "form"]
SOURCE_NAMES: dict[RaceSource, str] = {"generator": "synthetic Gaussian", "data": "my data"}
MODE_NAMES: dict[RaceMode, str] = {"clock": "same clock", "sample": "same sample"}
TURN_NAMES = {True: "take turns", False: "at the same time"}

DIMENSIONS = Setting(
    name="n_features",
    label="D",
    help="Number of columns of the synthetic Gaussian.",
    default=784,
    low=2,
    high=3072,
    log=True,
    whole=True,
)
ROWS = Setting(
    name="n_rows",
    label="N",
    help="Number of samples to race on, for synthetic and endless data.",
    default=500,
    low=2,
    high=1_000_000,
    log=True,
    whole=True,
)


@dataclass(frozen=True)
class RaceSettings:
    """A checked set of choices.

    >>> RaceSettings(n_features=1)
    Traceback (most recent call last):
    ...
    workbench.source.errors.SourceError: Race: n_features = 1 is outside the range from 2 to 3,072. \
Choose a whole number in it.
    """

    source: RaceSource = "generator"
    """`data`: the dataset of the Data page. `generator`: one Gaussian of `n_features` dimensions."""
    n_features: int = int(DIMENSIONS.default)
    n_rows: int = int(ROWS.default)
    solver: Solver = "cholesky"
    """How the cubic engine finds distances and determinants."""
    mode: RaceMode = "clock"
    """`clock`: both have the same time, and the slower falls behind. `sample`: the faster waits after every chunk."""
    values: Values = "paper"
    """`paper`: δ = 1 and β = 0, which makes one component, and nothing beyond the paper. `form`: the side panel's."""
    takes_turns: bool = True
    """Whether one engine rests while the other, or the window, works; otherwise all at the same time."""

    def choices(self, form: Choices) -> Choices:
        """Hyper-parameters of the race, given those of the side panel.

        >>> RaceSettings().choices(Choices()).parameters.beta, RaceSettings(values="form").choices(Choices()).seed
        (0.0, 0)
        """
        return form if self.values == "form" else replace(form, parameters=replace(form.parameters, **PAPER))

    def __post_init__(self) -> None:
        for name, value, allowed in (
            ("source", self.source, get_args(RaceSource)),
            ("solver", self.solver, get_args(Solver)),
            ("mode", self.mode, get_args(RaceMode)),
            ("values", self.values, get_args(Values)),
        ):
            if value not in allowed:
                raise UserError(
                    "Race: {name} = {value} is not known: choose {allowed}.",
                    name=name,
                    value=repr(value),
                    allowed=" or ".join(map(repr, allowed)),
                )
        object.__setattr__(self, "n_features", int(DIMENSIONS.check(self.n_features, "Race")))
        object.__setattr__(self, "n_rows", int(ROWS.check(self.n_rows, "Race")))
