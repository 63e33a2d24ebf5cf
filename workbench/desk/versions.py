"""A value that is replaced again and again, and every replacement taken back: undo and redo of frozen things."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

from figmn.system.memory import available_bytes

Value = TypeVar("Value")
Sizes = dict[int, int]
"""Bytes of each part by its identity: a part that two values share is counted once."""
KEPT = 200
"""Changes that can be taken back, unless memory sets a limit before."""
SHARE = 0.25
"""Of the memory that is available: what values of the past and of the future may take together."""
LEAST = 64 * 2**20
"""Bytes that they may take in any case."""


class Version(NamedTuple, Generic[Value]):
    """A value that was replaced."""

    what: str
    """The change that replaced it."""
    value: Value
    n_bytes: int
    """What it takes beyond the value that took its place."""


class Versions(Generic[Value]):
    """The present value, what came before it and what was taken back.

    Parameters
    ----------
    sizes
        What a value takes. Where the values beside the present one take too much, the oldest are dropped.
    budget
        Bytes that they may take; asked for at every change.

    >>> names = Versions("a")
    >>> names.change("b", "rename")
    >>> names.undo(), names.present, names.redo_text
    ('rename', 'a', 'rename')
    """

    def __init__(
        self,
        present: Value,
        sizes: Callable[[Value], Sizes] = lambda _: {},
        budget: Callable[[], float] | None = None,
    ) -> None:
        self.present = present
        self._sizes, self._budget = sizes, budget or share_of_memory
        self._past: list[Version[Value]] = []
        self._future: list[Version[Value]] = []
        self._n_lost = 0

    @property
    def undo_text(self) -> str | None:
        """What would be taken back; None for nothing."""
        return self._past[-1].what if self._past else None

    @property
    def redo_text(self) -> str | None:
        """What would be done again; None for nothing."""
        return self._future[-1].what if self._future else None

    def change(self, value: Value, what: str) -> None:
        """Replace the value; `what` names the change."""
        self._past = [*self._past, self._replaced(value, what)][-KEPT:]
        self.present, self._future = value, []
        self._keep_to_the_budget()

    def undo(self) -> str | None:
        """Take the last change back, and say which."""
        return self._move(self._past, self._future)

    def redo(self) -> str | None:
        """Do it again, and say what."""
        return self._move(self._future, self._past)

    def take_lost(self) -> int:
        """Changes that memory did not allow to keep since the last call."""
        found, self._n_lost = self._n_lost, 0
        return found

    def _move(self, source: list[Version[Value]], target: list[Version[Value]]) -> str | None:
        if not source:
            return None
        what, value, _ = source.pop()
        target.append(self._replaced(value, what))
        self.present = value
        return what

    def _replaced(self, value: Value, what: str) -> Version[Value]:
        """The present value, on its way to the past or the future."""
        shared = self._sizes(value)
        own = sum(size for part, size in self._sizes(self.present).items() if part not in shared)
        return Version(what, self.present, own)

    def _keep_to_the_budget(self) -> None:
        budget, total = self._budget(), sum(version.n_bytes for version in self._past)
        while self._past and total > budget:
            total -= self._past.pop(0).n_bytes
            self._n_lost += 1


def share_of_memory() -> float:
    """Bytes that the past may take, of what there is now."""
    return max(LEAST, SHARE * available_bytes())
