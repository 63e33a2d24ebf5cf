"""Memory, widgets, objects and threads of this process."""

from __future__ import annotations

import gc
import resource
import threading
from dataclasses import dataclass

from PySide6.QtWidgets import QApplication, QDialog

from workbench.window.report import memory_bytes


@dataclass(frozen=True)
class Vitals:
    """What should not grow."""

    memory: int
    n_widgets: int
    n_objects: int
    """Widgets and the children of widgets."""
    n_dialogs: int
    threads: tuple[str, ...]

    def words(self) -> str:
        return (
            f"{self.memory / 1e6:.0f} MB, {self.n_widgets} widgets, {self.n_objects} Qt objects,"
            f" {self.n_dialogs} dialogs, threads: {', '.join(self.threads) or 'none'}"
        )


def take() -> Vitals:
    """Now, with garbage collected."""
    gc.collect()
    widgets = QApplication.allWidgets()
    n_objects = sum(1 + sum(not child.isWidgetType() for child in widget.children()) for widget in widgets)
    n_dialogs = sum(isinstance(widget, QDialog) for widget in widgets)
    return Vitals(memory(), len(widgets), n_objects, n_dialogs, threads())


def memory() -> int:
    """Bytes that this process holds."""
    return memory_bytes()


def peak() -> int:
    """The most bytes that this process has held."""
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def threads() -> tuple[str, ...]:
    """Python's threads beside the window's."""
    return tuple(thread.name for thread in threading.enumerate() if thread is not threading.main_thread())
