"""The referee by itself: standings in, turns out. No threads, no clocks."""

from __future__ import annotations

import pytest

from workbench.run.race.referee import CHECK_SHARE, ROUND, TURN_SECONDS, Checked, Referee, Standing, Turn

DUE = 65_536


def unlimited(referee: Referee, standings: list[Standing], until: int | None = None) -> list[Turn]:
    referee.allow(standings, DUE, is_limited=False)
    return referee.turns(standings, until)


def first(referee: Referee, standings: list[Standing]) -> int:
    (turn,) = unlimited(referee, standings)
    return turn.contender


def test_who_has_used_the_least_time_is_next() -> None:
    standings = [Standing(900, 3.0), Standing(20, 2.0), Standing(3, 1.0)]
    assert first(Referee("clock", takes_turns=True), standings) == 2


def test_the_one_whose_turn_it_is_keeps_it_for_a_while() -> None:
    referee = Referee("clock", takes_turns=True)
    assert first(referee, [Standing(0, 0.0), Standing(0, 0.0)]) == 0
    assert first(referee, [Standing(64, 0.9 * TURN_SECONDS), Standing(0, 0.0)]) == 0
    assert first(referee, [Standing(128, 1.1 * TURN_SECONDS), Standing(0, 0.0)]) == 1
    assert first(referee, [Standing(128, 1.1 * TURN_SECONDS), Standing(1, 2.0 * TURN_SECONDS)]) == 1
    assert first(referee, [Standing(128, 1.1 * TURN_SECONDS), Standing(1, 2.2 * TURN_SECONDS)]) == 0


def test_who_is_through_has_no_turn() -> None:
    referee = Referee("clock", takes_turns=True)
    standings = [Standing(500, 0.1, is_through=True), Standing(3, 9.0), Standing(2, 9.0 + 2 * TURN_SECONDS)]
    assert first(referee, standings) == 1
    done = [Standing(500, 1.0, is_through=True) for _ in range(3)]
    assert unlimited(referee, done) == []
    assert referee.has_reached(done, None)
    assert not referee.has_reached(standings, None)


def test_those_who_take_turns_wait_for_whoever_is_busy() -> None:
    standings = [Standing(5, 0.1, is_busy=True), Standing(0, 0.0), Standing(0, 0.0)]
    assert unlimited(Referee("clock", takes_turns=True), standings) == []
    turns = unlimited(Referee("clock", takes_turns=False), standings)
    assert [turn.contender for turn in turns] == [1, 2]


def test_nobody_goes_beyond_the_sample_to_pause_at() -> None:
    referee = Referee("clock", takes_turns=False)
    standings = [Standing(40, 0.1), Standing(38, 0.1), Standing(0, 0.1)]
    assert unlimited(referee, standings, until=40) == [Turn(1, 2), Turn(2, 40)]
    assert not referee.has_reached(standings, 40)
    assert referee.has_reached([Standing(40, 0.1), Standing(30, 0.1, is_through=True)], 40)


def test_a_limited_speed_allows_what_is_due_and_no_more() -> None:
    referee = Referee("clock", takes_turns=False)
    standings = [Standing(10, 0.1), Standing(8, 0.1)]
    referee.restart(standings)
    referee.allow(standings, 3, is_limited=True)
    assert referee.turns(standings) == [Turn(0, 3), Turn(1, 5)]
    referee.allow(standings, 2, is_limited=True)
    assert referee.turns(standings) == [Turn(0, 5), Turn(1, 7)], "what was due before is still due"
    referee.restart(standings)
    assert referee.turns(standings) == [Turn(1, 2)], "the time of a pause does not count"


def test_in_the_same_sample_mode_all_meet_after_every_round() -> None:
    referee = Referee("sample", takes_turns=False)
    meeting = ROUND * 2
    start = [Standing(0, 0.0, wanted_rows=64), Standing(0, 0.0, wanted_rows=5), Standing(0, 0.0, wanted_rows=2)]
    assert unlimited(referee, start) == [Turn(0, meeting), Turn(1, meeting), Turn(2, meeting)]
    waiting = [start[0]._replace(n_done=meeting), start[1]._replace(is_busy=True), start[2]]
    assert unlimited(referee, waiting) == [Turn(2, meeting)], "the faster waits"
    met = [one._replace(n_done=meeting) for one in start]
    assert unlimited(referee, met) == [Turn(0, meeting), Turn(1, meeting), Turn(2, meeting)]


@pytest.mark.parametrize("takes_turns", [True, False])
@pytest.mark.parametrize("mode", ["clock", "sample"])
def test_whatever_the_mode_all_arrive(mode: str, takes_turns: bool) -> None:
    """Contenders of very different speeds, simulated: each turn is done before the next is asked for."""
    referee = Referee(mode, takes_turns)  # type: ignore[arg-type]
    n_total, costs = 200, [1e-6, 3e-4, 5e-3]
    standings = [Standing(0, 0.0, wanted_rows=max(1, int(0.03 / cost))) for cost in costs]
    for _ in range(10_000):
        if referee.has_reached(standings, None):
            break
        turns = unlimited(referee, standings)
        assert turns, "somebody must go on"
        for contender, n_rows in turns:
            one = standings[contender]
            count = min(n_rows, one.wanted_rows, n_total - one.n_done)
            seconds = one.engine_seconds + count * costs[contender]
            n_done = one.n_done + count
            standings[contender] = one._replace(n_done=n_done, engine_seconds=seconds, is_through=n_done == n_total)
    assert [one.n_done for one in standings] == [n_total] * 3


def test_by_the_same_clock_the_slowest_has_as_much_time_until_the_fast_one_is_through() -> None:
    referee, costs, n_total = Referee("clock", takes_turns=True), [1e-3, 0.02, 0.1], 1000
    standings = [Standing(0, 0.0) for _ in costs]
    while not standings[0].is_through:
        (turn,) = unlimited(referee, standings)
        one = standings[turn.contender]
        standings[turn.contender] = one._replace(
            n_done=one.n_done + 1,
            engine_seconds=one.engine_seconds + costs[turn.contender],
            is_through=one.n_done + 1 == n_total,
        )
    times = [one.engine_seconds for one in standings]
    assert max(times) - min(times) <= TURN_SECONDS + max(costs)


# Checks of the numbers


def test_numbers_are_compared_where_both_have_learned_the_same_samples() -> None:
    referee = Referee("clock", takes_turns=True)
    standings = [Standing(100, 1.0), Standing(60, 1.0), Standing(100, 1.0)]
    never = [Checked(), Checked()]
    assert referee.pair_to_check(standings, never, is_running=False) == 2
    assert referee.pair_to_check(standings, [Checked(), Checked(100)], is_running=False) is None
    assert referee.pair_to_check(standings, never, is_running=True) is None, "by the clock: not before the end"
    through = [one._replace(is_through=one.n_done == 100) for one in standings]
    assert referee.pair_to_check(through, never, is_running=True) == 2
    busy = [standings[0], standings[1]._replace(is_busy=True), standings[2]]
    assert referee.pair_to_check(busy, never, is_running=False) is None
    assert referee.pair_to_check([Standing(0, 0.0)] * 3, never, is_running=False) is None


def test_while_it_runs_checks_take_a_share_of_the_time() -> None:
    referee = Referee("sample", takes_turns=True)
    standings = [Standing(100, 1.0), Standing(100, 9.0)]
    assert referee.pair_to_check(standings, [Checked(50, CHECK_SHARE * 10)], is_running=True) == 1
    assert referee.pair_to_check(standings, [Checked(50, CHECK_SHARE * 10 + 0.1)], is_running=True) is None
    assert referee.pair_to_check(standings, [Checked(50, 99.0)], is_running=False) == 1


# Time left


@pytest.mark.parametrize(("takes_turns", "seconds"), [(True, 4.0 + 90.0), (False, 90.0)])
def test_the_time_left_follows_from_the_time_so_far(takes_turns: bool, seconds: float) -> None:
    referee = Referee("clock", takes_turns)
    standings = [Standing(20, 1.0, n_left=80), Standing(10, 10.0, n_left=90)]
    assert referee.seconds_left(standings, speed=None) == pytest.approx(seconds)
    assert referee.seconds_left(standings, speed=0.1) == pytest.approx(900.0)


def test_the_time_left_is_unknown_before_all_have_begun_and_without_an_end() -> None:
    referee = Referee("clock", takes_turns=True)
    assert referee.seconds_left([Standing(20, 1.0, n_left=80), Standing(0, 0.0, n_left=100)], None) is None
    assert referee.seconds_left([Standing(20, 1.0), Standing(5, 1.0)], None) is None
