"""The Stream page: one frame, one truth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.workbench.frames import births_and_deaths, frames
from tests.workbench.hands import text_of, wait
from tests.workbench.parts import stream_page
from workbench.pages.stream.component_details import ROW
from workbench.pages.stream.page import StreamPage
from workbench.run.show.frame import Frame
from workbench.window.shell import WindowShell


@pytest.fixture(scope="module")
def running() -> list[Frame]:
    rows = births_and_deaths(1500)
    found = frames(rows, n_pieces=30, delta=0.2, beta=0.05, v_min=50, sp_min=2)
    return [replace(frame, rows_per_second=1000.0) for frame in found]


@pytest.fixture
def page(qtbot: QtBot) -> Iterator[StreamPage]:
    page = StreamPage()
    qtbot.addWidget(page)
    page.resize(1280, 800)
    page.show()
    yield page
    page.close()


def shown_numbers(page: StreamPage) -> tuple[str, int, int, str]:
    """Births in words, births beside the timeline, rows of the table, and the sample of the run bar."""
    drawn = page.timelines.shown
    assert drawn is not None
    return page.words.text(), drawn.n_births, page.table.model.rowCount(), text_of(page, "sampleLabel")


def test_every_number_is_of_the_same_frame(qtbot: QtBot, page: StreamPage, running: list[Frame]) -> None:
    """ "525 born", "births 523" and five rows at K = 6 stood on the page together."""
    for frame in running:
        page.show_frame(frame)
        words, births, n_rows, sample = shown_numbers(page)
        shown = page.shown
        assert shown is not None
        assert words.startswith(f"{shown.n_births:,} components born and {shown.n_removals:,} removed")
        assert (births, n_rows) == (shown.n_births, shown.census.n_components)
        assert f"{shown.n_done:,} /" in sample
        assert text_of(page, "componentCount") == f"K = {n_rows:,}"
    assert page.shown is not running[-1], "numbers that change more often cannot be read"
    wait(qtbot, lambda: page.shown is running[-1])
    assert shown_numbers(page)[1] == running[-1].n_births


def test_what_holds_is_shown_at_once(page: StreamPage, running: list[Frame]) -> None:
    for frame in (*running[:5], replace(running[5], state="paused")):
        page.show_frame(frame)
    assert page.shown is not None
    assert page.shown.n_done == running[5].n_done


def test_numbers_of_a_component_do_not_overlap_on_a_small_screen(shell: WindowShell, running: list[Frame]) -> None:
    page = stream_page(shell)
    shell.show_page(stream_page(shell))
    page.show_frame(running[-1])
    page.notice.show_error("Two rows were skipped.", kind="info")
    page._choose(int(running[-1].census.ids[0]))
    QApplication.processEvents()
    for label in page.details._facts.values():
        assert label.height() >= label.sizeHint().height()
    assert page.details._view.viewport().height() >= 2 * ROW, "both columns are in sight"


def test_a_selection_ends_with_its_run(page: StreamPage, running: list[Frame]) -> None:
    """A component of the last run was shown as removed in the next."""
    last = running[-1]
    page.show_frame(last)
    chosen = int(last.census.ids[0])
    page.table.component_selected.emit(chosen)
    assert text_of(page, "componentTitle") == f"COMPONENT #{chosen}"
    page.show_frame(replace(running[0], run=2))
    assert text_of(page, "componentTitle") == "COMPONENT"
    assert page.table.selected is None
    assert text_of(page, "componentHint").startswith("Click a component")
