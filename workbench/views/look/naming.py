"""Object names, accessible names, tab order and style-sheet properties of widgets."""

from __future__ import annotations

import html
import textwrap
from itertools import pairwise
from typing import Any, TypeVar

from PySide6.QtGui import QAction, Qt
from PySide6.QtWidgets import QLabel, QWidget

AnyWidget = TypeVar("AnyWidget", bound=QWidget)
TIP_WIDTH, TIP_LINES = 160, 24
"""Characters per line and lines of a tooltip; a larger one would leave the screen."""
ONE_LINE = 300
"""Characters of a name in one line: more than any screen shows."""


class Label(QLabel):
    """A plain-text label: a column called `<b>` is not rendered as markup. All labels are of this class."""

    def __init__(self, *args: Any, **properties: Any) -> None:
        super().__init__(*args, **({"textFormat": Qt.TextFormat.PlainText} | properties))


def named(widget: AnyWidget, name: str, spoken: str = "", tip: str = "", manner: str = "") -> AnyWidget:
    """Set a widget's object name and, where given, its accessible name, tooltip and style."""
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
    """Text for a tooltip, escaped: Qt would render what looks like markup.

    Names and labels may be a megabyte long, which took Qt seconds to lay out: a tooltip is cut at a size to be read.

    >>> plain_tip("petal length"), plain_tip("<b>size</b>")
    ('petal length', '<p style="white-space:pre-wrap">&lt;b&gt;size&lt;/b&gt;</p>')
    """
    text = _cut_to_size(text)
    if not Qt.mightBeRichText(text):
        return text
    return f'<p style="white-space:pre-wrap">{html.escape(text, quote=False)}</p>'


def one_line(text: str) -> str:
    r"""A name in one line, cut where it is very long.

    >>> one_line("petal\nlength"), len(one_line("a" * 10**6))
    ('petal length', 300)
    """
    shown = " ".join(text[:ONE_LINE].split())
    return shown if len(text) <= ONE_LINE else f"{shown[: ONE_LINE - 1]}…"


def name_action(action: QAction, words: str, data: str = "") -> None:
    """Set an action's text: our words, in which & marks a mnemonic, and a name from the data, in which it does not."""
    action.setText(f"{words} {data.replace('&', '&&')}".strip())
    action.setToolTip(plain_tip(f"{words.replace('&', '')} {data}".strip()))


def chain(*widgets: QWidget) -> None:
    """Set the tab order."""
    for first, second in pairwise(widgets):
        QWidget.setTabOrder(first, second)


def set_property(widget: QWidget, name: str, value: object) -> None:
    """Set a property that the style sheet selects by, and apply the style again."""
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
