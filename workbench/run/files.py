"""Files that are written whole or not at all, in the one way that models are."""

from figmn.system.files import write_safely

__all__ = ["write_safely"]
