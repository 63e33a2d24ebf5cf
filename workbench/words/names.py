"""Names that the window, the exports and the command line give to choices."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

SOLVER_NAMES: Mapping[str, str] = MappingProxyType({"cholesky": "Cholesky", "inverse": "inverse + determinant"})
"""By the values of `figmn.params.Solver`."""
ComponentNames = Mapping[int, str]
"""Names that the user gave to components, by their ids."""
NO_NAMES: ComponentNames = MappingProxyType({})
LONGEST_NAME = 40
"""Characters of a component's name."""


def file_name_of(title: str) -> str:
    """The name of a file to propose for something called so, without an ending.

    >>> file_name_of("MNIST (1,000)"), file_name_of("../odd name.csv")
    ('mnist--1-000', 'odd-name')
    """
    return "".join(letter if letter.isalnum() else "-" for letter in Path(title).stem).strip("-").lower()


def component_name(number: int, names: ComponentNames) -> str:
    """A component by its number, and by the name that the user gave it.

    >>> component_name(3, {}), component_name(3, {3: "large birds"})
    ('#3', '#3 large birds')
    """
    name = names.get(number)
    return f"#{number} {name}" if name else f"#{number}"
