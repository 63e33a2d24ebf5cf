"""What every widget is given: its names, its place in the order of the Tab key, what the style sheet looks at."""

from __future__ import annotations

from itertools import pairwise
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


def chain(*widgets: QWidget) -> None:
    """Let the Tab key go from each to the next."""
    for first, second in pairwise(widgets):
        QWidget.setTabOrder(first, second)


def set_property(widget: QWidget, name: str, value: object) -> None:
    """Set a property that the style sheet looks at."""
    if widget.property(name) != value:
        widget.setProperty(name, value)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


def camel_case(name: str) -> str:
    """`v_min` as `vMin`."""
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)
