"""All that the pages work on."""

from __future__ import annotations

from dataclasses import dataclass, field

from workbench.desk.race import RaceDesk
from workbench.desk.workspace import Workspace


@dataclass(frozen=True)
class Desk:
    """One for every window."""

    workspace: Workspace = field(default_factory=Workspace)
    race: RaceDesk = field(default_factory=RaceDesk)

    def close(self) -> None:
        """End everything, and wait for it."""
        self.workspace.close()
        self.race.close()
