"""Timings of the engines against each other, sweeps over the dimensions, and the exponents of their growth.

Engine time only: data, models and compiled code are ready before the clock starts, every engine gets the same rows and
the same number of BLAS threads, and the engines take turns within a repeat, so that a slow minute of the machine
affects all of them. CPU time is measured beside wall-clock time: where the two differ, other processes were running.
"""

from figmn.bench.contenders import (
    CHOLESKY,
    CONTENDERS,
    INVERSE,
    LITERAL,
    MATURE,
    VECTORISED,
    YOUNG,
    BenchModel,
    Case,
    Contender,
    require_room,
)
from figmn.bench.environment import (
    EVERY_ENGINE,
    dgemm_rate,
    machine,
    pinned,
    warm_up,
)
from figmn.bench.growth import (
    FEWEST_FITTED,
    LARGEST_RISE,
    MATRIX_WORK_FROM,
    Exponent,
    crossover,
    fit_exponents,
)
from figmn.bench.literal import (
    LiteralFastIGMN,
    VectorisedFastIGMN,
)
from figmn.bench.timing import (
    PROBE,
    PROBE_GROWTH,
    LabelledProgress,
    Measurement,
    Stage,
    measure,
    measuring,
)

__all__ = [
    "CHOLESKY",
    "CONTENDERS",
    "EVERY_ENGINE",
    "FEWEST_FITTED",
    "INVERSE",
    "LARGEST_RISE",
    "LITERAL",
    "MATRIX_WORK_FROM",
    "MATURE",
    "PROBE",
    "PROBE_GROWTH",
    "VECTORISED",
    "YOUNG",
    "BenchModel",
    "Case",
    "Contender",
    "Exponent",
    "LabelledProgress",
    "LiteralFastIGMN",
    "Measurement",
    "Stage",
    "VectorisedFastIGMN",
    "crossover",
    "dgemm_rate",
    "fit_exponents",
    "machine",
    "measure",
    "measuring",
    "pinned",
    "require_room",
    "warm_up",
]
