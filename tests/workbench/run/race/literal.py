"""A third contender for races: the literal version of the paper, behind the interface of an engine."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from figmn import IGMN, Record
from tests.figmn.reference import Reference
from workbench.run.race.contenders import RACE_ENGINES, RaceContender


class LiteralIGMN(IGMN):
    """Decisions and numbers are those of the reference, in extended precision; the rest is inherited."""

    _reference: Reference | None = None

    def learn_recorded(self, X: Any, weights: Any = None) -> Record:
        """Learn with the reference, and report what it did."""
        record = super().learn_recorded(X, weights)
        if self._reference is None:
            own = self.parameters
            assert own.delta is not None
            assert own.prior_count is not None
            self._reference = Reference(
                own.delta, own.beta, own.v_min, own.sp_min, own.covariance, self.scale, prior_count=own.prior_count
            )
        born, removed = self._decisions(self._reference, X, np.ones(len(X)) if weights is None else weights)
        self._take_numbers(self._reference)
        samples, ids = [sample for sample, _ in removed], [number for _, number in removed]
        return replace(
            record,
            born=np.array(born, np.int64),
            removed_samples=np.array(samples, np.int64) + record.first,
            removed_ids=np.array(ids, np.int64),
        )

    def _decisions(self, reference: Reference, X: Any, weights: Any) -> tuple[list[int], list[tuple[int, int]]]:
        """Id of the newborn or -1 for every row; row and id of every removal."""
        born, removed = [], []
        for place, (row, weight) in enumerate(zip(X, weights, strict=True)):
            next_id = reference.born
            is_born, gone = reference.learn_one(np.asarray(row, np.longdouble), np.longdouble(weight))
            born.append(next_id if is_born else -1)
            removed += [(place, number) for number in gone]
        return born, removed

    def _take_numbers(self, reference: Reference) -> None:
        components = self._components
        components.centres[:] = [(one.mean - self.offset).astype(float) for one in reference.components]
        components.accumulators[:] = [float(one.sp) for one in reference.components]
        components.matrices[:] = [np.linalg.inv(one.precision.astype(float)) for one in reference.components]


LITERAL_IGMN = RaceContender("literal IGMN", LiteralIGMN)
THREE = (RACE_ENGINES["fast"], RACE_ENGINES["cholesky"], LITERAL_IGMN)
