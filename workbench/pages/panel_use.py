"""What a page uses of the side panel: data and parameters, or values of its own instead."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType


@dataclass(frozen=True)
class PanelUse:
    """By default everything is used."""

    n_columns: int | None = None
    """Columns of the rows that are learned; None if unknown."""
    data: tuple[str, str] | None = None
    """Title and facts of data used in place of the dataset; None for the dataset."""
    fixed: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    """Parameters that the page sets itself, with their values."""
    note: str = ""
    is_used: bool = True
    """Whether any parameter of the panel is used."""
    is_watched: bool = True
    """Whether drifts are looked for, where the panel says so."""
