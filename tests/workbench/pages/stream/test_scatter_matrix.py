"""The scatter matrix on the Stream page."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from tests.workbench.hands import choose, click, find, wait
from tests.workbench.parts import stream_page
from tests.workbench.steps import open_sample, run_to_the_end
from workbench.pages.stream.page import StreamPage
from workbench.pages.stream.wiring import StreamWiring
from workbench.run import Plane
from workbench.views.look.theme import DARK
from workbench.views.plots.data_view import Span
from workbench.views.plots.matrix_figures import density_curve
from workbench.window.shell import WindowShell


@pytest.fixture
def page(qtbot: QtBot, shell: WindowShell) -> StreamPage:
    """Wine, learned, with its matrix."""
    open_sample(qtbot, shell, "wine")
    run_to_the_end(qtbot, shell)
    page = stream_page(shell)
    choose(find(page, QComboBox, "planeBox"), "matrix")
    wait(qtbot, lambda: len(page.mixture.matrix.columns) == 6)
    page.mixture.matrix.grab()
    return page


def test_each_cell_shows_its_pair(shell: WindowShell, page: StreamPage) -> None:
    view, frame = page.mixture.matrix, shell.desk.run.frame
    assert view.isVisible()
    assert not page.mixture.area.isVisible()
    assert len(view._cells) == 15
    assert frame is not None
    assert frame.matrix is not None
    engine = shell.desk.run.transport.ask(lambda learner, _: learner.engine.snapshot()).result()  # type: ignore[union-attr]
    for (i, j), (points, ellipses) in view._cells.items():
        x, y = frame.matrix.columns[j], frame.matrix.columns[i]
        np.testing.assert_allclose(ellipses.components.centres, engine.means[:, [x, y]])
        np.testing.assert_allclose(ellipses.components.covariances, engine.covariances[:, [x, y]][:, :, [x, y]])
        assert points.n_points == 178
    assert view._legend.texts == ["class:", "cultivar 1", "cultivar 2", "cultivar 3"]
    # Bars and curve of a column: the bars hold all samples, the density has the area 1.
    assert [count.sum() for count in view._counts] == [178] * 6
    places, heights = density_curve(frame.matrix, frame.census.priors, 0, Span(5.0, 25.0))
    assert np.trapezoid(heights, places) == pytest.approx(1.0, abs=1e-3)


def test_a_click_on_a_cell_draws_its_columns(qtbot: QtBot, shell: WindowShell, page: StreamPage) -> None:
    view = page.mixture.matrix
    columns = view.columns
    place = view._cell(3, 1).center().toPoint()
    QTest.mouseMove(view, place)
    click(view, at=place)
    assert page.mixture.plane == Plane("columns", columns[1], columns[3])
    assert not view.isVisible()
    assert page.mixture.area.isVisible()
    assert find(page, QComboBox, "planeBox").currentText() == "columns"
    wait(qtbot, lambda: shell.desk.run.frame is not None and shell.desk.run.frame.matrix is None)
    # A distribution on the diagonal, and the empty half, are no planes.
    page.mixture.tools.set_matrix(True)
    wait(qtbot, lambda: shell.desk.run.frame is not None and shell.desk.run.frame.matrix is not None)
    for cell in ((2, 2), (0, 4)):
        click(view, at=view._cell(*cell).center().toPoint())
        assert view.isVisible()
    click(view, at=QPoint(1, 1))
    assert view.isVisible()


def test_the_keyboard_chooses_a_cell(page: StreamPage) -> None:
    view = page.mixture.matrix
    columns = view.columns
    view.setFocus()
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Right):
        QTest.keyClick(view, key)
    assert view._chosen == (2, 1)  # there is no cell at the right of it
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert page.mixture.plane == Plane("columns", columns[1], columns[2])


def test_columns_are_chosen_and_kept_for_the_next_run(qtbot: QtBot, shell: WindowShell, page: StreamPage) -> None:
    for number in (4, 5, 6):
        choose(find(page, QComboBox, f"matrixColumn{number}"), "–")
    choose(find(page, QComboBox, "matrixColumn1"), "ash")
    wanted = page.mixture.matrix_bar.columns
    assert len(wanted) == 3
    wait(qtbot, lambda: page.mixture.matrix.columns == wanted)
    assert len(page.mixture.matrix._cells) == 3
    shell.hub.run_requested.emit()
    wait(qtbot, lambda: shell.desk.run.frame is not None and shell.desk.run.frame.run == 2)
    wait(qtbot, lambda: page.mixture.matrix.columns == wanted)
    open_sample(qtbot, shell, "iris")
    shell.hub.run_requested.emit()
    wait(qtbot, lambda: page.mixture.matrix.columns == (0, 1, 2, 3))
    assert page.mixture.matrix_bar.boxes[1].currentText() == "sepalwidth"


def test_what_is_selected_is_highlighted_in_every_cell(page: StreamPage) -> None:
    page.mixture.area.show_selection(lambda rows: rows < 10)
    for points, _ in page.mixture.matrix._cells.values():
        assert points.marked is not None
        assert np.count_nonzero(points.marked) == 10
    page._choose(1)
    assert all(ellipses.selected == 1 for _, ellipses in page.mixture.matrix._cells.values())
    page.mixture.area.show_selection(None)
    assert all(points.marked is None for points, _ in page.mixture.matrix._cells.values())


def test_its_picture_is_written(page: StreamPage, tmp_path: Path) -> None:
    page.set_theme(DARK)
    for ending in ("png", "svg"):
        page.mixture.draw_picture(tmp_path / f"m.{ending}")()
    assert (tmp_path / "m.png").read_bytes().startswith(b"\x89PNG")
    assert "cultivar 1" in (tmp_path / "m.svg").read_text(encoding="utf-8")


def test_it_is_a_command(shell: WindowShell, page: StreamPage) -> None:
    command = next(one for one in shell.page(StreamWiring).commands if one.name == "matrix")
    command.trigger()
    assert not page.mixture.matrix.isVisible()
    command.trigger()
    assert page.mixture.matrix.isVisible()


def test_an_empty_page_paints_nothing(shell: WindowShell) -> None:
    view = stream_page(shell).mixture.matrix
    view.show()
    view.grab()
    view.clear()
    assert view.columns == ()
    view.hide()
