"""The Race page in the whole window: what it shows is what was measured, and what it is told it does."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Callable, Generator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QAbstractSpinBox, QLabel, QScrollArea
from pytestqt.qtbot import QtBot
from threadpoolctl import threadpool_info

from figmn import Parameters, Record
from figmn.bench import pinned
from tests.waiting import PATIENCE, wait_until
from tests.workbench.hands import click, find, wait
from tests.workbench.parts import race_page, stream_page
from tests.workbench.race_clock import clock
from workbench.evaluate import machine_rate
from workbench.evaluate.speed.settings import TableSettings
from workbench.evaluate.sweep.sweep import SweepResult, SweepSettings, sweeping
from workbench.pages.data.wiring import DataWiring
from workbench.pages.race.benchmarks import WAITING
from workbench.pages.race.wiring import RaceWiring
from workbench.pages.stream.wiring import StreamWiring
from workbench.run import SampleOrigin, load
from workbench.run.race.headless import race, recipe_of
from workbench.run.race.settings import RaceSettings
from workbench.window import application
from workbench.window.shell import WindowShell
from workbench.window.window import Window


def choose(shell: WindowShell, **changes: object) -> RaceSettings:
    """Set what is raced, as the tools would."""
    settings = RaceSettings(**{"n_features": 5, "n_rows": 600} | changes)  # type: ignore[arg-type]
    race_page(shell).tools.set_settings(settings)
    shell.desk.race.settings = settings
    return settings


def open_race(shell: WindowShell) -> None:
    shell.show_page(race_page(shell))


def wait_for_end(qtbot: QtBot, shell: WindowShell) -> None:
    def is_over() -> bool:
        frame = shell.desk.race.frame
        return frame is not None and frame.state == "finished" and frame.parities[0].n_checked == frame.n_total

    wait(qtbot, is_over)


def test_every_figure_shown_is_that_of_the_clock(qtbot: QtBot, shell: WindowShell) -> None:
    open_race(shell)
    settings = choose(shell)
    shell.desk.race.stopwatches = (clock(2.0), clock(50.0, 0.5))
    race_page(shell).run_bar.play_requested.emit()
    wait_for_end(qtbot, shell)
    figures = race_page(shell).panes.figures
    assert figures.speed_up() == "25.0×"
    dataset, recipe = recipe_of(settings, shell.desk.data.choices, None)
    alone = race(recipe, settings, dataset=dataset, stopwatches=(clock(2.0), clock(50.0, 0.5)))
    size = f"{alone.lanes[0].figures.n_bytes / 1e3:.2f} KB"
    assert figures.rows() == [
        ("samples", "600", "600"),
        ("µs median", "2.00", "50.0"),
        ("µs p99", "2.00", "50.0"),
        ("engine time", "1.20 ms", "30.0 ms"),
        ("CPU time", "1.20 ms", "15.0 ms"),
        ("K", "1", "1"),
        ("memory", size, f"{alone.lanes[1].figures.n_bytes / 1e3:.2f} KB"),
    ]
    frame = shell.desk.race.frame
    assert frame is not None
    assert frame.lanes[0].figures == alone.lanes[0].figures, "the window and the headless command say the same"
    assert frame.lanes[1].figures == alone.lanes[1].figures
    assert race_page(shell).run_bar._n_done == 600


def test_the_status_bar_tells_the_speed_up_of_the_figures(qtbot: QtBot, shell: WindowShell) -> None:
    status = find(shell.window, QLabel, "statusRate")
    told: set[tuple[str, str]] = set()
    page = race_page(shell)
    page.numbers_shown.connect(lambda: told.add((page.panes.figures.speed_up(), status.text().split(", ")[-1])))
    shell.pump.rate_changed.disconnect()  # nothing but the page itself sets it
    shell.window.statusBar().showMessage("of the page before")
    open_race(shell)
    assert not shell.window.statusBar().currentMessage()
    choose(shell)
    page.run_bar.play_requested.emit()
    wait_for_end(qtbot, shell)
    assert told
    assert all(shown == told_below for shown, told_below in told), told


def test_a_new_user_starts_the_race_with_the_button_in_its_middle(qtbot: QtBot, shell: WindowShell) -> None:
    open_race(shell)
    choose(shell)
    start = race_page(shell).start.button
    wait(qtbot, start.hasFocus)
    click(start)
    wait_for_end(qtbot, shell)
    assert not start.isVisible()


def test_a_race_on_the_data_of_the_data_page(qtbot: QtBot, shell: WindowShell) -> None:
    shell.page(DataWiring).take_dataset(load(SampleOrigin("iris")), "load of iris")
    open_race(shell)
    choose(shell, source="data", values="form", mode="sample")
    race_page(shell).run_bar.play_requested.emit()
    wait_for_end(qtbot, shell)
    frame = shell.desk.race.frame
    assert frame is not None
    assert frame.n_total == 150
    assert frame.parities[0].level == "good"
    assert frame.lanes[0].figures.n_components > 1


def side_panel(shell: WindowShell) -> str:
    """All that can be read in the side panel, line by line."""
    area = find(shell.window, QScrollArea, "sidePanel")
    shown = [label.text() for label in area.findChildren(QLabel) if label.isVisible()]
    numbers = [box.text() for box in area.findChildren(QAbstractSpinBox) if box.isVisible()]
    return "\n".join([*shown, *(f"box {number}" for number in numbers)])


def test_the_panel_shows_the_data_and_the_parameters_of_the_race(shell: WindowShell) -> None:
    shell.page(DataWiring).take_dataset(load(SampleOrigin("iris")), "load of iris")
    shell.set_choices(replace(shell.desk.data.choices, parameters=Parameters(delta=0.33, beta=0.05)))
    shell.window.form.set_choices(shell.desk.data.choices)
    open_race(shell)
    shell.page(RaceWiring).set_settings(choose(shell, n_features=64, n_rows=500))
    text = side_panel(shell)
    for expected in ("synthetic Gaussian", "500 rows × 64 columns", "\n1, fixed", "\n0, fixed", "no sample is new"):
        assert expected in text
    for wrong in ("iris", "0.33", "0.05", "χ²"):
        assert wrong not in text
    tools = race_page(shell).tools
    tools.values.setCurrentIndex(tools.values.findData("form"))
    text = side_panel(shell)
    assert "box 0.33" in text
    assert "χ²(64, 0.95)" in text
    assert "fixed" not in text
    tools.source.setCurrentIndex(tools.source.findData("data"))
    assert "iris" in side_panel(shell)
    race_page(shell).show_part(race_page(shell).sweep)
    text = side_panel(shell)
    assert "This panel is not used" in text
    assert "box" not in text
    shell.show_page(stream_page(shell))
    text = side_panel(shell)
    assert "iris" in text
    assert "box 0.33" in text


def test_the_delta_that_follows_the_columns_is_that_of_the_race(shell: WindowShell) -> None:
    """And the user's own is left alone, also where it happens to be the one that would follow."""
    shell.page(DataWiring).take_dataset(load(SampleOrigin("iris")), "load of iris")
    open_race(shell)
    shell.page(RaceWiring).set_settings(choose(shell, n_features=784, values="form"))
    form = shell.window.form
    assert form.boxes["delta"].value() == 2.0
    assert form.choices().parameters.delta is None
    form._choose(replace(form.choices(), parameters=Parameters(delta=2.0)))
    shell.show_page(stream_page(shell))
    shell.show_page(race_page(shell))
    assert form.choices().parameters.delta == 2.0


def test_the_stream_holds_while_engines_race(qtbot: QtBot, shell: WindowShell) -> None:
    shell.page(StreamWiring).show_demo()
    wait(qtbot, lambda: shell.desk.run.frame is not None)
    open_race(shell)
    choose(shell)
    race_page(shell).run_bar.play_requested.emit()
    runner = shell.desk.run.transport
    assert runner is not None
    wait(qtbot, lambda: runner.state == "paused")
    wait_for_end(qtbot, shell)


def test_other_settings_make_the_race_stale_and_a_restart_makes_it_current(qtbot: QtBot, shell: WindowShell) -> None:
    open_race(shell)
    choose(shell)
    page = race_page(shell)
    page.run_bar.play_requested.emit()
    wait_for_end(qtbot, shell)
    assert page.stale.isHidden()
    solver = page.tools.solver
    solver.setCurrentIndex(solver.findData("inverse"))
    assert not page.stale.isHidden()
    changed = "Changed since this race: IGMN by Cholesky → inverse + determinant"
    assert page.stale.text() == f"{changed}. Restart to apply."
    assert shell.window.form.state_text.text() == changed
    recipe = find(shell.window, QLabel, "statusRecipe")
    assert recipe.text().endswith("settings changed since this race")
    page.run_bar.restart_requested.emit()
    wait_for_end(qtbot, shell)
    assert page.stale.isHidden()
    assert shell.desk.race.frame is not None
    assert shell.desk.race.frame.lanes[1].title == "IGMN (inverse + determinant)"


def test_keys_and_menus_are_meant_for_the_page_that_is_shown(qtbot: QtBot, shell: WindowShell) -> None:
    open_race(shell)
    choose(shell, n_rows=100_000)
    shell.desk.race.set_speed(100.0)
    act = shell.window.menus
    act["step"].trigger()
    wait(qtbot, lambda: shell.desk.race.frame is not None and shell.desk.race.frame.n_done == 1)
    act["play"].trigger()
    race_ = shell.desk.race.transport
    assert race_ is not None
    wait(qtbot, lambda: race_.state == "running")
    act["play"].trigger()
    wait(qtbot, lambda: race_.state == "paused")
    act["stop"].trigger()
    wait(qtbot, lambda: race_.state == "stopped")
    assert shell.desk.run.transport is None, "the stream was not meant"


def test_without_data_it_says_what_to_do(shell: WindowShell) -> None:
    open_race(shell)
    choose(shell, source="data")
    race_page(shell).run_bar.play_requested.emit()
    assert "synthetic Gaussian" in shell.failure
    assert race_page(shell).notice.isVisible()


@pytest.mark.parametrize("kind", ["csv", "json", "png", "svg"])
def test_a_race_is_written(
    kind: str, qtbot: QtBot, shell: WindowShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_race(shell)
    choose(shell)
    race_page(shell).run_bar.play_requested.emit()
    wait_for_end(qtbot, shell)
    path = tmp_path / f"race.{kind}"
    monkeypatch.setattr(Window, "ask_save", lambda *_: str(path))
    race_page(shell).export_requested.emit(kind)
    wait(qtbot, path.exists)
    content = path.read_bytes()
    expected = {"csv": b"engine,samples", "json": b"speed_up", "png": b"PNG", "svg": b"<svg"}
    assert expected[kind] in content


def test_a_sweep_grows_is_cancelled_and_stays(qtbot: QtBot, shell: WindowShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip  # noqa: E501
    open_race(shell)
    race_page(shell).show_part(race_page(shell).sweep)
    sweep = race_page(shell).sweep
    sweep.start_requested.emit(SweepSettings(dims=(2, 4, 8), n_rows=20, repeats=100, seconds=0.01))
    wait(qtbot, lambda: sweep.result is not None and sweep.result.n_done > 3)
    sweep.cancel_requested.emit()
    assert not shell.desk.race.is_measuring
    assert sweep.result is not None
    assert 3 < sweep.result.n_done < sweep.result.n_total
    path = tmp_path / "sweep.csv"
    monkeypatch.setattr(Window, "ask_save", lambda *_: str(path))
    sweep.export_requested.emit("csv")
    wait(qtbot, path.exists)
    assert "Fast IGMN" in path.read_text(encoding="utf-8")


def test_the_tables_fill_and_are_cancelled(qtbot: QtBot, shell: WindowShell) -> None:
    open_race(shell)
    race_page(shell).show_part(race_page(shell).paper)
    race_page(shell).paper.start_requested.emit(TableSettings(seconds_at_most=0.001))

    def has_begun() -> bool:
        tables = shell.page(RaceWiring).benchmarks._tables
        return tables is not None and tables.n_done > 2

    wait(qtbot, has_begun)
    second = SweepSettings(dims=(2, 4), n_rows=20, repeats=1)
    race_page(shell).sweep.start_requested.emit(second)
    assert "Another benchmark is running" in shell.failure
    race_page(shell).paper.cancel_requested.emit()
    assert not shell.desk.race.is_measuring
    race_page(shell).paper.export_requested.emit("copy")


class Blocked:
    """A step that cannot be interrupted, such as LAPACK's: it lasts until it is released."""

    def __init__(self) -> None:
        self.is_inside, self.release, self.is_over = threading.Event(), threading.Event(), threading.Event()

    def pieces(self, *found: Any) -> Generator[Any, None, None]:
        """What was found before the step, and after it."""
        yield found[0]
        self.is_inside.set()
        assert self.release.wait(PATIENCE)
        self.is_over.set()
        yield found[1]


def results() -> tuple[SweepResult, SweepResult]:
    """Before the first of two timings and after it."""
    settings = SweepSettings(dims=(2, 4), n_rows=20, repeats=1)
    return tuple(SweepResult.of(settings, (), machine=(), n_done=n, now="IGMN") for n in (0, 1))  # type: ignore[return-value]


def test_cancel_frees_the_view_while_a_step_cannot_be_interrupted(qtbot: QtBot, shell: WindowShell) -> None:
    """The step goes on behind the scenes, its result is dropped, and nothing is timed beside it."""
    open_race(shell)
    races, sweep, step = shell.page(RaceWiring), race_page(shell).sweep, Blocked()
    before, after = results()
    race_page(shell).show_part(sweep)
    races.benchmarks.measure(sweep, "Sweep over D", lambda: step.pieces(before, after))
    wait(qtbot, step.is_inside.is_set)
    click(sweep.button)
    assert not step.is_over.is_set()
    assert not shell.desk.race.is_measuring
    assert (sweep.button.text(), sweep.button.isEnabled(), sweep.form.isEnabled()) == ("Start sweep", True, True)
    assert sweep.result is before
    assert shell.may_start(), "another start is not refused"
    choose(shell)
    race_page(shell).run_bar.play_requested.emit()
    begun = shell.desk.race.transport
    assert begun is not None
    wait(qtbot, lambda: WAITING in race_page(shell).panes.parity.words())
    assert begun.is_waiting
    assert not begun.is_at_work
    assert not step.is_over.is_set()
    step.release.set()
    wait_for_end(qtbot, shell)
    assert sweep.result is before, "what came after the cancel is dropped"


def test_a_measurement_that_waits_for_a_cancelled_step_says_so_and_is_cancelled(
    qtbot: QtBot, shell: WindowShell
) -> None:
    open_race(shell)
    races, sweep, paper, step = (
        shell.page(RaceWiring),
        race_page(shell).sweep,
        race_page(shell).paper,
        Blocked(),
    )
    races.benchmarks.measure(sweep, "Sweep over D", lambda: step.pieces(*results()))
    wait(qtbot, step.is_inside.is_set)
    sweep.cancel_requested.emit()
    paper.start_requested.emit(TableSettings(seconds_at_most=0.001))
    wait(qtbot, lambda: paper.status.text() == WAITING)
    paper.cancel_requested.emit()
    assert paper.measure_button.text() == "Measure all tables"
    waiting = shell.desk.race._cancelled[-1]
    wait(qtbot, lambda: not waiting.is_busy)
    assert not step.is_over.is_set(), "it need not wait for the step to end"
    step.release.set()


def test_a_race_that_waits_is_stopped_at_once(qtbot: QtBot, shell: WindowShell) -> None:
    open_race(shell)
    step = Blocked()
    shell.page(RaceWiring).benchmarks.measure(race_page(shell).sweep, "Sweep over D", lambda: step.pieces(*results()))
    wait(qtbot, step.is_inside.is_set)
    race_page(shell).sweep.cancel_requested.emit()
    race_page(shell).parts.setCurrentIndex(0)
    race_page(shell).run_bar.play_requested.emit()
    race_ = shell.desk.race.transport
    assert race_ is not None
    stop = race_page(shell).run_bar.stop_button
    wait(qtbot, stop.isEnabled)
    click(stop)
    wait(qtbot, lambda: not stop.isEnabled())
    assert race_.state == "stopped"
    assert race_.settled.is_set()
    assert not step.is_over.is_set()
    step.release.set()


def test_the_window_closes_during_a_cancelled_step_and_leaves_no_thread(qtbot: QtBot, shell: WindowShell) -> None:
    open_race(shell)
    step = Blocked()
    shell.page(RaceWiring).benchmarks.measure(race_page(shell).sweep, "Sweep over D", lambda: step.pieces(*results()))
    wait(qtbot, step.is_inside.is_set)
    race_page(shell).sweep.cancel_requested.emit()
    (cancelled,) = shell.desk.race._cancelled

    def release_when_closed() -> None:
        wait_until(lambda: shell.is_closed)
        step.release.set()

    releasing = threading.Thread(target=release_when_closed)
    releasing.start()
    shell.window.close()  # hidden at once, it waits for the step
    assert step.is_over.is_set()
    assert not cancelled.is_busy
    releasing.join()


def test_the_window_closes_in_the_middle_of_a_race(qtbot: QtBot, shell: WindowShell) -> None:
    open_race(shell)
    choose(shell, n_features=300, n_rows=100_000)
    race_page(shell).run_bar.play_requested.emit()
    wait(qtbot, lambda: shell.desk.race.frame is not None)
    shell.window.close()
    assert shell.is_closed


def test_both_engines_have_one_blas_thread_on_the_page(qtbot: QtBot, shell: WindowShell) -> None:
    """Whoever sets the threads first keeps that right, and the application sets NumPy's when it starts."""

    def threads() -> set[int]:
        return {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"}

    with pinned(2):
        application._be_a_good_neighbour()
        seen: list[set[int]] = []

        def look(learn: Callable[[], Record]) -> Record:
            seen.append(threads())
            return learn()

        open_race(shell)
        choose(shell)
        shell.desk.race.stopwatches = (look, look)
        race_page(shell).run_bar.play_requested.emit()
        wait_for_end(qtbot, shell)
        assert seen
        assert all(found == {1} for found in seen)
        wait(qtbot, lambda: 2 in threads())


def test_an_ended_race_is_forgotten(qtbot: QtBot, shell: WindowShell) -> None:
    open_race(shell)
    choose(shell)
    races = []
    for _ in range(3):
        race_page(shell).run_bar.restart_requested.emit()
        wait_for_end(qtbot, shell)
        races.append(weakref.ref(shell.desk.race.transport))
        shell.desk.race.frame = None

    def are_gone() -> bool:
        gc.collect()
        return races[0]() is None

    wait(qtbot, are_gone)


def test_a_race_and_a_run_that_gave_way_are_forgotten(qtbot: QtBot, shell: WindowShell) -> None:
    """Until the one after the next began, they held on to their engines."""
    shell.page(DataWiring).take_dataset(load(SampleOrigin("iris")), "load of iris")
    shell.desk.run.start()
    open_race(shell)
    choose(shell)
    race_page(shell).run_bar.play_requested.emit()
    wait_for_end(qtbot, shell)
    assert shell.desk.race.transport is not None
    assert shell.desk.run.transport is not None
    before: list[weakref.ref[Any]] = [weakref.ref(shell.desk.race.transport), weakref.ref(shell.desk.run.transport)]
    shell.desk.run.start()
    shell.page(RaceWiring).restart()
    wait_for_end(qtbot, shell)

    def is_forgotten() -> bool:
        gc.collect()
        return all(reference() is None for reference in before)

    wait(qtbot, is_forgotten)


def test_engines_of_a_race_that_gave_way_are_gone_at_once(qtbot: QtBot, shell: WindowShell) -> None:
    """Not when garbage is collected some day, which no test does."""
    desk = shell.desk.race
    desk.settings = RaceSettings(n_features=4, n_rows=20)
    for _ in range(2):
        desk.start()
        wait(qtbot, lambda: desk.frame is not None and desk.frame.state == "finished")
        shown = desk.transport
        assert shown is not None
        engines = [weakref.ref(lane._learner.engine) for lane in shown._lanes]
        del shown
        desk.close_transport()
        wait(qtbot, lambda: not desk._ending)
        assert [engine() for engine in engines] == [None, None]


def test_one_matrix_product_outside_of_the_windows_thread_serves_both_estimates(
    qtbot: QtBot, shell: WindowShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine_rate.machine_rate.cache_clear()
    measured: list[threading.Thread] = []

    def rate(_: int) -> float:
        measured.append(threading.current_thread())
        return 2e10

    monkeypatch.setattr(machine_rate, "dgemm_rate", rate)
    race = race_page(shell)
    sweep, paper = race.sweep, race.paper
    open_race(shell)
    assert not measured
    for part in (sweep, paper):
        race.show_part(part)
    wait(qtbot, lambda: sweep._rate == paper._rate == 2e10)
    list(sweeping(SweepSettings(dims=(2,), n_rows=2, repeats=1)))
    assert len(measured) == 1
    assert measured[0] is not threading.main_thread()
    machine_rate.machine_rate.cache_clear()
