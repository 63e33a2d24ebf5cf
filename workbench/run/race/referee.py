"""Whose turn it is in a race, and for how many samples. No threads and no clocks: times are passed in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from workbench.run.race.settings import RaceMode

TURN_SECONDS = 0.05
"""Engine time by which the contender whose turn it is may get ahead of the others."""
ROUND = 6
"""Chunks of the slowest contender between two meetings, where all meet."""
CHECK_SHARE = 0.2
"""Share of the engine time that checks of the numbers may take while the engines run."""


class Standing(NamedTuple):
    """How far one contender is."""

    n_done: int
    """Samples learned."""
    engine_seconds: float
    wanted_rows: int = 1
    """Samples of a chunk that takes a suitable time."""
    is_through: bool = False
    """Whether it has learned all samples."""
    is_busy: bool = False
    """Whether it is learning now."""
    n_left: int | None = None
    """Samples that it has not learned; None: the stream has no end."""


class Turn(NamedTuple):
    """Who learns next."""

    contender: int
    """Its position in the tuple of contenders."""
    n_rows: int
    """Samples at most."""


class Checked(NamedTuple):
    """The checks of one contender's numbers against those of the first."""

    n_samples: int = 0
    """Samples that both had learned at the latest check."""
    seconds: float = 0.0
    """Time that all checks took."""


class Referee:
    """Decides from the standings of all contenders; remembers only limits and who learned last.

    Parameters
    ----------
    mode
        "clock": all get the same engine time, and slower ones fall behind. "sample": all meet after every round.
    takes_turns
        Whether only one contender learns at a time.

    >>> referee = Referee("clock", takes_turns=True)
    >>> standings = [Standing(64, 0.06), Standing(1, 0.001)]
    >>> referee.allow(standings, n_due=1000, is_limited=False)
    >>> referee.turns(standings)
    [Turn(contender=1, n_rows=1063)]
    """

    def __init__(self, mode: RaceMode, takes_turns: bool) -> None:
        self._mode, self._takes_turns = mode, takes_turns
        self._allowed = 0
        """Samples that the speed allows."""
        self._round = 0
        """Sample of the next meeting, in the mode "sample"."""
        self._latest = 0
        """Who learned last."""

    def restart(self, standings: Sequence[Standing]) -> None:
        """Allow no sample beyond the leader's: after a pause, and with another speed."""
        self._allowed = max((one.n_done for one in standings), default=0)

    def allow(self, standings: Sequence[Standing], n_due: int, is_limited: bool) -> None:
        """Allow `n_due` further samples: at a limited speed beyond those allowed so far, else beyond the leader's."""
        if not is_limited:
            self.restart(standings)
        self._allowed += n_due

    def turns(self, standings: Sequence[Standing], until: int | None = None) -> list[Turn]:
        """Who learns now, up to sample `until` at most; nobody while one of those who take turns is busy."""
        if self._takes_turns and any(one.is_busy for one in standings):
            return []
        turns = self._possible(standings, until)
        if self._mode == "sample" and not turns and not any(one.is_busy for one in standings):
            self._round = min(one.n_done for one in standings) + ROUND * min(one.wanted_rows for one in standings)
            turns = self._possible(standings, until)
        if self._takes_turns and len(turns) > 1:
            turns = [self._chosen(standings, turns)]
        for turn in turns:
            self._latest = turn.contender
        return turns

    def has_reached(self, standings: Sequence[Standing], until: int | None) -> bool:
        """Whether all contenders have learned `until` samples, None: all samples."""
        return all(one.is_through or (until is not None and one.n_done >= until) for one in standings)

    def pair_to_check(self, standings: Sequence[Standing], checked: Sequence[Checked], is_running: bool) -> int | None:
        """Position of a contender whose numbers can be compared with the first's now; None: no comparison is due.

        Both have learned the same samples and all are idle. While the race runs, checks may take `CHECK_SHARE` of the
        engine time. `checked` has one entry for each contender but the first.
        """
        if any(one.is_busy for one in standings):
            return None
        first, *others = standings
        for position, (other, before) in enumerate(zip(others, checked, strict=True), start=1):
            is_new = first.n_done == other.n_done > before.n_samples
            is_affordable = before.seconds <= CHECK_SHARE * (first.engine_seconds + other.engine_seconds)
            if is_new and (not is_running or first.is_through or (self._mode == "sample" and is_affordable)):
                return position
        return None

    def seconds_left(self, standings: Sequence[Standing], speed: float | None) -> float | None:
        """Until all are through, from the engine time so far; None where that is not known. `speed` may limit it."""
        seconds, n_left = [], []
        for one in standings:
            if one.n_left is None or not one.n_done:
                return None
            seconds.append(one.n_left * one.engine_seconds / one.n_done)
            n_left.append(one.n_left)
        by_clock = sum(seconds) if self._takes_turns else max(seconds)
        return by_clock if speed is None else max(by_clock, max(n_left) / speed)

    def _possible(self, standings: Sequence[Standing], until: int | None) -> list[Turn]:
        """All who are idle and below every limit."""
        limits = [self._allowed]
        limits += [] if until is None else [until]
        limits += [self._round] if self._mode == "sample" else []
        turns = [Turn(position, min(limits) - one.n_done) for position, one in enumerate(standings)]
        idle = [not one.is_busy and not one.is_through for one in standings]
        return [turn for turn, is_idle in zip(turns, idle, strict=True) if is_idle and turn.n_rows > 0]

    def _chosen(self, standings: Sequence[Standing], turns: Sequence[Turn]) -> Turn:
        """The contender with the least engine time; the current one keeps its turn for `TURN_SECONDS`.

        Its caches are warm, and those of the other would have to be filled.
        """
        least = min(turns, key=lambda turn: standings[turn.contender].engine_seconds)
        current = next((turn for turn in turns if turn.contender == self._latest), None)
        if current is None:
            return least
        ahead = standings[current.contender].engine_seconds - standings[least.contender].engine_seconds
        return current if ahead < TURN_SECONDS else least
