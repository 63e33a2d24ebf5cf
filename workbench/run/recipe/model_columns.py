"""What a model file keeps about its columns: names, kinds, roles, labels and units, as checked JSON.

Without it a mixture knows encoded numbers alone: `class=setosa` is a column of zeros and ones like any other.
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass
from typing import Annotated, Any, Literal

from workbench.source import Encoder, Encoding
from workbench.source.encode.encoding import ColumnBlock
from workbench.source.table.table import Kind
from workbench.words.decode import DecodeError, Place, Range, decode, members, shown

FORMAT, VERSION = "figmn columns", 1
LARGEST = 1e150
"""Magnitude of units: their squares and products are numbers still."""

Finite = Annotated[float, Range(-LARGEST, LARGEST)]
Width = Annotated[float, Range(5e-324, LARGEST)]


@dataclass(frozen=True)
class BlockLayout:
    """A column of the user's table, as in `ColumnBlock`."""

    name: str
    kind: Kind
    role: Literal["input", "target"]
    std: tuple[Annotated[float, Range(0, LARGEST)], ...]
    labels: tuple[str, ...] = ()
    center: Finite = 0.0
    scale: Width = 1.0
    fill: Finite | None = None
    one_hot: bool = False

    def block(self, start: int) -> ColumnBlock:
        """The block whose first encoded column is `start`."""
        width = max(1, len(self.labels)) if self.one_hot else 1
        fill = math.nan if self.fill is None else self.fill
        return ColumnBlock(
            self.name, self.kind, self.role, start, start + width, self.std, self.labels, self.center, self.scale,
            fill, self.one_hot,
        )  # fmt: skip


@dataclass(frozen=True)
class ColumnsLayout:
    """All members but format and version."""

    data: str
    """Title of the data that were learned."""
    encoding: Encoding
    columns: tuple[BlockLayout, ...]


def columns_about(encoder: Encoder) -> dict[str, Any] | None:
    """What is kept about the columns of a model, for JSON; None where names could not be read again, such as NUL."""
    layout = ColumnsLayout(encoder.name, encoder.encoding, tuple(_described(block) for block in encoder.blocks))
    about = {"format": FORMAT, "version": VERSION, **asdict(layout)}
    try:
        encoder_about(json.loads(json.dumps(about)), "model", encoder.names, encoder.n_columns)
    except DecodeError:
        return None
    return about


def encoder_about(about: Any, file: str, names: tuple[str, ...] | None, n_columns: int) -> Encoder | None:
    """The encoder that `columns_about` described; None where nothing is said about columns.

    Parameters
    ----------
    about : what the file keeps
    file : its name, for errors
    names, n_columns : encoded columns of the mixture, which the description must fit

    Raises DecodeError where the description is damaged or does not fit the mixture.
    """
    place = Place(file).member("about")
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        return None  # another program's
    version: Any = about.get("version")
    if isinstance(version, bool) or version != VERSION:
        raise DecodeError(
            "{place}: {value} is not known. This program reads version {version}.",
            place=place.member("version"),
            value=shown(version),
            version=VERSION,
        )
    content = {name: value for name, value in members(about, place).items() if name not in {"format", "version"}}
    layout: ColumnsLayout = decode(ColumnsLayout, content, place)
    blocks: list[ColumnBlock] = []
    for described in layout.columns:
        block = described.block(blocks[-1].stop if blocks else 0)
        _check(block, place.member("columns").item(len(blocks)), {known.name for known in blocks})
        blocks.append(block)
    encoder = Encoder(layout.encoding, layout.data, tuple(blocks))
    n_described = blocks[-1].stop if blocks else 0
    if n_described != n_columns or (names is not None and encoder.names != names):
        raise DecodeError(
            "{place} describes {n_described:,} other columns than the {n_columns:,} of the mixture. "
            "Restore the file from a copy.",
            place=place,
            n_described=n_described,
            n_columns=n_columns,
        )
    return encoder


def numbered_encoder(file: str, names: tuple[str, ...] | None, n_columns: int) -> Encoder:
    """Columns of a file that says nothing about them: numbers, named by the mixture, or x1, x2 and so on."""
    found = names or tuple(f"x{number + 1}" for number in range(n_columns))
    blocks = (ColumnBlock(name, "numeric", "input", place, place + 1, (1.0,)) for place, name in enumerate(found))
    return Encoder(Encoding(), file, tuple(blocks))


def _described(block: ColumnBlock) -> BlockLayout:
    assert block.role != "ignored", "ignored columns are not encoded"
    return BlockLayout(
        name=block.name,
        kind=block.kind,
        role=block.role,
        std=block.std,
        labels=block.labels,
        center=block.center,
        scale=block.scale,
        fill=None if math.isnan(block.fill) else block.fill,
        one_hot=block.one_hot,
    )


def _check(block: ColumnBlock, place: Place, known: set[str]) -> None:
    is_twice = block.name in known or len(set(block.labels)) < len(block.labels)
    has_labels = block.kind == "nominal" or not (block.labels or block.one_hot)
    is_filled = block.kind != "nominal" or math.isnan(block.fill) or block.fill in range(max(1, len(block.labels)))
    is_wide = len(block.std) == block.stop - block.start
    if is_twice or not has_labels or block.kind == "string" or not is_wide or not is_filled:
        raise DecodeError(
            "{place}: {value} is not described completely, or twice. Restore the file from a copy.",
            place=place,
            value=shown(block.name),
        )
