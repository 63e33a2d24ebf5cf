"""The pages of a window, by name and with their types."""

from __future__ import annotations

from workbench.pages.data.page import DataPage
from workbench.pages.data.wiring import DataWiring
from workbench.pages.evaluate.page import EvaluatePage
from workbench.pages.evaluate.wiring import EvaluateWiring
from workbench.pages.predict.page import PredictPage
from workbench.pages.predict.wiring import PredictWiring
from workbench.pages.race.page import RacePage
from workbench.pages.race.wiring import RaceWiring
from workbench.pages.stream.page import StreamPage
from workbench.pages.stream.wiring import StreamWiring
from workbench.window.shell import WindowShell


def data_page(shell: WindowShell) -> DataPage:
    return shell.page(DataWiring).page


def stream_page(shell: WindowShell) -> StreamPage:
    return shell.page(StreamWiring).page


def race_page(shell: WindowShell) -> RacePage:
    return shell.page(RaceWiring).page


def predict_page(shell: WindowShell) -> PredictPage:
    return shell.page(PredictWiring).page


def evaluate_page(shell: WindowShell) -> EvaluatePage:
    return shell.page(EvaluateWiring).page
