"""Labelled datasets on which classifiers are compared: those of the paper, further ones for choosing, and fresh ones.

Defaults of the library are chosen on the sets of the paper and on those for choosing. Fresh sets take no part in any
choice: they say whether it holds elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np

from workbench.evaluate.quality.optional import river
from workbench.evaluate.speed.sets import SETS as SPEED_SETS
from workbench.source import Column, Generator, Table, sample
from workbench.source.generators import GaussianBlobs, Rings, TwoSpirals
from workbench.words.sentences import UserError

Purpose = Literal["paper", "choosing", "fresh"]
N_SYNTHETIC = 1000
"""Rows of a synthetic set."""


@dataclass(frozen=True)
class LabelledSet:
    """A dataset with one nominal target."""

    name: str
    purpose: Purpose
    make: Callable[[], Table]

    def read(self) -> Table:
        """Its rows.

        >>> LABELLED["iris"].read().n_rows
        150
        """
        return self.make()


def labelled_table(name: str, X: Any, y: Sequence[Any], labels: Sequence[Any] | None = None) -> Table:
    """Numeric columns and a class; without `labels`, the classes in sorted order.

    >>> labelled_table("t", np.eye(2), [3, 1])["class"].labels
    ('1', '3')
    """
    order = [str(label) for label in (sorted(set(y)) if labels is None else labels)]
    columns = [Column.numeric(f"x{place}", values) for place, values in enumerate(np.asarray(X, dtype=np.float64).T)]
    return Table(name, (*columns, Column.nominal("class", [str(label) for label in y], order, role="target")))


def chosen_sets(names: Sequence[str]) -> list[LabelledSet]:
    """The sets of these names; a purpose stands for all of its sets.

    >>> [one.name for one in chosen_sets(["paper"])][:2]
    ['breast-cancer', 'german-credit']
    """
    found = dict[str, LabelledSet]()
    for name in names:
        named = {key: one for key, one in LABELLED.items() if name in {key, one.purpose}}
        if not named:
            raise UserError(
                "The set {value!r} is not known. Choose from: paper, choosing, fresh, {known}.",
                value=name,
                known=", ".join(LABELLED),
            )
        found |= named
    return list(found.values())


# Sources


def _bundled(name: str) -> Table:
    return sample(name).read()


def _generated(generator: Generator, n_rows: int = N_SYNTHETIC) -> Table:
    return generator.table(n_rows)


def _scikit(name: str, **options: Any) -> Table:
    from sklearn import datasets

    found = getattr(datasets, name)(**options)
    X, y = found if isinstance(found, tuple) else (found.data, found.target)
    return labelled_table(name, X, y.astype(int).tolist())


def _river(name: str) -> Table:
    rows = list(getattr(river("datasets"), name)())
    return labelled_table(name, [list(x.values()) for x, _ in rows], [y for _, y in rows])


def _paper_sets() -> list[LabelledSet]:
    """The paper's table of AUC without its two image sets, which have other subsets of rows there."""
    return [LabelledSet(one.name, "paper", one.read) for one in SPEED_SETS if one.name not in {"MNIST", "CIFAR-10"}]


def _choosing_sets() -> list[LabelledSet]:
    overlapping = partial(_scikit, "make_gaussian_quantiles", n_samples=N_SYNTHETIC, n_features=5, random_state=0)
    hastie = partial(_scikit, "make_hastie_10_2", n_samples=N_SYNTHETIC, random_state=0)
    return [
        LabelledSet("rings", "choosing", partial(_generated, Rings(seed=1))),
        LabelledSet("dense-spirals", "choosing", partial(_generated, TwoSpirals(points="dense", noise=0.1, seed=1))),
        LabelledSet("blobs", "choosing", partial(_generated, GaussianBlobs(seed=1))),
        LabelledSet("quantiles", "choosing", overlapping),
        LabelledSet("hastie", "choosing", hastie),
    ]


def _fresh_sets() -> list[LabelledSet]:
    drawn: dict[str, Any] = {"n_samples": N_SYNTHETIC, "random_state": 0}
    mixed = partial(_scikit, "make_classification", n_features=20, n_informative=8, n_classes=3, **drawn)
    return [
        LabelledSet("wine", "fresh", partial(_bundled, "wine")),
        LabelledSet("wisconsin", "fresh", partial(_scikit, "load_breast_cancer")),
        LabelledSet("digits", "fresh", partial(_scikit, "load_digits")),
        LabelledSet("moons", "fresh", partial(_scikit, "make_moons", noise=0.3, **drawn)),
        LabelledSet("circles", "fresh", partial(_scikit, "make_circles", noise=0.2, factor=0.5, **drawn)),
        LabelledSet("classification", "fresh", mixed),
        LabelledSet("phishing", "fresh", partial(_river, "Phishing")),
        LabelledSet("bananas", "fresh", partial(_river, "Bananas")),
        LabelledSet("segments", "fresh", partial(_river, "ImageSegments")),
    ]


LABELLED: Mapping[str, LabelledSet] = {one.name: one for one in (*_paper_sets(), *_choosing_sets(), *_fresh_sets())}
"""By name. Phishing, bananas and segments need river."""
