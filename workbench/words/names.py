"""Names that the window, the exports and the command line give to choices."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

SOLVER_NAMES: Mapping[str, str] = MappingProxyType({"cholesky": "Cholesky", "inverse": "inverse + determinant"})
"""By the values of `figmn.params.Solver`."""


def file_name_of(title: str) -> str:
    """The name of a file to propose for something called so, without an ending.

    >>> file_name_of("MNIST (1,000)"), file_name_of("../odd name.csv")
    ('mnist--1-000', 'odd-name')
    """
    return "".join(letter if letter.isalnum() else "-" for letter in Path(title).stem).strip("-").lower()
