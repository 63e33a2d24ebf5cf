"""What a page may ask of the window around it."""

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
    """Settings that outlive the program, as far as pages use them."""

    folder: str
    """Where files were last opened or written."""
    raw_csv: bool
    component_colours: bool

    @property
    def recent(self) -> list[str]:
        """Files that were opened, the latest first."""

    def add_recent(self, path: str) -> None:
        """Put a file first."""

    def forget_recent(self) -> None:
        """Clear the list."""

    def panel(self, name: str) -> bool | None:
        """Whether the user wants a panel open; None where the room decides."""

    def keep_panel(self, name: str, chosen: bool | None) -> None:
        """Remember whether a panel is open."""


class Shell(Protocol):
    """The window's side of the connections of a page."""

    hub: Hub
    theme: Theme
    versions: str
    """Program and libraries, one line each, for reports of errors."""
    failure: str
    """What went wrong last, in words."""

    @property
    def window(self) -> QMainWindow:
        """Parent of dialogs."""

    @property
    def memory(self) -> Remembered:
        """Settings that outlive the program."""

    @property
    def is_closed(self) -> bool:
        """Whether the window was closed."""

    # Messages

    def note(self, level: Level, text: str, details: str = "") -> None:
        """Add a line to the messages."""

    def tell(self, text: str, milliseconds: int = ...) -> None:
        """Show a text in the status bar for a while."""

    def done(self, text: str) -> None:
        """Tell that something was done, in the messages and in the status bar."""

    def fail(self, error: BaseException) -> None:
        """Tell what went wrong, on the page shown and in the messages."""

    def attempt(self, action: Callable[[], Any]) -> bool:
        """Call `action`; an error is told, and False returned."""

    # Work in the background, and files

    def follow(self, job: Job[Any], then: Callable[[Any], None]) -> None:
        """Call `then` with the job's result when it has ended; errors are told."""

    def show_progress(self, job: Job[Any]) -> None:
        """Show a job at once; others show themselves when they take a while."""

    def ask_open(self, title: str = ..., kinds: str = ...) -> str | None:
        """A file that exists; None if the user cancelled."""

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
        """Whether no page forbids that something starts; otherwise it is told why."""

    def is_ready(self) -> bool:
        """Commit pending edits; True if the form is valid and something may start."""

    def refresh(self) -> None:
        """Show panel, staleness and figures of the page in front again."""

    def refresh_figures(self) -> None:
        """Show the status bar's figures of the page in front again."""
