"""The desk without a window: all that the pages work on can be driven headless."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from figmn import Parameters, load
from tests.waiting import PATIENCE, wait_until
from workbench.desk.desk import Desk
from workbench.run import Choices, FileOrigin, Frame, PaintedOrigin, Plane, Recipe, SampleOrigin, run
from workbench.run.recipe import dataset as datasets
from workbench.run.recipe.model_file import save_model
from workbench.source import SourceError


@pytest.fixture
def desk() -> Iterator[Desk]:
    found = Desk()
    yield found
    found.close()


def wait(desk: Desk, condition: Callable[[], object]) -> None:
    wait_until(condition, desk.run.take_frame)


def finished(desk: Desk) -> Frame:
    wait(desk, lambda: desk.run.frame is not None and desk.run.frame.state == "finished")
    assert desk.run.frame is not None
    return desk.run.frame


def take(desk: Desk, name: str) -> None:
    desk.take_dataset(Recipe(SampleOrigin(name)).dataset(), f"load of {name}")


def test_without_data_there_is_nothing_to_run(desk: Desk) -> None:
    with pytest.raises(ValueError, match=r"^There is no data to run: open a file or choose a sample first"):
        desk.run.play()
    with pytest.raises(ValueError, match="Nothing has been learned yet"):
        desk.exports.log("log.csv")
    with pytest.raises(ValueError, match="no recipe yet"):
        desk.exports.recipe("recipe.json")


def test_a_load_gives_way_to_the_next(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("x,y\n1,2\n3,4\n", encoding="utf-8")
    first, second = desk.jobs.load(SampleOrigin("MNIST (1,000)")), desk.jobs.load(FileOrigin(str(path)))
    for job in (first, second):
        job.join(PATIENCE)
    assert second.result is not None
    assert second.result.table.n_rows == 2
    assert set(desk.jobs.take_done()) == {first, second}
    assert desk.jobs.under_way == []


def test_other_columns_forget_the_plane(desk: Desk) -> None:
    take(desk, "iris")
    desk.run.set_plane(Plane("columns", 0, 1))
    desk.run.start()
    assert finished(desk).picture.plane == Plane("columns", 2, 3)  # the wish was for columns of before
    desk.run.set_plane(Plane("columns", 0, 1))
    desk.run.start()
    assert finished(desk).picture.plane == Plane("columns", 0, 1)
    take(desk, "wine")
    desk.run.start()
    assert finished(desk).picture.plane == Plane("input pca")


def test_a_run_is_stale_when_anything_that_made_it_differs(desk: Desk) -> None:
    take(desk, "iris")
    desk.run.start()
    finished(desk)
    assert not desk.run.is_stale
    desk.set_choices(Choices(Parameters(beta=0.3)))  # the run has ended: nothing can be changed on the way
    assert desk.run.is_stale
    desk.set_choices(Choices())
    assert not desk.run.is_stale
    assert desk.data.dataset is not None
    desk.data.versions.change(desk.data.dataset.with_roles({"class": "ignored"}), "role")
    assert desk.run.is_stale
    desk.data.versions.undo()
    assert not desk.run.is_stale


def test_an_export_under_way_survives_the_end(tmp_path: Path) -> None:
    desk = Desk()
    take(desk, "iris")
    desk.run.start()
    finished(desk)
    path = tmp_path / "iris.figmn"
    desk.exports.model(path)
    desk.close()
    np.testing.assert_allclose(load(path).means, run(Recipe(SampleOrigin("iris"))).model.means, rtol=1e-12)


def test_a_cancelled_export_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk()
    take(desk, "iris")
    desk.run.start()
    finished(desk)
    path, is_listed = tmp_path / "iris.figmn", threading.Event()
    path.write_text("before")

    def save_and_cancel(*given: Any) -> None:
        is_listed.wait()
        save_model(*given)
        desk.jobs.cancel()

    monkeypatch.setattr("workbench.desk.exports.save_model", save_and_cancel)
    job = desk.exports.model(path)
    is_listed.set()
    job.join()
    assert job.was_cancelled
    assert [file.read_text() for file in tmp_path.iterdir()] == ["before"]
    desk.close()


def test_another_load_does_not_cancel_an_export(tmp_path: Path) -> None:
    desk = Desk()
    job = desk.exports.text(tmp_path / "a.txt", lambda: desk.jobs.cancel_loads() or "text")  # type: ignore[func-returns-value]
    job.join()
    assert job.error is None
    assert (tmp_path / "a.txt").read_text() == "text"
    desk.close()


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


def test_data_start_at_a_speed_that_suits_them(desk: Desk) -> None:
    take(desk, "iris")
    desk.run.start(is_held=True)
    desk.run.suit_speed()
    assert desk.run.speed == 7
    desk.run.set_speed(50.0)
    desk.run.suit_speed()
    assert desk.run.speed == 50
    take(desk, "wine")
    desk.run.suit_speed()
    assert desk.run.speed == 10
    desk.run.toggle_unlimited()
    take(desk, "iris")
    desk.run.suit_speed()
    assert desk.run.speed is None


def test_choices_made_for_other_data_are_known_as_such(desk: Desk) -> None:
    take(desk, "iris")
    assert desk.data.carried_over == ""
    desk.set_choices(Choices(Parameters(beta=0.3)))
    assert desk.data.carried_over == ""
    take(desk, "wine")
    assert desk.data.carried_over == "iris"
    desk.data.versions.undo()
    assert desk.data.carried_over == ""
    desk.data.versions.redo()
    desk.data.keep_choices()
    assert desk.data.carried_over == ""
    take(desk, "glass")
    assert desk.data.carried_over == "wine"
    desk.set_choices(Choices(Parameters(beta=0.2)))
    assert desk.data.carried_over == ""
    desk.set_choices(Choices())
    take(desk, "iris")
    assert desk.data.carried_over == ""


def test_nothing_begins_after_the_end(desk: Desk) -> None:
    desk.take_dataset(datasets.load(SampleOrigin("iris")), "load of iris")
    desk.close()
    desk.run.play()
    desk.run.step()
    desk.race.start()
    assert desk.run.transport is None
    assert desk.race.transport is None
