"""The datasets that ship with the workbench, as their table in `assets/datasets/README.md` lists them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from workbench.source.errors import SourceError
from workbench.source.read.options import ReadOptions
from workbench.source.read.reading import read_table
from workbench.source.table.table import Table

OPTIONS = {"digits.csv.gz": ReadOptions(kinds={"digit": "nominal"})}
"""What the files themselves do not say."""


@dataclass(frozen=True)
class Sample:
    """A bundled dataset, in the words that a user chooses it by."""

    name: str
    file: str
    n_rows: int
    n_columns: int
    size: str
    description: str
    source: str
    licence: str

    def read(self) -> Table:
        """Its rows.

        >>> sample("Old Faithful").read().names
        ('eruptions (min)', 'waiting (min)')
        """
        return read_table(assets() / "datasets" / self.file, OPTIONS.get(self.file, ReadOptions()))


def sample(name: str) -> Sample:
    """One of the bundled datasets.

    >>> sample("iris").n_rows
    150
    """
    for candidate in samples():
        if candidate.name == name:
            return candidate
    known = ", ".join(candidate.name for candidate in samples())
    raise SourceError("{value!r} is not a bundled dataset. Choose one of: {known}.", value=name, known=known)


@cache
def samples() -> tuple[Sample, ...]:
    """All bundled datasets, in the order of their table."""
    text = (assets() / "datasets" / "README.md").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return tuple(_sample(line) for line in lines[2:])


def assets() -> Path:
    """The folder of bundled files: inside the package where it is installed, beside it in a checkout."""
    package = Path(__file__).parents[1]
    installed = package / "assets"
    return installed if installed.is_dir() else package.parent / "assets"


def _sample(line: str) -> Sample:
    name, file, shape, size, description, source, licence = (cell.strip() for cell in line.strip("|").split("|"))
    n_rows, n_columns = (int(part.replace(",", "")) for part in shape.split("×"))
    return Sample(name, file.strip("`"), n_rows, n_columns, size, description, source, licence)
