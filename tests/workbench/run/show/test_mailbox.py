"""Two lanes between a run and its watcher: of frames the newest wins, of messages none is lost."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from workbench.run.show.frame import Message
from workbench.run.show.mailbox import Mailbox


@dataclass(frozen=True)
class Moment:
    """The least that a frame is."""

    run: int
    n_done: int = 0


def test_no_message_is_lost_between_threads() -> None:
    mailbox, seen = Mailbox[Moment](), list[str]()

    def send(name: str) -> None:
        for number in range(1000):
            mailbox.send(Message(1, "event", f"{name}{number}"))

    threads = [threading.Thread(target=send, args=(name,)) for name in "ab"]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        seen += [message.text for message in mailbox.take_messages()]
    seen += [message.text for message in mailbox.take_messages()]
    for name in "ab":
        assert [text for text in seen if text[0] == name] == [f"{name}{number}" for number in range(1000)]


def test_the_newest_frame_is_taken_once() -> None:
    mailbox = Mailbox[Moment]()
    mailbox.show(Moment(1, 10))
    mailbox.show(Moment(1, 20))
    assert mailbox.take_frame() == Moment(1, 20)
    assert mailbox.take_frame() is None


def test_a_frame_of_an_earlier_run_gives_way() -> None:
    mailbox = Mailbox[Moment]()
    mailbox.show(Moment(2, 1))
    mailbox.show(Moment(1, 500))
    assert mailbox.take_frame() == Moment(2, 1)
    mailbox.show(Moment(1, 500))
    mailbox.show(Moment(2, 2))
    assert mailbox.take_frame() == Moment(2, 2)


def test_whether_a_frame_waits_can_be_asked_without_taking_it() -> None:
    mailbox = Mailbox[Moment]()
    assert not mailbox.is_waiting
    mailbox.show(Moment(1))
    assert mailbox.is_waiting
    assert mailbox.is_waiting
    mailbox.take_frame()
    assert not mailbox.is_waiting


def test_messages_wait_beside_frames_and_come_in_order() -> None:
    mailbox = Mailbox[Moment]()
    mailbox.send(Message(1, "started", "iris"))
    mailbox.show(Moment(1))
    mailbox.send(Message(1, "finished", "150 samples"))
    assert [message.kind for message in mailbox.take_messages()] == ["started", "finished"]
    assert mailbox.take_messages() == []
    assert mailbox.is_waiting
