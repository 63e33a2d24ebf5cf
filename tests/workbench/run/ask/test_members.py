"""The rows of components, and what distinguishes these."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.workbench.penguins import EMPTY, write_penguins
from tests.workbench.run.learners import learner_of
from workbench.run import FileOrigin, Recipe, SampleOrigin
from workbench.run.ask import members as members_module
from workbench.run.ask.members import Members, members_of
from workbench.run.learn.learner import Learner
from workbench.run.show.frame import FullCensus
from workbench.run.show.images import picture_of, pixels_of
from workbench.run.show.portrait import contrast
from workbench.source import Cancelled, Encoding


@pytest.fixture
def learner(tmp_path: Path) -> Learner:
    """All penguins learned."""
    found = learner_of(Recipe(FileOrigin(str(write_penguins(tmp_path / "penguins.csv")))))
    while len(found.advance(100).values):
        pass
    return found


def found_by(learner: Learner) -> Members:
    return members_of(learner.engine.snapshot(), learner.prepared.encoder, learner.recipe.dataset().table)


@pytest.mark.parametrize("rows_at_once", [2000, 50])
def test_every_row_belongs_to_its_largest_posterior(
    learner: Learner, rows_at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(members_module, "ROWS_AT_ONCE", rows_at_once)
    found, engine = found_by(learner), learner.engine
    chunks = list(learner.prepared.chunks())
    rows, values = np.concatenate([c.rows for c in chunks]), np.concatenate([c.values for c in chunks])
    expected = np.full(344, -1)
    expected[rows] = engine.ids[engine.responsibilities(values).argmax(axis=1)]
    assert engine.n_components > 1
    assert found.owners.tolist() == expected.tolist()
    assert np.flatnonzero(found.owners < 0).tolist() == [row - 1 for row in EMPTY], "nothing is known of them"
    assert found.sizes.tolist() == [(expected == number).sum() for number in engine.ids]
    assert (found.n_known, found.n_seen) == (342, engine.n_seen)
    assert found.size_of(999) is None


def test_labels_are_counted_in_every_component(learner: Learner) -> None:
    found, table = found_by(learner), learner.recipe.dataset().table
    for number in found.ids.tolist():
        for name, (labels, counts, of_all) in found.labels_of(number).items():
            values = table[name].values
            assert counts.tolist() == [((values == code) & found.is_of(number)).sum() for code in range(len(labels))]
            assert of_all.sum() == ((values >= 0) & (found.owners >= 0)).sum()
    assert set(found.labels) == {"species", "sex"}


def test_rows_with_gaps_are_asked_about_though_they_are_dropped(tmp_path: Path) -> None:
    path = write_penguins(tmp_path / "penguins.csv")
    dropping = learner_of(Recipe(FileOrigin(str(path)), encoding=Encoding(missing="drop")))
    dropping.advance(300)
    found = found_by(dropping)
    assert (found.owners >= 0).sum() == 342


def test_it_can_be_cancelled(learner: Learner) -> None:
    snapshot, table = learner.engine.snapshot(), learner.recipe.dataset().table
    with pytest.raises(Cancelled):
        members_of(snapshot, learner.prepared.encoder, table, lambda *_: False)


def test_a_component_is_compared_with_the_rest(learner: Learner) -> None:
    """Against samples of the mixture itself: the rest is what other components made."""
    engine = learner.engine
    census = FullCensus.of_engine(engine)
    samples, made_by = engine.sample_with_components(200_000, seed=1)
    position = int(census.priors.argmax())
    mine, rest = (samples[made_by == position], samples[made_by != position])
    found = contrast(census, position)
    shifts = (mine.mean(axis=0) - rest.mean(axis=0)) / samples.std(axis=0)
    np.testing.assert_allclose(found.shifts, shifts, atol=0.02)
    variances, usual = mine.var(axis=0), rest.var(axis=0)
    gaps = mine.mean(axis=0) - rest.mean(axis=0)
    nats = 0.5 * (variances / usual + gaps**2 / usual - 1 + np.log(usual / variances))
    np.testing.assert_allclose(found.divergences, nats, rtol=0.05, atol=0.02)
    assert found.ranked()[0] == nats.argmax()


def test_a_lone_component_differs_from_nothing() -> None:
    learner = learner_of(Recipe(SampleOrigin("iris")))
    learner.advance(1)
    found = contrast(FullCensus.of_engine(learner.engine), 0)
    assert np.isnan(found.shifts).all()
    assert found.ranked().tolist() == []


@pytest.mark.parametrize(
    ("names", "shape"),
    [
        ([f"pixel {y}.{x}" for y in range(8) for x in range(8)], (8, 8, 1)),
        ([f"pixel{number}" for number in range(784)], (28, 28, 1)),
        ([f"{y}x{x}" for y in range(1, 6) for x in range(1, 8)], (5, 7, 1)),
        ([f"{c} {y}.{x}" for c in ("red", "green", "blue") for y in range(4) for x in range(4)], (4, 4, 3)),
        (["sepal", "petal"], None),
        ([f"pixel{number}" for number in range(783)], None),
        ([f"pixel 0.{x}" for x in range(100)], None),
    ],
)
def test_pixels_are_known_by_their_names(names: list[str], shape: tuple[int, ...] | None) -> None:
    found = pixels_of([*names, "class=1"])
    assert (None if found is None else found.shape) == shape
    if found is not None:
        assert sorted(found.ravel().tolist()) == list(range(len(names)))


def test_a_mean_is_drawn_where_its_pixels_are() -> None:
    pixels = pixels_of(["class", *(f"pixel {y}.{x}" for y in range(4) for x in range(4) if (y, x) != (0, 0))])
    assert pixels is not None
    means = np.zeros((2, 16))
    means[1, 1 + 1 * 4 + 2 - 1] = 10.0
    picture = picture_of(means, pixels, 1)
    assert picture[1, 2, 0] == 1.0
    assert picture.sum() == 1.0
    assert picture_of(means, pixels, 0).sum() == 0.0
