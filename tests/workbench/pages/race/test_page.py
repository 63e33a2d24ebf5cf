"""The Race page: one frame reaches all of it, and what it asks for is told."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QLabel, QPushButton, QTabBar, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from tests.workbench import frames, race_frames
from tests.workbench.hands import click, find, wait
from workbench.pages.race.page import RacePage
from workbench.pages.stream.page import StreamPage
from workbench.run.race.frame import RaceFrame
from workbench.run.race.settings import RaceSettings
from workbench.run.show.frame import Plane
from workbench.views.look.theme import DARK, LIGHT
from workbench.words.sentences import UserError

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture(scope="module")
def race() -> RaceFrame:
    plane = Plane("columns", 2, 3)
    return race_frames.race_frame(frames.iris(), plane, n_pieces=15, lag=5, delta=0.8, beta=0.1, state="paused")


@pytest.fixture
def page(qtbot: QtBot) -> RacePage:
    page = RacePage("figmn 0.1")
    qtbot.addWidget(page)
    page.set_theme(LIGHT)
    page.resize(990, 690)
    page.show()
    qtbot.waitExposed(page)
    return page


def test_a_frame_reaches_all_views(page: RacePage, race: RaceFrame) -> None:
    page.show_frame(race)
    assert page.panes.lanes[0].plot.points.n_points == 150
    assert page.panes.lanes[1].plot.points.n_points == 100
    assert page.panes.figures.rows()[0] == ("samples", "150", "100")
    assert len(page.curves.plot.item.labels()) == 2
    assert "same decisions over 100 samples" in page.panes.parity.words()
    assert page.run_bar.sample_label.text() == "sample 100 / 150"
    page.clear()
    assert page.panes.lanes[0].plot.points.n_points == 0
    assert page.curves.plot.item.labels() == []
    assert page.run_bar.sample_label.text() == "sample 0"


def test_tells_when_a_frame_is_painted(qtbot: QtBot, page: RacePage, race: RaceFrame) -> None:
    with qtbot.waitSignal(page.painted):
        page.show_frame(race)
    page.hide()
    with qtbot.waitSignal(page.painted):
        page.show_frame(race)
    page.show()
    page.show_part(page.sweep)
    with qtbot.waitSignal(page.painted):
        page.show_frame(race)


def test_both_plots_are_painted_before_it_is_told(
    qtbot: QtBot, page: RacePage, race: RaceFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    with qtbot.waitSignal(page.painted):
        page.show_frame(race)
    drawn = []
    for pane in page.panes.lanes:
        item = pane.plot.ellipses
        monkeypatch.setattr(item, "draw", lambda *_, item=item: drawn.append(item))
    with qtbot.waitSignal(page.painted):
        page.show_frame(replace(race, run=2, state="running"))
    assert {page.panes.lanes[0].plot.ellipses, page.panes.lanes[1].plot.ellipses} == set(drawn)


def test_what_the_user_wants_is_told(qtbot: QtBot, page: RacePage, race: RaceFrame) -> None:
    page.show_frame(race)
    with qtbot.waitSignal(page.settings_changed) as caught:
        find(page, QComboBox, "raceMode").setCurrentText("same sample")
    assert caught.args == [RaceSettings(mode="sample")]
    with qtbot.waitSignal(page.plane_changed) as caught:
        find(page, QComboBox, "racePlaneBox").setCurrentText("PCA plane")
    assert caught.args == [Plane("pca", 2, 3)]
    with qtbot.waitSignal(page.run_bar.play_requested):
        click(find(page, QToolButton, "racePlayButton"))


@pytest.mark.parametrize("kind", ["png", "svg", "csv", "json"])
def test_exports_are_asked_for(qtbot: QtBot, page: RacePage, race: RaceFrame, kind: str) -> None:
    button = find(page, QToolButton, f"raceExport{kind.capitalize()}")
    assert not button.isEnabled(), "there is nothing to export yet"
    page.show_frame(race)
    with qtbot.waitSignal(page.export_requested) as caught:
        click(button)
    assert caught.args == [kind]
    page.clear()
    assert not button.isEnabled()


def test_all_that_is_drawn_is_of_one_moment(qtbot: QtBot, page: RacePage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page._pace, "_interval", 1e9)  # so that every frame but the first comes too early
    early = race_frames.race_frame(frames.iris(), n_pieces=15, lag=5, delta=0.8, beta=0.1, state="running")
    page.show_frame(early)
    shown = page.panes.figures.rows(), page.panes.lanes[0].head.words(), page.panes.parity.words()
    fast, cubic = early.lanes
    later = replace(early, lanes=(replace(fast, figures=replace(fast.figures, n_done=151)), cubic))
    with qtbot.waitSignal(page.painted):  # the engines need not wait for what is not drawn
        page.show_frame(later)
    assert (page.panes.figures.rows(), page.panes.lanes[0].head.words(), page.panes.parity.words()) == shown
    wait(qtbot, lambda: page.panes.figures.rows()[0][1] == "151")  # unless another one comes
    assert page.panes.lanes[0].head.words()[2].startswith("151 ")


def test_before_the_first_race_there_is_one_obvious_way_to_begin(qtbot: QtBot, page: RacePage, race: RaceFrame) -> None:
    start = find(page, QPushButton, "raceStartButton")
    assert start.isVisible()
    assert not page.panes.isVisible(), "no empty axes"
    with qtbot.waitSignal(page.run_bar.play_requested):
        click(start)
    page.clear("Preparing the samples…")
    assert page.panes.isVisible()
    page.show_frame(race)
    assert page.panes.isVisible()
    assert not start.isVisible()
    page.clear()
    assert start.isVisible()
    page.set_start_blocked("δ is wrong")
    assert not start.isEnabled()


def test_says_what_the_race_waits_for(page: RacePage, race: RaceFrame) -> None:
    page.show_frame(race)
    page.clear("Preparing the samples…")
    assert page.panes.parity.words().endswith("Preparing the samples…")
    assert page.panes.figures.speed_up() == "–"


def test_the_parts_are_chosen_at_the_top(page: RacePage) -> None:
    parts = find(page, QTabBar, "raceParts")
    assert [parts.tabText(number) for number in range(3)] == ["Race", "Sweep over D", "The paper's tables"]
    click(parts, at=parts.tabRect(2).center())
    assert page.paper.isVisible()
    assert not page.exports.isVisible()
    page.parts.setCurrentIndex(0)
    assert page.start.isVisible()
    assert page.exports.isVisible()


def test_fairness_is_said_under_the_curves(page: RacePage, race: RaceFrame) -> None:
    page.set_machine("2 cores · NumPy 2.1")
    words = find(page, QLabel, "raceFairness")
    start = "engine time only · one BLAS thread for both · "
    assert words.text() == f"{start}engines take turns · warm-up not timed · 2 cores · NumPy 2.1"
    settings = replace(race.settings, takes_turns=False)
    page.show_frame(replace(race, settings=settings, threads=4))
    assert "4 BLAS threads for both · engines work at the same time" in words.text()


def test_says_that_other_settings_are_chosen(page: RacePage) -> None:
    stale = find(page, QLabel, "raceStale")
    assert not stale.isVisible()
    page.show_stale(["D 784 → 64", "β 0 → <b>", "order", "seed 0 → 1", "scaling"])
    assert stale.isVisible()
    assert stale.text() == "Changed since this race: D 784 → 64, β 0 → <b> and 3 more. Restart to apply."
    assert "seed 0 → 1, scaling" in stale.toolTip()
    page.show_stale([])
    assert not stale.isVisible()


def test_a_wrong_number_forbids_a_start(qtbot: QtBot, page: RacePage) -> None:
    field = find(page, QAbstractSpinBox, "raceDimensionsBox")
    field.selectAll()
    qtbot.keyClicks(field, "9999")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert "D = 9999 is outside" in page.run_bar.blocked_label.text()
    assert not page.run_bar.play_button.isEnabled()
    page.set_start_blocked("beta = 2 is too large.")
    assert page.run_bar.blocked_label.text().startswith("beta = 2 is too large. D = 9999")
    field.selectAll()
    qtbot.keyClicks(field, "99")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert page.run_bar.blocked_label.text() == "beta = 2 is too large."
    page.set_start_blocked("")
    assert page.run_bar.play_button.isEnabled()


def test_no_name_is_taken_for_one_of_the_stream_page(qtbot: QtBot, page: RacePage) -> None:
    stream = StreamPage()
    qtbot.addWidget(stream)
    shared = {"notice", "componentCard"}
    names = [
        {widget.objectName() for widget in each.findChildren(QWidget) if not widget.objectName().startswith("qt_")}
        for each in (page, stream)
    ]
    clashing = {name for name in names[0] & names[1] if name and name not in shared and not name.startswith("notice")}
    assert not clashing


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_pictures_show_the_race(page: RacePage, race: RaceFrame, tmp_path: Path, theme: Any) -> None:
    page.set_theme(theme)
    page.set_machine("2 cores")
    page.show_frame(race)
    page.draw_picture(tmp_path / "race.png")()
    picture = QImage(str(tmp_path / "race.png"))
    assert picture.size() == page.shown.size() * 2
    assert QColor(picture.pixel(2, picture.height() // 2)) == QColor(theme.base)
    page.draw_picture(tmp_path / "race.svg")()
    text = (tmp_path / "race.svg").read_text()
    for word in ("petallength", "IGMN (Cholesky)", "ratio of medians", "warm-up not timed", ">#0<"):
        assert word in text


def test_a_picture_of_another_kind_is_refused(page: RacePage, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"^race\.gif cannot be written\. .* \.png or \.svg"):
        page.draw_picture(tmp_path / "race.gif")()
    assert not list(tmp_path.iterdir())


def test_the_page_fits_a_small_window(page: RacePage, race: RaceFrame) -> None:
    page.show_frame(race)
    assert page.minimumSizeHint().width() <= 815
    assert page.minimumSizeHint().height() <= 480


def test_at_its_usual_size_nothing_is_scrolled(qtbot: QtBot, page: RacePage, race: RaceFrame) -> None:
    page.show_frame(race)
    wait(qtbot, lambda: page.shown.height() <= page.shown.parentWidget().height())  # type: ignore[union-attr]
    assert page.curves.plot.height() >= 100


def test_columns_follow_the_race(page: RacePage, race: RaceFrame) -> None:
    page.show_frame(race)
    other = race_frames.race_frame(frames.births_and_deaths(60), n_pieces=6, run=2)
    page.show_frame(other)
    box = find(page, QComboBox, "raceXColumn")
    assert [box.itemText(number) for number in range(box.count())] == list(other.columns)
