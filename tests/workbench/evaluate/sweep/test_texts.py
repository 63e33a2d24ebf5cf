"""A sweep as texts: every figure where it belongs."""

from __future__ import annotations

import csv
import io
import json

import pytest

from figmn.bench import CHOLESKY, YOUNG, Exponent
from tests.workbench.evaluate.sweep.sweeps import SETTINGS, made_up
from workbench.evaluate.sweep.sweep import Crossover, SweepSettings
from workbench.evaluate.sweep.texts import asymptotic_line, conditions_line, crossover_words, export_text
from workbench.words.machine import machine_line


def test_csv_has_a_line_a_repeat_with_both_times() -> None:
    lines = list(csv.DictReader(io.StringIO(export_text(made_up(), "csv"))))
    assert len(lines) == SETTINGS.n_timings
    assert lines[1] == {
        "engine": "Fast IGMN",
        "n_features": "8",
        "n_components": "1",
        "n_rows": "500",
        "n_timed": "500",
        "repeat": "1",
        "seconds_per_sample": repr(0.8 * (2e-6 * 8)),
        "cpu_seconds_per_sample": repr(0.7 * (2e-6 * 8)),
    }


def test_csv_of_nothing_has_a_heading() -> None:
    assert export_text(made_up(n_cases=0), "csv").count("\n") == 1


def test_json_has_everything() -> None:
    found = json.loads(export_text(made_up(), "json"))
    assert found["machine"] == {"CPU": "a processor", "cores": "2", "NumPy": "2.0.0", "BLAS threads": 1}
    assert found["settings"]["dims"] == [8, 16, 32, 64]
    assert found["is_whole"] is True
    assert len(found["timings"]) == 16
    assert found["timings"][0]["cpu_seconds_per_sample"] == pytest.approx([1.44e-5, 1.12e-5, 1.6e-5])
    cubic = found["exponents"][2]
    assert (cubic["engine"], cubic["dims"]) == ("IGMN, Cholesky", [8, 16, 32, 64])
    assert [cubic[key] for key in ("slope", "low", "high")] == pytest.approx([3.0] * 3)
    assert cubic["seconds_in_one_dimension"] == pytest.approx(1e-8)
    assert found["crossovers"][1]["engines"] == ["Fast IGMN, mature", "IGMN, Cholesky"]
    assert found["crossovers"][1]["n_features"] == pytest.approx(10)
    assert found["crossovers"][1]["faster_above"] == "Fast IGMN, mature"
    last = found["speed_ups"][-2]
    assert (last["n_features"], last["engine"]) == (64, "Fast IGMN, mature")
    assert last["factor"] == pytest.approx(6.4)


def test_latex_needs_no_package_and_has_all_figures() -> None:
    text = export_text(made_up(SweepSettings(dims=(8, 16, 512), repeats=3)), "latex")
    for word in ("toprule", "usepackage", "booktabs"):
        assert word not in text
    assert r"\begin{tabular}{rrrrrr}" in text
    row = next(line for line in text.splitlines() if line.startswith("512"))
    assert row == (
        r"512 & 1,024 (819.2--1,536) & 26,214 (20,972--39,322) & 1,342,177 (1,073,742--2,013,266) "
        r"& $1{,}311\times$ & $51.2\times$ \\"
    )
    assert text.count("&") == 5 * 5  # two lines of headings, three of figures
    assert r"Fast IGMN $D^{1.00 \pm 0.00}$ (not yet asymptotic); Fast IGMN, mature $D^{2.00 \pm 0.00}$ (not yet" in text
    assert all(ord(sign) < 128 for line in text.splitlines() if not line.startswith("%") for sign in line)


def test_latex_of_a_stopped_sweep_has_dashes() -> None:
    rows = [line for line in export_text(made_up(n_cases=2), "latex").splitlines() if line.startswith("64")]
    assert rows == [r"64 & -- & -- & -- & -- & -- & -- & -- \\"]


def test_plain_text_is_for_reading() -> None:
    text = export_text(made_up(), "text")
    assert "IGMN, Cholesky         time ~ D^3.00  (95 % interval 3.00 to 3.00, fitted over D = 8, 16, 32, 64)" in text
    assert "Fast IGMN, mature overtakes IGMN, Cholesky at D ≈ 10 (predicted)" in text
    assert "a processor · 2 cores · NumPy 2.0.0" in text
    assert "engine time only · one BLAS thread for every engine · warm-up not timed · medians of 3 repeats" in text


def test_other_kinds_are_refused() -> None:
    with pytest.raises(ValueError, match="'docx' is not a kind of text: choose one of csv, json, latex, text"):
        export_text(made_up(), "docx")


@pytest.mark.parametrize(
    ("meet", "words"),
    [
        (None, "Fast IGMN is faster than IGMN, Cholesky at every D measured"),
        (0.3, "Fast IGMN is faster than IGMN, Cholesky at every D measured"),
        (5.25, "Fast IGMN overtakes IGMN, Cholesky at D ≈ 5.2 (predicted, below all D measured)"),
        (40.0, "Fast IGMN overtakes IGMN, Cholesky at D ≈ 40 (predicted)"),
        (4000.0, "Fast IGMN overtakes IGMN, Cholesky at D ≈ 4,000 (predicted, beyond all D measured)"),
    ],
)
def test_a_crossover_says_how_far_it_is_from_what_was_measured(meet: float | None, words: str) -> None:
    assert crossover_words(Crossover(YOUNG, CHOLESKY, meet, YOUNG, is_always_faster=True), (16, 512)) == words


def test_a_crossover_the_other_way_round() -> None:
    crossover = Crossover(YOUNG, CHOLESKY, 40.0, CHOLESKY, is_always_faster=False)
    assert crossover_words(crossover, (16, 512)) == "IGMN, Cholesky overtakes Fast IGMN at D ≈ 40 (predicted)"


def test_who_was_not_faster_everywhere_is_not_said_to_be() -> None:
    crossover = Crossover(YOUNG, CHOLESKY, None, YOUNG, is_always_faster=False)
    assert crossover_words(crossover, (16, 512)) == "the fits of Fast IGMN and IGMN, Cholesky do not cross"


def test_exponents_of_few_dimensions_are_not_yet_asymptotic_and_every_text_says_so() -> None:
    small, large = made_up(), made_up(SweepSettings(dims=(16, 64, 256, 1024), repeats=3))
    reason = "not yet asymptotic: fewer than 3 D of 64 or more; below that, fixed costs count"
    assert export_text(small, "text").count(reason) == 4
    assert asymptotic_line(small.exponents) == reason
    assert [e["is_asymptotic"] for e in json.loads(export_text(small, "json"))["exponents"]] == [False] * 4
    assert export_text(small, "latex").count("(not yet asymptotic)") == 4
    assert asymptotic_line(large.exponents) == ""
    for kind in ("text", "latex"):
        assert "asymptotic" not in export_text(large, kind)
    written = json.loads(export_text(large, "json"))["exponents"]
    assert [(e["is_asymptotic"], e["dims"]) for e in written] == [(True, [64, 256, 1024])] * 3


def test_a_growth_that_still_rises_is_named_by_its_engine() -> None:
    exponents = [Exponent(YOUNG, 1.0, 0.9, 1.1, (64, 128, 256), 1e-6, rise=0.1),
                 Exponent(CHOLESKY, 2.1, 1.9, 2.3, (64, 128, 256), 1e-6, rise=0.5)]  # fmt: skip
    assert asymptotic_line(exponents) == (
        "not yet asymptotic (IGMN, Cholesky): the growth still rises, to D^2.60 from D = 128 to 256"
    )


def test_lines_below_a_plot() -> None:
    once = made_up(SweepSettings(dims=(8, 16), repeats=1, n_rows=2000))
    assert conditions_line(once) == (
        "engine time only · one BLAS thread for every engine · warm-up not timed · one repeat · "
        "2,000 rows a timing, fewer where these take over 2 s"
    )
    assert ", bars from least to largest" in conditions_line(made_up())
    assert machine_line(dict(once.machine)) == "a processor · 2 cores · NumPy 2.0.0"
