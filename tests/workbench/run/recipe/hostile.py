"""Damaged JSON: values that no recipe has, put into one that is right."""

from __future__ import annotations

import copy
import random
from typing import Any

VALUES: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    0.5,
    2**31,
    2**63,
    10**12,
    10**20,
    10**400,
    -(10**400),
    1e308,
    5e-324,
    float("nan"),
    float("inf"),
    float("-inf"),
    "",
    " ",
    "a\0b",
    "\ud800",
    "<b>x</b>",
    "..",
    "/dev/null",
    "x" * 5000,
    "never",
    "rot13",
    "undefined",
    "idna",
    "\n",
    ".",
    "utf-16",
    "sorted",
    "interleaved",
    "target",
    "string",
    "date",
    [],
    [[]],
    {},
    {"": None},
    ["a", 1, None],
    [[1, 2, 3], [float("nan"), 2, 0]],
    {"x": "target", "y": "ignored", "class": "nominal"},
)


def places(content: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all values below the top."""
    parts = content.items() if isinstance(content, dict) else enumerate(content) if isinstance(content, list) else ()
    return [found for key, part in parts for found in [(*path, key), *places(part, (*path, key))]]


def damaged(content: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """A copy with one to three values replaced, removed or added."""
    made = copy.deepcopy(content)
    for _ in range(chance.choice((1, 1, 2, 3))):
        path = chance.choice(places(made))
        parent: Any = made
        for key in path[:-1]:
            parent = parent[key]
        deed = chance.random()
        if deed < 0.15 and isinstance(parent, dict):
            del parent[path[-1]]
        elif deed < 0.25 and isinstance(parent, dict):
            parent[chance.choice(("", "surprise", "\ud800", "delta", "class"))] = copy.deepcopy(chance.choice(VALUES))
        else:
            parent[path[-1]] = copy.deepcopy(chance.choice(VALUES))
        if not places(made):
            break
    return made
