"""Colours and shapes of points and bars: of classes, of components, and of numbers on a scale."""

from __future__ import annotations

from functools import lru_cache

import pyqtgraph as pg

from workbench.run.show.frame import SCALE_STEPS, Scheme
from workbench.views.look.theme import Theme

LIGHT_END, DARK_END = 0.93, 0.18
"""Parts of viridis with enough contrast: up to here on a light background, from here on a dark one."""


def code_colour(theme: Theme, scheme: Scheme, code: int) -> str:
    """The colour of a code; grey where there is none."""
    if scheme == "scale" and code >= 0:
        return scale_colours(theme)[min(code, SCALE_STEPS - 1)]
    if scheme == "components" and code >= 0:
        return theme.component_colour(code)
    return theme.class_colour(code)


def code_shape(theme: Theme, scheme: Scheme, code: int) -> str:
    """The symbol of a code; on a scale all have the same."""
    return theme.class_shape(-1 if scheme == "scale" else code)


@lru_cache(maxsize=4)
def scale_colours(theme: Theme) -> tuple[str, ...]:
    """Viridis, as far as it can be seen on the background of a theme."""
    low, high = (DARK_END, 1.0) if theme.name == "dark" else (0.0, LIGHT_END)
    table = pg.colormap.get("viridis").getLookupTable(start=low, stop=high, nPts=SCALE_STEPS)
    return tuple(f"#{red:02x}{green:02x}{blue:02x}" for red, green, blue in table[:, :3].tolist())
