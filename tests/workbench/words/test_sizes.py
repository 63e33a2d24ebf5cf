"""Bytes as text."""

from __future__ import annotations

import pytest

from workbench.words.sizes import in_megabytes, size_text


@pytest.mark.parametrize(
    ("n_bytes", "text"),
    [(0, "0 bytes"), (48, "48 bytes"), (999, "999 bytes"), (1000, "1.0 KB"), (98_352, "98 KB"), (999_999, "1.0 MB"),
     (8e9, "8.0 GB"), (30.73e9, "31 GB")],
)  # fmt: skip
def test_sizes_have_two_digits_and_a_fitting_unit(n_bytes: float, text: str) -> None:
    assert size_text(n_bytes) == text


def test_sizes_can_have_three_digits() -> None:
    assert [size_text(n_bytes, digits=3) for n_bytes in (12_345, 138_200_000, 1_320_000_000)] == [
        "12.3 KB", "138 MB", "1.32 GB",
    ]  # fmt: skip


def test_sizes_to_compare_have_one_unit() -> None:
    assert (in_megabytes(31e9), in_megabytes(8e9)) == ("31,000 MB", "8,000 MB")
