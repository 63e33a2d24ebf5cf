"""The engines with the paper's algorithm by default: what the paper does not have is off."""

from __future__ import annotations

from typing import Any

import figmn
from figmn.params import NEUTRAL


class FastIGMN(figmn.FastIGMN):
    def __init__(self, *args: Any, **given: Any) -> None:
        super().__init__(*args, **(NEUTRAL | given))


class IGMN(figmn.IGMN):
    def __init__(self, *args: Any, **given: Any) -> None:
        super().__init__(*args, **(NEUTRAL | given))
