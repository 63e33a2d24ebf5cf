"""A run that goes on from a model: which columns it needs, and where a table does not fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from figmn import Snapshot
from figmn.params import CHANGEABLE, DECLARED, LABEL_WIDTH
from figmn.system.arrays import Floats
from workbench.run.recipe.choices import SCALE_NAMES
from workbench.run.recipe.dataset import Dataset
from workbench.run.recipe.model_file import OpenedModel
from workbench.run.recipe.recipe import Recipe
from workbench.source import Encoder, Table
from workbench.source.encode.encoding import ColumnBlock
from workbench.source.table.profile import columns_in_use
from workbench.source.table.table import Column
from workbench.words.sentences import UserError, shortened

NAMED = 4
"""Differences that an error lists."""
NAME = 40
"""Characters of a column's name in it."""


def require_fit(model: OpenedModel, recipe: Recipe, dataset: Dataset) -> None:
    """Raise UserError where a run of this dataset cannot go on from the model.

    Rows are looked at only where a column declares labels that the model does not know.
    """
    _require_parameters(model, recipe)
    if model.is_described:
        _refuse(list(_differences(model, dataset.table)), dataset.title, model)
    elif dataset.is_whole:
        _require_names(model, dataset.title, _encoded_names(dataset))


def encoder_for(model: OpenedModel, dataset: Dataset, own: Encoder) -> Encoder:
    """The encoder of a run that goes on from a model: the model's own labels and units, where its file has them.

    `own` is the encoder of the dataset, which must have the same columns where the file does not describe them. What
    is done with missing values is the dataset's choice.
    """
    if model.is_described:
        encoding = replace(model.encoder.encoding, missing=dataset.encoding.missing)
        return replace(model.encoder, encoding=encoding, name=own.name)
    _require_names(model, dataset.title, own.names)
    return own


def columns_to_score(model: OpenedModel, dataset: Dataset) -> tuple[Encoder, Table]:
    """The encoder by which a model scores a table, and the table with all columns of the model.

    Those that it does not have are missing in every row; so may be a target that is to be predicted.
    """
    if not model.is_described:
        own = dataset.encoding.fit(dataset.table)
        _require_names(model, dataset.title, own.names)
        return own, dataset.table
    table, blocks = dataset.table, model.encoder.blocks
    absent = [block for block in blocks if block.name not in table.names]
    if len(absent) == len(blocks):
        raise UserError(
            "{table} has no column of {model}, which knows {columns}. Open a table with some of these columns.",
            table=table.name,
            model=model.file.title,
            columns=_listed([_quoted(block.name) for block in blocks]),
        )
    columns = (*table.columns, *(_missing(block, table.n_rows) for block in absent))
    return model.encoder, replace(table, columns=columns)


def drawn_rows(snapshot: Snapshot, n_rows: int) -> Floats:
    """Rows drawn from a mixture, always the same, to choose planes and ranges by where there are no data.

    The means of the components where nothing can be drawn, because one is not positive definite.
    """
    if not snapshot.n_components or snapshot.negatives.any():
        return snapshot.means
    return snapshot.sample(n_rows, seed=0)


def _require_parameters(model: OpenedModel, recipe: Recipe) -> None:
    made, wanted = model.choices, recipe.choices
    before, now = made.parameters, wanted.parameters.for_columns(model.snapshot.n_features)
    fixed = [name for name in DECLARED if name not in CHANGEABLE]
    changed = [(before.phrase(one), now.phrase(one)) for one in fixed if getattr(before, one) != getattr(now, one)]
    if wanted.label_width != made.label_width:
        changed += [("the label width of its columns", f"another {LABEL_WIDTH.label}")]
    if made.scale != wanted.scale:
        changed += [(f"δ relative to {SCALE_NAMES[made.scale]}", f"δ relative to {SCALE_NAMES[wanted.scale]}")]
    if changed:
        raise UserError(
            "{model} was learned with {made}, and a run that goes on from it cannot have {wanted}. Set it back, or "
            "start empty.",
            model=model.file.title,
            made=", ".join(old for old, _ in changed),
            wanted=", ".join(new for _, new in changed),
        )


def _differences(model: OpenedModel, table: Table) -> Iterator[str]:
    """What keeps a table from being learned by a model, column by column."""
    known = {block.name: block for block in model.encoder.blocks}
    for block in known.values():
        if block.name not in table.names:
            yield f"{_quoted(block.name)} is not in the table"
            continue
        column = table[block.name]
        if column.role == "ignored":
            yield f"{_quoted(block.name)} is ignored in the table"
        elif column.kind != block.kind:
            yield f"{_quoted(block.name)} is {column.kind} in the table and {block.kind} in the model"
        elif column.kind == "nominal" and (unknown := _unknown_label(column, block)) is not None:
            yield f"{_quoted(block.name)} has the label {_quoted(unknown)}, which the model does not know"
    for column in table:
        if column.role != "ignored" and column.name not in known:
            yield f"{_quoted(column.name)} is not in the model"


def _unknown_label(column: Column, block: ColumnBlock) -> str | None:
    """The first label of a row that a model does not know; labels that are declared alone do not count."""
    known = set(block.labels)
    strange = [code for code, label in enumerate(column.labels) if label not in known]
    if not strange:
        return None
    found = np.intersect1d(strange, column.values)
    return column.labels[int(found[0])] if len(found) else None


def _refuse(differences: Sequence[str], title: str, model: OpenedModel) -> None:
    if differences:
        raise UserError(
            "{title} does not have the columns of {model}: {differences}. Set roles and kinds on the Data page so "
            "that the same columns are in use, or start empty.",
            title=title,
            model=model.file.title,
            differences=_listed(differences),
        )


def _require_names(model: OpenedModel, title: str, names: tuple[str, ...]) -> None:
    """Without a description, encoded columns must agree by name where the model has names, else by number."""
    wanted, expected = len(model.encoder.names), model.snapshot.columns
    if len(names) != wanted:
        raise UserError(
            "{title} has {n_columns:,} columns after encoding, {model} has {wanted:,}. Set roles and encoding on the "
            "Data page so that the same columns are in use, or start empty.",
            title=title,
            n_columns=len(names),
            model=model.file.title,
            wanted=wanted,
        )
    if expected is not None:
        pairs = zip(names, expected, strict=True)
        differences = [f"{_quoted(own)} in place of {_quoted(other)}" for own, other in pairs if own != other]
        _refuse(differences, title, model)


def _encoded_names(dataset: Dataset) -> tuple[str, ...]:
    """As `Encoder.names`, by kinds, roles and labels alone."""
    used = sorted(columns_in_use(dataset.table, dataset.title), key=lambda column: column.role == "target")
    return tuple(name for column in used for name in _block(column, dataset).names)


def _block(column: Column, dataset: Dataset) -> ColumnBlock:
    one_hot = column.kind == "nominal" and (dataset.encoding.nominal == "one-hot" or column.role == "target")
    return ColumnBlock(column.name, column.kind, column.role, 0, 0, (), column.labels, one_hot=one_hot)


def _missing(block: ColumnBlock, n_rows: int) -> Column:
    if block.kind == "nominal":
        return Column(block.name, "nominal", np.full(n_rows, -1, np.int32), block.labels, block.role)
    if block.kind == "date":
        return Column(block.name, "date", np.full(n_rows, "NaT", "datetime64[us]"), role=block.role)
    return Column(block.name, "numeric", np.full(n_rows, np.nan), role=block.role)


def _quoted(name: str) -> str:
    return repr(shortened(name, NAME))


def _listed(texts: Sequence[str]) -> str:
    more = len(texts) - NAMED
    return "; ".join(texts[:NAMED]) + (f"; and {more:,} more" if more > 0 else "")
