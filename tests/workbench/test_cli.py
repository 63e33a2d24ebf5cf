"""The command line, as a person uses it."""

from __future__ import annotations

import csv
import json
import math
import re
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from figmn import Parameters, load
from figmn.params import DELTA, NEUTRAL
from workbench import cli
from workbench.commands import load as load_benchmark
from workbench.commands import race as race_benchmark
from workbench.commands import race_window as race_window_benchmark
from workbench.commands import rows as rows_benchmark
from workbench.commands import window as window_benchmark
from workbench.evaluate.speed.sets import SETS
from workbench.evaluate.speed.tables import measure_tables
from workbench.run import Choices, FileOrigin, GeneratorOrigin, Recipe, SampleOrigin, run
from workbench.run.race.settings import RaceSettings
from workbench.source import Order, ReadOptions
from workbench.source.generators import TwoSpirals
from workbench.views.look.theme import DARK
from workbench.window.settings import FILE_VARIABLE


@pytest.fixture
def unseen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """No display, settings and a folder of our own."""
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    monkeypatch.setenv(FILE_VARIABLE, str(tmp_path / "settings.ini"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def table_of(text: str) -> list[list[str]]:
    """Samples, µs median, µs p99, engine s, CPU s, K and memory of both engines."""
    return [line.split()[-7:] for line in text.splitlines() if re.match(r"(Fast IGMN|IGMN \(\w+\)) +\d", line)]


@pytest.mark.usefixtures("qapp")
def test_without_a_display_the_demo_runs_unseen(unseen: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--size", "1300x820", "--theme", "dark"]) == 0
    out = capsys.readouterr().out
    fast, cubic = table_of(out)
    assert fast[0] == cubic[0] == "2,000"
    assert int(fast[5]) == int(cubic[5]) >= 2
    assert "parity holds: the same decisions over 2,000 samples" in out
    assert "20,000 samples learned in the window" in out
    picture = QImage(str(unseen / "workbench.png"))
    assert (picture.width(), picture.height()) == (1300, 820)
    assert picture.pixelColor(2, 300).name() == DARK.panel


@pytest.mark.usefixtures("qapp")
def test_a_recipe_is_pictured_and_tabled(unseen: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recipe = unseen / "iris.json"
    Recipe(SampleOrigin("iris")).to_json(recipe)
    assert cli.main(["--recipe", str(recipe), "--screenshot", "iris.png"]) == 0
    assert "150 samples learned" in capsys.readouterr().out
    assert (unseen / "iris.png").stat().st_size > 10_000


@pytest.mark.usefixtures("qapp")
def test_a_recipe_that_cannot_run_ends_with_its_reason(unseen: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recipe = unseen / "gone.json"
    Recipe(FileOrigin("gone.csv")).to_json(recipe)
    assert cli.main(["--recipe", str(recipe)]) == 1
    assert "gone.csv" in capsys.readouterr().out


@pytest.fixture
def two_spirals(tmp_path: Path) -> Path:
    Recipe(GeneratorOrigin(TwoSpirals(), 194)).to_json(tmp_path / "spirals.json")
    return tmp_path / "spirals.json"


def test_a_width_is_suggested_and_used(two_spirals: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = two_spirals.with_name("spirals.figmn")
    assert cli.main(["run", str(two_spirals), "--suggest", "--model", str(model)]) == 0
    out = capsys.readouterr().out
    found = re.search(r"δ = ([\d.]+) suggested\. .*194 rows", out)
    assert found
    assert load(model).parameters.delta == float(found[1]) < DELTA.default_for(4)


def test_a_width_is_given_or_suggested(two_spirals: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["run", str(two_spirals), "--suggest", "--delta", "0.1"]) == 1
    assert "give one of them" in capsys.readouterr().err


@pytest.mark.parametrize(("option", "labels"), [([], ["'=1+1", "-1", "'+1"]), (["--raw-csv"], ["=1+1", "-1", "+1"])])
def test_labels_are_neutral_in_csv_unless_raw_is_wished(option: list[str], labels: list[str], tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("x,class\n1,=1+1\n3,-1\n5,+1\n", encoding="utf-8")
    recipe, log = tmp_path / "r.json", tmp_path / "log.csv"
    Recipe(FileOrigin("x.csv", ReadOptions(kinds={"class": "nominal"}))).to_json(recipe)
    assert cli.main(["run", str(recipe), "--csv", str(log), *option]) == 0
    with log.open(encoding="utf-8", newline="") as file:
        assert [line["label"] for line in csv.DictReader(file)] == labels


def test_run_is_the_headless_twin(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recipe, model, log = tmp_path / "recipe.json", tmp_path / "iris.figmn", tmp_path / "log.csv"
    made = Recipe(SampleOrigin("iris"), order=Order("shuffled"), test_share=0.2)
    made.to_json(recipe)
    assert cli.main(["run", str(recipe), "--model", str(model), "--csv", str(log)]) == 0
    out = capsys.readouterr().out
    expected = run(made)
    assert f"samples 120   K {expected.model.n_components}" in out
    assert f"δ automatic ({DELTA.default_for(expected.model.n_features):.3g}) · " in out
    assert expected.held_out is not None
    _, of_all, of_inputs = expected.held_out
    assert of_inputs is not None
    assert f"held-out log-likelihood {of_all:.4f} per sample, inputs and targets; " in out
    assert f"{of_inputs:.4f}, inputs only (30 rows)" in out
    assert load(model).means.tolist() == expected.model.means.tolist()
    assert len(log.read_text(encoding="utf-8").splitlines()) == 121


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["run", "no.json"], "'no.json' does not exist: give a file that exists"),
        (["--size", "big"], "'big' is not a size: give one such as 1280x800"),
        (["--size", "20x20"], "'20x20' is not a size"),
        (["--screenshot", "a.txt"], "'a.txt' is not a picture: give a name that ends with .png"),
        (["--screenshot", "no/such/a.png"], "cannot be written"),
        (["--theme", "pink"], "invalid choice: 'pink'"),
        (["--recipe", "no.json"], "'no.json' does not exist"),
        (["--recipe", "n\0.json"], "does not exist"),
        (["--open", "/"], "/ is a folder. Choose a file in it."),
        (["run", "/dev/null"], "null is a device. Choose a file with rows and columns."),
    ],
)
def test_wrong_options_are_named(arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        cli.main(arguments)
    assert complaint in capsys.readouterr().err


def test_run_takes_other_hyper_parameters_than_the_recipe(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recipe = Recipe(SampleOrigin("iris"), choices=Choices(Parameters(delta=0.7)))
    recipe.changed(30, Parameters(beta=0.2, v_min=9)).to_json(tmp_path / "r.json")
    flags = ["--delta", "automatic", "--beta", "0.01", "--v-min", "never", "--covariance", "published"]
    flags += ["--prior-count", "1", "--memory", "500", "--max-components", "20", "--merge-below", "0"]
    assert cli.main(["run", str(tmp_path / "r.json"), "--max-components", "none", "--memory", "For ever"]) == 0
    assert "K_max" not in capsys.readouterr().out
    assert cli.main(["run", str(tmp_path / "r.json"), *flags, "--model", str(tmp_path / "m.figmn")]) == 0
    expected = "iris · δ automatic (0.58) · β 0.01 · v_min never · sp_min 3 · memory 500 · K_max 20 · published"
    assert expected in capsys.readouterr().out
    given = NEUTRAL | {"memory": 500, "max_components": 20}
    assert load(tmp_path / "m.figmn").parameters == Parameters(0.58, 0.01, math.inf, 3, "published", **given)


@pytest.mark.parametrize(
    ("flags", "complaint"),
    [
        (["--beta", "1.5"], "beta = 1.5 is outside the range from 0 to 1"),
        (["--sp-min", "never"], "sp_min = 'never' is not a number"),
        (["--max-components", "2.5"], "max_components = 2.5 is not whole: give a whole number from 1 upwards"),
        (["--memory", "1"], "memory = 1.0 is outside the range from 10 upwards"),
        (["--prior-count", "for ever"], "prior_count = 'for ever' is not a number"),
        (["--merge-below", "nan"], "merge_below = nan is outside the range from 0 to 1,000,000"),
        (["--covariance", "best"], "covariance = 'best' is not known: choose 'exact' or 'published'"),
    ],
)
def test_run_refuses_hyper_parameters_that_are_not_allowed(
    flags: list[str], complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Recipe(SampleOrigin("iris")).to_json(tmp_path / "r.json")
    with pytest.raises(SystemExit):
        cli.main(["run", str(tmp_path / "r.json"), *flags])
    assert complaint in capsys.readouterr().err


def test_run_says_what_is_wrong_with_a_recipe(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, model = tmp_path / "bad.json", tmp_path / "model.figmn"
    path.write_text(
        '{"format": "figmn recipe", "version": 1, "data": {"origin": {"kind": "sample"}}}', encoding="utf-8"
    )
    assert cli.main(["run", str(path), "--model", str(model)]) == 1
    assert "bad.json, data.origin.name is missing. Add it." in capsys.readouterr().err
    assert not model.exists()


def test_an_error_without_words_gets_some(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(cli, "run", full)
    recipe = tmp_path / "iris.json"
    Recipe(SampleOrigin("iris")).to_json(recipe)
    assert cli.main(["run", str(recipe)]) == 1
    assert "Not enough memory: close other programs" in capsys.readouterr().err


def test_a_wrong_word_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        cli.main(["--fast"])
    assert "--fast" in capsys.readouterr().err


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        cli.main(["--version"])
    assert capsys.readouterr().out.startswith("figmn-workbench 0.")


def test_bench_prints_and_writes_what_it_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = {"json": tmp_path / "times.json", "csv": tmp_path / "times.csv"}
    options = [
        "--dims",
        "2,3,5",
        "--samples",
        "40",
        "--components",
        "2",
        "--repeats",
        "2",
        "--engines",
        "fast,cholesky",
    ]
    assert cli.main(["bench", *options, *(f"--{kind}={path}" for kind, path in files.items())]) == 0
    out = capsys.readouterr().out
    assert "engine time only · one BLAS thread for every engine · warm-up not timed · medians of 2 repeats" in out
    assert len(re.findall(r"^ +\d+ +2 (?:Fast IGMN|IGMN, Cholesky) .*x$", out, flags=re.MULTILINE)) == 6
    assert len(re.findall(r"time ~ D\^.*interval.*fitted over D = 2, 3, 5", out)) == 2
    written = json.loads(files["json"].read_text(encoding="utf-8"))
    assert written["machine"]["BLAS threads"] == 1
    assert [len(timing["seconds_per_sample"]) for timing in written["timings"]] == [2] * 6
    lines = files["csv"].read_text(encoding="utf-8").splitlines()
    assert lines[0] == "engine,n_features,n_components,n_rows,n_timed,repeat,seconds_per_sample"
    assert len(lines) == 1 + 12


def test_bench_rows_prints_single_rows_and_tables(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, small in {"CALLS": 3, "ONE_ROW_WIDTHS": (4,), "WIDTHS": (5,), "COMPONENTS": (1, 2), "ROWS": 300}.items():
        monkeypatch.setattr(rows_benchmark, name, small)
    assert cli.main(["bench", "--rows", "--repeats", "2"]) == 0
    out = capsys.readouterr().out
    for call in ("FastIGMN.learn_one", "FastIGMN.recall", "FastIGMNClassifier.partial_fit", "FastIGMNMixture.predict"):
        assert re.search(
            rf"^  {call} [\d.]+, (?:partial_fit|predict) [\d.]+: [\d.]+ times its time$", out, re.MULTILINE
        )
    tables = (
        r"^  D = 5, K = (\d): learn [\d.]+ \(1\.00x\), learn_prequential .*, learn, 10% of the rows with gaps .*x\)$"
    )
    assert re.findall(tables, out, re.MULTILINE) == ["1", "2"]


@pytest.mark.parametrize(
    ("option", "complaint"),
    [
        ("--dims=2,0", "'0' is not a whole number above 0"),
        ("--dims=two", "'two' is not a whole number"),
        ("--samples=-1", "'-1' is not a whole number above 0"),
        ("--engines=fast,em", "'em' is not one of fast, mature, cholesky"),
        ("--json=no/such/folder/times.json", "'no/such/folder/times.json' cannot be written: give a file in a folder"),
        ("--csv=.", "'.' cannot be written"),
    ],
)
def test_bench_names_what_it_cannot_use(option: str, complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        cli.main(["bench", option])
    assert complaint in capsys.readouterr().err


def test_bench_race_prints_and_writes_what_the_page_shows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = {"json": tmp_path / "race.json", "csv": tmp_path / "race.csv"}
    options = ["--race", "--dims", "3,6", "--samples", "90", "--solver", "inverse", "--mode", "sample"]
    assert cli.main(["bench", *options, *(f"--{kind}={path}" for kind, path in files.items())]) == 0
    out = capsys.readouterr().out
    assert len(re.findall(r"^Fast IGMN +90 ", out, flags=re.MULTILINE)) == 2
    assert len(re.findall(r"^D = [36]: speed-up [\d.]+ ", out, flags=re.MULTILINE)) == 2
    assert (
        len(re.findall(r"^parity holds: the same decisions over 90 samples; K = 1 / 1", out, flags=re.MULTILINE)) == 2
    )
    written = json.loads(files["json"].read_text(encoding="utf-8"))
    assert written["n_features"] == 6
    assert written["settings"]["solver"] == "inverse"
    assert [engine["n_done"] for engine in written["engines"]] == [90, 90]
    assert files["csv"].read_text(encoding="utf-8").count("\n") == 181


def test_bench_race_takes_any_number_of_engines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "race.json"
    options = ["--race", "--dims", "4", "--samples", "60", "--engines", "fast,cholesky,inverse", f"--json={path}"]
    assert cli.main(["bench", *options]) == 0
    out = capsys.readouterr().out
    assert len(re.findall(r"^(Fast IGMN|IGMN \(.+\)) +60 ", out, flags=re.MULTILINE)) == 3
    for name in ("IGMN (Cholesky)", "IGMN (inverse + determinant)"):
        assert f" relative to {name} over all 60 samples" in out
        assert f"parity of {name} holds: the same decisions over 60 samples" in out
    assert len(json.loads(path.read_text(encoding="utf-8"))["comparisons"]) == 2


def test_bench_race_takes_data_and_the_published_rule(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["bench", "--race", "--data", "Iris", "--rule", "published", "--defaults"]) == 0
    fast, cubic = table_of(capsys.readouterr().out)
    assert fast[0] == cubic[0] == "150"
    assert int(fast[5]) == int(cubic[5]) > 1


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--data", "nonsense"], "nonsense does not exist"),
        (["--dims", "4000"], "n_features = 4000 is outside the range from 2 to 3,072"),
        (["--latex", "race.tex"], "--latex is for tables: give --sweep or --paper with it"),
        (
            ["--engines", "fast,literal"],
            "The engine 'literal' cannot race: give --engines some of fast, cholesky, inverse.",
        ),
        (
            ["--engines", "fast", "--dims", "2"],
            "A race needs at least two engines, and there is only Fast IGMN: give another one.",
        ),
        (["--sweep", "--dims", "8,8"], "8"),
        (["--paper", "--runs", "0"], "n_runs = 0 is outside the range from 1 to 10"),
    ],
)
def test_bench_race_names_what_it_cannot_use(
    options: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["bench", "--race", *options]) == 1
    assert complaint in capsys.readouterr().err


def test_bench_race_sweeps(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    latex = tmp_path / "sweep.tex"
    options = ["--race", "--sweep", "--dims", "2,4,8", "--samples", "20", "--repeats", "2", f"--latex={latex}"]
    assert cli.main(["bench", *options]) == 0
    out = capsys.readouterr().out
    assert len(re.findall(r"time ~ D\^", out)) == 3
    # Which of them depends on the times of the moment.
    sentences = r"\S overtakes .* at D ≈ |\S is faster than .* at every D measured|the fits of .* and .* do not cross"
    assert len(re.findall(sentences, out)) == 2
    assert latex.read_text(encoding="utf-8").count("\\\\") >= 4


def test_bench_race_has_the_tables_of_the_paper(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    small = tuple(one for one in SETS if one.title in {"iris", "Glass"})
    monkeypatch.setattr(race_benchmark, "measure_tables", lambda settings: measure_tables(settings, small))
    table = tmp_path / "times.csv"
    assert cli.main(["bench", "--race", "--paper", f"--csv={table}"]) == 0
    out = capsys.readouterr().out
    assert len(re.findall(r"^iris +150 +7 +\d", out, flags=re.MULTILINE)) == 3
    assert "this machine, pattern kept" in out
    assert "281.257 ± 3.157" not in out
    assert table.read_text(encoding="utf-8").count("\n") == 1 + 2 * 3 * 2 * 2


@pytest.mark.usefixtures("qapp", "unseen")
def test_bench_window_race_prints_what_it_measured(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("WATCHED", 0.3), ("ENOUGH", 0.01), ("OFTEN", 1), ("WIDEST", 200)):
        monkeypatch.setattr(race_window_benchmark, name, value)
    monkeypatch.setattr(race_window_benchmark, "CASES", (RaceSettings(n_features=20, n_rows=50),))
    assert cli.main(["bench", "--window", "--race", "--repeats", "1"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"the race has begun \d\.\d+ s after the click", out)
    assert len(re.findall(r"event-loop delay p50 \d+\.\d ms, p99 \d+\.\d ms", out)) == 2
    assert len(re.findall(r"stop shows after \d+ ms", out)) == 2
    assert len(re.findall(r"^ +(alone|take turns|at the same time) +fast +\d", out, flags=re.MULTILINE)) == 3


def test_bench_loads_prints_what_it_measured(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(load_benchmark, "CSV_ROWS", 3000)
    monkeypatch.setattr(load_benchmark, "ARFF_ROWS", 500)
    assert cli.main(["bench", "--loads", "--repeats", "2", "--gigabytes", "0.002"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"CSV, 3,000 rows x 11 columns, \d MB", out)
    assert re.search(r"read_table 0\.\d+ s, pandas\.read_csv 0\.\d+ s: \d+\.\d\d times its time", out)
    assert "3,000 rows expected" in out
    assert len(re.findall(r"scipy\.io\.arff .* times as fast", out)) == 2
    rows, peak = re.search(r"([\d,]+) rows streamed in two passes: \d+ s, peak memory (\d+) MB", out).groups()  # type: ignore[union-attr]
    assert int(rows.replace(",", "")) % 3000 == 0
    assert int(peak) > 20


def test_bench_loads_says_beforehand_that_the_disk_is_full() -> None:
    with pytest.raises(SystemExit, match=r"The files need 1000000000000\.5 GB in .*: choose fewer --gigabytes"):
        cli.main(["bench", "--loads", "--gigabytes", "1e12"])


@pytest.mark.usefixtures("qapp", "unseen")
def test_bench_window_prints_what_it_measured(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("SECONDS", 0.3), ("SETTLED", 2000), ("WIDE_SETTLED", 100), ("RACED", 5000)):
        monkeypatch.setattr(window_benchmark, name, value)
    assert cli.main(["bench", "--window", "--repeats", "1", "--long", "10000"]) == 0
    out = capsys.readouterr().out
    assert len(re.findall(r"event-loop delay p50 \d+\.\d ms, p99 \d+\.\d ms, worst \d+ ms", out)) == 3
    assert re.search(r"learner at full speed, D = 160, K = 50, ", out)
    assert len(re.findall(r"[1-9]\d*\.\d frames/s", out)) == 3
    assert re.search(r"pause \d+ ms, step \d+ ms, play \d+ ms, stop \d+ ms", out)
    assert re.search(r"headless [\d,]+ samples/s, watched [\d,]+ samples/s", out)
    assert re.search(r"memory over 10,000 samples, every fifth: (\d+, ){4}\d+ MB", out)
