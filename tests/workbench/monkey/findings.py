"""What was found, with the place and the last actions, grouped by the last line of our code."""

from __future__ import annotations

import json
import traceback
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.places import ROOT

LAST_ACTIONS = 5


@dataclass(frozen=True)
class Finding:
    """One thing that must not be."""

    kind: str
    text: str
    place: str
    stack: str
    action: int
    last_actions: tuple[str, ...]


class Journal:
    """Writes actions and findings down at once, so that a crash leaves them behind."""

    def __init__(self, folder: Path) -> None:
        self._actions = (folder / "actions.log").open("w", encoding="utf-8", errors="backslashreplace")
        self._findings = (folder / "findings.jsonl").open("w", encoding="utf-8")
        self.faults = (folder / "fault.log").open("w", encoding="utf-8")
        """Where `faulthandler` writes."""
        self.number = 0
        """Of the action that is being done."""
        self.last: tuple[str, ...] = ()
        """The last actions."""
        self.findings: list[Finding] = []

    def say(self, line: str) -> None:
        """Write down what is done next."""
        text = f"{self.number} {line}"
        self.last = (*self.last[1 - LAST_ACTIONS :], text)
        self._actions.write(text + "\n")
        self._actions.flush()

    def find(
        self,
        kind: str,
        text: str,
        frames: Sequence[traceback.FrameSummary] = (),
        when: tuple[int, tuple[str, ...]] | None = None,
    ) -> None:
        """Keep a finding; of an earlier time, with the number of the action and the last ones then."""
        number, last = when or (self.number, self.last)
        stack = "".join(traceback.format_list(list(frames)))
        found = Finding(kind, text, last_place(frames), stack, number, last)
        self.findings.append(found)
        self.say(f"FOUND {kind} in action {number}: {text} at {found.place}")
        self._findings.write(json.dumps(asdict(found)) + "\n")
        self._findings.flush()

    def summary(self) -> str:
        """Findings by kind and place, the most frequent first."""
        groups: dict[tuple[str, str], list[Finding]] = defaultdict(list)
        for finding in self.findings:
            groups[finding.kind, finding.place].append(finding)
        parts = [_group(*key, found) for key, found in sorted(groups.items(), key=lambda pair: -len(pair[1]))]
        return "\n".join(parts) or "nothing found"


def last_place(frames: Sequence[traceback.FrameSummary]) -> str:
    """The last line of the workbench or the library; without one, the last line."""
    ours = [frame for frame in frames if _is_ours(frame.filename)]
    if not frames:
        return ""
    frame = (ours or list(frames))[-1]
    path = Path(frame.filename)
    name = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path.name
    return f"{name}:{frame.lineno} {frame.name}"


def _is_ours(path: str) -> bool:
    return any(Path(path).is_relative_to(ROOT / room) for room in ("figmn", "workbench"))


def _group(kind: str, place: str, found: list[Finding]) -> str:
    first = found[0]
    lines = [f"{len(found)} × {kind} at {place or 'no place'}: {first.text}"]
    lines += [f"    in action {first.action}; the last were:", *(f"      {line}" for line in first.last_actions)]
    return "\n".join([*lines, *(f"    {line}" for line in first.stack.splitlines()[-16:])])
