"""Real frames without a runner: FastIGMN learns a table or a generator's rows, and the dataclasses are filled."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from figmn import FastIGMN, Trace
from figmn.system.arrays import Floats
from workbench.run.recipe.dataset import GeneratorOrigin, Origin, SampleOrigin
from workbench.run.recipe.recipe import Recipe
from workbench.run.rows.original_units import OriginalUnits
from workbench.run.show.frame import Frame, FullCensus, Latest, Picture, Plane, State, Timeline
from workbench.source import Encoding, Table
from workbench.source.generators.births import BirthsAndDeaths


@dataclass(frozen=True, eq=False)
class Rows:
    """What is learned: encoded rows, their names and their classes."""

    values: Floats
    columns: tuple[str, ...]
    codes: NDArray[np.int16]
    labels: tuple[str, ...]
    origin: Origin = field(default_factory=lambda: SampleOrigin("iris"))

    @staticmethod
    def of(table: Table, origin: Origin) -> Rows:
        """A table's inputs; its nominal columns give the classes and are not learned."""
        classes = [column for column in table if column.kind == "nominal"]
        used = table.with_roles({column.name: "ignored" for column in classes})
        encoder = Encoding().fit(used)
        values = encoder.encode(used).values
        codes = classes[-1].values.astype(np.int16) if classes else np.full(len(values), -1, np.int16)
        return Rows(values, tuple(encoder.names), codes, classes[-1].labels if classes else (), origin)


def iris() -> Rows:
    """150 flowers, 4 columns, 3 classes, shuffled."""
    origin = SampleOrigin("iris")
    rows = Rows.of(origin.read(), origin)
    order = np.random.default_rng(3).permutation(len(rows.values))
    return Rows(rows.values[order], rows.columns, rows.codes[order], rows.labels, origin)


def births_and_deaths(n_rows: int = 5000) -> Rows:
    """Clusters in a plane that come and go."""
    origin = GeneratorOrigin(BirthsAndDeaths(), n_rows)
    return Rows.of(origin.read(), origin)


def frame(
    rows: Rows,
    plane: Plane = Plane(),  # noqa: B008 - frozen
    n_pieces: int = 50,
    run: int = 1,
    state: State = "paused",
    **parameters: Any,
) -> Frame:
    """The moment after the last row."""
    *_, last = frames(rows, plane, n_pieces, run, state, **parameters)
    return last


def frames(
    rows: Rows,
    plane: Plane = Plane(),  # noqa: B008 - frozen
    n_pieces: int = 50,
    run: int = 1,
    state: State = "running",
    **parameters: Any,
) -> Iterator[Frame]:
    """The moments after each of so many pieces of the rows."""
    settings = {"scale": np.maximum(np.nanstd(rows.values, axis=0), 1e-9)} | parameters
    engine = FastIGMN(columns=rows.columns, **settings)
    past: list[tuple[int, int, int, int, float, float, int]] = []
    for piece in np.array_split(np.arange(len(rows.values)), min(n_pieces, len(rows.values))):
        latest = _learn(engine, rows.values[piece], past)
        yield _frame(rows, engine, past, latest, plane, run, state)


def _learn(engine: FastIGMN, values: Floats, past: list[tuple[int, int, int, int, float, float, int]]) -> Latest:
    """Learn a piece, the last row by itself, and add a line to the past."""
    before, births, indefinite = engine.n_components, engine.snapshot().next_id, engine.n_indefinite
    complete = values[np.isfinite(values).all(axis=1)]
    likelihood = engine.score_samples(complete).mean() if before and len(complete) else np.nan
    began = time.perf_counter()
    if len(values) > 1:
        engine.learn(values[:-1])
    trace = engine.learn_one(values[-1])
    microseconds = 1e6 * (time.perf_counter() - began) / len(values)
    births = engine.snapshot().next_id - births
    removals = before + births - engine.n_components
    lost = engine.n_indefinite - indefinite
    past.append((engine.n_seen, engine.n_components, births, removals, microseconds, float(likelihood), lost))
    return _latest(trace)


def _latest(trace: Trace) -> Latest:
    nearest = int(trace.distances.argmin()) if len(trace.distances) else None
    return Latest(
        sample=trace.sample,
        row=trace.sample,
        nearest=None if nearest is None else int(trace.ids[nearest]),
        distance=np.nan if nearest is None else float(trace.distances[nearest]),
        owner=int(trace.ids[trace.posteriors.argmax()]) if trace.born is None else trace.born,
        posterior=float(trace.posteriors.max()) if trace.born is None else 1.0,
        threshold=trace.threshold,
        born=trace.born,
        removed=trace.removed,
        log_likelihood=trace.log_likelihood,
    )


def _frame(
    rows: Rows,
    engine: FastIGMN,
    past: list[tuple[int, int, int, int, float, float, int]],
    latest: Latest,
    plane: Plane,
    run: int,
    state: State,
) -> Frame:
    timeline = timeline_of(np.array(past))
    return Frame(
        run=run,
        recipe=Recipe(rows.origin),
        columns=rows.columns,
        units=OriginalUnits(np.zeros(len(rows.columns)), np.ones(len(rows.columns))),
        labels=rows.labels,
        state=state,
        n_done=engine.n_seen,
        n_total=len(rows.values),
        census=FullCensus.of_engine(engine),
        picture=picture(rows, engine, plane),
        timeline=timeline,
        latest=latest,
        n_births=int(timeline.births.sum()),
        n_removals=int(timeline.removals.sum()),
        engine_seconds=float((timeline.microseconds * np.diff(timeline.samples, prepend=0)).sum() / 1e6),
        rows_per_second=0.0,
    )


def timeline_of(past: Floats) -> Timeline:
    """Lines of samples, K, births, removals, microseconds, log-likelihood and indefinite updates."""
    samples, n_components, births, removals, microseconds, likelihoods, indefinite = past.T
    return Timeline(
        piece=int(np.diff(samples, prepend=0).max()),
        samples=samples.astype(np.int64),
        n_components=n_components.astype(np.int64),
        births=births.astype(np.int64),
        removals=removals.astype(np.int64),
        microseconds=microseconds,
        log_likelihoods=likelihoods,
        input_log_likelihoods=np.full(len(likelihoods), np.nan),
        indefinite=indefinite.astype(np.int64),
    )


def picture(rows: Rows, engine: FastIGMN, plane: Plane, kept: int = 100_000) -> Picture:
    """The mixture and the latest samples on a plane."""
    seen = rows.values[: engine.n_seen]
    directions, origin, labels, share = _axes(rows, plane)
    return Picture(
        plane=plane,
        labels=labels,
        share=share,
        centres=engine.means @ directions + origin,
        covariances=directions.T @ engine.covariances @ directions,
        points=(seen[-kept:] @ directions + origin).astype(np.float32),
        codes=rows.codes[: engine.n_seen][-kept:],
    )


def _axes(rows: Rows, plane: Plane) -> tuple[Floats, Floats, tuple[str, str], float | None]:
    if plane.kind == "columns":
        directions = np.zeros((len(rows.columns), 2))
        directions[plane.x, 0] = directions[plane.y, 1] = 1
        return directions, np.zeros(2), (rows.columns[plane.x], rows.columns[plane.y]), None
    values, vectors = np.linalg.eigh(np.cov(rows.values.T))
    directions = vectors[:, :-3:-1]
    labels = ("principal component 1", "principal component 2")
    return directions, -rows.values.mean(axis=0) @ directions, labels, float(values[-2:].sum() / values.sum())
