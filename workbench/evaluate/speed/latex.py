"""The speed tables as LaTeX, as in the paper: seconds throughout, ASCII only, no package needed."""

from __future__ import annotations

from workbench.evaluate.speed.printed import PHASES, Phase
from workbench.evaluate.speed.times import SpeedTables
from workbench.evaluate.speed.words import GROUPS, TITLES, TableLine, conditions, cpu_note, lines
from workbench.words.machine import machine_line
from workbench.words.tables import latex_tabular, latex_text

TABLE = r"""\begin{table}[htb]
\caption{%s}
\centering\scriptsize
%s
\end{table}
"""
FIGURES = "IGMN, s & Fast IGMN, s & & speed-up"
MARKS = r"$\circ$, $\bullet$: Fast IGMN takes significantly more or less time; $\approx$: extrapolated"


def as_latex(tables: SpeedTables) -> str:
    """All tables, and below them the conditions under which they were measured."""
    machine = machine_line(dict(tables.machine), tables.threads)
    notes = " ".join([*conditions(tables.settings), cpu_note(tables), f"{machine}."])
    tabulars = "\n".join(_table(tables, phase) for phase in PHASES)
    return f"{tabulars}\n\\par\\noindent{{\\footnotesize {latex_text(notes)}\\par}}\n"


def _table(tables: SpeedTables, phase: Phase) -> str:
    ours, others = (group.replace("printed", "printed (Java)") for group in GROUPS[phase])
    heads = [
        ["", rf"\multicolumn{{4}}{{c|}}{{{ours}}}", rf"\multicolumn{{4}}{{c}}{{{others}}}"],
        ["Dataset", FIGURES, FIGURES],
    ]
    *sets, average = (_cells(line) for line in lines(tables, phase))
    tabular = latex_tabular("l|rrcr|rrcr", [heads, sets, [average]], MARKS)
    return TABLE % (f"{TITLES[phase]} (in seconds)", tabular)


def _cells(line: TableLine) -> list[str]:
    """Without the sizes of the set."""
    return [latex_text(cell) for cell in (line.title, *line[line._fields.index("igmn") :])]
