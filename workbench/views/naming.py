"""Names for widgets: for those who write tests, for those who hear the window, and for those who wonder."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtWidgets import QWidget

AnyWidget = TypeVar("AnyWidget", bound=QWidget)


def named(widget: AnyWidget, name: str, spoken: str = "", tip: str = "", manner: str = "") -> AnyWidget:
    """Give a widget its stable name, and where it has no text or no obvious look, what it is called and looks like."""
    widget.setObjectName(name)
    if spoken:
        widget.setAccessibleName(spoken)
    if tip:
        widget.setToolTip(tip)
        widget.setAccessibleDescription(tip)
    if manner:
        widget.setProperty("manner", manner)
    return widget
