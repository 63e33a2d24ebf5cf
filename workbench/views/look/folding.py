"""Panels that can be folded away: by the user's choice, or where none was made by the room that there is."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QSignalBlocker, Signal
from PySide6.QtGui import QAction


class PanelFold(QObject):
    """One panel.

    Parameters
    ----------
    action
        Shows whether the panel is open, and opens and closes it.
    show
        Opens (True) or closes the panel.
    """

    chosen_changed = Signal(object)
    """What to remember: True, False, or None where the room decides."""

    def __init__(self, action: QAction, show: Callable[[bool], None], parent: QObject) -> None:
        super().__init__(parent)
        self.action, self._show = action, show
        self._chosen: bool | None = None
        self._is_roomy = True
        action.setCheckable(True)
        action.setChecked(True)
        action.toggled.connect(self._choose)

    @property
    def is_open(self) -> bool:
        """Whether the panel is to be seen."""
        return self._is_roomy if self._chosen is None else self._chosen

    def choose(self, chosen: bool | None) -> None:
        """Take over what was remembered."""
        self._chosen = chosen
        self._apply()

    def set_roomy(self, is_roomy: bool) -> None:
        """Say whether there is room for it."""
        if is_roomy != self._is_roomy:
            self._is_roomy = is_roomy
            self._apply()

    def _choose(self, is_open: bool) -> None:
        # Who brings a panel to where it would be anyway leaves it to the room again.
        self._chosen = None if is_open == self._is_roomy else is_open
        self._show(is_open)
        self.chosen_changed.emit(self._chosen)

    def _apply(self) -> None:
        with QSignalBlocker(self.action):
            self.action.setChecked(self.is_open)
        self._show(self.is_open)
