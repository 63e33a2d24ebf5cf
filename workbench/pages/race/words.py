"""Texts of a race: where the engines diverge, what distorts its times, its progress."""

from __future__ import annotations

import math

from workbench.run.race.frame import Divergence, Figures, RaceFrame
from workbench.words.numbers import fixed, rough, whole

FULL_CALL, WIDE = 64, 160
"""Samples per call at which the fast engine reaches its speed, and dimensions above which it needs that many."""
MOST_PLACES = 12


def divergence_text(found: Divergence, names: tuple[str, str]) -> str:
    """The first sample on which two engines decided differently, with enough decimals to tell d² from τ."""
    margins = [abs(margin) for margin in found.margins if margin and math.isfinite(margin)]
    places = min(MOST_PLACES, max(2, *(math.ceil(-math.log10(margin) - 1e-6) for margin in margins))) if margins else 2
    one, other, threshold = (fixed(value, places) for value in (*found.distances, found.threshold))
    away = ", ".join(("+" if margin > 0 else "") + rough(margin) for margin in found.margins)
    first, second = found.decisions
    decisions = f"{names[0]} {first}, {names[1]} {second}"
    return f"sample {whole(found.sample + 1)}: {decisions} · d² {one} and {other}, τ {threshold} ({away})"


def call_note(frame: RaceFrame) -> str:
    """What distorts the times: few samples per call, a single call, extra steps; empty where nothing does."""
    chunk, chunks = frame.reference.figures.chunk, {lane.figures.chunk for lane in frame.lanes}
    if 1 < frame.farthest == chunk and chunks == {chunk}:
        return "one call each: median = p99 = its mean"
    if chunk == 1:
        return "calls of 1 sample: mostly call overhead"
    if 1 < chunk < FULL_CALL and len(frame.columns) > WIDE:
        return f"calls of {chunk} samples: the call counts too"
    if any(lane.census.parameters.covariance == "published" for lane in frame.lanes):
        return "published rule: IGMN takes extra steps"
    return ""


def progress_text(figures: Figures, n_total: int | None) -> str:
    """Progress of an engine."""
    return whole(figures.n_done) + ("" if n_total is None else f" / {whole(n_total)}")
