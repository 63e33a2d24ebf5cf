"""What a user sees of a sweep over the dimensions, chooses for it, and gets out of it."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from tests.workbench.evaluate.sweep.sweeps import SETTINGS, made_up
from tests.workbench.hands import click, find, text_of, wait
from workbench.evaluate.sweep.cost import REFERENCE_RATE
from workbench.evaluate.sweep.sweep import SweepResult, SweepSettings
from workbench.pages.race.sweep.table import SweepModel
from workbench.pages.race.sweep.view import EXPORTS, SweepView
from workbench.pages.race.sweep.words import colour_of
from workbench.views.look.theme import DARK, LIGHT, Theme

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def view(qtbot: QtBot) -> SweepView:
    view = SweepView()
    qtbot.addWidget(view)
    view.set_theme(LIGHT)
    view.resize(990, 690)
    view.show()
    qtbot.waitExposed(view)
    return view


def shown(view: SweepView, result: SweepResult) -> SweepView:
    view.show_result(result)
    QApplication.processEvents()
    view.grab()
    return view


def button(view: SweepView) -> QPushButton:
    return find(view, QPushButton, "sweepStart")


def dims(view: SweepView) -> QLineEdit:
    return find(view, QLineEdit, "sweepDims")


def cells(view: SweepView) -> list[list[str]]:
    model = view.table.model()
    return [
        [model.index(row, column).data() for column in range(model.columnCount())] for row in range(model.rowCount())
    ]


def pixel(view: SweepView, x: float, y: float) -> QPointF:
    found: QPointF = view.plot.plot.view.scene_place(x, y)
    return found


# Choices


def test_the_settings_are_asked_for(qtbot: QtBot, view: SweepView) -> None:
    view.form.grid.setCurrentIndex(view.form.grid.findData("full"))
    view.form.grid.activated.emit(view.form.grid.currentIndex())
    view.form.solver.setCurrentIndex(1)
    click(view.form.literal, at=QPoint(8, view.form.literal.height() // 2))
    find(view, QWidget, "sweepRowsBox")
    view.form.rows.field.selectAll()
    qtbot.keyClicks(view.form.rows.field, "1,200")
    with qtbot.waitSignal(view.start_requested) as caught:
        click(button(view))
    (settings,) = caught.args
    assert settings == SweepSettings(
        dims=(16, 32, 64, 128, 256, 512, 1024, 2048, 3072), n_rows=1200, solver="inverse", with_literal=True
    )


def test_typed_dimensions_are_an_own_list(qtbot: QtBot, view: SweepView) -> None:
    dims(view).clear()
    qtbot.keyClicks(dims(view), "256, 16")
    assert view.form.grid.currentText() == "own list"
    assert view.form.settings == SweepSettings(dims=(16, 256))
    dims(view).setText("2, 4, 8, 16, 32, 64")
    assert view.form.grid.currentText() == "small: 2 … 64"


@pytest.mark.parametrize(
    ("typed", "complaint"),
    [
        ("", "There is no D to measure. Give at least one, such as 16, 64, 256."),
        ("16, many", "'many' is not a whole number. Give dimensions such as 16, 64, 256."),
        ("1, 16", "D = 1 is outside the range from 2 to 3,072. Choose a whole number in it."),
    ],
)
def test_wrong_dimensions_are_said_in_place_and_block_the_start(
    qtbot: QtBot, view: SweepView, typed: str, complaint: str
) -> None:
    view.set_rate(REFERENCE_RATE)
    dims(view).setText(typed)
    problem = find(view, QLabel, "sweepProblem")
    assert problem.isVisible()
    assert problem.text().casefold() == complaint.casefold()
    assert not button(view).isEnabled()
    assert button(view).toolTip() == problem.text()
    assert text_of(view, "sweepEstimate") == ""
    assert dims(view).property("wrong") is True
    with qtbot.assertNotEmitted(view.start_requested):
        button(view).click()
    dims(view).setText("16, 64")
    assert button(view).isEnabled()
    assert not problem.isVisible()
    assert text_of(view, "sweepEstimate").startswith("about ")


def test_wrong_rows_block_the_start(qtbot: QtBot, view: SweepView) -> None:
    view.form.rows.field.selectAll()
    qtbot.keyClicks(view.form.rows.field, "x")
    problem = find(view, QLabel, "sweepRowsProblem")
    assert problem.isVisible()
    assert not button(view).isEnabled()
    assert view.form.settings is None


def test_the_estimate_follows_the_choices(view: SweepView) -> None:
    assert text_of(view, "sweepEstimate") == ""
    view.set_rate(REFERENCE_RATE)
    quick = text_of(view, "sweepEstimate")
    assert quick.startswith("about ")
    view.form.set_settings(SweepSettings(dims=(1024, 2048, 3072), with_literal=True))
    assert text_of(view, "sweepEstimate") == "about 1 min"
    view.set_rate(REFERENCE_RATE / 100)
    assert text_of(view, "sweepEstimate").endswith("h") or int(text_of(view, "sweepEstimate").split()[1]) > 2


# Running


def test_a_running_sweep_says_how_far_it_is(qtbot: QtBot, view: SweepView) -> None:
    view.set_running(True)
    assert text_of(view, "sweepProgress") == "Preparing the engines…"
    assert not view.form.isEnabled()
    view.show_result(made_up(n_cases=2, now="IGMN, Cholesky, D = 32"))
    wait(qtbot, lambda: text_of(view, "sweepProgress") == "25 of 48: IGMN, Cholesky, D = 32 · about 20 s left")
    assert view.bar.isVisible()
    assert (view.bar.value(), view.bar.maximum()) == (24, 48)
    with qtbot.waitSignal(view.cancel_requested):
        click(button(view))
    view.set_running(False)
    assert text_of(view, "sweepProgress") == "Stopped after 24 of 48 timings; what was measured is kept"
    assert button(view).text() == "Start sweep"
    assert button(view).isEnabled()
    assert view.form.isEnabled()
    assert cells(view)[1][1] == "32.00"
    assert cells(view)[2][1:] == ["–"] * 11


def test_results_grow_while_they_are_shown(qtbot: QtBot, view: SweepView) -> None:
    view.set_running(True)
    for count in range(1, 4):
        view.show_result(made_up(n_cases=count, now="something"))
        wait(qtbot, lambda count=count: [len(s.points) for s in view.plot.item.series] == [count] * 4)  # type: ignore[misc]
    view.show_result(made_up())
    assert text_of(view, "sweepProgress") == "All 48 timings done"
    assert len(view.plot.item.series[0].points) == 4


def test_a_new_sweep_begins_with_nothing(view: SweepView) -> None:
    shown(view, made_up())
    view.set_running(True)
    assert view.result is None
    assert view.plot.item.series == []
    assert cells(view) == []
    view.set_running(False)


# Figures


def test_the_table_has_both_times_and_speed_ups(view: SweepView) -> None:
    shown(view, made_up(replace(SETTINGS, with_literal=False)))
    model = view.table.model()
    headings = [model.headerData(column, Qt.Orientation.Horizontal, 0) for column in range(model.columnCount())]
    assert headings == [
        "D", "Fast IGMN\nµs", "Fast IGMN\nCPU µs", "mature\nµs", "mature\nCPU µs", "Cholesky\nµs", "Cholesky\nCPU µs",
        "Fast IGMN\nspeed-up", "mature\nspeed-up",
    ]  # fmt: skip
    assert cells(view)[-1] == ["64", "128.0", "115.2", "409.6", "368.6", "2,621", "2,359", "20.5×", "6.4×"]


def test_lines_are_named_with_their_growth(view: SweepView) -> None:
    shown(view, made_up())
    growths = {series.name: series.growth for series in view.plot.item.series}
    assert growths == {
        "Fast IGMN": "D^1.00 ± 0.00, not yet asymptotic",
        "Fast IGMN, mature": "D^2.00 ± 0.00, not yet asymptotic",
        "IGMN, Cholesky": "D^3.00 ± 0.00, not yet asymptotic",
        "Fast IGMN as printed": "D^1.00 ± 0.00, not yet asymptotic",
    }
    assert {*growths, *(f"{name} growth" for name in growths), "D²", "D³"} <= view.plot.item.placed.keys()
    assert "Fast IGMN, mature: crossover at D ≈ 10" in view.plot.item.placed
    assert "IGMN, Cholesky: D^3.00 ± 0.00" in view.plot.accessibleDescription()
    assert any(line.startswith("not yet asymptotic: fewer than 3 D of 64") for line in view.plot.foot.lines)
    shown(view, made_up(SweepSettings(dims=(64, 256, 1024), repeats=1)))
    assert {series.growth for series in view.plot.item.series} == {f"D^{power}.00 ± 0.00" for power in (1, 2, 3)}
    assert not any("asymptotic" in line for line in view.plot.foot.lines)


@pytest.mark.parametrize("size", [(990, 690), (1630, 960), (700, 500)])
def test_no_words_cover_each_other_or_the_points(qtbot: QtBot, view: SweepView, size: tuple[int, int]) -> None:
    view.resize(*size)
    wait(qtbot, lambda: view.plot.width() == size[0])
    shown(view, made_up())
    item = view.plot.item
    for (first, one), (second, other) in combinations(item.placed.items(), 2):
        assert not one.intersects(other), (first, second)
    area = view.plot.plot.vb.sceneBoundingRect()
    for name, room in item.placed.items():
        assert area.adjusted(-1, -1, 1, 1).contains(room), name
        for series in item.series:
            for x, y in series.points.tolist():
                assert not room.contains(pixel(view, x, y)), name


def test_reference_slopes_are_two_and_three(view: SweepView) -> None:
    shown(view, made_up())
    slopes = {}
    for reference in view.plot.item.references:
        (x, y), (other_x, other_y) = reference.ends
        slopes[reference.name] = (other_y - y) / (other_x - x)
    assert slopes == pytest.approx({"D²": 2.0, "D³": 3.0})


def test_bars_reach_from_the_least_to_the_largest_repeat(view: SweepView) -> None:
    shown(view, made_up())
    cubic = next(series for series in view.plot.item.series if series.role == "cubic")
    assert 10 ** cubic.points[0, 1] == pytest.approx(1e-2 * 8**3)
    assert 10 ** (cubic.highs[0] - cubic.points[0, 1]) == pytest.approx(1.5)
    assert 10 ** (cubic.lows[0] - cubic.points[0, 1]) == pytest.approx(0.8)


def test_everything_measured_is_seen_until_the_user_zooms(qtbot: QtBot, view: SweepView) -> None:
    shown(view, made_up())
    (left, right), (low, high) = view.plot.plot.view.seen()
    for series in view.plot.item.series:
        assert (series.points[:, 0] > left).all()
        assert (series.points[:, 0] < right).all()
        assert (series.lows > low).all()
        assert (series.highs < high).all()
    view.plot.setFocus()
    qtbot.keyClick(view.plot, Qt.Key.Key_Plus)
    zoomed = view.plot.plot.view.seen()
    shown(view, made_up(n_cases=3))
    assert view.plot.plot.view.seen() == zoomed
    qtbot.keyClick(view.plot, Qt.Key.Key_0)
    assert view.plot.plot.view.seen() != zoomed


def test_marks_stand_at_the_dimensions_measured(view: SweepView) -> None:
    shown(view, made_up())
    (left, right), _ = view.plot.plot.view.seen()
    assert view.plot.bottom.marks(left, right, 800).texts == ["8", "16", "32", "64"]
    texts = view.plot.bottom.marks(left, right, 150).texts
    assert texts[-1] == "64"
    assert len(texts) < 4


def test_the_foot_says_how_and_where_it_was_measured(view: SweepView) -> None:
    shown(view, made_up())
    words = " ".join(view.plot.foot.lines)
    for part in ("fits over D = 8 to 64", "engine time only", "one BLAS thread", "a processor", "NumPy 2.0.0"):
        assert part in words
    assert "Fast IGMN, mature overtakes IGMN, Cholesky at D ≈ 10 (predicted)" in words


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_engines_have_their_colours(view: SweepView, theme: Theme) -> None:
    view.set_theme(theme)
    shown(view, made_up())
    image = view.plot.grab().toImage()
    for series in view.plot.item.series:
        place = pixel(view, *series.points[-1].tolist())
        assert QColor(image.pixel(place.toPoint())) == QColor(colour_of(series.role, theme)), series.name
    assert colour_of("fast", theme) == theme.accent
    assert colour_of("cubic", theme) == theme.cubic


# What can be taken along


@pytest.mark.parametrize("kind", EXPORTS)
def test_files_are_asked_for_when_there_is_something(qtbot: QtBot, view: SweepView, kind: str) -> None:
    tool = find(view, QToolButton, f"sweep{kind.capitalize()}")
    assert not tool.isEnabled()
    shown(view, made_up())
    with qtbot.waitSignal(view.export_requested) as caught:
        click(tool)
    assert caught.args == [kind]


def test_texts_come_from_the_latest_result(view: SweepView) -> None:
    with pytest.raises(ValueError, match="start a sweep first"):
        view.export_text("csv")
    view.show_result(made_up())
    assert json.loads(view.export_text("json")())["n_done"] == 48
    assert view.export_text("csv")().startswith("engine,")


def test_pictures_hold_plot_and_foot(view: SweepView, tmp_path: Path) -> None:
    shown(view, made_up())
    view.draw_picture(tmp_path / "sweep.png")()
    assert QImage(str(tmp_path / "sweep.png")).size() == view.plot.viewport().size() * 2
    view.draw_picture(tmp_path / "sweep.svg")()
    words = (tmp_path / "sweep.svg").read_text(encoding="utf-8")
    for word in ("D^3.00 ± 0.00", "dimensions D", "µs per sample", "engine time only", "a processor"):
        assert word in words
    assert "latest" not in words  # the legend of another plot
    view.copy_picture()
    assert QApplication.clipboard().image().size() == view.plot.viewport().size() * 2


def test_one_dimension_alone_can_be_shown(view: SweepView) -> None:
    shown(view, made_up(SweepSettings(dims=(16,), repeats=3)))
    (left, right), _ = view.plot.plot.view.seen()
    assert left < 1.2 < right
    assert view.plot.item.references == []


def test_the_wheel_ends_somewhere_and_a_double_click_fits_again(qtbot: QtBot, view: SweepView) -> None:
    """Seventeen notches out ended in 10^400 at the axis, and the view never came back."""
    shown(view, made_up())
    before = view.plot.plot.view.seen()
    for _ in range(40):
        view.plot.plot.vb.scaleBy((2.0, 2.0))
        view.plot.plot.vb.sigRangeChangedManually.emit([True, True])
        view.plot.grab()
    assert view.plot.plot.view.seen() != before
    for press in (qtbot.mouseDClick, qtbot.mouseRelease):
        press(view.plot.viewport(), Qt.MouseButton.LeftButton, pos=view.plot.viewport().rect().center())
    assert view.plot.plot.view.seen() == before


def test_nothing_shown_twice_announces_no_cells(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    model = SweepModel(parent)
    with qtbot.assertNotEmitted(model.dataChanged):  # Qt warns of a change of no cells
        model.show(None)
