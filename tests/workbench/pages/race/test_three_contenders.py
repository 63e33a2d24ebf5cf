"""Views of a race between three: a column, a curve and a parity for each; the panes show the first two."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from figmn.parity import Differences
from tests.workbench.race_clock import clock
from tests.workbench.run.race.literal import THREE
from workbench.pages.race.curves import RaceCurves
from workbench.pages.race.figures import WIDTH, RaceFigures
from workbench.pages.race.panes import RacePanes
from workbench.pages.race.parity_view import ParityView
from workbench.run import Choices
from workbench.run.race.frame import RaceFrame
from workbench.run.race.headless import race, recipe_of
from workbench.run.race.settings import RaceSettings
from workbench.views.look.theme import LIGHT


@pytest.fixture(scope="module")
def three() -> RaceFrame:
    settings = RaceSettings(n_features=4, n_rows=80)
    dataset, recipe = recipe_of(settings, Choices(), None)
    clocks = (clock(2.0), clock(50.0), clock(400.0))
    return race(recipe, settings, dataset=dataset, contenders=THREE, stopwatches=clocks)


def test_every_engine_has_a_column_of_figures(qtbot: QtBot, three: RaceFrame) -> None:
    view = RaceFigures()
    qtbot.addWidget(view)
    view.show_frame(three)
    rows = {name: figures for name, *figures in view.rows()}
    assert rows["samples"] == ["80", "80", "80"]
    assert rows["µs median"] == ["2.00", "50.0", "400"]
    assert rows["engine time"] == ["0.160 ms", "4.00 ms", "32.0 ms"]
    assert rows["speed-up"] == ["", "25.0×", "200×"]
    assert view.names() == ("Fast IGMN", "IGMN", "literal IGMN")
    assert view.sizeHint().width() > WIDTH
    assert view.basis() == "4.00 ms ÷ 0.160 ms engine time"
    assert not view.grab().isNull()


def test_every_engine_has_a_curve(qtbot: QtBot, three: RaceFrame) -> None:
    view = RaceCurves()
    qtbot.addWidget(view)
    view.resize(700, 220)
    view.show_frame(three)
    assert view.plot.item.labels() == ["Fast IGMN, 2.00 µs", "IGMN, 50.0 µs", "literal IGMN, 400 µs"]
    inks = [curve.ink for curve in view.plot.item.curves]
    assert len(set(inks)) == 3
    image = view.grab().toImage()
    drawn = {QColor(image.pixel(x, y)).name() for x in range(image.width()) for y in range(image.height())}
    assert {getattr(LIGHT, ink) for ink in inks} <= drawn


def test_every_engine_is_compared_with_the_first(qtbot: QtBot, three: RaceFrame) -> None:
    view = ParityView()
    qtbot.addWidget(view)
    view.show_frame(three)
    lines = view.words().split("\n")
    assert lines[0] == "parity"
    assert lines.index("IGMN") < lines.index("literal IGMN")
    assert lines.count("same decisions over 80 samples") == 2
    drifting = replace(three.parities[1], differences=Differences(means=1e-3))
    view.show_frame(replace(three, parities=(three.parities[0], drifting)))
    assert view.words().startswith("same decisions, numbers drift"), "the worst of all is what the head says"


def test_the_panes_show_the_first_two(qtbot: QtBot, three: RaceFrame) -> None:
    panes = RacePanes()
    qtbot.addWidget(panes)
    qtbot.addWidget(panes.tools)  # its page would give it a place
    panes.show_frame(three)
    assert [pane.head.words()[0] for pane in panes.lanes] == ["Fast IGMN", "IGMN (Cholesky)"]
    assert panes.figures.names()[2] == "literal IGMN"
    assert panes.figures.sizeHint().width() == panes._between.width() > WIDTH
