"""The printed figures, against the paper itself where it is at hand."""

from __future__ import annotations

import math
import re

import pytest

from tests.places import SHARED
from workbench.evaluate.significance import Mark
from workbench.evaluate.speed.printed import PRINTED, PRINTED_AVERAGES, Phase, PrintedAverage, PrintedTimes
from workbench.evaluate.speed.sets import SETS

PAPER = SHARED / "paper" / "fast-igmn.tex"
MARKS: dict[str, Mark] = {"": "", "$\\bullet$": "●", "$\\circ$": "○"}


@pytest.mark.skipif(not PAPER.exists(), reason="the paper is not beside the repository")
@pytest.mark.parametrize("phase", PRINTED)
def test_every_figure_and_sign_is_the_papers(phase: Phase) -> None:
    found, average = table(PAPER.read_text(encoding="utf-8"), f"{phase}time")
    assert list(found.items()) == list(PRINTED[phase].items())
    assert average == PRINTED_AVERAGES[phase]


def test_the_sets_are_those_of_the_tables() -> None:
    assert list(PRINTED) == list(PRINTED_AVERAGES) == ["training", "testing"]
    for phase in PRINTED:
        assert [one.name for one in SETS] == list(PRINTED[phase])


def test_a_time_that_was_rounded_away_has_no_speed_up() -> None:
    assert math.isnan(PRINTED["testing"]["iris"].speed_up)
    assert PRINTED["testing"]["CIFAR-10"].speed_up == pytest.approx(17821.407 / 7.793)
    assert PRINTED_AVERAGES["training"].speed_up == pytest.approx(1754.417 / 15.526)


def table(text: str, label: str) -> tuple[dict[str, PrintedTimes], PrintedAverage]:
    """The lines of a table of the paper, read by machine."""
    part = text[text.index(f"\\label{{{label}}}") :]
    part = part[: part.index("\\end{table}")]
    lines: dict[str, PrintedTimes] = {}
    average = PrintedAverage(math.nan, math.nan)
    for line in part.splitlines():
        name, *cells = (cell.strip() for cell in line.removesuffix("\\\\").split("&"))
        numbers = [float(cell) for cell in cells if re.fullmatch(r"[\d.]+", cell)]
        if name == "Average":
            average = PrintedAverage(*numbers)
        elif len(numbers) == 4:
            igmn, igmn_std, fast, fast_std = numbers
            lines[name] = PrintedTimes(igmn, igmn_std, fast, fast_std, MARKS[cells[-1]])
    return lines, average
