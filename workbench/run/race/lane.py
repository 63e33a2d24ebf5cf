"""One contender of a race: its stream, its times, and its part of a frame. It has no thread of its own."""

from __future__ import annotations

from collections.abc import Callable

from figmn import Record
from figmn.engine import Engine
from workbench.run.learn.chunks import BLOCK, ChunkSize
from workbench.run.learn.learner import Learner, Stopwatch
from workbench.run.learn.sample_log import Lines
from workbench.run.pace import LONGEST_CHUNK
from workbench.run.race.frame import Figures, LaneFrame
from workbench.run.race.referee import Standing
from workbench.run.race.times import Times
from workbench.run.recipe.recipe import Recipe
from workbench.run.rows.prepared import Prepared
from workbench.run.show.frame import Census
from workbench.run.show.planes import Axes, picture
from workbench.run.show.points import LatestPoints

MANY = 160
"""Columns above which Fast IGMN learns in blocks, one of which is a chunk, and IGMN begins with one sample."""


class Lane:
    """Learns chunk by chunk on request, and makes its part of a frame."""

    def __init__(
        self, title: str, recipe: Recipe, prepared: Prepared, engine: Callable[..., Engine], stopwatch: Stopwatch
    ) -> None:
        self.title = title
        self._learner = Learner(recipe, prepared, self, engine, stopwatch)
        self._points = LatestPoints(prepared.encoder.n_columns, prepared.colours)
        self._times = Times()
        is_wide, is_cubic = prepared.encoder.n_columns > MANY, self.engine.keeps == "IGMN"
        self._size = ChunkSize(1 if is_wide and is_cubic else BLOCK)
        self._most = BLOCK if is_wide and not is_cubic else LONGEST_CHUNK
        self.is_through = False
        """Whether all its samples are learned."""

    def forget(self) -> None:
        """Release the engine. The lane is the log of its learner: without this, each would keep the other."""
        del self._learner

    @property
    def engine(self) -> Engine:
        """The engine."""
        return self._learner.engine

    @property
    def n_done(self) -> int:
        """Samples learned."""
        return self._learner.n_done

    @property
    def n_total(self) -> int | None:
        """Samples of the whole race; None where the stream has no end."""
        return self._learner.n_total

    @property
    def left_out(self) -> str:
        """Which rows are not learned, in words; of a streamed file those so far."""
        return self._learner.left_out

    @property
    def engine_seconds(self) -> float:
        """Wall-clock time in the engine."""
        return self._learner.engine_seconds

    @property
    def median(self) -> float:
        """Time of the middle sample in µs; NaN before the first."""
        return self._times.quantile(0.5)

    @property
    def wanted_rows(self) -> int:
        """Samples of the next chunk."""
        return min(self._size.rows, self._most)

    def standing(self, is_busy: bool = False) -> Standing:
        """How far it is, for the referee."""
        n_left = None if self.n_total is None else self.n_total - self.n_done
        return Standing(self.n_done, self.engine_seconds, self.wanted_rows, self.is_through, is_busy, n_left)

    def complaints(self) -> list[str]:
        """Warnings of the engine since the last call."""
        found = list(self._learner.complaints)
        self._learner.complaints.clear()
        return found

    def add(self, lines: Lines) -> None:
        """Called by the learner, whose log it is: a race keeps none."""

    def advance(self, n_rows: int) -> Record | None:
        """Learn at most `n_rows` samples, and return what they did; None where no samples are left."""
        chunk = self._learner.advance(n_rows)
        count, record = len(chunk.values), self._learner.record
        self.is_through = not count or self.n_done == self.n_total
        if self.is_through:
            self._learner.close()
        if not count or record is None:
            return None
        self._points.add(chunk)
        self._times.add(count, record.nanoseconds / 1e3 / count)
        self._size.fit(count, record.nanoseconds / 1e9)
        return record

    def advance_for(self, seconds: float, n_rows: int) -> list[Record | None]:
        """Learn chunk by chunk, at most `n_rows` samples, until the engine has used `seconds`."""
        records: list[Record | None] = []
        end, deadline = self.n_done + n_rows, self.engine_seconds + seconds
        while self.n_done < end and not self.is_through and (not records or self.engine_seconds < deadline):
            records.append(self.advance(min(self.wanted_rows, end - self.n_done)))
        return records

    def look(self, axes: Axes, n_points: int) -> LaneFrame:
        """The present frame, frozen."""
        learner = self._learner
        points, codes = self._points.on(axes, n_points, learner.prepared.colour)
        return LaneFrame(
            title=self.title,
            figures=Figures(
                n_done=self.n_done,
                n_components=self.engine.n_components,
                median=self.median,
                p99=self._times.quantile(0.99),
                engine_seconds=learner.engine_seconds,
                cpu_seconds=learner.cpu_seconds,
                n_bytes=self.engine.n_bytes,
                chunk=self._times.samples_a_chunk,
            ),
            picture=picture(axes, self.engine, points, codes),
            census=Census.of(self.engine),
            timeline=learner.past.timeline(),
            latest=learner.latest,
        )
