"""The exact rule keeps its digits, whatever the data and whatever the rounding of the machine.

The truth is computed in rational numbers, or for wide rows in 32 digits: with β = 0 a single component has the
covariance of its rows, widened by the first width over N.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from threadpoolctl import threadpool_info

from figmn.system.arrays import Floats
from tests.figmn import digits
from tests.figmn import double_double as dd
from tests.figmn.digits import DATA, DELTAS, asked, learned, one_hot
from tests.places import ROOT

FEW = 5
KERNELS = ["Haswell", "SkylakeX", "Sandybridge", "Nehalem", "Prescott"]
Maker = Callable[[np.random.Generator, int, int], Floats]


class Truth:
    """One Gaussian in rational numbers: S = diag(width²) + Σ (x - m)(x - m)ᵀ, C = S / N."""

    def __init__(self, rows: Floats, initial: Floats) -> None:
        exact = [[Fraction(value) for value in row] for row in rows.tolist()]
        n, self.width = len(exact), rows.shape[1]
        self.mean = [sum(column) / n for column in zip(*exact, strict=True)]
        errors = [[value - mean for value, mean in zip(row, self.mean, strict=True)] for row in exact]
        self.covariance = [
            [
                sum(e[a] * e[b] for e in errors) / n + (Fraction(initial[a]) ** 2 / n if a == b else 0)
                for b in range(self.width)
            ]
            for a in range(self.width)
        ]

    def solved(self, known: list[int], right: list[list[Fraction]]) -> tuple[list[list[Fraction]], Fraction]:
        """C_kk⁻¹ R and |C_kk|, by elimination."""
        table = [[self.covariance[a][b] for b in known] + right[i] for i, a in enumerate(known)]
        determinant = Fraction(1)
        for k in range(len(known)):
            pivot = next(i for i in range(k, len(known)) if table[i][k])
            if pivot != k:
                table[k], table[pivot], determinant = table[pivot], table[k], -determinant
            determinant *= table[k][k]
            table[k] = [value / table[k][k] for value in table[k]]
            for i in range(len(known)):
                if i != k and table[i][k]:
                    factor = table[i][k]
                    table[i] = [value - factor * above for value, above in zip(table[i], table[k], strict=True)]
        return [row[len(known) :] for row in table], determinant

    def log_density(self, row: Floats, *wanted: int) -> float:
        """Of all values but the wanted ones."""
        known = [a for a in range(self.width) if a not in wanted]
        error = [Fraction(row[a]) - self.mean[a] for a in known]
        solved, determinant = self.solved(known, [[e] for e in error])
        distance = sum(e * s[0] for e, s in zip(error, solved, strict=True))
        log_determinant = _log(determinant)
        return float(-0.5 * (len(known) * np.log(2 * np.pi) + log_determinant + float(distance)))

    def recalled(self, row: Floats, *wanted: int) -> list[float]:
        known = [a for a in range(self.width) if a not in wanted]
        solved, _ = self.solved(known, [[Fraction(row[a]) - self.mean[a]] for a in known])
        shifts = [sum(self.covariance[w][a] * s[0] for a, s in zip(known, solved, strict=True)) for w in wanted]
        return [float(self.mean[w] + shift) for w, shift in zip(wanted, shifts, strict=True)]


def _log(value: Fraction) -> float:
    """Logarithm of a fraction that may be too small for a double."""
    shift = value.numerator.bit_length() - value.denominator.bit_length()
    return float(np.log(float(value / Fraction(2) ** shift)) + shift * np.log(2))


@pytest.mark.parametrize("delta", DELTAS)
@pytest.mark.parametrize("make", DATA)
def test_few_columns_are_the_rational_truth(make: Maker, delta: float) -> None:
    rows = make(np.random.default_rng(3), 40, FEW)
    model, widths = learned(rows, delta)
    truth = Truth(rows, delta * widths)
    covariance = np.array([[float(value) for value in row] for row in truth.covariance])
    roots = np.sqrt(covariance.diagonal())
    assert_allclose(model.covariances[0] / np.outer(roots, roots), covariance / np.outer(roots, roots), atol=1e-10)
    expected = [truth.log_density(row) for row in rows[:3]]
    assert_allclose(model.score_samples(rows[:3]), expected, rtol=1e-9)
    for wanted in range(FEW):
        question = rows[:3].copy()
        question[:, wanted] = np.nan
        answers = [truth.recalled(row, wanted)[0] for row in rows[:3]]
        found = model.recall(question)[:, wanted]
        assert_allclose(found, answers, rtol=0, atol=1e-9 * roots[wanted] + np.spacing(np.abs(rows).max()))


@pytest.mark.parametrize("delta", DELTAS)
@pytest.mark.parametrize("make", DATA)
@pytest.mark.parametrize("wanted", [(0,), (2,), (4,), (0, 1), (1, 3), (3, 4), (0, 2, 4), (0, 1, 2, 3), ()])
def test_a_single_row_is_answered_with_the_rational_truth(wanted: tuple[int, ...], make: Maker, delta: float) -> None:
    rows = make(np.random.default_rng(3), 40, FEW)
    model, widths = learned(rows, delta)
    truth = Truth(rows, delta * widths)
    roots = np.sqrt([float(truth.covariance[w][w]) for w in wanted])
    for row in rows[:3]:
        question = row.copy()
        question[list(wanted)] = np.nan
        assert not len(model._kept)  # it is answered by the compiled loop, which keeps no pattern
        assert_allclose(model.score_samples(question[None]), truth.log_density(row, *wanted), rtol=1e-9)
        found = model.recall(question[None])[0, list(wanted)]
        allowed = 1e-9 * roots + np.spacing(np.abs(rows).max())
        assert (np.abs(found - truth.recalled(row, *wanted)) <= allowed).all()


@pytest.mark.parametrize("n_rows", [60, 400], ids=["young", "mature"])
@pytest.mark.parametrize("delta", DELTAS)
@pytest.mark.parametrize("make", DATA)
def test_many_columns_are_the_truth_in_32_digits(make: Maker, delta: float, n_rows: int) -> None:
    rows = make(np.random.default_rng(4), n_rows, 270)
    model, widths = learned(rows, delta)
    mean, covariance = dd.covariance(rows, delta * widths)
    roots = np.sqrt(covariance.high.diagonal())
    assert_allclose(model.covariances[0] / np.outer(roots, roots), covariance.high / np.outer(roots, roots), atol=1e-10)
    errors = dd.add(dd.exact(rows[:3].T), dd.negative(dd.picked(mean, (slice(None), None))))
    white, log_determinant = dd.whitened(covariance, errors)
    distances = (white.high**2).sum(axis=0)
    expected = -0.5 * (270 * np.log(2 * np.pi) + log_determinant + distances)
    assert_allclose(model.score_samples(rows[:3]), expected, rtol=1e-9)
    known = [0, *range(2, 270)]
    both = dd.Pair(
        *(
            np.column_stack([part[0], part[1]])
            for part in zip(dd.picked(errors, known), dd.picked(covariance, (known, [1])), strict=True)
        )
    )
    white, _ = dd.whitened(dd.picked(covariance, np.ix_(known, known)), both)
    answers = mean.high[1] + white.high[:, :3].T @ white.high[:, 3]
    found = model.recall(asked(rows))[:, 1]
    assert_allclose(found, answers, rtol=0, atol=1e-9 * roots[1] + np.spacing(np.abs(rows[:, 1]).max()))


def test_a_million_rows_with_classes() -> None:
    rows = one_hot(np.random.default_rng(5), 1_000_000, 10)
    model, widths = learned(rows, 0.01)
    truth = Truth(rows[:1], widths)
    whole = np.rint(8 * rows).astype(np.int64)
    n, sums, products = len(rows), whole.sum(axis=0).tolist(), (whole.T @ whole).tolist()
    truth.mean = [Fraction(value, 8 * n) for value in sums]
    truth.covariance = [
        [
            Fraction(products[a][b], 64 * n) - truth.mean[a] * truth.mean[b]
            + (Fraction(0.01 * widths[a]) ** 2 / n if a == b else 0)
            for b in range(10)
        ]
        for a in range(10)
    ]  # fmt: skip
    expected = [truth.log_density(row) for row in rows[:3]]
    assert_allclose(model.score_samples(rows[:3]), expected, rtol=0, atol=1e-9)


SETTINGS = [
    *({"OPENBLAS_CORETYPE": kernel} for kernel in KERNELS),
    {"OPENBLAS_NUM_THREADS": "1"},
    {"OPENBLAS_NUM_THREADS": "2"},
    {"NUMBA_CPU_NAME": "nehalem", "NUMBA_CPU_FEATURES": ""},
]


@pytest.mark.parametrize("variables", SETTINGS, ids=lambda variables: "-".join(variables.values()))
def test_every_kernel_finds_the_same(variables: dict[str, str], tmp_path: Path) -> None:
    if variables.get("OPENBLAS_CORETYPE") == "SkylakeX" and "avx512dq" not in cpu_flags():
        pytest.skip("this CPU has no AVX-512")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("OPENBLAS", "NUMBA"))}
    command = [sys.executable, "-m", "tests.figmn.digits", str(tmp_path / "found.npz")]
    subprocess.run(command, cwd=ROOT, env=environment | variables, check=True)
    here = found_here()
    with np.load(tmp_path / "found.npz") as found:
        for name, values in found.items():
            tolerance = 1e-10 if name.startswith("covariance") else 1e-8
            assert_allclose(values, here[name], rtol=tolerance, atol=tolerance, err_msg=name)


BLAS = """
import numpy, scipy.linalg
from threadpoolctl import threadpool_info
print(*sorted({found.get("architecture", "") for found in threadpool_info() if found["user_api"] == "blas"}))
"""


@pytest.mark.skipif(platform.machine() not in {"x86_64", "AMD64"}, reason="kernels of x86")
def test_the_kernels_are_really_others() -> None:
    if not any(found["internal_api"] == "openblas" for found in threadpool_info()):
        pytest.skip("the kernels of OpenBLAS, which this NumPy does not use")
    if "avx2" not in cpu_flags():
        pytest.skip("Haswell's kernels need AVX2, which this CPU does not have")
    names = [name for name in KERNELS if name != "SkylakeX"]
    seen = {
        subprocess.run(
            [sys.executable, "-c", BLAS], env=os.environ | {"OPENBLAS_CORETYPE": name}, check=True, capture_output=True
        ).stdout
        for name in names
    }
    assert len(seen) == len(names)


@lru_cache
def found_here() -> dict[str, Floats]:
    return digits.found()


def cpu_flags() -> str:
    """OpenBLAS dies of an illegal instruction where it is told a kernel that the CPU cannot run."""
    try:
        return Path("/proc/cpuinfo").read_text(encoding="ascii", errors="replace")
    except OSError:
        return ""
