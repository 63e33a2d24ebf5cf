"""A progress line on the terminal, overwritten in place; nothing where stderr is redirected."""

from __future__ import annotations

import sys

BAR, LINE = 30, 90
"""Characters of a progress bar, and of a line."""


def bar(done: int, total: int) -> str:
    """A progress bar.

    >>> bar(1, 3)
    '[##########....................]'
    """
    filled = BAR * done // total
    return f"[{'#' * filled}{'.' * (BAR - filled)}]"


def show_line(text: str) -> None:
    """Replace the line."""
    _write(f"\r{text:<{LINE}}")


def clear_line() -> None:
    """Remove the line."""
    _write(f"\r{'':<{LINE}}\r")


def end_line() -> None:
    """Leave the line as it is and start another."""
    _write("\n")


def _write(text: str) -> None:
    if sys.stderr.isatty():
        print(text, end="", file=sys.stderr, flush=True)
