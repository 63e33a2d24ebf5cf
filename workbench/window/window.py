"""The window: side panel, tabs, menus, messages and status bar. It shows and asks; `wiring` decides."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData, QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QActionGroup,
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QKeySequence,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QMainWindow,
    QMenu,
    QPushButton,
    QScrollArea,
    QTabWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from workbench.pages.data.page import DataPage
from workbench.pages.panel_use import PanelUse
from workbench.pages.race.page import RacePage
from workbench.pages.race.paper.view import PaperView
from workbench.pages.race.sweep.view import SweepView
from workbench.pages.stream.page import StreamPage
from workbench.views.fields.sample_menu import fill_sample_menu
from workbench.views.fields.speed_box import UNLIMITED_KEY
from workbench.views.look.asking import tell
from workbench.views.look.icons import icon
from workbench.views.look.naming import Label, one_line, plain_tip
from workbench.views.look.theme import GRID, Theme
from workbench.window.about import AboutDialog
from workbench.window.command_palette import CommandPalette
from workbench.window.file_question import FileQuestion
from workbench.window.folding import Fold
from workbench.window.loading_bar import LoadingBar
from workbench.window.log_view import LogView
from workbench.window.messages_dock import MessagesDock
from workbench.window.parameter_form import ParameterForm
from workbench.window.report import versions_text
from workbench.words.sizes import size_text

TITLE = "Fast IGMN workbench"
SIDE_WIDTH = 288
NARROW, LOW, LOWEST = 900, 910, 740
"""Below this width the side panel is folded, below these heights most timelines, and all of them while messages are
shown, unless the user wants them."""
THEMES = ("light", "dark", "system")
OPENED = "Data (*.csv *.tsv *.txt *.data *.arff *.parquet *.feather *.arrow *.json *.jsonl *.ndjson *.npy *.npz *.xlsx "
OPENED += "*.xls *.ods *.gz *.bz2 *.xz *.zip *ubyte *.bin);;All files (*)"


class Window(QMainWindow):
    """The main window."""

    closing = Signal()
    files_dropped = Signal(list)
    sample_chosen = Signal(str)
    recent_chosen = Signal(str)
    theme_chosen = Signal(str)

    def __init__(self, versions: dict[str, str]) -> None:
        super().__init__()
        self.setWindowTitle(TITLE)
        self.setObjectName("window")
        self.setAcceptDrops(True)
        self._versions = versions
        text = versions_text(versions)
        self.data, self.stream, self.race = DataPage(text), StreamPage(text), RacePage(text)
        self.sweep, self.paper = SweepView(), PaperView()
        self.race.add_part("Sweep over D", self.sweep)
        self.race.add_part("The paper's tables", self.paper)
        self.form, self.log, self.loading = ParameterForm(), LogView(), LoadingBar()
        self._files = FileQuestion(self)
        self._dataset = "no data yet", ""
        """Title and facts."""
        self.actions_by_name: dict[str, QAction] = {}
        self._lay_out()
        self._make_menus()
        self._make_status()

    # What it is told

    def show_page(self, page: QWidget) -> None:
        """Bring a page to the front."""
        self.tabs.setCurrentWidget(page)

    def show_dataset(self, title: str, facts: str) -> None:
        """Name the dataset in the side panel; an empty title says that there is none."""
        self._dataset = title or "no data yet", facts
        name = one_line(title).replace("[*]", "[*][*]")  # where Qt would put the mark of a change
        self.setWindowTitle(f"{name} – {TITLE}" if title else TITLE)

    def show_panel(self, use: PanelUse) -> None:
        """Show in the side panel the data and parameters that the page shown uses."""
        title, facts = use.data or self._dataset
        self._data_title.setText(title)
        self._data_facts.setText(facts)
        self.form.set_fixed(use.fixed, use.note, use.is_used)
        self.form.set_threshold_hint(use.n_columns)

    def show_figures(self, rate: str, n_components: int | None, memory: int | None) -> None:
        """The figures of the status bar."""
        self._rate.setText(rate)
        self._count.setText(f"K {n_components:,}" if n_components is not None else "K –")
        self._memory.setText(size_text(memory, digits=3) if memory is not None else "")

    def show_frame_rate(self, frames_per_second: float) -> None:
        """Frames a second, as far as there are any."""
        self._frames.setText(f"{frames_per_second:.0f} frames/s" if frames_per_second else "")

    def show_recipe(self, text: str, state: str) -> None:
        """The recipe of what is shown, and whether it is what is set."""
        self._recipe.setText(f"{text}   {state}" if text else "")
        self._recipe.setToolTip("The recipe of the run shown. Export it with the button Recipe.")

    def set_recent(self, paths: list[str]) -> None:
        """Fill the menu of recent files."""
        self._recent.clear()
        for path in paths:
            action = self._recent.addAction(Path(path).name.replace("&", "&&"))
            action.setToolTip(plain_tip(path))
            action.setStatusTip(path)
            action.triggered.connect(lambda _=False, path=path: self.recent_chosen.emit(path))
        if paths:
            self._recent.addSeparator()
            self._recent.addAction(self.actions_by_name["forgetRecent"])
        self._recent.menuAction().setVisible(bool(paths))
        self.data.set_recent(paths)

    def set_theme(self, theme: Theme, wish: str) -> None:
        """Take another look."""
        self.setWindowIcon(icon("app", theme.text))
        for view in (self.data, self.stream, self.race, self.sweep, self.paper, self.form, self.dock):
            view.set_theme(theme)
        self._search.setIcon(icon("search", theme.muted))
        self.actions_by_name[f"theme-{wish}"].setChecked(True)
        for name, picture in ICONS.items():
            self.actions_by_name[name].setIcon(icon(picture, theme.text, theme.faint))

    # What it asks

    def ask_open(self, folder: str, kinds: str = OPENED, title: str = "Open a file") -> str | None:
        """A file that exists; None if the user cancelled."""
        return self._files.ask_open(title, folder, kinds)

    def ask_save(self, title: str, name: str, kinds: str) -> str | None:
        """A file to write; None if the user cancelled."""
        return self._files.ask_save(title, name, kinds)

    def show_about(self) -> None:
        """Say what this is and of which versions."""
        tell(AboutDialog(self._versions, self))

    def show_palette(self) -> None:
        """Search all commands."""
        tell(CommandPalette(self._all_actions, self))

    # Qt

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Panels give way to the plot in a small window."""
        super().resizeEvent(event)
        self.folds["side"].set_roomy(event.size().width() >= NARROW)
        self.dock.set_room(event.size().height())
        self._share_height()

    def _share_height(self) -> None:
        """Let the page give way, not the plot, to the messages: at least half of the height is the plot's."""
        # What the messages take must be made up for twice: the plot's half stays as it is.
        left = self.height() - 2 * self.dock.taken
        self.folds["timelines"].set_roomy(left >= LOW)
        self.stream.set_crowded(self.dock.taken > 0 and left < LOWEST)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Vanish at once; threads end behind the scenes."""
        self.hide()
        self.closing.emit()
        event.accept()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Files are welcome."""
        if _files(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open what was dropped."""
        event.acceptProposedAction()
        self.files_dropped.emit(_files(event.mimeData()))

    # Layout

    def _lay_out(self) -> None:
        self.tabs = QTabWidget()
        self.tabs.setObjectName("tabs")
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setDrawBase(False)
        self.tabs.addTab(self.data, "Data")
        self.tabs.addTab(self.stream, "Stream")
        self.tabs.addTab(self.race, "Race")
        self._search = QPushButton("Search commands   Ctrl+K")
        self._search.setObjectName("searchCommands")
        self._search.clicked.connect(self.show_palette)
        corner = QWidget()
        row = QHBoxLayout(corner)
        row.setContentsMargins(0, 3, GRID, 3)
        row.addWidget(self._search)
        self.tabs.setCornerWidget(corner)
        self.tabs.setCornerWidget(self._left_corner(), Qt.Corner.TopLeftCorner)
        centre = QWidget()
        layout = QHBoxLayout(centre)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self.side, self._upright = self._side(), _upright()
        layout.addWidget(self.side)
        layout.addWidget(self._upright)
        layout.addLayout(self._pages(), stretch=1)
        self.setCentralWidget(centre)
        self.dock = MessagesDock(self.log, self)
        self.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, self.dock)
        self.dock.hide()
        self.dock.taken_changed.connect(self._share_height)

    def _pages(self) -> QVBoxLayout:
        """All pages, and below whichever is shown what is done in the background."""
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addWidget(self.tabs, stretch=1)
        column.addWidget(self.loading)
        return column

    def _left_corner(self) -> QWidget:
        """The button that folds the side panel away and is still there when it is."""
        self._side_button = QToolButton()
        self._side_button.setObjectName("sideButton")
        self._side_button.setProperty("manner", "flat")
        self._side_button.setDefaultAction(self._named("sidePanel", "Side &panel", "Ctrl+B"))
        corner = QWidget()
        row = QHBoxLayout(corner)
        row.setContentsMargins(GRID, 3, 0, 3)
        row.addWidget(self._side_button)
        return corner

    def _show_side(self, is_open: bool) -> None:
        for part in (self.side, self._upright):
            part.setVisible(is_open)

    def _side(self) -> QWidget:
        self._data_title, self._data_facts = Label("no data yet"), Label("")
        self._data_title.setObjectName("dataTitle")
        self._data_title.setProperty("manner", "strong")
        self._data_facts.setProperty("manner", "muted")
        heading = Label("DATA")
        heading.setProperty("manner", "heading")
        inside = QWidget()
        inside.setProperty("manner", "side")
        inside.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        layout = QVBoxLayout(inside)
        layout.setContentsMargins(2 * GRID, GRID + 4, 2 * GRID, GRID)
        layout.setSpacing(GRID // 2)
        for label in (heading, self._data_title, self._data_facts):
            label.setWordWrap(True)
            layout.addWidget(label)
        layout.addSpacing(GRID)
        layout.addWidget(self.form)
        layout.addStretch()
        area = SidePanel()
        area.setObjectName("sidePanel")
        area.setWidget(inside)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        return area

    def _make_menus(self) -> None:
        bar = self.menuBar()
        file, edit, run, view, about = (bar.addMenu(name) for name in ("&File", "&Edit", "&Run", "&View", "&Help"))
        self._add(file, "open", "&Open file…", "Ctrl+O")
        self._sample_menu(file)
        self._recent = file.addMenu("Open &recent")
        self._recent.setToolTipsVisible(True)
        self._named("forgetRecent", "Forget these files", None)
        self._add(file, "generate", "&Generate data…", "Ctrl+G")
        self._add(file, "paint", "&Paint data…", "Ctrl+P")
        self._add(file, "openRecipe", "Open re&cipe…", "Ctrl+Shift+O")
        file.addSeparator()
        for name, text, keys in EXPORTS:
            self._add(file, name, text, keys)
        self._add(file, "rawCsv", "Ra&w texts in CSV exports", None).setCheckable(True)
        self.actions_by_name["rawCsv"].setToolTip(RAW_CSV)
        file.setToolTipsVisible(True)
        file.addSeparator()
        self._add(file, "quit", "&Quit", "Ctrl+Q").triggered.connect(self.close)
        self._add(edit, "undo", "&Undo", "Ctrl+Z")
        self._add(edit, "redo", "&Redo", "Ctrl+Shift+Z")
        edit.addSeparator()
        self._add(edit, "copyPicture", "&Copy picture", "Ctrl+Shift+C")
        self._add(edit, "resetParameters", "Reset &parameters", None)
        for name, text, keys in RUNS:
            self._add(run, name, text, keys)
        self._view_menu(view)
        self._add(about, "palette", "&Search commands", "Ctrl+K").triggered.connect(self.show_palette)
        self._add(about, "about", "&About", None).triggered.connect(self.show_about)

    def _view_menu(self, view: QMenu) -> None:
        pages = (
            (self.data, "showData", "&Data", "Ctrl+1"),
            (self.stream, "showStream", "&Stream", "Ctrl+2"),
            (self.race, "showRace", "&Race", "Ctrl+3"),
        )
        for page, name, text, keys in pages:
            action = self._add(view, name, text, keys)
            action.triggered.connect(lambda _=False, page=page: self.show_page(page))
        view.addSeparator()
        view.addAction(self.actions_by_name["sidePanel"])
        self._add(view, "timelines", "All &timelines", "Ctrl+T")
        self._make_folds()
        view.addSeparator()
        self._add(view, "density", "D&ensity", "Ctrl+D")
        self._add(view, "componentColours", "&Colours of components", None).setCheckable(True)
        self._add(view, "fit", "&Fit the plot", "Ctrl+0")
        toggle = self.dock.toggleViewAction()
        toggle.setText("&Messages")
        toggle.setShortcut(QKeySequence("Ctrl+L"))
        view.addAction(toggle)
        themes, group = view.addMenu("&Theme"), QActionGroup(self)
        for wish in THEMES:
            action = self._add(themes, f"theme-{wish}", wish.capitalize(), None)
            action.setCheckable(True)
            group.addAction(action)
            action.triggered.connect(lambda _=False, wish=wish: self.theme_chosen.emit(wish))
        full = self._add(view, "fullScreen", "F&ull screen", "F11")
        full.setCheckable(True)
        full.toggled.connect(lambda on: self.showFullScreen() if on else self.showNormal())

    def _make_folds(self) -> None:
        side, timelines = self.actions_by_name["sidePanel"], self.actions_by_name["timelines"]
        self.folds = {
            "side": Fold(side, self._show_side, self),
            "timelines": Fold(timelines, lambda is_open: self.stream.fold_timelines(not is_open), self),
        }
        self.stream.timelines.folded.connect(lambda is_folded: timelines.setChecked(not is_folded))

    def _sample_menu(self, file: QMenu) -> None:
        fill_sample_menu(file.addMenu("Open &sample"), self.sample_chosen.emit)

    def _make_status(self) -> None:
        self._rate, self._count, self._memory, self._frames, self._recipe = (Label() for _ in range(5))
        names = ("statusRate", "statusCount", "statusMemory", "statusFrames", "statusRecipe")
        tips = ("Samples learned per second (wall-clock time)", "Components", "Memory of this program", "", "")
        labels = (self._rate, self._count, self._memory, self._frames, self._recipe)
        for label, name, tip in zip(labels, names, tips, strict=True):
            label.setObjectName(name)
            label.setToolTip(tip)
            self.statusBar().addPermanentWidget(label)  # messages come and go on the left
        self.statusBar().setSizeGripEnabled(False)
        self.show_figures("not running", None, None)

    def _add(self, menu: QMenu, name: str, text: str, keys: str | None) -> QAction:
        action = self._named(name, text, keys)
        menu.addAction(action)
        return action

    def _named(self, name: str, text: str, keys: str | None) -> QAction:
        action = QAction(text, self)
        action.setObjectName(f"action-{name}")
        if keys:
            action.setShortcut(QKeySequence(keys))
        self.actions_by_name[name] = action
        return action

    def _all_actions(self) -> list[QAction]:
        """Every command of every menu."""
        found: list[QAction] = []
        menus = [action.menu() for action in self.menuBar().actions()]
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


class SidePanel(QScrollArea):
    """As wide as it is made for, without keeping the window from getting narrower: then it is folded away."""

    def sizeHint(self) -> QSize:
        """Called by Qt."""
        return QSize(SIDE_WIDTH, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """Called by Qt."""
        return QSize(0, 0)


EXPORTS = (
    ("exportModel", "Export &model…", "Ctrl+S"),
    ("exportRecipe", "Export rec&ipe…", "Ctrl+Shift+S"),
    ("exportLog", "Export per-sample CS&V…", "Ctrl+E"),
    ("exportTable", "Export components as &CSV…", None),
    ("exportPng", "Export picture as P&NG…", None),
    ("exportSvg", "Export picture as SV&G…", None),
)
RAW_CSV = (
    "Write labels and column names that begin like a formula (=, +, -, @) as they are.\n"
    "Otherwise an apostrophe before them keeps spreadsheets from calculating them."
)
RUNS = (
    ("play", "&Play or pause", "F5"),
    ("step", "&Step one sample", "F6"),
    ("restart", "&Restart", "Ctrl+F5"),
    ("stop", "S&top", "Shift+F5"),
    ("unlimited", "&Unlimited speed on or off", UNLIMITED_KEY),
)
ICONS = {
    "open": "open", "generate": "generator", "paint": "paint", "undo": "undo", "redo": "redo", "copyPicture": "copy",
    "play": "play", "step": "step", "restart": "restart", "stop": "stop", "unlimited": "unlimited",
    "exportModel": "model", "exportRecipe": "recipe", "exportLog": "table", "exportPng": "picture",
    "density": "density", "palette": "search", "about": "info", "sidePanel": "side-panel",
}  # fmt: skip


def _files(mime: QMimeData) -> list[str]:
    return [url.toLocalFile() for url in mime.urls() if url.isLocalFile()]


def _upright() -> QFrame:
    line = QFrame()
    line.setProperty("manner", "line")
    line.setFixedWidth(1)
    return line
