"""The transport by itself: a worker that only counts, driven as a window drives a run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.waiting import PATIENCE, wait_until
from tests.workbench.run.counter import Count, Counter
from workbench.run.show.frame import Message, Plane
from workbench.run.show.mailbox import Mailbox


class Watched:
    """A counter, and all that it has shown and told."""

    def __init__(self) -> None:
        self.mailbox: Mailbox[Count] = Mailbox()
        self.counters: list[Counter] = []
        self.frame: Count | None = None
        self.messages: list[Message] = []

    def make(self, n_total: int = 0, *, begins: bool = True, **options: Any) -> Counter:
        counter = Counter(self.mailbox, n_total, **options)
        self.counters.append(counter)
        if begins:
            counter.may_begin.set()
        counter.start()
        return counter

    def until(self, holds: Callable[[Count], bool]) -> Count:
        wait_until(lambda: self.frame is not None and holds(self.frame), self.look, lambda: (self.frame, self.messages))
        assert self.frame is not None
        return self.frame

    def look(self) -> None:
        self.frame = self.mailbox.take_frame() or self.frame
        self.messages += self.mailbox.take_messages()

    def texts(self, kind: str) -> list[str]:
        self.messages += self.mailbox.take_messages()
        return [message.text for message in self.messages if message.kind == kind]


@pytest.fixture
def watched() -> Iterator[Watched]:
    found = Watched()
    yield found
    for counter in found.counters:
        counter.close()
        counter.join()


def test_it_plays_to_its_end(watched: Watched) -> None:
    counter = watched.make(100)
    frame = watched.until(lambda frame: frame.state == "finished")
    assert frame.n_done == 100
    assert counter.state == "finished"
    assert watched.texts("finished") == ["Finished after 100"]
    assert counter.ask(lambda: list(counter.hooks)) == ["ended"]


def test_one_that_is_held_learns_nothing_until_it_is_stepped(watched: Watched) -> None:
    counter = watched.make(is_held=True)
    assert watched.until(lambda frame: frame.state == "paused").n_done == 0
    counter.step()
    watched.until(lambda frame: frame.state == "paused" and frame.n_done == 1)
    counter.step(5)
    watched.until(lambda frame: frame.state == "paused" and frame.n_done == 6)
    counter.run_to(20)
    watched.until(lambda frame: frame.state == "paused" and frame.n_done == 20)
    assert watched.texts("paused") == ["Paused at sample 1", "Paused at sample 6", "Paused at sample 20"]
    assert counter.ask(lambda: list(counter.hooks)) == ["resumed", "held"] * 3


def test_steps_that_are_executed_together_count_from_the_same_sample(watched: Watched) -> None:
    counter = watched.make(is_held=True, begins=False)
    counter.step(3)
    counter.step(2)
    counter.may_begin.set()
    assert watched.until(lambda frame: frame.state == "paused" and frame.n_done > 0).n_done == 2


def test_commands_that_came_before_the_beginning_count_before_the_first_sample(watched: Watched) -> None:
    counter = watched.make(begins=False)
    counter.run_to(3)
    counter.may_begin.set()
    assert watched.until(lambda frame: frame.state == "paused").n_done == 3


def test_play_forgets_the_sample_to_pause_at(watched: Watched) -> None:
    counter = watched.make(50, is_held=True, begins=False)
    counter.run_to(10)
    counter.play()
    counter.may_begin.set()
    assert watched.until(lambda frame: frame.state != "running").state == "finished"


def test_a_sample_that_lies_behind_pauses_and_says_so(watched: Watched) -> None:
    counter = watched.make()
    watched.until(lambda frame: frame.n_done > 5)
    counter.run_to(5)
    frame = watched.until(lambda frame: frame.state == "paused")
    assert watched.texts("paused") == [f"Paused at sample {frame.n_done:,}: sample 5 was already learned"]


def test_pause_and_play_are_told_once_each(watched: Watched) -> None:
    counter = watched.make()
    counter.pause()
    counter.pause()
    held = watched.until(lambda frame: frame.state == "paused").n_done
    assert counter.ask(lambda: counter.n_done) == held
    counter.play()
    watched.until(lambda frame: frame.n_done > held)
    assert watched.texts("paused") == ["Paused"]


def test_what_was_stopped_does_not_go_on_but_still_answers(watched: Watched) -> None:
    counter = watched.make()
    counter.stop()
    n_done = watched.until(lambda frame: frame.state == "stopped").n_done
    for command in (counter.play, counter.pause, counter.step, counter.stop, lambda: counter.run_to(10**9)):
        command()
    assert counter.ask(lambda: (counter.state, counter.n_done)) == ("stopped", n_done)
    counter.set_plane(Plane("pca"))
    assert watched.until(lambda frame: frame.plane == Plane("pca")).state == "stopped"
    assert watched.texts("stopped") == ["Stopped"]


def test_a_speed_limits_and_another_takes_its_place(watched: Watched) -> None:
    counter = watched.make(1000, speed=1e-3)
    watched.until(lambda frame: frame.n_done == 1)
    assert counter.ask(lambda: counter.n_done) == 1, "the next is due in a quarter of an hour"
    counter.set_speed(None)
    watched.until(lambda frame: frame.state == "finished")


def test_a_failure_is_told_with_its_traceback_and_what_was_done_stays(watched: Watched) -> None:
    counter = watched.make(is_held=True)
    counter.run_to(7)
    watched.until(lambda frame: frame.state == "paused" and frame.n_done == 7)
    counter.problem = MemoryError("10 MB needed, 5 MB available")
    counter.play()
    assert watched.until(lambda frame: frame.state == "failed").n_done == 7
    assert watched.texts("failed") == ["10 MB needed, 5 MB available"]
    assert "MemoryError" in watched.messages[-1].details
    assert counter.ask(lambda: counter.hooks[-1]) == "failed"


def test_an_exception_without_words_is_told_by_its_name(watched: Watched) -> None:
    counter = watched.make()
    counter.problem = ValueError()
    watched.until(lambda frame: frame.state == "failed")
    assert watched.texts("failed") == ["ValueError"]


def test_a_frame_that_fails_is_not_tried_for_ever(watched: Watched) -> None:
    counter = watched.make(is_held=True, begins=False)
    counter.cannot_show = RuntimeError("no picture")
    counter.may_begin.set()
    wait_until(lambda: len(watched.texts("failed")) >= 2)
    for _ in range(5):
        assert counter.ask(lambda: counter.state) == "failed"
    assert watched.texts("failed") == ["no picture"] * 2, "the frame, and the frame that would show the failure"


def test_a_failed_command_fails_the_run_and_the_next_ones_are_executed(watched: Watched) -> None:
    counter = watched.make(is_held=True)

    def burst() -> None:
        raise RuntimeError("no such plane")

    counter._tell(burst)
    assert counter.ask(lambda: counter.state) == "failed"


def test_a_question_that_fails_is_the_problem_of_who_asked(watched: Watched) -> None:
    counter = watched.make(is_held=True)
    with pytest.raises(ZeroDivisionError):
        counter.ask(lambda: 1 // 0)
    assert counter.ask(lambda: counter.state) == "paused"
    assert watched.texts("failed") == []


@pytest.mark.parametrize("begins", [True, False])
def test_closing_ends_the_thread_and_answers_who_has_asked(watched: Watched, begins: bool) -> None:
    counter = watched.make(begins=begins)
    assert counter.has_begun.wait(PATIENCE)
    answers = [counter._ask(lambda: counter.n_done) for _ in range(3)]
    counter.close()
    counter.join()
    assert not counter.is_alive
    assert all(answer.done() for answer in answers)
    assert counter.hooks[-1] == "closed"
    assert watched.texts("failed") == [], "a beginning that was cancelled has not failed"


def test_a_rest_lasts_until_it_is_ended(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.run.rest.LONGEST", PATIENCE)
    counter = watched.make()
    rest = counter.rest()
    assert rest.began.wait(PATIENCE)
    n_done, asked = counter.n_done, counter._ask(lambda: counter.n_done)
    assert not asked.done()
    rest.end()
    assert asked.result(PATIENCE) == n_done


def test_while_it_runs_no_frame_is_made_before_the_last_was_taken(watched: Watched) -> None:
    counter = watched.make()
    wait_until(lambda: watched.mailbox.is_waiting)
    first = counter.ask(lambda: counter.n_done)
    wait_until(lambda: counter.ask(lambda: counter.n_done) >= first + 100)
    frame = watched.mailbox.take_frame()
    assert frame is not None
    assert frame.n_done <= first
