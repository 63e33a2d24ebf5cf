"""Labels of the data that are longer than anyone reads: Qt is given their beginning, wherever they are shown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QAbstractItemView, QApplication, QComboBox, QGraphicsView, QLabel, QWidget
from pytestqt.qtbot import QtBot

from tests.workbench.hands import wait
from tests.workbench.parts import data_page, stream_page
from workbench.pages.data.wiring import DataWiring
from workbench.run import FileOrigin
from workbench.views.look.naming import TIP_LINES, TIP_WIDTH
from workbench.window.shell import WindowShell

ROLES = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)


def test_no_text_of_the_data_is_too_long_for_qt(qtbot: QtBot, shell: WindowShell, tmp_path: Path) -> None:
    """A megabyte of a label took Qt seconds for every cell that was painted."""
    path = tmp_path / "long.csv"
    texts = [letter * 20_000 for letter in "abc"]
    rows = [f"{i},{i * i % 7},{texts[i % 3]},{texts[i % 3]}{i}" for i in range(60)]
    path.write_text("\n".join(["x,y,label,text", *rows]), encoding="utf-8")
    shell.page(DataWiring).load(FileOrigin(str(path)))
    wait(qtbot, lambda: shell.desk.data.dataset is not None)
    assert shell.desk.data.dataset is not None
    assert shell.desk.data.dataset.table.kinds == ("numeric", "numeric", "nominal", "string")
    for name in shell.desk.data.dataset.table.names:
        data_page(shell).attributes.choose(name)
        shell.window.grab()
        check_everything()
    shell.hub.run_requested.emit()
    frame = shell.desk.run
    wait(qtbot, lambda: frame.frame is not None and frame.frame.state == "finished")
    stream_page(shell).table.component_selected.emit(0)
    for page in range(shell.window.tabs.count()):
        shell.window.tabs.setCurrentIndex(page)
        shell.window.grab()
        check_everything()


def check_everything() -> None:
    for widget in QApplication.allWidgets():
        for text in texts_of(widget):
            assert len(text) <= 2 * TIP_WIDTH * TIP_LINES, f"{widget.objectName() or widget}: {text[:50]}"


def texts_of(widget: QWidget) -> Iterator[str]:
    yield widget.toolTip()
    if isinstance(widget, QLabel):
        yield widget.text()
    if isinstance(widget, (QAbstractItemView, QComboBox)) and widget.model() is not None:
        model = widget.model()
        for row in range(min(model.rowCount(), 20)):
            for column in range(model.columnCount()):
                index = model.index(row, column, QModelIndex())
                yield from (str(model.data(index, role) or "") for role in ROLES)
    if isinstance(widget, QGraphicsView) and widget.scene() is not None:
        items = (getattr(item, "toPlainText", str) for item in widget.scene().items())
        yield from (text() for text in items)
