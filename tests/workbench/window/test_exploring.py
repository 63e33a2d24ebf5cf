"""Rows and components are looked at and selected, on all pages together."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from tests.waiting import PATIENCE
from tests.workbench.hands import click, find, wait
from tests.workbench.parts import stream_page
from tests.workbench.penguins import write_penguins
from tests.workbench.steps import run_to_the_end
from workbench.pages.data.wiring import DataWiring
from workbench.run import FileOrigin, Frame, GeneratorOrigin
from workbench.source.generators import BirthsAndDeaths
from workbench.views.plots.mixture_plot import MixturePlot
from workbench.window.shell import WindowShell
from workbench.words.numbers import percent


@pytest.fixture
def penguins(qtbot: QtBot, shell: WindowShell, tmp_path: Path) -> WindowShell:
    """A run of penguins that has ended."""
    shell.page(DataWiring).load(FileOrigin(str(write_penguins(tmp_path / "penguins.csv"))))
    wait(qtbot, lambda: shell.desk.data.dataset is not None and shell.desk.data.dataset.title == "penguins.csv")
    run_to_the_end(qtbot, shell)
    return shell


def shown(shell: WindowShell) -> Frame:
    assert shell.desk.run.frame is not None
    return shell.desk.run.frame


def area(shell: WindowShell) -> MixturePlot:
    return stream_page(shell).mixture.area


def place(shell: WindowShell, position: int) -> QPoint:
    """Where a point is in the plot."""
    plot = area(shell)
    found: QPoint = plot.mapFromScene(plot.plot.view.scene_place(*shown(shell).picture.points[position].tolist()))
    return found


def lonely(shell: WindowShell) -> int:
    """Position of a point that no other one and no centre is near to, in view."""
    plot, picture = area(shell), shown(shell).picture
    both = np.vstack([picture.points, picture.centres])
    spots = np.array([plot.mapFromScene(plot.plot.view.scene_place(*pair)).toTuple() for pair in both.tolist()])
    gaps = np.abs(spots[:, None] - spots[None]).max(axis=2)
    np.fill_diagonal(gaps, 1000)
    inside = [plot.viewport().rect().adjusted(80, 40, -40, -60).contains(QPoint(*spot)) for spot in spots.tolist()]
    return int(np.flatnonzero(inside)[gaps.min(axis=1)[inside].argmax()])


def test_a_point_tells_its_row_its_values_and_its_component(qtbot: QtBot, penguins: WindowShell) -> None:
    position = lonely(penguins)
    row = int(shown(penguins).picture.rows[position])
    dataset, runner = penguins.desk.data.dataset, penguins.desk.run.transport
    assert dataset is not None
    assert runner is not None
    QTest.mouseMove(area(penguins).viewport(), place(penguins, position))
    card = find(area(penguins), QLabel, "componentCard")
    wait(qtbot, lambda: "posterior" in card.text())
    lines = card.text().split("\n")
    assert lines[0] == f"Row {row + 1} of penguins.csv"
    assert lines[1] == f"species: {dataset.table['species'].texts()[row]}"
    assert lines[2] == f"bill_length_mm: {dataset.table['bill_length_mm'].texts()[row]}"
    engine, values = runner.ask(
        lambda learner, _: (learner.engine, np.concatenate([chunk.values for chunk in learner.prepared.chunks()]))
    ).result(PATIENCE)
    posteriors = engine.responsibilities(values[position : position + 1])[0]
    best = engine.ids[posteriors.argmax()]
    assert lines[-1] == f"in #{best}, posterior {percent(posteriors.max())}"
    assert area(penguins).ring.place == tuple(shown(penguins).picture.points[position])


def test_a_clicked_point_is_told_of_until_the_next_click(qtbot: QtBot, penguins: WindowShell) -> None:
    plot, position = area(penguins), lonely(penguins)
    card = find(plot, QLabel, "componentCard")
    click(plot.viewport(), at=place(penguins, position))
    plot.pointed.emit(None)
    row = int(shown(penguins).picture.rows[position])
    assert card.text().startswith(f"Row {row + 1} of")
    wait(qtbot, lambda: "posterior" in card.text())
    plot.clicked.emit(*shown(penguins).picture.points[position].tolist())
    plot.pointed.emit(None)
    assert not card.isVisible()
    assert plot.ring.place is None


def test_a_point_of_a_stream_has_the_values_that_were_learned(qtbot: QtBot, shell: WindowShell) -> None:
    shell.page(DataWiring).load(GeneratorOrigin(BirthsAndDeaths(), endless=True))
    wait(qtbot, lambda: shell.desk.data.dataset is not None and shell.desk.data.dataset.is_endless)
    click(shell.window, "streamButton")
    wait(qtbot, lambda: shell.desk.run.frame is not None and shell.desk.run.frame.n_done > 200)
    shell.desk.run.pause()
    wait(qtbot, lambda: shown(shell).state == "paused")
    row = int(shown(shell).picture.rows[-1])
    x = float(shown(shell).picture.points[-1, 0])
    area(shell).point_pointed.emit(row)
    area(shell)._row = row
    wait(qtbot, lambda: "posterior" in area(shell)._told[1])
    lines = area(shell)._told[1].split("\n")
    assert lines[0].startswith(f"Row {row + 1:,} of")
    assert float(lines[1].removeprefix("x: ").replace("−", "-")) == pytest.approx(x, rel=1e-4)
