"""`python -m workbench bench --loads`: time our readers against those of pandas and SciPy."""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.csv as pacsv

from workbench.source import Column, Encoding, Preview, Table, preview, read_table, stream_rows
from workbench.source.read.arff.writer import write_arff
from workbench.words.sentences import UserError
from workbench.words.sizes import in_megabytes

CSV_ROWS, CSV_COLUMNS = 1_000_000, 10
"""About 200 MB of text."""
ARFF_ROWS = 100_000
# Not `ru_maxrss`: Linux carries it over to a new program, so that it said 416 MB where 9 MB were used; psutil has none.
PEAK = """
import sys
from pathlib import Path
from workbench.source import stream_rows
n = sum(len(block) for block in stream_rows(sys.argv[1]))
status = Path("/proc/self/status").read_text()
print(n, next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")))
"""


def run(repeats: int, gigabytes: float) -> None:
    """Time all readers on files in a temporary folder, and print the results."""
    needed = int((gigabytes + 0.5) * 1e9)
    free = shutil.disk_usage(tempfile.gettempdir()).free
    if free < needed:
        raise SystemExit(
            UserError(
                "The files need {needed:.1f} GB in {folder}, {free:.1f} GB are free: choose fewer --gigabytes.",
                needed=needed / 1e9,
                folder=tempfile.gettempdir(),
                free=free / 1e9,
            )
        )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        table = _table(CSV_ROWS, CSV_COLUMNS)
        csv = _write_csv(table, folder / "table.csv")
        print(f"CSV, {CSV_ROWS:,} rows x {CSV_COLUMNS + 1} columns, {in_megabytes(csv.stat().st_size)}:")
        print("  " + _beside_pandas(csv, repeats))
        print("  " + _preview(csv))
        print("  " + _streaming(csv, repeats))
        for line in _arff(folder, repeats):
            print(line)
        if gigabytes:
            print(_larger_than_memory(csv, folder / "large.csv", gigabytes))


def in_turns(ours: Callable[[], Any], theirs: Callable[[], Any], repeats: int) -> tuple[float, float, float]:
    """Median times of both, timed alternately, and the median of their ratios."""
    ours(), theirs()
    times = [(_timed(ours), _timed(theirs)) for _ in range(repeats)]
    mine, other = zip(*times, strict=True)
    return statistics.median(mine), statistics.median(other), statistics.median(a / b for a, b in times)


def _beside_pandas(csv: Path, repeats: int) -> str:
    try:
        import pandas as pd
    except ImportError:
        return "pandas is not installed: pip install pandas, to compare with its reader"
    ours, theirs, ratio = in_turns(lambda: read_table(csv), lambda: pd.read_csv(csv), repeats)
    return f"read_table {ours:.3f} s, pandas.read_csv {theirs:.3f} s: {ratio:.2f} times its time"


def _preview(csv: Path) -> str:
    seconds = statistics.median(_timed(lambda: preview(csv)) for _ in range(5))
    found: Preview = preview(csv)
    return f"preview {1e3 * seconds:.0f} ms: {found.n_rows:,} rows expected, {in_megabytes(found.memory)} in memory"


def _streaming(csv: Path, repeats: int) -> str:
    """Stream with standardised columns and a one-hot class, against Arrow's streaming parser alone."""
    stream = stream_rows(csv, Encoding("standard"))
    ours, bare, ratio = in_turns(
        lambda: sum(map(len, stream)), lambda: sum(batch.num_rows for batch in pacsv.open_csv(csv)), repeats
    )
    return (
        f"streamed and encoded {CSV_ROWS / ours / 1e6:.2f} M rows/s, Arrow's streaming parser alone "
        f"{CSV_ROWS / bare / 1e6:.2f} M rows/s: {ratio:.2f} times its time"
    )


def _arff(folder: Path, repeats: int) -> Iterator[str]:
    from scipy.io.arff import loadarff

    for what, labels in (("plain labels", ("a", "b")), ("quoted labels", ("red wine", "white wine"))):
        path = folder / f"{what}.arff"
        write_arff(_table(ARFF_ROWS, CSV_COLUMNS, labels), path)
        ours, theirs, ratio = in_turns(lambda path=path: read_table(path), lambda path=path: loadarff(path), repeats)  # type: ignore[misc]
        yield (
            f"ARFF, {ARFF_ROWS:,} rows x {CSV_COLUMNS + 1} columns, {what}: read_table {ours:.3f} s, "
            f"scipy.io.arff {theirs:.3f} s: {1 / ratio:.1f} times as fast"
        )


def _larger_than_memory(csv: Path, path: Path, gigabytes: float) -> str:
    """Stream a file of `gigabytes` GB in a separate process, and report its peak memory."""
    with csv.open("rb") as source, path.open("wb") as target:
        header = source.readline()
        target.write(header)
        while target.tell() < gigabytes * 1e9:
            source.seek(len(header))
            shutil.copyfileobj(source, target, 2**22)
    began = time.perf_counter()
    done = subprocess.run(  # noqa: S603 - our own interpreter and code
        [sys.executable, "-c", PEAK, str(path)], capture_output=True, text=True, check=True
    )
    seconds = time.perf_counter() - began
    rows, kilobytes = map(int, done.stdout.split())
    return (
        f"CSV of {path.stat().st_size / 1e9:.1f} GB, {rows:,} rows streamed in two passes: {seconds:.0f} s, "
        f"peak memory {kilobytes / 1e3:.0f} MB"
    )


def _table(n_rows: int, n_columns: int, labels: tuple[str, ...] = ("a", "b", "c")) -> Table:
    rng = np.random.default_rng(0)
    numbers = [Column.numeric(f"x {i}", rng.normal(size=n_rows)) for i in range(1, n_columns + 1)]
    codes = rng.integers(len(labels), size=n_rows).astype(np.int32)
    return Table("table", (*numbers, Column("class", "nominal", codes, labels, "target")))


def _write_csv(table: Table, path: Path) -> Path:
    with path.open("w", encoding="utf-8") as file:
        file.write(",".join(table.names) + "\n")
        for start in range(0, table.n_rows, 50_000):
            columns = [column.texts() for column in table.take(slice(start, start + 50_000))]
            file.writelines(",".join(row) + "\n" for row in zip(*columns, strict=True))
    return path


def _timed(work: Callable[[], Any]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
