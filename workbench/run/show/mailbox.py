"""What a worker thread sends to the window: frames, of which only the newest is kept, and messages, all of them."""

from __future__ import annotations

import threading
from collections import deque
from typing import Generic, Protocol, TypeVar

from workbench.run.show.frame import Message


class Numbered(Protocol):
    """A frame of some run."""

    @property
    def run(self) -> int:
        """Number of the run."""


Shown = TypeVar("Shown", bound=Numbered)


class Mailbox(Generic[Shown]):
    """Filled by a worker thread, emptied by a timer of the window; neither waits for the other.

    >>> from workbench.run.show.frame import Frame
    >>> mailbox: Mailbox[Frame] = Mailbox()
    >>> mailbox.send(Message(1, "started", "iris"))
    >>> mailbox.take_frame() is None, [message.text for message in mailbox.take_messages()]
    (True, ['iris'])
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._frame: Shown | None = None
        self._messages: deque[Message] = deque()

    def show(self, frame: Shown) -> None:
        """Replace the waiting frame, unless that is of a later run."""
        with self._lock:
            if self._frame is None or self._frame.run <= frame.run:
                self._frame = frame

    def send(self, message: Message) -> None:
        """Add a message."""
        self._messages.append(message)

    @property
    def is_waiting(self) -> bool:
        """Whether a frame waits to be taken: a newer one would not be shown any sooner."""
        return self._frame is not None

    def take_frame(self) -> Shown | None:
        """The newest frame, once."""
        with self._lock:
            frame, self._frame = self._frame, None
        return frame

    def take_messages(self) -> list[Message]:
        """All messages since the last call, in order."""
        taken = []
        while self._messages:
            taken.append(self._messages.popleft())
        return taken
