"""The preview of a file: what was found out, what the user knows better, and files that cannot be read."""

from __future__ import annotations

import threading
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QLineEdit, QPushButton, QSpinBox, QWidget
from pytestqt.qtbot import QtBot

from tests.workbench.hands import choose, click, find, wait, write
from workbench.pages.data.dialogs import preview_dialog
from workbench.pages.data.dialogs.preview_dialog import PreviewDialog, look_at
from workbench.pages.data.dialogs.read_form import parts_of
from workbench.run import Recipe, run
from workbench.source import Preview, ReadOptions, preview
from workbench.source.read import recognise
from workbench.source.read.csv import reader as delimited
from workbench.source.read.csv.dialect import find_dialect
from workbench.source.samples import assets
from workbench.views.look.notice import Notice

GERMAN = "größe;gewicht;klasse\n1,5;10;a\n2,5;20;b\n3,5;30;a\n"


def shown(qtbot: QtBot, path: Path, found: Preview | None = None) -> PreviewDialog:
    dialog = PreviewDialog(path, found)
    qtbot.addWidget(dialog)
    with qtbot.waitActive(dialog):
        dialog.show()
        dialog.activateWindow()
    return dialog


def german(folder: Path) -> Path:
    path = folder / "flowers.csv"
    path.write_text(GERMAN, encoding="latin-1")
    return path


def load_button(dialog: PreviewDialog) -> QPushButton:
    return find(dialog, QPushButton, "loadButton")


def notice(dialog: PreviewDialog) -> Notice:
    return find(dialog, Notice, "notice")


def cells(dialog: PreviewDialog, row: int) -> list[str]:
    model = dialog._values.model
    return [model.index(row, column).data() for column in range(model.columnCount())]


def test_what_was_found_out_is_filled_in(qtbot: QtBot, tmp_path: Path) -> None:
    path = german(tmp_path)
    dialog = shown(qtbot, path, preview(path))
    assert find(dialog, QComboBox, "optionDelimiter").currentText() == "semicolon ;"
    assert find(dialog, QComboBox, "optionDecimal").currentText() == "comma ,"
    assert find(dialog, QCheckBox, "optionHeader").isChecked()
    assert cells(dialog, 1) == ["2.5", "20", "b"]
    facts = find(dialog, QLabel, "previewFacts").text()
    assert facts.startswith("CSV · 3 rows × 3 columns · file 48 bytes · ")
    assert load_button(dialog).isEnabled()


def test_nothing_touched_says_nothing_of_the_file(qtbot: QtBot, tmp_path: Path) -> None:
    path = german(tmp_path)
    origin = shown(qtbot, path, preview(path)).origin()
    assert (origin.path, origin.options, origin.streamed) == (str(path), ReadOptions(), False)


def test_a_change_looks_again_and_only_it_is_kept(qtbot: QtBot, tmp_path: Path) -> None:
    dialog = shown(qtbot, german(tmp_path))
    find(dialog, QCheckBox, "optionHeader").setChecked(False)
    assert not load_button(dialog).isEnabled(), "no load before the file was looked at again"
    wait(qtbot, load_button(dialog).isEnabled)
    assert cells(dialog, 0) == ["größe", "gewicht", "klasse"]
    assert dialog.origin().options == ReadOptions(header=False)
    assert dialog.origin().read().n_rows == 4


@pytest.mark.parametrize(
    ("name", "act", "options"),
    [
        ("optionDelimiter", lambda box: choose(box, "comma ,"), ReadOptions(delimiter=",")),
        ("optionQuote", lambda box: choose(box, "none"), ReadOptions(quote=None)),
        ("optionBadLines", lambda box: choose(box, "skip them"), ReadOptions(bad_lines="skip")),
        ("optionEncoding", lambda box: choose(box, "latin-1"), ReadOptions(encoding="latin-1")),
        ("optionSkipLines", lambda box: box.setValue(1), ReadOptions(skip_lines=1)),
    ],
)
def test_every_option_reaches_the_load(qtbot: QtBot, tmp_path: Path, name: str, act: Any, options: ReadOptions) -> None:
    dialog = shown(qtbot, german(tmp_path))
    act(find(dialog, QWidget, name))
    assert dialog.origin().options == options


def test_texts_for_missing_values_can_be_typed(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "gaps.csv"
    path.write_text("a,b\n1,-9\n2,3\n")
    dialog = shown(qtbot, path)
    field = find(dialog, QLineEdit, "optionMissing")
    field.clear()
    qtbot.keyClicks(field, "-9, x")
    assert dialog.origin().options.missing == ("", "-9", "x")
    wait(qtbot, lambda: cells(dialog, 0) == ["1", "?"])


def test_a_wrong_option_is_said_in_place_and_can_be_mended(qtbot: QtBot, tmp_path: Path) -> None:
    dialog = shown(qtbot, german(tmp_path))
    box = find(dialog, QComboBox, "optionDelimiter")
    box.setFocus()
    write(box, "::", None)
    wait(qtbot, notice(dialog).isVisible)
    assert "'::' is not a delimiter" in notice(dialog).text()
    assert not load_button(dialog).isEnabled()
    qtbot.keyClick(box.lineEdit(), Qt.Key.Key_Backspace)
    qtbot.keyClick(box.lineEdit(), Qt.Key.Key_Backspace)
    qtbot.keyClicks(box.lineEdit(), ";")
    wait(qtbot, load_button(dialog).isEnabled)
    assert not notice(dialog).isVisible()


def test_a_broken_file_is_explained(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "broken.csv"
    path.write_text("a,b\n")
    dialog = shown(qtbot, path)
    assert notice(dialog).text() == (
        "broken.csv, line 1 has a header but no rows. Choose a file with rows under the names."
    )
    assert not load_button(dialog).isEnabled()


def test_a_kind_is_chosen_for_the_column_that_was_clicked(qtbot: QtBot, tmp_path: Path) -> None:
    dialog = shown(qtbot, german(tmp_path))
    dialog._values.column_clicked.emit(1)
    assert find(dialog, QComboBox, "previewColumn").currentText() == "gewicht"
    assert find(dialog, QComboBox, "previewKind").currentText() == "numeric"
    choose(find(dialog, QComboBox, "previewKind"), "nominal")
    wait(qtbot, load_button(dialog).isEnabled)
    assert dialog.origin().options == ReadOptions(kinds={"gewicht": "nominal"})
    assert dialog.origin().read().kinds == ("numeric", "nominal", "nominal")


def test_a_kind_that_cannot_be_is_said_in_place(qtbot: QtBot, tmp_path: Path) -> None:
    dialog = shown(qtbot, german(tmp_path))
    dialog._values.column_clicked.emit(2)
    choose(find(dialog, QComboBox, "previewKind"), "numeric")
    wait(qtbot, notice(dialog).isVisible)
    assert "'a' is not a number" in notice(dialog).text()
    assert not load_button(dialog).isEnabled()


def test_an_archive_of_several_files_asks_for_one(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "two.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.csv", "x,y\n1,2\n")
        archive.writestr("b.csv", "z\n7\n8\n")
    dialog = shown(qtbot, path)
    assert "holds 2 files" in notice(dialog).text()
    box = find(dialog, QComboBox, "optionMember")
    assert box.isVisible()
    assert box.currentText() == ""
    choose(box, "b.csv")
    wait(qtbot, load_button(dialog).isEnabled)
    assert cells(dialog, 1) == ["8"]
    assert dialog.origin().options == ReadOptions(member="b.csv")


def test_the_sheets_of_a_workbook_are_listed(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "book.xlsx"
    book = openpyxl.Workbook()
    book.active.title = "first"
    book.active.append(["x"])
    book.active.append([1])
    other = book.create_sheet("Tom & Ann")
    other.append(["y"])
    other.append([5])
    book.save(path)
    book.close()
    assert parts_of(path) == ["first", "Tom & Ann"]
    dialog = shown(qtbot, path)
    choose(find(dialog, QComboBox, "optionMember"), "Tom & Ann")
    wait(qtbot, load_button(dialog).isEnabled)
    assert cells(dialog, 0) == ["5"]


def test_arrays_of_an_archive_are_listed(tmp_path: Path) -> None:
    np.savez(tmp_path / "arrays.npz", x=np.ones(3), y=np.ones(3))
    assert parts_of(tmp_path / "arrays.npz") == ["x", "y"]
    assert parts_of(tmp_path / "missing.zip") == []
    assert parts_of(german(tmp_path)) == []


def test_a_format_shows_the_options_that_matter_to_it(qtbot: QtBot) -> None:
    dialog = shown(qtbot, assets() / "datasets" / "iris.arff")
    visible = {field.objectName() for field in dialog._form._fields.values() if field.isVisible()}
    assert visible == {"optionEncoding", "optionBadLines"}


def test_streaming_from_disk_is_a_choice_and_the_only_one_for_huge_files(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = german(tmp_path)
    dialog = shown(qtbot, path)
    box = find(dialog, QCheckBox, "streamBox")
    assert not box.isChecked()
    box.setChecked(True)
    assert dialog.origin().streamed
    monkeypatch.setattr(preview_dialog, "total_bytes", lambda: 10**9)
    huge = shown(qtbot, path, replace(preview(path), peak=1_600_000_000))
    assert find(huge, QCheckBox, "streamBox").isChecked()


def test_buttons_accept_and_reject(qtbot: QtBot, tmp_path: Path) -> None:
    dialog = shown(qtbot, german(tmp_path))
    with qtbot.waitSignal(dialog.accepted):
        click(load_button(dialog))
    dialog.show()
    with qtbot.waitSignal(dialog.rejected):
        click(find(dialog, QPushButton, "cancelButton"))


def test_lines_to_skip_start_at_what_was_found(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "titled.csv"
    path.write_text("# a title\nx,y\n1,2\n")
    dialog = shown(qtbot, path)
    assert find(dialog, QSpinBox, "optionSkipLines").value() == 1


@pytest.mark.parametrize("chosen", ["utf-16", "utf-8"])
def test_a_wrong_encoding_is_named_with_its_remedy(qtbot: QtBot, tmp_path: Path, chosen: str) -> None:
    path = german(tmp_path)
    dialog = shown(qtbot, path, preview(path))
    choose(find(dialog, QComboBox, "optionEncoding"), chosen)
    wait(qtbot, lambda: notice(dialog).isVisible())
    said = notice(dialog).text_label.text()
    assert said.startswith(f"flowers.csv is not {chosen} text")
    assert "Choose another encoding" in said
    assert not load_button(dialog).isEnabled()
    choose(find(dialog, QComboBox, "optionEncoding"), "latin-1")
    wait(qtbot, lambda: load_button(dialog).isEnabled())
    assert not notice(dialog).isVisible()
    assert cells(dialog, 1) == ["2.5", "20", "b"]


def test_an_encoding_that_is_none_is_named_with_its_remedy(qtbot: QtBot, tmp_path: Path) -> None:
    dialog = shown(qtbot, german(tmp_path))
    write(find(dialog, QComboBox, "optionEncoding"), "hex", None)
    wait(qtbot, lambda: notice(dialog).isVisible())
    assert notice(dialog).text_label.text() == "'hex' is not a known encoding. Try utf-8, utf-16 or latin-1."


def test_a_large_file_is_looked_at_again_outside_of_the_windows_thread(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, looks = tmp_path / "large.csv", []
    path.write_text("größe;klasse\n" + "1,5;a\n" * 20_000, encoding="latin-1")
    dialog = shown(qtbot, path, preview(path))

    def counted(*arguments: Any) -> Preview:
        looks.append(threading.current_thread())
        return preview(*arguments)

    monkeypatch.setattr(preview_dialog, "preview", counted)
    dialog._form.touch("decimal", ".")
    wait(qtbot, lambda: bool(looks) and load_button(dialog).isEnabled())
    assert looks[0] is not threading.main_thread()
    assert dialog._facts.text().startswith("CSV")
    assert dialog.origin().options.decimal == "."
    dialog._form.touch("decimal", ",")
    dialog.look()
    assert dialog._facts.text() == "Previewing…"
    dialog.reject()
    dialog._background.close()  # waits for its thread, which nobody else does
    assert dialog._facts.text() == "Previewing…", "nobody is told what a closed dialog asked for"


@pytest.mark.parametrize("streamed", [False, True])
def test_what_the_preview_found_out_serves_load_and_run(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, streamed: bool
) -> None:
    monkeypatch.setattr(recognise, "SETTLED", 0)
    sniffed: list[Path] = []

    def noted(text: str, options: ReadOptions, path: Path) -> Any:
        sniffed.append(path)
        return find_dialect(text, options, path)

    monkeypatch.setattr(delimited, "find_dialect", noted)
    path = german(tmp_path)
    dialog = PreviewDialog(path, look_at(path))
    qtbot.addWidget(dialog)
    find(dialog, QCheckBox, "streamBox").setChecked(streamed)
    dialog.accept()
    recipe = Recipe(dialog.origin())
    assert run(recipe).model.n_seen == 3
    assert sniffed == [path]
