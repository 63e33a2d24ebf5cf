"""The timings of a sweep as plain text, CSV, JSON and LaTeX."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from figmn.bench import FEWEST_FITTED, MATRIX_WORK_FROM, Contender, Exponent, Measurement
from workbench.evaluate.sweep.sweep import Crossover, SweepResult
from workbench.words.durations import in_microseconds
from workbench.words.factors import speed_up, table_factor
from workbench.words.machine import fairness_line, machine_line
from workbench.words.sentences import UserError
from workbench.words.tables import csv_text, json_text, latex_tabular, latex_text

NOT_ASYMPTOTIC = "not yet asymptotic"
FIELDS = ("engine", "n_features", "n_components", "n_rows", "n_timed")
FEW_DIMENSIONS = 10
"""Below this, dimensions are written with a decimal."""


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
    """One line per timing: median, range, and the speed-up over the slowest engine on the same rows."""
    lines = [f"{'D':>5} {'K':>3} {'engine':<22} {'rows':>8} {'µs per sample':>14} {'range':>23} {'faster':>9}"]
    for m in measurements:
        slowest = max(other.median for other in measurements if other.case == m.case)
        low, high = 1e6 * min(m.seconds), 1e6 * max(m.seconds)
        lines.append(
            f"{m.case.n_features:>5} {m.case.n_components:>3} {m.contender.name:<22} {m.n_timed:>8,} "
            f"{1e6 * m.median:>14,.2f} {f'{low:,.2f} to {high:,.2f}':>23} {speed_up(m.median, slowest):>8,.1f}x"
        )
    return "\n".join(lines)


def exponent_lines(exponents: Sequence[Exponent]) -> str:
    """One line per engine; a second one where the exponent does not hold for larger D."""
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
    """Why an exponent does not hold for larger D; empty where it does."""
    if exponent.is_asymptotic:
        return ""
    if exponent.dims[0] < MATRIX_WORK_FROM:
        return f"fewer than {FEWEST_FITTED} D of {MATRIX_WORK_FROM} or more; below that, fixed costs count"
    last = exponent.slope + exponent.rise
    return f"the growth still rises, to D^{last:.2f} from D = {exponent.dims[-2]:,} to {exponent.dims[-1]:,}"


def asymptotic_line(exponents: Sequence[Exponent]) -> str:
    """Which exponents do not hold for larger D, and why, each reason once; empty where all do."""
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
    """The whole result as plain text."""
    parts = (
        table(result.measurements),
        exponent_lines(result.exponents),
        "\n".join(crossover_words(crossover, result.settings.dims) for crossover in result.crossovers),
        f"{machine_line(dict(result.machine))}\n{conditions_line(result)}",
    )
    return "\n\n".join(part for part in parts if part) + "\n"


def as_csv(measurements: Sequence[Measurement], with_cpu: bool = False) -> str:
    """One line per repeat."""
    headings = [*FIELDS, "repeat", "seconds_per_sample", *(["cpu_seconds_per_sample"] * with_cpu)]
    return csv_text(headings, _repeats(measurements, with_cpu))


def _repeats(measurements: Sequence[Measurement], with_cpu: bool) -> Iterator[list[Any]]:
    for m in measurements:
        columns = (m.seconds, m.cpu_seconds) if with_cpu else (m.seconds,)
        for repeat, times in enumerate(zip(*columns, strict=True)):
            yield [*_record(m).values(), repeat, *times]


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
    return json_text(found)


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
    names = [latex_text(contender.name) for contender in (*contenders, *against)]
    kinds = [*([r"$\mu$s (range)"] * len(contenders)), *(["speed-up"] * len(against))]
    rows = [_latex_row(result, width, contenders, against) for width in result.settings.dims]
    lines = [
        *(f"% {line}" for line in (machine_line(dict(result.machine)), conditions_line(result))),
        latex_tabular("r" * (1 + len(names)), [[["", *names], ["$D$", *kinds]], rows]),
        "",
        r"\noindent Median time per sample in $\mu$s (least to largest of the repeats).",
    ]
    if result.exponents:
        fits = [
            rf"{latex_text(e.contender.name)} $D^{{{e.slope:.2f} \pm {e.margin:.2f}}}$"
            + f" ({NOT_ASYMPTOTIC})" * (not e.is_asymptotic)
            for e in result.exponents
        ]
        lines.append(f"Growth (95\\,\\% interval): {'; '.join(fits)}.")
    return "\n".join(lines) + "\n"


def exponent_words(exponent: Exponent) -> str:
    """An exponent with its 95 % interval."""
    remark = "" if exponent.is_asymptotic else f", {NOT_ASYMPTOTIC}"
    return f"D^{exponent.slope:.2f} ± {exponent.margin:.2f}{remark}"


def crossover_words(crossover: Crossover, dims: Sequence[int]) -> str:
    """Which engine overtakes which at what D, and whether that D was among those measured."""
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
    """An estimated number of dimensions.

    >>> dimensions(2.64), dimensions(1203.4)
    ('D ≈ 2.6', 'D ≈ 1,203')
    """
    return f"D ≈ {n_features:,.{1 if n_features < FEW_DIMENSIONS else 0}f}"


def conditions_line(result: SweepResult) -> str:
    """The conditions under which the engines were timed."""
    settings = result.settings
    repeats = f"medians of {settings.repeats} repeats" if settings.repeats > 1 else "one repeat"
    bars = ", bars from least to largest" * (settings.repeats > 1)
    rows = f"{settings.n_rows:,} rows a timing, fewer where these take over {settings.seconds:g} s"
    return fairness_line(result.threads, f"{repeats}{bars}", rows, engines="every engine")


def _record(m: Measurement) -> dict[str, Any]:
    values = (m.contender.name, m.case.n_features, m.case.n_components, m.case.n_rows, m.n_timed)
    return dict(zip(FIELDS, values, strict=True))


def _latex_row(
    result: SweepResult, width: int, contenders: Sequence[Contender], against: Sequence[Contender]
) -> list[str]:
    """The dimensions, the times and the speed-ups; dashes for what a cancelled sweep has not timed."""
    cells = [f"{width:,}"]
    for contender in contenders:
        m = result.measurement(width, contender)
        cells.append("--" if m is None else _latex_range(m))
    for contender in against:
        found = result.speed_up(width, contender)
        cells.append("--" if found is None else f"${table_factor(found)[:-1].replace(',', '{,}')}\\times$")
    return cells


def _latex_range(m: Measurement) -> str:
    low, high = in_microseconds(min(m.seconds)), in_microseconds(max(m.seconds))
    return f"{in_microseconds(m.median)} ({low}--{high})"
