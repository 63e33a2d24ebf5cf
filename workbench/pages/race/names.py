"""Object names of the race's widgets, distinct from those of the Stream page."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from workbench.views.look.naming import AnyWidget


def of_the_race(widget: AnyWidget) -> AnyWidget:
    """Rename a widget and its children: `playButton` becomes `racePlayButton`. Qt's own names stay."""
    parts: list[QWidget] = [widget, *widget.findChildren(QWidget)]
    for part in parts:
        name = part.objectName()
        if name and not name.startswith(("qt_", "race")):
            part.setObjectName(f"race{name[0].upper()}{name[1:]}")
    return widget
