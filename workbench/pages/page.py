"""What the window knows of a page: tabs, menus, palette, keys, status bar and side panel are made from this alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from workbench.pages.panel_use import PanelUse
from workbench.pages.shell import Shell
from workbench.views.look.notice import Notice
from workbench.views.look.theme import Theme
from workbench.words.sentences import UserError

Section = Literal["open", "export", "edit", "panels", "plot"]
"""Places in the menus where pages put their commands: File (two), Edit and View (two)."""
FormState = Literal["none", "current", "live", "stale"]


class Command(QAction):
    """A command of a page, for a menu and the palette.

    Parameters
    ----------
    name
        Stable name; the object name is `action-<name>`.
    section
        Where in the menus it stands, after the commands of earlier pages.
    run
        Called without arguments when the command is chosen; connect `toggled` of checkable commands instead.
    """

    def __init__(
        self,
        name: str,
        section: Section,
        text: str,
        run: Callable[[], object] | None = None,
        *,
        keys: str = "",
        icon: str = "",
    ) -> None:
        super().__init__(text)
        self.setObjectName(f"action-{name}")
        self.name, self.section, self.icon_name = name, section, icon
        if keys:
            self.setShortcut(QKeySequence(keys))
        if run is not None:
            self.triggered.connect(lambda _=False: run())


class Controls(Protocol):
    """What the Run menu and its keys do on a page."""

    def play_or_pause(self) -> None:
        """F5."""

    def step(self) -> None:
        """F6."""

    def restart(self) -> None:
        """Ctrl+F5."""

    def stop(self) -> None:
        """Shift+F5."""

    def toggle_unlimited(self) -> None:
        """F7."""


@dataclass(frozen=True)
class StatusFigures:
    """Figures of a page for the status bar."""

    words: str = "not running"
    n_components: int | None = None


@dataclass(frozen=True)
class Staleness:
    """Whether what a page shows was made with what is set now."""

    state: FormState = "none"
    words: str = ""
    """For the side panel, in short."""
    details: str = ""
    """All of it, for a tooltip."""
    recipe: str = ""
    """What the shown result was made with, for the status bar."""
    recipe_state: str = ""


class PageView(QWidget):
    """The widget of a page: it has a place for errors and takes a theme."""

    def __init__(self, versions: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("manner", "page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.notice = Notice(versions)

    def set_theme(self, theme: Theme) -> None:
        """Use the colours of a theme."""
        self.notice.set_theme(theme)


class Page(QObject):
    """A page as the window knows it. Subclasses connect their view with the desk and override what they have.

    A page without `controls` shows no run of its own: keys, status bar and staleness are then those of the first page
    that has some.
    """

    key: str
    """Stable name, in lower case."""
    title: str
    """For tab and View menu; `&` marks the letter for the keyboard."""
    icon: str
    """Name of a picture in `assets/icons`, for the View menu and the palette."""
    controls: Controls | None = None

    def __init__(self, shell: Shell, view: PageView) -> None:
        super().__init__(shell.window)
        self.shell, self.view = shell, view
        self.commands: list[Command] = []

    @property
    def notice(self) -> Notice:
        """Where errors are told while this page is shown."""
        return self.view.notice

    def set_theme(self, theme: Theme) -> None:
        """Use the colours of a theme."""
        self.view.set_theme(theme)

    def restore(self) -> None:
        """Take up what was remembered from the last start. Called once, when the window has its size."""

    def turned_to(self) -> None:
        """Called when the page comes to the front."""

    def pump(self) -> int:
        """Take what threads have left for this page, and return how many frames were drawn. Called by a timer."""
        return 0

    def forget_ended(self) -> None:
        """Let go of runs whose threads have ended. Called about once a second."""

    def set_room(self, height: int, is_crowded: bool) -> None:
        """Fit a window of `height` pixels; `is_crowded` where other panels leave too little of it to the page."""

    def block_start(self, reason: str) -> None:
        """Forbid starting a run and say why; an empty reason allows it."""

    def panel_use(self, n_columns: int | None) -> PanelUse:
        """What the page takes from the side panel; `n_columns` are the encoded columns of the dataset."""
        return PanelUse(n_columns)

    def figures(self) -> StatusFigures:
        """Figures for the status bar."""
        return StatusFigures()

    def staleness(self) -> Staleness:
        """Whether what is shown was made with what is set now."""
        return Staleness()

    def settings_changed(self) -> None:
        """Called when data or settings may have changed, to show on the page what is stale."""

    def export_picture(self, kind: str) -> None:
        """Write the picture of the page as `png` or `svg`, or put it on the clipboard (`copy`)."""

    def fit(self) -> None:
        """Fit the plot to its data."""

    def why_busy(self) -> UserError | None:
        """Why no run may start anywhere now; None where one may."""
        return None

    def rest_while_drawing(self) -> None:
        """Let threads rest until the event loop has drawn what is about to change."""

    def close(self) -> None:
        """End threads of the page's own. Called when the window closes."""
