"""The parts of a result alone: very many classes and points, odd numbers, and what comes while it is computed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from tests.workbench.hands import wait
from tests.workbench.pages.evaluate.found import of_classes, of_numbers
from workbench.evaluate.trial.figures import Figure, Measure
from workbench.evaluate.trial.plan import Task
from workbench.pages.evaluate.parts.confusion import ConfusionPart
from workbench.pages.evaluate.parts.curves import CurvesPart
from workbench.pages.evaluate.parts.figures import FiguresPart
from workbench.pages.evaluate.parts.line_plot import Line, LinePlot, span_of
from workbench.pages.evaluate.parts.numbers import MOST_POINTS, PredictedPart, ResidualsPart
from workbench.pages.evaluate.parts.text_table import Cells, TextTable
from workbench.pages.evaluate.words import with_spread
from workbench.views.look.background import Background


@pytest.fixture
def background() -> Iterator[Background]:
    made = Background()
    yield made
    made.close()
    made.deleteLater()


def rest(qtbot: QtBot, background: Background) -> None:
    wait(qtbot, lambda: not background._worker.is_busy and not background._then)


def test_very_many_classes_scroll(qtbot: QtBot, background: Background) -> None:
    part = ConfusionPart(background)
    qtbot.addWidget(part)
    part.resize(600, 500)
    part.show()
    evaluation = of_classes(150)
    part.show_evaluation(evaluation)
    rest(qtbot, background)
    assert part.matrix.matrix.counts.sum() == 400
    assert part.matrix.horizontalScrollBar().maximum() > 0
    assert part.matrix.verticalScrollBar().maximum() > 0
    assert len(part.classes.cells.rows) == 150
    assert part.grab().width() == 600


def test_a_class_that_was_not_tested_has_no_curve(qtbot: QtBot, background: Background) -> None:
    part = CurvesPart(background)
    qtbot.addWidget(part)
    part.show_evaluation(of_classes(3, n_tested=2))
    rest(qtbot, background)
    assert part.plot.names.entries[0][0].startswith("Fast IGMN, AUC")
    part.label.setCurrentIndex(2)
    rest(qtbot, background)
    assert not part.plot.names.entries
    assert "no such curve" in part.words.text()
    part.kind.setCurrentIndex(part.kind.findData("calibration"))
    rest(qtbot, background)
    (_, line) = part.plot.item.lines
    assert sum(int(count.replace(",", "")) for count in line.counts) == 400
    assert len(part.csv(raw=True)().splitlines()) == 1 + len(line.x)


def test_very_many_points_are_thinned_and_say_so(qtbot: QtBot, background: Background) -> None:
    n_rows = 2 * MOST_POINTS + 10
    truth = np.linspace(0, 1, n_rows)
    part = PredictedPart(background)
    qtbot.addWidget(part)
    part.show_evaluation(of_numbers(truth, truth + 0.1, 0.1))
    rest(qtbot, background)
    assert part.points.n_points <= MOST_POINTS
    assert f"{n_rows:,} rows, of which {part.points.n_points:,} are drawn" in part.words.text()
    assert "cover 0.0 %" in part.words.text()


@pytest.mark.parametrize("odd", [np.nan, np.inf, -np.inf, 1e300, -1e300, 0.0])
def test_odd_predictions_are_drawn(qtbot: QtBot, background: Background, odd: float) -> None:
    truth = np.linspace(0, 1, 500)
    predicted = truth.copy()
    predicted[7] = odd
    for kind in (PredictedPart, ResidualsPart):
        part = kind(background)
        qtbot.addWidget(part)
        part.resize(500, 400)
        part.show_evaluation(of_numbers(truth, predicted, None))
        rest(qtbot, background)
        assert not part.grab().isNull()
        across, up = part.plot.plot.view.seen()
        assert max(abs(end) for span in (across, up) for end in span) < 10
    if abs(odd) == 1e300:
        part = PredictedPart(background)
        qtbot.addWidget(part)
        part.show_evaluation(of_numbers(truth, predicted, None))
        assert "1 prediction outside of the view" in part.words.text()


def test_dates_are_drawn_as_dates(qtbot: QtBot, background: Background) -> None:
    found = of_numbers(np.linspace(18_000.0, 18_500.0, 50), np.linspace(18_010.0, 18_490.0, 50))
    dated = replace(found, plan=replace(found.plan, task=Task("numbers", "day", is_date=True)))
    part = ResidualsPart(background)
    qtbot.addWidget(part)
    for evaluation, manner in ((dated, "days"), (found, "numbers")):
        part.show_evaluation(evaluation)
        rest(qtbot, background)
        assert part.plot.plot.bottom._manner == manner


def test_constant_numbers_are_drawn(qtbot: QtBot, background: Background) -> None:
    part = ResidualsPart(background)
    qtbot.addWidget(part)
    part.resize(500, 400)
    part.show_evaluation(of_numbers(np.full(5, 3.0), np.full(5, 3.0)))
    rest(qtbot, background)
    assert not part.grab().isNull()
    assert "Mean residual 0" in part.words.text()


def test_newer_states_wait_and_other_results_do_not(qtbot: QtBot, background: Background) -> None:
    part = FiguresPart(background)
    qtbot.addWidget(part)
    first = of_classes(3)
    newer = replace(first, n_done=2)
    newest = replace(first, n_done=3)
    part.show_evaluation(first)
    part.show_evaluation(newer)
    part.show_evaluation(newest)
    assert part.evaluation is first  # until it is shown
    rest(qtbot, background)
    assert part.evaluation is newest
    other = of_classes(4)
    part.show_evaluation(newest)
    part.show_evaluation(other)
    assert part.evaluation is other
    rest(qtbot, background)
    assert part.table.cells.rows
    assert "400 rows tested" in part.remarks.text()


def test_a_plot_fits_until_it_is_moved(qtbot: QtBot) -> None:
    plot = LinePlot("linePlot", "curve")
    qtbot.addWidget(plot)
    x = np.array([0.0, 1.0, 2.0])
    plot.set_titles("x", "y")
    plot.show_lines([Line("a curve", x, np.array([np.nan, 4.0, 8.0]), "first")])
    assert plot.plot.view.seen()[1].high == pytest.approx(8.16)
    assert plot.reading_at(1.2) == "x 1.2: a curve 4"
    assert plot.reading_at(-1.0) == ""  # not defined there
    plot.moved_by_user.emit()
    plot.show_lines([Line("a curve", x, 10 * x, "first")])
    assert plot.plot.view.seen()[1].high == pytest.approx(8.16)
    plot.fit_wanted.emit()
    assert plot.plot.view.seen()[1].high == pytest.approx(20.8)


def test_spans_are_finite() -> None:
    assert span_of([]) == (0.0, 1.0)
    assert span_of([np.array([np.nan, np.inf])]) == (0.0, 1.0)
    low, high = span_of([np.array([2.0, np.nan])])
    assert low < 2.0 < high


def test_a_table_is_copied_and_written(qtbot: QtBot) -> None:
    table = TextTable("texts", "texts")
    qtbot.addWidget(table)
    table.show_cells(Cells(("class", "share"), (("=1+1", "50 %"),), (("=1+1", 0.5),)))
    assert table.cells.csv(raw=False)() == "class,share\n'=1+1,0.5\n"
    assert table.cells.csv(raw=True)() == "class,share\n=1+1,0.5\n"


@pytest.mark.parametrize(
    ("unit", "value", "folds", "text"),
    [
        ("share", 0.95333, (0.9, 1.0), "95.33 ± 7.07 %"),
        ("", 0.5, (0.4, 0.6), "0.5000 ± 0.1414"),
        ("", 1e-9, (1e-9, 2e-9), "1.000e−9 ± 7.1e−10"),
        ("", 0.5, (0.5,), "0.5000"),
        ("", float("nan"), (0.5, 0.6), "–"),
        ("target", 1234.5, (1000.0, 1500.0), "1,234 ± 354"),
        ("seconds", 0.25, (0.2, 0.3), "250 ms ± 70.7 ms"),
    ],
)
def test_figures_with_their_spread(unit: str, value: float, folds: tuple[float, ...], text: str) -> None:
    measure = Measure("name", "name", "more", "", lambda _: 0.0, unit)  # type: ignore[arg-type]
    assert with_spread(Figure(measure, value, folds)) == text
