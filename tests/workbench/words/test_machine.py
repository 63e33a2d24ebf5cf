"""Lines under timings: the machine, and what makes the times comparable."""

from __future__ import annotations

from workbench.words.machine import fairness_line, machine_line


def test_the_processor_comes_first_and_versions_follow_in_order() -> None:
    machine = {"Python": "3.11", "cores": "2", "CPU": "a processor", "NumPy": "2.0.0"}
    assert machine_line(machine) == "a processor · 2 cores · Python 3.11 · NumPy 2.0.0"


def test_nothing_is_said_of_an_unknown_machine() -> None:
    assert machine_line({}, threads=1) == ""


def test_threads_are_named_with_whose_they_are() -> None:
    assert fairness_line(4, engines="every engine") == (
        "engine time only · 4 BLAS threads for every engine · warm-up not timed"
    )


def test_empty_details_leave_no_gap() -> None:
    assert " ·  · " not in fairness_line(1, "", "three repeats", turns="")
