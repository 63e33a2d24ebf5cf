"""A seat drives one transport after the other; tested with a worker that only counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.waiting import wait_until
from tests.workbench.run.counter import Count, Counter
from workbench.desk.seat import Seat
from workbench.run.show.frame import Plane


class CounterSeat(Seat[Counter, Count]):
    """Counts to `n_total`; `is_current` says whether play goes on with the present counter."""

    def __init__(self) -> None:
        super().__init__()
        self.n_total, self.names, self.is_current = 0, ("x", "y"), True
        self.made: list[Counter] = []

    def start(self, *, is_held: bool = False, run_to: int | None = None) -> None:
        if self._is_closed:
            return

        def make(number: int) -> Counter:
            counter = Counter(self.mailbox, self.n_total, number=number, is_held=is_held, speed=self.speed)
            counter.plane = self.plane or Plane()
            counter.may_begin.set()
            counter.start()
            self.made.append(counter)
            return counter

        self._begin(make, self.names, run_to)

    @property
    def goes_on(self) -> bool:
        return self.is_live and self.is_current


@pytest.fixture
def seat() -> Iterator[CounterSeat]:
    found = CounterSeat()
    yield found
    found.close()
    assert not any(counter.is_alive for counter in found.made)


def wait_for_frame(seat: CounterSeat, holds: Callable[[Count], bool]) -> Count:
    def is_there() -> bool:
        seat.take_frame()
        return seat.frame is not None and holds(seat.frame)

    wait_until(is_there)
    assert seat.frame is not None
    return seat.frame


def test_an_empty_seat_has_no_state_and_plays_by_starting(seat: CounterSeat) -> None:
    assert (seat.state, seat.number, seat.is_live, seat.frame) == (None, None, False, None)
    seat.pause()
    seat.stop()
    assert seat.transport is None, "there is nothing to pause or to stop"
    seat.play()
    assert (seat.number, seat.is_live) == (1, True)


def test_play_or_pause_asks_the_transport_and_not_the_last_frame(seat: CounterSeat) -> None:
    seat.start()
    stale = wait_for_frame(seat, lambda frame: frame.state == "running")
    assert seat.transport is not None
    seat.transport.pause()  # by itself, as at a birth: no frame of it was taken
    wait_until(lambda: seat.state == "paused")
    assert seat.frame is stale
    seat.play_or_pause()
    wait_until(lambda: seat.state == "running")
    seat.play_or_pause()
    wait_until(lambda: seat.state == "paused")
    assert seat.number == 1


def test_what_cannot_go_on_is_started_anew(seat: CounterSeat) -> None:
    seat.n_total = 10
    seat.play()
    assert wait_for_frame(seat, lambda frame: frame.state == "finished").run == 1
    seat.play()
    assert wait_for_frame(seat, lambda frame: frame.state == "finished").run == 2
    seat.n_total = 0
    seat.play()
    seat.is_current = False
    seat.play()
    assert seat.number == 4


def test_a_step_begins_at_the_first_sample_and_goes_on(seat: CounterSeat) -> None:
    seat.step()
    wait_for_frame(seat, lambda frame: frame.state == "paused" and frame.n_done == 1)
    seat.step()
    assert wait_for_frame(seat, lambda frame: frame.n_done == 2).run == 1


def test_a_sample_that_lies_behind_is_reached_from_the_beginning(seat: CounterSeat) -> None:
    seat.run_to(20)
    wait_for_frame(seat, lambda frame: frame.state == "paused" and frame.n_done == 20)
    seat.run_to(30)
    assert wait_for_frame(seat, lambda frame: frame.state == "paused" and frame.n_done == 30).run == 1
    seat.run_to(5)
    assert wait_for_frame(seat, lambda frame: frame.state == "paused" and frame.n_done == 5).run == 2


def test_late_frames_of_an_earlier_run_are_dropped(seat: CounterSeat) -> None:
    seat.start(is_held=True)
    early = wait_for_frame(seat, lambda frame: frame.run == 1)
    seat.close_transport()
    seat.mailbox.show(early)
    assert seat.take_frame() is None
    seat.start(is_held=True)
    assert seat.frame is None, "a frame belongs to its run"
    assert wait_for_frame(seat, lambda _: True).run == 2


def test_the_plane_stays_until_the_columns_change(seat: CounterSeat) -> None:
    seat.start(is_held=True)
    seat.set_plane(Plane("pca"))
    wait_for_frame(seat, lambda frame: frame.plane == Plane("pca"))
    seat.start(is_held=True)
    assert wait_for_frame(seat, lambda frame: frame.run == 2).plane == Plane("pca")
    seat.names = ("x", "z")
    seat.start(is_held=True)
    assert seat.plane is None


def test_a_speed_is_kept_for_the_next_and_unlimited_can_be_switched(seat: CounterSeat) -> None:
    seat.start()
    seat.set_speed(1e-3)
    seat.start()
    wait_for_frame(seat, lambda frame: frame.run == 2 and frame.n_done == 1)
    seat.toggle_unlimited()
    assert seat.speed is None
    wait_for_frame(seat, lambda frame: frame.n_done > 1)
    seat.toggle_unlimited()
    assert seat.speed == 1e-3


def test_ended_transports_are_forgotten_and_nothing_begins_after_the_end(seat: CounterSeat) -> None:
    seat.start()
    seat.start()
    first = seat.made[0]
    wait_until(lambda: not first.is_alive)
    assert seat._ending == [first]
    seat.forget_ended()
    assert seat._ending == []
    seat.close()
    seat.play()
    seat.step()
    assert (seat.transport, len(seat.made)) == (None, 2)
