"""Rows ready to be learned: the stream of a dataset in its order, encoded, with what is held out of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.run.dataset import Dataset, FileOrigin, GeneratorOrigin
from workbench.run.frame import Floats, Ints
from workbench.run.recipe import Recipe
from workbench.source import Cancelled, Encoder, RowStream, Table, stream_rows
from workbench.source.options import Progress, silent


class Chunk(NamedTuple):
    """Rows in the order of the stream."""

    rows: Ints
    """Their numbers in the source."""
    values: Floats
    codes: NDArray[np.int32]
    """Positions of their classes in the labels; -1 for none."""

    def part(self, begin: int, end: int) -> Chunk:
        """Some of the rows."""
        return Chunk(self.rows[begin:end], self.values[begin:end], self.codes[begin:end])


@dataclass(frozen=True, eq=False)
class Prepared:
    """A dataset on its way into an engine."""

    stream: RowStream
    label_column: str | None
    n_rows: int | None
    """Rows of the stream; None where it has no end."""
    test: Floats | None
    """Encoded rows that are held out."""
    scale: Floats | None
    """Standard deviations for δ; None where the engine estimates them as it goes."""
    sources: Ints | None
    """The row of the source that each row of the stream's table is; None where they are the same."""
    scouts: Floats
    """Some rows from everywhere in the table, to choose planes by."""
    scout_codes: NDArray[np.int32]
    """Their classes; -1 for none."""

    @property
    def encoder(self) -> Encoder:
        """The encoded columns."""
        return self.stream.encoder

    @property
    def labels(self) -> tuple[str, ...]:
        """The classes that rows are coloured by."""
        return self.stream.labels(self.label_column)

    def chunks(self) -> Iterator[Chunk]:
        """All rows, in pieces as they come."""
        for index, values, codes in self.stream.labelled(self.label_column):
            rows = index if self.sources is None else self.sources[index]
            yield Chunk(rows.astype(np.int64, copy=False), values, codes)


SCOUTS = 2000


def prepare(dataset: Dataset, recipe: Recipe, progress: Progress = silent) -> Prepared:
    """Make the stream of a dataset as the recipe wants it."""
    seed = recipe.choices.seed
    order = replace(dataset.order, seed=seed)
    test = sources = None
    if dataset.is_whole:
        train, held_out = dataset.parts(seed)
        stream = stream_rows(train, dataset.encoding, order=order)
        n_rows: int | None = _n_learned(train, stream.encoder)
        if held_out is not None:
            test = stream.encoder.encode(held_out).values
            sources = dataset.training_rows(seed)
    elif isinstance(dataset.origin, GeneratorOrigin):
        stream, n_rows = stream_rows(dataset.origin.generator, dataset.encoding, roles=dataset.roles), None
    else:
        assert isinstance(dataset.origin, FileOrigin)
        options = replace(dataset.origin.options, kinds={**dataset.origin.options.kinds, **dataset.kinds})
        stream = stream_rows(
            dataset.origin.path, dataset.encoding, roles=dataset.roles, options=options, progress=progress
        )
        n_rows = stream.profile.n_rows if dataset.encoding.missing != "drop" else None
    if not progress(1, 1):
        raise Cancelled
    if recipe.n_samples is not None:
        n_rows = recipe.n_samples if n_rows is None else min(n_rows, recipe.n_samples)
    scouts, scout_codes = _scouts(dataset, stream.encoder)
    return Prepared(
        stream=stream,
        label_column=dataset.label_column,
        n_rows=n_rows,
        test=test,
        scale=stream.encoder.scale if recipe.choices.scale == "dataset" else None,
        sources=sources,
        scouts=scouts,
        scout_codes=scout_codes,
    )


def _n_learned(table: Table, encoder: Encoder) -> int:
    """Rows that the encoding leaves."""
    if encoder.encoding.missing != "drop":
        return table.n_rows
    gone = np.zeros(table.n_rows, np.bool_)
    for block in encoder.blocks:
        gone |= table[block.name].missing
    return int(np.count_nonzero(~gone))


def _scouts(dataset: Dataset, encoder: Encoder) -> tuple[Floats, NDArray[np.int32]]:
    table = dataset.table
    some = table.take(np.unique(np.linspace(0, table.n_rows - 1, min(table.n_rows, SCOUTS)).astype(np.intp)))
    rows = encoder.encode(some)
    label = dataset.label_column
    codes = np.full(some.n_rows, -1, np.int32) if label is None else some[label].values
    return rows.values, codes[rows.index]
