"""The command line, as a person uses it."""

from __future__ import annotations

import re

import pytest

from workbench import cli
from workbench.source import Sample, digits


def test_the_demo_prints_what_both_engines_did(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = digits()
    monkeypatch.setattr(cli, "digits", lambda: Sample(whole.name, whole.description, whole.columns, whole.rows[:200]))
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
