"""Colours of the contenders of a race, in all plots."""

from __future__ import annotations

INKS = ("accent", "cubic", "muted", "text")
"""Colours of the theme, by the position of the contender: Fast IGMN blue, the cubic IGMN vermilion, others grey."""


def ink_of(contender: int) -> str:
    """Colour of a contender, by its position."""
    return INKS[min(contender, len(INKS) - 1)]
