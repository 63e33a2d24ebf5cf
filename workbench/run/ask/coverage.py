"""How often the intervals of wanted numbers hold what the rows of the table have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from figmn.answers.density import Answers
from figmn.answers.inference import normalised
from figmn.answers.quantiles import cumulative
from figmn.system.arrays import Bools, Floats, Ints
from workbench.run.ask.attributes import Attribute
from workbench.run.ask.given import COVERAGE, places_of, softened
from workbench.run.ask.question import Question
from workbench.run.rows.prepared import Prepared
from workbench.source.table.table import Table
from workbench.words.sentences import UserError

MOST_ROWS = 3000
"""Rows that are looked at, from everywhere in the table."""


@dataclass(frozen=True)
class Coverage:
    """Of one wanted number, each row given its own values of the known attributes."""

    pattern: tuple[tuple[str, ...], Mapping[str, float]]
    """See `pattern_of`."""
    n_rows: int
    """Rows that have the wanted number."""
    n_inside: int
    """Rows within their interval."""
    n_all: int
    """Rows from which these were taken."""
    is_held_out: bool
    """Whether the mixture has not learned them; otherwise they are rows that it learns from."""
    n_seen: int

    @property
    def share(self) -> float:
        """Share of the rows within their interval."""
        return self.n_inside / self.n_rows

    @property
    def error(self) -> float:
        """Standard error of the share, as of rows that are drawn at random."""
        return float(np.sqrt(self.share * (1 - self.share) / self.n_rows))


def pattern_of(question: Question) -> tuple[tuple[str, ...], Mapping[str, float]]:
    """What a coverage depends on: which attributes are known, and with what errors; not their values."""
    return tuple(question.known), dict(question.errors)


def coverages(
    model: Answers,
    n_seen: int,
    attributes: Sequence[Attribute],
    question: Question,
    prepared: Prepared,
    table: Table,
) -> dict[str, Coverage]:
    """Of every wanted number of which the rows have values: the held-out rows where there are some, else all."""
    by_name = {one.name: one for one in attributes}
    known = [by_name[name] for name in question.known]
    wanted = [by_name[name] for name in question.wanted if not by_name[name].has_labels]
    rows, n_all, is_held_out = _rows(prepared, table)
    found = {}
    for one in wanted:
        inside = _inside(model, rows, known, one, question)
        if len(inside):
            n_inside = int(np.count_nonzero(inside))
            found[one.name] = Coverage(pattern_of(question), len(inside), n_inside, n_all, is_held_out, n_seen)
    if not found:
        raise UserError("No row of the table has a value of the wanted numbers, so their intervals cannot be checked.")
    return found


def _rows(prepared: Prepared, table: Table) -> tuple[Floats, int, bool]:
    """Encoded rows with their gaps, the number of rows they are taken from, and whether these are held out."""
    held_out: Ints | None = prepared.test_rows
    is_held_out = held_out is not None and len(held_out) > 0
    places = np.asarray(held_out) if is_held_out else np.arange(table.n_rows)
    n_all = len(places)
    if n_all > MOST_ROWS:
        places = places[np.linspace(0, n_all - 1, MOST_ROWS).astype(np.intp)]
    encoder = prepared.encoder
    gaps_kept = replace(encoder, encoding=replace(encoder.encoding, missing="model"))
    return gaps_kept.encode(table.take(places), places).values, n_all, is_held_out


def _inside(model: Answers, rows: Floats, known: Sequence[Attribute], wanted: Attribute, question: Question) -> Bools:
    """Whether each row that has the wanted number has it within its interval: between two of its quantiles."""
    columns = places_of([*known, wanted])
    errors = [question.errors.get(one.name, 0.0) / one.block.scale for one in known for _ in one.places]
    mixture = softened(model.marginal(columns), np.array([*errors, 0.0]))
    asked = rows[:, columns]
    asked = asked[np.isfinite(asked[:, -1])]
    values = asked[:, -1].copy()
    asked[:, -1] = np.nan
    reached, tail = np.empty(len(values)), 0.5 * (1 - COVERAGE)
    if len(values):
        for part in mixture.conditionals(asked):
            last = np.flatnonzero(part.wanted == len(columns) - 1)[0]
            stds = np.sqrt(part.covariances[None, :, last, last])
            weights = normalised(part.log_weights)
            reached[part.rows] = cumulative(values[part.rows], weights, part.means[:, :, last], stds)
    return np.asarray((reached >= tail) & (reached <= 1 - tail))
