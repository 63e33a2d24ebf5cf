"""The figures between the panes, in units that people read, and the word that they were painted."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtGui import QColor, QFontMetricsF
from pytestqt.qtbot import QtBot

from tests.workbench import frames, race_frames
from tests.workbench.hands import wait
from workbench.pages.race.figures import RaceFigures
from workbench.pages.race.words import call_note
from workbench.run.race.frame import Figures, RaceFrame, Split
from workbench.views.look.theme import LIGHT

FAST = Figures(333, 7, 137.2, 420.6, 0.0162, 0.0158, 20_700_000, 64)
CUBIC = Figures(9, 2, 330_652.0, 401_000.0, 3.05, 3.04, 1_320_000_000, 1)


@pytest.fixture(scope="module")
def race() -> RaceFrame:
    return race_frames.race_frame(frames.iris(), n_pieces=10, delta=0.8, beta=0.1)


def with_figures(frame: RaceFrame, fast: Figures = FAST, cubic: Figures = CUBIC, **others: Any) -> RaceFrame:
    """The engines' times over the samples that both have learned are as even as can be."""
    count = min(fast.n_done, cubic.n_done)
    spent = [figures.engine_seconds * count / max(1, figures.n_done) for figures in (fast, cubic)]
    others = {"split": Split(count, tuple(spent))} | others
    lanes = [replace(lane, figures=figures) for lane, figures in zip(frame.lanes, (fast, cubic), strict=True)]
    return replace(frame, lanes=tuple(lanes), **others)


@pytest.fixture
def view(qtbot: QtBot) -> RaceFigures:
    view = RaceFigures()
    qtbot.addWidget(view)
    view.show()
    qtbot.waitExposed(view)
    return view


def test_the_figures_of_both_engines(view: RaceFigures, race: RaceFrame) -> None:
    view.show_frame(with_figures(race))
    assert view.speed_up() == "6,966×"
    assert view.medians() == "ratio of medians 2,410×"
    assert view.rows() == [
        ("samples", "333", "9"),
        ("µs median", "137", "330,652"),
        ("µs p99", "421", "401,000"),
        ("engine time", "0.0162 s", "3.05 s"),
        ("CPU time", "0.0158 s", "3.04 s"),
        ("K", "7", "2"),
        ("memory", "20.7 MB", "1.32 GB"),
    ]
    assert "speed-up, first 9 samples: 6,966×" in view.accessibleDescription()


def test_nothing_is_made_up_before_both_have_a_time(view: RaceFigures, race: RaceFrame) -> None:
    view.show_frame(with_figures(race, cubic=replace(CUBIC, n_done=0, median=math.nan, p99=math.nan)))
    assert view.speed_up() == "–"
    assert view.rows()[1] == ("µs median", "137", "–")


def test_the_colour_of_the_speed_up_is_that_of_the_faster(view: RaceFigures, race: RaceFrame) -> None:
    def inks() -> set[str]:
        image = view.grab().toImage()
        middle = range(view.width() // 4, 3 * view.width() // 4)
        return {QColor(image.pixel(x, y)).name() for x in middle for y in range(16, 50)}

    view.set_theme(LIGHT)
    view.show_frame(with_figures(race))
    assert LIGHT.accent in inks()
    view.show_frame(with_figures(race, fast=CUBIC, cubic=FAST))
    assert LIGHT.cubic in inks()
    assert LIGHT.accent not in inks()


def test_tells_when_a_frame_was_painted(qtbot: QtBot, view: RaceFigures, race: RaceFrame) -> None:
    for number in range(3):
        with qtbot.waitSignal(view.painted):
            view.show_frame(with_figures(race, fast=replace(FAST, n_done=number)))


def test_a_painting_without_a_frame_is_no_news(qtbot: QtBot, view: RaceFigures, race: RaceFrame) -> None:
    with qtbot.waitSignal(view.painted):
        view.show_frame(race)
    with qtbot.assertNotEmitted(view.painted):
        view.grab()
        wait(qtbot, lambda: not view._told.isActive())


def test_what_cannot_be_seen_needs_no_painting(qtbot: QtBot, view: RaceFigures, race: RaceFrame) -> None:
    view.hide()
    with qtbot.waitSignal(view.painted):
        view.show_frame(race)


@pytest.mark.parametrize(
    ("fast", "cubic"),
    [
        (replace(FAST, n_done=500, engine_seconds=0.0539), replace(CUBIC, n_done=500, engine_seconds=5.60)),
        (replace(FAST, n_done=1500, engine_seconds=5.61), replace(CUBIC, n_done=37, engine_seconds=5.60)),
        (replace(FAST, n_done=3, engine_seconds=0.5), replace(CUBIC, n_done=3, engine_seconds=0.4)),
    ],
)
def test_the_speed_up_is_the_ratio_of_the_times_under_it(
    view: RaceFigures, race: RaceFrame, fast: Figures, cubic: Figures
) -> None:
    view.show_frame(with_figures(race, fast, cubic, n_total=1500))
    units = {"s": 1.0, "ms": 1e-3, "µs": 1e-6}
    slow, quick = (float(n) * units[unit] for n, unit in re.findall(r"([\d.]+) (s|ms|µs)", view.basis()))
    assert float(view.speed_up().rstrip("×").replace(",", "")) == pytest.approx(slow / quick, rel=0.01)


def test_says_of_which_samples_the_speed_up_is(view: RaceFigures, race: RaceFrame) -> None:
    ahead, behind = replace(FAST, n_done=1500), replace(CUBIC, n_done=12)
    view.show_frame(with_figures(race, ahead, behind, n_total=1500))
    assert view.heading() == "speed-up, first 12 samples"
    view.show_frame(with_figures(race, ahead, replace(behind, n_done=1500), n_total=1500))
    assert view.heading() == "speed-up, all 1,500 samples"
    assert {view.heading(), view.basis(), view.medians()} <= set(re.split(r": [\d,.]+× \(|; |\)\n", view.words()))
    view.show_frame(with_figures(race, ahead, replace(behind, n_done=0), n_total=1500))
    assert (view.heading(), view.speed_up(), view.basis()) == ("speed-up", "–", "engine time, IGMN ÷ Fast IGMN")


@pytest.mark.parametrize("count", [37, 1_000_000])
def test_the_words_of_the_speed_up_have_room(view: RaceFigures, race: RaceFrame, count: int) -> None:
    slow = replace(CUBIC, n_done=count, engine_seconds=123_456.7)
    view.show_frame(with_figures(race, replace(FAST, n_done=2 * count), slow, n_total=None))
    measured = QFontMetricsF(view._small)
    for words in (view.heading(), view.basis(), view.medians()):
        assert measured.horizontalAdvance(words) <= view.sizeHint().width(), words


def test_one_call_has_no_median(race: RaceFrame) -> None:
    one = replace(FAST, n_done=150, chunk=150), replace(CUBIC, n_done=150, chunk=150)
    assert call_note(with_figures(race, *one)) == "one call each: median = p99 = its mean"
    assert call_note(with_figures(race, one[0], replace(one[1], chunk=64))) == ""


def test_the_published_rule_is_mentioned(race: RaceFrame) -> None:
    census = race.lanes[1].census
    published = replace(census, parameters=replace(census.parameters, covariance="published"))
    found = call_note(replace(race, lanes=(race.lanes[0], replace(race.lanes[1], census=published))))
    assert found.startswith("published rule")


@pytest.mark.parametrize(
    ("chunk", "n_columns", "note"),
    [(1, 4, "calls of 1 sample"), (32, 161, "calls of 32 samples"), (32, 160, ""), (64, 3072, ""), (0, 3072, "")],
)
def test_calls_of_few_samples_are_mentioned(race: RaceFrame, chunk: int, n_columns: int, note: str) -> None:
    columns = tuple(f"x{number}" for number in range(n_columns))
    found = call_note(with_figures(race, fast=replace(FAST, chunk=chunk), columns=columns))
    assert found.startswith(note)
    assert bool(found) == bool(note)
