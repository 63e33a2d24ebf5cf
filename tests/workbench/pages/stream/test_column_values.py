"""Values of columns in the component tables and at the axes: dates, years and what rounding left of zero."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QModelIndex, Qt
from pytestqt.qtbot import QtBot

from tests.workbench import frames
from tests.workbench.hands import wait
from workbench.pages.stream.component_details import ColumnModel
from workbench.pages.stream.component_model import ID, MEAN, ComponentModel
from workbench.pages.stream.component_table import ComponentTable
from workbench.pages.stream.mixture_view import MixtureView
from workbench.run.show.frame import Frame, Plane
from workbench.views.plots.mixture_plot import card_text, manners


@pytest.fixture(scope="module")
def iris() -> Frame:
    return frames.frame(frames.iris(), Plane("columns", 2, 3), delta=0.8, beta=0.1)


def with_columns(frame: Frame, kind: str, x: np.ndarray) -> Frame:
    """The same frame with other numbers along x."""
    old = frame.picture
    points = np.column_stack([np.resize(x, len(old.points)), old.points[:, 1]])
    centres = np.column_stack([np.resize(x, len(old.centres)) + 0.52, old.centres[:, 1]])
    return replace(frame, picture=replace(old, points=points, centres=centres, kinds=(kind, "numeric")))


def test_days_are_dates_at_the_axis_in_the_card_and_in_the_table(qtbot: QtBot, iris: Frame) -> None:
    """15,500 stood for the ninth of June 2012."""
    frame = with_columns(iris, "date", 15_500.0 + np.arange(300))
    view = MixtureView()
    qtbot.addWidget(view)
    view.resize(760, 520)
    view.show_frame(frame)
    view.grab()
    texts = [text for text in view.area.plot.bottom._texts.values() if text]
    assert texts
    assert all(text.startswith(("2012", "2013")) for text in texts)
    assert "2012-06-09 ± " in card_text(frame.picture, frame.census, 0)
    assert " days" in card_text(frame.picture, frame.census, 0)
    model = ComponentModel()
    model.show(frame)
    assert "2012-06-" in str(model.index(0, MEAN).data())


def test_years_have_whole_marks_and_no_comma(qtbot: QtBot, iris: Frame) -> None:
    frame = with_columns(iris, "numeric", 2005.0 + np.arange(4))
    assert manners(frame.picture)[0] == "whole"
    view = MixtureView()
    qtbot.addWidget(view)
    view.resize(1200, 520)
    view.show_frame(frame)
    view.grab()
    texts = [text for text in view.area.plot.bottom._texts.values() if text]
    assert {"2005", "2006", "2007", "2008"} <= set(texts)
    assert not any("," in text or "." in text for text in texts)
    assert "2005.5 ± " in card_text(frame.picture, frame.census, 0) or "2006 ± " in card_text(
        frame.picture, frame.census, 0
    )


def test_what_rounding_left_of_zero_is_zero() -> None:
    model = ColumnModel()
    model.show(("a", "b"), np.array([1.388e-16, 2.0]), np.array([0.25, 0.25]), ("numeric", "numeric"), np.ones(2))
    assert [model.index(row, 1, QModelIndex()).data(Qt.ItemDataRole.DisplayRole) for row in (0, 1)] == ["0", "2.0000"]


def test_the_column_of_long_numbers_is_wide_enough(qtbot: QtBot, iris: Frame) -> None:
    """#19036 ran into 0.0000."""
    table = ComponentTable()
    qtbot.addWidget(table)
    ids = 19_036_000 + np.arange(len(iris.census.ids))
    table.show_frame(replace(iris, census=replace(iris.census, ids=ids)))
    wait(qtbot, lambda: table.model.rowCount() > 0)
    text = str(table.model.index(0, ID).data())
    assert table.view.columnWidth(ID) > table.view.fontMetrics().horizontalAdvance(text)
