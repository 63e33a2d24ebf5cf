"""The measurements of quality on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from workbench import cli
from workbench.source import write_arff
from workbench.source.samples import sample


def test_areas_are_printed_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["bench", "--accuracy", "--paper", "--sets", "iris", "--learners", "defaults,lda", "--seeds", "1"]
    assert cli.main([*words, "--jobs", "1", "--beta", "0", "--json", str(tmp_path / "a.json")]) == 0
    assert "iris" in capsys.readouterr().out
    found = json.loads((tmp_path / "a.json").read_text())["accuracy"]
    assert [fold["learner"] for fold in found["folds"]] == ["defaults", "lda"] * 2
    assert "beta=0" in found["learners"]["defaults"]["candidates"][0]


def test_a_file_is_streamed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_arff(sample("iris").read(), tmp_path / "iris.arff")
    words = ["bench", "--streams", "--files", str(tmp_path / "iris.arff"), "--learners", "joint", "--most-rows", "60"]
    assert cli.main([*words, "--json", str(tmp_path / "s.json")]) == 0
    assert "iris" in capsys.readouterr().out
    [score] = json.loads((tmp_path / "s.json").read_text())["streams"]
    assert (score["stream"], score["n_rows"], score["published"]) == ("iris", 60, None)


def test_mixtures_are_compared(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["bench", "--mixture", "--dims", "2", "--most-rows", "300"]) == 0
    out = capsys.readouterr().out
    assert "near" in out
    assert "far" in out


def test_what_is_not_known_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["bench", "--accuracy", "--sets", "irs", "--jobs", "1"]) == 1
    assert "'irs' is not known" in capsys.readouterr().err
