"""Names that the window, the exports and the command line give to choices."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

SOLVER_NAMES: Mapping[str, str] = MappingProxyType({"cholesky": "Cholesky", "inverse": "inverse + determinant"})
"""By the values of `figmn.params.Solver`."""
