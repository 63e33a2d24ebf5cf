"""How far a job is, in words."""

from __future__ import annotations

from typing import Any

from workbench.run.job import Job
from workbench.words.counts import counted
from workbench.words.durations import about

STARTING = "Starting…"
ESTIMATED_AFTER = 2.0
"""Seconds after which the remaining time is said."""


def progress_words(job: Job[Any], noun: str) -> str:
    """Done and total of what is counted by a noun, and the time that is left."""
    done, total = job.progress
    if not total:
        return STARTING
    left = job.seconds * (total - done) / done if done else 0.0
    estimate = f", {about(left)} left" if done and job.seconds > ESTIMATED_AFTER else ""
    return f"{done:,} of {counted(total, noun)}{estimate}"
