"""Remarks on a race: where the engines diverge, what its times depend on, how far it is."""

from __future__ import annotations

import math

from workbench.run.race.frame import Divergence, Figures, RaceFrame
from workbench.words.numbers import fixed, rough, whole

FULL_CALL, WIDE = 64, 160
"""Samples per call at which the fast engine reaches its speed, and dimensions above which it needs that many."""
MOST_PLACES = 12


def divergence_text(found: Divergence) -> str:
    """The first sample on which the engines decided differently, with enough decimals to tell d² from τ."""
    margins = [abs(margin) for margin in found.margins if margin and math.isfinite(margin)]
    places = min(MOST_PLACES, max(2, *(math.ceil(-math.log10(margin) - 1e-6) for margin in margins))) if margins else 2
    fast, cubic, threshold = (fixed(value, places) for value in (*found.distances, found.threshold))
    away = ", ".join(("+" if margin > 0 else "") + rough(margin) for margin in found.margins)
    first, second = found.decisions
    decisions = f"Fast IGMN {first}, IGMN {second}"
    return f"sample {whole(found.sample + 1)}: {decisions} · d² {fast} and {cubic}, τ {threshold} ({away})"


def call_note(frame: RaceFrame) -> str:
    """What distorts the times: few samples per call, a single call, extra steps; empty where nothing does."""
    chunk = frame.fast.figures.chunk
    if 1 < max(frame.fast.figures.n_done, frame.cubic.figures.n_done) == chunk == frame.cubic.figures.chunk:
        return "one call each: median = p99 = its mean"
    if chunk == 1:
        return "calls of 1 sample: mostly call overhead"
    if 1 < chunk < FULL_CALL and len(frame.columns) > WIDE:
        return f"calls of {chunk} samples: the call counts too"
    if frame.cubic.census.parameters.covariance == "published":
        return "published rule: IGMN takes extra steps"
    return ""


def progress_text(figures: Figures, n_total: int | None) -> str:
    """How far an engine is."""
    return whole(figures.n_done) + ("" if n_total is None else f" / {whole(n_total)}")
