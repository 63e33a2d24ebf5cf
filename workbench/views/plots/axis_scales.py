"""Logarithmic axes of a mixture plot: which axes can be, and points and ellipses in logarithms.

An ellipse is none on a logarithmic axis: its outline is computed in the data's units and transformed point by point.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from figmn.system.arrays import Bools, Floats
from workbench.run.show.frame import Picture
from workbench.views.plots.ellipses_item import DrawnComponents
from workbench.views.plots.plot_units import Units
from workbench.words.numbers import short

Logs = tuple[bool, bool]
"""Whether the horizontal and the vertical axis are logarithmic."""
LINEAR: Logs = (False, False)
DECADES = 12.0
"""Decades below the largest centre at which an outline is cut off that reaches zero, far to the left or below."""
FINE = 4
"""How many times more points the outline of an ellipse has: where it nears zero, its sides are drawn far apart."""


def logs_of(picture: Picture, wanted: Logs) -> tuple[Logs, list[str]]:
    """Which of the wanted axes can be logarithmic, and why the others cannot.

    The reasons are for people: `no log y: least value 0`.
    """
    found, remarks = [False, False], []
    for axis, name in enumerate("xy"):
        if not wanted[axis]:
            continue
        problem = _problem(picture, axis)
        found[axis] = not problem
        remarks += [f"no log {name}: {problem}"] if problem else []
    return (found[0], found[1]), remarks


def _problem(picture: Picture, axis: int) -> str:
    if picture.kinds[axis] != "numeric":
        return "dates" if picture.kinds[axis] == "date" else "labels"
    values = picture.points[:, axis]
    known = values[np.isfinite(values)]
    if not len(known):
        return "no values"
    least = float(known.min())
    return "" if least > 0 else f"least value {short(least)}"


def logged(picture: Picture, logs: Logs) -> Picture:
    """A picture with the logarithms of its points; its components stay in the data's units."""
    if logs == LINEAR:
        return picture
    points = picture.points.copy()
    for axis in np.flatnonzero(logs).tolist():
        points[:, axis] = np.log10(points[:, axis])
    points.flags.writeable = False
    return replace(picture, points=points)


@dataclass(frozen=True, eq=False)
class LoggedComponents(DrawnComponents):
    """Components on axes of which one or both are logarithmic; `centres` and `outlines` are in logarithms there."""

    linear: DrawnComponents
    """In the data's units."""
    logs: Logs
    units: tuple[Units, Units] = (Units(), Units())
    """Of the view, for what `seen_in` gives."""

    @staticmethod
    def on(components: DrawnComponents, logs: Logs) -> DrawnComponents:
        """The components on these axes."""
        if logs == LINEAR or not len(components.ids):
            return components
        shared = {name: getattr(components, name) for name in ("ids", "covariances", "priors", "newborn", "at_risk")}
        centres = _in_logs(components.centres, logs, components.centres)
        return LoggedComponents(centres=centres, linear=components, logs=logs, **shared)

    def seen_in(self, units: tuple[Units, Units]) -> DrawnComponents:
        """The same in the coordinates of a view, which shows logarithms."""
        return replace(self, centres=_in_view(self.centres, units), units=units)

    @cached_property
    def definite(self) -> Bools:
        """Which covariances are positive definite."""
        return self.linear.definite

    def extents(self, radius: float) -> Floats:
        """Farthest distances of every outline from its centre, (K, 2)."""
        found: Floats = np.abs(self.outlines(radius, 33) - self.centres[:, None]).max(axis=1)
        return found

    def outlines(self, radius: float, n_points: int) -> Floats:
        """Closed outlines of the components, (K, n, 2), transformed point by point."""
        outlines = self.linear.outlines(radius, FINE * (n_points - 1) + 1)
        return _in_view(_in_logs(outlines, self.logs, self.linear.centres), self.units)

    def at(self, x: float, y: float, radius: float, reach: tuple[float, float]) -> int | None:
        """The index of the smallest ellipse around a point, or of a centre within reach."""
        near = np.flatnonzero((np.abs(np.array([x, y]) - self.centres) <= reach).all(axis=1))
        if len(near):
            return int(near[0])
        place = (unit.to_data(value) for unit, value in zip(self.units, (x, y), strict=True))
        data = [10.0 ** min(value, 308.0) if log else value for value, log in zip(place, self.logs, strict=True)]
        return self.linear.at(data[0], data[1], radius, (0.0, 0.0))


def _in_logs(places: Floats, logs: Logs, centres: Floats) -> Floats:
    """Places (..., 2) with logarithms on some axes; what is not positive is far to the left or below."""
    found = places.copy()
    for axis in np.flatnonzero(logs).tolist():
        top = max(float(centres[:, axis].max(initial=0.0)), 1e-300)
        found[..., axis] = np.log10(np.maximum(found[..., axis], max(top * 10.0**-DECADES, 1e-307)))
    return found


def _in_view(places: Floats, units: tuple[Units, Units]) -> Floats:
    across, up = (unit.to_view(places[..., axis]) for axis, unit in enumerate(units))
    return np.stack([across, up], axis=-1)
