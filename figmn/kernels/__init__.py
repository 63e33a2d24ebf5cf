"""Compiled loops that release the interpreter lock. Numba appears only here and in `figmn.system.compiling`.

`LEARN_ROWS` holds the whole algorithm for few dimensions, one loop for each kind of matrices; each is compiled at its
first use. `fill_and_learn_rows` is the one for triangles that also fills in missing values and predicts wanted ones.
`answer_row` and `condition_row` answer a single question. In many dimensions `learn_scatter_block` (exact rule) and
`learn_precision_block` (published rule) do what remains after the matrix products of a block of samples
(`figmn.keeping.Block`). `compare_diagonals`, `divergence` and `find_near` serve `figmn.merging`. `figmn.arguments` has
the named tuples that the loops take.
"""

from figmn.kernels.conditionals import answer_row, condition_row
from figmn.kernels.outcomes import BIRTH, CAREFUL, CROWDED, DONE, GROW
from figmn.kernels.pairs import compare_diagonals, divergence, find_near
from figmn.kernels.precision_block import learn_precision_block
from figmn.kernels.rows import KINDS, LEARN_ROWS, fill_and_learn_rows
from figmn.kernels.scatter_block import learn_scatter_block
from figmn.kernels.sums import add_rank_one, follow_mean, sum_rows

__all__ = [
    "BIRTH",
    "CAREFUL",
    "CROWDED",
    "DONE",
    "GROW",
    "KINDS",
    "LEARN_ROWS",
    "add_rank_one",
    "answer_row",
    "compare_diagonals",
    "condition_row",
    "divergence",
    "fill_and_learn_rows",
    "find_near",
    "follow_mean",
    "learn_precision_block",
    "learn_scatter_block",
    "sum_rows",
]
