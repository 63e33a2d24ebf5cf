"""The list of results: kept, compared, deleted and put back, written as texts; the search in the background."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import pytest

from workbench.desk.desk import Desk
from workbench.desk.evaluate import EvaluateDesk, Result
from workbench.evaluate.trial.figures import figure
from workbench.evaluate.trial.plan import Folds, Task
from workbench.evaluate.trial.tuning import Search
from workbench.run.recipe.choices import Choices
from workbench.run.recipe.dataset import GeneratorOrigin, SampleOrigin, load
from workbench.run.show.frame import HeldOut
from workbench.source.generators import GaussianBlobs
from workbench.words.sentences import UserError

CLASS = Task("classes", "class")


@pytest.fixture
def desk() -> Desk:
    desk = Desk()
    desk.take_dataset(load(SampleOrigin("iris")), "iris")
    return desk


def evaluated(
    desk: EvaluateDesk, task: Task = CLASS, n_folds: int = 2, method: str = "joint", baseline: str = "majority"
) -> Result:
    job = desk.start(desk.plan(task, Folds(n_folds), method, baseline))
    job.join()
    assert job.error is None
    assert job.result is not None
    assert desk.newest() is job.result
    return desk.keep(job.result)


def test_a_result_is_kept_with_its_recipe_until_it_is_deleted(desk: Desk) -> None:
    own = desk.evaluate
    first, second = evaluated(own), evaluated(own, n_folds=3)
    assert [result.number for result in own.results] == [1, 2]
    assert first.title == "class · 2-fold cross-validation · Fast IGMN | majority class"
    assert own.is_current(first)
    desk.set_choices(Choices(seed=5))
    assert not own.is_current(first)
    own.delete(first)
    assert own.results == [second]
    own.put_back(first)
    assert own.results == [first, second]
    desk.close()


def test_two_results_are_compared_on_the_same_folds_alone(desk: Desk) -> None:
    own = desk.evaluate
    first, second, third = evaluated(own), evaluated(own, method="per class"), evaluated(own, n_folds=3)
    density = evaluated(own, Task("density"), baseline="gaussian")
    assert own.compare(first, second, "accuracy").n_folds == 2
    with pytest.raises(UserError, match="tested on other rows"):
        own.compare(first, third, "accuracy")
    with pytest.raises(UserError, match="different targets"):
        own.compare(first, density, "accuracy")
    run = own.keep_stream_run(first.recipe, HeldOut(30, -1.5), 120)
    with pytest.raises(UserError, match="have no folds"):
        own.compare(first, run, "accuracy")
    desk.close()


def test_the_held_out_figures_of_a_run_stay_and_are_not_doubled(desk: Desk) -> None:
    own, recipe = desk.evaluate, desk.data.recipe
    assert recipe is not None
    own.keep_stream_run(recipe, HeldOut(30, -1.5, -2.5), 60)
    own.keep_stream_run(recipe, HeldOut(30, -1.0, -2.0), 120)
    (result,) = own.results
    assert dict(result.lines)["log-likelihood per row, inputs only"] == "−2.0000"
    assert result.number == 1


def test_every_result_has_a_number_of_its_own(desk: Desk) -> None:
    own, recipe = desk.evaluate, desk.data.recipe
    assert recipe is not None
    own.keep_stream_run(recipe, HeldOut(30, -1.5), 60)
    own.keep_stream_run(replace(recipe, test_share=0.5), HeldOut(75, -1.5), 60)
    second = own.results[-1]
    own.delete(second)
    own.keep_stream_run(recipe, HeldOut(30, -1.0), 120)
    own.put_back(second)
    own.keep_stream_run(recipe, HeldOut(30, -0.5), 150)
    assert [result.number for result in own.results] == [1, 2, 3]


def test_what_a_cancelled_evaluation_still_finds_is_not_shown(desk: Desk) -> None:
    own = desk.evaluate
    first = own.start(own.plan(CLASS, Folds(10), "joint", None))
    plan = own.plan(CLASS, Folds(2), "joint", None)
    second = own.start(plan)
    first.join()
    second.join()
    newest = own.newest()
    assert newest is not None
    assert newest.plan == plan
    desk.close()


def test_everything_is_written(desk: Desk) -> None:
    own = desk.evaluate
    first = evaluated(own)
    assert first.evaluation is not None
    own.keep_stream_run(first.recipe, HeldOut(30, -1.5), 120)
    accuracy = figure(first.evaluation, first.evaluation.outcomes[0], "accuracy")
    written = json.loads(own.texts("json"))
    assert [one["number"] for one in written] == [1, 2]
    assert written[0]["methods"][0]["figures"]["accuracy"]["folds"] == list(accuracy.folds)
    assert sum(map(sum, written[0]["methods"][0]["confusion"])) == 150
    lines = list(csv.DictReader(io.StringIO(own.texts("csv"))))
    found = [line for line in lines if (line["method"], line["figure"]) == ("Fast IGMN", "accuracy")]
    assert [float(line["value"]) for line in found] == [accuracy.value, *accuracy.folds]
    assert lines[-1]["number"] == "2"
    desk.close()


def test_a_plan_of_other_data_loads_them_again(desk: Desk) -> None:
    own = desk.evaluate
    plan = own.plan(CLASS, Folds(2), "joint", None)
    desk.take_dataset(load(SampleOrigin("wine")), "wine")
    job = own.start(plan)
    job.join()
    assert job.result is not None
    assert len(job.result.outcomes[0].whole.rows) == 150
    desk.close()


def test_why_nothing_can_be_evaluated() -> None:
    desk = Desk()
    assert "Open a file" in desk.evaluate.why_not()
    assert desk.evaluate.tasks() == ()
    with pytest.raises(UserError, match="no data"):
        desk.evaluate.plan(CLASS, Folds(), "joint", None)
    desk.take_dataset(load(GeneratorOrigin(GaussianBlobs(), endless=True)), "blobs")
    assert "streamed" in desk.evaluate.why_not()
    desk.close()


def test_the_winner_of_a_search_becomes_the_choices(desk: Desk) -> None:
    own = desk.evaluate
    job = own.tune(own.plan(CLASS, Folds(), "joint", None), Search(deltas=(1.0,), betas=(0.01,), n_folds=2))
    job.join()
    tuning = own.newest_tuning()
    assert tuning is job.result
    assert tuning is not None
    assert tuning.best is not None
    choices = own.tuned_choices(tuning.best)
    assert (choices.parameters.delta, choices.parameters.beta, choices.seed) == (1.0, 0.01, 0)
    desk.close()


def test_opening_data_does_not_end_an_evaluation_and_closing_does(desk: Desk) -> None:
    own = desk.evaluate
    job = own.start(own.plan(CLASS, Folds(10, 100), "ensemble", None))
    desk.jobs.load(SampleOrigin("wine")).join()
    assert not job.is_cancelled
    desk.close()
    assert job.was_cancelled
