"""Files of odd numbers through the real window: shown, looked at column by column, streamed to the end.

A refusal in words is an answer; a traceback, a fault of Qt, or `inf` on the screen is not.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QAbstractItemModel, Qt, QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QAbstractItemView, QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from tests.workbench.hands import wait
from tests.workbench.parts import data_page, stream_page
from workbench.pages.data.wiring import DataWiring
from workbench.pages.stream.component_details import ComponentDetails
from workbench.run import FileOrigin
from workbench.window import application
from workbench.window.settings import FILE_VARIABLE
from workbench.window.shell import WindowShell

HARMLESS = "This plugin does not support"
"""What Qt's offscreen platform says of itself."""
RAW = re.compile(r"∞|\b(inf|nan|infinity)\b", re.IGNORECASE)
LARGEST, TINIEST = "1.7976931348623157e308", "5e-324"


def table(*columns: list[object], header: str = "") -> str:
    """Columns side by side as CSV."""
    names = header or ",".join(f"c{place}" for place in range(len(columns)))
    rows = (",".join(map(str, row)) for row in zip(*columns, strict=True))
    return "\n".join([names, *rows]) + "\n"


def spread(size: float, n_rows: int = 30, origin: float = 0.0) -> list[object]:
    """Numbers of two clusters."""
    random = np.random.default_rng(n_rows)
    values = random.normal(size=n_rows) + 5 * (np.arange(n_rows) % 2)
    return [repr(float(value)) for value in origin + size * values]


def whole(n_rows: int = 30) -> list[object]:
    return [place % 7 for place in range(n_rows)]


def repeated(*cells: object, n_rows: int = 30) -> list[object]:
    return [cells[place % len(cells)] for place in range(n_rows)]


FILES: dict[str, str] = {
    "one huge": table(spread(1e300), spread(1.0)),
    "one tiny": table(spread(1e-300), spread(1.0)),
    "huge and tiny": table(spread(1e300), spread(1e-300)),
    "around the root of the largest": table(spread(1e154), spread(1e155)),
    "one cell of 1e155": table([*spread(1.0, 29), "1e155"], spread(1.0)),
    "one cell of 1e300": table([*spread(1.0, 29), "1e300"], whole()),
    "denormals": table(repeated(*(f"{i}e-320" for i in range(1, 9))), spread(1.0)),
    "denormals alone": table(repeated(TINIEST, "1e-323", "0")),
    "largest double": table(repeated(LARGEST, f"-{LARGEST}", "0"), spread(1.0)),
    "largest double, constant": table(repeated(LARGEST), spread(1.0)),
    "largest double, its negative and ordinary numbers": table(
        [LARGEST, f"-{LARGEST}", *spread(0.1, 198)], spread(1e300, 200), repeated("a", "b", n_rows=200)
    ),
    "beyond doubles": table(repeated("1e309", "-1e309", "1"), spread(1.0)),
    "mixed scales": table(repeated(*(f"1e{power}" for power in range(-300, 301, 50))), spread(1.0)),
    "twelve decades": table(repeated(*(f"1e{power}" for power in range(-6, 7))), spread(1.0)),
    "constant": table(repeated(5), repeated(5)),
    "constant zero": table(repeated(0), spread(1.0)),
    "constant 1e40": table(repeated("1e40"), spread(1.0)),
    "constant but one": table([*repeated(5, n_rows=29), 6], spread(1.0)),
    "duplicated rows": table(repeated("1.5", "2.5"), repeated("3.5", "4.5")),
    "equal columns": table(spread(1.0), spread(1.0)),
    "one row": table([1.5], [2.5]),
    "one cell": table([1.5]),
    "two rows": table([1, 2], [3, 4]),
    "one column": table(spread(1.0)),
    "all missing": table(repeated("?"), repeated("?")),
    "one column missing": table(repeated("?"), spread(1.0)),
    "rows without a value": table([*repeated("?", n_rows=10), *spread(1.0, 20)]),
    "only infinities": table(repeated("inf", "-inf"), spread(1.0)),
    "some infinities": table([*spread(1.0, 28), "inf", "-Infinity"], spread(1.0)),
    "not a number": table([*spread(1.0, 28), "nan", "NaN"], spread(1.0)),
    "identifiers": table([2**53 + place for place in range(30)], spread(1.0)),
    "big integers": table([10**30 + place for place in range(30)], spread(1.0)),
    "integers beyond doubles": table([10**400 + place for place in range(30)], spread(1.0)),
    "nanoseconds": table([1_700_000_000_000_000_000 + place * 10**15 for place in range(30)], spread(1.0)),
    "close nanoseconds": table([1_700_000_000_000_000_000 + 256 * place for place in range(30)], spread(1.0)),
    "hexadecimal": table([hex(place * 37) for place in range(30)], spread(1.0)),
    "thousands separators": table([f'"{1000 * place + 1_000_000:,}"' for place in range(30)], spread(1.0)),
    "decimal commas": "a;b\n" + "\n".join(f"{place},5;{place % 3},25" for place in range(30)),
    "signs and exponents": table(repeated("+1", "-0", "1E5", "-1.e-5", ".5"), spread(1.0)),
    "negative zero": table(repeated("-0.0", "0.0"), spread(1.0)),
    "years": table([1990 + place % 20 for place in range(30)], spread(1.0)),
    "far from zero": table(spread(1e-3, origin=1e9), spread(1.0)),
    "booleans and numbers": table(repeated("true", "false", "1"), spread(1.0)),
}


class Watch:
    """Everything that went wrong where nobody can catch it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.faults: list[str] = []
        self._before = qInstallMessageHandler(self._take)
        monkeypatch.setattr(threading, "excepthook", lambda found: self.faults.append(repr(found.exc_value)))

    def end(self) -> None:
        qInstallMessageHandler(self._before)

    def _take(self, kind: QtMsgType, _: object, text: str) -> None:
        if HARMLESS not in text:
            self.faults.append(f"{kind.name}: {text}")


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory, qapp: QApplication) -> Iterator[WindowShell]:  # noqa: ARG001
    """One window for all files, as a user has it: one for each would take minutes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(FILE_VARIABLE, str(tmp_path_factory.mktemp("settings") / "settings.ini"))
        _, found = application.make(application.Start(theme="light", size=(1280, 800)))
    found.window.show()
    yield found
    found.window.close()
    found.window.deleteLater()


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Iterator[Watch]:
    found = Watch(monkeypatch)
    yield found
    found.end()


def test_there_are_forty_files() -> None:
    assert len(FILES) >= 40


@pytest.mark.parametrize("name", FILES)
def test_a_file_of_odd_numbers(qtbot: QtBot, shell: WindowShell, watch: Watch, tmp_path: Path, name: str) -> None:
    path = tmp_path / f"{name}.csv"
    path.write_text(FILES[name], encoding="utf-8")
    window, shell.failure = shell.window, ""
    with qtbot.captureExceptions() as errors:
        shell.page(DataWiring).load(FileOrigin(str(path)))
        wait(qtbot, lambda: not shell.desk.jobs.under_way)
        if shell.desk.data.dataset is not None and shell.desk.data.dataset.title == path.name:
            look_at_every_column(shell)
            stream(qtbot, shell)
        else:
            assert shell.failure, "it is neither loaded nor refused"
        window.grab()
        read_everything(window, name)
        shell.desk.run.close_transport()
    assert not errors, [str(error) for _, error, _ in errors]
    assert not watch.faults


def look_at_every_column(shell: WindowShell) -> None:
    assert shell.desk.data.dataset is not None
    shell.window.tabs.setCurrentWidget(data_page(shell))
    for column in shell.desk.data.dataset.table:
        data_page(shell).details.show_column(column.name)
        shell.window.grab()


def stream(qtbot: QtBot, shell: WindowShell) -> None:
    """To the end, or to a refusal in words."""
    window = shell.window
    if not data_page(shell)._stream.isEnabled():
        return
    shell.desk.run.set_speed(None)
    before = None if shell.desk.run.frame is None else shell.desk.run.frame.run
    shell.hub.run_requested.emit()
    frames = shell.desk.run

    def is_over() -> bool:
        window.grab()
        found = frames.frame
        is_new = found is not None and found.run != before and found.state in {"finished", "failed"}
        return is_new or bool(shell.failure)

    wait(qtbot, is_over)
    details = window.findChild(ComponentDetails)
    if frames.frame is not None and len(frames.frame.census.ids) and details is not None:
        details.show_component(frames.frame, int(frames.frame.census.ids[0]))
    stream_page(shell).mixture.density.setVisible(True)
    window.grab()


def read_everything(window: QWidget, name: str) -> None:
    """No number that is none stands anywhere as such; a cell of the file is told in words."""
    labels = [label.text() for label in window.findChildren(QLabel)]
    tables = [text for view in window.findChildren(QAbstractItemView) for text in cells(view.model())]
    wrong = [text for text in (*labels, *tables) if RAW.search(text)]
    assert not wrong, f"{name}: {wrong[:5]}"


def cells(model: QAbstractItemModel | None) -> Iterator[str]:
    if model is None:
        return
    for row in range(min(model.rowCount(), 40)):
        for column in range(model.columnCount()):
            yield str(model.data(model.index(row, column), Qt.ItemDataRole.DisplayRole) or "")
