"""Settings of the window, kept from one start to the next: recent files, theme, folder, and geometry."""

from __future__ import annotations

import os
import threading
from typing import Any, Literal, TypeVar

from PySide6.QtCore import QByteArray, QSettings

from workbench.words.decode import DecodeError, Place, decode

FILE_VARIABLE = "FIGMN_WORKBENCH_SETTINGS"
"""Environment variable that names a file to use in place of the user's own."""
RECENT = 10
Switch = Literal["true", "false"]
"""How Qt writes a boolean."""
Value = TypeVar("Value")


class Memory:
    """Settings of the user, read once. A value that cannot be decoded counts as missing."""

    def __init__(self) -> None:
        path = os.environ.get(FILE_VARIABLE)
        settings = _open(path)
        self._values: dict[str, Any] = {name: settings.value(name) for name in settings.allKeys()}
        self._writer = Writer(path)

    @property
    def recent(self) -> list[str]:
        """Files that were opened, the latest first; those that no longer exist are left out."""
        found = self._values.get("recent")
        items = found if isinstance(found, list) else [found]  # Qt reads a list of one as a text
        paths = [_decoded(str, item, "recent", "") for item in items]
        return [path for path in paths if os.path.exists(path)][:RECENT]

    def add_recent(self, path: str) -> None:
        """Put a file first in the list."""
        others = [other for other in self.recent if other != path]
        self._keep("recent", [path, *others][:RECENT])

    def forget_recent(self) -> None:
        """Clear the list."""
        self._keep("recent", None)

    @property
    def theme(self) -> str:
        """light, dark or system."""
        return self._found(Literal["light", "dark", "system"], "theme", "system")

    @theme.setter
    def theme(self, name: str) -> None:
        self._keep("theme", name)

    @property
    def folder(self) -> str:
        """Folder of the file that was opened or written last; empty where it no longer exists."""
        found = self._found(str, "folder", "")
        return found if os.path.isdir(found) else ""

    @folder.setter
    def folder(self, path: str) -> None:
        self._keep("folder", path)

    @property
    def raw_csv(self) -> bool:
        """Whether CSV exports keep texts that begin like a formula as they are."""
        return self._found(Switch, "raw_csv", "false") == "true"

    @raw_csv.setter
    def raw_csv(self, wanted: bool) -> None:
        self._keep("raw_csv", _switch(wanted))

    @property
    def component_colours(self) -> bool:
        """Whether each component has its own colour, which is the default."""
        return self._found(Switch, "component_colours", "true") == "true"

    @component_colours.setter
    def component_colours(self, wanted: bool) -> None:
        self._keep("component_colours", _switch(wanted))

    def window(self, name: str) -> QByteArray | None:
        """Geometry or state of the window, as Qt encodes it."""
        found = self._values.get(f"window/{name}")
        return found if isinstance(found, QByteArray) else None

    def keep_window(self, name: str, value: QByteArray) -> None:
        """Remember geometry or state of the window."""
        self._keep(f"window/{name}", value)

    def panel(self, name: str) -> bool | None:
        """Whether the user wants a panel open; None where the space available decides."""
        found = self._found(Literal["open", "closed"], f"panel/{name}", "")
        return {"open": True, "closed": False}.get(found)

    def keep_panel(self, name: str, chosen: bool | None) -> None:
        """Remember whether a panel is open."""
        words = {True: "open", False: "closed", None: ""}
        self._keep(f"panel/{name}", words[chosen])

    def save(self) -> None:
        """Wait until everything is written."""
        self._writer.wait()

    def _keep(self, name: str, value: Any) -> None:
        """Change a setting; None removes it."""
        self._values[name] = value
        self._writer.write(name, value)

    def _found(self, wanted: Any, name: str, default: Value) -> Value:
        return _decoded(wanted, self._values.get(name), name, default)


def _decoded(wanted: Any, value: Any, name: str, default: Value) -> Value:
    """A setting as the wanted type, or the default where it cannot be decoded."""
    try:
        found: Value = decode(wanted, value, Place("settings", name))
    except DecodeError:
        return default
    return found


def _switch(wanted: bool) -> Switch:
    return "true" if wanted else "false"


class Writer:
    """Writes settings in a thread: Qt waits for the disk at every write, a second and more if the disk is busy."""

    def __init__(self, path: str | None) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._pending: dict[str, Any] = {}
        """What the latest thread will write; empty once it has started to write."""
        self._thread: threading.Thread | None = None
        """The latest thread, which waits for the one before."""

    def write(self, name: str, value: Any) -> None:
        """Write a setting soon; None removes it."""
        with self._lock:
            if not self._pending:
                thread = threading.Thread(target=self._work, args=(self._thread,), name="writing settings")
                thread.start()  # it waits for the lock; if it cannot start, `wait` must not join it
                self._thread = thread
            self._pending[name] = value

    def wait(self) -> None:
        """Wait until everything is written."""
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
    """Settings in the given file, or those of the user."""
    if path:
        return QSettings(path, QSettings.Format.IniFormat)
    # Qt chooses the place: platformdirs has another one on Windows and macOS, where settings would be lost.
    return QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "figmn", "workbench")
