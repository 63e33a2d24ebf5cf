"""A drift that was seen during a run, and how each component has changed since."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from workbench.words.numbers import short

ChangeKind = Literal["moved", "grew", "shrank", "deformed", "thinned", "vanished", "new"]
FEW = 8
"""Changes that a line lists; of more, the number of the others is given."""


@dataclass(frozen=True)
class ComponentChange:
    """How one component differs from what it was before a drift.

    >>> ComponentChange(3, {"moved": "by 1.2 σ in 'x'", "grew": "1.5×"}).words()
    "#3 moved by 1.2 σ in 'x' and grew 1.5×"
    """

    component: int
    kinds: dict[ChangeKind, str]
    """By name, each with how much in words; empty where there is no measure."""

    def words(self) -> str:
        """The change in words."""
        parts = [f"{kind} {amount}".strip() for kind, amount in self.kinds.items()]
        return f"#{self.component} {' and '.join(parts)}"


@dataclass(frozen=True)
class Drift:
    """A change in the stream, found without labels: samples are less likely than before, or more likely.

    >>> Drift(5035, 4999, 6.2, 9.8).words()
    'Sample 5,036: drift since about sample 5,000. Samples are less likely than before: −log p 6.200 → 9.800.'
    """

    sample: int
    """Number of the sample at which it was seen, from 0."""
    since: int
    """Estimated number of the first sample of the new kind, from 0."""
    before: float
    """Mean of -log p(x) before, extreme values clipped, in the user's units."""
    after: float
    """The same since then."""
    compared: tuple[int, int] | None = None
    """Samples learned by the two moments whose components were compared; None as long as they were not."""
    changes: tuple[ComponentChange, ...] = ()

    def words(self) -> str:
        """The drift in a sentence."""
        likely = "less" if self.after > self.before else "more"
        return (
            f"Sample {self.sample + 1:,}: drift since about sample {self.since + 1:,}. "
            f"Samples are {likely} likely than before: −log p {short(self.before)} → {short(self.after)}."
        )

    def change_words(self) -> str:
        """The changes of the components in a sentence; empty as long as they were not compared.

        >>> seen = Drift(5035, 4999, 6.2, 9.8).named((4750, 5500), ())
        >>> seen.change_words()
        'From sample 4,750 to 5,500 no component has changed much.'
        >>> seen.named((4750, 5500), (ComponentChange(7, {"vanished": ""}),)).change_words()
        'From sample 4,750 to 5,500: #7 vanished.'
        """
        if self.compared is None:
            return ""
        span = "From sample {:,} to {:,}".format(*self.compared)
        if not self.changes:
            return f"{span} no component has changed much."
        listed = [change.words() for change in self.changes[:FEW]]
        more = len(self.changes) - len(listed)
        return f"{span}: {', '.join(listed)}{f' and {more:,} more' if more else ''}."

    def named(self, compared: tuple[int, int], changes: tuple[ComponentChange, ...]) -> Drift:
        """The same drift with the changes of the components."""
        return replace(self, compared=compared, changes=changes)
