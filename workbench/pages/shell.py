"""The interface of the window for its pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, Protocol

from PySide6.QtWidgets import QMainWindow, QWidget

from workbench.pages.hub import Hub
from workbench.run.job import Job
from workbench.run.recipe.choices import Choices
from workbench.views.look.pictures import Write
from workbench.views.look.theme import Theme

Level = Literal["info", "warning", "error"]


class Remembered(Protocol):
    """Persistent settings that pages use."""

    folder: str
    """Folder in which a file was last opened or written."""
    raw_csv: bool
    component_colours: bool

    @property
    def recent(self) -> list[str]:
        """Recent files, the latest first."""

    def add_recent(self, path: str) -> None:
        """Put a file first."""

    def forget_recent(self) -> None:
        """Clear the list."""

    def panel(self, name: str) -> bool | None:
        """Whether the user wants a panel open; None if the space available decides."""

    def keep_panel(self, name: str, chosen: bool | None) -> None:
        """Remember whether a panel is open."""


class Shell(Protocol):
    """What a page may call in the window."""

    hub: Hub
    theme: Theme
    versions: str
    """Versions of the program and its libraries, one per line, for error reports."""
    failure: str
    """Text of the latest error."""

    @property
    def window(self) -> QMainWindow:
        """Parent of dialogs."""

    @property
    def memory(self) -> Remembered:
        """Persistent settings."""

    @property
    def is_closed(self) -> bool:
        """Whether the window was closed."""

    # Messages

    def note(self, level: Level, text: str, details: str = "") -> None:
        """Add a line to the messages."""

    def tell(self, text: str, milliseconds: int = ...) -> None:
        """Show a text in the status bar for a while."""

    def done(self, text: str) -> None:
        """Report that something was done, in the messages and in the status bar."""

    def fail(self, error: BaseException) -> None:
        """Report an error on the page shown and in the messages."""

    def attempt(self, action: Callable[[], Any]) -> bool:
        """Call `action`; if it raises, report the error and return False."""

    # Work in the background, and files

    def follow(self, job: Job[Any], then: Callable[[Any], None]) -> None:
        """Call `then` with the job's result when it has ended; errors are reported."""

    def show_progress(self, job: Job[Any]) -> None:
        """Show the progress of a job at once; that of other jobs is shown when they take a while."""

    def ask_open(self, title: str = ..., kinds: str = ...) -> str | None:
        """Ask for an existing file; None if the user cancelled."""

    def export(self, title: str, name: str, kinds: str, write: Callable[[str], Job[str]]) -> None:
        """Ask for a file and let `write` start a job that writes it."""

    def export_text(self, title: str, name: str, kinds: str, text: Callable[[], str]) -> None:
        """Ask for a file, and make and write a text in the background."""

    def export_drawing(self, title: str, name: str, draw: Callable[[str], Write]) -> None:
        """Ask for a file, let a view draw its picture, and write that in the background."""

    # The rest of the window

    def show_page(self, view: QWidget) -> None:
        """Bring the page of a view to the front."""

    def set_choices(self, choices: Choices) -> None:
        """Set the parameter form."""

    def may_start(self) -> bool:
        """Whether all pages allow a start; otherwise the reason is reported."""

    def is_ready(self) -> bool:
        """Commit pending edits; True if the form is valid and something may start."""

    def refresh(self) -> None:
        """Update panel, staleness and figures for the page in front."""

    def refresh_figures(self) -> None:
        """Update the status bar's figures for the page in front."""
