"""Times per sample over the stream: labelled at their ends, and read at any sample."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from pytestqt.qtbot import QtBot

from tests.workbench import frames, race_frames
from tests.workbench.race_clock import clock, clocks
from workbench.pages.race.curves import AIR, LABEL, RaceCurves, label_rooms
from workbench.run.race.frame import RaceFrame
from workbench.views.look.theme import LIGHT

AREA = QRectF(50, 0, 400, 100)


@pytest.fixture(scope="module")
def race() -> RaceFrame:
    """150 samples in ten pieces of 15; the cubic engine has three pieces."""
    return race_frames.race_frame(
        frames.iris(),
        n_pieces=10,
        lag=7,
        stopwatches=(clock(137.0), clocks(200_000.0, 400_000.0, 331_000.0)),
        delta=0.8,
        beta=0.1,
        state="paused",
    )


@pytest.fixture
def view(qtbot: QtBot) -> RaceCurves:
    view = RaceCurves()
    qtbot.addWidget(view)
    view.set_theme(LIGHT)
    view.resize(800, 180)
    view.show()
    qtbot.waitExposed(view)
    return view


def test_curves_are_labelled_at_their_ends(view: RaceCurves, race: RaceFrame) -> None:
    view.show_frame(race)
    assert view.plot.item.labels() == ["Fast IGMN, 137 µs", "IGMN, 331 ms"]


def test_one_axis_holds_both_and_the_whole_stream(view: RaceCurves, race: RaceFrame) -> None:
    view.show_frame(race)
    across, up = view.plot.plot.view.seen()
    assert across == (0, 150)
    assert up == pytest.approx([2 - AIR, 6 + AIR])


def test_a_stream_without_end_is_as_long_as_the_faster_is_far(view: RaceCurves, race: RaceFrame) -> None:
    view.show_frame(replace(race, n_total=None))
    assert view.plot.plot.view.seen()[0] == (0, 150)


def test_the_pointer_reads_both_times(view: RaceCurves, race: RaceFrame) -> None:
    view.show_frame(race)
    view.grab()
    for sample, wanted in ((20, ["sample 20", "Fast IGMN 137 µs", "IGMN 400 ms"]), (90, ["sample 90", "IGMN –"])):
        place = view.plot.plot.view.scene_place(sample, 4)
        view.plot.scene().sigMouseMoved.emit(place)
        readings = view.plot.item.readings()
        assert set(wanted) <= set(readings)
    assert view.plot.grab().toImage() != _without_reading(view)


def _without_reading(view: RaceCurves) -> object:
    view.plot.item.read(None)
    assert view.plot.item.readings() == []
    return view.plot.grab().toImage()


def test_the_arrows_read_as_well(qtbot: QtBot, view: RaceCurves, race: RaceFrame) -> None:
    view.show_frame(race)
    qtbot.keyClick(view.plot, Qt.Key.Key_Left)
    assert view.plot.item.sample == 150
    qtbot.keyClick(view.plot, Qt.Key.Key_Left)
    assert view.plot.item.sample == 149
    for _ in range(5):
        qtbot.keyClick(view.plot, Qt.Key.Key_Right)
    assert view.plot.item.sample == 150
    qtbot.keyClick(view.plot, Qt.Key.Key_Escape)
    assert view.plot.item.sample is None


def test_an_engine_without_a_time_has_no_curve(view: RaceCurves) -> None:
    first = next(race_frames.race_frames(frames.iris(), n_pieces=150, lag=10, delta=0.8, beta=0.1))
    view.show_frame(first)
    (label,) = view.plot.item.labels()
    assert label.startswith("Fast IGMN, ")
    view.grab()
    view.clear()
    assert view.plot.item.labels() == []


def test_a_rare_surprise_does_not_flatten_the_curves(view: RaceCurves, race: RaceFrame) -> None:
    times = np.full(200, 137.0)
    times[7] = 5e8
    timeline = replace(race.lanes[0].timeline, samples=np.arange(1, 201), microseconds=times)
    lane = replace(race.lanes[0], timeline=timeline)
    view.show_frame(replace(race, lanes=(lane, lane)))
    assert view.plot.plot.view.seen()[1] == pytest.approx([2 - AIR, 3 + AIR])


@pytest.mark.parametrize("ends", [((100.0, 50.0), (100.0, 55.0)), ((449.0, 50.0), (449.0, 46.0)), ((449.0, 2.0),) * 2])
def test_labels_do_not_cover_each_other(ends: tuple[tuple[float, float], ...]) -> None:
    one, other = label_rooms([QPointF(*end) for end in ends], [100.0, 80.0], AREA)
    assert not one.intersects(other)
    for room in (one, other):
        assert AREA.contains(room)
        assert room.height() == LABEL


def test_three_labels_at_one_place_stand_below_each_other() -> None:
    rooms = label_rooms([QPointF(449.0, 50.0)] * 3, [100.0, 80.0, 90.0], AREA)
    for position, room in enumerate(rooms):
        assert AREA.contains(room)
        assert not any(room.intersects(other) for other in rooms[:position])


@pytest.mark.parametrize("n_samples", [1, 2, 3, 150, 1_000_000])
def test_there_is_no_half_of_a_sample(view: RaceCurves, n_samples: int) -> None:
    marks = view.plot.plot.bottom.marks(0, n_samples, 900).values
    assert marks
    assert all(mark == int(mark) for mark in marks)
