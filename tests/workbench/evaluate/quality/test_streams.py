"""Prequential accuracy: predictions come before their rows are learned, and streams are the same every time."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from figmn import FastIGMNClassifier
from workbench.evaluate.quality.streams.learners import chosen_stream_learners, joint, per_class, prequential
from workbench.evaluate.quality.streams.prequential import StreamScore, measure_streams
from workbench.evaluate.quality.streams.sources import Stream, StreamRows, chosen_streams, file_stream
from workbench.evaluate.quality.texts import stream_text
from workbench.source import write_arff
from workbench.source.samples import sample
from workbench.words.sentences import UserError


def two_clusters(n_rows: int = 200) -> StreamRows:
    rng = np.random.default_rng(0)
    codes = rng.integers(2, size=n_rows)
    return StreamRows(rng.normal(5 * codes[:, None], 1, (n_rows, 2)), codes, 2)


@pytest.mark.parametrize("predict", [prequential, joint, per_class])
def test_clusters_are_told_apart_and_the_future_does_not_count(predict: object) -> None:
    if predict is per_class:
        pytest.importorskip("river")
    rows = two_clusters()
    found = predict(rows)  # type: ignore[operator]
    assert (found == rows.codes).mean() > 0.9
    other = StreamRows(rows.X, np.where(np.arange(200) < 100, rows.codes, 1 - rows.codes), 2)
    assert (predict(other)[:101] == found[:101]).all()  # type: ignore[operator]


def test_the_accuracy_is_that_of_the_predictions() -> None:
    rows = two_clusters(50)
    [score] = measure_streams([Stream("two", lambda: rows, 0.5)], chosen_stream_learners(["joint"]), 40)
    assert (score.n_rows, score.published) == (40, 0.5)
    assert score.accuracy == (joint(rows.first(40)) == rows.codes[:40]).mean()


def test_the_classifiers_are_those_of_the_library() -> None:
    for_river = pytest.importorskip("figmn.river")
    rows = two_clusters(60)
    told, alone = FastIGMNClassifier(memory=50), for_river.FastIGMNClassifier(memory=50)
    expected: list[tuple[int, int]] = []
    for row, code in zip(rows.X, rows.codes.tolist(), strict=True):
        named = dict(enumerate(row.tolist()))
        expected.append((told.predict(row[None])[0] if expected else 0, alone.predict_one(named) or 0))
        told.partial_fit(row[None], [code], classes=None if len(expected) > 1 else [0, 1])
        alone.learn_one(named, code)
    assert list(zip(joint(rows, memory=50), per_class(rows, memory=50), strict=True)) == expected


def test_a_file_is_read_in_order_with_its_published_accuracy(tmp_path: Path) -> None:
    table = sample("iris").read()
    write_arff(table, tmp_path / "weather.arff")
    stream = file_stream(tmp_path / "weather.arff")
    rows = stream.make()
    assert (stream.name, stream.published) == ("weather", 0.7702)
    assert rows.X.tolist() == np.column_stack([column.values for column in table.columns[:4]]).tolist()
    assert (rows.codes == table["class"].values).all()


def test_rivers_streams_are_the_same_every_time_and_drift_where_they_should() -> None:
    pytest.importorskip("river")
    for one in chosen_streams([], 40):
        first, second = one.make(), one.make()
        assert np.array_equal(first.X, second.X), one.name
        assert np.array_equal(first.codes, second.codes), one.name
    [plane] = chosen_streams(["hyperplane-reversed"], 40)
    [longer] = chosen_streams(["hyperplane-reversed"], 80)
    early, late = plane.make(), longer.make().first(40)
    assert np.array_equal(early.X, late.X)
    assert np.array_equal(early.codes != late.codes, np.arange(40) >= 20)


def test_rivers_forest_learns() -> None:
    pytest.importorskip("river")
    rows = two_clusters()
    [score] = measure_streams([Stream("two", lambda: rows)], chosen_stream_learners(["forest"]))
    assert score.accuracy > 0.9


def test_the_text_has_means_over_streams_that_all_have_done() -> None:
    scores = [
        StreamScore("a", "joint", 10, 0.5, 0.5, 20.0, 0.25),
        StreamScore("a", "forest", 10, 0.7, 0.7, 40.0, 0.25),
        StreamScore("b", "joint", 10, 0.9, 0.9, 20.0, float("nan")),
    ]
    text = stream_text(scores, {"joint": "joint", "forest": "forest"})
    mean = next(line for line in text.splitlines() if line.startswith("mean"))
    assert "0.5000" in mean
    assert "0.7000" in mean


def test_unknown_names_are_refused() -> None:
    with pytest.raises(UserError, match=r"'lead' is not known.*led"):
        chosen_streams(["lead"])
    with pytest.raises(UserError, match=r"'tree' is not known.*forest"):
        chosen_stream_learners(["tree"])
