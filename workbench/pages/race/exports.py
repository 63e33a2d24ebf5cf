"""Files that the parts of the Race page write."""

from __future__ import annotations

from collections.abc import Callable

from workbench.pages.shell import Shell

TEXTS = {"csv": "CSV (*.csv)", "json": "JSON (*.json)", "latex": "LaTeX (*.tex)"}
ENDINGS = {"latex": "tex"}


def export_as_text(shell: Shell, title: str, name: str, kind: str, text: Callable[[], str]) -> None:
    """Ask for a file of a kind of `TEXTS`, and make and write a text in the background."""
    shell.export_text(title, f"{name}.{ENDINGS.get(kind, kind)}", TEXTS[kind], text)
