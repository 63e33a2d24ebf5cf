"""Work in the background, at the end of the window."""

from __future__ import annotations

import threading

from workbench.desk.jobs import Jobs
from workbench.source import Cancelled
from workbench.source.read.options import Progress


def until_cancelled(progress: Progress) -> str:
    pause = threading.Event()
    while progress(0, 1):
        pause.wait(0.001)
    raise Cancelled


def test_what_is_long_does_not_hold_the_window() -> None:
    jobs = Jobs()
    job = jobs.start("Scoring", until_cancelled, writes=True, is_long=True)
    jobs.close()
    assert job.was_cancelled


def test_a_file_that_is_being_written_is_completed() -> None:
    jobs, is_closing = Jobs(), threading.Event()

    def write(progress: Progress) -> str:
        is_closing.wait()
        return "written" if progress(1, 1) else "cancelled"

    job = jobs.start("Writing", write, writes=True)
    threading.Timer(0.05, is_closing.set).start()
    jobs.close()
    assert job.result == "written"
