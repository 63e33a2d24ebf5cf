"""One style sheet for all looks: a switch changes the palette alone, and the result is that of a fresh start."""

from __future__ import annotations

from dataclasses import fields

import pytest
from PySide6.QtGui import QImage, QPalette
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from workbench.run.dataset import SampleOrigin, load
from workbench.views import theme as themes
from workbench.views.naming import set_property
from workbench.views.polish import Later
from workbench.views.theme import DARK, LIGHT, ROLE_WORDS, ROLES, Theme
from workbench.wiring import Wiring


def colour_names() -> set[str]:
    return {field.name for field in fields(Theme)} - {"name", "classes"}


def test_every_colour_has_a_role_of_its_own() -> None:
    assert sorted(ROLES.values()) == sorted(colour_names())


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_the_style_sheet_finds_every_colour(qtbot: QtBot, qapp: QApplication, theme: Theme) -> None:
    themes.apply(theme, qapp)
    for name, word in ROLE_WORDS.items():
        patch = QWidget()
        qtbot.addWidget(patch)
        patch.setStyleSheet(f"background: palette({word})")
        assert patch.grab().toImage().pixelColor(5, 5).name() == getattr(theme, name), name


def test_a_switch_gives_what_a_start_would_have_given(qtbot: QtBot, wiring: Wiring, qapp: QApplication) -> None:
    wiring.take_dataset(load(SampleOrigin("iris")), "load of iris")
    wiring.note("error", "seen once the log is opened")
    wiring.set_theme("dark")
    wait_for_the_rest(qtbot, qapp)
    switched = settled_pictures(qtbot, wiring)
    qapp.setStyleSheet("")
    wiring.set_theme("dark")
    assert [name for name, picture in settled_pictures(qtbot, wiring).items() if picture != switched[name]] == []


def test_the_style_sheet_is_set_once(wiring: Wiring, qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QApplication, "setStyleSheet", lambda *_: pytest.fail("every widget is polished many times"))
    monkeypatch.setattr(QApplication, "setStyle", lambda *_: pytest.fail("every widget is polished"))
    wiring.set_theme("dark")
    assert qapp.palette().color(QPalette.ColorRole.Base).name() == DARK.base


def test_a_manner_given_up_after_a_switch_leaves_no_colour_behind(qtbot: QtBot, qapp: QApplication) -> None:
    themes.apply(LIGHT, qapp)
    label = QLabel("text")
    qtbot.addWidget(label)
    set_property(label, "manner", "error")
    label.show()
    themes.apply(DARK, qapp)
    set_property(label, "manner", "strong")
    assert label.palette().color(QPalette.ColorRole.WindowText).name() == DARK.text


def wait_for_the_rest(qtbot: QtBot, application: QApplication) -> None:
    later = application.findChild(Later)
    assert isinstance(later, Later)
    qtbot.waitUntil(lambda: not later._waiting)


def settled_pictures(qtbot: QtBot, wiring: Wiring) -> dict[str, QImage]:
    """Once everything is laid out and counted: of two in a row that are the same."""
    found = [pictures(wiring)]

    def is_settled() -> bool:
        found.append(pictures(wiring))
        return found[-1] == found[-2]

    qtbot.waitUntil(is_settled, timeout=30_000)
    return found[-1]


def pictures(wiring: Wiring) -> dict[str, QImage]:
    """All but the status bar, which counts memory."""
    window = wiring.window
    window.dock.show()
    found = {}
    for page in (window.data, window.stream, window.race):
        window.show_page(page)
        QApplication.processEvents()
        found[type(page).__name__] = window.tabs.grab().toImage()
    return found | {part.objectName(): part.grab().toImage() for part in (window.menuBar(), window.form, window.dock)}
