"""The speed tables as LaTeX, as in the paper: seconds throughout, no package, no sign that is not ASCII."""

from __future__ import annotations

from workbench.evaluate.printed import PHASES, PRINTED, PRINTED_AVERAGES, Phase
from workbench.evaluate.speed_times import ENGINES, SetTimes, SpeedTables
from workbench.evaluate.speed_words import (
    TITLES,
    conditions,
    cpu_note,
    machine_words,
    printed_spread,
    seconds,
    spread,
    times,
)


def as_latex(tables: SpeedTables) -> str:
    """Both tables, and below them what holds for all figures."""
    notes = " ".join([*conditions(tables.settings), cpu_note(tables), f"{machine_words(tables)}."])
    tabulars = "\n".join(_latex_table(tables, phase) for phase in PHASES)
    return f"{tabulars}\n\\par\\noindent{{\\footnotesize {_latex_words(notes)}\\par}}\n"


SIGNS = {
    "\\": "\\textbackslash{}", "&": "\\&", "%": "\\%", "#": "\\#", "_": "\\_", "$": "\\$", "{": "\\{", "}": "\\}",
    "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "<": "$<$", ">": "$>$",
    "±": "$\\pm$", "×": "$\\times$", "≈ ": "$\\approx$\\,", "≈": "$\\approx$", "●": "$\\bullet$", "○": "$\\circ$",
    "δ": "$\\delta$", "β": "$\\beta$", "·": "$\\cdot$", "–": "--",
}  # fmt: skip


def _latex_table(tables: SpeedTables, phase: Phase) -> str:
    rows = [_latex_row(row, phase) for row in tables.rows]
    average = tables.average(phase)
    ours = ["--", "--", "", "--"]
    if average is not None:
        signs = "≈ " * average.igmn_sampled, "≈ " * average.fast_sampled
        means = signs[0] + seconds(average.igmn), signs[1] + seconds(average.fast)
        ours = [*means, "", times(average.speed_up, average.is_sampled)]
    printed = PRINTED_AVERAGES[phase]
    theirs = [printed_spread(printed.igmn), printed_spread(printed.fast), "", times(printed.speed_up)]
    body = " \\\\\n".join(" & ".join(map(_latex_words, cells)) for cells in rows)
    last = " & ".join(map(_latex_words, ["Average", *ours, *theirs]))
    return LATEX % (f"{TITLES[phase]} (in seconds)", body, last)


LATEX = r"""\begin{table}[htb]
\caption{%s}
\centering\scriptsize
\begin{tabular}{l|rrcr|rrcr}
\hline
 & \multicolumn{4}{c|}{this machine} & \multicolumn{4}{c}{printed (Java)} \\
Dataset & IGMN, s & Fast IGMN, s & & speed-up & IGMN, s & Fast IGMN, s & & speed-up \\
\hline
%s \\
\hline
%s \\
\hline
\multicolumn{9}{l}{$\circ$, $\bullet$: Fast IGMN takes significantly more or less time; $\approx$: extrapolated}
\end{tabular}
\end{table}
"""


def _latex_row(row: SetTimes, phase: Phase) -> list[str]:
    ours, line = row.phase(phase).shown, PRINTED[phase].get(row.of.name)
    cells = [row.of.title, *(spread(ours.cell(engine)) for engine in ENGINES), ours.mark]
    cells.append(times(ours.speed_up, ours.is_sampled))
    if line is None:
        return [*cells, "–", "–", "", "–"]
    theirs = [printed_spread(line.igmn, line.igmn_std), printed_spread(line.fast, line.fast_std)]
    return [*cells, *theirs, line.mark, times(line.speed_up)]


def _latex_words(text: str) -> str:
    """Text with every sign that LaTeX takes for something else, or does not know, written as it wants it."""
    pieces = []
    while text:
        sign = next((sign for sign in SIGNS if text.startswith(sign)), text[0])
        pieces.append(SIGNS.get(sign, sign))
        text = text[len(sign) :]
    return "".join(pieces)
