"""Attributes dragged to what they are in a question: known, wanted or open."""

from __future__ import annotations

from typing import Literal, get_args

from PySide6.QtCore import QMimeData, QPoint, Qt, Signal
from PySide6.QtGui import QDrag, QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from workbench.views.look.naming import Label, named, set_property
from workbench.views.look.theme import GRID

Part = Literal["known", "wanted", "open"]
KIND = "application/x-figmn-attribute"
TIPS: dict[Part, str] = {
    "known": "Drag attributes here to use their values",
    "wanted": "Drag attributes here to ask for them",
    "open": "Drag attributes here that may have any value",
}


def mime_of(name: str) -> QMimeData:
    """An attribute to be dragged."""
    found = QMimeData()
    found.setData(KIND, name.encode())
    return found


def attribute_in(mime: QMimeData) -> str | None:
    """The attribute that is dragged; None where it is something else."""
    return bytes(mime.data(KIND).data()).decode() if mime.hasFormat(KIND) else None


def carry(row: QWidget, name: str, at: QPoint) -> None:
    """Drag an attribute by its row until it is dropped."""
    drag = QDrag(row)
    drag.setMimeData(mime_of(name))
    drag.setPixmap(row.grab(row.rect().adjusted(0, 0, 0, min(0, 4 * GRID - row.height()))))
    drag.setHotSpot(at)
    drag.exec(Qt.DropAction.MoveAction)


class DropStrip(QWidget):
    """Three places to drop attributes, which also say how many there are of each."""

    dropped = Signal(str, str)
    """An attribute and its new part."""

    def __init__(self) -> None:
        super().__init__()
        self.places: dict[Part, DropPlace] = {part: DropPlace(part) for part in get_args(Part)}
        line = QHBoxLayout(self)
        line.setContentsMargins(2 * GRID, 0, 2 * GRID, 0)
        line.setSpacing(GRID)
        for place in self.places.values():
            line.addWidget(place, 1)
            place.dropped.connect(self.dropped)

    def show_counts(self, known: int, wanted: int, n_open: int) -> None:
        """Show how many attributes there are of each part."""
        counts: dict[Part, int] = {"known": known, "wanted": wanted, "open": n_open}
        for part, count in counts.items():
            self.places[part].words.setText(f"{count:,} {part}")


class DropPlace(QFrame):
    """One place to drop attributes."""

    dropped = Signal(str, str)

    def __init__(self, part: Part) -> None:
        super().__init__()
        named(self, f"drop{part.capitalize()}", f"{part} attributes", TIPS[part], manner="drop")
        self._part = part
        self.words = Label(part)
        self.words.setProperty("manner", "small")
        self.words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setAcceptDrops(True)
        line = QHBoxLayout(self)
        line.setContentsMargins(GRID // 2, 2, GRID // 2, 2)
        line.addWidget(self.words)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Called by Qt."""
        if attribute_in(event.mimeData()) is not None:
            set_property(self, "manner", "drop here")
            event.acceptProposedAction()
        else:
            event.ignore()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:  # noqa: ARG002
        """Called by Qt."""
        set_property(self, "manner", "drop")

    def dropEvent(self, event: QDropEvent) -> None:
        """Called by Qt."""
        set_property(self, "manner", "drop")
        name = attribute_in(event.mimeData())
        if name is not None:
            event.acceptProposedAction()
            self.dropped.emit(name, self._part)
