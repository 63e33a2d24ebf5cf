"""Files: what is saved comes back bit for bit, and whatever else is read is refused with a reason."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from figmn import IGMN, FastIGMN, FileFormatError, Parameters, load, save
from figmn.engine import Engine
from figmn.params import NEUTRAL
from figmn.storage import DIGEST_SIZE, LENGTHS, MAGIC, VERSION, pieces_of, snapshot_of, write_pieces
from tests.figmn.test_engine import assert_same, blobs, both_engines, few_and_many_columns


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "model.figmn"


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("saved") / "model.figmn"
    save(FastIGMN(0.3, 0.01, columns=["a", "b", "c"]).learn(blobs()), path)
    return path.read_bytes()


@both_engines
@pytest.mark.parametrize("rule", ["exact", "published"])
@pytest.mark.parametrize("running", [True, False])
@few_and_many_columns
def test_learning_goes_on_bit_for_bit(
    engine: type[Engine], rule: str, running: bool, n_features: int, path: Path
) -> None:
    rows = blobs(n_features)
    scale = None if running else rows.std(axis=0)
    names = tuple(f"größe {column}" for column in range(n_features))
    model = engine(0.3, 0.01, 20, 2, rule, scale, columns=names).learn(rows[:90])
    save(model, path)
    loaded = load(path)
    assert issubclass(engine, type(loaded))
    assert loaded.parameters == model.parameters
    assert loaded.columns == names
    assert_same(loaded.learn(rows[90:]), model.learn(rows[90:]))
    assert loaded.learn_one(rows[0]).born == model.learn_one(rows[0]).born


def test_solver_infinite_limits_snapshots_and_empty_models_come_back(path: Path) -> None:
    save(IGMN(v_min=np.inf, solver="inverse").learn([[1, 2]]).snapshot(), path)
    loaded = load(path)
    assert isinstance(loaded, IGMN)
    assert (loaded.solver, loaded.parameters.v_min) == ("inverse", np.inf)
    save(FastIGMN(), path)
    assert load(path).learn([[1.0, 2.0]]).n_components == 1


def test_every_changed_byte_is_noticed(saved: bytes, path: Path) -> None:
    for place in [*range(400), *range(400, len(saved), 37), len(saved) - 1]:
        damaged = bytearray(saved)
        damaged[place] ^= 1 << (place % 8)
        path.write_bytes(damaged)
        with pytest.raises(FileFormatError):
            load(path)


def test_a_mature_component_of_many_columns_comes_back(path: Path) -> None:
    rows = np.random.default_rng(0).normal(size=(400, 270))
    model = FastIGMN(1, 0).learn(rows[:300])
    assert model.snapshot().forms[0].matrix is not None
    save(model, path)
    assert_same(load(path).learn(rows[300:]), model.learn(rows[300:]))


def test_every_cut_is_noticed(saved: bytes, path: Path) -> None:
    for length in [*range(200), *range(200, len(saved), 41), len(saved) - 1]:
        path.write_bytes(saved[:length])
        with pytest.raises(FileFormatError, match="truncated"):
            load(path)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(noise=st.binary(max_size=300), start=st.integers(0, 1700), magic=st.booleans())
def test_noise_raises_nothing_else(saved: bytes, path: Path, noise: bytes, start: int, magic: bool) -> None:
    path.write_bytes(MAGIC + noise if magic else saved[:start] + noise + saved[start + len(noise) :])
    try:
        load(path)
    except FileFormatError:
        return
    assert path.read_bytes() == saved


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(place=st.integers(0), value=st.integers(0, 255))
def test_even_with_a_matching_checksum_only_models_are_read(saved: bytes, path: Path, place: int, value: int) -> None:
    forged = bytearray(saved[:-DIGEST_SIZE])
    forged[LENGTHS.size + place % (len(forged) - LENGTHS.size)] = value
    path.write_bytes(bytes(forged) + hashlib.sha256(forged).digest())
    try:
        model = load(path)
    except FileFormatError:
        return
    assert isinstance(model, FastIGMN)


def forged(header: Any, payload: bytes = b"", version: int = VERSION) -> bytes:
    encoded = header if isinstance(header, bytes) else json.dumps(header).encode()
    body = LENGTHS.pack(MAGIC, version, len(encoded), len(payload)) + encoded + payload
    return body + hashlib.sha256(body).digest()


HEADER: dict[str, Any] = {
    "engine": "FastIGMN", "parameters": {}, "solver": None, "columns": None, "n_features": 0, "n_components": 0,
    "n_seen": 0, "next_id": 0, "n_indefinite": 0, "n_regularized": 0, "warned": False, "scaled": False, "forms": [],
}  # fmt: skip


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "truncated"),
        (b"PK\x03\x04 something else", "foreign"),
        (b"\x80\x04\x95 a pickle", "foreign"),
        (forged(HEADER, version=VERSION + 1), r"newer version \(file format 5, this one reads up to 4\): update"),
        (forged(b"[" * 100_000), "damaged"),
        (forged(b"not json"), "damaged"),
        (forged([]), "damaged"),
        (forged({}), "damaged"),
        (forged(HEADER | {"engine": "os.system"}), "engine 'os.system' with solver None is not known"),
        (forged(HEADER | {"parameters": {"beta": 7}}), "beta = 7"),
        (forged(HEADER | {"parameters": {"exec": "1"}}), "damaged"),
        (forged(HEADER | {"n_features": -1}), "n_features = -1 is not a count"),
        (forged(HEADER | {"n_features": 2**60, "n_components": 2**60}), "does not fit"),
        (forged(HEADER | {"columns": ["a"]}), "1 names for 0 columns"),
        (forged(HEADER | {"solver": "quick"}), "quick"),
        (forged(HEADER, b"12345678"), "8 bytes are left over"),
    ],
)
def test_the_reason_is_named(content: bytes, reason: str, path: Path) -> None:
    path.write_bytes(content)
    with pytest.raises(FileFormatError, match=reason) as caught:
        load(path)
    assert str(path) in str(caught.value)


HOSTILE: list[Any] = [
    None, True, -1, 0, 1, 3, 2**62, 10**400, 0.5, float("nan"), float("inf"), "", "FastIGMN", "IGMN", "cholesky", [],
    [[]], [None], ["a", "b", "c"], {}, {"beta": []}, {"rows": 1}, [{"rows": 10**9, "mature": 1, "scale": "x"}],
]  # fmt: skip


def test_a_header_of_hostile_values_raises_nothing_else(saved: bytes, path: Path) -> None:
    size = LENGTHS.unpack_from(saved)[2]
    header = json.loads(saved[LENGTHS.size : LENGTHS.size + size])
    payload = saved[LENGTHS.size + size : -DIGEST_SIZE]
    for key in header:
        for value in HOSTILE:
            path.write_bytes(forged(header | {key: value}, payload))
            assert _is_model_or_refused(path), (key, value)


def _is_model_or_refused(path: Path) -> bool:
    try:
        return bool(load(path).means.shape)
    except FileFormatError as error:
        return len(str(error)) < 1000


def test_a_well_formed_forgery_is_the_measure_of_the_others(path: Path) -> None:
    path.write_bytes(forged(HEADER))
    assert load(path).n_seen == 0


def test_a_failed_save_leaves_the_old_file_and_no_other(saved: bytes, path: Path, monkeypatch: Any) -> None:
    path.write_bytes(saved)

    def full_disk(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("figmn.system.files.os.fsync", full_disk)
    with pytest.raises(OSError, match=r"cannot be written \(the disk is full\): make room"):
        save(FastIGMN().learn([[1.0]]), path)
    assert path.read_bytes() == saved
    assert list(path.parent.iterdir()) == [path]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target.figmn", tmp_path / "link.figmn"
    link.symlink_to(target)
    save(FastIGMN().learn([[1.0]]), link)
    assert link.is_symlink()
    assert load(target).n_seen == 1


GOLDEN = Path(__file__).parent / "golden"
WRITTEN: dict[str, dict[str, Any]] = json.loads((GOLDEN / "version-1.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", WRITTEN)
def test_files_of_version_1_are_read(name: str) -> None:
    """Written by the last program that kept precisions under the exact rule, with what it said of its models."""
    expected, model = WRITTEN[name], load(GOLDEN / f"{name}.figmn")
    rows = np.array(expected["rows"])
    question = rows[:3].copy()
    question[:, 1] = np.nan
    assert (model.n_components, model.n_seen) == (expected["K"], expected["n_seen"])
    np.testing.assert_allclose(model.means[:, :3], expected["means"], rtol=1e-12)
    np.testing.assert_allclose(model.covariances[:, :3, :3], expected["covariances"], rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(model.log_determinants, expected["log_determinants"], rtol=1e-9)
    np.testing.assert_allclose(model.accumulators, expected["accumulators"], rtol=1e-12)
    np.testing.assert_allclose(model.score_samples(rows[:3]), expected["scores"], rtol=1e-8)
    np.testing.assert_allclose(model.recall(question)[:, 1], expected["recalled"], rtol=1e-8)
    further = model if isinstance(model, FastIGMN) else FastIGMN.from_snapshot(model.snapshot())
    assert further.learn_one(rows[3]).log_likelihood == pytest.approx(expected["next_log_likelihood"], rel=1e-8)


@pytest.mark.parametrize("name", [*WRITTEN, "version-2-young"])
def test_a_model_of_before_is_the_papers_whatever_the_defaults_are(name: str) -> None:
    values = asdict(load(GOLDEN / f"{name}.figmn").parameters)
    assert {name: values[name] for name in NEUTRAL} == NEUTRAL


def test_what_the_paper_does_not_have_comes_back(path: Path) -> None:
    given = Parameters(prior_count=2.5, memory=500, max_components=20, merge_below=0.1)
    save(FastIGMN(**asdict(given)), path)
    assert load(path).parameters == given


def test_a_converted_young_component_is_young_still() -> None:
    model = load(GOLDEN / "exact-young.figmn")
    (form,) = model.snapshot().forms
    assert (form.matrix, form.count) == (None, 4)


def test_files_of_version_2_are_read() -> None:
    rows = np.round(np.random.default_rng(0).normal(size=(8, 260)) * 64) / 64
    model = load(GOLDEN / "version-2-young.figmn")
    again = FastIGMN(1.0, 0.0, scale=np.ones(260), **NEUTRAL).learn(rows[:6])
    assert model.n_seen == 6
    np.testing.assert_allclose(model.score_samples(rows), again.score_samples(rows), rtol=1e-12)
    np.testing.assert_allclose(model.learn(rows[6:]).means, again.learn(rows[6:]).means, rtol=1e-12)


def test_what_a_program_keeps_about_a_model_is_beside_it(path: Path) -> None:
    model, about = FastIGMN(0.3, 0.01).learn(blobs()), {"columns": ["größe", None, 1.5], "nested": {"a": [True]}}
    write_pieces(path, pieces_of(model, about))
    snapshot, found = snapshot_of(path.read_bytes(), "model.figmn")
    assert found == about
    assert_same(load(path), model)
    np.testing.assert_array_equal(snapshot.means, model.means)
    save(model, path)
    assert snapshot_of(path.read_bytes(), "model.figmn")[1] is None
