"""A race: two engines, one stream, figures by a clock of the test's, and commands that are heard at once."""

from __future__ import annotations

import csv
import io
import json
import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from figmn import Parameters, Record
from tests.waiting import PATIENCE, wait_until
from tests.workbench.frames import iris
from tests.workbench.race_clock import clock
from tests.workbench.race_frames import race_frame
from workbench.run import Choices, Plane, Recipe, SampleOrigin
from workbench.run.learn.learner import Stopwatch
from workbench.run.race.frame import Divergence, RaceFrame, Split
from workbench.run.race.headless import race, recipe_of
from workbench.run.race.race import Race
from workbench.run.race.settings import RaceSettings
from workbench.run.race.texts import as_csv, as_json, as_text
from workbench.run.show.mailbox import Mailbox
from workbench.source import samples


class Track:
    """A race that is watched."""

    def __init__(self, settings: RaceSettings, form: Choices = Choices(), **options: Any) -> None:  # noqa: B008
        self.mailbox: Mailbox[RaceFrame] = Mailbox()
        self.race = Race(7, lambda: recipe_of(settings, form, None), settings, self.mailbox, **options)
        self.frame: RaceFrame | None = None
        self.texts: list[tuple[str, str]] = []

    def until(self, holds: Callable[[RaceFrame], bool]) -> RaceFrame:
        wait_until(lambda: self.frame is not None and holds(self.frame), self.look, lambda: (self.frame, self.texts))
        assert self.frame is not None
        return self.frame

    def look(self) -> None:
        taken = self.mailbox.take_frame()
        if taken is not None:
            self.frame = taken
            self.race.painted()
        self.texts += [(message.kind, message.text) for message in self.mailbox.take_messages()]


@pytest.fixture
def track() -> Iterator[Callable[..., Track]]:
    tracks: list[Track] = []

    def make(settings: RaceSettings, **options: Any) -> Track:
        tracks.append(Track(settings, **options))
        return tracks[-1]

    yield make
    for one in tracks:
        one.race.close()
        one.race.join()


def small(**changes: Any) -> RaceSettings:
    return RaceSettings(**{"n_features": 5, "n_rows": 600} | changes)


# Figures


@pytest.mark.parametrize("mode", ["clock", "sample"])
@pytest.mark.parametrize("takes_turns", [True, False])
def test_every_figure_is_that_of_the_clock(mode: Any, takes_turns: bool) -> None:
    settings = small(mode=mode, takes_turns=takes_turns)
    dataset, recipe = recipe_of(settings, Choices(), None)
    frame = race(recipe, settings, dataset=dataset, stopwatches=(clock(2.0), clock(50.0, 0.5)))
    fast, cubic = frame.lanes[0].figures, frame.lanes[1].figures
    assert (frame.state, frame.n_done, frame.n_total) == ("finished", 600, 600)
    assert (fast.median, fast.p99, cubic.median, cubic.p99) == pytest.approx((2.0, 2.0, 50.0, 50.0))
    assert (fast.engine_seconds, fast.cpu_seconds) == pytest.approx((0.0012, 0.0012))
    assert (cubic.engine_seconds, cubic.cpu_seconds) == pytest.approx((0.03, 0.015))
    assert frame.speed_up == pytest.approx(25.0)
    assert fast.n_components == cubic.n_components == 1
    assert fast.n_bytes > 8 * 25
    assert cubic.n_bytes > 8 * 25
    assert np.allclose(frame.lanes[1].timeline.microseconds, 50.0)
    assert frame.seconds_left == 0.0


@pytest.mark.parametrize("mode", ["clock", "sample"])
def test_the_speed_up_is_the_ratio_of_the_times_beside_it(mode: Any) -> None:
    settings = small(mode=mode)
    dataset, recipe = recipe_of(settings, Choices(), None)
    frame = race(recipe, settings, dataset=dataset, stopwatches=(clock(2.0, first=600.0), clock(50.0)))
    fast, cubic = frame.lanes[0].figures.engine_seconds, frame.lanes[1].figures.engine_seconds
    assert (fast, cubic) == pytest.approx((0.0018, 0.03))
    assert frame.split == Split(600, (fast, cubic))
    assert frame.speed_up == cubic / fast == pytest.approx(16.67, abs=0.01)
    assert abs(frame.median_ratios[0] - frame.speed_up) > 1, "a first sample that takes long tells both apart"
    shown = re.search(r"speed-up ([\d.]+) over all 600 samples: ([\d.]+) s / ([\d.]+) s engine time", as_text(frame))
    assert shown is not None
    assert float(shown[1]) == pytest.approx(float(shown[2]) / float(shown[3]), rel=0.01)
    written = json.loads(as_json(frame, {}))
    times = written["same_samples"]
    assert written["speed_up"] == times["cubic_seconds"] / times["fast_seconds"]
    last = {row["engine"]: float(row["engine_seconds"]) for row in csv.DictReader(io.StringIO(as_csv(frame)))}
    assert list(last.values()) == pytest.approx([fast, cubic])


def test_by_the_same_clock_the_speed_up_is_of_the_samples_that_both_have_learned() -> None:
    """The fast engine is far ahead when the race is stopped; its time for later samples counts for nothing."""
    settings = small(n_rows=200_000)
    dataset, recipe = recipe_of(settings, Choices(), None)
    watches = (clock(20.0), clock(5000.0))
    frame = race(recipe, settings, lambda done, total: done < 5, dataset=dataset, stopwatches=watches)  # noqa: ARG005
    fast, cubic = frame.lanes[0].figures, frame.lanes[1].figures
    assert frame.state == "stopped"
    assert frame.split.n_samples == cubic.n_done < fast.n_done
    assert frame.split.seconds[1] == cubic.engine_seconds
    assert frame.split.seconds[0] == pytest.approx(20e-6 * cubic.n_done) != fast.engine_seconds
    assert frame.speed_up == pytest.approx(250.0)
    assert f"speed-up 250.0 over the first {cubic.n_done:,} samples" in as_text(frame)


def test_who_has_used_less_time_is_next() -> None:
    """By the same clock the slower falls behind: when the fast one is through, the slow one has had as much time."""
    settings, left = small(n_rows=2000), []

    def watch(done: int, total: int) -> bool:
        left.append((done, total))
        return True

    order: list[str] = []

    def noting(name: str, stopwatch: Stopwatch) -> Stopwatch:
        def time_it(learn: Callable[[], Record]) -> Record:
            record = stopwatch(learn)
            order.extend([name] * len(record.born))
            return record

        return time_it

    dataset, recipe = recipe_of(settings, Choices(), None)
    race(recipe, settings, watch, dataset=dataset,
         stopwatches=(noting("fast", clock(10.0)), noting("cubic", clock(1000.0))))  # fmt: skip
    fast_is_through = max(place for place, name in enumerate(order) if name == "fast")
    behind = order[:fast_is_through].count("cubic")
    assert behind < 200, "it had about 20 ms, which is 20 samples, and the chunk that it had begun"
    assert order.count("cubic") == order.count("fast") == 2000


def test_in_the_same_sample_mode_the_faster_waits() -> None:
    settings = small(mode="sample", n_rows=2000)
    ahead: list[int] = []
    done = {"fast": 0, "cubic": 0}

    def noting(name: str, stopwatch: Stopwatch) -> Stopwatch:
        def time_it(learn: Callable[[], Record]) -> Record:
            record = stopwatch(learn)
            done[name] += len(record.born)
            ahead.append(done["fast"] - done["cubic"])
            return record

        return time_it

    dataset, recipe = recipe_of(settings, Choices(), None)
    frame = race(recipe, settings, dataset=dataset,
                 stopwatches=(noting("fast", clock(1.0)), noting("cubic", clock(10_000.0))))  # fmt: skip
    assert ahead.count(0) > 5, "they meet again and again"
    assert ahead[-1] == 0
    assert frame.parities[0].n_checked == 2000


# Parity


@pytest.mark.parametrize("rule", ["exact", "published"])
@pytest.mark.parametrize("name", [one.name for one in samples()])
def test_parity_stays_green_on_every_bundled_set(name: str, rule: str) -> None:
    """With the workbench's own defaults and with the paper's values; of many columns only the first rows."""
    dataset = Recipe(SampleOrigin(name)).dataset()
    is_wide = len(dataset.table.columns) > 200
    for values in ("form", "paper"):
        settings = RaceSettings(source="data", mode="sample", values=values)
        recipe = recipe_of(settings, Choices(Parameters(covariance=rule)), dataset)[1]
        short = replace(recipe, n_samples=40 if is_wide else 1000)
        frame = race(short, settings, dataset=dataset)
        parity = frame.parities[0]
        assert frame.state == "finished"
        assert parity.divergence is None
        assert parity.n_compared == parity.n_checked == frame.n_total
        assert parity.counts is not None
        assert parity.counts[0] == parity.counts[1] > 0
        assert parity.differences is not None
        assert parity.differences.worst <= 1e-8
        assert parity.level == "good"
        assert bool(parity.sampled) == is_wide


# Commands


def test_stop_is_heard_inside_of_a_step(track: Callable[..., Track]) -> None:
    """The step goes on behind the scenes; the frame that says stopped does not wait for it."""
    inside, may_end = threading.Event(), threading.Event()

    def endless(learn: Callable[[], Record]) -> Record:
        inside.set()
        assert may_end.wait(PATIENCE)
        return learn()

    one = track(small(), stopwatches=(clock(1.0), endless))
    assert inside.wait(PATIENCE)
    one.race.stop()
    frame = one.until(lambda frame: frame.state == "stopped")
    assert not may_end.is_set()
    assert frame.lanes[1].figures.n_done == 0
    may_end.set()
    later = one.until(lambda frame: frame.lanes[1].figures.n_done > 0)
    assert later.state == "stopped"


def test_step_holds_both_at_the_same_sample(track: Callable[..., Track]) -> None:
    one = track(small(), is_held=True)
    one.until(lambda frame: frame.state == "paused")
    one.race.step()
    frame = one.until(lambda frame: frame.state == "paused" and frame.n_done == 1)
    assert frame.lanes[0].figures.n_done == frame.lanes[1].figures.n_done == 1
    one.race.run_to(40)
    frame = one.until(lambda frame: frame.state == "paused" and frame.n_done == 40)
    assert frame.lanes[0].figures.n_done == 40
    assert one.until(lambda frame: frame.parities[0].n_checked == 40).level == "good"
    one.race.play()
    assert one.until(lambda frame: frame.state == "finished").n_done == 600


def test_the_plane_can_be_changed_while_it_runs_and_afterwards(track: Callable[..., Track]) -> None:
    one = track(small())
    one.race.set_plane(Plane("columns", 2, 3))
    one.until(lambda frame: frame.state == "finished" and frame.lanes[0].picture.plane == Plane("columns", 2, 3))
    one.race.set_plane(Plane("columns", 0, 4))
    frame = one.until(lambda frame: frame.lanes[1].picture.plane == Plane("columns", 0, 4))
    assert frame.lanes[0].picture.plane == frame.lanes[1].picture.plane


def test_a_speed_is_a_limit(track: Callable[..., Track]) -> None:
    one = track(small(n_rows=100_000), speed=200.0)
    frame = one.until(lambda frame: frame.n_done >= 20)
    assert frame.lanes[0].figures.n_done < 2_000
    one.race.set_speed(None)
    assert one.until(lambda frame: frame.state == "finished").n_done == 100_000


def test_close_in_the_middle(track: Callable[..., Track]) -> None:
    one = track(small(n_features=300, n_rows=100_000))
    one.until(lambda frame: frame.lanes[0].figures.n_done > 0)
    one.race.close()
    one.race.join()
    assert not one.race.is_alive


def test_what_cannot_be_is_told(track: Callable[..., Track]) -> None:
    one = track(small(source="data"))
    assert one.race.settled.wait(PATIENCE)
    (message,) = one.mailbox.take_messages()
    assert message.kind == "failed"
    assert "synthetic Gaussian" in message.text


# In writing


def test_the_texts_say_what_was_measured() -> None:
    settings = small(n_rows=100)
    dataset, recipe = recipe_of(settings, Choices(), None)
    frame = race(recipe, settings, dataset=dataset, stopwatches=(clock(2.0), clock(50.0)))
    text = as_text(frame)
    assert "speed-up 25.0" in text
    assert "IGMN (Cholesky)" in text
    assert "parity holds: the same decisions over 100 samples" in text
    assert '"speed_up": 25.0' in as_json(frame, {"CPU": "this one"})
    lines = as_csv(frame).splitlines()
    assert lines[0] == "engine,samples,us_per_sample,engine_seconds,K,births,removals,mergers"
    assert lines[1] == "Fast IGMN,1,2.0,2e-06,1,1,0,0"
    assert len(lines) == 201


def test_samples_count_from_1_in_every_export() -> None:
    """The JSON counted them from 0, the texts from 1."""
    frame = race_frame(iris(), n_pieces=4)
    found = Divergence(1203, (12.0001, 11.9998), 12.0, ("#3 born", "learned"))
    frame = replace(frame, parities=(replace(frame.parities[0], divergence=found),))
    assert json.loads(as_json(frame, {}))["parity"]["divergence"]["sample"] == 1204
    assert "sample 1,204," in as_text(frame)
