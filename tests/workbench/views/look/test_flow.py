"""Tools side by side, in as many rows as it takes."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QSizePolicy, QWidget
from pytestqt.qtbot import QtBot

from workbench.views.look.flow import Flow


class Part(QWidget):
    """Wants to be 100 wide, and can do with 60."""

    def sizeHint(self) -> QSize:
        return QSize(100, 20)

    def minimumSizeHint(self) -> QSize:
        return QSize(60, 20)


class Row(QWidget):
    """Three of them."""

    def __init__(self) -> None:
        super().__init__()
        self.flow = Flow(self, gap=10, line_gap=5)
        self.flow.setContentsMargins(0, 0, 0, 0)
        self.parts = [Part() for _ in range(3)]
        for part in self.parts:
            self.flow.addWidget(part)

    def places(self, width: int) -> list[tuple[int, int, int]]:
        self.resize(width, 200)
        return [(part.x(), part.y(), part.width()) for part in self.parts]


@pytest.fixture
def row(qtbot: QtBot) -> Row:
    row = Row()
    qtbot.addWidget(row)
    row.show()
    return row


def test_parts_give_way_before_a_row_breaks(row: Row) -> None:
    assert row.places(320) == [(0, 0, 100), (110, 0, 100), (220, 0, 100)]
    assert row.places(260) == [(0, 0, 80), (90, 0, 80), (180, 0, 80)]
    assert row.places(190) == [(0, 0, 90), (100, 0, 90), (0, 25, 100)]
    assert row.places(60) == [(0, 0, 60), (0, 25, 60), (0, 50, 60)]


def test_the_height_is_that_of_its_rows(row: Row) -> None:
    assert [row.flow.heightForWidth(width) for width in (200, 130, 60)] == [20, 45, 70]
    assert row.flow.minimumSize() == QSize(60, 20)


def test_what_is_left_goes_to_who_expands(row: Row) -> None:
    row.parts[1].setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    assert row.places(400) == [(0, 0, 100), (110, 0, 180), (300, 0, 100)]
    row.parts[1].hide()
    assert row.places(401)[2] == (110, 0, 100)
