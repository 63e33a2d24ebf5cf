"""Both engines side by side: one part of the plane, one set of tools, and how far each of them is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QComboBox, QLabel, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from tests.workbench import frames, race_frames
from tests.workbench.hands import find
from workbench.pages.race.pane import RacePane
from workbench.pages.race.panes import RacePanes
from workbench.run.race.frame import RaceFrame
from workbench.run.race.settings import RaceSettings
from workbench.run.show.frame import Plane
from workbench.views.look.theme import DARK, LIGHT


@pytest.fixture(scope="module")
def race() -> list[RaceFrame]:
    """Iris, in which the cubic engine is ten samples behind."""
    plane = Plane("columns", 2, 3)
    return list(race_frames.race_frames(frames.iris(), plane, n_pieces=150, lag=10, delta=0.8, beta=0.1))


@pytest.fixture
def panes(qtbot: QtBot) -> RacePanes:
    panes = RacePanes()
    qtbot.addWidget(panes)
    qtbot.addWidget(panes.tools)  # its page would give it a place
    panes.set_theme(LIGHT)
    panes.resize(990, 330)
    panes.show()
    qtbot.waitExposed(panes)
    return panes


def seen(pane: RacePane) -> np.ndarray:
    return np.array(pane.plot.plot.view.seen())


def holds(pane: RacePane, points: np.ndarray) -> bool:
    (left, right), (low, high) = seen(pane)
    return bool(((points >= (left, low)) & (points <= (right, high))).all())


def paused(frame: RaceFrame) -> RaceFrame:
    return replace(frame, state="paused")


def test_each_pane_says_how_far_its_engine_is(panes: RacePanes, race: list[RaceFrame]) -> None:
    panes.show_frame(race[99])
    fast, cubic = panes.lanes[0].head.words(), panes.lanes[1].head.words()
    assert (fast[0], fast[2]) == ("Fast IGMN", "100 / 150")
    assert (cubic[0], cubic[2]) == ("IGMN (Cholesky)", "90 / 150")
    assert "per sample" in fast[1]
    assert cubic[1].endswith("per sample · 10 behind")
    panes.show_frame(paused(race[-1]))
    assert panes.lanes[0].head.words()[1].endswith("· done")


def test_the_faster_engine_waits_for_the_same_sample(panes: RacePanes, race: list[RaceFrame]) -> None:
    panes.show_frame(replace(race[99], settings=RaceSettings(source="data", mode="sample")))
    assert panes.lanes[0].head.words()[1].endswith("· waits")


def test_an_engine_that_has_learned_nothing_says_so(panes: RacePanes, race: list[RaceFrame]) -> None:
    panes.show_frame(race[0])
    assert panes.lanes[1].head.words()[1].startswith("has learned nothing yet")
    assert panes.lanes[1].plot.points.n_points == 0
    assert panes.lanes[0].plot.points.n_points == 1


def test_components_have_the_colour_of_their_engine(panes: RacePanes, race: list[RaceFrame]) -> None:
    panes.set_theme(DARK)
    panes.show_frame(race[-1])
    found = []
    for pane in panes.lanes:
        pane.plot.ellipses.select(int(pane.plot.ellipses.components.ids[0]))  # its line is broad and not transparent
        image = pane.plot.grab().toImage()
        places = ((x, y) for x in range(image.width()) for y in range(image.height()))
        found.append({QColor(image.pixel(x, y)).name() for x, y in places})
    assert DARK.accent in found[0]
    assert DARK.accent not in found[1]
    assert DARK.cubic in found[1]


def test_both_panes_show_all_that_either_has_seen(panes: RacePanes, race: list[RaceFrame]) -> None:
    for frame in race[20::20]:
        panes.show_frame(paused(frame))
        np.testing.assert_allclose(seen(panes.lanes[0]), seen(panes.lanes[1]))
        for lane in frame.lanes:
            assert holds(panes.lanes[1], lane.picture.points)
            assert holds(panes.lanes[0], lane.picture.centres)


@pytest.mark.parametrize("mover", ["fast", "cubic"])
def test_who_moves_one_pane_moves_both(qtbot: QtBot, panes: RacePanes, race: list[RaceFrame], mover: str) -> None:
    panes.show_frame(paused(race[30]))
    before = seen(panes.lanes[0])
    moved = panes.lanes[0] if mover == "fast" else panes.lanes[1]
    moved.plot.setFocus()
    for key in (Qt.Key.Key_Plus, Qt.Key.Key_Plus, Qt.Key.Key_Plus, Qt.Key.Key_Right):
        qtbot.keyClick(moved.plot, key)
    there = seen(moved)
    assert not np.allclose(there, before)
    np.testing.assert_allclose(seen(panes.lanes[0]), seen(panes.lanes[1]))
    panes.show_frame(paused(race[-1]))
    np.testing.assert_allclose(seen(moved), there)  # the user is left alone
    qtbot.keyClick(moved.plot, Qt.Key.Key_0)
    for pane in panes.lanes:
        assert holds(pane, race[-1].lanes[0].picture.points)


def test_the_wheel_ends_in_the_same_place_in_both(panes: RacePanes, race: list[RaceFrame]) -> None:
    panes.show_frame(paused(race[-1]))
    for pane in panes.lanes:
        pane.plot.plot.vb.scaleBy((0.7, 0.7))
        np.testing.assert_allclose(seen(panes.lanes[0]), seen(panes.lanes[1]))


def test_the_fit_button_is_for_both(qtbot: QtBot, panes: RacePanes, race: list[RaceFrame]) -> None:
    panes.show_frame(paused(race[-1]))
    fitted = seen(panes.lanes[0])
    qtbot.keyClick(panes.lanes[1].plot, Qt.Key.Key_Minus)
    find(panes.tools, QToolButton, "raceFitButton").click()
    np.testing.assert_allclose(seen(panes.lanes[0]), fitted)
    np.testing.assert_allclose(seen(panes.lanes[1]), fitted)


def test_another_plane_is_fitted_for_both(panes: RacePanes, race: list[RaceFrame]) -> None:
    panes.show_frame(paused(race[-1]))
    *_, other = race_frames.race_frames(frames.iris(), Plane("columns", 0, 1), n_pieces=15, lag=1, delta=0.8, beta=0.1)
    panes.show_frame(other)
    np.testing.assert_allclose(seen(panes.lanes[0]), seen(panes.lanes[1]))
    assert holds(panes.lanes[1], other.lanes[0].picture.points)
    assert np.ptp(seen(panes.lanes[0])[0]) < 4 * np.ptp(other.lanes[0].picture.points[:, 0])


def test_one_choice_of_plane_and_contour_for_both(qtbot: QtBot, panes: RacePanes, race: list[RaceFrame]) -> None:
    panes.show_frame(race[-1])
    column = find(panes.tools, QComboBox, "raceXColumn")
    assert column.currentText() == "petallength"
    with qtbot.waitSignal(panes.plane_changed) as caught:
        column.setCurrentText("sepallength")
    assert caught.args == [Plane("columns", 0, 3)]
    panes.tools.contour.setCurrentText("1σ")
    assert panes.lanes[0].plot.ellipses.radius == panes.lanes[1].plot.ellipses.radius == 1.0
    for tool in (panes.tools.trail, panes.tools.density, panes.tools.export):
        assert tool.isHidden()


def test_the_note_names_the_engine_where_they_differ(panes: RacePanes, race: list[RaceFrame]) -> None:
    last = race[-1]
    panes.show_frame(paused(last))
    assert panes.tools.note.text() == "marginal of 4 dimensions"
    lost = last.lanes[1].picture.covariances.copy()
    lost[0] = [[1, 2], [2, 1]]
    cubic = replace(last.lanes[1], picture=replace(last.lanes[1].picture, covariances=lost))
    panes.show_frame(paused(replace(last, run=2, lanes=(last.lanes[0], cubic))))
    assert panes.tools.note.text().endswith("IGMN: marginal of 4 dimensions · 1 not positive definite")


def test_the_pointer_reads_a_component_in_its_own_pane(panes: RacePanes, race: list[RaceFrame]) -> None:
    panes.show_frame(paused(race[-1]))
    census, picture = race[-1].lanes[1].census, race[-1].lanes[1].picture
    weightiest = int(census.priors.argmax())
    panes.lanes[1].plot.pointed.emit(tuple(picture.centres[weightiest]))
    cards = [pane.plot.findChild(QLabel, "componentCard") for pane in panes.lanes]
    assert [card.isVisible() for card in cards if isinstance(card, QWidget)] == [False, True]
    assert f"sp {census.accumulators[weightiest]:.2f}" in panes.lanes[1].plot._card.text()


def test_a_component_is_marked_in_both(panes: RacePanes, race: list[RaceFrame]) -> None:
    panes.show_frame(paused(race[-1]))
    weightiest = int(race[-1].lanes[0].census.priors.argmax())
    panes.lanes[0].plot.clicked.emit(*race[-1].lanes[0].picture.centres[weightiest])
    assert panes.lanes[0].plot.ellipses.selected is not None
    assert panes.lanes[1].plot.ellipses.selected == panes.lanes[0].plot.ellipses.selected


def test_heads_figures_and_plots_tell_of_the_same_moment(panes: RacePanes, race: list[RaceFrame]) -> None:
    for frame in race[36:40]:
        panes.show_frame(frame)
        fast, cubic = frame.lanes[0].figures.n_done, frame.lanes[1].figures.n_done
        assert panes.figures.rows()[0] == ("samples", str(fast), str(cubic))
        assert panes.lanes[0].head.words()[2] == f"{fast} / 150"
        assert (panes.lanes[0].plot.points.n_points, panes.lanes[1].plot.points.n_points) == (fast, cubic)
        assert f"over {cubic} samples" in panes.parity.words()


def test_a_narrow_head_keeps_the_time(panes: RacePanes, race: list[RaceFrame]) -> None:
    panes.show_frame(paused(race[-1]))
    drawn: list[str] = []
    head = panes.lanes[1].head
    head._draw = lambda *arguments: drawn.append(arguments[2])  # type: ignore[method-assign]
    for width, title in ((480, "IGMN (Cholesky)"), (240, "IGMN")):
        drawn.clear()
        head.resize(width, head.height())
        head.grab()
        assert title in drawn
        assert any(text.endswith(("s", "per sample", "behind")) for text in drawn), "not cut"
        assert not any("…" in text for text in drawn)


def test_a_cleared_race_shows_nothing(panes: RacePanes, race: list[RaceFrame]) -> None:
    panes.show_frame(race[-1])
    panes.clear()
    assert panes.lanes[0].head.words() == ("Fast IGMN",)
    assert panes.lanes[1].plot.points.n_points == 0
    assert panes.figures.speed_up() == "–"
    assert "press play" in panes.parity.words()
    panes.show_frame(race[-1])
    assert panes.lanes[1].plot.points.n_points == 140


def test_both_panes_can_be_seen_by_their_inputs(qtbot: QtBot, panes: RacePanes, race: list[RaceFrame]) -> None:
    panes.show_frame(race[-1])
    box = panes.tools.kind
    assert [box.itemText(i) for i in range(box.count())] == ["columns", "PCA plane"]
    panes.show_frame(replace(race[-1], has_targets=True))
    assert [box.itemText(i) for i in range(box.count())] == ["columns", "PCA: inputs", "PCA: all"]
    with qtbot.waitSignal(panes.plane_changed) as caught:
        box.setCurrentText("PCA: inputs")
    assert caught.args == [Plane("input pca", 2, 3)]
