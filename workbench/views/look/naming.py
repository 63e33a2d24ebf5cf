"""What every widget is given: its names, its place in the order of the Tab key, what the style sheet looks at."""

from __future__ import annotations

import html
import textwrap
from itertools import pairwise
from typing import Any, TypeVar

from PySide6.QtGui import QAction, Qt
from PySide6.QtWidgets import QLabel, QWidget

AnyWidget = TypeVar("AnyWidget", bound=QWidget)
TIP_WIDTH, TIP_LINES = 160, 24
"""Characters of a line and lines of a tooltip: a larger one would leave the screen."""
ONE_LINE = 300
"""Characters of a name where one line is all there is: more than any screen shows of it."""


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


def plain_tip(text: str) -> str:
    """Text for a tooltip that is shown as it is: what looks like markup would be taken for it.

    Names and labels may be a megabyte long, which took Qt seconds to lay out: a tooltip is cut at a size to be read.

    >>> plain_tip("petal length"), plain_tip("<b>size</b>")
    ('petal length', '<p style="white-space:pre-wrap">&lt;b&gt;size&lt;/b&gt;</p>')
    """
    text = _cut_to_size(text)
    if not Qt.mightBeRichText(text):
        return text
    return f'<p style="white-space:pre-wrap">{html.escape(text, quote=False)}</p>'


def one_line(text: str) -> str:
    r"""A name for a place that has one line only: its beginning, where nobody would read to its end.

    >>> one_line("petal\nlength"), len(one_line("a" * 10**6))
    ('petal length', 300)
    """
    shown = " ".join(text[:ONE_LINE].split())
    return shown if len(text) <= ONE_LINE else f"{shown[: ONE_LINE - 1]}…"


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


def _cut_to_size(text: str) -> str:
    most = TIP_WIDTH * TIP_LINES
    lines = [part for line in text[:most].split("\n") for part in textwrap.wrap(line, TIP_WIDTH) or [""]]
    is_whole = len(text) <= most and len(lines) <= TIP_LINES
    if is_whole and all(len(line) <= TIP_WIDTH for line in text.split("\n")):
        return text
    return "\n".join(lines if is_whole else [*lines[:TIP_LINES], "…"])
