"""The speed tables as LaTeX, as in the paper: seconds throughout, no package, no sign that is not ASCII."""

from __future__ import annotations

from workbench.evaluate.speed.printed import PHASES, Phase
from workbench.evaluate.speed.times import SpeedTables
from workbench.evaluate.speed.words import GROUPS, TITLES, conditions, cpu_note, lines, machine_words


def as_latex(tables: SpeedTables) -> str:
    """All tables, and below them what holds for all figures."""
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
    cells = [" & ".join(map(_latex_words, (line.title, *line[SIZES:]))) for line in lines(tables, phase)]
    ours, others = (group.replace("printed", "printed (Java)") for group in GROUPS[phase])
    return LATEX % (f"{TITLES[phase]} (in seconds)", ours, others, " \\\\\n".join(cells[:-1]), cells[-1])


SIZES = 3
"""Columns of a line that name the set and its sizes; the sizes are left out."""
LATEX = r"""\begin{table}[htb]
\caption{%s}
\centering\scriptsize
\begin{tabular}{l|rrcr|rrcr}
\hline
 & \multicolumn{4}{c|}{%s} & \multicolumn{4}{c}{%s} \\
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


def _latex_words(text: str) -> str:
    """Text with every sign that LaTeX takes for something else, or does not know, written as it wants it."""
    pieces = []
    while text:
        sign = next((sign for sign in SIGNS if text.startswith(sign)), text[0])
        pieces.append(SIGNS.get(sign, sign))
        text = text[len(sign) :]
    return "".join(pieces)
