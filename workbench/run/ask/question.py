"""What is known and what is wanted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from workbench.words.sentences import UserError


@dataclass(frozen=True)
class Question:
    """Attributes by name. Those that are neither known nor wanted may have any value."""

    known: Mapping[str, float | str] = field(default_factory=dict)
    """Values in the user's units, or labels."""
    errors: Mapping[str, float] = field(default_factory=dict)
    """Standard deviations of known numbers, where they are not exact."""
    wanted: tuple[str, ...] = ()


def nothing_wanted() -> UserError:
    """The error for a question that asks for nothing."""
    return UserError("Nothing is wanted: tick at least one attribute as wanted.")
