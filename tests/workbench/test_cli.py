"""The command line, as a person uses it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from workbench import cli, load_benchmark
from workbench.source import Table


def test_the_demo_prints_what_both_engines_did(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = cli.demo

    def short(table: Table) -> None:
        whole(table.take(slice(0, 200)))

    monkeypatch.setattr(cli, "demo", short)
    assert cli.main([]) == 0
    captured = capsys.readouterr()
    table = [line.split() for line in captured.out.splitlines() if re.match(r"(Fast )?IGMN +\d", line)]
    fast, cubic = (line[-4:] for line in table)
    assert fast[:2] == cubic[:2]
    assert fast[0] == "200"
    assert int(fast[1]) >= 1
    assert fast[3] == cubic[3]
    assert re.search(r"speed-up: \d+\.\dx", captured.out)
    assert "200 / 200 rows" in captured.err


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
    assert "BLAS threads: 1" in out
    assert len(re.findall(r"^ +\d+ +2 (?:Fast IGMN|IGMN, Cholesky) .*x$", out, flags=re.MULTILINE)) == 6
    assert len(re.findall(r"time ~ D\^.*interval.*fitted over D = 2, 3, 5", out)) == 2
    written = json.loads(files["json"].read_text(encoding="utf-8"))
    assert written["machine"]["BLAS threads"] == 1
    assert [len(timing["seconds_per_sample"]) for timing in written["timings"]] == [2] * 6
    lines = files["csv"].read_text(encoding="utf-8").splitlines()
    assert lines[0] == "engine,n_features,n_components,n_rows,n_timed,repeat,seconds_per_sample"
    assert len(lines) == 1 + 12


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
