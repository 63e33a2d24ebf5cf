"""The past of a run as lines over one axis, and the numbers that are read from them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QHelpEvent, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton, QToolTip
from pytestqt.qtbot import QtBot

from tests.workbench import frames
from tests.workbench.hands import find, wait
from workbench.pages.stream.timeline_drawing import counts_of
from workbench.pages.stream.timelines import LEFT, Timelines
from workbench.run.show.drift import ComponentChange, Drift
from workbench.run.show.frame import Frame
from workbench.views.look.theme import DARK, LIGHT
from workbench.views.plots.track import binned, count_scale, line, linear_scale, log_scale

K, TIME, LIKELIHOOD, LOST = (
    "components K",
    "µs per sample (log), chunk mean",
    "log-likelihood before learning",
    "indefinite updates per piece",
)


@pytest.fixture(scope="module")
def frame() -> Frame:
    return frames.frame(frames.births_and_deaths(60))


@pytest.fixture(scope="module")
def published() -> Frame:
    return frames.frame(frames.iris(), covariance="published", delta=0.1, beta=1e-6)


@pytest.fixture
def view(qtbot: QtBot) -> Timelines:
    view = Timelines()
    qtbot.addWidget(view)
    view.set_theme(LIGHT)
    view.resize(720, 260)
    view.show()
    qtbot.waitExposed(view)
    return view


def image_of(view: Timelines) -> QImage:
    return view.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)


def pixels(image: QImage, name: str) -> np.ndarray:
    """Row and column of every pixel of a colour."""
    numbers = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), image.width())
    return np.argwhere(numbers == QColor(name).rgb())


def test_the_latest_values_are_read(view: Timelines, frame: Frame) -> None:
    view.show_frame(frame)
    past = frame.timeline
    readings = view.readings()
    assert list(readings) == [K, TIME, LIKELIHOOD]
    assert readings[K] == str(past.n_components[-1]) == str(frame.census.n_components)
    assert float(readings[TIME].removesuffix(" µs").replace(",", "")) == pytest.approx(past.microseconds[-1], rel=0.01)
    assert float(readings[LIKELIHOOD].replace("−", "-")) == pytest.approx(past.log_likelihoods[-1], rel=1e-3)


def test_definiteness_is_only_followed_where_it_can_be_lost(view: Timelines, frame: Frame, published: Frame) -> None:
    view.show_frame(frame)
    usual = view.sizeHint().height()
    view.show_frame(published)
    assert list(view.readings())[-1] == LOST
    assert view.sizeHint().height() > usual
    lost = int(np.flatnonzero(published.timeline.indefinite)[0])
    assert view.readings(lost)[LOST] == str(published.timeline.indefinite[lost])


def test_before_there_was_a_mixture_there_is_no_likelihood(view: Timelines, frame: Frame) -> None:
    view.show_frame(frame)
    assert np.isnan(frame.timeline.log_likelihoods[0])
    assert view.readings(0)[LIKELIHOOD] == "–"


def test_births_removals_and_mergers_are_marked(view: Timelines, frame: Frame) -> None:
    assert frame.n_births > 0
    past = frame.timeline
    once = 0 * past.births
    quiet = replace(past, births=once.copy(), removals=once.copy(), merges=once.copy())
    once[30] = 5
    marked = (
        (replace(quiet, births=once), LIGHT.accent),
        (replace(quiet, removals=once), LIGHT.cubic),
        (replace(quiet, merges=once), LIGHT.muted),
    )
    for timeline, ink in marked:
        view.show_frame(replace(frame, timeline=quiet))
        before = len(pixels(image_of(view), ink))
        view.show_frame(replace(frame, timeline=timeline))
        assert len(pixels(image_of(view), ink)) > before


def test_drifts_are_marked_and_explained(view: Timelines, frame: Frame) -> None:
    changes = (ComponentChange(3, {"moved": "by 1.2 σ in '<b>x</b>'"}),)
    drift = Drift(29, 25, 2.0, 5.0).named((20, 60), changes)
    watched = replace(frame, recipe=frame.recipe.watching_drift())
    view.show_frame(watched)
    before = pixels(image_of(view), LIGHT.warning)
    view.show_frame(replace(watched, drifts=(drift,)))
    marked = pixels(image_of(view), LIGHT.warning)
    assert len(marked) > len(before) + 50, "a line through all plots"
    middle = LEFT + (view.width() - LEFT - 16) / 2
    added = marked[marked[:, 0] > 60]
    assert abs(np.median(added[:, 1]) - middle) <= 2
    assert view.drift_words(middle) == (
        "Sample 30: drift since about sample 26. Samples are less likely than before: −log p 2.000 → 5.000.\n"
        "From sample 20 to 60: #3 moved by 1.2 σ in '<b>x</b>'."
    )
    assert view.drift_words(middle + 30) == ""
    place = QPoint(int(middle), 100)
    QApplication.sendEvent(view, QHelpEvent(QEvent.Type.ToolTip, place, view.mapToGlobal(place)))
    assert QToolTip.text() == view.drift_words(middle)
    QToolTip.hideText()


def test_drifts_are_counted_where_they_are_looked_for(frame: Frame) -> None:
    assert list(counts_of(frame)) == ["births", "removals"]
    assert counts_of(replace(frame, n_merges=1200))["mergers"] == "mergers 1,200"
    watched = replace(frame, recipe=frame.recipe.watching_drift())
    assert counts_of(watched)["drifts"] == "drifts 0"
    assert counts_of(replace(watched, drifts=(Drift(29, 25, 2.0, 5.0),)))["drifts"] == "drifts 1"


def test_the_line_of_the_components_ends_at_the_right(view: Timelines, frame: Frame) -> None:
    past = frame.timeline
    nothing = 0 * past.births
    view.show_frame(replace(frame, timeline=replace(past, births=nothing, removals=nothing)))
    columns = pixels(image_of(view), LIGHT.accent)[:, 1]
    assert columns.min() <= LEFT + 20
    assert columns.max() >= view.width() - 20


def test_the_pointer_reads_the_past(qtbot: QtBot, view: Timelines, frame: Frame) -> None:
    view.show_frame(frame)
    before = image_of(view)
    QTest.mouseMove(view, QPointF(LEFT + (view.width() - LEFT) / 2, 100).toPoint())
    wait(qtbot, lambda: view._cursor is not None)
    assert view._cursor is not None
    assert abs(view._cursor - 30) <= 2
    assert image_of(view) != before
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert view._cursor is None


def test_arrows_read_piece_by_piece(qtbot: QtBot, view: Timelines, frame: Frame) -> None:
    view.show_frame(frame)
    qtbot.keyClick(view, Qt.Key.Key_Left)
    assert view._cursor == 59
    qtbot.keyClick(view, Qt.Key.Key_Left)
    assert view._cursor == 58
    for _ in range(3):
        qtbot.keyClick(view, Qt.Key.Key_Right)
    assert view._cursor == 59


def test_a_shorter_past_does_not_lose_the_cursor(view: Timelines, frame: Frame) -> None:
    view.show_frame(frame)
    view._set_cursor(59)
    first = next(frames.frames(frames.births_and_deaths(100), n_pieces=100))
    view.show_frame(first)
    assert not image_of(view).isNull()


def test_one_piece_and_none_are_drawn(view: Timelines, frame: Frame) -> None:
    first = next(frames.frames(frames.births_and_deaths(100), n_pieces=100))
    view.show_frame(first)
    assert len(pixels(image_of(view), LIGHT.accent)) > 100, "a line from the start"
    past = first.timeline
    names = ("samples", "n_components", "births", "removals", "microseconds", "log_likelihoods", "indefinite")
    nothing = {name: getattr(past, name)[:0] for name in names}
    view.show_frame(replace(frame, timeline=replace(past, **nothing)))
    assert view.readings() == {}
    image_of(view)
    view.clear()
    view.clearFocus()
    assert len(np.unique(pixels(image_of(view), LIGHT.base), axis=0)) == view.width() * view.height()


def test_themes_reach_the_lines(view: Timelines, frame: Frame) -> None:
    view.show_frame(frame)
    view.set_theme(DARK)
    image = image_of(view)
    assert QColor(image.pixel(2, 2)) == QColor(DARK.base)
    assert len(pixels(image, DARK.accent))


def test_a_line_of_many_pieces_keeps_its_peaks() -> None:
    x = np.linspace(0.01, 300, 50_000)
    y = np.sin(x)
    y[12_345], y[40_000] = 9.0, -9.0
    corners_x, corners_y = line(x, y, steps=False, width=300)
    assert len(corners_x) == len(corners_y) <= 604
    assert (corners_y.max(), corners_y.min()) == (9.0, -9.0)
    assert corners_x[corners_y.argmax()] == pytest.approx(x[12_345], abs=1)


def test_a_line_of_steps_holds_its_values() -> None:
    x, y = line(np.array([10.0, 20.0]), np.array([1.0, 3.0]), steps=True, width=300)
    assert list(zip(x.tolist(), y.tolist(), strict=True)) == [(10, 1), (20, 1), (20, 3)]


def test_the_components_rise_where_the_birth_is_marked() -> None:
    """K rose one sample before its birth."""
    samples, births = np.array([100.0, 200.0, 300.0]), np.array([0, 1, 0])
    x, y = line(samples, np.array([1.0, 2.0, 2.0]), steps=True, width=900)
    places, _ = binned(samples, births, 7.0)
    assert x[np.flatnonzero(np.diff(y)) + 1].tolist() == places.tolist() == [200.0]


def test_events_are_counted_by_place() -> None:
    places, totals = binned(np.array([1.0, 2.0, 50.0, 99.9]), np.array([2, 3, 0, 1]), 7.0)
    assert places.tolist() == [1.6, 99.9]
    assert totals.tolist() == [5, 1]


@pytest.mark.parametrize("values", [[3.0, 3.0], [0.0, 1.0], [290.0, 323.0], [1.0, 40.0]])
def test_counts_lie_between_round_limits(values: list[float]) -> None:
    low, high, marks = count_scale(np.array(values), 2.0)
    assert low <= min(values) <= max(values) <= high
    assert [marks[0][0], marks[-1][0]] == [low, high]
    assert all(value == round(value) for value, _ in marks)


def test_times_lie_between_powers_of_ten() -> None:
    scale = log_scale(np.log10([2.5, 80.0]), 3.0)
    assert (scale.low, scale.high) == (0, 2)
    assert scale.marks == ((0, "1"), (1, "10"), (2, "100"))
    assert log_scale(np.log10([0.02, 0.03]), 3.0).marks[0] == (-2, "0.01")


def test_one_surprise_does_not_flatten_the_likelihood() -> None:
    values = np.random.default_rng(0).normal(-3, 0.5, 1000)
    values[5] = -1e6
    assert linear_scale(values, 3.0).low > -10


def test_folded_it_shows_the_components_and_tells_the_rest(qtbot: QtBot, view: Timelines, frame: Frame) -> None:
    view.show_frame(frame)
    whole, titles = view.minimumSizeHint().height(), list(view.readings())
    assert len(titles) == 3
    button = find(view, QToolButton, "foldTimelines")
    with qtbot.waitSignal(view.folded) as caught:
        button.click()
    assert caught.args == [True]
    assert list(view.readings()) == titles[:1]
    assert view.maximumHeight() == view.minimumSizeHint().height() < whole / 2
    image_of(view)
    button.click()
    assert list(view.readings()) == titles


OF_ALL = "log-likelihood before learning, inputs and targets"
OF_INPUTS = "log-likelihood before learning, inputs only (up to 16 rows a chunk)"


@pytest.fixture(scope="module")
def with_targets(frame: Frame) -> Frame:
    """Every second piece has no row that was scored by its inputs alone, nor has the last."""
    past = frame.timeline
    scores = np.where(np.arange(len(past.samples)) % 2 == 0, -3.0 - np.arange(len(past.samples)), np.nan)
    scores[-1] = np.nan
    return replace(frame, has_targets=True, timeline=replace(past, input_log_likelihoods=scores))


def choice(view: Timelines) -> QToolButton:
    return find(view, QToolButton, "inputsOnly")


def test_the_likelihood_says_what_it_is_of(view: Timelines, with_targets: Frame) -> None:
    """It climbed from −5 to +5 because the labels' widths shrank."""
    view.show_frame(with_targets)
    assert list(view.readings()) == [K, TIME, OF_ALL]
    before = image_of(view)
    choice(view).click()
    assert list(view.readings()) == [K, TIME, OF_INPUTS]
    assert image_of(view) != before
    choice(view).click()
    assert list(view.readings()) == [K, TIME, OF_ALL]
    assert image_of(view) == before, "the past of the other curve is still there"


def test_without_targets_there_is_nothing_to_choose(view: Timelines, frame: Frame, with_targets: Frame) -> None:
    view.show_frame(frame)
    assert not choice(view).isVisible()
    view.show_frame(with_targets)
    assert choice(view).isVisible()
    choice(view).click()
    view.show_frame(frame)
    assert not choice(view).isVisible()
    assert list(view.readings()) == [K, TIME, LIKELIHOOD]
    view.show_frame(with_targets)
    assert list(view.readings()) == [K, TIME, OF_INPUTS], "the choice is kept"
    view.clear()
    assert not choice(view).isVisible()


def test_the_choice_is_beside_its_curve_at_any_size(qtbot: QtBot, view: Timelines, with_targets: Frame) -> None:
    view.show_frame(with_targets)
    for width, height in ((720, 260), (420, 300), (1100, 500)):
        view.resize(width, height)
        wait(qtbot, lambda: view._areas()[2].width() > 0)
        area = view._areas()[2]
        assert view.rect().contains(choice(view).geometry())
        assert abs(choice(view).geometry().bottom() - area.top()) <= 3
    view.set_folded(True)
    assert not choice(view).isVisible()
    view.set_folded(False)
    assert choice(view).isVisible()


def test_pieces_that_were_not_scored_are_passed_over(view: Timelines, with_targets: Frame) -> None:
    view.show_frame(with_targets)
    choice(view).click()
    assert view.readings(58)[OF_INPUTS] == "−61.00"
    assert view.readings()[OF_INPUTS] == "−61.00 at 59"
    assert view.readings(59)[OF_INPUTS] == "–"
    past = with_targets.timeline
    level = np.full(len(past.samples), -10.0)
    gaps = level.copy()
    gaps[1:-1:2] = np.nan
    images = []
    for scores in (level, gaps):
        view.show_frame(replace(with_targets, timeline=replace(past, input_log_likelihoods=scores)))
        image = image_of(view)
        images.append(np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1).astype(int))
    assert np.abs(images[0] - images[1]).max() < 40, "one line without gaps, but for smooth edges where pieces meet"


def test_folded_it_still_says_what_the_likelihood_is_of(view: Timelines, with_targets: Frame) -> None:
    view.show_frame(with_targets)
    view.set_folded(True)
    past = with_targets.timeline
    both = view.others(past, 1000)
    time, likelihood = both.split(" · ")
    assert time.endswith("µs per sample")
    assert likelihood.startswith("log-likelihood ")
    assert likelihood.endswith(" (all columns)")
    assert view.others(past, 250) == likelihood, "what has no room is left out, not all of it"
    assert view.others(past, 20) == ""
    choice(view).setChecked(True)
    assert view.others(past, 1000).endswith("log-likelihood −61.00 at 59 (inputs only)")
