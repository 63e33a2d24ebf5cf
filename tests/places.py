"""Where the tests find the repository and what lies beside it."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[1]
ASSETS = ROOT / "assets"
SHARED = ROOT.parent / "shared"
"""Papers and data that are not part of the repository."""
