"""The progress of a sweep as text, and the colours and symbols of its engines."""

from __future__ import annotations

from workbench.evaluate.sweep.settings import EngineRole
from workbench.evaluate.sweep.sweep import SweepResult
from workbench.views.look.theme import Theme
from workbench.words.durations import about
from workbench.words.numbers import whole

SYMBOLS: dict[EngineRole, str] = {"fast": "o", "mature": "d", "cubic": "s", "literal": "t1"}
"""As pyqtgraph names them."""
SKY_BLUE = 5
"""Index among the class colours: similar to the accent, and distinguishable from it."""


def colour_of(role: EngineRole, theme: Theme) -> str:
    """The colour of an engine."""
    return {
        "fast": theme.accent,
        "mature": theme.classes[SKY_BLUE],
        "cubic": theme.cubic,
        "literal": theme.muted,
    }[role]


def progress_words(result: SweepResult | None, is_running: bool) -> str:
    """What is being timed, or how the sweep ended; empty where there is no result."""
    if result is None:
        return ""
    total = whole(result.n_total)
    if result.is_whole:
        return f"All {total} timings done"
    if is_running:
        return f"{whole(result.n_done + 1)} of {total}: {result.now} · {about(result.seconds_left)} left"
    return f"Stopped after {whole(result.n_done)} of {total} timings; what was measured is kept"
