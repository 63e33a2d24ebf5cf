"""Finds drifts in the log densities of the samples, each taken before the sample was learned; no labels are needed.

river's ADWIN compares the mean of the latest values of -log p(x) with that of the earlier ones. ADWIN needs values of a
known spread without extremes, so they are measured from the median of the first `REFERENCE` samples, in units of their
spread, and clipped. A reference that moves along with the stream would itself look like a drift.

Measured over streams of 10,000 rows with three Gaussians in four columns and a change in the middle, with 30 seeds that
were not used to choose the limits below: no false alarm, also where nothing changes or tails are heavy (Student's t,
3 degrees of freedom), and one alarm a change. The median delay is 36 samples after a shift of all clusters or of one,
36 where the standard deviation grows to 1.7 times, 72 where it falls to half (10 of 30 missed), and 436 in a shift that
takes 2,000 samples (1.4 alarms). Where a cluster only stops, samples stay as likely as they were: 20 of 30 missed.

ADWIN was chosen, and its limits tuned, on other seeds of the same kinds of streams. There, where nothing changes and
before slow falls were left out, it gave 0.1 false alarms a stream, `PageHinkley` 0.35 (20 seeds each) and `KSWIN` 0.67
(3 seeds, 800 µs a sample); these two were tried with two settings and one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from figmn.system.arrays import Floats
from workbench.run.show.drift import Drift
from workbench.words.sentences import UserError

CONFIDENCE = 1e-4
"""ADWIN's δ, the significance of a difference."""
REFERENCE = 300
"""Samples whose median and spread the later ones are measured by; no drift is seen within them."""
SHARP, SHARP_PART = 400, 0.25
"""Samples, and part of all since the detector began, within which -log p must fall to count as a drift. A slower fall
is learning, as is the one with which a mixture begins."""
CLIPPED = 5.0
"""Spreads from the median at which values are clipped: newborn components lie hundreds away."""
LEAST_SPREAD = 0.01
"""Nats. Where samples repeat each other, rounding errors must not count."""
QUARTILES_OF_NORMAL = 1.349
"""Distance between the quartiles of a normal distribution, in standard deviations."""


class DriftDetector:
    """Watches the samples of one run; after each drift it begins anew with another reference.

    >>> rng = np.random.default_rng(0)
    >>> stream = np.concatenate([rng.normal(-5, 1, 2000), rng.normal(-9, 1, 500)])
    >>> [drift.sample for drift in DriftDetector().add(0, stream)]
    [2027]
    """

    def __init__(self) -> None:
        self._adwin_class = _adwin_of_river()
        self._begin(np.empty(0))

    def add(self, first: int, log_likelihoods: Floats) -> list[Drift]:
        """Take the samples from number `first` on; returns the drifts seen at them.

        Samples without a density, where there was no component, are skipped.
        """
        places = np.flatnonzero(np.isfinite(log_likelihoods))
        surprises, found = -log_likelihoods[places], []
        begin = 0
        while begin < len(places):
            missing = REFERENCE - len(self._latest)
            if self._spread is None and missing > 0:
                self._keep(surprises[begin : begin + missing])
                begin += missing
                continue
            place = self._watch(surprises[begin:])
            if place is None:
                break
            drift = self._drift(first + int(places[begin + place]))
            is_learning = drift.after < drift.before and self._adwin.width > min(SHARP, SHARP_PART * self._count)
            self._begin(self._latest if is_learning else np.empty(0))
            found += [] if is_learning else [drift]
            begin += place + 1
        return found

    def _begin(self, latest: Floats) -> None:
        """Begin anew with the `latest` samples, which are as those before; none after a drift."""
        self._latest = latest
        self._spread: float | None = None
        self._adwin = self._adwin_class(delta=CONFIDENCE)
        self._sum, self._count = 0.0, 0
        if len(latest):
            self._refer()
            for value in self._measured(latest):  # so that what comes next is compared with them
                self._adwin.update(value)
                self._sum, self._count = self._sum + value, self._count + 1

    def _refer(self) -> None:
        """Measure from now on by the latest samples."""
        low, self._centre, high = np.quantile(self._latest, [0.25, 0.5, 0.75]).tolist()
        self._spread = max((high - low) / QUARTILES_OF_NORMAL, LEAST_SPREAD)

    def _measured(self, surprises: Floats) -> list[float]:
        assert self._spread is not None
        values: list[float] = np.clip((surprises - self._centre) / self._spread, -CLIPPED, CLIPPED).tolist()
        return values

    def _keep(self, surprises: Floats) -> None:
        """Keep the latest `REFERENCE` values."""
        self._latest = np.append(self._latest, surprises)[-REFERENCE:]

    def _watch(self, surprises: Floats) -> int | None:
        """The place at which the mean changes; None where it does not."""
        if self._spread is None:
            self._refer()
        values = self._measured(surprises)
        adwin, place = self._adwin, None
        for i, value in enumerate(values):
            adwin.update(value)
            if adwin.drift_detected:
                place = i
                break
        seen = len(values) if place is None else place + 1
        self._sum, self._count = self._sum + sum(values[:seen]), self._count + seen
        self._keep(surprises[:seen])
        return place

    def _drift(self, sample: int) -> Drift:
        """The change, at the place from which on the values differ most from those before (ADWIN knows it roughly)."""
        assert self._spread is not None, "a drift is seen after the reference"
        values = np.array(self._measured(self._latest[-self._count :]))
        n_earlier = self._count - len(values)
        usual = (self._sum - values.sum()) / n_earlier if n_earlier else 0.0
        lengths = np.arange(1, len(values) + 1)
        sums = np.cumsum(values[::-1] - usual)
        n_after = int(np.argmax(sums**2 / lengths)) + 1
        after = float(values[-n_after:].mean())
        before = (self._sum - n_after * after) / max(1, self._count - n_after)
        return Drift(
            sample=sample,
            since=sample + 1 - n_after,
            before=self._centre + self._spread * before,
            after=self._centre + self._spread * after,
        )


def _adwin_of_river() -> Any:
    """The class `river.drift.ADWIN`, which has no types."""
    try:
        from river.drift import ADWIN
    except ModuleNotFoundError as error:
        raise UserError(
            "Drift detection needs river, which is an extra. Install it with: pip install 'figmn-workbench[river]', "
            "or switch drift detection off."
        ) from error
    return ADWIN
