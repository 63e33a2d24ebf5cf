"""The figures of the paper's two tables of times, as they are printed.

R. Pinto, P. Engel. A Fast Incremental Gaussian Mixture Model. PLOS ONE 10(10), 2015: Java, within Weka, on a machine
of the authors. Seconds, rounded to three places.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import fmean
from types import MappingProxyType
from typing import Literal

from workbench.evaluate.significance import Mark
from workbench.words.factors import speed_up

Phase = Literal["training", "testing", "testing_kept"]
"""Testing goes row by row: with nothing kept from row to row, as in the paper, or with the pattern kept."""
PHASES: tuple[Phase, ...] = ("training", "testing", "testing_kept")


@dataclass(frozen=True)
class PrintedTimes:
    """One row of a printed table: means and standard deviations in seconds, and its mark."""

    igmn: float
    igmn_std: float
    fast: float
    fast_std: float
    mark: Mark = ""

    @property
    def speed_up(self) -> float:
        """IGMN's time divided by Fast IGMN's; NaN where one of them was rounded to 0.000.

        >>> PRINTED["training"]["CIFAR-10"].speed_up.__round__(1), PRINTED["testing"]["twospirals"].speed_up
        (118.5, nan)
        """
        return speed_up(self.fast, self.igmn)


@dataclass(frozen=True)
class PrintedAverage:
    """Last row of a printed table."""

    igmn: float
    fast: float

    @property
    def speed_up(self) -> float:
        """Of the averages."""
        return speed_up(self.fast, self.igmn)


PRINTED: Mapping[Phase, Mapping[str, PrintedTimes]] = MappingProxyType(
    {
        "training": MappingProxyType(
            {
                "breast-cancer": PrintedTimes(0.010, 0.004, 0.006, 0.000),
                "german-credit": PrintedTimes(0.031, 0.012, 0.016, 0.000),
                "pima-diabetes": PrintedTimes(0.013, 0.000, 0.010, 0.001),
                "Glass": PrintedTimes(0.008, 0.000, 0.005, 0.000, "●"),
                "ionosphere": PrintedTimes(0.022, 0.002, 0.014, 0.002, "●"),
                "iris": PrintedTimes(0.005, 0.000, 0.007, 0.001),
                "labor-neg-data": PrintedTimes(0.006, 0.001, 0.007, 0.001),
                "soybean": PrintedTimes(0.042, 0.004, 0.030, 0.003),
                "twospirals": PrintedTimes(0.005, 0.001, 0.006, 0.001, "○"),
                "MNIST": PrintedTimes(281.257, 3.157, 10.675, 0.272, "●"),
                "CIFAR-10": PrintedTimes(20768.494, 1244.221, 175.243, 1.190, "●"),
            }
        ),
        "testing": MappingProxyType(
            {
                "breast-cancer": PrintedTimes(0.001, 0.000, 0.001, 0.001),
                "german-credit": PrintedTimes(0.013, 0.004, 0.002, 0.000),
                "pima-diabetes": PrintedTimes(0.004, 0.000, 0.001, 0.000, "●"),
                "Glass": PrintedTimes(0.001, 0.000, 0.001, 0.000),
                "ionosphere": PrintedTimes(0.010, 0.001, 0.008, 0.008),
                "iris": PrintedTimes(0.000, 0.000, 0.001, 0.000, "○"),
                "labor-neg-data": PrintedTimes(0.000, 0.000, 0.001, 0.001),
                "soybean": PrintedTimes(0.026, 0.007, 0.004, 0.000),
                "twospirals": PrintedTimes(0.000, 0.000, 0.000, 0.000),
                "MNIST": PrintedTimes(225.262, 5.638, 0.607, 0.149, "●"),
                "CIFAR-10": PrintedTimes(17821.407, 1699.599, 7.793, 0.098),
            }
        ),
    }
)
"""By phase and by the paper's name of the set, in the paper's order; the paper keeps no patterns."""

PRINTED_AVERAGES: Mapping[Phase, PrintedAverage] = MappingProxyType(
    {"training": PrintedAverage(1754.417, 15.526), "testing": PrintedAverage(1504.097, 0.702)}
)


def mean_of_lines(phase: Phase) -> PrintedAverage:
    """Mean over the eleven printed rows; the average that the paper prints is lower.

    >>> round(mean_of_lines("training").igmn, 1), PRINTED_AVERAGES["training"].igmn
    (1913.6, 1754.417)
    """
    lines = PRINTED[phase].values()
    return PrintedAverage(fmean(line.igmn for line in lines), fmean(line.fast for line in lines))
