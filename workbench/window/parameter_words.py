"""Texts of the parameter form, derived from the declarations: symbols, tooltips, hints."""

from __future__ import annotations

import html
import math
import re

from scipy.special import chdtri

from figmn.params import CHANGEABLE, DECLARED, Choice, Number
from workbench.run.recipe.choices import DRIFT_NAMES, SCALE_NAMES
from workbench.source.generators.settings import Setting
from workbench.views.fields.number_scale import text_of

APPLIES = {
    True: "Changes apply from the next sample, even during a run.",
    False: "Restart the run to apply a change.",
}
"""When a change takes effect, by whether a parameter may change during a run."""
LIVE_NOTE = f"Changes to {', '.join(DECLARED[name].symbol for name in CHANGEABLE)} apply from the next sample"
SCALES = {
    "dataset": (SCALE_NAMES["dataset"], "Standard deviations over the whole dataset, known before the first sample."),
    "running": (SCALE_NAMES["running"], "Standard deviations of the samples so far, as an endless stream needs them."),
}
SCALE_LABEL = "δ relative to"
DRIFTS = {
    False: (DRIFT_NAMES[False], "The stream is not watched."),
    True: (
        DRIFT_NAMES[True],
        "Marks on the timelines where samples suddenly become less likely or more likely, found without labels by "
        "river's ADWIN on −log p(x), and names in the messages how each component has changed. "
        "Needs the extra river: pip install 'figmn-workbench[river]'.",
    ),
}
DRIFT_LABEL = "drift detection"
INDEX = re.compile(r"(\w+?)_(\w+)")
TINY = 1e-4
"""For smaller β, 1 − β is written as a formula: its digits would all be nines."""


def rich(formula: str) -> str:
    """A formula as rich text, with subscripts.

    >>> rich("v > v_min")
    'v &gt; v<sub>min</sub>'
    """
    return INDEX.sub(r"\1<sub>\2</sub>", html.escape(formula, quote=False))


def symbol_of(declared: Number | Choice | Setting) -> str:
    """The symbol before a field, as rich text."""
    return declared.name if isinstance(declared, Setting) else rich(declared.symbol)


def tooltip(declared: Number | Choice | Setting, default: float | None = None) -> str:
    """Tooltip of a parameter; `default` is the automatic value if it depends on the data."""
    if isinstance(declared, Choice):
        return _paragraphs(f"<b>{declared.label.capitalize()}</b>", declared.help, APPLIES[declared.changeable])
    default = declared.default if default is None else default
    if isinstance(declared, Setting):
        limits = f"Default {text_of(default)}, allowed {declared.limits}."
        return _paragraphs(f"<b>{declared.label.capitalize()}</b>", declared.help, APPLIES[False], limits)
    limits = f"Default {declared.infinite if default == math.inf else text_of(default)}, allowed {declared.allowed}."
    title = f"<b>{symbol_of(declared)}</b> {declared.label}"
    effect = f"{declared.effect} {APPLIES[declared.changeable]}".strip()
    return _paragraphs(title, declared.help, rich(declared.formula), effect, limits)


def scale_tooltip() -> str:
    """Tooltip of the choice of what δ is a fraction of."""
    sources = (f"{name}: {words}" for name, words in SCALES.values())
    return _paragraphs(f"<b>{SCALE_LABEL}</b>", "What δ is a fraction of.", *sources, APPLIES[False])


def drift_tooltip() -> str:
    """Tooltip of the choice whether the stream is watched for drifts."""
    words = (f"{name}: {text}" for name, text in DRIFTS.values())
    return _paragraphs(f"<b>{DRIFT_LABEL.capitalize()}</b>", *words, "The model is the same.", APPLIES[False])


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


def columns_hint(n_columns: int, n_targets: int) -> str:
    """Which columns δ and d² are about, where some are of targets; empty where none is.

    >>> columns_hint(16, 3), columns_hint(16, 0)
    ('δ and d²: 13 input and 3 target columns', '')
    """
    if not n_targets:
        return ""
    return f"δ and d²: {n_columns - n_targets:,} input and {n_targets:,} target columns"


def _paragraphs(*texts: str) -> str:
    return "".join(f"<p>{text}</p>" for text in texts if text)
