"""The menus: the window's own commands, and in sections those of the pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QMenuBar

from workbench.pages.page import Page, Section
from workbench.views.fields.speed_box import UNLIMITED_KEY
from workbench.views.look.icons import icon
from workbench.views.look.theme import Theme

THEMES = ("light", "dark", "system")
RAW_CSV = (
    "Write labels and column names that begin like a formula (=, +, -, @) as they are.\n"
    "Otherwise an apostrophe before them keeps spreadsheets from calculating them."
)
ICONS = {
    "copyPicture": "copy", "play": "play", "step": "step", "restart": "restart", "stop": "stop",
    "unlimited": "unlimited", "exportPng": "picture", "palette": "search", "about": "info", "sidePanel": "side-panel",
}  # fmt: skip


class Menus:
    """Fills the menu bar of a window; every command can be found by its name.

    Parameters
    ----------
    messages
        Shows and hides the dock of messages.
    """

    def __init__(self, window: QMainWindow, bar: QMenuBar, pages: Sequence[Page], messages: QAction) -> None:
        self._window, self._bar, self._pages = window, bar, pages
        self.actions: dict[str, QAction] = {}
        self._icons = dict(ICONS)
        self.page_actions: list[QAction] = []
        self.theme_actions: dict[str, QAction] = {}
        self._make_file_menu(bar.addMenu("&File"))
        self._make_edit_menu(bar.addMenu("&Edit"))
        self._make_run_menu(bar.addMenu("&Run"))
        self._make_view_menu(bar.addMenu("&View"), messages)
        self._make_help_menu(bar.addMenu("&Help"))

    def __getitem__(self, name: str) -> QAction:
        """The command of this name."""
        return self.actions[name]

    def connect(self, name: str, run: Callable[[], object]) -> None:
        """Call `run` when a command is chosen."""
        self.actions[name].triggered.connect(lambda _=False: run())

    def set_theme(self, theme: Theme, wish: str) -> None:
        """Draw the icons in the colours of a theme, and check the theme that was chosen."""
        self.theme_actions[wish].setChecked(True)
        for name, picture in self._icons.items():
            self.actions[name].setIcon(icon(picture, theme.text, theme.faint))

    def all_commands(self) -> list[QAction]:
        """Every command of every menu, for the palette."""
        found: list[QAction] = []
        menus = [action.menu() for action in self._bar.actions()]
        while menus:
            menu = menus.pop(0)
            if not isinstance(menu, QMenu):
                continue
            for action in menu.actions():
                if action.menu() is not None:
                    menus.append(action.menu())
                elif action.text() and not action.isSeparator():
                    found.append(action)
        return found

    # The menus

    def _make_file_menu(self, menu: QMenu) -> None:
        menu.setToolTipsVisible(True)
        self._add_section(menu, "open")
        menu.addSeparator()
        self._add_section(menu, "export")
        self._add(menu, "exportPng", "Export picture as P&NG…")
        self._add(menu, "exportSvg", "Export picture as SV&G…")
        raw = self._add(menu, "rawCsv", "Ra&w texts in CSV exports")
        raw.setCheckable(True)
        raw.setToolTip(RAW_CSV)
        menu.addSeparator()
        self._add(menu, "quit", "&Quit", "Ctrl+Q")

    def _make_edit_menu(self, menu: QMenu) -> None:
        self._add_section(menu, "edit")
        menu.addSeparator()
        self._add(menu, "copyPicture", "&Copy picture", "Ctrl+Shift+C")
        self._add(menu, "resetParameters", "Reset &parameters")
        self._add(menu, "suggestDelta", "Su&ggest δ from the data")

    def _make_run_menu(self, menu: QMenu) -> None:
        self._add(menu, "play", "&Play or pause", "F5")
        self._add(menu, "step", "&Step one sample", "F6")
        self._add(menu, "restart", "&Restart", "Ctrl+F5")
        self._add(menu, "stop", "S&top", "Shift+F5")
        self._add(menu, "unlimited", "&Unlimited speed on or off", UNLIMITED_KEY)

    def _make_view_menu(self, menu: QMenu, messages: QAction) -> None:
        for position, page in enumerate(self._pages, start=1):
            name = f"show{page.key.capitalize()}"
            action = self._add(menu, name, page.title, f"Ctrl+{position}")
            action.setIconVisibleInMenu(False)  # for the palette
            self.page_actions.append(action)
            self._icons[name] = page.icon
        menu.addSeparator()
        self._add(menu, "sidePanel", "Side &panel", "Ctrl+B")
        self._add_section(menu, "panels")
        menu.addSeparator()
        self._add_section(menu, "plot")
        self._add(menu, "fit", "&Fit the plot", "Ctrl+0")
        messages.setText("&Messages")
        messages.setShortcut(QKeySequence("Ctrl+L"))
        menu.addAction(messages)
        themes, group = menu.addMenu("&Theme"), QActionGroup(self._window)
        for wish in THEMES:
            action = self._add(themes, f"theme-{wish}", wish.capitalize())
            action.setCheckable(True)
            group.addAction(action)
            self.theme_actions[wish] = action
        self._add(menu, "fullScreen", "F&ull screen", "F11").setCheckable(True)

    def _make_help_menu(self, menu: QMenu) -> None:
        self._add(menu, "palette", "&Search commands", "Ctrl+K")
        self._add(menu, "about", "&About")

    def _add(self, menu: QMenu, name: str, text: str, keys: str = "") -> QAction:
        action = QAction(text, self._window)
        action.setObjectName(f"action-{name}")
        if keys:
            action.setShortcut(QKeySequence(keys))
        self.actions[name] = action
        menu.addAction(action)
        return action

    def _add_section(self, menu: QMenu, section: Section) -> None:
        """Add the commands that pages have for a section, in the order of the pages."""
        for command in (command for page in self._pages for command in page.commands if command.section == section):
            self.actions[command.name] = command
            if command.icon_name:
                self._icons[command.name] = command.icon_name
            menu.addAction(command)
