"""What a page takes from the side panel: data, parameters, and what it has of its own instead."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType


@dataclass(frozen=True)
class PanelUse:
    """By default all of it is used."""

    n_columns: int | None = None
    """Of the rows that are learned; None: not known."""
    data: tuple[str, str] | None = None
    """Title and facts of other data than the dataset; None: the dataset."""
    fixed: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    """Parameters that have other values than those of the panel."""
    note: str = ""
    is_used: bool = True
    """Whether any parameter of the panel is used."""
