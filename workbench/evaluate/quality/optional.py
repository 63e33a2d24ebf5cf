"""river, which only these measurements need."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from workbench.words.sentences import UserError


def river(module: str) -> Any:
    """A module of river by its name, such as "forest".

    >>> river("no_such_module")
    Traceback (most recent call last):
    ...
    workbench.words.sentences.UserError: The module no_such_module of river is missing: pip install river.
    """
    try:
        return import_module(f"river.{module}")
    except ImportError:
        raise UserError("The module {module} of river is missing: pip install river.", module=module) from None
