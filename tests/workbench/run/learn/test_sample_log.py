"""The per-sample CSV: what it says, and that no Python object is made for each of a million lines."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow.csv
import pytest

from figmn import FastIGMN, Parameters
from tests.workbench.run.learners import IRIS, learner_of, lines_of
from workbench.run import Choices
from workbench.run.learn.learner import Learner
from workbench.run.learn.sample_log import CsvLog, Lines, SampleLog, write_csv
from workbench.run.learn.sample_log import lines_of as lines_of_chunk
from workbench.run.rows.prepared import prepare
from workbench.source import Cancelled


def lines(codes: list[int]) -> Lines:
    whole, real = np.arange(len(codes)), np.ones(len(codes))
    code = np.array(codes, np.int32)
    return Lines(whole, whole, code, real, whole, real, whole, real, whole, real, real, whole)


def test_labels_stand_by_their_names(tmp_path: Path) -> None:
    write_csv(tmp_path / "log.csv", lines([1, -1, 0]), ("setosa", "=1+1"))
    found = pyarrow.csv.read_csv(tmp_path / "log.csv")
    assert found["label"].to_pylist() == ["'=1+1", "", "setosa"]
    assert found["sample"].to_pylist() == found["row"].to_pylist() == [1, 2, 3], "counted as a user does"
    write_csv(tmp_path / "log.csv", lines([-1, -1]), ())
    assert "label" in pyarrow.csv.read_csv(tmp_path / "log.csv").column_names


def test_labels_are_written_by_arrow(tmp_path: Path) -> None:
    """By Python they held the interpreter, and the window with it."""
    n_lines = 200_000
    wanted = lines([0] * n_lines)
    tracemalloc.start()
    write_csv(tmp_path / "log.csv", wanted, ("setosa",))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    arrays_and_masks = 2 * 8 + 6
    assert peak < (arrays_and_masks + 1) * n_lines, "a reference for each line would be eight bytes more"


def test_a_cancelled_file_is_as_it_was(tmp_path: Path) -> None:
    path, seen = tmp_path / "log.csv", []
    path.write_text("before")

    def stop(done: int, total: int) -> bool:
        seen.append((done, total))
        return False

    with pytest.raises(Cancelled):
        write_csv(path, lines([1, -1, 0]), ("setosa", "virginica"), progress=stop)
    assert seen == [(0, 3)]
    assert path.read_text() == "before"


def test_a_log_keeps_the_latest() -> None:
    whole, short = learner_of(IRIS), SampleLog(kept=40)
    brief = Learner(IRIS, prepare(IRIS.dataset(), IRIS), short)
    for learner in (whole, brief):
        while len(learner.advance(33).values):
            pass
    all_lines = lines_of(whole)
    assert short.n_kept == 40
    assert SampleLog().lines().n_samples == 0
    assert short.lines().sample.tolist() == list(range(110, 150))
    np.testing.assert_array_equal(short.lines().owner, all_lines.owner[-40:])


def test_a_chunk_longer_than_the_log_leaves_its_end() -> None:
    log = SampleLog(kept=3)
    log.add(lines([0, 1, 2, 3, 4, 5, 6, 7]))
    assert log.lines().code.tolist() == [5, 6, 7]
    assert (log.n_added, log.n_kept) == (8, 3)


def test_what_was_read_is_not_changed_by_what_follows() -> None:
    log, chunk = SampleLog(kept=3), lines([0, 1, 2])
    log.add(chunk)
    early = log.lines()
    log.add(chunk._replace(sample=chunk.sample + 3, code=chunk.code + 5))
    assert early.code.tolist() == [0, 1, 2]
    assert log.lines().code.tolist() == [5, 6, 7]


def test_a_sample_takes_its_share_of_the_time_of_its_chunk() -> None:
    record = FastIGMN(delta=1.0, beta=0.1, scale=[1.0]).learn_recorded([[0.0], [0.1], [9.0], [9.1]])
    rows, codes = np.array([7, 3, 4, 8]), np.array([0, 0, 1, -1], np.int32)
    found = lines_of_chunk(record, rows, codes)
    assert found.sample.tolist() == [0, 1, 2, 3]
    assert found.row.tolist() == [7, 3, 4, 8]
    assert found.microseconds.tolist() == [record.nanoseconds / 4000] * 4


def test_a_log_that_is_written_as_it_happens_is_the_one_that_is_exported(tmp_path: Path) -> None:
    wanted = lines([1, -1, 0, 1, 1])._replace(endings=np.array([[1, -1, 3], [1, 0, 4], [2, 0, 5]]))
    log = CsvLog(tmp_path / "live.csv", ("setosa", "=1+1"))
    for begin, end in ((0, 2), (2, 5)):
        log.add(wanted.part(begin, end))
    log.close()
    write_csv(tmp_path / "whole.csv", wanted, ("setosa", "=1+1"))
    assert (tmp_path / "live.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()


def test_the_file_says_what_a_row_counts_and_who_took_in_whom(tmp_path: Path) -> None:
    wanted = lines([0, 0, 0, 0])._replace(
        weight=np.array([1.0, 0.5, 2.0, 1.0]),
        endings=np.array([[1, -1, 3], [1, -1, 6], [1, 0, 4], [3, 0, 5], [3, 0, 8]]),
    )
    write_csv(tmp_path / "log.csv", wanted, ("setosa",))
    read = pyarrow.csv.read_csv(
        tmp_path / "log.csv", convert_options=pyarrow.csv.ConvertOptions(strings_can_be_null=True)
    )
    assert read["weight"].to_pylist() == [1, 0.5, 2, 1]
    assert read["removed"].to_pylist() == [None, "3; 6", None, None]
    assert read["merged"].to_pylist() == [None, "4 into 0", None, "5 into 0; 8 into 0"]


def test_a_log_keeps_the_endings_of_its_samples() -> None:
    recipe = replace(IRIS, choices=Choices(Parameters(delta=0.2, beta=0.3, max_components=12, v_min=5, sp_min=2)))
    whole, short = learner_of(recipe), SampleLog(kept=40)
    brief = Learner(recipe, prepare(recipe.dataset(), recipe), short)
    for learner in (whole, brief):
        while len(learner.advance(33).values):
            pass
    endings = lines_of(whole).endings
    assert len(endings) == whole.n_removals + whole.n_merges
    assert min(whole.n_removals, whole.n_merges) > 0
    assert short.lines().endings.tolist() == endings[endings[:, 0] >= 110].tolist()
    assert whole.endings.latest().tolist() == endings.tolist()
    alive = set(lines_of(whole).born.tolist()) - {-1} - set(endings[:, 2].tolist())
    assert alive == set(whole.engine.ids.tolist())


def test_labels_are_written_as_they_are_where_that_is_wished(tmp_path: Path) -> None:
    write_csv(tmp_path / "log.csv", lines([1, 0]), ("setosa", "=1+1"), raw=True)
    assert pyarrow.csv.read_csv(tmp_path / "log.csv")["label"].to_pylist() == ["=1+1", "setosa"]
