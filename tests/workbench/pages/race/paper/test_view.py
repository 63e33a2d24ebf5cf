"""The paper's tables in the window: every cell, what is asked for, and that all of it is seen."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetrics, QHelpEvent, QImage
from PySide6.QtWidgets import QApplication, QLabel, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from tests.workbench.evaluate.speed.fakes import filled
from tests.workbench.hands import click, find, wait
from workbench.evaluate.speed.printed import PHASES
from workbench.evaluate.speed.settings import TableSettings
from workbench.evaluate.speed.times import ENGINES, SpeedTables
from workbench.pages.race.paper.model import FAST, HEADINGS, IGMN, MARK, SPEED_UP, THEIR_IGMN, THEIR_SPEED_UP, TITLE
from workbench.pages.race.paper.table import PaperTable
from workbench.pages.race.paper.view import PaperView
from workbench.views.look.theme import DARK, LIGHT, SMALL, font
from workbench.views.tables.cells import PADDING

RATE = 3e10


@pytest.fixture
def view(qtbot: QtBot) -> PaperView:
    view = PaperView()
    qtbot.addWidget(view)
    view.resize(990, 690)
    view.show()
    qtbot.waitExposed(view)
    return view


def cells(table: PaperTable, row: int) -> list[str]:
    return [table.lines.index(row, column).data() for column in range(len(HEADINGS))]


def tip(table: PaperTable, row: int, column: int) -> str:
    return str(table.lines.index(row, column).data(Qt.ItemDataRole.ToolTipRole))


def laid_out(table: PaperTable, width: int) -> bool:
    return table.isVisible() and table.width() == width


def test_the_printed_figures_are_there_from_the_start(view: PaperView) -> None:
    training, testing, kept = (view.tables[phase] for phase in PHASES)
    assert cells(training, 8) == [
        "twospirals", "194", "4", "–", "–", "", "–", "0.005 ± 0.001", "0.006 ± 0.001", "○", "0.8×",
    ]  # fmt: skip
    assert cells(testing, 10) == [
        "CIFAR-10 (stand-in)", "1,000", "3,082", "–", "–", "", "–",
        "17,821.407 ± 1,699.599", "7.793 ± 0.098", "", "2,287×",
    ]  # fmt: skip
    assert cells(testing, 11) == ["Average", "", "", "–", "–", "", "–", "1,504.097", "0.702", "", "2,143×"]
    assert cells(kept, 11)[IGMN:] == ["–", "–", "", "–"] * 2
    assert cells(testing, 5)[THEIR_SPEED_UP] == "–"
    assert "rounded to 0.000" in tip(testing, 5, THEIR_SPEED_UP)


def test_the_columns_of_times_name_their_unit(view: PaperView) -> None:
    lines = view.tables["training"].lines
    heads = [lines.headerData(column, Qt.Orientation.Horizontal) for column in (IGMN, FAST, THEIR_IGMN, THEIR_IGMN + 1)]
    assert heads == ["IGMN, s", "Fast IGMN, s", "IGMN, s", "Fast IGMN, s"]


def test_our_figures_fill_in_as_they_come(view: PaperView) -> None:
    training, testing, kept = (view.tables[phase] for phase in PHASES)
    view.show_tables(filled(4))
    assert cells(kept, 3)[3:] == [*cells(training, 3)[3:7], *cells(testing, 3)[3:7]]
    assert cells(training, 3)[:7] == ["Glass", "214", "16", "0.0440 ± 0.0057", "0.00440 ± 0.00057", "", "10.0×"]
    assert cells(testing, 3)[:7] == ["Glass", "214", "16", "≈ 44.0 ± 5.7", "0.00440 ± 0.00057", "", "≈ 10,000×"]
    assert cells(training, 4)[IGMN : SPEED_UP + 1] == ["–", "–", "", "–"]
    assert cells(training, 11)[IGMN] == "–"
    view.show_tables(filled())
    assert cells(training, 11)[:7] == ["Average", "", "", "0.0660", "0.00660", "", "10.0×"]
    assert cells(testing, 11)[:7] == ["Average", "", "", "≈ 66.0", "0.00660", "", "≈ 10,000×"]
    view.show_tables(None)
    assert cells(training, 3)[IGMN] == "–"


def test_marks_come_from_the_paired_test(view: PaperView) -> None:
    tables = filled()
    row = tables.rows[0]
    igmn = [replace(t, seconds=s) for t, s in zip(row.training.igmn.timings, (10.0, 12.0), strict=True)]
    fast = [replace(t, seconds=s) for t, s in zip(row.training.fast.timings, (1.0, 3.0), strict=True)]
    for timing in igmn:
        row = row.with_timing("training", "igmn", timing)
    for timing in fast:
        row = row.with_timing("training", "fast", timing)
    view.show_tables(replace(tables, rows=(row, *tables.rows[1:])))
    table = view.tables["training"]
    assert cells(table, 0)[IGMN : SPEED_UP + 1] == ["11.0 ± 1.4", "2.00 ± 1.41", "●", "5.5×"]
    assert "t = infinite, p = 0.0000" in tip(table, 0, MARK)


def test_tips_tell_rows_and_both_clocks(view: PaperView) -> None:
    view.show_tables(filled())
    text = tip(view.tables["testing"], 3, IGMN)
    assert "44.0 s, CPU time 22.0 s" in text
    assert "≈ 7 and 8 of 50 rows, extrapolated" in text
    assert "run 1, fold 2: 48.0 s, CPU 24.0 s, 8 of 50 rows" in text
    assert "extrapolated" not in tip(view.tables["testing"], 3, FAST)
    assert "with extrapolated times" in tip(view.tables["testing"], 3, SPEED_UP)
    assert "193" in tip(view.tables["testing"], 8, TITLE)
    assert "1,913.627" in tip(view.tables["training"], 11, THEIR_IGMN)


def test_pointing_at_a_cell_shows_its_tip(qtbot: QtBot, view: PaperView) -> None:
    view.show_tables(filled())
    table = view.tables["training"]
    spot = table.visualRect(table.lines.index(3, IGMN)).center()
    QApplication.sendEvent(
        table.viewport(), QHelpEvent(QHelpEvent.Type.ToolTip, spot, table.viewport().mapToGlobal(spot))
    )
    wait(qtbot, lambda: "CPU time" in QToolTip.text())
    QToolTip.hideText()


@pytest.mark.parametrize(("width", "height"), [(990, 690), (990, 560), (1630, 960)])
def test_everything_fits(qtbot: QtBot, view: PaperView, width: int, height: int) -> None:
    view.show_tables(filled())
    view.resize(width, height)
    for position, phase in enumerate(PHASES):
        view.switch.setCurrentIndex(position)
        table = view.tables[phase]
        wait(qtbot, partial(laid_out, table, width - 32))
        assert table.horizontalScrollBar().maximum() == 0
        header = table.horizontalHeader()
        assert header.sectionViewportPosition(THEIR_SPEED_UP) + header.sectionSize(THEIR_SPEED_UP) <= width - 32
        for row in range(12):
            for column, text in enumerate(cells(table, row)):
                assert table.fontMetrics().horizontalAdvance(text) * 11 / 13 + 8 <= table.columnWidth(column)
    assert view.minimumSizeHint().width() < 800


def test_times_of_microseconds_fit(view: PaperView) -> None:
    row = filled().rows[5]
    for engine in ENGINES:
        for t, seconds in zip(row.training.igmn.timings, (54.1e-6, 59.8e-6), strict=True):
            row = row.with_timing("training", engine, replace(t, seconds=seconds))
    tables = filled()
    view.show_tables(replace(tables, rows=(*tables.rows[:5], row, *tables.rows[6:])))
    table = view.tables["training"]
    assert cells(table, 5)[IGMN] == cells(table, 5)[FAST] == "0.0000570 ± 0.0000040"
    room = [table.columnWidth(column) - 2 * PADDING for column in (IGMN, FAST)]
    assert QFontMetrics(font(SMALL)).horizontalAdvance("0.0000570 ± 0.0000040") <= min(room)


def test_one_table_in_a_low_window_and_two_in_a_high_one(qtbot: QtBot, view: PaperView) -> None:
    def shown() -> list[bool]:
        return [view.tables[phase].isVisible() for phase in PHASES]

    training, testing, kept = (view.tables[phase] for phase in PHASES)
    assert shown() == [True, False, False]
    view.switch.setCurrentIndex(1)
    assert shown() == [False, True, False]
    view.resize(1630, 960)
    wait(qtbot, lambda: shown() == [True, True, False])
    assert not view.switch.isTabVisible(0)
    wait(qtbot, lambda: training.y() < view.switch.y() < testing.y())
    view.switch.setCurrentIndex(2)
    assert shown() == [True, False, True]
    wait(qtbot, lambda: training.y() < view.switch.y() < kept.y())
    view.resize(990, 690)
    wait(qtbot, lambda: shown() == [False, False, True])
    assert view.switch.isTabVisible(0)
    wait(qtbot, lambda: view.switch.y() < kept.y())
    view.switch.setCurrentIndex(0)
    assert shown() == [True, False, False]
    assert view.switch.y() < training.y()


def test_what_is_compared_is_named_above_it(view: PaperView) -> None:
    heads = [view.tables[phase]._head._groups for phase in PHASES]
    assert [[text for _, text in groups] for groups in heads] == [
        ["THIS MACHINE", "PRINTED"],
        ["THIS MACHINE, NOTHING KEPT", "PRINTED"],
        ["THIS MACHINE, PATTERN KEPT", "THIS MACHINE, NOTHING KEPT"],
    ]
    view.show_tables(filled())
    table = view.tables["testing_kept"]
    assert "44.0 s, CPU time 22.0 s" in tip(table, 3, THEIR_IGMN)
    assert "0.0440 s, CPU time 0.0220 s" in tip(table, 3, IGMN)
    assert "Java" in tip(view.tables["testing"], 3, THEIR_IGMN)


def test_a_click_asks_for_what_is_chosen(qtbot: QtBot, view: PaperView) -> None:
    with qtbot.waitSignal(view.start_requested) as caught:
        click(view.measure_button)
    assert caught.args == [TableSettings()]
    view.runs.setValue(3)
    view.solver.setCurrentIndex(1)
    view.limit.setCurrentIndex(view.limit.count() - 1)
    with qtbot.waitSignal(view.start_requested) as caught:
        click(view.measure_button)
    assert caught.args == [TableSettings(n_runs=3, solver="inverse", seconds_at_most=None)]


def test_a_run_can_be_cancelled(qtbot: QtBot, view: PaperView) -> None:
    view.set_running(True)
    view.show_tables(replace(SpeedTables(), now="iris, fold 1: IGMN learns", n_done=5))
    assert view.measure_button.text() == "Cancel"
    assert not view.runs.isEnabled()
    assert view.progress.isVisible()
    assert (view.progress.value(), view.progress.maximum()) == (5, 132)
    assert view.status.text() == "5 of 132 timings · iris, fold 1: IGMN learns"
    with qtbot.waitSignal(view.cancel_requested):
        click(view.measure_button)
    view.show_tables(filled(2))
    view.set_running(False)
    assert view.measure_button.isEnabled()
    assert view.measure_button.text() == "Measure all tables"
    assert view.runs.isEnabled()
    assert view.status.text() == "Stopped after 24 of 132 timings; what was measured is kept."


def test_a_new_measurement_begins_with_empty_tables(view: PaperView) -> None:
    view.show_tables(filled())
    view.set_running(True)
    assert view.status.text() == "Preparing the engines…"
    assert view.progress.value() == 0
    assert {cells(table, 0)[SPEED_UP] for table in view.tables.values()} == {"–"}


def test_the_estimate_follows_the_choices(view: PaperView) -> None:
    assert view.status.text() == "no time estimate yet"
    view.set_rate(RATE)
    first = view.status.text()
    assert first.startswith("about 2 min; ")
    assert "IGMN alone on the CIFAR-10-shaped set, whole: about 90 min" in first
    view.limit.setCurrentIndex(view.limit.count() - 1)
    assert ", of which IGMN alone on the CIFAR-10-shaped set: about 90 min" in view.status.text()
    view.show_tables(filled())
    assert view.status.text().startswith("Other settings than in the tables: about ")
    view.limit.setCurrentIndex(1)
    assert view.status.text().startswith("All 132 timings are done. Again: about 2 min")


def test_exports_are_asked_for_once_there_is_something(view: PaperView) -> None:
    assert not any(button.isEnabled() for button in view.exports.values())
    view.show_tables(SpeedTables())
    assert not any(button.isEnabled() for button in view.exports.values())
    view.show_tables(filled(1))
    asked: list[str] = []
    view.export_requested.connect(asked.append)
    for button in view.exports.values():
        click(button)
    assert asked == ["csv", "json", "latex", "copy"]


def test_the_notes_tell_how_it_was_measured(view: PaperView) -> None:
    notes = find(view, QLabel, "paperNotes")
    assert "Abacus" not in notes.text()
    view.show_tables(filled(settings=TableSettings(seconds_at_most=None)))
    for words in (
        "δ = 1, β = 0, exact rule", "2-fold cross-validation", "Engine time only", "one BLAS thread",
        "warm-up not timed", "synthetic stand-in", "Java in Weka, another machine", "D counts columns after encoding",
        "Abacus & Sons_1 · 2 cores · NumPy 9.9",
    ):  # fmt: skip
        assert words in notes.text()
    assert "≈" not in notes.text()


def test_everything_has_a_name(view: PaperView) -> None:
    for widget in (view.runs, view.solver, view.limit, view.measure_button, view.switch, view.progress):
        assert widget.objectName()
    spoken: list[QWidget] = [view.runs, view.solver, view.limit, view.switch, *view.tables.values()]
    assert all(widget.accessibleName() for widget in spoken)
    assert {view.tables[phase].objectName() for phase in PHASES} == {
        "trainingTimes", "testingTimes", "testing_keptTimes",
    }  # fmt: skip


def test_each_look_paints_its_own_colours(view: PaperView) -> None:
    view.show_tables(filled())
    table = view.tables["training"]
    looks = {}
    for theme in (LIGHT, DARK):
        view.set_theme(theme)
        image = table.viewport().grab().toImage()
        looks[theme.name] = image
        first, last = (table.visualRect(table.lines.index(row, FAST)) for row in (0, 11))
        assert theme.accent in colours(image, first.topLeft(), last.bottomRight())
    assert looks["light"] != looks["dark"]


def colours(image: QImage, first: QPoint, last: QPoint) -> set[str]:
    places = ((x, y) for x in range(first.x(), last.x()) for y in range(first.y(), last.y()))
    return {image.pixelColor(x, y).name() for x, y in places}
