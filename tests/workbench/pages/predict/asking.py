"""Questions on the Predict page, and what comes back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pytestqt.qtbot import QtBot

from figmn import Snapshot
from tests.workbench.hands import wait
from tests.workbench.parts import predict_page
from tests.workbench.penguins import write_penguins
from tests.workbench.steps import run_to_the_end
from workbench.pages.data.wiring import DataWiring
from workbench.run.ask.answer import Answer
from workbench.run.ask.maps import AnswerMap
from workbench.run.recipe.dataset import Dataset, FileOrigin
from workbench.run.rows.prepared import Prepared
from workbench.window.shell import WindowShell


def ask(qtbot: QtBot, shell: WindowShell) -> Answer:
    """The answer to the present question."""
    wait(qtbot, lambda: shell.desk.predict.is_answered)
    assert shell.desk.predict.latest is not None
    return shell.desk.predict.latest


def ask_map(qtbot: QtBot, shell: WindowShell) -> AnswerMap:
    """The finest map of the present question."""
    ask(qtbot, shell)
    asked = shell.desk.predict.map
    wait(qtbot, lambda: asked.is_current and asked.latest is not None and asked.latest.is_fine)
    assert asked.latest is not None
    return asked.latest


def learned(shell: WindowShell) -> tuple[Snapshot, Prepared]:
    """What the run has made, to ask the library the same."""
    runner = shell.desk.run.transport
    assert runner is not None
    return runner.ask(lambda learner, _: (learner.engine.snapshot(), learner.prepared)).result()


def predict_penguins(
    qtbot: QtBot,
    shell: WindowShell,
    folder: Path,
    change: Callable[[Dataset], Dataset] = lambda dataset: dataset.with_roles({"species": "target"}),
) -> None:
    """The Predict page after a run of penguins, the species as target."""
    shell.page(DataWiring).load(FileOrigin(str(write_penguins(folder / "penguins.csv"))))
    wait(qtbot, lambda: shell.desk.data.dataset is not None)
    dataset = shell.desk.data.dataset
    assert dataset is not None
    shell.desk.take_dataset(change(dataset), "roles")
    shell.hub.dataset_changed.emit()
    run_to_the_end(qtbot, shell)
    shell.show_page(predict_page(shell))
    ask(qtbot, shell)
