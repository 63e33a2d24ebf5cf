"""Labelled streams: river's bundled and synthetic ones, and files with published accuracies."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.evaluate.quality.optional import river
from workbench.source import Encoding, read_table
from workbench.words.sentences import UserError

Floats = NDArray[np.float64]
N_SYNTHETIC = 10_000
"""Rows of a synthetic stream."""
SEED = 42


@dataclass(frozen=True, eq=False)
class StreamRows:
    """The rows of a stream in order: inputs as numbers, classes as positions."""

    X: Floats
    codes: NDArray[np.intp]
    n_classes: int

    def first(self, n_rows: int | None) -> StreamRows:
        """The first `n_rows` rows; None: all."""
        return StreamRows(self.X[:n_rows], self.codes[:n_rows], self.n_classes)


@dataclass(frozen=True)
class Stream:
    """A stream by name, and how its rows are made."""

    name: str
    make: Callable[[], StreamRows]
    published: float = float("nan")
    """Accuracy that others have published, as a share; NaN where there is none."""


PUBLISHED: Mapping[str, float] = MappingProxyType(
    {
        "elecNormNew": 0.7854,
        "weather": 0.7702,
        "gaussian": 0.8580,
        "seaA": 0.8278,
        "hyper": 0.8509,
        "rbf": 0.3888,
    }
)
"""Prequential accuracy of IGMN-NSE by the name of the file, from the logs of its authors (jchambyd/IGMN-NSE)."""


def river_streams(n_rows: int = N_SYNTHETIC) -> dict[str, Stream]:
    """River's streams; `n_rows` of each synthetic one, with river's settings but for seeds, noise and drift.

    >>> list(river_streams())[:3]
    ['segments', 'bananas', 'phishing']
    """
    bundled = {"segments": "ImageSegments", "bananas": "Bananas", "phishing": "Phishing"}
    synthetic: dict[str, Callable[[int], Iterable[Any]]] = {
        "rbf": partial(_synthetic, "RandomRBF", seed_model=SEED, seed_sample=SEED),
        "sea-abrupt": _abrupt_sea,
        "hyperplane-reversed": _reversed_hyperplane,
        "led": partial(_synthetic, "LED", seed=SEED, noise_percentage=0.1),
        "waveform": partial(_synthetic, "Waveform", seed=SEED),
        "agrawal": partial(_synthetic, "Agrawal", seed=SEED),
    }
    found = {name: Stream(name, partial(_bundled, title)) for name, title in bundled.items()}
    return found | {name: Stream(name, partial(_drawn, make, n_rows)) for name, make in synthetic.items()}


def chosen_streams(names: Sequence[str], n_rows: int = N_SYNTHETIC) -> list[Stream]:
    """River's streams of these names; none: all.

    >>> [one.name for one in chosen_streams(["led", "bananas"])]
    ['led', 'bananas']
    """
    known = river_streams(n_rows)
    for name in names:
        if name not in known:
            raise UserError(
                "The stream {value!r} is not known. Choose from: {known}.", value=name, known=", ".join(known)
            )
    return [known[name] for name in names or known]


def file_stream(path: Path) -> Stream:
    """A file whose last nominal column is the class, or its target where it names one."""
    name = path.name.split(".")[0]
    return Stream(name, partial(_read, path), PUBLISHED.get(name, float("nan")))


def _read(path: Path) -> StreamRows:
    table = read_table(path)
    targets = [column for column in table.targets if column.kind == "nominal"]
    if not targets:
        raise UserError("{file} has no nominal target: give a file with a class.", file=path)
    encoder = Encoding().fit(table)
    inputs = encoder.encode(table).values[:, : int(encoder.targets[0])]
    return StreamRows(inputs, targets[0].values.astype(np.intp), len(targets[0].labels))


def _bundled(title: str) -> StreamRows:
    return _as_rows(getattr(river("datasets"), title)())


def _drawn(make: Callable[[int], Iterable[Any]], n_rows: int) -> StreamRows:
    return _as_rows(islice(make(n_rows), n_rows))


def _as_rows(pairs: Iterable[Any]) -> StreamRows:
    rows, labels = zip(*((list(x.values()), y) for x, y in pairs), strict=True)
    classes, codes = np.unique(np.array(labels), return_inverse=True)
    return StreamRows(np.array(rows, dtype=np.float64), codes.astype(np.intp), len(classes))


def _synthetic(name: str, n_rows: int, **options: Any) -> Iterable[Any]:
    generator = getattr(river("datasets.synth"), name)(**options)
    yield from generator.take(n_rows)


def _abrupt_sea(n_rows: int) -> Iterable[Any]:
    """Four concepts of SEA with 10 % of wrong labels, each for a quarter of the rows."""
    each = -(-n_rows // 4)
    for variant in range(4):
        yield from _synthetic("SEA", each, variant=variant, noise=0.1, seed=SEED + variant)


def _reversed_hyperplane(n_rows: int) -> Iterable[Any]:
    """A hyperplane through ten columns whose two classes change places half way."""
    drawn = _synthetic("Hyperplane", n_rows, n_features=10, n_drift_features=0, mag_change=0.0, noise_percentage=0.0,
                       seed=SEED)  # fmt: skip
    for row, (x, y) in enumerate(drawn):
        yield x, y if row < n_rows // 2 else 1 - y
