"""A label that is cut where there is no room for it."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QSizePolicy

from workbench.views.look.naming import Label, one_line, plain_tip


class ElidedLabel(Label):
    """Shows the beginning of a name in one line, and all of it in the tooltip."""

    def __init__(self, text: str = "") -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._whole = ""
        self.set_whole(text)

    def set_whole(self, text: str) -> None:
        """Show another text."""
        self._whole = one_line(text)
        self.setToolTip(plain_tip(text))
        self._cut()

    def minimumSizeHint(self) -> QSize:
        """Called by Qt: the text is cut, so it needs no width."""
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Called by Qt."""
        super().resizeEvent(event)
        self._cut()

    def _cut(self) -> None:
        metrics = QFontMetrics(self.font())
        self.setText(metrics.elidedText(self._whole, Qt.TextElideMode.ElideRight, max(self.width(), 40)))
