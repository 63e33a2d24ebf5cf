"""What the form says about the parameters: symbols, formulas, effects."""

from __future__ import annotations

from scipy.special import chdtri

from figmn.params import Number
from workbench.run.recipe.choices import SCALE_NAMES
from workbench.source.generators.settings import Setting
from workbench.views.fields.number_scale import text_of

SYMBOLS = {"delta": "δ", "beta": "β", "v_min": "v<sub>min</sub>", "sp_min": "sp<sub>min</sub>", "seed": "seed"}
FORMULAS = {
    "delta": "σ<sub>ini</sub> = δ · standard deviation of each column",
    "beta": "new when every d² ≥ τ = χ²(D, 1 − β)",
    "v_min": "removed when v &gt; v<sub>min</sub> and sp &lt; sp<sub>min</sub>",
    "sp_min": "removed when v &gt; v<sub>min</sub> and sp &lt; sp<sub>min</sub>",
    "seed": "",
}
EFFECTS = {
    "delta": "By default δ is automatic: min(2, D / 12) for D encoded columns. Restart the run to apply a change.",
    "beta": "Smaller: fewer components. Changes apply from the next sample, even during a run.",
    "v_min": "Smaller: components are removed sooner. Changes apply from the next sample, even during a run.",
    "sp_min": "Larger: more components are removed. Changes apply from the next sample, even during a run.",
    "seed": "Restart the run to apply a change.",
}
SCALES = {
    "dataset": (SCALE_NAMES["dataset"], "Standard deviations over the whole dataset, known before the first sample."),
    "running": (SCALE_NAMES["running"], "Standard deviations of the samples so far, as an endless stream needs them."),
}
RESTART_NOTE = "<p>Restart the run to apply a change.</p>"
TINY = 1e-4
"""Below it, 1 − β is written as such: its figures would all be nines."""


def tooltip(declared: Number | Setting, default: float) -> str:
    """Everything about a parameter, for those who wonder."""
    title = f"<b>{SYMBOLS[declared.name]}</b> {declared.label}".replace("<b>seed</b> seed", "<b>Seed</b>")
    limits = declared.limits.replace("<", "&lt;")
    parts = (title, declared.help, FORMULAS[declared.name], EFFECTS[declared.name])
    words = "".join(f"<p>{part}</p>" for part in parts if part)
    return f"{words}<p>Default {text_of(default)}, allowed {limits}.</p>"


def threshold_hint(beta: float, n_columns: int) -> str:
    """What β means, in words.

    >>> threshold_hint(0.01, 4)
    'A sample is new when every d² ≥ χ²(4, 0.99) = 13.28'
    """
    if beta == 0:
        return "β = 0: τ is infinite, so no sample is new: a single component"
    if beta == 1:
        return "β = 1: τ is 0, so every sample is new: one component each"
    level = f"1\N{NO-BREAK SPACE}−\N{NO-BREAK SPACE}{text_of(beta)}" if beta < TINY else f"{1 - beta:.6g}"
    return f"A sample is new when every d² ≥ χ²({n_columns:,}, {level}) = {chdtri(n_columns, beta):,.2f}"
