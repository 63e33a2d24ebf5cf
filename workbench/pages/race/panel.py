"""What the parts of the Race page use of the side panel."""

from __future__ import annotations

from workbench.pages.panel_use import PanelUse
from workbench.run.race.settings import RaceSettings
from workbench.run.recipe.choices import PAPER

FIXED_NOTE = "This race uses the paper's values. Choose “all from the panel” above the panes to use yours."
SWEEP = (
    "This panel is not used. The sweep draws one Gaussian per component and uses the exact covariance rule with "
    "δ = 1 and β = 0; with several components β = 0.0001."
)
TABLES = (
    "This panel is not used. The tables use the paper's datasets and parameters: δ = 1, β = 0, exact covariance "
    "rule, seed 0."
)


def race_use(settings: RaceSettings, n_columns: int | None, seed: int) -> PanelUse:
    """What a race uses; `n_columns` is the number of encoded columns of the dataset.

    >>> use = race_use(RaceSettings(n_features=784), 7, seed=3)
    >>> use.n_columns, use.data, use.fixed["delta"]
    (784, ('synthetic Gaussian', '500 rows × 784 columns · seed 3'), 1.0)
    """
    fixed = PAPER if settings.values == "paper" else {}
    note = FIXED_NOTE if fixed else ""
    if settings.source == "data":
        return PanelUse(n_columns, fixed=fixed, note=note, is_watched=False)
    facts = f"{settings.n_rows:,} rows × {settings.n_features:,} columns · seed {seed}"
    return PanelUse(settings.n_features, ("synthetic Gaussian", facts), fixed, note, is_watched=False)


SWEEP_USE = PanelUse(data=("synthetic Gaussians", "drawn for every D"), note=SWEEP, is_used=False)
TABLES_USE = PanelUse(data=("the paper's eleven datasets", ""), note=TABLES, is_used=False)
