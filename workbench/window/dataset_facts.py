"""A dataset in one line."""

from __future__ import annotations

from workbench.run.recipe.dataset import Dataset
from workbench.words.sizes import size_text

NOTEWORTHY = 1e6
"""Bytes per component above which they are shown."""


def facts(dataset: Dataset, n_columns: int | None) -> str:
    """One line for the side panel about a dataset with `n_columns` encoded columns."""
    table = dataset.table
    rows = "endless" if dataset.is_endless else f"{table.n_rows:,} rows" if dataset.is_whole else "streamed from disk"
    parts = [f"{rows} × {len(table.columns):,} columns"]
    label = dataset.label_column
    if label is not None:
        parts.append(f"{len(table[label].labels)} classes")
    if table.weights is not None:
        parts.append("weighted rows")
    if dataset.order.kind != "as is":
        parts.append(dataset.order.kind)
    size = 8 * (n_columns or 0) ** 2
    return " · ".join([*parts, *([f"a component takes up to {size_text(size)}"] if size > NOTEWORTHY else [])])
