"""Numbers to be predicted from numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.source.generators.base import Drawn, Generator
from workbench.source.generators.settings import choice, setting
from workbench.source.table.table import Role


@dataclass(frozen=True, kw_only=True)
class SineRegression(Generator):
    """A noisy sine: y = sin(frequency x) + noise.

    >>> SineRegression().table(5).roles
    ('input', 'target')
    """

    title = "Sine regression"
    description = "A noisy sine wave: predict y from x."

    frequency: float = setting(
        1.0, low=0.1, high=10, log=True, label="frequency", help="Radians per unit of x: y = sin(frequency x)."
    )
    width: float = setting(10.0, low=1, high=100, log=True, label="width", help="x runs from 0 to here.")
    noise: float = setting(0.1, low=0, high=1, label="noise", help="Standard deviation of y; the wave's height is 1.")

    def _numbers(self) -> tuple[tuple[str, Role], ...]:
        return (("x", "input"), ("y", "target"))

    def _draw(self, random: np.random.Generator, rows: NDArray[np.int64]) -> Drawn:
        x = random.uniform(0, self.width, len(rows))
        y = np.sin(self.frequency * x) + self.noise * random.standard_normal(len(rows))
        return Drawn(np.column_stack([x, y]))


@dataclass(frozen=True, kw_only=True)
class RobotArm(Generator):
    """A shoulder at the origin, an upper arm, an elbow, a forearm and a hand, all in one plane.

    Most hands can be reached with the elbow on either side, so that the inverse task has two answers.

    >>> RobotArm(task="inverse").table(5).targets
    (Column('angle 1', numeric, 5 rows), Column('angle 2', numeric, 5 rows))
    """

    title = "Planar robot arm"
    description = "Two links in a plane: predict the hand from the angles, or the angles from the hand."

    task: str = choice(
        "forward",
        "inverse",
        label="task",
        help="forward: from the angles to the hand. inverse: from the hand to the angles, mostly with two answers.",
    )
    upper_arm: float = setting(1.0, low=0.1, high=10, log=True, label="upper arm", help="From shoulder to elbow.")
    forearm: float = setting(0.8, low=0.1, high=10, log=True, label="forearm", help="From elbow to hand.")
    noise: float = setting(0.0, low=0, high=1, label="noise", help="Standard deviation of the hand's measured place.")

    def _numbers(self) -> tuple[tuple[str, Role], ...]:
        angles, hand = ("angle 1", "angle 2"), ("hand x", "hand y")
        given, wanted = (angles, hand) if self.task == "forward" else (hand, angles)
        return (*((name, "input") for name in given), *((name, "target") for name in wanted))

    def _draw(self, random: np.random.Generator, rows: NDArray[np.int64]) -> Drawn:
        # The shoulder turns by half a circle: with a whole one its angle would jump where the circle closes.
        angles = random.uniform([0, -np.pi], np.pi, (len(rows), 2))
        hand = self.hand(angles) + self.noise * random.standard_normal((len(rows), 2))
        return Drawn(np.hstack([angles, hand] if self.task == "forward" else [hand, angles]))

    def hand(self, angles: NDArray[np.float64]) -> NDArray[np.float64]:
        """Where the hand is: the forearm's angle is measured from the upper arm's.

        >>> RobotArm().hand(np.array([[0.0, 0.0], [0.0, np.pi]])).round(12).tolist()
        [[1.8, 0.0], [0.2, 0.0]]
        """
        shoulder, elbow = angles[:, 0], angles.sum(axis=1)
        x = self.upper_arm * np.cos(shoulder) + self.forearm * np.cos(elbow)
        y = self.upper_arm * np.sin(shoulder) + self.forearm * np.sin(elbow)
        return np.column_stack([x, y])
