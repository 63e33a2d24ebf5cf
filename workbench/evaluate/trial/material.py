"""The rows of an evaluation: those whose target is known, with nothing but the inputs to predict it from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from figmn.system.arrays import Ints
from workbench.evaluate.trial.plan import Plan, SuppliedFile, Task
from workbench.run.recipe.dataset import Dataset, load
from workbench.run.recipe.recipe import Recipe
from workbench.source import Column, Table
from workbench.source.read.options import Progress, silent
from workbench.source.table.table import Role, days
from workbench.words.sentences import UserError


@dataclass(frozen=True, eq=False)
class Material:
    """A table in which only inputs and the target have a role, and the rows of it that can be used."""

    task: Task
    table: Table
    rows: Ints
    """Numbers of the usable rows in the source."""
    remarks: tuple[str, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        """The classes; none of a number or a density."""
        return self.table[self.task.target].labels if self.task.kind == "classes" and self.task.target else ()


def truth_of(table: Table, task: Task) -> NDArray[Any]:
    """Positions of the classes, numbers (dates as days since 1970), or an empty array for every row of a density."""
    if task.target is None:
        return np.empty((table.n_rows, 0))
    column = table[task.target]
    return days(column.values) if column.kind == "date" else column.values


def material_of(plan: Plan, dataset: Dataset) -> Material:
    """The usable rows of a dataset."""
    if not dataset.is_whole:
        raise UserError(
            "{title} is streamed, so its rows cannot be divided into training and test rows. Load them into a table, "
            "or let the generator make a number of rows.",
            title=dataset.title,
        )
    task = plan.task
    table = dataset.table.with_roles(_roles(dataset.table, task))
    remarks = []
    others = [column.name for column in dataset.table.targets if column.name != task.target]
    if task.target is not None and others:
        remarks.append(f"Not known to the models: {', '.join(others)}")
    usable, why = _usable(table, plan.recipe, task)
    remarks += why
    if not usable.any():
        raise UserError(
            "No row of {title} has both a value of {target} and one of an input. Choose another target, or other "
            "inputs.",
            title=dataset.title,
            target=task.words,
        )
    return Material(task, table, np.flatnonzero(usable), tuple(remarks))


def supplied_material(plan: Plan, option: SuppliedFile, like: Table, progress: Progress = silent) -> Material:
    """The usable rows of the file that is tested, with the kinds and roles of the table that is learned."""
    found = load(option.origin, progress)
    missing = [column.name for column in like if column.role != "ignored" and column.name not in found.table.names]
    if missing:
        raise UserError(
            "{file} has no column {column!r}, which the training rows have. Choose a file with the same columns.",
            file=option.origin.title,
            column=missing[0],
        )
    there = [column for column in like if column.name in found.table.names]
    table = found.table.with_kinds({column.name: column.kind for column in there if column.kind != "string"})
    roles: dict[str, Role] = dict.fromkeys(table.names, "ignored")
    table = table.with_roles(roles | {column.name: column.role for column in there})
    table = table.with_columns(_with_labels_of(like, column, option.origin.title) for column in table)
    usable, why = _usable(table, plan.recipe, plan.task)
    if not usable.any():
        raise UserError(
            "No row of {file} has both a value of {target} and one of an input. Choose another file.",
            file=option.origin.title,
            target=plan.task.words,
        )
    remarks = [f"{option.origin.title}: {sentence}" for sentence in why]
    return Material(plan.task, table, np.flatnonzero(usable), tuple(remarks))


def _with_labels_of(like: Table, column: Column, file: str) -> Column:
    """A target with the labels, and so the positions, of the training rows."""
    if column.role != "target" or column.kind != "nominal":
        return column
    known = like[column.name].labels
    places = {label: place for place, label in enumerate(known)}
    for label in column.labels:
        if label not in places and (column.values == column.labels.index(label)).any():
            raise UserError(
                "{file}: {value!r} in column {column!r} is a class that no training row has. Known are: {known}.",
                file=file,
                value=label,
                column=column.name,
                known=", ".join(known[:10]),
            )
    translation = np.array([*(places.get(label, -1) for label in column.labels), -1], np.int32)
    return Column(column.name, "nominal", translation[column.values], known, column.role)


def _roles(table: Table, task: Task) -> dict[str, Role]:
    """Of a density all columns in use are inputs; else the target is the only one."""
    roles: dict[str, Role] = {}
    for column in table.targets:
        if task.target is None:
            roles[column.name] = "input"
        elif column.name != task.target:
            roles[column.name] = "ignored"
    return roles


def _usable(table: Table, recipe: Recipe, task: Task) -> tuple[NDArray[np.bool_], list[str]]:
    """Which rows can be learned and tested, and sentences about the others."""
    usable = ~table.is_weightless
    sentences = _counted(table.is_weightless, "the weight 0")
    if task.target is not None:
        unknown = table[task.target].missing & usable
        sentences += _counted(unknown, f"no value of {task.target}")
        usable &= ~unknown
    encoder = recipe.encoding.fit(table)
    left = np.zeros(table.n_rows, np.bool_)
    left[encoder.left_out(table)] = True
    left &= usable
    is_dropped = recipe.encoding.missing == "drop"
    sentences += _counted(left, "a missing value" if is_dropped else "no value in any input column")
    return usable & ~left, sentences


def _counted(rows: NDArray[np.bool_], what: str) -> list[str]:
    n_rows = int(rows.sum())
    if not n_rows:
        return []
    return [f"Not used: 1 row with {what}" if n_rows == 1 else f"Not used: {n_rows:,} rows with {what}"]


def gaps(table: Table) -> NDArray[np.bool_]:
    """Rows with a missing value in a column in use."""
    found = np.zeros(table.n_rows, np.bool_)
    for column in table:
        if column.role != "ignored":
            found |= column.missing
    return found
