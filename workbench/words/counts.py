"""Counts with their noun."""

from __future__ import annotations


def counted(count: int, noun: str) -> str:
    """A count and its noun, in the plural unless it is 1.

    >>> counted(1, "row"), counted(0, "row"), counted(2337, "missing value")
    ('1 row', '0 rows', '2,337 missing values')
    """
    return f"{count:,} {noun}" + "s" * (count != 1)


def merged_words(n_merges: int) -> str:
    """How many components were merged, to follow those removed; empty for none.

    >>> merged_words(0), merged_words(1200)
    ('', ', 1,200 merged')
    """
    return f", {n_merges:,} merged" if n_merges else ""
