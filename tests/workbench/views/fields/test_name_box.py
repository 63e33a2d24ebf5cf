"""Names of columns in boxes that are narrower than they are."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QApplication, QComboBox
from pytestqt.qtbot import QtBot

from workbench.views.fields.calm_box import CalmBox, ChoiceBox
from workbench.views.fields.name_box import WIDEST, NameBox
from workbench.views.look import theme as themes
from workbench.views.look.theme import LIGHT

LONG = "flipper_length_in_the_unit_of_the_station_mm"


def test_a_long_name_is_shortened_in_its_middle_and_told_whole(qtbot: QtBot) -> None:
    box = NameBox("xColumn", "horizontal axis", "The column on the horizontal axis")
    qtbot.addWidget(box)
    box.addItems(["year", LONG])
    assert box.sizeHint().width() == WIDEST
    box.resize(box.sizeHint())
    assert box.shown_text() == "year"
    box.setCurrentText(LONG)
    shown = box.shown_text()
    assert shown.startswith("flip")
    assert shown.endswith("_mm"), "the ends tell columns apart"
    assert "…" in shown or "..." in shown
    assert box.toolTip() == f"{LONG}\nThe column on the horizontal axis"
    box.grab()


@pytest.mark.parametrize("make", [lambda: NameBox("xColumn", "horizontal axis", ""), CalmBox, ChoiceBox])
def test_the_list_is_as_wide_as_its_names(qtbot: QtBot, qapp: QApplication, make: Callable[[], QComboBox]) -> None:
    themes.apply(LIGHT, qapp)
    box = make()
    qtbot.addWidget(box)
    box.setFixedWidth(120)
    box.addItems(["year", LONG])
    box.show()
    box.showPopup()
    assert box.view().width() > box.view().fontMetrics().horizontalAdvance(LONG) > box.width()
    box.hidePopup()
