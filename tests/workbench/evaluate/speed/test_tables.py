"""All tables, measured for real on small sets."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from figmn import IGMN, FastIGMN
from figmn.answers import inference
from figmn.bench import pinned
from figmn.forms.precision import Dense
from workbench.evaluate.folds import stratified_folds
from workbench.evaluate.speed import tables as speed_tables
from workbench.evaluate.speed.sets import SETS
from workbench.evaluate.speed.tables import SpeedTables, TableSettings, _Rows, measure_tables
from workbench.source import Encoding

SMALL = tuple(one for one in SETS if one.name in ("Glass", "iris", "twospirals"))
SOYBEAN = tuple(one for one in SETS if one.name == "soybean")


def last(settings: TableSettings, sets: Any = SMALL) -> SpeedTables:
    *_, found = measure_tables(settings, sets)
    return found


def threads() -> set[int]:
    return {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"}


def test_every_fold_of_every_set_is_timed_for_both() -> None:
    tables = last(TableSettings(n_runs=2))
    assert tables.is_whole
    assert tables.now == ""
    assert dict(tables.machine)["cores"]
    assert tables.threads == 1
    for row in tables.rows:
        for times in (row.training, row.testing, row.testing_kept):
            for cell in (times.igmn, times.fast):
                assert [(t.run, t.fold) for t in cell.timings] == [(0, 0), (0, 1), (1, 0), (1, 1)]
                assert not cell.is_sampled
                assert cell.mean > 0
                assert cell.std > 0
            halves = {t.n_rows for t in times.igmn.timings}
            assert sum(t.n_rows for t in times.igmn.timings[:2]) == row.of.n_rows
            assert max(halves) - min(halves) <= 1


@pytest.mark.parametrize("one", SETS, ids=lambda one: one.name)
def test_the_sets_have_the_sizes_that_are_shown(one: Any) -> None:
    table = one.read()
    encoder = Encoding().fit(table)
    gaps = int(np.any([column.missing for column in table], axis=0).sum())
    assert (table.n_rows, encoder.n_columns, len(encoder.targets)) == (one.n_rows, one.n_columns, one.n_classes)
    assert gaps == one.n_gaps


def test_questions_have_the_classes_unknown_and_the_scale_is_that_of_the_rows_to_learn() -> None:
    table = SMALL[1].read()
    fold = stratified_folds(table)[0]
    rows = _Rows.of(table, fold)
    assert rows.train.shape == rows.questions.shape == (75, 7)
    assert np.isnan(rows.questions[:, 4:]).all()
    assert not np.isnan(rows.questions[:, :4]).any()
    np.testing.assert_allclose(rows.scale, rows.train.std(axis=0))


def test_who_is_first_alternates() -> None:
    said = list(
        dict.fromkeys(tables.now.split(",")[1] for tables in measure_tables(sets=SMALL[:1]) if "fold" in tables.now)
    )
    assert said == [
        " fold 1: IGMN learns", " fold 1: Fast IGMN learns",
        " fold 1: IGMN answers", " fold 1: IGMN answers with the pattern kept",
        " fold 1: Fast IGMN answers", " fold 1: Fast IGMN answers with the pattern kept",
        " fold 2: Fast IGMN learns", " fold 2: IGMN learns",
        " fold 2: Fast IGMN answers", " fold 2: Fast IGMN answers with the pattern kept",
        " fold 2: IGMN answers", " fold 2: IGMN answers with the pattern kept",
    ]  # fmt: skip


def test_long_folds_are_sampled_and_yet_asked_of_models_that_know_them_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, set[int]] = {"igmn": set(), "fast": set()}

    class Cubic(IGMN):
        def recall(self, X: Any, return_cov: Any = False) -> Any:
            asked["igmn"].add(self.n_seen)
            return super().recall(X, return_cov)

    class Fast(FastIGMN):
        def recall(self, X: Any, return_cov: Any = False) -> Any:
            asked["fast"].add(self.n_seen)
            return super().recall(X, return_cov)

    monkeypatch.setattr(speed_tables, "IGMN", Cubic)
    monkeypatch.setattr(speed_tables, "FastIGMN", Fast)
    (row,) = last(TableSettings(seconds_at_most=0.001), SOYBEAN).rows
    assert asked == {"igmn": {341, 342}, "fast": {341, 342}}
    for times in (row.training, row.testing):
        for t in times.igmn.timings:
            assert 2 <= t.n_run < t.n_rows
            assert t.is_sampled
        assert times.test is not None


def test_nothing_is_kept_but_where_the_table_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing kept: a pattern is made for every row, and one to warm up. Pattern kept: once for the fold.

    In few columns Fast IGMN answers single rows by a compiled loop, which needs none.
    """
    made: dict[bool, list[bool]] = {True: [], False: []}
    pattern = inference.Mixture.pattern

    def counted(mixture: inference.Mixture, missing: Any) -> Any:
        made["pattern kept" in now].append(isinstance(mixture.forms[0], Dense))
        return pattern(mixture, missing)

    monkeypatch.setattr(speed_tables, "warm_up", lambda: 0.0)  # it predicts, too
    monkeypatch.setattr(inference.Mixture, "pattern", counted)
    now = ""
    for tables in measure_tables(TableSettings(), SMALL[1:2]):
        now = tables.now
    assert made == {False: [True] * 2 * (75 + 1), True: [True] * 2}


def test_both_solvers_learn(monkeypatch: pytest.MonkeyPatch) -> None:
    solvers = set()

    class Cubic(IGMN):
        def learn(self, X: Any, weights: Any = None) -> Any:
            solvers.add(self.solver)
            return super().learn(X, weights)

    monkeypatch.setattr(speed_tables, "IGMN", Cubic)
    assert last(TableSettings(solver="inverse"), SMALL[1:2]).is_whole
    assert solvers == {"inverse"}


def test_a_single_component_is_learned_as_in_the_paper(monkeypatch: pytest.MonkeyPatch) -> None:
    models = []

    class Fast(FastIGMN):
        def __init__(self, **options: Any) -> None:
            super().__init__(**options)
            models.append(self)

    monkeypatch.setattr(speed_tables, "FastIGMN", Fast)
    last(TableSettings(), SMALL[2:])
    assert {model.n_components for model in models} == {1}
    assert {(m.parameters.delta, m.parameters.beta, m.parameters.covariance) for m in models} == {(1.0, 0.0, "exact")}


def test_a_stop_keeps_what_was_measured_and_gives_the_threads_back() -> None:
    with pinned(2):
        measuring = measure_tables(TableSettings(), SMALL)
        for kept in measuring:
            assert threads() == {1}
            if kept.n_done == 15:
                break
        measuring.close()
        assert threads() == {2}
    assert not kept.is_whole
    first, second, third = kept.rows
    for times in (first.testing, first.testing_kept):
        assert len(times.igmn.timings) == len(times.fast.timings) == 2
    assert len(second.training.igmn.timings) == len(second.training.fast.timings) == 1
    assert not third.training.igmn.timings
    assert kept.average("training") is None


def test_a_fold_that_was_cut_off_is_kept_as_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.evaluate.speed.clock.PIECE", 1e-6)
    for kept in measure_tables(TableSettings(), SOYBEAN):
        timings = kept.rows[0].training.igmn.timings
        if timings and timings[0].n_run > 5:
            break
    assert kept.n_done == 0
    assert timings[0].is_sampled
    assert kept.rows[0].training.igmn.is_sampled


def test_threads_are_given_back_after_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> Any:
        raise MemoryError("no room")

    monkeypatch.setattr(_Rows, "of", broken)
    with pinned(2):
        with pytest.raises(MemoryError, match="no room"):
            last(TableSettings())
        assert threads() == {2}
