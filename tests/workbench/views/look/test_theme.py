"""One style sheet for all looks: a switch changes the palette alone, and the result is that of a fresh start."""

from __future__ import annotations

from dataclasses import fields
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtGui import QColor, QImage, QPalette
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from tests.workbench.hands import wait
from workbench.pages.data.wiring import DataWiring
from workbench.run.recipe.dataset import SampleOrigin, load
from workbench.views.look import polish
from workbench.views.look import theme as themes
from workbench.views.look.naming import set_property
from workbench.views.look.polish import Later
from workbench.views.look.theme import DARK, LIGHT, ROLE_WORDS, ROLES, Theme
from workbench.window import application
from workbench.window.shell import WindowShell


def colour_names() -> set[str]:
    return {field.name for field in fields(Theme)} - {"name", "classes", "components"}


def test_every_colour_has_a_role_of_its_own() -> None:
    assert sorted(ROLES.values()) == sorted(colour_names())


VISIONS = {
    "all colours": np.eye(3),
    "no red": np.array([[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]]),
    "no green": np.array([[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]]),
    "no blue": np.array([[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]]),
}
"""Machado, Oliveira and Fernandes (2009): light as those see it who lack a kind of cone."""
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
WHITE = np.array([0.9505, 1.0, 1.0888])


def light_of(name: str) -> NDArray[np.float64]:
    """Red, green and blue, linear."""
    colour = QColor(name)
    parts = np.array([colour.redF(), colour.greenF(), colour.blueF()])
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def lab_of(light: NDArray[np.float64]) -> NDArray[np.float64]:
    """Coordinates in which distances are differences that are seen."""
    xyz = TO_XYZ @ np.clip(light, 0.0, 1.0) / WHITE
    x, y, z = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_everybody_can_tell_the_colours_of_components_apart(theme: Theme, vision: str) -> None:
    seen = [lab_of(VISIONS[vision] @ light_of(name)) for name in theme.components]
    assert min(np.linalg.norm(one - other) for one, other in combinations(seen, 2)) > 20


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_a_thin_line_of_a_component_is_seen(theme: Theme) -> None:
    def brightness(name: str) -> float:
        return float(TO_XYZ[1] @ light_of(name)) + 0.05

    for name in theme.components:
        darker, lighter = sorted((brightness(name), brightness(theme.base)))
        assert lighter / darker > 3, name


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_the_style_sheet_finds_every_colour(qtbot: QtBot, qapp: QApplication, theme: Theme) -> None:
    themes.apply(theme, qapp)
    for name, word in ROLE_WORDS.items():
        patch = QWidget()
        qtbot.addWidget(patch)
        patch.setStyleSheet(f"background: palette({word})")
        assert patch.grab().toImage().pixelColor(5, 5).name() == getattr(theme, name), name


def test_a_switch_gives_what_a_start_would_have_given(qtbot: QtBot, shell: WindowShell, qapp: QApplication) -> None:
    shell.page(DataWiring).take_dataset(load(SampleOrigin("iris")), "load of iris")
    shell.note("error", "seen once the log is opened")
    shell.set_theme("dark")
    wait_for_the_rest(qtbot, qapp)
    switched = settled_pictures(qtbot, shell)
    qapp.setStyleSheet("")
    shell.set_theme("dark")
    assert [name for name, picture in settled_pictures(qtbot, shell).items() if picture != switched[name]] == []


def test_a_picture_is_in_the_new_colours_before_there_was_idle_time(
    shell: WindowShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a busy machine, what was hidden when the theme changed was still pictured in the old one."""
    monkeypatch.setattr(polish, "BATCH", 0.0)
    shell.window.hide()
    shell.set_theme("dark")
    shell.window.show()
    application.grab(shell.window, str(tmp_path / "window.png"))
    assert QImage(str(tmp_path / "window.png")).pixelColor(2, 300).name() == DARK.panel


def test_the_style_sheet_is_set_once(shell: WindowShell, qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QApplication, "setStyleSheet", lambda *_: pytest.fail("every widget is polished many times"))
    monkeypatch.setattr(QApplication, "setStyle", lambda *_: pytest.fail("every widget is polished"))
    shell.set_theme("dark")
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
    wait(qtbot, lambda: not later._waiting)


def settled_pictures(qtbot: QtBot, shell: WindowShell) -> dict[str, QImage]:
    """Once everything is laid out and counted: of two in a row that are the same."""
    found = [pictures(shell)]

    def is_settled() -> bool:
        found.append(pictures(shell))
        return found[-1] == found[-2]

    wait(qtbot, is_settled)
    return found[-1]


def pictures(shell: WindowShell) -> dict[str, QImage]:
    """All but the status bar, which counts memory."""
    window = shell.window
    window.dock.show()
    found = {}
    for page in shell.pages:
        window.show_page(page.view)
        QApplication.processEvents()
        found[type(page).__name__] = window.tabs.grab().toImage()
    return found | {part.objectName(): part.grab().toImage() for part in (window.menuBar(), window.form, window.dock)}
