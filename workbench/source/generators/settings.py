"""What a user can set on a generator, declared once: default, limits, label and help.

Validation and the forms with their sliders are derived from these declarations.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from workbench.source.errors import SourceError, shortened

KEY = "setting"
"""Where a dataclass field keeps its declaration."""


@dataclass(frozen=True)
class Setting:
    """A number with limits, both of them allowed.

    >>> noise = Setting("noise", "noise", "Standard deviation.", default=0.1, low=0, high=1)
    >>> noise.check(1, "Rings")
    1.0
    >>> noise.check(3, "Rings")
    Traceback (most recent call last):
    ...
    workbench.source.errors.SourceError: Rings: noise = 3 is outside the range from 0 to 1. Choose a number in it.
    """

    name: str
    label: str
    help: str
    default: float
    low: float
    high: float
    log: bool = False
    """Whether equal steps on a slider are equal ratios."""
    whole: bool = False

    @property
    def limits(self) -> str:
        """The allowed range in words."""
        return f"from {_plain(self.low)} to {_plain(self.high)}"

    def check(self, value: object, place: str) -> float:
        """Return `value` as a plain int or float, or raise `SourceError` saying what is allowed."""
        kind = "whole number" if self.whole else "number"
        if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
            raise self._refusal(value, f"is not a {kind}", place, f"Give a {kind} {self.limits}")
        if not self.low <= value <= self.high:
            raise self._refusal(value, f"is outside the range {self.limits}", place, f"Choose a {kind} in it")
        if self.whole and value != int(value):
            raise self._refusal(value, "is not a whole number", place, f"Give a whole number {self.limits}")
        return int(value) if self.whole else float(value)

    def _refusal(self, value: object, problem: str, place: str, remedy: str) -> SourceError:
        return SourceError(f"{place}: {self.name} = {shortened(repr(value))} {problem}", remedy=remedy)


@dataclass(frozen=True)
class Choice:
    """One of a few named values; the first is the default.

    >>> Choice("task", "task", "What to learn.", ("forward", "inverse")).check("forward", "Arm")
    'forward'
    """

    name: str
    label: str
    help: str
    choices: tuple[str, ...]

    @property
    def default(self) -> str:
        """The first of the choices."""
        return self.choices[0]

    def check(self, value: object, place: str) -> str:
        """Return `value`, or raise `SourceError` naming the choices."""
        if isinstance(value, str) and value in self.choices:
            return value
        allowed = ", ".join(repr(choice) for choice in self.choices)
        problem = f"{place}: {self.name} = {shortened(repr(value))} is not known"
        raise SourceError(problem, remedy=f"Choose one of: {allowed}")


def _plain(value: float) -> str:
    return f"{int(value):,}" if value == int(value) else f"{value:,}"


def setting(
    default: float, *, low: float, high: float, label: str, help: str, log: bool = False, whole: bool = False
) -> Any:
    """Declare a dataclass field that is a number with limits; the field's name becomes the setting's."""
    declared = Setting("", label, help, default, low, high, log, whole)
    return field(default=default, metadata={KEY: declared})


def choice(*choices: str, label: str, help: str) -> Any:
    """Declare a dataclass field that takes one of these values, by default the first."""
    declared = Choice("", label, help, choices)
    return field(default=declared.default, metadata={KEY: declared})
