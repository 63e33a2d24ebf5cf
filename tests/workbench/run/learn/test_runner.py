"""The learner's thread, as a window drives it."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest

from figmn import Parameters
from tests.waiting import PATIENCE, wait_until
from workbench.run import Choices, Frame, GeneratorOrigin, Message, Plane, Recipe, SampleOrigin, run
from workbench.run.learn.runner import Rate, Runner
from workbench.run.pace import Pace
from workbench.run.recipe.dataset import Colour
from workbench.run.show.mailbox import Mailbox
from workbench.source import Encoding, Order
from workbench.source.generators import BirthsAndDeaths, ConceptDrift

IRIS = Recipe(SampleOrigin("iris"), order=Order("shuffled"))
ENDLESS = Recipe(GeneratorOrigin(BirthsAndDeaths(), endless=True), roles={"class": "ignored"})


class Watched:
    """A runner, and all that it has shown and told so far."""

    def __init__(self) -> None:
        self.mailbox: Mailbox[Frame] = Mailbox()
        self.frame: Frame | None = None
        self.messages: list[Message] = []
        self.runners: list[Runner] = []

    def start(self, recipe: Recipe, **options: object) -> Runner:
        runner = Runner(len(self.runners) + 1, recipe, recipe.dataset(), self.mailbox, **options)  # type: ignore[arg-type]
        self.runners.append(runner)
        return runner

    def look(self) -> None:
        self.frame = self.mailbox.take_frame() or self.frame
        self.messages += self.mailbox.take_messages()

    def wait(self, condition: Callable[[], object]) -> None:
        wait_until(condition, self.look, lambda: (self.frame, self.messages))

    def wait_for_state(self, state: str, n_done: int | None = None) -> Frame:
        def reached() -> bool:
            frame = self.frame
            return frame is not None and frame.state == state and n_done in {None, frame.n_done}

        self.wait(reached)
        assert self.frame is not None
        return self.frame

    def kinds(self) -> list[str]:
        return [message.kind for message in self.messages]


@pytest.fixture
def watched() -> Iterator[Watched]:
    found = Watched()
    yield found
    for runner in found.runners:
        runner.close()
    for runner in found.runners:
        runner.join()


def test_drifts_are_shown_and_told_as_in_the_headless_run(watched: Watched) -> None:
    origin = GeneratorOrigin(ConceptDrift(period=2000), 4000)
    recipe = Recipe(origin, roles={"class": "ignored"}, choices=Choices(drift=True))
    watched.start(recipe)
    frame = watched.wait_for_state("finished")
    (drift,) = run(recipe).drifts
    assert frame.drifts == (drift,)
    told = [message.text for message in watched.messages if message.kind == "drift"]
    assert told == [drift.words(), drift.change_words()]


def test_without_river_a_watched_run_fails_with_the_remedy(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "river.drift", None)
    watched.start(IRIS.watching_drift())
    watched.wait(lambda: "failed" in watched.kinds())
    assert "pip install 'figmn-workbench[river]'" in watched.messages[-1].text


def test_a_run_to_its_end_is_the_headless_run(watched: Watched) -> None:
    watched.start(IRIS)
    frame = watched.wait_for_state("finished")
    result = run(IRIS)
    assert frame.n_done == frame.n_total == 150
    np.testing.assert_allclose(frame.census.means, result.model.means, rtol=1e-12)
    assert frame.n_births == result.n_births
    assert frame.timeline.samples[-1] == 150
    assert len(frame.picture.points) == 150
    assert frame.labels == ("Iris-setosa", "Iris-versicolor", "Iris-virginica")
    assert frame.recipe == IRIS
    assert [kind for kind in watched.kinds() if kind != "event"] == ["started", "finished"]
    told = " ".join(message.text for message in watched.messages if message.kind == "event")
    assert told.count(" born") == result.n_births


def test_a_frame_knows_the_way_back_to_the_users_units(watched: Watched) -> None:
    recipe = replace(IRIS, roles={"class": "ignored"}, choices=Choices(Parameters(delta=0.5, beta=0.0)))
    watched.start(recipe)
    plain = watched.wait_for_state("finished")
    watched.frame = None
    watched.start(replace(recipe, encoding=Encoding("standard")))
    scaled = watched.wait_for_state("finished")
    np.testing.assert_array_equal(plain.units.means(plain.census.means), plain.census.means)
    np.testing.assert_allclose(scaled.units.means(scaled.census.means), plain.census.means)
    np.testing.assert_allclose(scaled.units.variances(scaled.census.variances), plain.census.variances)
    volumes = scaled.units.log_determinants(scaled.census.log_determinants)
    np.testing.assert_allclose(volumes, plain.census.log_determinants)


def test_stepping_learns_one_sample_at_a_time(watched: Watched) -> None:
    runner = watched.start(IRIS, is_held=True)
    watched.wait_for_state("paused", 0)
    for n in (1, 2, 3):
        runner.step()
        frame = watched.wait_for_state("paused", n)
        assert frame.latest is not None
        assert frame.latest.sample == n - 1
    runner.step(10)
    watched.wait_for_state("paused", 13)
    runner.run_to(100)
    frame = watched.wait_for_state("paused", 100)
    assert frame.rows_per_second == 0
    runner.run_to(50)  # lies behind: nothing happens
    runner.play()
    watched.wait_for_state("finished", 150)


def test_pause_holds_and_play_goes_on(watched: Watched) -> None:
    runner = watched.start(ENDLESS)
    watched.wait(lambda: watched.frame is not None and watched.frame.n_done > 1000)
    runner.pause()
    held = watched.wait_for_state("paused").n_done
    runner.set_plane(Plane("columns", 1, 0))
    watched.wait(lambda: watched.frame is not None and watched.frame.picture.plane.x == 1)
    assert watched.frame is not None
    assert watched.frame.n_done == held
    runner.play()
    watched.wait(lambda: watched.frame is not None and watched.frame.n_done > held)
    runner.stop()
    stopped = watched.wait_for_state("stopped").n_done
    runner.play()  # a stopped run does not go on
    runner.step()
    assert runner.ask(lambda learner, log: learner.n_done).result(PATIENCE) == stopped  # noqa: ARG005
    assert watched.messages[-1].kind == "stopped"


def test_a_stopped_run_still_shows_other_planes(watched: Watched) -> None:
    runner = watched.start(IRIS)
    watched.wait_for_state("finished")
    runner.set_plane(Plane("pca"))
    watched.wait(lambda: watched.frame is not None and watched.frame.picture.share is not None)
    assert watched.frame is not None
    assert watched.frame.state == "finished"


def test_another_colour_is_that_of_all_points_kept(watched: Watched) -> None:
    recipe = Recipe(SampleOrigin("German credit"), roles={"class": "ignored"}, order=Order("shuffled"))
    table = recipe.dataset().table
    runner = watched.start(recipe)
    first = watched.wait_for_state("finished")
    assert (first.colour, first.labels) == ("class", ("good", "bad"))
    runner.set_colour(Colour("own_telephone"))
    watched.wait(lambda: watched.frame is not None and watched.frame.colour == "own_telephone")
    assert watched.frame is not None
    assert watched.frame.labels == table["own_telephone"].labels
    order = replace(recipe.order, seed=recipe.choices.seed).rows(table)
    assert watched.frame.picture.codes.tolist() == table["own_telephone"].values[order].tolist()
    runner.set_colour(Colour())
    watched.wait(lambda: watched.frame is not None and watched.frame.colour is None)
    assert watched.frame.labels == ()
    assert set(watched.frame.picture.codes.tolist()) == {-1}


def test_points_of_a_paused_run_have_the_components_of_its_mixture(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.run.show.colours.SECONDS", 0.0)
    monkeypatch.setattr("workbench.run.show.colours.BLOCK_WORK", 1e6)
    runner = watched.start(replace(IRIS, colour=Colour(by="component")))
    watched.wait_for_state("finished")
    watched.wait(lambda: watched.frame is not None and not watched.frame.picture.n_outdated)
    assert watched.frame is not None
    picture = watched.frame.picture
    rows = runner.ask(lambda learner, _: next(learner.prepared.chunks()).values).result(PATIENCE)
    engine = runner.ask(lambda learner, _: learner.engine).result(PATIENCE)
    assert engine.n_components > 1
    assert picture.scheme == "components"
    assert picture.codes.tolist() == engine.ids[engine.responsibilities(rows).argmax(axis=1)].tolist()


def test_it_holds_right_after_a_birth_or_removal(watched: Watched) -> None:
    recipe = replace(IRIS, choices=Choices(Parameters(delta=0.2, beta=0.05, v_min=20, sp_min=2)))
    lines = run(recipe).log.lines()
    births = (np.flatnonzero(lines.born >= 0) + 1).tolist()
    runner = watched.start(recipe, pause_on=(True, False))
    for n_done in births[:3]:
        frame = watched.wait_for_state("paused", n_done)
        assert frame.latest is not None
        assert frame.latest.born is not None
        assert watched.messages[-1].text == f"Paused at sample {n_done:,}: #{frame.latest.born} born"
        runner.play()
    removals = (np.flatnonzero(np.diff(lines.n_components, prepend=0) - (lines.born >= 0) < 0) + 1).tolist()
    runner.set_pause_on(births=False, removals=True)
    watched.wait_for_state("paused", next(place for place in removals if place > births[2]))


def test_a_change_acts_from_the_next_sample_on_and_is_told(watched: Watched) -> None:
    runner = watched.start(IRIS, is_held=True)
    runner.run_to(60)
    watched.wait_for_state("paused", 60)
    runner.change(Parameters(beta=0.3))
    watched.wait(lambda: "changed" in watched.kinds())
    runner.play()
    frame = watched.wait_for_state("finished")
    assert frame.recipe.changes[0].sample == 60
    assert frame.census.parameters.beta == 0.3
    np.testing.assert_allclose(run(frame.recipe).model.means, frame.census.means, rtol=1e-12)


def test_held_out_rows_are_scored_when_a_run_holds(watched: Watched) -> None:
    watched.start(replace(IRIS, test_share=0.2))
    watched.wait(lambda: "held-out" in watched.kinds())
    told = watched.messages[-1]
    expected = run(replace(IRIS, test_share=0.2)).held_out
    assert expected is not None
    found = told.data["held_out"]
    assert found.n_rows == expected.n_rows == 30
    assert found.log_likelihood == pytest.approx(expected.log_likelihood)
    assert found.inputs_only == pytest.approx(expected.inputs_only)
    assert told.text.startswith("Held-out log-likelihood ")
    assert told.text.endswith(" inputs only (30 rows)")


def test_a_run_that_cannot_begin_says_why(watched: Watched) -> None:
    nothing = replace(IRIS, roles=dict.fromkeys(IRIS.dataset().table.names, "ignored"))
    runner = watched.start(nothing)
    watched.wait(lambda: "failed" in watched.kinds())
    assert "has no column in use" in watched.messages[-1].text
    assert "Traceback" in watched.messages[-1].details
    assert runner.state == "failed"
    with pytest.raises(ValueError, match="could not start"):
        runner.ask(lambda learner, log: None).result(PATIENCE)  # noqa: ARG005
    for command in (runner.play, runner.pause, runner.step, runner.stop):
        command()


def test_what_was_learned_before_a_failure_stays(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    runner = watched.start(IRIS, is_held=True)
    runner.run_to(40)
    watched.wait_for_state("paused", 40)

    def burst(*_: object) -> None:
        raise MemoryError("a larger matrix: 10 MB needed, 5 MB available")

    monkeypatch.setattr("figmn.engine.Engine.learn_recorded", burst)
    runner.play()
    frame = watched.wait_for_state("failed")
    assert frame.n_done == 40
    assert "10 MB needed" in watched.messages[-1].text
    assert runner.ask(lambda learner, log: log.n_kept).result(PATIENCE) == 40  # noqa: ARG005


@pytest.mark.parametrize("state", ["running", "paused", "slow"])
def test_it_answers_whatever_it_does(watched: Watched, state: str) -> None:
    """Neither the end of a pause nor the next sample, which is due in hours, is waited for."""
    speed = 1e-4 if state == "slow" else None
    runner = watched.start(ENDLESS, is_held=state == "paused", speed=speed)
    watched.wait(lambda: watched.frame is not None)
    for _ in range(5):
        runner.ask(lambda learner, log: None).result(PATIENCE)  # noqa: ARG005


def test_closing_ends_the_thread_whatever_it_does(watched: Watched) -> None:
    runner = watched.start(ENDLESS)
    asked = [runner.ask(lambda learner, log: log.n_kept) for _ in range(3)]  # noqa: ARG005
    runner.close()
    runner.join()
    assert not runner.is_alive
    assert all(answer.done() for answer in asked)


def test_a_speed_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr("workbench.run.learn.runner.time.perf_counter", lambda: now)
    pace = Pace(10.0)
    assert pace.due() == 1  # the first at once
    pace.learned(1)
    assert pace.due() == 0
    assert pace.wait() == pytest.approx(0.1)
    now = 0.35
    assert pace.due() == 3
    pace.learned(3)
    assert pace.due() == 0
    now = 100.0
    assert pace.due() == 1  # what could not be learned in time is not made up for
    assert Pace(None).due() > 1000


def test_frames_that_nobody_takes_are_not_made(watched: Watched) -> None:
    runner = watched.start(ENDLESS)
    wait_until(lambda: watched.mailbox.is_waiting)
    first = runner.ask(lambda learner, log: learner.n_done).result(PATIENCE)  # noqa: ARG005
    wait_until(lambda: runner.ask(lambda learner, log: learner.n_done).result(PATIENCE) >= first + 5000)  # noqa: ARG005
    frame = watched.mailbox.take_frame()
    assert frame is not None
    assert frame.n_done <= first


def test_a_sample_that_is_over_is_not_run_to_for_ever(watched: Watched) -> None:
    runner = watched.start(ENDLESS)
    watched.wait(lambda: watched.frame is not None and watched.frame.n_done > 10)
    runner.run_to(5)
    frame = watched.wait_for_state("paused")
    assert watched.messages[-1].text == f"Paused at sample {frame.n_done:,}: sample 5 was already learned"


def test_a_picture_that_fails_is_told_once(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("no picture")

    monkeypatch.setattr("workbench.run.learn.runner.picture", broken)
    runner = watched.start(IRIS)
    watched.wait(lambda: runner.state == "failed")
    for _ in range(3):  # every answer is a turn of its loop, in which it would fail again
        runner.ask(lambda learner, log: None).result(PATIENCE)  # noqa: ARG005
    watched.look()
    assert 1 <= watched.kinds().count("failed") <= 2  # the run's own, and that of the frame that would show it


def test_a_late_frame_of_an_earlier_run_gives_way(watched: Watched) -> None:
    first = watched.start(IRIS)
    early = watched.wait_for_state("finished")
    first.close()
    watched.start(IRIS)
    wait_until(lambda: watched.mailbox.is_waiting)
    watched.mailbox.show(early)
    newest = watched.mailbox.take_frame()
    assert newest is not None
    assert newest.run == 2


def test_the_time_of_a_pause_does_not_count_in_the_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr("workbench.run.learn.runner.time.perf_counter", lambda: now)
    rate = Rate()
    now = 60.0
    rate.start()
    now = 60.5
    rate.learned(100)
    assert rate.now() == pytest.approx(200)


def test_a_run_is_no_faster_than_its_speed(watched: Watched) -> None:
    began = time.monotonic()
    watched.start(ENDLESS, speed=200.0)
    watched.wait(lambda: watched.frame is not None and watched.frame.n_done >= 100)
    assert watched.frame is not None
    assert watched.frame.n_done <= 200 * (time.monotonic() - began) + 1


def test_a_run_that_rests_learns_nothing_until_that_is_over(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.run.rest.LONGEST", PATIENCE)
    runner = watched.start(ENDLESS)
    watched.wait(lambda: watched.frame is not None and watched.frame.n_done > 0)
    rest = runner.rest()
    assert rest.began.wait(PATIENCE)
    first, second = (runner.ask(lambda learner, _: learner.n_done) for _ in range(2))
    assert not first.done()
    rest.end()
    assert first.result(PATIENCE) == second.result(PATIENCE)
    watched.wait(lambda: watched.frame is not None and watched.frame.n_done > first.result())


def test_a_rest_that_nobody_ends_is_over_by_itself(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.run.rest.LONGEST", 0.0)
    runner = watched.start(ENDLESS)
    runner.rest()
    assert runner.ask(lambda learner, _: learner.n_done).result(PATIENCE) >= 0


def test_the_plane_of_a_tour_turns_whether_samples_come_or_not(watched: Watched) -> None:
    runner = watched.start(IRIS, plane=Plane("tour"), tour_speed=1.0)
    frame = watched.wait_for_state("finished", 150)
    seen = {frame.picture.labels}

    def look() -> bool:
        assert watched.frame is not None
        assert watched.frame.picture.plane.kind == "tour"
        seen.add(watched.frame.picture.labels)
        return len(seen) > 5

    watched.wait(look)
    # It stands still at once, and turns no more.
    runner.set_tour_speed(0.0)
    runner.ask(lambda learner, _: learner.n_done).result()
    watched.look()
    still = watched.frame
    runner.ask(lambda learner, _: learner.n_done).result()
    watched.look()
    assert watched.frame is still
    runner.set_plane(Plane("columns", 2, 3))
    watched.wait(lambda: watched.frame is not None and watched.frame.picture.labels == ("petallength", "petalwidth"))
