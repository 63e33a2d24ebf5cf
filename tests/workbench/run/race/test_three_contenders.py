"""A race of three: Fast IGMN, the cubic IGMN and the literal version of the paper."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from typing import Any

import pytest

from figmn import FastIGMN, Parameters
from tests.workbench.race_clock import clock
from tests.workbench.run.race.literal import LITERAL_IGMN, THREE
from workbench.run import Choices, Recipe, SampleOrigin
from workbench.run.race.contenders import RACE_ENGINES, RaceContender
from workbench.run.race.frame import RaceFrame
from workbench.run.race.headless import race, recipe_of
from workbench.run.race.race import Race
from workbench.run.race.settings import RaceSettings
from workbench.run.race.texts import as_csv, as_json, as_text
from workbench.run.show.mailbox import Mailbox

CLOCKS = (clock(2.0), clock(50.0), clock(400.0))


def raced(contenders: tuple[RaceContender, ...] = THREE, n_rows: int = 120, **changes: Any) -> RaceFrame:
    settings = RaceSettings(**{"n_features": 4, "n_rows": n_rows} | changes)
    dataset, recipe = recipe_of(settings, Choices(), None)
    return race(recipe, settings, dataset=dataset, contenders=contenders, stopwatches=CLOCKS[: len(contenders)])


@pytest.mark.parametrize("mode", ["clock", "sample"])
@pytest.mark.parametrize("takes_turns", [True, False])
def test_each_has_its_figures_its_speed_up_and_its_parity(mode: Any, takes_turns: bool) -> None:
    frame = raced(mode=mode, takes_turns=takes_turns)
    assert (frame.state, frame.n_done, frame.seconds_left) == ("finished", 120, 0.0)
    assert [lane.title for lane in frame.lanes] == ["Fast IGMN", "IGMN (Cholesky)", "literal IGMN"]
    assert [lane.figures.median for lane in frame.lanes] == pytest.approx([2.0, 50.0, 400.0])
    assert frame.split.speed_ups == pytest.approx((25.0, 200.0))
    assert frame.median_ratios == pytest.approx((25.0, 200.0))
    for parity in frame.parities:
        assert parity.n_compared == parity.n_checked == 120
        assert parity.differences is not None
        assert 0 < parity.differences.worst < 1e-8
    assert frame.level == "good"


def test_the_literal_contender_agrees_where_components_are_born_and_removed() -> None:
    dataset = Recipe(SampleOrigin("iris")).dataset()
    settings = RaceSettings(source="data", mode="sample", values="form")
    choices = Choices(Parameters(delta=0.3, beta=0.05, v_min=10, sp_min=2, merge_below=0))
    frame = race(recipe_of(settings, choices, dataset)[1], settings, dataset=dataset, contenders=THREE)
    assert frame.reference.timeline.births.sum() > 3
    assert frame.reference.timeline.removals.sum() > 0
    assert [parity.level for parity in frame.parities] == ["good", "good"]
    assert len({lane.figures.n_components for lane in frame.lanes}) == 1


def test_only_the_one_that_decides_otherwise_has_diverged() -> None:
    wide = RaceContender("wide IGMN", lambda **options: FastIGMN(**(options | {"delta": 9.0})))
    dataset = Recipe(SampleOrigin("iris")).dataset()
    settings = RaceSettings(source="data", values="form")
    recipe = recipe_of(settings, Choices(Parameters(delta=0.3, beta=0.05)), dataset)[1]
    given = (dataset, recipe)
    mailbox: Mailbox[RaceFrame] = Mailbox()
    one = Race(1, lambda: given, settings, mailbox, contenders=(*THREE[:2], wide), is_watched=False)
    assert one.settled.wait(60)
    frame = one.frame()
    one.close()
    one.join()
    assert [parity.level for parity in frame.parities] == ["good", "bad"]
    assert frame.level == "bad"
    found = frame.parities[1].divergence
    assert found is not None
    warned = [message.text for message in mailbox.take_messages() if message.kind == "warning"]
    assert warned == [f"Sample {found.sample + 1:,}: Fast IGMN {found.decisions[0]}, wide IGMN {found.decisions[1]}"]


def test_texts_have_a_line_for_each() -> None:
    text = as_text(raced())
    assert "D = 4: speed-up 25.0 relative to IGMN over all 120 samples: 0.006000 s / 0.000240 s engine time" in text
    assert "speed-up 200.0 relative to literal IGMN over all 120 samples: 0.048000 s / 0.000240 s engine time" in text
    assert "parity of IGMN holds: the same decisions over 120 samples" in text
    assert "parity of literal IGMN holds: the same decisions over 120 samples" in text


def test_exports_have_an_entry_for_each_and_those_of_two_as_before() -> None:
    three, two = raced(), raced(THREE[:2])
    rows = list(csv.DictReader(io.StringIO(as_csv(three))))
    assert {row["engine"] for row in rows} == {"Fast IGMN", "IGMN (Cholesky)", "literal IGMN"}
    written, before = json.loads(as_json(three, {})), json.loads(as_json(two, {}))
    assert [one["engine"] for one in written["engines"]] == [lane.title for lane in three.lanes]
    assert [one["engine"] for one in written["comparisons"]] == ["IGMN (Cholesky)", "literal IGMN"]
    assert [one["speed_up"] for one in written["comparisons"]] == pytest.approx([25.0, 200.0])
    assert {one["reference"] for one in written["comparisons"]} == {"Fast IGMN"}
    assert [one["parity"]["level"] for one in written["comparisons"]] == ["good", "good"]
    assert written["same_samples"]["seconds"] == pytest.approx([0.00024, 0.006, 0.048])
    assert set(written) == set(before)
    for name in ("speed_up", "median_ratio"):
        assert written[name] == before[name] == pytest.approx(25.0)
    assert set(before["same_samples"]) == {"n_samples", "fast_seconds", "cubic_seconds", "seconds"}
    assert before["parity"] == before["comparisons"][0]["parity"]
    assert as_csv(two).splitlines()[0] == "engine,samples,us_per_sample,engine_seconds,K,births,removals,mergers"


def test_a_race_of_one_is_refused() -> None:
    settings = RaceSettings()
    with pytest.raises(
        ValueError, match="A race needs at least two engines, and there is only literal IGMN: give another one"
    ):
        Race(1, lambda: recipe_of(settings, Choices(), None), settings, Mailbox(), contenders=[LITERAL_IGMN])


def test_the_solver_of_the_settings_is_that_of_the_second_contender() -> None:
    settings = RaceSettings(n_features=3, n_rows=20, solver="inverse")
    dataset, recipe = recipe_of(settings, Choices(), None)
    frame = race(recipe, replace(settings), dataset=dataset)
    assert frame.lanes[1].title == RACE_ENGINES["inverse"].title == "IGMN (inverse + determinant)"
