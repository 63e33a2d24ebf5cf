"""The grand tour: a plane that turns smoothly through the columns (Asimov 1985; interpolation as Buja et al. 2005).

A frame is two orthonormal directions in the space of the columns, each in units of its standard deviation. The tour
goes from one frame to the next, drawn at random, along the geodesic between their planes: by the principal angles
between both, without a spin inside of the plane.
"""

from __future__ import annotations

import numpy as np

from figmn.system.arrays import Floats
from workbench.run.rows.prepared import Prepared
from workbench.run.show.frame import Plane
from workbench.run.show.planes import Axes, projection

NEAR = 1e-6
"""Radians between two planes below which they are the same."""


class Tour:
    """A tour through the inputs that vary; through all columns that vary where there are no two such inputs."""

    def __init__(self, prepared: Prepared, seed: int = 0) -> None:
        self._prepared = prepared
        _, std = prepared.standard_units
        varying = np.flatnonzero((std > 0) & np.isfinite(std))
        inputs = np.intersect1d(varying, prepared.encoder.inputs)
        self.used = inputs if len(inputs) > 1 else varying
        self._random = np.random.default_rng(seed)
        self.frame = np.eye(max(len(self.used), 2))[:, :2]
        """(m, 2): of the used columns."""
        self._path = Geodesic(self.frame, self.frame)
        self._done = 0.0
        """Radians of the path so far."""

    def turn(self, radians: float) -> None:
        """Go on by an angle: that of the larger of the two principal rotations."""
        if len(self.used) <= 2:  # noqa: PLR2004 - there is only one plane
            return
        self._done += radians
        while self._done >= self._path.length:
            self._done -= self._path.length
            self._path = Geodesic(self._path.at(self._path.length), self._next())
        self.frame = self._path.at(self._done)

    @property
    def axes(self) -> Axes:
        """The present plane."""
        loadings = np.zeros((self._prepared.encoder.n_columns, 2))
        loadings[self.used] = self.frame[: len(self.used)]
        return projection(Plane("tour"), loadings, self._prepared)

    def _next(self) -> Floats:
        """A frame of a plane drawn evenly from all, other than the present one."""
        while True:
            found = np.linalg.qr(self._random.standard_normal(self.frame.shape))[0]
            if Geodesic(self.frame, found).length > NEAR:
                return found


class Geodesic:
    """The shortest way between two planes, from a given frame of the first.

    >>> eye = np.eye(3)
    >>> path = Geodesic(eye[:, [0, 1]], eye[:, [2, 1]])
    >>> path.length == np.pi / 2, np.abs(path.at(path.length)).round(6).T
    (True, array([[0., 0., 1.],
           [0., 1., 0.]]))
    """

    def __init__(self, start: Floats, end: Floats) -> None:
        rotation, cosines, other = np.linalg.svd(start.T @ end)
        self._rotation = rotation
        self._angles = np.arccos(np.clip(cosines, -1.0, 1.0))
        self.length = float(self._angles.max())
        """Radians: the larger principal angle."""
        self._start = start @ rotation
        target = end @ other.T
        # What of the end is not in the start, each direction of unit length; nothing where both have it in common.
        rest = target - self._start * cosines
        lengths = np.linalg.norm(rest, axis=0)
        self._away = np.divide(rest, lengths, out=np.zeros_like(rest), where=lengths > NEAR)
        self._angles = np.where(lengths > NEAR, self._angles, 0.0)

    def at(self, radians: float) -> Floats:
        """The frame at a place of the way, orthonormal."""
        angles = self._angles * (radians / self.length if self.length > 0 else 0.0)
        turned = self._start * np.cos(angles) + self._away * np.sin(angles)
        frame, triangle = np.linalg.qr(turned @ self._rotation.T)  # rounding would add up over thousands of paths
        signs = np.where(np.diag(triangle) < 0, -1.0, 1.0)  # QR may turn a direction round: back again
        return np.asarray(frame * signs)
