"""The window: side panel, tabs, menus, messages and status bar around the pages. It depends on no particular page."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QMainWindow,
    QPushButton,
    QTabWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from workbench.pages.page import Page
from workbench.views.look.asking import tell
from workbench.views.look.folding import PanelFold
from workbench.views.look.icons import icon
from workbench.views.look.naming import named, one_line
from workbench.views.look.theme import GRID, Theme
from workbench.window.about import AboutDialog
from workbench.window.command_palette import CommandPalette
from workbench.window.file_question import FileQuestion
from workbench.window.loading_bar import LoadingBar
from workbench.window.log_view import LogView
from workbench.window.menus import Menus
from workbench.window.messages_dock import MessagesDock
from workbench.window.side_panel import SidePanel
from workbench.window.status import StatusBar

TITLE = "Fast IGMN workbench"
NARROW = 900
"""Below this width the side panel is folded, unless the user wants it."""
OPENED = "Data (*.csv *.tsv *.txt *.data *.arff *.parquet *.feather *.arrow *.json *.jsonl *.ndjson *.npy *.npz *.xlsx "
OPENED += "*.xls *.ods *.gz *.bz2 *.xz *.zip *ubyte *.bin);;Fast IGMN models (*.figmn);;All files (*)"


class Window(QMainWindow):
    """The main window. Pages are added once by `set_pages`, since they need the window first."""

    closing = Signal()
    files_dropped = Signal(list)
    theme_chosen = Signal(str)

    def __init__(self, versions: dict[str, str]) -> None:
        super().__init__()
        self.setWindowTitle(TITLE)
        self.setObjectName("window")
        self.setAcceptDrops(True)
        self._versions = versions
        self.pages: Sequence[Page] = ()
        self.side, self.log, self.loading, self.status = SidePanel(), LogView(), LoadingBar(), StatusBar()
        self.form = self.side.form
        self._files = FileQuestion(self)
        self.setStatusBar(self.status)
        self._lay_out()

    def set_pages(self, pages: Sequence[Page]) -> None:
        """Create tabs and menus of the pages."""
        self.pages = pages
        for page in pages:
            self.tabs.addTab(page.view, page.title.replace("&", ""))
        # Behind the pages in the order of the tab key.
        self.tabs.setCornerWidget(_corner(self._search, right=GRID))
        self.tabs.setCornerWidget(_corner(self._side_button, left=GRID), Qt.Corner.TopLeftCorner)
        self.menus = Menus(self, self.menuBar(), pages, self.dock.toggleViewAction())
        for page, action in zip(pages, self.menus.page_actions, strict=True):
            action.triggered.connect(lambda _=False, view=page.view: self.show_page(view))
        for wish, action in self.menus.theme_actions.items():
            action.triggered.connect(lambda _=False, wish=wish: self.theme_chosen.emit(wish))
        self.menus.connect("quit", self.close)
        self.menus.connect("palette", self.show_palette)
        self.menus.connect("about", self.show_about)
        self.menus["fullScreen"].toggled.connect(lambda on: self.showFullScreen() if on else self.showNormal())
        self.side_fold = PanelFold(self.menus["sidePanel"], self._show_side, self)
        self._side_button.setDefaultAction(self.menus["sidePanel"])

    @property
    def page(self) -> Page:
        """The page in front."""
        return self.pages[self.tabs.currentIndex()]

    @property
    def running_page(self) -> Page:
        """The page that keys, status bar and form apply to: the one in front, or the first page with controls."""
        return next((page for page in (self.page, *self.pages) if page.controls is not None), self.page)

    @property
    def pictured_page(self) -> Page:
        """The page that is exported as a picture and fitted."""
        return self.page if self.page.has_picture else self.running_page

    def show_page(self, view: QWidget) -> None:
        """Bring the page of a view to the front."""
        self.tabs.setCurrentWidget(view)

    def show_dataset(self, title: str, facts: str) -> None:
        """Show the dataset in the title and the side panel; an empty title means that there is none."""
        self.side.set_dataset(title, facts)
        name = one_line(title).replace("[*]", "[*][*]")  # Qt's placeholder for the modified mark, escaped
        self.setWindowTitle(f"{name} – {TITLE}" if title else TITLE)

    def set_theme(self, theme: Theme, wish: str) -> None:
        """Use the colours of a theme."""
        self.setWindowIcon(icon("app", theme.text))
        for page in self.pages:
            page.set_theme(theme)
        self.form.set_theme(theme)
        self.dock.set_theme(theme)
        self._search.setIcon(icon("search", theme.muted))
        self.menus.set_theme(theme, wish)

    # Dialogs

    def ask_open(self, folder: str, kinds: str = OPENED, title: str = "Open a file") -> str | None:
        """Ask for an existing file; None if the user cancelled."""
        return self._files.ask_open(title, folder, kinds)

    def ask_save(self, title: str, name: str, kinds: str) -> str | None:
        """Ask for a file to write; None if the user cancelled."""
        return self._files.ask_save(title, name, kinds)

    def show_about(self) -> None:
        """Open the About dialog."""
        tell(AboutDialog(self._versions, self))

    def show_palette(self) -> None:
        """Open the command palette."""
        tell(CommandPalette(self.menus.all_commands, self))

    # Qt

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Called by Qt: in a small window panels shrink in favour of the plot."""
        super().resizeEvent(event)
        self.side_fold.set_roomy(event.size().width() >= NARROW)
        self.dock.set_room(event.size().height())
        self._share_height()

    def _share_height(self) -> None:
        """Take the height of the messages from the page's other views, not from its plot."""
        # Counted twice: the plot gets half of the height, and its half must not shrink.
        left = self.height() - 2 * self.dock.taken
        for page in self.pages:
            page.set_room(left, is_crowded=self.dock.taken > 0)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Called by Qt: hide at once, then end all threads."""
        self.hide()
        self.closing.emit()
        event.accept()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Called by Qt: accept files."""
        if _files(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Called by Qt: emit the dropped files."""
        event.acceptProposedAction()
        self.files_dropped.emit(_files(event.mimeData()))

    # Layout

    def _lay_out(self) -> None:
        self.tabs = named(QTabWidget(), "tabs")
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setDrawBase(False)
        self._search = named(QPushButton("Search commands   Ctrl+K"), "searchCommands")
        self._search.clicked.connect(self.show_palette)
        # Folds the side panel, and stays visible when it is folded.
        self._side_button = named(QToolButton(), "sideButton", manner="flat")
        centre = QWidget()
        layout = QHBoxLayout(centre)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self._upright = _upright()
        layout.addWidget(self.side)
        layout.addWidget(self._upright)
        layout.addLayout(self._made_pages(), stretch=1)
        self.setCentralWidget(centre)
        self.dock = MessagesDock(self.log, self)
        self.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, self.dock)
        self.dock.hide()
        self.dock.taken_changed.connect(self._share_height)

    def _made_pages(self) -> QVBoxLayout:
        """All pages, and below them the progress of background work."""
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addWidget(self.tabs, stretch=1)
        column.addWidget(self.loading)
        return column

    def _show_side(self, is_open: bool) -> None:
        for part in (self.side, self._upright):
            part.setVisible(is_open)


def _corner(button: QWidget, left: int = 0, right: int = 0) -> QWidget:
    corner = QWidget()
    row = QHBoxLayout(corner)
    row.setContentsMargins(left, 3, right, 3)
    row.addWidget(button)
    return corner


def _files(mime: QMimeData) -> list[str]:
    return [url.toLocalFile() for url in mime.urls() if url.isLocalFile()]


def _upright() -> QFrame:
    line = QFrame()
    line.setProperty("manner", "line")
    line.setFixedWidth(1)
    return line
