"""Painting never raises: an exception that leaves one of Qt's paint calls can end the process."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

from PySide6.QtCore import QTimer
from PySide6.QtGui import QPainter

Arguments = ParamSpec("Arguments")

_told: set[tuple[str, int, type[BaseException]]] = set()
"""Places where painting failed: an error that recurs with every repaint is reported once."""


def safe(paint: Callable[Arguments, None]) -> Callable[Arguments, None]:
    """Decorator for paint methods: an exception ends the painting and goes to `sys.excepthook`, once per place."""

    @wraps(paint)
    def guarded(*args: Arguments.args, **kwargs: Arguments.kwargs) -> None:
        try:
            paint(*args, **kwargs)
        except Exception as error:  # noqa: BLE001 - whatever it is, Qt cannot handle it
            _end_painters(error, args)
            _report(error)

    return guarded


def _end_painters(error: Exception, given: tuple[object, ...]) -> None:
    """End the painters that the method began: Qt complains about one that is active after a paint event."""
    trace = error.__traceback__
    while trace is not None:
        begun = (value for value in trace.tb_frame.f_locals.values() if isinstance(value, QPainter))
        for painter in begun:
            if painter.isActive() and not any(painter is one for one in given):
                painter.end()
        trace = trace.tb_next


def _report(error: Exception) -> None:
    trace = error.__traceback__
    assert trace is not None
    while trace.tb_next is not None:
        trace = trace.tb_next
    place = (trace.tb_frame.f_code.co_filename, trace.tb_lineno, type(error))
    if place in _told:
        return
    _told.add(place)
    # Later: the handler may show the error in the window, which must not change while it is painted.
    QTimer.singleShot(0, lambda: sys.excepthook(type(error), error, error.__traceback__))
