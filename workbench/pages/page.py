"""The interface of a page: tabs, menus, palette, keys, status bar and side panel use only this."""

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
        Section of the menus; commands of earlier pages come first.
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
    """Actions of the Run menu and its keys on a page."""

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
    """Whether the result on a page was made with the present settings."""

    state: FormState = "none"
    words: str = ""
    """Short text for the side panel."""
    details: str = ""
    """Full text for a tooltip."""
    recipe: str = ""
    """Settings of the result shown, for the status bar."""
    recipe_state: str = ""


class PageView(QWidget):
    """The widget of a page, with a notice for errors and a theme."""

    def __init__(self, versions: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("manner", "page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.notice = Notice(versions)

    def set_theme(self, theme: Theme) -> None:
        """Use the colours of a theme."""
        self.notice.set_theme(theme)


class Page(QObject):
    """Base class of pages. Subclasses connect their view with the desk and override what they support.

    A page without `controls` has no run of its own: keys, status bar and staleness are then those of the first page
    with controls.
    """

    key: str
    """Stable name, in lower case."""
    title: str
    """Title for the tab and the View menu; `&` marks the mnemonic."""
    icon: str
    """Name of an icon in `assets/icons`, for the palette."""
    controls: Controls | None = None
    has_picture = False
    """Whether pictures and fitting are those of this page, although it has no controls."""

    def __init__(self, shell: Shell, view: PageView) -> None:
        super().__init__(shell.window)
        self.shell, self.view = shell, view
        self.commands: list[Command] = []

    @property
    def notice(self) -> Notice:
        """Where errors are shown while this page is in front."""
        return self.view.notice

    def set_theme(self, theme: Theme) -> None:
        """Use the colours of a theme."""
        self.view.set_theme(theme)

    def restore(self) -> None:
        """Restore remembered settings. Called once, when the window has its size."""

    def turned_to(self) -> None:
        """Called when the page comes to the front."""

    def pump(self) -> int:
        """Process frames and messages from threads, and return the number of frames drawn. Called by a timer."""
        return 0

    def tick(self) -> None:
        """Do what needs to be done now and then. Called about once a second."""

    def set_room(self, height: int, is_crowded: bool) -> None:
        """Fit a window of `height` pixels; `is_crowded` if other panels leave too little of it to the page."""

    def block_start(self, reason: str) -> None:
        """Disable starting a run and show why; an empty reason enables it."""

    def panel_use(self, n_columns: int | None) -> PanelUse:
        """What the page uses of the side panel; `n_columns` is the number of encoded columns of the dataset."""
        return PanelUse(n_columns)

    def figures(self) -> StatusFigures:
        """Figures for the status bar."""
        return StatusFigures()

    def staleness(self) -> Staleness:
        """Whether the result shown was made with the present settings."""
        return Staleness()

    def settings_changed(self) -> None:
        """Called when data or settings may have changed, to update what the page shows as stale."""

    def export_picture(self, kind: str) -> None:
        """Write the picture of the page as `png` or `svg`, or copy it to the clipboard (`copy`)."""

    def fit(self) -> None:
        """Fit the plot to its data."""

    def why_busy(self) -> UserError | None:
        """Why no run may start on any page now; None if one may."""
        return None

    def rest_while_drawing(self) -> None:
        """Suspend the page's threads until the event loop has drawn the next change."""

    def close(self) -> None:
        """End the page's own threads. Called when the window closes."""
