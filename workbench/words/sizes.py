"""Numbers of bytes as text; 1 KB is 1,000 bytes."""

from __future__ import annotations

from workbench.words.numbers import short

BYTE_UNITS = ((1e9, "GB"), (1e6, "MB"), (1e3, "KB"))


def size_text(n_bytes: float, digits: int = 2) -> str:
    """Bytes in the largest unit that fits, with `digits` significant digits and no decimals beyond them.

    >>> size_text(999), size_text(5400), size_text(123_456_789), size_text(2.5e9), size_text(999_700)
    ('999 bytes', '5.4 KB', '123 MB', '2.5 GB', '1.0 MB')
    >>> size_text(20_700_000, digits=3), size_text(1_320_000_000, digits=3)
    ('20.7 MB', '1.32 GB')
    """
    for size, unit in BYTE_UNITS:
        if n_bytes >= 0.9995 * size:  # 999,700 rounds to 1.0 MB
            return f"{short(n_bytes / size, digits)} {unit}"
    return f"{n_bytes:,.0f} bytes"


def in_megabytes(n_bytes: float) -> str:
    """Bytes in MB whatever their size, where two sizes are compared.

    >>> in_megabytes(12_345_678_901), in_megabytes(400_000)
    ('12,346 MB', '0 MB')
    """
    return f"{n_bytes / 1e6:,.0f} MB"
