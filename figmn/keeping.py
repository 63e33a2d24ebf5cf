"""What Fast IGMN stores of its components under one covariance rule: the interface of `exact` and `published`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from figmn.arguments import BlockComponents, RecorderPage, Rules, Work
from figmn.forms.form import Form
from figmn.state import Components
from figmn.system.arrays import Floats, Ints


class Kept(Protocol):
    """The arrays of components, of an engine or of a snapshot."""

    @property
    def matrices(self) -> Floats:
        """(K, D, D) in few columns, (K, 0, 0) in many."""

    @property
    def forms(self) -> NDArray[np.object_]:
        """In many columns, one for each component."""

    @property
    def masses(self) -> Floats:
        """M, S = M C."""


class Block(ABC):
    """A block of samples relative to every component: input of the compiled loop, and its results.

    The loop works on copies; `commit` puts the samples that it has learned into the components.
    """

    def __init__(self, components: Components, rows: Floats, weights: Floats, counters: list[int]) -> None:
        self.components = components
        self.weights = weights
        """Weights of the rows; empty where all are 1."""
        self.errors = rows - components.centres[:, None]
        self.after = BlockComponents(
            components.ids,
            *(components.log_dets.copy(), components.accumulators.copy(), components.masses.copy()),
            *(components.ages.copy(), components.negatives.copy()),
        )
        """The numbers of the components after the samples."""
        self.counters = np.array([components.count, *counters])
        """See `figmn.arguments`."""
        self.work = Work.of(components.count, 0)

    @property
    @abstractmethod
    def updates(self) -> Ints:
        """The number of samples that each component learns from."""

    @abstractmethod
    def learn(self, rules: Rules, page: RecorderPage) -> tuple[int, int, float]:
        """Run the compiled loop: samples learned, why it returned, log density of the last one."""

    def commit(self, done: int) -> None:
        """Put the first `done` samples into the components."""
        components, after = self.components, self.after
        active = np.flatnonzero(self.updates).tolist()
        for j in active:
            self._reserve(j)
        for j in active:
            self._put_into(j, done)
        components.log_dets[:], components.accumulators[:] = after.log_dets, after.accumulators
        components.masses[:] = after.masses
        components.ages[:], components.negatives[:] = after.ages, after.negatives

    @abstractmethod
    def _reserve(self, j: int) -> None:
        """Raise `MemoryError`, before anything is changed, if there is no memory for what a component has learned."""

    @abstractmethod
    def _put_into(self, j: int, done: int) -> None:
        """Update the mean, the variances and the form of a component by what it has learned."""


class Keeping(ABC):
    """How C is stored in few columns (one matrix per component) and in many (one form per component)."""

    kind: ClassVar[str]
    """What the matrices are: a key of `kernels.KINDS`."""
    compiled_up_to: ClassVar[int]
    """Columns up to which rows are learned by compiled loops over the matrices."""

    def is_in_forms(self, n_features: int) -> bool:
        """Whether components over `n_features` columns are kept in forms."""
        return n_features > self.compiled_up_to

    @abstractmethod
    def born(self, width: Floats, mass: float) -> dict[str, Any]:
        """The entries `matrices` and `forms` of a component with C = diag(width²)."""

    @abstractmethod
    def forms(self, kept: Kept) -> Sequence[Form]:
        """The components one by one, for inference."""

    @abstractmethod
    def project(self, kept: Kept, plane: Floats) -> Floats:
        """Vᵀ C V of every component, (K, m, m), for a plane V of shape (D, m)."""

    @abstractmethod
    def of_covariances(self, covariances: Floats, masses: Floats) -> dict[str, Any]:
        """The arrays `matrices` and `forms` of components with the given C."""

    @abstractmethod
    def of_root(self, root: Floats, mass: float) -> dict[str, Any]:
        """The entries `matrices` and `forms` of a component with C = L Lᵀ, for L lower triangular."""

    @abstractmethod
    def root(self, kept: Kept, position: int) -> Floats:
        """L, lower triangular, with C = L Lᵀ, of the component at a position; C is positive definite."""

    @abstractmethod
    def renewed(self, components: Components, shares: Floats, width: Floats, masses: Floats) -> dict[str, Any]:
        """Arrays of all components with C' = (1 - s) C + s diag(width²), in the unit of the given masses."""

    @abstractmethod
    def rescale(self, components: Components, ratio: Floats) -> None:
        """Multiply every column by its ratio, in matrices and forms only."""

    @abstractmethod
    def block(self, components: Components, rows: Floats, weights: Floats, counters: list[int]) -> Block:
        """A block of samples in many columns."""


def in_forms(forms: Sequence[Any]) -> dict[str, Any]:
    """The arrays `matrices` and `forms` of components that are kept in forms."""
    array = np.empty(len(forms), np.object_)
    array[:] = forms
    return {"matrices": np.empty((len(forms), 0, 0)), "forms": array}


def in_matrices(matrices: Sequence[Floats] | Floats, n_features: int) -> dict[str, Any]:
    """The arrays `matrices` and `forms` of components that are kept in matrices."""
    array = np.array(matrices).reshape(-1, n_features, n_features)
    return {"matrices": array, "forms": np.full(len(array), None)}
