"""Questions for files: each begins anew, in dialogs that are made once and never destroyed while the window lives."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QTimer
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from tests.workbench.hands import find
from workbench.window.file_question import FileQuestion

Answer = Callable[[QFileDialog], None]


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    found = QWidget()
    qtbot.addWidget(found)
    found.show()
    return found


@pytest.fixture
def question(window: QWidget) -> FileQuestion:
    return FileQuestion(window)


def answering(window: QWidget, answer: Answer, ask: Callable[[], str | None]) -> str | None:
    def act() -> None:
        QApplication.processEvents()
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, QFileDialog)
        answer(dialog)

    QTimer.singleShot(0, window, act)
    found = ask()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    return found


def named(name: str) -> Answer:
    """Type a name and confirm it."""

    def answer(dialog: QFileDialog) -> None:
        field(dialog).setText(name)
        dialog.accept()

    return answer


def field(dialog: QFileDialog) -> QLineEdit:
    return find(dialog, QLineEdit, "fileNameEdit")


def test_no_dialog_is_destroyed(window: QWidget, question: FileQuestion, tmp_path: Path) -> None:
    gone: list[str] = []
    asks = {
        "open": lambda: question.ask_open("Open", str(tmp_path), "All files (*)"),
        "save": lambda: question.ask_save("Save", str(tmp_path / "a.csv"), "CSV (*.csv)"),
    }
    for name, ask in asks.items():

        def cancel(dialog: QFileDialog, name: str = name) -> None:
            dialog.destroyed.connect(lambda: gone.append(name))
            dialog.reject()

        assert [answering(window, cancel, ask) for _ in range(2)] == [None, None]
    assert gone == []
    assert len(window.findChildren(QFileDialog)) == len(asks)


def test_a_question_knows_nothing_of_the_one_before(window: QWidget, question: FileQuestion, tmp_path: Path) -> None:
    (tmp_path / "old.csv").write_text("x", encoding="utf-8")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "old.json").write_text("{}", encoding="utf-8")
    first = answering(window, named("old.csv"), lambda: question.ask_open("Open", str(tmp_path), "CSV (*.csv)"))
    assert first == str(tmp_path / "old.csv")
    seen: list[object] = []

    def look(dialog: QFileDialog) -> None:
        seen.extend([field(dialog).text(), dialog.nameFilters(), dialog.windowTitle()])
        named("old.json")(dialog)

    other = str(tmp_path / "other")
    second = answering(window, look, lambda: question.ask_open("A recipe", other, "Recipe (*.json);;All files (*)"))
    assert seen == ["", ["Recipe (*.json)", "All files (*)"], "A recipe"]
    assert second == str(tmp_path / "other" / "old.json")


def test_what_is_written_gets_the_ending_of_its_question(
    window: QWidget, question: FileQuestion, tmp_path: Path
) -> None:
    for kind in ("csv", "json"):
        offered: list[str] = []

        def take(dialog: QFileDialog, offered: list[str] = offered) -> None:
            offered.append(field(dialog).text())
            named("mine")(dialog)

        path = str(tmp_path / f"offered.{kind}")
        found = answering(window, take, lambda path=path, kind=kind: question.ask_save("Save", path, f"X (*.{kind})"))  # type: ignore[misc]
        assert offered == [f"offered.{kind}"]
        assert found == str(tmp_path / f"mine.{kind}")


def test_without_a_folder_it_begins_in_the_working_folder(
    window: QWidget, question: FileQuestion, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    seen: list[str] = []

    def look(dialog: QFileDialog) -> None:
        seen.append(dialog.directory().absolutePath())
        dialog.reject()

    assert answering(window, look, lambda: question.ask_open("Open", "", "All (*)")) is None
    assert [Path(folder).resolve() for folder in seen] == [tmp_path.resolve()]
