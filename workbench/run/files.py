"""Files that are written completely or not at all, as models are."""

from figmn.system.files import write_safely

__all__ = ["write_safely"]
