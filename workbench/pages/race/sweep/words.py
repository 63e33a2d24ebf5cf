"""What is said about a sweep: how long it takes, how far it has come, how its engines are drawn."""

from __future__ import annotations

from workbench.evaluate.sweep.settings import Role
from workbench.evaluate.sweep.sweep import SweepResult
from workbench.views.look.theme import Theme
from workbench.words.numbers import whole

MINUTE, HOUR = 60, 3600
SHAPES: dict[Role, str] = {"fast": "o", "mature": "d", "cubic": "s", "literal": "t1"}
"""Symbols in pyqtgraph's words."""
SKY_BLUE = 5
"""Place among the colours of the classes: like the accent, and told from it."""


def colour_of(role: Role, theme: Theme) -> str:
    """The colour of an engine."""
    return {
        "fast": theme.accent,
        "mature": theme.classes[SKY_BLUE],
        "cubic": theme.cubic,
        "literal": theme.muted,
    }[role]


def about(seconds: float) -> str:
    """A time that is not known well.

    >>> about(0.2), about(7.4), about(41), about(59), about(100), about(9000)
    ('about 1 s', 'about 7 s', 'about 40 s', 'about 1 min', 'about 2 min', 'about 2.5 h')
    """
    if seconds < MINUTE - 2.5:
        step = 1 if seconds < 10 else 5  # noqa: PLR2004
        return f"about {max(1, step * round(seconds / step))} s"
    if seconds < HOUR:
        return f"about {max(1, round(seconds / MINUTE))} min"
    return f"about {seconds / HOUR:.1f} h"


def progress_words(result: SweepResult | None, is_running: bool) -> str:
    """What is being timed, or how it ended; empty where there is no result."""
    if result is None:
        return ""
    total = whole(result.n_total)
    if result.is_whole:
        return f"All {total} timings done"
    if is_running:
        return f"{whole(result.n_done + 1)} of {total}: {result.now} · {about(result.seconds_left)} left"
    return f"Stopped after {whole(result.n_done)} of {total} timings; what was measured is kept"
