"""What the window remembers from one start to the next: recent files, the look and its place on the screen."""

from __future__ import annotations

import os
from typing import Any

from PySide6.QtCore import QByteArray, QSettings

FILE_VARIABLE = "FIGMN_WORKBENCH_SETTINGS"
"""Names a file to use in place of the user's own."""
RECENT = 10


class Memory:
    """Settings of the user. What cannot be read counts as not there."""

    def __init__(self) -> None:
        path = os.environ.get(FILE_VARIABLE)
        if path:
            self._settings = QSettings(path, QSettings.Format.IniFormat)
        else:
            self._settings = QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "figmn", "workbench")

    @property
    def recent(self) -> list[str]:
        """Files that were opened, the latest first; those that are gone are left out."""
        found: Any = self._settings.value("recent", [])
        paths = found if isinstance(found, list) else [found]
        return [path for path in paths if isinstance(path, str) and os.path.exists(path)][:RECENT]

    def add_recent(self, path: str) -> None:
        """Put a file first."""
        others = [other for other in self.recent if other != path]
        self._settings.setValue("recent", [path, *others][:RECENT])

    def forget_recent(self) -> None:
        """Clear the list."""
        self._settings.remove("recent")

    @property
    def theme(self) -> str:
        """light, dark or system."""
        found = self._text("theme")
        return found if found in {"light", "dark", "system"} else "system"

    @theme.setter
    def theme(self, name: str) -> None:
        self._settings.setValue("theme", name)

    @property
    def folder(self) -> str:
        """Where files were last opened or written."""
        found = self._text("folder")
        return found if os.path.isdir(found) else ""

    @folder.setter
    def folder(self, path: str) -> None:
        self._settings.setValue("folder", path)

    @property
    def raw_csv(self) -> bool:
        """Whether CSV exports keep texts that begin like a formula as they are."""
        return self._text("raw_csv") == "true"

    @raw_csv.setter
    def raw_csv(self, wanted: bool) -> None:
        self._settings.setValue("raw_csv", "true" if wanted else "false")

    @property
    def component_colours(self) -> bool:
        """Whether each component has a colour of its own; so it is unless the user wants it otherwise."""
        return self._text("component_colours") != "false"

    @component_colours.setter
    def component_colours(self, wanted: bool) -> None:
        self._settings.setValue("component_colours", "true" if wanted else "false")

    def window(self, name: str) -> QByteArray | None:
        """Geometry or state of the window, as Qt packs it."""
        found: Any = self._settings.value(f"window/{name}")
        return found if isinstance(found, QByteArray) else None

    def keep_window(self, name: str, value: QByteArray) -> None:
        """Remember geometry or state of the window."""
        self._settings.setValue(f"window/{name}", value)

    def panel(self, name: str) -> bool | None:
        """Whether the user wants a panel open; None where the room decides."""
        return {"open": True, "closed": False}.get(str(self._settings.value(f"panel/{name}", "")))

    def keep_panel(self, name: str, chosen: bool | None) -> None:
        """Remember whether a panel is open."""
        words = {True: "open", False: "closed", None: ""}
        self._settings.setValue(f"panel/{name}", words[chosen])

    def save(self) -> None:
        """Write now."""
        self._settings.sync()

    def _text(self, name: str) -> str:
        """A text; empty where there is none, or something else."""
        found: Any = self._settings.value(name)
        return found if isinstance(found, str) else ""
