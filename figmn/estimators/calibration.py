"""How far class probabilities can be trusted, found out from rows before they are learned.

A mixture that follows its data too closely is too sure of itself. So now and then some rows are predicted just before
they are learned, and the ratios of the probabilities to the overall frequencies of the classes are raised to the power
that would have given these rows the least log-loss. With two classes the order of the rows by their probability stays.
All of this happens at fixed places in the stream, however it is split into calls.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from figmn.system.arrays import Floats, Ints

OCTAVES = np.arange(-4.0, 2.25, 0.5)
EXPONENTS = np.exp2(OCTAVES)
"""Powers that are compared."""
FIRST, SHORTEST, GROWTH, LONGEST = 16, 8, 4, 10_000
"""Rows before the first block; then the rows of a block: a quarter of the stream so far, within limits."""
TESTED = 64
"""Rows tested at the beginning of a block, at most."""
FORGOTTEN = 0.6
"""What the losses of earlier blocks are multiplied by when a block begins."""
DOUBT = 1.0
"""Loss that is added for each squared octave between a power and 1, so that a few rows change little."""


class Source(Protocol):
    """What gives the probabilities."""

    def frozen(self) -> Any:
        """A copy that does not change while the original learns."""


@dataclass
class Calibration:
    """Log-loss under different powers of the probabilities, as rows go by.

    >>> calibration = Calibration()
    >>> calibration.exponent
    1.0
    >>> too_sure = np.log([[0.999, 0.001]])
    >>> for label in [0, 0, 1, 0, 0, 1, 0, 1]:
    ...     calibration.see(too_sure, np.array([0.5, 0.5]), np.array([label]))
    >>> round(calibration.exponent, 2)
    0.31
    """

    n_seen: int = 0
    """Rows learned."""
    begin: int = FIRST
    """Where in the stream the current block begins; its first rows are tested."""
    losses: Floats = field(default_factory=lambda: np.zeros(len(EXPONENTS)))
    frozen: Any = None
    """The model at the beginning of a block, where a call has ended before all of its rows were tested."""

    @property
    def exponent(self) -> float:
        """The power with the least loss so far, between the compared ones by a parabola."""
        losses = self.losses + DOUBT * OCTAVES**2
        best = int(losses.argmin())
        if not 0 < best < len(losses) - 1:
            return float(EXPONENTS[best])
        before, here, after = losses[best - 1 : best + 2]
        shift = 0.5 * (before - after) / (before - 2 * here + after)
        return float(np.exp2(OCTAVES[best] + shift * (OCTAVES[1] - OCTAVES[0])))

    def parts(self, n_rows: int, source: Source) -> Iterator[tuple[slice, Any]]:
        """Split rows that are about to be learned, and name the source that tests each part, or None.

        The rows of a part must be learned before the next part is asked for.
        """
        start = 0
        while start < n_rows:
            n_tested, tester = self._tested_from_here(), None
            stop = min(n_rows, start + (n_tested or self._until_next_block()))
            if n_tested:
                is_cut_off = stop - start < n_tested
                tester = self.frozen or (source.frozen() if is_cut_off else source)
                self.frozen = tester if is_cut_off else None
            yield slice(start, stop), tester
            self.n_seen += stop - start
            if self.n_seen == self.end:
                self.begin = self.end
                self.losses *= FORGOTTEN
            start = stop

    def see(self, log_probabilities: Floats, frequencies: Floats, labels: Ints, weights: Floats | None = None) -> None:
        """Add the losses of rows whose classes are `labels`."""
        overall = np.log(frequencies)[:, None]
        powers = overall + (log_probabilities[:, :, None] - overall) * EXPONENTS
        powers -= powers.max(axis=1, keepdims=True)
        losses = np.log(np.exp(powers).sum(axis=1)) - powers[np.arange(len(labels)), labels]
        self.losses += losses.sum(axis=0) if weights is None else weights @ losses

    def applied(self, log_probabilities: Floats, frequencies: Floats) -> Floats:
        """Calibrated probabilities.

        >>> Calibration().applied(np.log([[0.9, 0.1]]), np.array([0.5, 0.5]))
        array([[0.9, 0.1]])
        """
        overall = np.log(frequencies)
        powers = overall + self.exponent * (log_probabilities - overall)
        probabilities = np.exp(powers - powers.max(axis=1, keepdims=True))
        return np.asarray(probabilities / probabilities.sum(axis=1, keepdims=True))

    @property
    def end(self) -> int:
        """Where in the stream the current block ends.

        >>> Calibration().end
        24
        """
        return self.begin + min(max(SHORTEST, self.begin // GROWTH), LONGEST)

    def _tested_from_here(self) -> int:
        """How many rows from here on are tested."""
        return max(0, min(self.end, self.begin + TESTED) - self.n_seen) if self.n_seen >= self.begin else 0

    def _until_next_block(self) -> int:
        return (self.begin if self.n_seen < self.begin else self.end) - self.n_seen
