"""Work in the background, undo, and the two lanes."""

from __future__ import annotations

import threading

from workbench.desk.versions import Versions
from workbench.run.job import Job
from workbench.run.recipe.dataset import SampleOrigin, load
from workbench.run.show.frame import Frame, Message
from workbench.run.show.mailbox import Mailbox
from workbench.source import Cancelled
from workbench.source.read.options import Progress

PATIENCE = 60.0


def test_a_job_is_cancelled_through_its_progress() -> None:
    begun, cancelled = threading.Event(), threading.Event()

    def work(progress: Progress) -> None:
        assert progress(3, 10)
        begun.set()
        assert cancelled.wait(PATIENCE)
        if not progress(4, 10):
            raise Cancelled

    job = Job("reading", work)
    assert begun.wait(PATIENCE)
    assert not job.is_done
    assert job.progress == (3, 10)
    job.cancel()
    cancelled.set()
    job.join(PATIENCE)
    assert job.is_done
    assert job.was_cancelled
    assert job.result is None


def test_a_job_keeps_its_error() -> None:
    def work(progress: Progress) -> None:  # noqa: ARG001
        raise OSError("disk full")

    job = Job("writing", work)
    job.join(PATIENCE)
    assert str(job.error) == "disk full"
    assert not job.was_cancelled


def test_what_the_work_holds_is_deleted_by_whoever_drops_the_job() -> None:
    """It may be of Qt, whose objects must not be deleted in the worker's thread."""

    class Held:
        """Notes which thread deletes it."""

        def __del__(self) -> None:
            deleted_in.append(threading.current_thread())

    deleted_in: list[threading.Thread] = []

    def exporting(held: Held) -> Job[bool]:
        return Job("writing", lambda progress: held is not None and progress(1, 1))

    job = exporting(Held())
    job.join(PATIENCE)
    assert not deleted_in
    del job
    assert deleted_in == [threading.main_thread()]


def test_no_message_is_lost_between_threads() -> None:
    mailbox, seen = Mailbox[Frame](), list[str]()

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


def test_versions_go_back_and_forth() -> None:
    values = Versions(0)
    assert values.undo() is None
    for number in (1, 2, 3):
        values.change(number, f"to {number}")
    assert values.undo() == "to 3"
    assert values.undo() == "to 2"
    assert values.present == 1
    assert values.redo() == "to 2"
    assert values.present == 2
    values.change(9, "to 9")
    assert values.redo_text is None
    assert values.undo() == "to 9"
    assert values.present == 2


def test_versions_keep_to_their_memory_and_say_what_they_lost() -> None:
    """Each value has a part of its own and shares one with the value before: shared parts count once."""
    values = Versions(0, lambda number: {number: 100, number + 1: 100}, lambda: 350.0)
    for number in (1, 2, 3):
        values.change(number, f"to {number}")
    assert values.take_lost() == 0
    values.change(4, "to 4")
    assert values.take_lost() == 1
    assert values.take_lost() == 0
    assert [values.undo() for _ in range(5)] == ["to 4", "to 3", "to 2", None, None]
    assert values.present == 1


def test_a_dataset_counts_what_versions_share_once() -> None:
    iris = load(SampleOrigin("iris"))
    roles = iris.with_roles({"class": "ignored"})
    assert sum(iris.sizes().values()) == 150 * (4 * iris.table.columns[0].values.itemsize + 4)
    assert roles.sizes() == iris.sizes()
    kinds = iris.with_kinds({"class": "string"})
    assert len(set(kinds.sizes()) - set(iris.sizes())) == 1
