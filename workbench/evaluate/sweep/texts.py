"""Timings as texts: tables to read and to print, CSV, JSON and LaTeX to work on with."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from figmn.bench import FEWEST_FITTED, MATRIX_WORK_FROM, Contender, Exponent, Measurement
from workbench.evaluate.sweep.sweep import Crossover, SweepResult
from workbench.words.csv_text import CsvWriter
from workbench.words.sentences import UserError

NOT_ASYMPTOTIC = "not yet asymptotic"
FIELDS = ("engine", "n_features", "n_components", "n_rows", "n_timed")
MANY, SOME = 1000, 100
"""Microseconds from which no decimal helps, and from which one does."""
FEW = 10
"""Dimensions below which a decimal counts."""


def export_text(result: SweepResult, kind: str) -> str:
    """The result as `csv`, `json`, `latex` or plain `text`."""
    kinds: dict[str, Callable[[SweepResult], str]] = {
        "csv": lambda result: as_csv(result.measurements, with_cpu=True),
        "json": as_json,
        "latex": as_latex,
        "text": as_text,
    }
    if kind not in kinds:
        raise UserError("{value!r} is not a kind of text: choose one of {known}.", value=kind, known=", ".join(kinds))
    return kinds[kind](result)


def table(measurements: Sequence[Measurement]) -> str:
    """One line a timing: median, range, and how many times faster than the slowest engine on the same rows."""
    lines = [f"{'D':>5} {'K':>3} {'engine':<22} {'rows':>8} {'µs per sample':>14} {'range':>23} {'faster':>9}"]
    for m in measurements:
        slowest = max(other.median for other in measurements if other.case == m.case)
        low, high = 1e6 * min(m.seconds), 1e6 * max(m.seconds)
        lines.append(
            f"{m.case.n_features:>5} {m.case.n_components:>3} {m.contender.name:<22} {m.n_timed:>8,} "
            f"{1e6 * m.median:>14,.2f} {f'{low:,.2f} to {high:,.2f}':>23} {slowest / m.median:>8,.1f}x"
        )
    return "\n".join(lines)


def exponent_lines(exponents: Sequence[Exponent]) -> str:
    """One line an engine; a second one where the exponent says little about larger D."""
    lines = []
    for e in exponents:
        lines.append(
            f"{e.contender.name:<22} time ~ D^{e.slope:.2f}  (95 % interval {e.low:.2f} to {e.high:.2f}, "
            f"fitted over D = {', '.join(map(str, e.dims))})"
        )
        if not e.is_asymptotic:
            lines.append(f"{'':<22} {NOT_ASYMPTOTIC}: {asymptotic_reason(e)}")
    return "\n".join(lines)


def asymptotic_reason(exponent: Exponent) -> str:
    """Why an exponent is not that of many dimensions; empty where it is."""
    if exponent.is_asymptotic:
        return ""
    if exponent.dims[0] < MATRIX_WORK_FROM:
        return f"fewer than {FEWEST_FITTED} D of {MATRIX_WORK_FROM} or more; below that, fixed costs count"
    last = exponent.slope + exponent.rise
    return f"the growth still rises, to D^{last:.2f} from D = {exponent.dims[-2]:,} to {exponent.dims[-1]:,}"


def asymptotic_line(exponents: Sequence[Exponent]) -> str:
    """Which exponents say little about larger D, and why, each reason once; empty where all are asymptotic."""
    reasons: dict[str, list[str]] = {}
    for e in exponents:
        if not e.is_asymptotic:
            reasons.setdefault(asymptotic_reason(e), []).append(e.contender.name)
    parts = []
    for reason, names in reasons.items():
        whose = "" if len(names) == len(exponents) else f" ({'; '.join(names)})"
        parts.append(f"{NOT_ASYMPTOTIC}{whose}: {reason}")
    return " · ".join(parts)


def as_text(result: SweepResult) -> str:
    """All of it as plain text."""
    parts = (
        table(result.measurements),
        exponent_lines(result.exponents),
        "\n".join(crossover_words(crossover, result.settings.dims) for crossover in result.crossovers),
        f"{machine_line(result)}\n{fairness_line(result)}",
    )
    return "\n\n".join(part for part in parts if part) + "\n"


def as_csv(measurements: Sequence[Measurement], with_cpu: bool = False) -> str:
    """One line a repeat."""
    out = io.StringIO()
    writer = CsvWriter(out)
    writer.writerow([*FIELDS, "repeat", "seconds_per_sample", *(["cpu_seconds_per_sample"] * with_cpu)])
    for m in measurements:
        columns = (m.seconds, m.cpu_seconds) if with_cpu else (m.seconds,)
        for repeat, times in enumerate(zip(*columns, strict=True)):
            writer.writerow([*_record(m).values(), repeat, *times])
    return out.getvalue()


def as_json(result: SweepResult) -> str:
    """Everything that was measured and concluded, with the machine it was measured on."""
    found = records(result.measurements, result.exponents, dict(result.machine), result.threads)
    found["settings"] = asdict(result.settings)
    found["n_done"], found["n_total"], found["is_whole"] = result.n_done, result.n_total, result.is_whole
    found["speed_ups"] = [
        {"n_features": s.n_features, "engine": s.contender.name, "factor": s.factor} for s in result.speed_ups
    ]
    found["crossovers"] = [
        {
            "engines": [c.contender.name, c.cubic.name],
            "n_features": c.n_features,
            "faster_above": c.faster_above.name,
            "faster_at_every_D_measured": c.is_always_faster,
        }
        for c in result.crossovers
    ]
    return json.dumps(found, indent=2)


def records(
    measurements: Sequence[Measurement], exponents: Sequence[Exponent], machine: Mapping[str, str], threads: int
) -> dict[str, Any]:
    """What was measured and the machine it was measured on, ready for JSON."""
    return {
        "machine": {**machine, "BLAS threads": threads},
        "timings": [
            _record(m) | {"seconds_per_sample": m.seconds, "cpu_seconds_per_sample": m.cpu_seconds}
            for m in measurements
        ],
        "exponents": [
            {
                "engine": e.contender.name,
                "slope": e.slope,
                "low": e.low,
                "high": e.high,
                "dims": e.dims,
                "seconds_in_one_dimension": e.scale,
                "is_asymptotic": e.is_asymptotic,
                "not_asymptotic_because": asymptotic_reason(e) or None,
            }
            for e in exponents
        ],
    }


def as_latex(result: SweepResult) -> str:
    """A table for any document: no package is needed."""
    contenders = result.settings.contenders
    against = [contender for contender in contenders if not contender.cubic]
    names = [_latex(contender.name) for contender in (*contenders, *against)]
    kinds = [*([r"$\mu$s (range)"] * len(contenders)), *(["speed-up"] * len(against))]
    lines = [
        *(f"% {line}" for line in (machine_line(result), fairness_line(result))),
        rf"\begin{{tabular}}{{{'r' * (1 + len(names))}}}",
        r"\hline",
        " & ".join(["", *names]) + r" \\",
        " & ".join(["$D$", *kinds]) + r" \\",
        r"\hline",
        *(" & ".join(_latex_row(result, width, contenders, against)) + r" \\" for width in result.settings.dims),
        r"\hline",
        r"\end{tabular}",
        "",
        r"\noindent Median time per sample in $\mu$s (least to largest of the repeats).",
    ]
    if result.exponents:
        fits = [
            rf"{_latex(e.contender.name)} $D^{{{e.slope:.2f} \pm {e.margin:.2f}}}$"
            + f" ({NOT_ASYMPTOTIC})" * (not e.is_asymptotic)
            for e in result.exponents
        ]
        lines.append(f"Growth (95\\,\\% interval): {'; '.join(fits)}.")
    return "\n".join(lines) + "\n"


def micros(seconds: float) -> str:
    """Seconds in microseconds, with as many decimals as help.

    >>> micros(0.7351e-6), micros(0.301978), micros(152.93e-6)
    ('0.74', '301,978', '152.9')
    """
    value = 1e6 * seconds
    return f"{value:,.{0 if value >= MANY else 1 if value >= SOME else 2}f}"


def factor(value: float) -> str:
    """How many times faster.

    >>> factor(2409.6), factor(12.34), factor(0.5)
    ('2,410×', '12.3×', '0.50×')
    """
    return f"{value:,.{0 if value >= SOME else 1 if value >= 1 else 2}f}×"


def exponent_words(exponent: Exponent) -> str:
    """A growth in short."""
    remark = "" if exponent.is_asymptotic else f", {NOT_ASYMPTOTIC}"
    return f"D^{exponent.slope:.2f} ± {exponent.margin:.2f}{remark}"


def crossover_words(crossover: Crossover, dims: Sequence[int]) -> str:
    """Who overtakes whom where, and how far that is from what was measured."""
    first, meet = crossover.faster_above.name, crossover.n_features
    second = crossover.cubic.name if crossover.faster_above == crossover.contender else crossover.contender.name
    if meet is None or meet < 1:
        if crossover.is_always_faster:
            return f"{first} is faster than {second} at every D measured"
        return f"the fits of {first} and {second} do not cross"
    where = f"{first} overtakes {second} at {dimensions(meet)}"
    if meet < dims[0]:
        return f"{where} (predicted, below all D measured)"
    return f"{where} (predicted, beyond all D measured)" if meet > dims[-1] else f"{where} (predicted)"


def dimensions(n_features: float) -> str:
    """Dimensions that were computed and not counted.

    >>> dimensions(2.64), dimensions(1203.4)
    ('D ≈ 2.6', 'D ≈ 1,203')
    """
    return f"D ≈ {n_features:,.{1 if n_features < FEW else 0}f}"


def machine_line(result: SweepResult) -> str:
    """The machine and the versions that the times depend on."""
    known = dict(result.machine)
    parts = [known.pop("CPU", ""), f"{known.pop('cores')} cores" if "cores" in known else ""]
    return " · ".join([*(part for part in parts if part), *(f"{name} {value}" for name, value in known.items())])


def fairness_line(result: SweepResult) -> str:
    """How it was measured."""
    settings = result.settings
    threads = "one BLAS thread" if result.threads == 1 else f"{result.threads} BLAS threads"
    repeats = f"medians of {settings.repeats} repeats" if settings.repeats > 1 else "one repeat"
    bars = ", bars from least to largest" * (settings.repeats > 1)
    rows = f"{settings.n_rows:,} rows a timing, fewer where these take over {settings.seconds:g} s"
    return f"engine time only · {threads} for every engine · warm-up not timed · {repeats}{bars} · {rows}"


def _record(m: Measurement) -> dict[str, Any]:
    values = (m.contender.name, m.case.n_features, m.case.n_components, m.case.n_rows, m.n_timed)
    return dict(zip(FIELDS, values, strict=True))


def _latex_row(
    result: SweepResult, width: int, contenders: Sequence[Contender], against: Sequence[Contender]
) -> list[str]:
    """The dimensions, the times and the speed-ups; dashes where a sweep was stopped."""
    cells = [f"{width:,}"]
    for contender in contenders:
        m = result.measurement(width, contender)
        cells.append("--" if m is None else f"{micros(m.median)} ({micros(min(m.seconds))}--{micros(max(m.seconds))})")
    for contender in against:
        found = result.speed_up(width, contender)
        cells.append("--" if found is None else f"${factor(found)[:-1].replace(',', '{,}')}\\times$")
    return cells


def _latex(text: str) -> str:
    """A name with the signs that LaTeX would take for its own."""
    return "".join(f"\\{sign}" if sign in "&%$#_{}" else sign for sign in text)
