"""Undo and redo for a frozen value that is replaced at every change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

from figmn.system.memory import available_bytes

Value = TypeVar("Value")
Sizes = dict[int, int]
"""Bytes of each part by its `id`: a part that two values share is counted once."""
KEPT = 200
"""Most changes that can be undone; fewer if they take too much memory."""
SHARE = 0.25
"""Share of the available memory that the values for undo and redo may take together."""
LEAST = 64 * 2**20
"""Bytes that they may take in any case."""


class Version(NamedTuple, Generic[Value]):
    """A value that was replaced."""

    what: str
    """The change that replaced it."""
    value: Value
    n_bytes: int
    """Bytes that it takes in addition to the value that replaced it."""


class Versions(Generic[Value]):
    """The present value, earlier values (undo) and undone values (redo).

    Parameters
    ----------
    sizes
        Returns the sizes of a value's parts. If the values other than the present one take too much, the oldest are
        dropped.
    budget
        Returns the bytes that they may take; called at every change.

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
        """The change that would be undone; None if there is none."""
        return self._past[-1].what if self._past else None

    @property
    def redo_text(self) -> str | None:
        """The change that would be redone; None if there is none."""
        return self._future[-1].what if self._future else None

    def change(self, value: Value, what: str) -> None:
        """Replace the value; `what` names the change."""
        self._past = [*self._past, self._replaced(value, what)][-KEPT:]
        self.present, self._future = value, []
        self._keep_to_the_budget()

    def undo(self) -> str | None:
        """Undo the last change and return its name."""
        return self._move(self._past, self._future)

    def redo(self) -> str | None:
        """Redo the change that was undone last and return its name."""
        return self._move(self._future, self._past)

    def take_lost(self) -> int:
        """Number of changes dropped for memory since the last call."""
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
        """The present value as a version for undo or redo."""
        shared = self._sizes(value)
        own = sum(size for part, size in self._sizes(self.present).items() if part not in shared)
        return Version(what, self.present, own)

    def _keep_to_the_budget(self) -> None:
        budget, total = self._budget(), sum(version.n_bytes for version in self._past)
        while self._past and total > budget:
            total -= self._past.pop(0).n_bytes
            self._n_lost += 1


def share_of_memory() -> float:
    """Bytes that earlier values may take, from the memory available now."""
    return max(LEAST, SHARE * available_bytes())
