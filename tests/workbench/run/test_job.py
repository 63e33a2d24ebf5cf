"""Work in the background."""

from __future__ import annotations

import threading

from tests.waiting import PATIENCE
from workbench.run.job import Job
from workbench.source import Cancelled
from workbench.source.read.options import Progress


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
