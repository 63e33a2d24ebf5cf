"""Every generator × every check, then what each of them promises about its rows."""

from __future__ import annotations

import itertools
import json
import math
import pickle
import tracemalloc
from collections.abc import Iterable
from dataclasses import asdict, fields, replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from workbench.source.errors import SourceError
from workbench.source.generators import (
    GENERATORS,
    BirthsAndDeaths,
    Choice,
    CifarStandIn,
    ConceptDrift,
    GaussianBlobs,
    Generator,
    Rings,
    RobotArm,
    Setting,
    SineRegression,
    TwoMoons,
    TwoSpirals,
    UniformNoise,
    WideGaussian,
)
from workbench.source.generators.base import CONSTANTS, ROWS, Drawn, random_stream
from workbench.source.generators.drift import centres
from workbench.source.generators.placing import smallest_gap
from workbench.source.table.table import Table

DENSE = TwoSpirals(points="dense", noise=0.1)
CASES: tuple[Generator, ...] = (
    *(kind() for kind in GENERATORS),
    DENSE,
    RobotArm(task="inverse", noise=0.1),
    GaussianBlobs(dimensions=7, correlation=0.5),
    ConceptDrift(drift="gradual", period=300),
    ConceptDrift(drift="recurring", period=300),
    BirthsAndDeaths(clusters=20, lifetime=200),
)
PLANE_AND_CLASS = (("x", "y", "class"), ("input", "input", "target"))
LAYOUTS: dict[type[Generator], tuple[tuple[str, ...], tuple[str, ...]]] = {
    **dict.fromkeys((BirthsAndDeaths, GaussianBlobs, TwoSpirals, Rings, TwoMoons, ConceptDrift), PLANE_AND_CLASS),
    SineRegression: (("x", "y"), ("input", "target")),
    RobotArm: (("angle 1", "angle 2", "hand x", "hand y"), ("input", "input", "target", "target")),
    WideGaussian: (tuple(f"x {i}" for i in range(1, 101)), ("input",) * 100),
    UniformNoise: (("x", "y"), ("input", "input")),
    CifarStandIn: (
        (*(f"{c} {i} {j}" for c in ("red", "green", "blue") for i in range(1, 33) for j in range(1, 33)), "class"),
        ("input",) * 3072 + ("target",),
    ),
}
EVERY_SETTING = [(kind, declared) for kind in GENERATORS for declared in kind.settings()]
NEEDS: dict[tuple[type[Generator], str], dict[str, str]] = {
    (ConceptDrift, "window"): {"drift": "gradual"},
    (ConceptDrift, "concepts"): {"drift": "recurring"},
    (TwoSpirals, "seed"): {"points": "dense"},
}
"""Settings that matter only beside another."""


def short(case: object) -> str:
    return case.__name__ if isinstance(case, type) else case.name if isinstance(case, Setting | Choice) else repr(case)


every_case = pytest.mark.parametrize("generator", CASES, ids=short)
every_setting = pytest.mark.parametrize(("kind", "declared"), EVERY_SETTING, ids=short)


def numbers(table: Table) -> NDArray[Any]:
    return np.array([column.values for column in table])


def joined(tables: Iterable[Table]) -> NDArray[Any]:
    return np.concatenate([numbers(table) for table in tables], axis=1)


def points(table: Table) -> NDArray[np.float64]:
    return numbers(table)[:2].T


def class_means(table: Table) -> NDArray[np.float64]:
    codes = table["class"].values
    return np.array([points(table)[codes == code].mean(axis=0) for code in np.unique(codes)])


def several_blocks(generator: Generator) -> int:
    return 2 * generator._block_rows + 50


# Every generator × every check.


@every_case
@pytest.mark.parametrize("share", [0.03, 0.9, 2.2])
def test_rows_do_not_depend_on_the_size_of_the_blocks(generator: Generator, share: float) -> None:
    n_rows, block_rows = several_blocks(generator), round(share * generator._block_rows)
    blocks = list(itertools.islice(generator.stream(block_rows), math.ceil(n_rows / block_rows)))
    assert {block.n_rows for block in blocks} == {block_rows}
    np.testing.assert_array_equal(joined(blocks)[:, :n_rows], numbers(generator.table(n_rows)))


@every_case
def test_rows_can_be_asked_for_from_anywhere(generator: Generator) -> None:
    n_rows = several_blocks(generator)
    whole = numbers(generator.table(n_rows))
    for start, stop in [(0, n_rows), (0, 0), (3, 3), (3, 12), (generator._block_rows - 5, n_rows - 1)]:
        np.testing.assert_array_equal(numbers(generator.rows(start, stop)), whole[:, start:stop])


@every_case
def test_far_rows_do_not_need_those_before_them(generator: Generator, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = counted_draws(generator, monkeypatch)
    far = numbers(generator.rows(10**9 - 5, 10**9 + 10))
    assert len(drawn) <= 2
    np.testing.assert_array_equal(far[:, 5:], numbers(generator.rows(10**9, 10**9 + 10)))
    assert generator.rows(2**53 - 3, 2**53).n_rows == 3


def test_small_tables_of_a_stream_share_a_block(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = counted_draws(Rings(), monkeypatch)
    list(itertools.islice(Rings().stream(10), 600))
    assert drawn == [0, 4096]


def counted_draws(generator: Generator, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The first row number of every block that is drawn from now on."""
    drawn: list[int] = []
    draw = type(generator)._draw

    def counting(self: Generator, random: np.random.Generator, rows: NDArray[np.int64]) -> Drawn:
        drawn.append(int(rows[0]))
        return draw(self, random, rows)

    monkeypatch.setattr(type(generator), "_draw", counting)
    return drawn


@pytest.mark.parametrize("generator", [case for case in CASES if case != TwoSpirals()], ids=short)
def test_a_seed_decides_about_the_rows(generator: Generator) -> None:
    here, again = numbers(generator.table(50)), numbers(replace(generator).table(50))
    np.testing.assert_array_equal(here, again)
    assert not np.array_equal(here, numbers(replace(generator, seed=1).table(50)))


@pytest.mark.parametrize("kind", GENERATORS, ids=short)
def test_columns_have_names_kinds_and_roles(kind: type[Generator]) -> None:
    table = kind().table(20)
    assert (table.name, table.n_rows) == (kind.title, 20)
    assert (table.names, table.roles) == LAYOUTS[kind]
    assert table.kinds == tuple("nominal" if name == "class" else "numeric" for name in table.names)


@every_case
def test_values_are_finite_and_codes_have_labels(generator: Generator) -> None:
    table = generator.table(several_blocks(generator))
    assert np.isfinite(numbers(table)).all()
    if "class" in table.names:
        codes = table["class"].values
        assert codes.dtype == np.int32
        assert set(codes.tolist()) == set(range(len(table["class"].labels)))


@every_case
def test_settings_survive_as_json_and_in_another_process(generator: Generator) -> None:
    generator.table(1)
    assert type(generator)(**json.loads(json.dumps(asdict(generator)))) == generator
    assert pickle.loads(pickle.dumps(generator)) == generator


@pytest.mark.parametrize("kind", GENERATORS, ids=short)
def test_settings_are_the_fields_with_words_for_a_user(kind: type[Generator]) -> None:
    made = kind()
    assert [declared.name for declared in kind.settings()] == [field.name for field in fields(kind)]
    assert all(getattr(made, declared.name) == declared.default for declared in kind.settings())
    assert all(declared.label and declared.help for declared in kind.settings())
    assert kind.description.endswith(".")


@every_setting
def test_both_limits_of_a_setting_work(kind: type[Generator], declared: Setting | Choice) -> None:
    for limit in declared.choices if isinstance(declared, Choice) else (declared.low, declared.high):
        chosen: dict[str, Any] = {declared.name: limit}
        table = kind(**chosen).table(3)
        assert np.isfinite(numbers(table)).all()
        assert table.n_rows == 3


@every_setting
def test_every_setting_changes_the_rows(kind: type[Generator], declared: Setting | Choice) -> None:
    other = declared.choices[-1] if isinstance(declared, Choice) else declared.high
    usual: dict[str, Any] = NEEDS.get((kind, declared.name), {})
    changed: dict[str, Any] = usual | {declared.name: other}
    start, stop = 1_234_567_890, 1_234_567_950
    before = numbers(kind(**usual).rows(start, stop))
    assert not np.array_equal(before, numbers(kind(**changed).rows(start, stop)))


@every_setting
def test_nonsense_is_refused_with_its_name_value_and_remedy(kind: type[Generator], declared: Setting | Choice) -> None:
    for value in nonsense(declared):
        chosen: dict[str, Any] = {declared.name: value}
        with pytest.raises(SourceError) as refused:
            kind(**chosen)
        text = str(refused.value)
        assert text.startswith(f"{kind.title}: {declared.name} = {repr(value)[:50]}")
        allowed = declared.choices if isinstance(declared, Choice) else [declared.limits]
        assert all(words in text for words in allowed)


def nonsense(declared: Setting | Choice) -> list[object]:
    if isinstance(declared, Choice):
        return [True, None, 3, math.nan, "nonsense", ""]
    wrong: list[object] = [True, None, "3", [3], 3j, math.nan, math.inf, -math.inf, 10**400]
    wrong += [np.nextafter(declared.low, -math.inf), declared.high * 1.001]
    return wrong + ([declared.low + 0.5] if declared.whole else [])


def test_whole_and_numpy_numbers_become_plain_ones() -> None:
    blobs = GaussianBlobs(clusters=np.int64(3), dimensions=4.0, separation=np.float32(2))  # type: ignore[arg-type]
    assert [type(value) for value in asdict(blobs).values()] == [int, int, int, float, float]
    assert blobs == GaussianBlobs(clusters=3, dimensions=4, separation=2.0)


@pytest.mark.parametrize(
    ("wrong", "name"),
    [
        (lambda: Rings().table(-1), "n_rows = -1"),
        (lambda: Rings().table(2.5), "n_rows = 2.5"),  # type: ignore[arg-type]
        (lambda: Rings().rows(-1, 5), "start = -1"),
        (lambda: Rings().rows(5, 3), "stop = 3 is outside the range from 5 to"),
        (lambda: Rings().stream(0), "block_rows = 0"),
        (lambda: Rings().table(2**52), "Rings: 4,503,599,627,370,496 rows do not fit into memory"),
        (lambda: BirthsAndDeaths().living(5, 5), "stop = 5 is outside the range from 6 to"),
    ],
)
def test_rows_that_cannot_be_are_refused_at_once(wrong: Any, name: str) -> None:
    with pytest.raises(SourceError, match=name):
        wrong()


def test_constants_and_first_rows_have_random_numbers_of_their_own() -> None:
    assert random_stream(0, CONSTANTS).random() != random_stream(0, ROWS, 0).random()


# What each of them promises.


def test_blobs_are_as_far_apart_and_as_correlated_as_set() -> None:
    blobs = GaussianBlobs(clusters=4, dimensions=2, separation=5.0, correlation=0.7)
    table = blobs.table(60_000)
    assert smallest_gap(class_means(table)) == pytest.approx(5, abs=0.1)
    for code in range(4):
        own = points(table)[table["class"].values == code]
        assert np.corrcoef(own.T)[0, 1] == pytest.approx(0.7, abs=0.03)
        np.testing.assert_allclose(own.std(axis=0), 1, atol=0.03)


@pytest.mark.parametrize("clusters", [1, 2, 50])
@pytest.mark.parametrize("dimensions", [1, 2, 200])
def test_nearest_centres_are_exactly_the_separation_apart(clusters: int, dimensions: int) -> None:
    found = smallest_gap(GaussianBlobs(clusters=clusters, dimensions=dimensions, separation=3.0).centres)
    assert found == (math.inf if clusters == 1 else pytest.approx(3))


@pytest.mark.parametrize("dimensions", [2, 37, 100])
@pytest.mark.parametrize("condition", [1.0, 1e3, 1e8])
def test_the_population_covariance_has_the_chosen_spectrum(dimensions: int, condition: float) -> None:
    wide = WideGaussian(dimensions=dimensions, condition=condition)
    spread = np.linalg.svd(wide.coloured(np.eye(dimensions)), compute_uv=False)
    np.testing.assert_allclose(np.sort(spread**2), np.geomspace(1, condition, dimensions), rtol=1e-9)


def test_rows_of_a_wide_gaussian_have_the_population_covariance_and_mixed_columns() -> None:
    wide = WideGaussian(dimensions=20, condition=100.0)
    factor = wide.coloured(np.eye(20))
    population = factor.T @ factor
    found = np.cov(numbers(wide.table(50_000)))
    np.testing.assert_allclose(found, population, atol=0.05 * population.max())
    scale = np.sqrt(np.diag(population))
    assert np.abs(population / np.outer(scale, scale) - np.eye(20)).mean() > 0.1


def test_the_widest_gaussian_needs_no_square_matrix() -> None:
    tracemalloc.start()
    try:
        WideGaussian(dimensions=3072).rows(0, 10)
        assert tracemalloc.get_traced_memory()[1] < 3072 * 3072 * 8 / 3
    finally:
        tracemalloc.stop()


def test_the_original_spirals_are_those_of_1988() -> None:
    expected = []
    for i in range(97):
        angle, radius = i * math.pi / 16, 6.5 * (104 - i) / 104
        x, y = radius * math.sin(angle), radius * math.cos(angle)
        expected += [(x, y, 0), (-x, -y, 1)]
    found = numbers(TwoSpirals().table(400)).T
    np.testing.assert_allclose(found[:194], expected, atol=1e-14)
    assert len({tuple(row) for row in found[:194].tolist()}) == 194
    np.testing.assert_array_equal(found[194:388], found[:194])
    np.testing.assert_array_equal(found, numbers(TwoSpirals(seed=9).table(400)).T)


def test_dense_spirals_lie_evenly_on_the_curve() -> None:
    table = replace(DENSE, noise=0.0).table(20_000)
    place = points(table) * (1 - 2 * table["class"].values)[:, np.newaxis]
    where = 104 * (1 - np.linalg.norm(place, axis=1) / 6.5)
    np.testing.assert_allclose(np.arctan2(*place.T) % (2 * np.pi), where * np.pi / 16 % (2 * np.pi), atol=1e-6)
    # The length from the outside up to i grows nearly as i - i² / 208, the area of the turns.
    share = (where - where**2 / 208) / (96 - 96**2 / 208)
    np.testing.assert_allclose(np.quantile(share, [0.1, 0.25, 0.5, 0.75, 0.9]), [0.1, 0.25, 0.5, 0.75, 0.9], atol=0.02)


def test_noise_is_added_to_the_spirals() -> None:
    off = numbers(TwoSpirals(noise=0.3).table(20_000))[:2] - numbers(TwoSpirals().table(20_000))[:2]
    assert off.std() == pytest.approx(0.3, rel=0.03)


def test_rings_have_the_radius_of_their_number() -> None:
    table = Rings(rings=4, noise=0.0).table(1000)
    np.testing.assert_allclose(np.linalg.norm(points(table), axis=1), table["class"].values + 1)
    noisy = Rings(rings=4, noise=0.2).table(20_000)
    off = np.linalg.norm(points(noisy), axis=1) - noisy["class"].values - 1
    assert off[noisy["class"].values == 3].std() == pytest.approx(0.2, rel=0.05)


def test_moons_are_half_circles_that_reach_into_each_other() -> None:
    table = TwoMoons(noise=0.0).table(1000)
    upper = points(table)[table["class"].values == 0]
    lower = points(table)[table["class"].values == 1] - [1, 0.5]
    np.testing.assert_allclose(np.linalg.norm(np.vstack([upper, lower]), axis=1), 1)
    assert upper[:, 1].min() >= 0 >= lower[:, 1].max()


def test_sine_follows_its_frequency_width_and_noise() -> None:
    x, y = numbers(SineRegression(frequency=3.0, width=7.0, noise=0.2).table(20_000))
    assert (y - np.sin(3 * x)).std() == pytest.approx(0.2, rel=0.03)
    assert 0 <= x.min() < 0.01
    assert 6.99 < x.max() <= 7


def test_the_hand_is_where_the_angles_put_it() -> None:
    angle_1, angle_2, x, y = numbers(RobotArm(upper_arm=2.0, forearm=0.5).table(1000))
    np.testing.assert_allclose(x + 1j * y, 2 * np.exp(1j * angle_1) + 0.5 * np.exp(1j * (angle_1 + angle_2)))


def test_the_inverse_task_asks_for_the_angles_and_has_two_answers() -> None:
    forward, inverse = RobotArm().table(20_000), RobotArm(task="inverse").table(20_000)
    assert [column.name for column in inverse.targets] == ["angle 1", "angle 2"]
    np.testing.assert_array_equal(numbers(inverse), numbers(forward)[[2, 3, 0, 1]])
    hand, elbow = points(inverse), inverse["angle 2"].values
    near = np.linalg.norm(hand - [0.3, 1.2], axis=1) < 0.1
    assert (elbow[near] > 1).any()
    assert (elbow[near] < -1).any()


def test_uniform_noise_fills_the_cube_and_columns_know_nothing_of_each_other() -> None:
    found = numbers(UniformNoise(dimensions=3).table(20_000))
    np.testing.assert_allclose(np.quantile(found, [0, 0.25, 0.75, 1], axis=1).T, [[0, 0.25, 0.75, 1]] * 3, atol=0.02)
    assert np.abs(np.corrcoef(found) - np.eye(3)).max() < 0.03


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("classes", [2, 3, 10])
def test_abrupt_drift_moves_every_class_far_at_once(seed: int, classes: int) -> None:
    drift = ConceptDrift(seed=seed, classes=classes, period=3000)
    early, late, after = (class_means(drift.rows(*ends)) for ends in [(0, 1500), (1500, 3000), (3000, 4500)])
    assert np.linalg.norm(late - early, axis=1).max() < 1
    assert np.linalg.norm(after - late, axis=1).min() > 3
    assert smallest_gap(late) > 2


def test_recurring_drift_returns() -> None:
    drift = ConceptDrift(drift="recurring", concepts=3, period=3000)
    first, second, third, again = (class_means(drift.rows(start, start + 3000)) for start in range(0, 12_000, 3000))
    assert np.linalg.norm(again - first, axis=1).max() < 0.3
    assert min(np.linalg.norm(other - first, axis=1).min() for other in (second, third)) > 3


def test_gradual_drift_mixes_the_new_concept_in_over_the_window() -> None:
    drift = ConceptDrift(drift="gradual", period=10_000, window=0.5)
    table = drift.table(20_000)
    old, new = (
        np.linalg.norm(points(table) - centres(0, concept, 3)[table["class"].values], axis=1) for concept in (0, 1)
    )
    share = (new < old).reshape(-1, 1000).mean(axis=1)
    np.testing.assert_allclose(share[:15], [0] * 5 + [0.1, 0.3, 0.5, 0.7, 0.9] + [1] * 5, atol=0.05)


@pytest.mark.parametrize("clusters", [2, 3, 6, 20])
@pytest.mark.parametrize("start", [0, 10**12])
def test_from_two_to_all_clusters_live_at_any_time(clusters: int, start: int) -> None:
    living = BirthsAndDeaths(clusters=clusters, lifetime=200).living(start, start + 100_000)
    assert living.min() >= 2
    assert living.max() <= clusters
    assert len(set(living.tolist())) == 1 if clusters == 2 else living.min() < living.max()
    # As many as that are alive on average exactly if lives last as long as set.
    assert living.mean() == pytest.approx((clusters + 2) / 2, rel=0.05)


def test_clusters_are_born_fade_and_vanish_while_others_live() -> None:
    codes = BirthsAndDeaths(lifetime=2000).table(100_000)["class"].values.reshape(-1, 100)
    present = np.array([(codes == code).sum(axis=1) for code in range(6)])
    assert ((present > 0).sum(axis=0) >= 2).all()
    assert (present == 0).any(axis=1).all()
    births = np.diff((present > 0).astype(int), axis=1)
    assert ((births == 1).sum(axis=1) > 20).all()
    # A birth is sudden, and a death a fading: the last hundred rows hold fewer of a cluster than the first.
    first, last = present[:, 1:][births == 1], present[:, :-1][births == -1]
    assert last.mean() < first.mean() / 2


def test_clusters_that_live_together_are_apart_and_move_a_little() -> None:
    generator = BirthsAndDeaths(clusters=6, lifetime=4000)
    for start in range(0, 50_000, 500):
        table = generator.rows(start, start + 200)
        codes, means = table["class"].values, {}
        for code, count in zip(*np.unique(codes, return_counts=True), strict=True):
            if count >= 15:
                own = points(table)[codes == code]
                assert own.std(axis=0).max() < 0.7
                means[code] = own.mean(axis=0)
        assert smallest_gap(np.array(list(means.values()))) > 1.7
    early, late = (class_means(BirthsAndDeaths(clusters=2).rows(*ends)) for ends in [(0, 500), (1500, 2000)])
    assert 0.05 < np.linalg.norm(late - early, axis=1).max() < 0.8


def test_the_stand_in_has_the_shape_of_cifar_10_and_says_that_it_is_not() -> None:
    table = CifarStandIn().table(300)
    pixels, classes = table.columns[:-1], table["class"]
    assert len(pixels) == 3072
    assert {column.values.dtype for column in pixels} == {np.dtype(np.uint8)}
    assert len(classes.labels) == 10
    said = (CifarStandIn.title, CifarStandIn.description, table.name, table.notes[0], *classes.labels)
    assert all("stand-in" in text for text in said)


def test_pixels_of_the_stand_in_use_the_bytes_and_resemble_their_neighbours() -> None:
    images = numbers(CifarStandIn().table(300))[:-1].T.reshape(300, 3, 32, 32).astype(float)
    assert images.min() == 0
    assert images.max() == 255
    assert 30 < images.std(axis=0).mean() < 80

    def likeness(some: NDArray[np.float64], others: NDArray[np.float64]) -> float:
        return float(np.corrcoef(some.ravel(), others.ravel())[0, 1])

    across, down = likeness(images[..., 1:], images[..., :-1]), likeness(images[..., 1:, :], images[..., :-1, :])
    assert min(across, down) > 0.7 > likeness(images[..., 16:], images[..., :16]) + 0.3
    assert likeness(images[:, 0], images[:, 1]) > 0.5


def test_bytes_of_the_stand_in_stop_at_their_limits_instead_of_starting_over() -> None:
    images = numbers(CifarStandIn(grain=0.0).table(300))[:-1].T.reshape(300, 3, 32, 32).astype(float)
    assert {0.0, 255.0} <= set(images.ravel().tolist())
    assert np.abs(np.diff(images)).max() < 150


def test_classes_of_the_stand_in_differ_as_much_as_set() -> None:
    def between(separation: float) -> float:
        table = CifarStandIn(separation=separation).table(400)
        values, codes = numbers(table)[:-1].T.astype(float), table["class"].values
        return float(np.std([values[codes == code].mean(axis=0) for code in range(10)], axis=0).mean())

    assert between(0.0) < 12
    assert between(1.0) > 25
