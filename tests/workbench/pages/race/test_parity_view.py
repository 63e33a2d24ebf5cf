"""Whether the engines agree is said in words and colours, with the numbers."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from figmn.parity import Differences
from tests.workbench import frames, race_frames
from workbench.pages.race.parity_view import LATER, ParityView
from workbench.run.race.frame import Divergence, Parity, RaceFrame
from workbench.run.race.settings import RaceSettings
from workbench.views.look.theme import DARK

GOOD = Parity(
    n_compared=333,
    counts=(7, 7),
    differences=Differences(2e-15, 3.2e-13, 4e-14, 0.0),
    n_checked=320,
    sampled="256 of 3,072 columns",
    check_seconds=0.12,
)
DIVERGENCE = Divergence(1203, (12.0001, 11.9998), 12.0, ("#3 born", "learned"))


@pytest.fixture(scope="module")
def race() -> RaceFrame:
    return race_frames.race_frame(frames.iris(), n_pieces=10, delta=0.8, beta=0.1)


@pytest.fixture
def view(qtbot: QtBot) -> ParityView:
    view = ParityView()
    qtbot.addWidget(view)
    view.set_theme(DARK)
    view.resize(224, 200)
    view.show()
    qtbot.waitExposed(view)
    return view


def with_parity(frame: RaceFrame, parity: Parity) -> RaceFrame:
    return replace(frame, parities=(parity,))


def inks(view: ParityView) -> set[str]:
    image = view.grab().toImage()
    return {QColor(image.pixel(x, y)).name() for x in range(image.width()) for y in range(image.height())}


def test_parity_with_its_numbers(view: ParityView, race: RaceFrame) -> None:
    view.show_frame(with_parity(race, GOOD))
    words = view.words()
    assert words.startswith("parity\nsame decisions over 333 samples\nK = 7 / 7  checked at sample 320")
    for text in ("means 2e−15", "precisions 3e−13", "log-determinants 4e−14", "evidence 0", "256 of 3,072 columns"):
        assert text in words
    assert "256 of 3,072 columns  checks took 120 ms" in words
    assert DARK.good in inks(view)
    assert not {DARK.warning, DARK.bad} & inks(view)
    assert view.accessibleDescription() == words


def test_a_real_race_is_in_parity(view: ParityView, race: RaceFrame) -> None:
    assert race.parities[0].differences is not None
    view.show_frame(race)
    assert view.words().startswith("parity\nsame decisions over 150 samples")


def test_larger_differences_are_amber(view: ParityView, race: RaceFrame) -> None:
    drift = replace(GOOD, differences=Differences(precisions=3e-5))
    view.show_frame(with_parity(race, drift))
    assert view.words().startswith("same decisions, numbers drift")
    assert DARK.warning in inks(view)
    assert DARK.good not in inks(view)


def test_a_divergence_is_red_with_both_distances(view: ParityView, race: RaceFrame) -> None:
    view.show_frame(with_parity(race, replace(GOOD, divergence=DIVERGENCE, counts=(8, 7))))
    words = view.words()
    assert words.startswith("the engines decided differently")
    wanted = "sample 1,204: Fast IGMN #3 born, IGMN learned · d² 12.0001 and 11.9998, τ 12.0000 (+1e−4, −2e−4)"
    assert wanted in words
    assert "same decisions" not in words
    assert "K = 8 / 7" in words
    assert DARK.bad in inks(view)


@pytest.mark.parametrize("sampled", ["", "32 of 3,072 columns of 8 of 124 components"])
def test_what_the_checks_took_counts_for_neither(view: ParityView, race: RaceFrame, sampled: str) -> None:
    view.show_frame(with_parity(race, replace(GOOD, sampled=sampled)))
    lines = view.words().split("\n")
    assert "checks took 120 ms, counted for neither" in lines
    assert not sampled or sampled in lines


def test_tiny_margins_can_be_read(view: ParityView, race: RaceFrame) -> None:
    close = Divergence(0, (9.0 + 2e-12, 9.0 - 3e-12), 9.0, ("#1 born", "learned"))
    view.show_frame(with_parity(race, replace(GOOD, divergence=close)))
    assert "d² 9.000000000002 and 8.999999999997" in view.words()
    assert "(+2e−12, −3e−12)" in view.words()


@pytest.mark.parametrize(("mode", "is_said"), [("clock", True), ("sample", False)])
def test_says_when_numbers_will_be_compared(view: ParityView, race: RaceFrame, mode: str, is_said: bool) -> None:
    settings = RaceSettings(mode=mode)  # type: ignore[arg-type]
    view.show_frame(with_parity(replace(race, settings=settings), Parity(n_compared=1)))
    assert (LATER in view.words()) == is_said
    assert "same decisions over 1 sample\n" in view.words() + "\n"


def test_nothing_is_claimed_before_the_first_sample(view: ParityView, race: RaceFrame) -> None:
    view.show_frame(with_parity(race, Parity()))
    assert view.words().startswith("parity: nothing compared yet")
    assert DARK.good not in inks(view)


def test_more_words_ask_for_more_room(view: ParityView, race: RaceFrame) -> None:
    view.show_frame(with_parity(race, GOOD))
    before = view.minimumSizeHint().height()
    view.show_frame(with_parity(race, replace(GOOD, divergence=DIVERGENCE)))
    assert view.minimumSizeHint().height() > before


def test_calls_of_one_sample_are_mentioned_unless_there_is_worse(view: ParityView, race: RaceFrame) -> None:
    figures = replace(race.lanes[0].figures, chunk=1)
    slow = replace(race, lanes=(replace(race.lanes[0], figures=figures), race.lanes[1]))
    view.show_frame(slow)
    assert "calls of 1 sample: mostly call overhead" in view.words()
    view.show_frame(with_parity(slow, replace(GOOD, divergence=DIVERGENCE)))
    assert "calls of" not in view.words()
