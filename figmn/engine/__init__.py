"""What users call on both engines: `mixture` reads the numbers, `engine` learns, merges and copies."""

from figmn.engine.engine import ROWS_BEFORE_WARNING, Arguments, Engine
from figmn.engine.mixture import ComponentPart

__all__ = ["ROWS_BEFORE_WARNING", "Arguments", "ComponentPart", "Engine"]
