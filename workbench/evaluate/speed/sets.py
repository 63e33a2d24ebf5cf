"""The eleven datasets of the paper's tables of times, as the workbench has them."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.source import Generator, Table, sample
from workbench.source.generators.images import CifarStandIn
from workbench.source.generators.shapes import TwoSpirals


@dataclass(frozen=True)
class PaperSet:
    """A dataset under the paper's name, and the source of its rows."""

    name: str
    """As the paper prints it."""
    source: str | Generator
    """Name of a bundled sample, or a generator."""
    n_rows: int
    n_columns: int
    """D: columns after encoding, including the class columns."""
    n_classes: int
    n_gaps: int = 0
    """Rows with missing values, which take longer."""

    @property
    def title(self) -> str:
        """The name, with a remark where the rows are a synthetic stand-in."""
        return f"{self.name} (stand-in)" if isinstance(self.source, CifarStandIn) else self.name

    def read(self) -> Table:
        """Its rows.

        >>> SETS[5].read().n_rows
        150
        """
        return self.source.table(self.n_rows) if isinstance(self.source, Generator) else sample(self.source).read()


SETS = (
    PaperSet("breast-cancer", "breast cancer", 286, 53, 2, n_gaps=9),
    PaperSet("german-credit", "German credit", 1000, 65, 2),
    PaperSet("pima-diabetes", "Pima diabetes", 768, 10, 2),
    PaperSet("Glass", "glass", 214, 16, 7),
    PaperSet("ionosphere", "ionosphere", 351, 36, 2),
    PaperSet("iris", "iris", 150, 7, 3),
    PaperSet("labor-neg-data", "labor", 57, 31, 2, n_gaps=56),
    PaperSet("soybean", "soybean", 683, 119, 19, n_gaps=121),
    PaperSet("twospirals", TwoSpirals(), 194, 4, 2),
    PaperSet("MNIST", "MNIST (1,000)", 1000, 794, 10),
    PaperSet("CIFAR-10", CifarStandIn(), 1000, 3082, 10),
)
"""In the order of the printed tables. The paper counts 193 points of the two spirals; the set has 194."""
LARGEST = SETS[-1]
"""Dominates the time of the cubic engine."""
