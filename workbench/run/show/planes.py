"""Planes to draw a mixture on: a pair of columns in the user's units, or two principal components."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from figmn.engine import Engine
from figmn.system.arrays import Floats
from figmn.system.lapack import largest_eigenpairs
from workbench.run.rows.prepared import Prepared
from workbench.run.show.frame import INPUTS_AND_TARGETS, INPUTS_ONLY, Picture, Plane
from workbench.words.counts import counted
from workbench.words.sentences import shortened

MAIN, LEAST, NAME = 3, 0.005, 24
"""Loadings that a label names, the least that one must have, and characters of a column's name in it."""
FEW = 10
"""Columns up to which a pair of them is shown at first."""


@dataclass(frozen=True, eq=False)
class Axes:
    """A plane as a map from encoded rows: row @ directions + origin."""

    plane: Plane
    directions: Floats
    """(D, 2)."""
    origin: Floats
    labels: tuple[str, str]
    share: float | None
    kinds: tuple[str, str] = ("numeric", "numeric")
    loadings: Floats | None = None
    """(D, 2): of columns in units of their standard deviations; None for a pair of columns."""
    about: str = ""


def axes_of(plane: Plane, prepared: Prepared) -> Axes:
    """The map of a plane, for these columns."""
    if plane.kind == "kept" and len(plane.loadings) == prepared.encoder.n_columns:
        return projection(plane, np.array(plane.loadings), prepared)
    return _principal(plane, prepared) if plane.kind in {"pca", "input pca"} else _columns(plane, prepared)


def first_plane(prepared: Prepared) -> Plane:
    """The plane before the user has chosen one: of few columns, the two that separate the classes best.

    Of many columns no two say much: the principal plane of the inputs. Without a class, or with one input alone, the
    first two that differ: inputs before targets, quantities before labels.
    """
    inputs = [block.start for block in prepared.encoder.blocks if block.role == "input" and not block.one_hot]
    if len(prepared.encoder.names) > FEW and len(prepared.encoder.inputs) > FEW:
        return _offered(Plane("input pca"), prepared)
    if len(inputs) < 2 or not prepared.labels:  # noqa: PLR2004 - a plane has two
        return Plane("columns", *_first_two(inputs, prepared))
    shares = between_classes(prepared.scouts[:, inputs], prepared.scout_codes)
    x, y = sorted(inputs[place] for place in np.argsort(-shares, kind="stable")[:2])
    return Plane("columns", x, y)


def _first_two(inputs: list[int], prepared: Prepared) -> tuple[int, int]:
    """Twice the same column where there is only one."""
    quantities = [block.start for block in prepared.encoder.blocks if not block.one_hot]
    found = list(dict.fromkeys([*inputs, *quantities, *range(prepared.encoder.n_columns)]))[:2]
    return found[0], found[-1]


def between_classes(rows: Floats, codes: NDArray[np.int32]) -> Floats:
    """Share of every column's variance that lies between the classes."""
    # By powers of two, which round nothing: squares of the largest numbers would be infinite.
    rows = np.ldexp(rows, -np.frexp(np.fmax.reduce(np.abs(rows), axis=0, initial=0.0))[1])
    total = np.nanvar(rows, axis=0) if len(rows) else np.zeros(rows.shape[1])
    between = np.zeros(rows.shape[1])
    mean = np.nanmean(rows, axis=0)
    for code in np.unique(codes[codes >= 0]).tolist():
        members = rows[codes == code]
        known = np.isfinite(members).any(axis=0)
        shift = np.where(known, np.nanmean(np.where(known, members, 0.0), axis=0) - mean, 0.0)
        between += len(members) / len(rows) * shift**2
    return np.divide(between, total, out=np.zeros_like(between), where=total > 0)


def picture(axes: Axes, engine: Engine, points: Floats, codes: NDArray[np.int16], **details: Any) -> Picture:
    """The mixture and the latest samples on a plane; further fields of the picture may be given."""
    shown = engine.project(axes.directions)
    return Picture(
        plane=axes.plane,
        labels=axes.labels,
        share=axes.share,
        centres=shown.means + axes.origin,
        covariances=shown.covariances,
        points=points,
        codes=codes,
        kinds=axes.kinds,
        loadings=axes.loadings,
        about=axes.about,
        **details,
    )


def projection(plane: Plane, loadings: Floats, prepared: Prepared) -> Axes:
    """The plane of two directions, (D, 2), in which every column counts in units of its standard deviation."""
    mean, std = prepared.standard_units
    directions = loadings / np.where(std > 0, std, 1.0)[:, None]
    names = prepared.encoder.names
    labels = (loadings_words(loadings[:, 0], names), loadings_words(loadings[:, 1], names))
    used = np.flatnonzero(loadings.any(axis=1))
    is_of_inputs = prepared.has_targets and bool(np.isin(used, prepared.encoder.inputs).all())
    about = f"projection of {counted(len(used), 'input' if is_of_inputs else 'column')}, in standard deviations"
    origin = -mean[used] @ directions[used]
    return Axes(plane, directions, origin, labels, None, loadings=loadings, about=about)


def loadings_words(loadings: Floats, names: Sequence[str]) -> str:
    """The largest loadings of a direction, in words.

    >>> loadings_words(np.array([0.6, -0.1, -0.75, 0.2, 0.15]), ["a", "b", "c", "d", "e"])
    '−0.75 c + 0.60 a + 0.20 d + …'
    >>> loadings_words(np.zeros(2), ["a", "b"])
    'no column varies'
    """
    largest = np.argsort(-np.abs(loadings), kind="stable")[:MAIN]
    shown = [place for place in largest.tolist() if abs(loadings[place]) >= LEAST]
    terms = [
        f"{'−' if loadings[place] < 0 else '+'} {abs(loadings[place]):.2f} {shortened(names[place], NAME)}"
        for place in shown
    ]
    rest = ["+ …"] if np.count_nonzero(np.abs(loadings) >= LEAST) > len(shown) else []
    text = " ".join([*terms, *rest]) or "no column varies"
    return text.removeprefix("+ ").replace("− ", "−", 1) if text.startswith("−") else text.removeprefix("+ ")


def _columns(plane: Plane, prepared: Prepared) -> Axes:
    """Two columns, scaling undone."""
    names, kinds = prepared.encoder.names, prepared.encoder.kinds
    x, y = (min(position, len(names) - 1) for position in (plane.x, plane.y))
    directions, origin = np.zeros((len(names), 2)), np.zeros(2)
    labels = [names[x], names[y]]
    for axis, position in enumerate((x, y)):
        block = next(block for block in prepared.encoder.blocks if block.start <= position < block.stop)
        directions[position, axis], origin[axis] = block.scale, block.center
        if block.kind == "date":
            labels[axis] = block.name  # the axis shows dates, not days
    return Axes(Plane("columns", x, y), directions, origin, (labels[0], labels[1]), None, (kinds[x], kinds[y]))


def _principal(plane: Plane, prepared: Prepared) -> Axes:
    """The two directions of most variance, every column that counts in units of its standard deviation."""
    plane = _offered(plane, prepared)
    used = prepared.encoder.inputs if plane.kind == "input pca" else np.arange(prepared.encoder.n_columns)
    mean, std = (figures[used] for figures in prepared.standard_units)
    width = np.where(std > 0, std, 1.0)
    rows = prepared.scouts[:, used]
    standard = np.where(np.isfinite(rows), rows - mean, 0.0) / width
    loadings, shares = _directions(standard)
    directions = np.zeros((prepared.encoder.n_columns, 2))
    directions[used] = loadings / width[:, None]
    of = _contents(plane, prepared)
    labels = tuple(f"{of}principal component {k + 1} ({100 * shares[k]:.0f} % of the variance)" for k in range(2))
    return Axes(plane, directions, -mean @ directions[used], (labels[0], labels[1]), float(shares.sum()))


def _contents(plane: Plane, prepared: Prepared) -> str:
    """Which columns a principal plane is made of, first: the end of a long label may not be seen."""
    if not prepared.has_targets:
        return ""
    return f"{INPUTS_ONLY if plane.kind == 'input pca' else INPUTS_AND_TARGETS}: "


def _offered(plane: Plane, prepared: Prepared) -> Plane:
    """Where all columns are inputs there is one principal plane, under one name."""
    return plane if prepared.has_targets else replace(plane, kind="pca")


def _directions(rows: Floats) -> tuple[Floats, Floats]:
    """Two unit vectors and their shares of the variance, through the smaller of the two Gram matrices."""
    n_rows, n_columns = rows.shape
    loadings, shares = np.zeros((n_columns, 2)), np.zeros(2)
    gram = rows.T @ rows if n_columns <= n_rows else rows @ rows.T
    n_found, total = min(2, len(gram)), np.trace(gram)
    values, vectors = largest_eigenpairs(np.asfortranarray(gram), n_found)
    for k in range(n_found):
        direction = vectors[:, -1 - k] if n_columns <= n_rows else rows.T @ vectors[:, -1 - k]
        length = np.linalg.norm(direction)
        if length > 0:
            # The sign of an eigenvector is anyone's choice: the largest loading points upwards.
            loadings[:, k] = direction / length * np.sign(direction[np.abs(direction).argmax()])
            shares[k] = max(0.0, values[-1 - k]) / max(total, np.finfo(float).tiny)
    return loadings, shares
