"""Drifts: when they are seen, and how the changes of components are named."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from figmn import IGMN, FastIGMN, Parameters
from figmn.system.arrays import Floats
from workbench import cli
from workbench.run import Choices, GeneratorOrigin, Recipe, SampleOrigin, run
from workbench.run.learn.component_changes import Moment, changes_between
from workbench.run.learn.drift_detector import REFERENCE, DriftDetector
from workbench.run.learn.drift_watch import PERIOD, DriftWatch
from workbench.run.show.drift import ComponentChange, Drift
from workbench.source.generators import ConceptDrift, GaussianBlobs
from workbench.words.sentences import UserError

CHANGE = 3000
PLACES = np.array([[0.0, 0.0], [12.0, 0.0], [0.0, 12.0]])


def seen(log_likelihoods: Floats) -> list[int]:
    return [drift.sample for drift in DriftDetector().add(0, log_likelihoods)]


def blobs(
    seed: int,
    n_rows: int,
    shift: tuple[float, float] = (0, 0),
    widths: tuple[float, float] = (1, 1),
    correlation: float = 0.0,
    share: float = 1 / 3,
    heavy: bool = False,
) -> Floats:
    """Three clusters; the first as described, the others alike and round."""
    rng = np.random.default_rng(seed)
    codes = rng.choice(3, size=n_rows, p=[share, (1 - share) / 2, (1 - share) / 2])
    noise = rng.standard_t(3, (n_rows, 2)) if heavy else rng.normal(size=(n_rows, 2))
    first = codes == 0
    root = np.linalg.cholesky([[1, correlation], [correlation, 1]])
    noise[first] = shift + noise[first] @ root.T * widths
    rows: Floats = PLACES[codes] + noise
    return rows


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("heavy", [False, True])
def test_nothing_is_seen_where_nothing_changes(seed: int, heavy: bool) -> None:
    assert seen(FastIGMN().learn_recorded(blobs(seed, 10_000, heavy=heavy)).log_likelihoods) == []


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("change", "most"), [({"shift": (3.0, 3.0)}, 150), ({"widths": (2.0, 2.0)}, 250)])
def test_a_change_is_seen_soon_and_once(seed: int, change: dict[str, tuple[float, float]], most: int) -> None:
    rows = np.concatenate([blobs(seed, CHANGE), blobs(seed + 100, 3000, **change)])  # type: ignore[arg-type]
    (drift,) = DriftDetector().add(0, FastIGMN().learn_recorded(rows).log_likelihoods)
    assert CHANGE <= drift.sample < CHANGE + most
    assert CHANGE - 40 < drift.since < min(CHANGE + 100, drift.sample)
    assert drift.after > drift.before


def test_a_sharp_fall_is_a_drift_and_a_slow_one_is_learning() -> None:
    rng = np.random.default_rng(0)
    noise = rng.normal(size=6000)
    sharp = np.where(np.arange(6000) < CHANGE, -5.0, -3.5)
    slow = -5.0 + 2 * np.log1p(np.arange(6000) / 300)  # as the likelihood rises while a mixture learns
    assert [CHANGE <= sample < CHANGE + 100 for sample in seen(sharp + noise)] == [True]
    assert seen(slow + noise) == []


def test_extreme_and_missing_densities_are_no_drift() -> None:
    values = np.random.default_rng(1).normal(-5, 1, 5000)
    values[::50] = -1e9  # births, one in fifty all along
    values[:3] = -np.inf
    assert seen(values) == []
    assert seen(np.full(5000, -np.inf)) == []


def test_samples_that_repeat_each_other_are_no_drift() -> None:
    repeated = np.full(5000, -5.0) + 1e-12 * np.arange(5000)
    assert seen(repeated) == []


@pytest.mark.parametrize("size", [1, 7, 250, 4000])
def test_chunks_may_be_cut_anywhere(size: int) -> None:
    rng = np.random.default_rng(2)
    values = np.concatenate([rng.normal(mean, 1, 1500) for mean in (-5, -8, -5, -12)])
    detector = DriftDetector()
    cut = [
        drift for first in range(0, len(values), size) for drift in detector.add(first, values[first : first + size])
    ]
    whole = DriftDetector().add(0, values)
    assert [drift.sample for drift in cut] == [drift.sample for drift in whole]
    assert len(whole) == 3
    for one, other in zip(cut, whole, strict=True):
        assert (one.before, one.after) == pytest.approx((other.before, other.after))


def test_within_the_reference_nothing_is_seen() -> None:
    rng = np.random.default_rng(3)
    values = np.concatenate([rng.normal(-5, 1, REFERENCE // 2), rng.normal(-50, 1, REFERENCE // 2)])
    assert seen(values) == []


CHANGES = {
    "moved": {"shift": (1.5, 0.0)},
    "grew": {"widths": (1.6, 1.6)},
    "shrank": {"widths": (0.5, 0.5)},
    "deformed": {"widths": (1.8, 0.6)},
    "thinned": {"share": 0.1},
    "vanished": {"share": 0.0},
}


def changes(engine: FastIGMN | IGMN, rows: Floats) -> tuple[ComponentChange, ...]:
    before = Moment.of(engine)
    return changes_between(before, Moment.of(engine.learn(rows)), ["x", "y"])


@pytest.mark.parametrize("memory", [np.inf, 1000.0])
@pytest.mark.parametrize("kind", CHANGES)
def test_the_change_of_a_component_is_named(kind: str, memory: float) -> None:
    for seed in range(3):
        engine = FastIGMN(delta=0.3, scale=[6.0, 6.0], memory=memory).learn(blobs(seed, CHANGE))
        first = int(engine.ids[np.abs(engine.means).sum(axis=1).argmin()])
        (found,) = changes(engine, blobs(seed + 100, 400, **CHANGES[kind]))  # type: ignore[arg-type]
        assert (found.component, list(found.kinds)) == (first, [kind])


def test_a_turned_cluster_is_deformed() -> None:
    engine = FastIGMN(delta=0.3, scale=[6.0, 6.0]).learn(blobs(0, CHANGE))
    (found,) = changes(engine, blobs(100, 400, correlation=0.8))
    assert list(found.kinds) == ["deformed"]


def test_a_cluster_elsewhere_is_new() -> None:
    engine = FastIGMN(delta=0.3, scale=[6.0, 6.0]).learn(blobs(0, CHANGE))
    old = set(engine.ids.tolist())
    gone, new = changes(engine, blobs(100, 400, shift=(30.0, 30.0)))
    assert list(gone.kinds) == ["vanished"]
    assert list(new.kinds) == ["new"]
    assert new.component not in old


@pytest.mark.parametrize("n_rows", [100, 400, 2000])
@pytest.mark.parametrize("parameters", [{}, {"memory": 1000.0}, {"prior_count": 5.0}])
def test_what_has_not_changed_is_not_named(n_rows: int, parameters: dict[str, Any]) -> None:
    for seed in range(10):
        engine = FastIGMN(delta=0.3, scale=[6.0, 6.0], **parameters).learn(blobs(seed, CHANGE))
        assert changes(engine, blobs(seed + 100, n_rows)) == ()


def test_measures_are_those_of_the_samples_since() -> None:
    """A single component of 3,000 samples hardly moves by 300 more; what it took has moved all the way."""
    rng = np.random.default_rng(0)
    engine = FastIGMN(beta=0, scale=[1.0, 1.0]).learn(rng.normal(size=(3000, 2)))
    (found,) = changes(engine, rng.normal((0, 4), 2, (300, 2)))
    assert np.abs(engine.means).max() < 0.5
    moved, grew = found.kinds["moved"], found.kinds["grew"]
    assert moved.endswith("σ in 'y'")
    assert float(moved.split()[1]) == pytest.approx(4.0, abs=0.3)
    assert float(grew.split()[1].rstrip("×")) == pytest.approx(2.0, abs=0.2)


def test_columns_that_are_constant_in_a_component_are_no_change() -> None:
    """As those of labels are."""
    rng = np.random.default_rng(0)

    def rows(n_rows: int) -> Floats:
        codes = rng.integers(2, size=n_rows)
        return np.column_stack([codes, 1 - codes, 8 * codes + rng.normal(size=n_rows)])

    engine = FastIGMN(scale=[0.5, 0.5, 4.0]).learn(rows(CHANGE))
    before = Moment.of(engine)
    assert changes_between(before, Moment.of(engine.learn(rows(400))), ["a", "b", "x"]) == ()


def test_a_component_that_took_in_another_is_compared_with_both() -> None:
    engine = FastIGMN(delta=0.1, beta=0.01, scale=[6.0, 6.0]).learn(blobs(0, CHANGE))
    before, n_before = Moment.of(engine), engine.n_components
    record = engine.change(max_components=3).learn_recorded(blobs(1, 400))
    mergers = [(kept, taken) for _, kept, taken in record.merges.tolist()]
    assert len(mergers) >= n_before - 3 > 0
    after = Moment.of(engine)
    gone = {number for number in before.ids.tolist() if number not in after.ids.tolist()}
    assert gone & {change.component for change in changes_between(before, after, ["x", "y"])}
    together = before.merged(mergers)
    assert together.ids.tolist() == after.ids.tolist()
    assert together.evidence.sum() == pytest.approx(before.evidence.sum())
    assert changes_between(together, after, ["x", "y"]) == ()


def test_a_watched_run_follows_mergers() -> None:
    parameters = Parameters(delta=0.1, beta=0.01, merge_below=0.5)
    recipe = replace(drifting(), choices=Choices(parameters, drift=True))
    (drift,) = run(recipe).drifts
    assert drift.compared is not None
    assert drift.change_words()


def test_many_columns_are_compared_by_their_widths() -> None:
    rng = np.random.default_rng(0)
    engine = FastIGMN(beta=0, scale=np.ones(100)).learn(rng.normal(size=(1000, 100)))
    before = Moment.of(engine)
    assert before.covariances.shape == (1, 100)
    (found,) = changes_between(before, Moment.of(engine.learn(2 * rng.normal(size=(200, 100)))), [""] * 100)
    assert list(found.kinds) == ["grew"]


def test_the_published_rule_is_compared_too() -> None:
    engine = IGMN(delta=0.3, scale=[6.0, 6.0], covariance="published").learn(blobs(0, 500))
    for change in changes(engine, blobs(1, 400, share=0.0)):
        assert change.words()


def drifting(n_rows: int = 4000, drift: bool = True) -> Recipe:
    origin = GeneratorOrigin(ConceptDrift(period=2000), n_rows)
    return Recipe(origin, roles={"class": "ignored"}, choices=Choices(drift=drift))


def test_a_run_tells_its_drifts_and_their_changes() -> None:
    (drift,) = run(drifting()).drifts
    assert 2000 <= drift.sample < 2200
    assert drift.compared is not None
    assert drift.compared[0] % PERIOD == drift.compared[1] % PERIOD == 0
    assert drift.compared[1] >= drift.sample + PERIOD
    assert any("moved" in change.kinds or "new" in change.kinds for change in drift.changes)


def test_at_the_end_of_a_run_components_are_compared_at_once() -> None:
    (drift,) = run(drifting(2060)).drifts
    assert drift.compared is not None
    assert drift.compared[1] == 2060


def test_watching_changes_nothing_in_the_model() -> None:
    watched, plain = run(drifting()), run(drifting(drift=False))
    assert plain.drifts == ()
    assert watched.model.means.tolist() == plain.model.means.tolist()
    assert watched.model.log_determinants.tolist() == plain.model.log_determinants.tolist()
    assert watched.log.lines().log_likelihood.tolist() == plain.log.lines().log_likelihood.tolist()


@pytest.mark.parametrize("memory", [300, 1000])
def test_forgetting_is_no_drift_and_hides_none(memory: int) -> None:
    """Columns of labels do not vary within a component: their widths shrink, and jump back, once in every memory."""
    calm = Recipe(
        GeneratorOrigin(GaussianBlobs(), 12_000), choices=Choices(Parameters(delta=0.2, memory=memory), drift=True)
    )
    assert run(calm).drifts == ()
    with_labels = replace(drifting(), roles={})
    found = run(replace(with_labels, choices=Choices(Parameters(memory=memory), drift=True)))
    (drift,), (plain,) = found.drifts, run(with_labels).drifts
    assert drift.since == pytest.approx(plain.since, abs=10)
    earlier = found.log.lines().log_likelihood[drift.since - 500 : drift.since]
    assert -drift.before == pytest.approx(earlier.mean(), abs=1.5), "as the timeline shows it, which forgetting moves"
    assert drift.after > drift.before + 1


@pytest.mark.parametrize("memory", [None, 300])
@pytest.mark.parametrize("size", [1, 100, 250])
def test_changes_are_named_alike_however_the_run_is_cut(size: int, memory: int | None) -> None:
    """Chunks end at every period; within it they may be cut anywhere."""
    rows = drifting(2600).dataset().table
    values = np.column_stack([rows["x"].values, rows["y"].values])
    found = []
    for step in (size, PERIOD):
        engine, watch, done = FastIGMN(memory=memory, scale=values.std(axis=0)), DriftWatch(), 0
        while done < len(values):
            end = min(done + min(step, watch.n_until_moment(engine)), len(values))
            watch.add(engine.learn_recorded(values[done:end]), engine, ["x", "y"])
            done = end
        watch.finish(engine, ["x", "y"])
        found.append([(drift.sample, drift.compared, drift.changes) for drift in watch.drifts])
    assert found[0] == found[1]
    assert len(found[0]) == 1


def test_the_command_line_watches_where_it_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    drifting(drift=False).to_json(tmp_path / "drifting.json")
    assert cli.main(["run", str(tmp_path / "drifting.json"), "--drift"]) == 0
    assert "drift since about sample" in capsys.readouterr().out
    assert cli.main(["run", str(tmp_path / "drifting.json")]) == 0
    assert "drift since" not in capsys.readouterr().out
    calm = Recipe(GeneratorOrigin(GaussianBlobs(), 3000), roles={"class": "ignored"}, choices=Choices(drift=True))
    calm.to_json(tmp_path / "calm.json")
    assert cli.main(["run", str(tmp_path / "calm.json")]) == 0
    assert "no drift seen" in capsys.readouterr().out


def test_without_river_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "river.drift", None)
    with pytest.raises(UserError, match="Drift detection needs river, which is an extra"):
        run(drifting())
    run(drifting(drift=False))
    drifting().to_json(tmp_path / "drifting.json")
    assert cli.main(["run", str(tmp_path / "drifting.json")]) == 1
    assert "pip install 'figmn-workbench[river]', or switch drift detection off." in capsys.readouterr().err


def test_many_changes_are_counted() -> None:
    many = tuple(ComponentChange(number, {"vanished": ""}) for number in range(11))
    text = Drift(10, 5, 1.0, 2.0).named((0, 20), many).change_words()
    assert text.endswith("#7 vanished and 3 more.")


def test_choices_take_no_other_word() -> None:
    with pytest.raises(UserError, match="drift = 'yes' is not known: choose True or False"):
        Choices(drift="yes")  # type: ignore[arg-type]
    assert replace(Choices(), drift=True).parameters == Parameters()
    assert Recipe(SampleOrigin("iris")).watching_drift().choices.drift
