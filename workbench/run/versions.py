"""A value that is replaced again and again, and every replacement taken back: undo and redo of frozen things."""

from __future__ import annotations

from typing import Generic, TypeVar

Value = TypeVar("Value")
KEPT = 200
"""Changes that can be taken back."""


class Versions(Generic[Value]):
    """The present value, what came before it and what was taken back.

    >>> names = Versions("a")
    >>> names.change("b", "rename")
    >>> names.undo(), names.present, names.redo_text
    ('rename', 'a', 'rename')
    """

    def __init__(self, present: Value) -> None:
        self.present = present
        self._past: list[tuple[str, Value]] = []
        self._future: list[tuple[str, Value]] = []

    @property
    def undo_text(self) -> str | None:
        """What would be taken back; None for nothing."""
        return self._past[-1][0] if self._past else None

    @property
    def redo_text(self) -> str | None:
        """What would be done again; None for nothing."""
        return self._future[-1][0] if self._future else None

    def change(self, value: Value, what: str) -> None:
        """Replace the value; `what` names the change."""
        self._past = [*self._past, (what, self.present)][-KEPT:]
        self.present, self._future = value, []

    def undo(self) -> str | None:
        """Take the last change back, and say which."""
        return self._move(self._past, self._future)

    def redo(self) -> str | None:
        """Do it again, and say what."""
        return self._move(self._future, self._past)

    def _move(self, source: list[tuple[str, Value]], target: list[tuple[str, Value]]) -> str | None:
        if not source:
            return None
        what, value = source.pop()
        target.append((what, self.present))
        self.present = value
        return what
