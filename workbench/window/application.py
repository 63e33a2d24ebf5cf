"""Starts the window, with or without a display, and takes screenshots of it."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib.abc import MetaPathFinder
from pathlib import Path
from types import TracebackType

import pyarrow as pa
from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QApplication
from threadpoolctl import ThreadpoolController, threadpool_info

from workbench.desk.desk import Desk
from workbench.run.files import write_safely
from workbench.views.look import theme as themes
from workbench.views.look.polish import polish_shown
from workbench.window.heap import share_arenas
from workbench.window.report import versions
from workbench.window.screen_fit import ScreenFit
from workbench.window.settings import Memory
from workbench.window.shell import WindowShell
from workbench.window.window import TITLE, Window
from workbench.words.sentences import UserError

SIZE = (1280, 800)
PATIENCE = 600.0
"""Seconds to wait for a recipe to finish before a screenshot."""
DEMO_SAMPLES = 20_000
"""Samples to run before a screenshot of an endless stream."""
SWITCH_SECONDS = 0.001
"""How long a thread may hold the interpreter lock while another waits for it."""


@dataclass(frozen=True)
class Start:
    """Options of the command line."""

    theme: str | None = None
    size: tuple[int, int] | None = None
    recipe: str | None = None
    file: str | None = None
    screenshot: str | None = None


def has_display() -> bool:
    """Whether there is a display."""
    if os.environ.get("QT_QPA_PLATFORM") in {"offscreen", "minimal"}:
        return False
    if sys.platform == "linux":
        return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    return True


def make(start: Start) -> tuple[QApplication, WindowShell]:
    """The application with its window, not shown yet."""
    share_arenas()
    _be_a_good_neighbour()
    _keep_pandas_out()
    if not has_display():
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    found = QApplication.instance()
    application = found if isinstance(found, QApplication) else QApplication([TITLE])
    application.setApplicationName(TITLE)
    application.setDesktopFileName("figmn-workbench")
    themes.load_fonts(application)
    memory = Memory()
    found_versions = versions()
    window = Window(found_versions)
    shell = WindowShell(window, Desk(), memory, found_versions, start.theme)
    _place(shell, start.size)
    if has_display():
        ScreenFit(window)
    return application, shell


def show(start: Start) -> int:
    """Run the window until it is closed, or until the requested screenshot is taken."""
    application, shell = make(start)
    with living(application, shell):
        if start.screenshot is None:
            QTimer.singleShot(0, lambda: begin(shell, start))
            return application.exec()
        problem = picture_of(shell, start)
        if problem:
            sys.stderr.write(f"figmn-workbench: {problem}\n")
        return 1 if problem else 0


@contextmanager
def living(application: QApplication, shell: WindowShell) -> Iterator[None]:
    """Show the window; on exit it is always closed, and none of its threads keeps the process alive.

    Ctrl+C closes it, too, and KeyboardInterrupt is raised afterwards: Qt's exit code would be that of success.
    """
    was_interrupted = False

    def end() -> None:
        shell.window.close()
        application.exit()

    def interrupt(*_: object) -> None:
        nonlocal was_interrupted
        was_interrupted = True
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # a second Ctrl+C ends the process without waiting for threads
        QTimer.singleShot(0, shell.window, end)  # from the event loop: a view may be painting now

    # Without a handler, Ctrl+C would be an exception in a slot. The pump's timer lets Python run handlers often enough.
    before, hook = signal.signal(signal.SIGINT, interrupt), sys.excepthook
    _catch(shell)
    try:
        shell.window.show()
        yield
    finally:
        shell.window.close()
        shell.window.deleteLater()
        signal.signal(signal.SIGINT, before)
        sys.excepthook = hook
    if was_interrupted:
        raise KeyboardInterrupt


def begin(shell: WindowShell, start: Start) -> None:
    """Open the requested recipe or file, or the demo."""
    if start.recipe is not None:
        shell.hub.recipe_requested.emit(start.recipe)
    elif start.file is not None:
        shell.hub.open_requested.emit(start.file)
    else:
        shell.hub.demo_requested.emit()


def picture_of(shell: WindowShell, start: Start) -> str:
    """Run the requested data (endless ones up to a limit), take a screenshot, and return the error text, if any.

    No dialog is opened: a file is read with default options.
    """
    if start.recipe is not None or start.file is not None:
        shell.hub.unattended_requested.emit(start.recipe, start.file, DEMO_SAMPLES)
    else:
        shell.hub.demo_requested.emit()
        shell.hub.speed_requested.emit(None)
        shell.desk.run.run_to(DEMO_SAMPLES)
    ended = wait_for(lambda: shell.is_closed or _is_at_rest(shell))
    if shell.is_closed:
        raise KeyboardInterrupt
    settle()
    grab(shell.window, start.screenshot or "workbench.png")
    return shell.failure or ("" if ended else f"The run was not over after {PATIENCE:g} s: the picture shows a part.")


def grab(window: Window, path: str) -> None:
    """Write a screenshot of the window."""
    polish_shown()  # a busy machine may not have come to it

    def write(new: Path) -> None:
        if not window.grab().save(str(new)):
            raise UserError("{path} cannot be written as a picture: give a name that ends with .png.", path=path)

    write_safely(path, write)


def wait_for(condition: Callable[[], bool], patience: float = PATIENCE) -> bool:
    """Process events until `condition` holds; False if it does not within `patience` seconds."""
    deadline = time.monotonic() + patience
    while not condition():
        if time.monotonic() > deadline:
            return False
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)
        time.sleep(0.002)
    return True


def settle(seconds: float = 0.3) -> None:
    """Process events for a while, so that everything waiting for a timer is drawn."""
    end = time.monotonic() + seconds
    wait_for(lambda: time.monotonic() > end)


def _is_at_rest(shell: WindowShell) -> bool:
    """Whether no job is left, and the run has ended and its last frame was drawn, or there was an error."""
    frame, runner = shell.desk.run.frame, shell.desk.run.transport
    if shell.desk.jobs.under_way:
        return False
    if runner is None:
        return bool(shell.failure)
    return (frame is not None and frame.state != "running") or bool(shell.failure)


def _be_a_good_neighbour() -> None:
    """Keep the GUI thread responsive while a run learns.

    NumPy's BLAS gets one thread: it only multiplies matrices of two columns here, and a second thread would spin on
    the core that the window needs. The engines use SciPy's BLAS and set its threads themselves.
    """
    sys.setswitchinterval(SWITCH_SECONDS)
    numpy_blas = [found["filepath"] for found in threadpool_info() if "numpy" in found["filepath"]]
    ThreadpoolController().select(filepath=numpy_blas).limit(limits=1)


def _keep_pandas_out() -> None:
    """Keep Arrow from importing pandas, unless it is already imported.

    Arrow's first conversion of a list would import pandas, to check whether the list is a pandas object. PySide
    inspects the source of every imported module, so this would block the first file that is opened for two seconds.
    """
    if "pandas" in sys.modules:
        return
    hidden = _NoPandas()
    sys.meta_path.insert(0, hidden)
    try:
        pa.array([0])
    finally:
        sys.meta_path.remove(hidden)


class _NoPandas(MetaPathFinder):
    def find_spec(self, name: str, path: object = None, target: object = None) -> None:  # noqa: ARG002 - Python's
        """Called by Python for every import."""
        if name == "pandas":
            raise ModuleNotFoundError(name)


def _place(shell: WindowShell, size: tuple[int, int] | None) -> None:
    window, memory = shell.window, shell.memory
    geometry, state = memory.window("geometry"), memory.window("state")
    window.resize(*SIZE)
    if size is not None:
        window.resize(*size)
    elif geometry is not None:
        window.restoreGeometry(geometry)
    if state is not None:
        window.restoreState(state)
    window.side_fold.choose(memory.panel("side"))
    window.side_fold.chosen_changed.connect(partial(memory.keep_panel, "side"))
    for page in shell.pages:
        page.restore()


def _catch(shell: WindowShell) -> None:
    """Report unexpected errors in the window, which stays open."""

    def tell(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        sys.__excepthook__(kind, error, trace)
        if not issubclass(kind, KeyboardInterrupt):
            shell.fail(error)

    sys.excepthook = tell
