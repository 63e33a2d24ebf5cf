"""What a test leaves behind in Qt: top-level widgets that live on, and timers that go on firing."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import SIGNAL, QCoreApplication, QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import getCppPointer, isValid, ownedByPython


@contextmanager
def nothing_left() -> Iterator[None]:
    """Fail where a block leaves a top-level widget or an active timer that was not there before."""
    before, n_collections = _addresses(), _n_collections()
    yield
    if not isinstance(QApplication.instance(), QApplication):
        return
    left = left_since(before, only_young=_n_collections() == n_collections)
    assert not left, f"left behind: {', '.join(left)}"


def left_since(before: frozenset[int], only_young: bool = False) -> list[str]:
    """Widgets and timers beyond those that were there before, in words.

    Garbage is collected only where something seems to be left, since that takes time: pyqtgraph's menus have no parent
    and refer to each other. With `only_young`, timers are sought among objects that no collection has seen yet: these
    are all that a test has made, as long as collecting is disabled in tests.
    """
    _delete_what_was_told_to()
    if not _left(before, only_young):
        return []
    gc.collect()
    _delete_what_was_told_to()
    return _left(before, only_young=False)


def _delete_what_was_told_to() -> None:
    """Qt deletes in the event loop, and no loop runs between two tests."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def _left(before: frozenset[int], only_young: bool) -> list[str]:
    widgets = [_name(widget) for widget in QApplication.topLevelWidgets() if _address(widget) not in before]
    timers = [
        f"an active timer of {_name(timer.parent())}"
        for timer in _timers(only_young)
        if isValid(timer) and timer.isActive() and not _is_older(_root(timer), before) and not _calls_nobody(timer)
    ]
    return sorted(widgets) + sorted(timers)


def _timers(only_young: bool) -> list[QTimer]:
    objects = gc.get_objects(generation=0 if only_young else None)
    # Not `isinstance`: it asks proxies for their class, and some answer by importing.
    return [found for found in objects if issubclass(type(found), QTimer)]


def _is_older(root: QObject, before: frozenset[int]) -> bool:
    """Whether an object belongs to the application or to a window of more than one test."""
    return root is QCoreApplication.instance() or (isinstance(root, QWidget) and _address(root) in before)


def _calls_nobody(timer: QTimer) -> bool:
    """Whether it is one of `QTimer.singleShot` whose receiver is gone, so that its own end is all it still brings."""
    return not ownedByPython(timer) and timer.parent() is None and timer.receivers(SIGNAL("timeout()")) <= 1


def _root(found: QObject) -> QObject:
    while (parent := found.parent()) is not None:
        found = parent
    return found


def _addresses() -> frozenset[int]:
    if not isinstance(QApplication.instance(), QApplication):
        return frozenset()
    return frozenset(_address(widget) for widget in QApplication.topLevelWidgets())


def _address(widget: QWidget) -> int:
    return int(getCppPointer(widget)[0])


def _name(found: QObject | None) -> str:
    return "nobody" if found is None else f"{type(found).__name__} {found.objectName()!r}"


def _n_collections() -> int:
    return sum(generation["collections"] for generation in gc.get_stats())
