"""What a rough hand types."""

from __future__ import annotations

NUMBERS = ("0", "1", "2", "3", "5", "7", "10", "0.1", "0.01", "0.5", "1.5", "20", "50", "100", "300", "1000", "5000")
NONSENSE = (
    "-1", "1e-9", "1e9", "1e300", "1e-320", "1e400", "-1e400", "nan", "inf", "-inf", "∞", "0x10", "1,5", "1.000,5",
    "１２", "abc", "<b>x</b>", "δ", "-", "9" * 60, "", " ", "%s%d{}\\", "' OR 1=1", "kind", "class", "play",
)  # fmt: skip
KEYS = (
    "Tab", "Shift+Tab", "Space", "Return", "Esc", "Up", "Down", "Left", "Right", "PgUp", "PgDown", "Home", "End",
    "+", "-", "0", "Del", "Ctrl+A", "Ctrl+C", "Ctrl+V", "F2",
)  # fmt: skip
