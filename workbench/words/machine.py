"""What timings depend on: the machine they were taken on, and the conditions that make them comparable."""

from __future__ import annotations

from collections.abc import Mapping

SEPARATOR = " · "


def machine_line(machine: Mapping[str, str], threads: int | None = None) -> str:
    """The processor, the versions and the number of BLAS threads in one line; empty where nothing is known.

    Parameters
    ----------
    machine : names and values, as `figmn.bench.machine` returns them
    threads : BLAS threads, where they are to be named

    Examples
    --------
    >>> machine_line({"CPU": "AMD EPYC", "cores": "2", "NumPy": "2.1.0"}, threads=1)
    'AMD EPYC · 2 cores · NumPy 2.1.0 · BLAS threads 1'
    """
    if not machine:
        return ""
    known = dict(machine)
    first = [known.pop("CPU", ""), f"{known.pop('cores')} cores" if "cores" in known else ""]
    blas = [] if threads is None else [f"BLAS threads {threads}"]
    return _joined(*first, *(f"{name} {value}" for name, value in known.items()), *blas)


def fairness_line(threads: int, *details: str, engines: str = "both", turns: str = "") -> str:
    """The conditions under which the engines were timed.

    Parameters
    ----------
    threads : BLAS threads of each engine
    *details : further conditions, such as the machine; empty ones are left out
    engines : whose BLAS threads these are, such as "both" or "every engine"
    turns : whether the engines take turns, in words

    Examples
    --------
    >>> fairness_line(1, "2 cores", turns="engines take turns")
    'engine time only · one BLAS thread for both · engines take turns · warm-up not timed · 2 cores'
    """
    blas = "one BLAS thread" if threads == 1 else f"{threads:,} BLAS threads"
    return _joined("engine time only", f"{blas} for {engines}", turns, "warm-up not timed", *details)


def _joined(*parts: str) -> str:
    return SEPARATOR.join(part for part in parts if part)
