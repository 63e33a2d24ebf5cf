"""From a file to answers by mouse and keyboard alone: 344 penguins, 11 of them incomplete."""

from __future__ import annotations

import csv
import os
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QLineEdit, QPushButton, QRadioButton, QTabWidget
from pytestqt.qtbot import QtBot
from sklearn.metrics import confusion_matrix
from sklearn.model_selection import cross_val_predict

from figmn import FastIGMNClassifier
from tests.workbench.hands import click, find, wait, write
from tests.workbench.pages.evaluate.steps import evaluate, turn_to
from tests.workbench.pages.predict.asking import ask, learned
from tests.workbench.parts import data_page, predict_page
from tests.workbench.penguins import EMPTY, write_palmer
from tests.workbench.steps import answer_save, run_to_the_end
from workbench.evaluate.folds import stratified_folds
from workbench.evaluate.trial.figures import confusion
from workbench.pages.data.attributes.model import ROLE
from workbench.run.ask.answer import LabelAnswer
from workbench.window.shell import WindowShell

PICTURES = os.environ.get("FIGMN_PICTURES")
"""A folder for a picture of every step; none are made without it."""


def look(shell: WindowShell, step: str) -> None:
    """A picture of the window, for people."""
    if PICTURES:
        shell.window.grab().save(str(Path(PICTURES) / f"{step}-{shell.theme.name}-{shell.window.width()}.png"))


def turn_to_page(shell: WindowShell, title: str) -> None:
    """Click the tab of a page."""
    bar = find(shell.window, QTabWidget, "tabs").tabBar()
    place = next(place for place in range(bar.count()) if bar.tabText(place).replace("&", "") == title)
    QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(place).center())


def set_role(qtbot: QtBot, shell: WindowShell, name: str, role: str) -> None:
    """Click the role of an attribute, and choose another in the list by its first letter."""
    view = data_page(shell).attributes.view
    model = data_page(shell).attributes.model
    line = model.line(name)
    assert line is not None
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(model.index(line, ROLE)).center())
    wait(qtbot, lambda: QApplication.activePopupWidget() is not None)
    box = next(box for box in view.findChildren(QComboBox) if box.isVisible())
    QTest.keyClicks(box.view(), role)
    QTest.keyClick(box.view(), Qt.Key.Key_Return)
    wait(qtbot, lambda: shell.desk.data.dataset is not None and shell.desk.data.dataset.table[name].role == role)


def open_file(qtbot: QtBot, shell: WindowShell, monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    """Ctrl+O, the file, and Load in the preview."""
    monkeypatch.setattr(shell.window, "ask_open", lambda *_: str(path))

    def load() -> None:
        dialog = QApplication.activeModalWidget()
        button = None if dialog is None else dialog.findChild(QPushButton, "loadButton")
        if button is None or not button.isEnabled():
            QTimer.singleShot(20, shell.window, load)
        else:
            look(shell, "0-preview")
            click(button)

    QTimer.singleShot(0, shell.window, load)
    QTest.keyClick(shell.window, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier)
    wait(qtbot, lambda: shell.desk.data.dataset is not None and shell.desk.data.dataset.title == path.name)


def test_from_the_file_to_the_species_of_a_bird(
    qtbot: QtBot, shell: WindowShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Open, and make the species the target.
    open_file(qtbot, shell, monkeypatch, write_palmer(tmp_path / "penguins.csv"))
    turn_to_page(shell, "Data")
    set_role(qtbot, shell, "species", "target")
    look(shell, "1-data")

    # Stream.
    run_to_the_end(qtbot, shell)
    look(shell, "2-stream")
    assert shell.desk.run.frame is not None
    assert shell.desk.run.frame.n_done == 344

    # Evaluate by ten folds; the confusion matrix is that of the library.
    turn_to_page(shell, "Evaluate")
    click(find(shell.window, QRadioButton, "optionFolds"))
    result = evaluate(qtbot, shell)
    look(shell, "3-figures")
    assert result.evaluation is not None
    turn_to(qtbot, shell, "Confusion")
    look(shell, "4-confusion")
    dataset = shell.desk.data.dataset
    assert dataset is not None
    encoder = dataset.encoding.fit(dataset.table)
    X, y = encoder.encode(dataset.table).values[:, encoder.inputs], dataset.table["species"].values
    folds = [(fold.train, fold.test) for fold in stratified_folds(dataset.table, 10)]
    said = cross_val_predict(FastIGMNClassifier(), X, y, cv=folds)
    counts = confusion(result.evaluation, result.evaluation.outcomes[0])
    assert counts.tolist() == confusion_matrix(y, said).tolist()
    assert counts.trace() / counts.sum() > 0.95

    fill_the_missing_cells(qtbot, shell, monkeypatch, tmp_path / "filled.csv")
    ask_for_the_species(qtbot, shell)

    # Export the model.
    answer_save(monkeypatch, shell, tmp_path / "penguins.figmn")
    turn_to_page(shell, "Stream")
    click(shell.window, "exportModel")
    wait(qtbot, (tmp_path / "penguins.figmn").exists)
    look(shell, "6-exported")


def fill_the_missing_cells(qtbot: QtBot, shell: WindowShell, monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    """Score the table into a file: every row is there, and no cell is missing."""
    turn_to_page(shell, "Predict")
    ask(qtbot, shell)
    answer_save(monkeypatch, shell, path)
    click(predict_page(shell), "scoreTable")
    wait(qtbot, path.exists)
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 344
    assert all(float(rows[row - 1]["flipper_length_mm"]) > 150 for row in EMPTY)
    assert all(row["sex"] in {"male", "female"} for row in rows)


def ask_for_the_species(qtbot: QtBot, shell: WindowShell) -> None:
    """Of a bird of which only the flipper length is known: the answer is that of the library."""
    form = predict_page(shell).form
    names = [attribute.name for attribute in shell.desk.predict.attributes]
    place = names.index("flipper_length_mm")
    assert find(form, QCheckBox, f"wanted{names.index('species')}").isChecked()
    write(find(form, QLineEdit, f"value{place}"), "220")
    (found,) = ask(qtbot, shell).wanted
    look(shell, "5-predict")
    assert isinstance(found, LabelAnswer)
    model, prepared = learned(shell)
    question = [float("nan")] * model.n_features
    question[prepared.encoder.block("flipper_length_mm").start] = 220.0
    block = prepared.encoder.block("species")
    shares = model.recall([question])[0, block.start : block.stop].clip(0, 1)
    assert found.shares.tolist() == pytest.approx((shares / shares.sum()).tolist())
    assert block.labels[found.shares.argmax()] == "Gentoo"
