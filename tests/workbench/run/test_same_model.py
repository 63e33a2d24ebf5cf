"""The window's thread, a recipe without a window, the estimators and the library learn the same model, bit for bit."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from figmn import FastIGMN, FastIGMNClassifier, FastIGMNMixture, Parameters, Snapshot
from figmn.engine import Engine
from figmn.scale import column_std
from workbench.run import Choices, FileOrigin, Frame, GeneratorOrigin, Origin, PaintedOrigin, Recipe, SampleOrigin, run
from workbench.run.learn.runner import Runner
from workbench.run.rows.prepared import _deviations, prepare
from workbench.run.show.mailbox import Mailbox
from workbench.source import Cancelled, Encoding, Order
from workbench.source.generators import BirthsAndDeaths

LIVELY = Choices(Parameters(delta=0.3, beta=0.05))
RECIPES = {
    "iris": Recipe(SampleOrigin("iris"), order=Order("shuffled"), choices=LIVELY),
    "automatic delta": Recipe(SampleOrigin("iris")),
    "standardised": Recipe(SampleOrigin("iris"), encoding=Encoding("standard"), choices=LIVELY),
    "published": Recipe(SampleOrigin("iris"), choices=Choices(Parameters(0.3, 0.05, covariance="published"))),
    "many rows": Recipe(GeneratorOrigin(BirthsAndDeaths(), n_rows=10_000), choices=LIVELY),
    "held-out rows": Recipe(SampleOrigin("iris"), test_share=0.3, choices=LIVELY),
}


def rows_of(recipe: Recipe) -> np.ndarray:
    return np.concatenate([chunk.values for chunk in prepare(recipe.dataset(), recipe).chunks()])


@contextmanager
def in_a_window(recipe: Recipe) -> Iterator[Runner]:
    """The thread that learns for a window."""
    mailbox: Mailbox[Frame] = Mailbox()
    runner = Runner(1, recipe, recipe.dataset(), mailbox, is_held=True)
    try:
        yield runner
    finally:
        runner.close()
        runner.join()


def learned_in_a_window(recipe: Recipe, n_rows: int) -> Snapshot:
    with in_a_window(recipe) as runner:
        for sample in (n_rows // 3, n_rows):
            runner.run_to(sample)
        while True:
            found = runner.ask(lambda learner, log: learner.engine.snapshot()).result(60)  # noqa: ARG005
            if found.n_seen == n_rows:
                return found


def assert_same(found: Snapshot | Engine, expected: FastIGMN) -> None:
    assert found.n_seen == expected.n_seen
    assert found.parameters == expected.parameters
    for name in ("ids", "means", "precisions", "log_determinants", "accumulators", "ages"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name), err_msg=name)


@pytest.mark.parametrize("name", RECIPES)
def test_window_recipe_estimator_and_library_give_the_same_model(name: str) -> None:
    recipe = RECIPES[name]
    rows, values = rows_of(recipe), recipe.choices.parameters
    settings: dict[str, Any] = {"delta": values.delta, "beta": values.beta, "covariance": values.covariance}
    library = FastIGMN(**settings, scale=column_std(rows)).learn(rows)
    assert library.n_components > 1
    assert_same(run(recipe).model, library)
    assert_same(learned_in_a_window(recipe, len(rows)), library)
    # Where δ is automatic, `fit` finds one from the rows; the others follow the number of columns.
    settings["delta"] = library.parameters.delta
    assert_same(FastIGMNMixture(**settings).fit(rows).model_, library)


@pytest.mark.parametrize("label_width", [1.0, 0.1])
def test_a_classifier_learns_what_the_window_learns(label_width: float) -> None:
    recipe = replace(RECIPES["iris"], choices=replace(LIVELY, label_width=label_width))
    rows, dataset = rows_of(recipe), recipe.dataset()
    labels = np.array(dataset.table["class"].labels)
    model = FastIGMNClassifier(delta=0.3, beta=0.05, label_width=label_width)
    model.fit(rows[:, :4], labels[rows[:, 4:].argmax(axis=1)])
    assert model.classes_.tolist() == labels.tolist()
    assert_same(run(recipe).model, model.model_)


@pytest.mark.parametrize("missing", ["model", "mean", "drop"])
@pytest.mark.filterwarnings("ignore::figmn.ConstantColumnWarning")
def test_rows_with_gaps_have_the_deviation_of_what_is_learned(tmp_path: Path, missing: Any) -> None:
    path = tmp_path / "gaps.csv"
    path.write_text("x,y,class\n1,2,a\n,3,b\n,,b\n4,,a\n9,1,b\n7,7,a\n")
    recipe = Recipe(FileOrigin(str(path)), encoding=Encoding(missing=missing), choices=LIVELY)
    rows = rows_of(recipe)
    library = FastIGMN(delta=0.3, beta=0.05, scale=column_std(rows)).learn(rows)
    assert_same(run(recipe).model, library)


@pytest.mark.parametrize("missing", ["model", "mean"])
def test_a_file_that_is_streamed_has_the_same_scale_to_rounding(tmp_path: Path, missing: Any) -> None:
    path = tmp_path / "gaps.csv"
    rng = np.random.default_rng(0)
    values = rng.normal(50, 3, (2000, 2)).round(3).tolist()
    path.write_text("x,y,class\n" + "".join(f"{x},{y if x < 53 else ''},{'ab'[x > 50]}\n" for x, y in values))
    encoding = Encoding(missing=missing)
    scales: list[Any] = []
    for streamed in (False, True):
        recipe = Recipe(FileOrigin(str(path), streamed=streamed), encoding=encoding)
        scales.append(prepare(recipe.dataset(), recipe).scale)
    np.testing.assert_allclose(scales[1], scales[0], rtol=1e-12)


def test_the_attribute_list_shows_the_sample_deviation_of_the_model_s_scale() -> None:
    origin: Origin = PaintedOrigin(((1.0, 2.0, 0), (3.0, 4.0, 0), (8.0, 9.0, 0)))
    recipe = Recipe(origin)
    scale = prepare(recipe.dataset(), recipe).scale
    assert scale is not None
    shown: list[Any] = [column.summary.std for column in recipe.dataset().table]
    np.testing.assert_allclose(shown, scale * np.sqrt(3 / 2), rtol=1e-15)


def test_the_deviations_of_a_long_table_can_be_cancelled() -> None:
    recipe = RECIPES["many rows"]
    asked = []

    def cancel(done: int, total: int) -> bool:
        asked.append((done, total))
        return False

    with pytest.raises(Cancelled):
        _deviations(prepare(recipe.dataset(), recipe).stream, True, cancel)
    assert asked == [(10_000, 10_000)]
