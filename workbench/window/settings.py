"""What the window remembers from one start to the next: recent files, the look and its place on the screen."""

from __future__ import annotations

import os
import threading
from typing import Any

from PySide6.QtCore import QByteArray, QSettings

FILE_VARIABLE = "FIGMN_WORKBENCH_SETTINGS"
"""Names a file to use in place of the user's own."""
RECENT = 10


class Memory:
    """Settings of the user, read once. What cannot be read counts as not there."""

    def __init__(self) -> None:
        path = os.environ.get(FILE_VARIABLE)
        settings = _open(path)
        self._values: dict[str, Any] = {name: settings.value(name) for name in settings.allKeys()}
        self._writer = Writer(path)

    @property
    def recent(self) -> list[str]:
        """Files that were opened, the latest first; those that are gone are left out."""
        found = self._values.get("recent", [])
        paths = found if isinstance(found, list) else [found]
        return [path for path in paths if isinstance(path, str) and os.path.exists(path)][:RECENT]

    def add_recent(self, path: str) -> None:
        """Put a file first."""
        others = [other for other in self.recent if other != path]
        self._keep("recent", [path, *others][:RECENT])

    def forget_recent(self) -> None:
        """Clear the list."""
        self._keep("recent", None)

    @property
    def theme(self) -> str:
        """light, dark or system."""
        found = self._text("theme")
        return found if found in {"light", "dark", "system"} else "system"

    @theme.setter
    def theme(self, name: str) -> None:
        self._keep("theme", name)

    @property
    def folder(self) -> str:
        """Where files were last opened or written."""
        found = self._text("folder")
        return found if os.path.isdir(found) else ""

    @folder.setter
    def folder(self, path: str) -> None:
        self._keep("folder", path)

    @property
    def raw_csv(self) -> bool:
        """Whether CSV exports keep texts that begin like a formula as they are."""
        return self._text("raw_csv") == "true"

    @raw_csv.setter
    def raw_csv(self, wanted: bool) -> None:
        self._keep("raw_csv", "true" if wanted else "false")

    @property
    def component_colours(self) -> bool:
        """Whether each component has a colour of its own; so it is unless the user wants it otherwise."""
        return self._text("component_colours") != "false"

    @component_colours.setter
    def component_colours(self, wanted: bool) -> None:
        self._keep("component_colours", "true" if wanted else "false")

    def window(self, name: str) -> QByteArray | None:
        """Geometry or state of the window, as Qt packs it."""
        found = self._values.get(f"window/{name}")
        return found if isinstance(found, QByteArray) else None

    def keep_window(self, name: str, value: QByteArray) -> None:
        """Remember geometry or state of the window."""
        self._keep(f"window/{name}", value)

    def panel(self, name: str) -> bool | None:
        """Whether the user wants a panel open; None where the room decides."""
        return {"open": True, "closed": False}.get(self._text(f"panel/{name}"))

    def keep_panel(self, name: str, chosen: bool | None) -> None:
        """Remember whether a panel is open."""
        words = {True: "open", False: "closed", None: ""}
        self._keep(f"panel/{name}", words[chosen])

    def save(self) -> None:
        """Wait until everything is written."""
        self._writer.wait()

    def _keep(self, name: str, value: Any) -> None:
        """Change a setting; None forgets it."""
        self._values[name] = value
        self._writer.write(name, value)

    def _text(self, name: str) -> str:
        """A text; empty where there is none, or something else."""
        found = self._values.get(name)
        return found if isinstance(found, str) else ""


class Writer:
    """Writes settings in a thread: Qt waits for the disk at every write, a second and more where that is busy."""

    def __init__(self, path: str | None) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._pending: dict[str, Any] = {}
        """What the latest thread will write; nothing once it has begun to."""
        self._thread: threading.Thread | None = None
        """The latest thread. It waits for the one before."""

    def write(self, name: str, value: Any) -> None:
        """Write a setting soon; None removes it."""
        with self._lock:
            if not self._pending:
                thread = threading.Thread(target=self._work, args=(self._thread,), name="writing settings")
                thread.start()  # it waits for the lock; where it cannot be started, nothing is awaited from it
                self._thread = thread
            self._pending[name] = value

    def wait(self) -> None:
        """Until everything is written."""
        if self._thread is not None:
            self._thread.join()

    def _work(self, before: threading.Thread | None) -> None:
        if before is not None:
            before.join()
        with self._lock:
            pending, self._pending = self._pending, {}
        settings = _open(self._path)
        for name, value in pending.items():
            settings.remove(name) if value is None else settings.setValue(name, value)
        settings.sync()


def _open(path: str | None) -> QSettings:
    """Settings in a file of one's own, or those of the user."""
    if path:
        return QSettings(path, QSettings.Format.IniFormat)
    # Qt chooses the place: platformdirs has another one on Windows and macOS, where settings would be lost.
    return QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "figmn", "workbench")
