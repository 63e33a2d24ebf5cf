"""The dock of the messages. In a low window it takes its height from the timelines, not from the plot."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QDockWidget, QFrame, QHBoxLayout, QMainWindow, QToolButton, QVBoxLayout, QWidget

from workbench.views.look.icons import icon
from workbench.views.look.naming import Label, named
from workbench.views.look.theme import GRID, Theme
from workbench.window.log_view import LogView

ROOMY = 970
"""Height of the window from which more lines are shown."""
ACROSS = (Qt.DockWidgetArea.BottomDockWidgetArea, Qt.DockWidgetArea.TopDockWidgetArea)


class MessagesDock(QDockWidget):
    """Messages below the pages, with their buttons in the title bar to save height."""

    taken_changed = Signal()
    """The height `taken` from the pages has changed."""

    def __init__(self, log: LogView, window: QMainWindow) -> None:
        super().__init__("Messages", window)
        self._log, self._window = log, window
        self._is_fitted = False
        self.setObjectName("logDock")
        self._close = named(QToolButton(), "logClose", "Close the messages", "Close; View ▸ Messages brings them back")
        self._close.setProperty("manner", "flat")
        self._close.clicked.connect(self.hide)
        self.setTitleBarWidget(self._made_title())
        self.setWidget(log)
        self.topLevelChanged.connect(self.taken_changed)
        self.dockLocationChanged.connect(self.taken_changed)

    @property
    def taken(self) -> int:
        """Pixels of the window's height that the dock takes."""
        is_across = not self.isFloating() and self._window.dockWidgetArea(self) in ACROSS
        return self.height() if is_across and not self.isHidden() else 0

    def set_room(self, height: int) -> None:
        """Show fewer or more lines, by the height of the window."""
        if self._log.set_brief(height < ROOMY):
            self._is_fitted = False
            self._fit()

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self._log.set_theme(theme)
        self._close.setIcon(icon("close", theme.muted))

    def event(self, event: QEvent) -> bool:
        """Called by Qt."""
        done = super().event(event)
        if event.type() == QEvent.Type.ShowToParent:
            self._fit()
        if event.type() in {QEvent.Type.ShowToParent, QEvent.Type.HideToParent}:
            self.taken_changed.emit()
        return done

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Called by Qt."""
        super().resizeEvent(event)
        self.taken_changed.emit()

    def _fit(self) -> None:
        """Set the height that suits the window, once: a height set by the user is kept."""
        if self._is_fitted or self.isHidden():
            return
        self._is_fitted = True
        height = self.titleBarWidget().sizeHint().height() + self._log.sizeHint().height()
        self._window.resizeDocks([self], [height], Qt.Orientation.Vertical)

    def _made_title(self) -> QWidget:
        line = QFrame()
        line.setProperty("manner", "line")
        line.setFixedHeight(1)
        title = Label("Messages", self)
        title.setProperty("manner", "small")
        title.setToolTip("Drag it to another side, or double-click to take it out of the window")
        row = QHBoxLayout()
        row.setContentsMargins(2 * GRID, 1, GRID, 1)
        row.setSpacing(GRID // 2)
        row.addWidget(title)
        row.addStretch(1)
        for button in (*self._log.buttons, self._close):
            row.addWidget(button)
        bar = named(QWidget(self), "logTitle", manner="bar")
        bar.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        column = QVBoxLayout(bar)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(line)
        column.addLayout(row)
        return bar
