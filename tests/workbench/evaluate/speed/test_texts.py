"""The tables as texts: every figure is where it belongs."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest

from tests.workbench.evaluate.speed.fakes import filled
from workbench.evaluate.speed.latex import as_latex
from workbench.evaluate.speed.settings import TableSettings
from workbench.evaluate.speed.texts import CSV_HEADINGS, as_csv, as_json, as_text
from workbench.evaluate.speed.times import SpeedTables


def test_plain_text_has_all_tables_side_by_side_with_what_they_are_compared_with() -> None:
    lines = as_text(filled()).splitlines()
    training, testing, kept = (line.split("  ") for line in lines if line.startswith("Glass"))
    assert [cell.strip() for cell in training if cell] == [
        "Glass", "214", "16", "0.0440 ± 0.0057", "0.00440 ± 0.00057", "10.0×",
        "0.008 ± 0.000", "0.005 ± 0.000", "●", "1.6×",
    ]  # fmt: skip
    assert [cell.strip() for cell in testing if cell] == [
        "Glass", "214", "16", "≈ 44.0 ± 5.7", "0.00440 ± 0.00057", "≈ 10,000×",
        "0.001 ± 0.000", "0.001 ± 0.000", "1.0×",
    ]  # fmt: skip
    assert [cell.strip() for cell in kept if cell] == [
        "Glass", "214", "16", "0.0440 ± 0.0057", "0.00440 ± 0.00057", "10.0×",
        "≈ 44.0 ± 5.7", "0.00440 ± 0.00057", "≈ 10,000×",
    ]  # fmt: skip
    heads = [re.split(r"  +", line) for line in lines if line.startswith(("Training time", "Testing time"))]
    assert heads == [
        ["Training time", "this machine", "printed"],
        ["Testing time, nothing kept", "this machine, nothing kept", "printed"],
        ["Testing time, pattern kept", "this machine, pattern kept", "this machine, nothing kept"],
    ]
    averages = [line.split() for line in lines if line.startswith("Average")]
    assert averages[0] == ["Average", "0.0660", "0.00660", "10.0×", "1,754.417", "15.526", "113×"]
    assert averages[1] == ["Average", "≈", "66.0", "0.00660", "≈", "10,000×", "1,504.097", "0.702", "2,143×"]
    assert averages[2] == ["Average", "0.0660", "0.00660", "10.0×", "≈", "66.0", "0.00660", "≈", "10,000×"]
    assert "Abacus & Sons_1 · 2 cores · NumPy 9.9 · BLAS threads 1" in lines
    assert any("median 50 %, lowest 50 %" in line for line in lines)


def test_times_have_one_unit() -> None:
    """Seconds, as the paper has them: who compares two cells need not look for a unit first."""
    text = as_text(filled())
    figures = [line for line in text.splitlines() if line.startswith(("Glass", "CIFAR-10", "Average"))]
    assert not [line for line in figures if re.search(r"\d (m?s|µs)\b", line)]
    head = ["dataset", "N", "D", "IGMN,", "s", "Fast", "IGMN,", "s", "speed-up"]
    assert [line.split() for line in text.splitlines() if line.startswith("dataset")] == 3 * [head + head[3:]]
    assert as_latex(filled()).count(" & IGMN, s & Fast IGMN, s & & speed-up") == 6
    assert json.loads(as_json(filled()))["unit_of_times"] == "seconds"


def test_plain_text_before_anything_was_measured_has_the_printed_figures_alone() -> None:
    text = as_text(SpeedTables())
    assert text.count("20,768.494 ± 1,244.221") == 1
    assert " ms" not in text


def test_csv_has_a_line_for_every_timing_that_can_be_read_back_exactly() -> None:
    tables = filled(2)
    heading, *lines = csv.reader(io.StringIO(as_csv(tables)))
    assert tuple(heading) == CSV_HEADINGS
    assert len(lines) == 2 * 3 * 2 * 2
    records = [dict(zip(heading, line, strict=True)) for line in lines]
    (found,) = [
        r
        for r in records
        if (r["set"], r["phase"], r["engine"], r["fold"]) == ("german-credit", "testing", "igmn", "2")
    ]
    timing = tables.rows[1].testing.igmn.timings[1]
    assert (float(found["seconds"]), float(found["cpu_seconds"])) == (timing.seconds, timing.cpu_seconds)
    assert (found["rows_run"], found["rows_of_fold"], found["extrapolated"]) == ("8", "50", "yes")
    assert {r["extrapolated"] for r in records if r["engine"] == "fast"} == {"no"}


def test_json_has_everything() -> None:
    found = json.loads(as_json(filled(10, TableSettings(n_runs=1, seed=4))))
    assert found["settings"] == {"n_runs": 1, "solver": "cholesky", "seconds_at_most": 5.0, "seed": 4}
    assert found["machine"]["BLAS threads"] == 1
    assert not found["is_whole"]
    glass = found["sets"][3]["training"]
    assert glass["igmn"]["mean"] == pytest.approx(0.044)
    assert glass["igmn"]["folds"][1]["cpu_seconds"] == pytest.approx(0.024)
    assert glass["t_test"]["n"] == 2
    assert glass["printed"] == {
        "igmn": {"mean": 0.008, "std": 0.0},
        "fast": {"mean": 0.005, "std": 0.0},
        "speed_up": pytest.approx(1.6),
        "mark": "●",
    }
    kept = found["sets"][3]["testing_kept"]
    assert kept["igmn"]["mean"] == pytest.approx(0.044)
    assert "printed" not in kept
    assert found["averages"]["testing_kept"] == {}
    unmeasured = found["sets"][10]["testing"]
    assert unmeasured["igmn"] == {"mean": None, "std": None, "cpu_mean": None, "extrapolated": False, "folds": []}
    assert unmeasured["t_test"] is None
    assert "igmn" not in found["averages"]["training"]


def test_latex_is_plain_and_balanced() -> None:
    text = as_latex(filled())
    assert text.isascii()
    assert text.count("\\begin{tabular}") == text.count("\\end{tabular}") == 3
    assert text.count("{") == text.count("}")
    assert text.count("$") % 2 == 0
    rows = [line for line in text.splitlines() if line.startswith(("Glass", "CIFAR-10", "Average"))]
    assert {row.count("&") for row in rows} == {8}
    assert rows[0] == (
        r"Glass & 0.0440 $\pm$ 0.0057 & 0.00440 $\pm$ 0.00057 &  & 10.0$\times$ "
        r"& 0.008 $\pm$ 0.000 & 0.005 $\pm$ 0.000 & $\bullet$ & 1.6$\times$ \\"
    )
    assert r"$\approx$\,121 $\pm$ 16" in rows[4]
    assert r"\multicolumn{4}{c|}{this machine, nothing kept} & \multicolumn{4}{c}{printed (Java)}" in text
    assert r"{this machine, pattern kept} & \multicolumn{4}{c}{this machine, nothing kept}" in text
    assert r"Abacus \& Sons\_1" in text


def test_latex_of_an_unfinished_measurement_has_dashes() -> None:
    (row, *_) = [line for line in as_latex(filled(3)).splitlines() if line.startswith("Average")]
    assert row.startswith("Average & -- & -- &  & -- & 1,754.417")
