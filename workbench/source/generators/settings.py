"""What a user can set on a generator, declared once: default, limits, label and help.

Validation and the forms with their sliders are derived from these declarations.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from workbench.source.errors import SourceError

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
        if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
            raise self._not_whole(value, place) if self.whole else self._not_a_number(value, place)
        if not self.low <= value <= self.high:
            raise self._whole_outside(value, place) if self.whole else self._outside(value, place)
        if self.whole and value != int(value):
            raise self._not_whole(value, place)
        return int(value) if self.whole else float(value)

    def _not_a_number(self, value: object, place: str) -> SourceError:
        return SourceError(
            "{place}: {name} = {value} is not a number. Give a number from {low} to {high}.",
            place=place,
            name=self.name,
            value=repr(value),
            low=_plain(self.low),
            high=_plain(self.high),
        )

    def _not_whole(self, value: object, place: str) -> SourceError:
        return SourceError(
            "{place}: {name} = {value} is not a whole number. Give a whole number from {low} to {high}.",
            place=place,
            name=self.name,
            value=repr(value),
            low=_plain(self.low),
            high=_plain(self.high),
        )

    def _outside(self, value: object, place: str) -> SourceError:
        return SourceError(
            "{place}: {name} = {value} is outside the range from {low} to {high}. Choose a number in it.",
            place=place,
            name=self.name,
            value=repr(value),
            low=_plain(self.low),
            high=_plain(self.high),
        )

    def _whole_outside(self, value: object, place: str) -> SourceError:
        return SourceError(
            "{place}: {name} = {value} is outside the range from {low} to {high}. Choose a whole number in it.",
            place=place,
            name=self.name,
            value=repr(value),
            low=_plain(self.low),
            high=_plain(self.high),
        )


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
        raise SourceError(
            "{place}: {name} = {value} is not known. Choose one of: {allowed}.",
            place=place,
            name=self.name,
            value=repr(value),
            allowed=allowed,
        )


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
