"""What every widget is given: its names, its place in the order of the Tab key, what the style sheet looks at."""

from __future__ import annotations

import html
from itertools import pairwise
from typing import Any, TypeVar

from PySide6.QtGui import QAction, Qt
from PySide6.QtWidgets import QLabel, QWidget

AnyWidget = TypeVar("AnyWidget", bound=QWidget)
LONGEST, LONGEST_TIP = 300, 2000
"""Characters of a text out of the data, in a line and in a tooltip."""


class Label(QLabel):
    """A label that shows its text as it is: a column called `<b>` is not rendered. All labels are made of it."""

    def __init__(self, *args: Any, **properties: Any) -> None:
        super().__init__(*args, **({"textFormat": Qt.TextFormat.PlainText} | properties))


def named(widget: AnyWidget, name: str, spoken: str = "", tip: str = "", manner: str = "") -> AnyWidget:
    """Give a widget its stable name, and where it has no text or no obvious look, what it is called and looks like."""
    widget.setObjectName(name)
    if spoken:
        widget.setAccessibleName(spoken)
    if tip:
        widget.setToolTip(plain_tip(tip))
        widget.setAccessibleDescription(tip)
    if manner:
        widget.setProperty("manner", manner)
    return widget


def shortened(text: str, most: int = LONGEST) -> str:
    """The beginning of a text that nobody would read to its end: a label of a megabyte takes Qt seconds to lay out.

    >>> shortened("petal length"), len(shortened("a" * 10**6))
    ('petal length', 300)
    """
    return text if len(text) <= most else f"{text[: most - 1]}…"


def plain_tip(text: str) -> str:
    """Text for a tooltip that is shown as it is: what looks like markup would be taken for it.

    >>> plain_tip("petal length"), plain_tip("<b>size</b>")
    ('petal length', '<p style="white-space:pre-wrap">&lt;b&gt;size&lt;/b&gt;</p>')
    """
    text = shortened(text, LONGEST_TIP)
    if not Qt.mightBeRichText(text):
        return text
    return f'<p style="white-space:pre-wrap">{html.escape(text, quote=False)}</p>'


def name_action(action: QAction, words: str, data: str = "") -> None:
    """Call an entry of a menu by words of the program, in which & marks a key, and by a name out of the data."""
    action.setText(f"{words} {data.replace('&', '&&')}".strip())
    action.setToolTip(plain_tip(f"{words.replace('&', '')} {data}".strip()))


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
