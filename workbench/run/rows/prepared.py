"""Rows ready to be learned: the stream of a dataset in its order, encoded, with what is held out of it."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from figmn.scale import std_of_blocks
from figmn.system.arrays import Floats, Ints
from workbench.run.recipe.dataset import Dataset, FileOrigin, GeneratorOrigin
from workbench.run.recipe.model_file import OpenedModel
from workbench.run.recipe.recipe import Recipe
from workbench.run.rows.going_on import drawn_rows, encoder_for, require_fit
from workbench.run.rows.left_out import LeftOut
from workbench.run.rows.original_units import OriginalUnits
from workbench.source import Cancelled, Encoder, RowStream, stream_rows
from workbench.source.read.options import Progress, silent
from workbench.source.table.profile import profile_of


class Chunk(NamedTuple):
    """Rows in the order of the stream."""

    rows: Ints
    """Their numbers in the source."""
    values: Floats
    codes: NDArray[np.int32]
    """Positions of their classes in the labels; -1 for none."""
    colours: NDArray[np.int32]
    """(rows, C): the same by every nominal column."""
    left_out: Ints
    """Rows of the source between them that are not learned for missing values."""
    weights: Floats | None = None
    """Their weights, above 0; None where all count the same."""
    weightless: Ints = np.empty(0, np.int64)
    """Rows of the source between them that are not learned because their weight is 0."""

    def part(self, begin: int, end: int) -> Chunk:
        """Some of the rows, without those that are left out."""
        some = slice(begin, end)
        weights = None if self.weights is None else self.weights[some]
        return Chunk(
            self.rows[some], self.values[some], self.codes[some], self.colours[some], self.left_out[:0], weights
        )


@dataclass(frozen=True, eq=False)
class Prepared:
    """A dataset prepared for learning: its stream, scale, and held-out rows."""

    stream: RowStream
    label_column: str | None
    n_rows: int | None
    """Rows of the stream, None where it has no end. Those that are left out count as long as `left_out` is None."""
    left_out: LeftOut | None
    """Rows of the source that are not learned for missing values, those held out included; None where only the stream
    itself can tell."""
    weightless: LeftOut
    """The same for the weight 0; nothing where only the stream itself can tell."""
    test: Floats | None
    """Encoded rows that are held out."""
    test_rows: Ints | None
    """Their numbers in the source."""
    test_weights: Floats | None
    """Their weights; None where all count the same."""
    scale: Floats | None
    """Standard deviations for δ; None where the engine estimates them as it goes."""
    sources: Ints | None
    """The row of the source that each row of the stream's table is; None where they are the same."""
    scouts: Floats
    """Some rows from everywhere in the table, to choose planes by."""
    scout_codes: NDArray[np.int32]
    """Their classes; -1 for none."""
    colour: str | None
    """The column that rows are coloured by at first; None for none."""
    has_rows: bool = True
    """Whether there are data; otherwise only a model is looked at, and the scouts are drawn from it."""

    @property
    def encoder(self) -> Encoder:
        """The encoded columns."""
        return self.stream.encoder

    @cached_property
    def has_targets(self) -> bool:
        """Whether some columns are targets and others inputs, so that figures of the inputs alone are others."""
        return bool(len(self.encoder.targets) and len(self.encoder.inputs))

    @cached_property
    def units(self) -> OriginalUnits:
        """Conversion from encoded to original units."""
        return OriginalUnits(*self.encoder.units)

    @cached_property
    def standard_units(self) -> tuple[Floats, Floats]:
        """Mean and standard deviation of every encoded column, of the scouts."""
        known = np.isfinite(self.scouts)
        count = np.maximum(known.sum(axis=0), 1)
        mean = np.where(known, self.scouts, 0.0).sum(axis=0) / count
        std = np.sqrt((np.where(known, self.scouts - mean, 0.0) ** 2).sum(axis=0) / count)
        return mean, std

    @property
    def labels(self) -> tuple[str, ...]:
        """The classes of the rows."""
        return self.stream.labels(self.label_column)

    @cached_property
    def colours(self) -> tuple[str, ...]:
        """Columns that rows can be coloured by."""
        return self.stream.nominal

    def chunks(self) -> Generator[Chunk]:
        """All rows, in pieces as they come."""
        label = self.colours.index(self.label_column) if self.label_column in self.colours else None
        for piece in self.stream.labelled(self.colours):
            codes = np.full(len(piece.rows), -1, np.int32) if label is None else piece.codes[:, label]
            rows, left_out = self._sources(piece.rows), self._sources(piece.left_out)
            weightless = self._sources(piece.weightless)
            yield Chunk(rows, piece.values, codes, piece.codes, left_out, piece.weights, weightless)

    def _sources(self, rows: NDArray[np.intp]) -> Ints:
        found = rows if self.sources is None else self.sources[rows]
        return found.astype(np.int64, copy=False)


SCOUTS = 2000


def prepare(
    dataset: Dataset, recipe: Recipe, progress: Progress = silent, model: OpenedModel | None = None
) -> Prepared:
    """Make the stream of a dataset as the recipe wants it, with the columns of the model that the run goes on from."""
    if model is not None:
        if not dataset.has_rows:
            return _looked_at(model)
        require_fit(model, recipe, dataset)

    def fitted(stream: RowStream) -> RowStream:
        return stream if model is None else replace(stream, encoder=encoder_for(model, dataset, stream.encoder))

    seed = recipe.choices.seed
    order = replace(dataset.order, seed=seed)
    n_rows = left_out = test = test_rows = test_weights = sources = None
    weightless = LeftOut()
    if dataset.is_whole:
        train, held_out = dataset.parts(seed)
        stream = fitted(stream_rows(train, dataset.encoding, order=order))
        n_rows = train.n_rows - len(stream.encoder.left_out(train)) - int(train.is_weightless.sum())
        left_out = LeftOut().and_rows(stream.encoder.left_out(dataset.table))
        weightless = LeftOut().and_rows(np.flatnonzero(dataset.table.is_weightless))
        if held_out is not None:
            sources, places = dataset.split_rows(seed)
            known = stream.encoder.learnable(held_out, places)
            test, test_rows = known.values, places[known.index]
            test_weights = None if held_out.weights is None else held_out.weights[known.index]
    elif isinstance(dataset.origin, GeneratorOrigin):
        stream = fitted(stream_rows(dataset.origin.generator, dataset.encoding, roles=dataset.roles))
    else:
        assert isinstance(dataset.origin, FileOrigin)
        options = replace(dataset.origin.options, kinds={**dataset.origin.options.kinds, **dataset.kinds})
        file = dataset.origin.path
        stream = fitted(stream_rows(file, dataset.encoding, roles=dataset.roles, options=options, progress=progress))
        n_rows = stream.profile.n_rows
    if not progress(1, 1):
        raise Cancelled
    scouts, scout_codes = _scouts(dataset, stream.encoder)
    needs_scale = model is None and recipe.choices.scale == "dataset"
    return Prepared(
        stream=stream,
        label_column=dataset.label_column,
        n_rows=n_rows,
        left_out=left_out,
        weightless=weightless,
        test=test,
        test_rows=test_rows,
        test_weights=test_weights,
        scale=_scale(stream, recipe.choices.label_width, dataset.is_whole, progress) if needs_scale else None,
        sources=sources,
        scouts=scouts,
        scout_codes=scout_codes,
        colour=dataset.colour_column,
    )


def _looked_at(model: OpenedModel) -> Prepared:
    """No rows: the columns of a model, and rows drawn from it to choose planes and ranges by."""
    scouts = drawn_rows(model.snapshot, SCOUTS)
    return Prepared(
        stream=RowStream(model.encoder, profile_of([model.table]), lambda: iter(())),
        label_column=None,
        n_rows=0,
        left_out=LeftOut(),
        weightless=LeftOut(),
        test=None,
        test_rows=None,
        test_weights=None,
        scale=None,
        sources=None,
        scouts=scouts,
        scout_codes=np.full(len(scouts), -1, np.int32),
        colour=None,
        has_rows=False,
    )


def _scale(stream: RowStream, label_width: float, is_in_memory: bool, progress: Progress) -> Floats:
    """Standard deviations of the encoded columns, those of labels that are targets times the label width."""
    widths = np.ones(stream.encoder.n_columns)
    for block in stream.encoder.blocks:
        if block.role == "target" and block.one_hot:
            widths[block.start : block.stop] = label_width
    return widths * _deviations(stream, is_in_memory, progress)


def _deviations(stream: RowStream, is_in_memory: bool, progress: Progress) -> Floats:
    """Standard deviations of the encoded columns.

    Of rows in memory they are those of the rows that are learned, as the library's estimators find them, bit for bit.
    Other rows would have to be read once more: theirs are derived from the figures of the first pass.
    """
    derived = stream.encoder.scale
    if not is_in_memory:
        return derived
    with np.errstate(over="ignore", invalid="ignore"):
        found = std_of_blocks(_cancellable(stream, progress), len(derived))
    # Squares of numbers that no engine takes overflow: its refusal names the deviation.
    return np.where(np.isfinite(found), found, derived)


def _cancellable(stream: RowStream, progress: Progress) -> Iterator[Floats]:
    n_done = 0
    for block in stream:
        n_done += len(block)
        if not progress(n_done, stream.profile.n_rows):
            raise Cancelled
        yield block


def _scouts(dataset: Dataset, encoder: Encoder) -> tuple[Floats, NDArray[np.int32]]:
    table = dataset.table
    some = table.take(np.unique(np.linspace(0, table.n_rows - 1, min(table.n_rows, SCOUTS)).astype(np.intp)))
    rows = encoder.encode(some)
    label = dataset.label_column
    codes = np.full(some.n_rows, -1, np.int32) if label is None else some[label].values
    return rows.values, codes[rows.index]
