"""Names and labels of the data are plain text wherever they stand: whatever they look like, nothing is rendered."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractItemModel, QModelIndex
from PySide6.QtGui import QAction, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QGraphicsTextItem,
    QGraphicsView,
    QLabel,
    QTabBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

import workbench
from tests.workbench.hands import wait
from tests.workbench.pages.evaluate.steps import evaluate, rest
from tests.workbench.parts import data_page, evaluate_page, stream_page
from workbench.pages.data.dialogs.preview_dialog import PreviewDialog
from workbench.pages.data.wiring import DataWiring
from workbench.run import FileOrigin
from workbench.views.fields.name_box import NameBox
from workbench.views.look.naming import TIP_LINES, TIP_WIDTH, Label, plain_tip
from workbench.views.plots.plot_style import Axis
from workbench.window.shell import WindowShell

LONG = "long " + 20_000 * "x"
NAMES = ('<img src="file:///dev/null">', "<b>width</b>", "<i>kind</i>", "<u>text</u>", LONG)
PIECES = (*NAMES, "<b>k0", "<b>k1", "<a href=x", "<b>hos")
"""Names, labels, texts and the name of the file."""
LONGEST_TIP = 5000
"""Letters of a tooltip."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The hang of a column called `<img src="file:///dev/zero">` is not tried: a failure should fail."""
    rows = [f'{i % 7},{i % 3},<b>k{i % 2}</b>,"<a href=x>row {i}</a> {i * i}",{i % 5}' for i in range(60)]
    header = ",".join('"' + name.replace('"', '""') + '"' for name in NAMES)
    found = tmp_path / "<b>hos&tile[*]<b>.csv"
    found.write_text("\n".join([header, *rows]), encoding="utf-8")
    return found


def test_nothing_of_the_data_is_rendered(qtbot: QtBot, shell: WindowShell, path: Path) -> None:
    window = shell.window
    shell.memory.add_recent(str(path))
    shell.page(DataWiring).load(FileOrigin(str(path)))
    wait(qtbot, lambda: shell.desk.data.dataset is not None)
    for name in NAMES:
        data_page(shell).details.show_column(name)
        data_page(shell).details.grab()
        check_everything()
    shell.hub.run_requested.emit()
    shell.desk.run.set_speed(None)
    wait(qtbot, lambda: _is_over(shell))
    stream_page(shell).details.grab()
    shell.fail(ValueError(f"no such column: {NAMES[1]}"))
    for page in range(window.tabs.count()):
        window.tabs.setCurrentIndex(page)
        window.grab()
        check_everything()
    titles = {text.toPlainText() for text in graphic_texts()}
    assert any(NAMES[0] in title or NAMES[1] in title for title in titles), "the axes name the columns"
    assert window.windowTitle().startswith("<b>hos&tile[*][*]<b>.csv – "), "one [*] would be a mark of changes"


@pytest.mark.parametrize("target", [NAMES[2], LONG])
def test_nothing_of_the_data_is_rendered_where_it_is_evaluated(
    qtbot: QtBot, shell: WindowShell, path: Path, target: str
) -> None:
    page = evaluate_page(shell)
    shell.page(DataWiring).load(FileOrigin(str(path)))
    wait(qtbot, lambda: shell.desk.data.dataset is not None)
    dataset = shell.desk.data.dataset
    assert dataset is not None
    shell.hub.change_requested.emit(dataset.with_roles({target: "target"}), "role")
    shell.show_page(page)
    page.form.options.set_file(str(path))
    page.form.baseline_box.setCurrentIndex(1)
    evaluate(qtbot, shell)
    for place in range(page.tabs.count()):
        if page.tabs.isTabVisible(place):
            page.tabs.setCurrentIndex(place)
            rest(qtbot, shell)
            shell.window.grab()
            check_everything()


def test_nothing_of_a_file_is_rendered_before_it_is_loaded(qtbot: QtBot, path: Path) -> None:
    dialog = PreviewDialog(path)
    qtbot.addWidget(dialog)
    dialog.grab()
    check_everything()


def test_every_label_of_the_sources_is_the_plain_one() -> None:
    """Set once, in one place: whoever needs markup of the program's own says so there."""
    folder = Path(workbench.__file__).parent
    makers = [file.name for file in folder.rglob("*.py") if re.search(r"\bQLabel\b\(", file.read_text("utf-8"))]
    assert makers == []
    assert issubclass(Label, QLabel)


def test_a_label_shows_markup_as_it_is(qtbot: QtBot) -> None:
    label = Label(NAMES[1])
    qtbot.addWidget(label)
    assert label.textFormat() == Qt.TextFormat.PlainText
    assert label.text() == NAMES[1]


def test_a_tooltip_is_escaped_only_where_it_would_be_rendered() -> None:
    assert plain_tip("petal length\n< 3 cm") == "petal length\n< 3 cm"
    assert "<b>" not in plain_tip("<b>x</b>")
    assert "&lt;b&gt;x&lt;/b&gt;" in plain_tip("<b>x</b>")


def test_a_tooltip_has_a_size_to_be_read() -> None:
    """Qt lays a megabyte out for seconds, and shows a window of 32,767 pixels."""
    for text in (10**6 * "x", "\n".join(map(str, range(10_000))), 10**6 * "x y ", 10**5 * "<b>x "):
        lines = plain_tip(text).split("\n")
        assert len(lines) <= TIP_LINES + 1
        assert max(map(len, lines)) <= 10 * TIP_WIDTH, "with escapes"
        assert "…" in lines[-1]


def test_a_name_of_two_lines_stands_in_one(qtbot: QtBot) -> None:
    """Where there is one line, its second would be cut in halves."""
    axis, box = Axis("bottom"), NameBox("x", "x", "x")
    qtbot.addWidget(box)
    box.resize(400, 30)
    box.addItem("petal\nlength")
    axis.set_title("petal\nlength")
    assert (box.shown_text(), axis.labelText) == ("petal length", "petal length")


def _is_over(shell: WindowShell) -> bool:
    return shell.desk.run.frame is not None and shell.desk.run.frame.state == "finished"


def check_everything() -> None:
    """Every label, tooltip, action and plot text of all windows that there are."""
    for widget in QApplication.allWidgets():
        if isinstance(widget, QLabel) and widget.textFormat() != Qt.TextFormat.PlainText:
            check(widget.text(), widget)
        for tip in tips_of(widget):
            check(tip, widget)
            assert len(tip) < LONGEST_TIP, f"{widget.objectName() or widget}: {len(tip)} letters"
        for name in mnemonics_of(widget):
            assert "hos&tile" not in name, f"{widget.objectName() or widget}: {name}: & marks a key there"
    for text in graphic_texts():
        assert "<img" not in text.toHtml()


def check(text: str, where: QWidget) -> None:
    """The data's own markup stands in no text that Qt would render."""
    if Qt.mightBeRichText(text):
        assert not [piece for piece in PIECES if piece in text], f"{where.objectName() or where}: {text}"


def mnemonics_of(widget: QWidget) -> Iterator[str]:
    """Texts in which & underlines the next letter."""
    yield from (action.text() for action in widget.findChildren(QAction))
    if isinstance(widget, QAbstractButton):
        yield widget.text()
    if isinstance(widget, QTabBar):
        yield from (widget.tabText(place) for place in range(widget.count()))


def tips_of(widget: QWidget) -> Iterator[str]:
    yield widget.toolTip()
    for action in widget.findChildren(QAction):
        yield action.toolTip()
    if isinstance(widget, QTabBar):
        yield from (widget.tabToolTip(place) for place in range(widget.count()))
    if isinstance(widget, (QAbstractItemView, QComboBox)) and widget.model() is not None:
        yield from model_tips(widget.model())


def model_tips(model: QAbstractItemModel) -> Iterator[str]:
    role, rows, columns = Qt.ItemDataRole.ToolTipRole, min(model.rowCount(), 20), model.columnCount()
    for row in range(rows):
        for column in range(columns):
            yield str(model.data(model.index(row, column, QModelIndex()), role) or "")
    for column in range(columns):
        yield str(model.headerData(column, Qt.Orientation.Horizontal, role) or "")
    for row in range(rows):
        yield str(model.headerData(row, Qt.Orientation.Vertical, role) or "")


def graphic_texts() -> list[QGraphicsTextItem]:
    views = [widget for widget in QApplication.allWidgets() if isinstance(widget, QGraphicsView) and widget.scene()]
    return [item for view in views for item in view.scene().items() if isinstance(item, QGraphicsTextItem)]
