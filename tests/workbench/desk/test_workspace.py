"""The workspace without a window: what the window works on can be driven headless."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from figmn import Parameters, load, save
from tests.waiting import PATIENCE, wait_until
from workbench.desk.race import RaceDesk
from workbench.desk.workspace import Workspace
from workbench.run import Choices, FileOrigin, Frame, PaintedOrigin, Plane, Recipe, SampleOrigin, run
from workbench.run.recipe import dataset as datasets
from workbench.source import SourceError


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    found = Workspace()
    yield found
    found.close()


def wait(workspace: Workspace, condition: Callable[[], object]) -> None:
    def look() -> None:
        frame = workspace.mailbox.take_frame()
        if frame is not None and workspace.runner is not None and frame.run == workspace.runner.number:
            workspace.frame = frame

    wait_until(condition, look)


def finished(workspace: Workspace) -> Frame:
    wait(workspace, lambda: workspace.frame is not None and workspace.frame.state == "finished")
    assert workspace.frame is not None
    return workspace.frame


def take(workspace: Workspace, name: str) -> None:
    workspace.take_dataset(Recipe(SampleOrigin(name)).dataset(), f"load of {name}")


def test_without_data_there_is_nothing_to_run(workspace: Workspace) -> None:
    with pytest.raises(ValueError, match=r"^There is no data to run: open a file or choose a sample first"):
        workspace.play()
    with pytest.raises(ValueError, match="Nothing has been learned yet"):
        workspace.export_log("log.csv")
    with pytest.raises(ValueError, match="no recipe yet"):
        workspace.export_recipe("recipe.json")


def test_a_load_gives_way_to_the_next(workspace: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("x,y\n1,2\n3,4\n", encoding="utf-8")
    first, second = workspace.load(SampleOrigin("MNIST (1,000)")), workspace.load(FileOrigin(str(path)))
    for job in (first, second):
        job.join(PATIENCE)
    assert second.result is not None
    assert second.result.table.n_rows == 2
    assert set(workspace.take_done()) == {first, second}
    assert workspace.jobs == []


def test_other_columns_forget_the_plane(workspace: Workspace) -> None:
    take(workspace, "iris")
    workspace.set_plane(Plane("columns", 0, 1))
    workspace.start()
    assert finished(workspace).picture.plane == Plane("columns", 2, 3)  # the wish was for columns of before
    workspace.set_plane(Plane("columns", 0, 1))
    workspace.start()
    assert finished(workspace).picture.plane == Plane("columns", 0, 1)
    take(workspace, "wine")
    workspace.start()
    assert finished(workspace).picture.plane == Plane("input pca")


def test_a_run_is_stale_when_anything_that_made_it_differs(workspace: Workspace) -> None:
    take(workspace, "iris")
    workspace.start()
    finished(workspace)
    assert not workspace.is_stale
    workspace.set_choices(Choices(Parameters(beta=0.3)))  # the run has ended: nothing can be changed on the way
    assert workspace.is_stale
    workspace.set_choices(Choices())
    assert not workspace.is_stale
    assert workspace.dataset is not None
    workspace.versions.change(workspace.dataset.with_roles({"class": "ignored"}), "role")
    assert workspace.is_stale
    workspace.versions.undo()
    assert not workspace.is_stale


def test_an_export_under_way_survives_the_end(tmp_path: Path) -> None:
    workspace = Workspace()
    take(workspace, "iris")
    workspace.start()
    finished(workspace)
    path = tmp_path / "iris.figmn"
    workspace.export_model(path)
    workspace.close()
    np.testing.assert_allclose(load(path).means, run(Recipe(SampleOrigin("iris"))).model.means, rtol=1e-12)


def test_a_cancelled_export_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace = Workspace()
    take(workspace, "iris")
    workspace.start()
    finished(workspace)
    path, is_listed = tmp_path / "iris.figmn", threading.Event()
    path.write_text("before")

    def save_and_cancel(*given: Any) -> None:
        is_listed.wait()
        save(*given)
        workspace.cancel_jobs()

    monkeypatch.setattr("workbench.desk.workspace.save", save_and_cancel)
    job = workspace.export_model(path)
    is_listed.set()
    job.join()
    assert job.was_cancelled
    assert [file.read_text() for file in tmp_path.iterdir()] == ["before"]
    workspace.close()


def test_another_load_does_not_cancel_an_export(tmp_path: Path) -> None:
    workspace = Workspace()
    job = workspace.export_text(tmp_path / "a.txt", lambda: workspace.cancel_loads() or "text")  # type: ignore[func-returns-value]
    job.join()
    assert job.error is None
    assert (tmp_path / "a.txt").read_text() == "text"
    workspace.close()


def test_painted_points_run_like_any_data() -> None:
    points = tuple((float(x), float(x % 3), x % 2) for x in range(12))
    recipe = Recipe(PaintedOrigin(points))
    assert run(recipe).model.n_seen == 12
    assert recipe.dataset().table["class"].labels == ("class 1", "class 2")
    with pytest.raises(SourceError, match=r"^No points are painted\. Paint at least one\.$"):
        Recipe(PaintedOrigin(())).dataset()


def test_a_streamed_file_is_learned_from_disk(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    rows = np.random.default_rng(0).normal(size=(5000, 3))
    np.savetxt(path, rows, delimiter=",", header="a,b,c", comments="", fmt="%.17g")
    streamed = Recipe(FileOrigin(str(path), streamed=True))
    assert streamed.dataset().table.n_rows == 100
    np.testing.assert_allclose(
        run(streamed).model.means, run(Recipe(FileOrigin(str(path)))).model.means, rtol=1e-6, atol=1e-9
    )
    with pytest.raises(SourceError, match="is streamed and cannot be split"):
        streamed.dataset().with_test_share(0.2)


def test_data_start_at_a_speed_that_suits_them(workspace: Workspace) -> None:
    take(workspace, "iris")
    workspace.start("pause")
    workspace.suit_speed()
    assert workspace.speed == 7
    workspace.set_speed(50.0)
    workspace.suit_speed()
    assert workspace.speed == 50
    take(workspace, "wine")
    workspace.suit_speed()
    assert workspace.speed == 10
    workspace.toggle_unlimited()
    take(workspace, "iris")
    workspace.suit_speed()
    assert workspace.speed is None


def test_choices_made_for_other_data_are_known_as_such(workspace: Workspace) -> None:
    take(workspace, "iris")
    assert workspace.carried_over == ""
    workspace.set_choices(Choices(Parameters(beta=0.3)))
    assert workspace.carried_over == ""
    take(workspace, "wine")
    assert workspace.carried_over == "iris"
    workspace.versions.undo()
    assert workspace.carried_over == ""
    workspace.versions.redo()
    workspace.keep_choices()
    assert workspace.carried_over == ""
    take(workspace, "glass")
    assert workspace.carried_over == "wine"
    workspace.set_choices(Choices(Parameters(beta=0.2)))
    assert workspace.carried_over == ""
    workspace.set_choices(Choices())
    take(workspace, "iris")
    assert workspace.carried_over == ""


def test_nothing_begins_after_the_end(workspace: Workspace) -> None:
    workspace.take_dataset(datasets.load(SampleOrigin("iris")), "load of iris")
    desk = RaceDesk()
    workspace.close()
    desk.close()
    workspace.play()
    workspace.step()
    desk.start(Choices(), None)
    assert workspace.runner is None
    assert desk.race is None
