"""The Predict page after a run."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from tests.workbench.pages.predict.asking import ask
from tests.workbench.parts import predict_page
from tests.workbench.steps import open_sample, run_to_the_end
from workbench.window.shell import WindowShell


@pytest.fixture
def iris(qtbot: QtBot, shell: WindowShell) -> WindowShell:
    """The Predict page after a run of iris."""
    open_sample(qtbot, shell)
    run_to_the_end(qtbot, shell)
    shell.show_page(predict_page(shell))
    ask(qtbot, shell)
    return shell
