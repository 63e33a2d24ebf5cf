"""Loads that do not fit into memory are refused while they come, whatever the file on disk says of its size."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import psutil
import pyarrow as pa
import pytest
from pyarrow import parquet

from tests.workbench.source.mutations import FILES
from workbench.source import SourceError, preview, read_table, stream_rows
from workbench.source.read import memory
from workbench.source.read.memory import available_bytes

ROWS = 500_000
CSV = b"x,y,z\n" + b"0,0,0\n" * ROWS
ARFF = b"@relation zeros\n@attribute x numeric\n@attribute y numeric\n@data\n" + b"0,0\n" * ROWS
JSON = b'{"x":0}\n' * ROWS
LIST = b"[" + b'{"x":0},\n' * ROWS + b'{"x":0}]'


def zipped(content: bytes) -> bytes:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("rows", content)
    return sink.getvalue()


@pytest.fixture
def little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    set_available(monkeypatch, 5000 * 1024)


def set_available(monkeypatch: pytest.MonkeyPatch, n_bytes: int) -> None:
    """Let the machine have `n_bytes` bytes of memory left."""
    monkeypatch.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(available=n_bytes))


@pytest.mark.usefixtures("little_memory")
@pytest.mark.parametrize(
    ("name", "content"), [("rows.csv", CSV), ("rows.arff", ARFF), ("rows.json", JSON), ("list.json", LIST)]
)
@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress, zipped])
def test_a_small_archive_of_many_rows_is_refused(
    pack: Callable[[bytes], bytes], name: str, content: bytes, tmp_path: Path
) -> None:
    path = tmp_path / f"{name}.zip"
    path.write_bytes(pack(content))
    assert path.stat().st_size < 200_000
    with pytest.raises(SourceError) as caught:
        read_table(path)
    assert str(caught.value).startswith(
        f"{path.name} takes more than 4 MB of memory, of 5 MB that are available (the file has "
    )


@pytest.mark.usefixtures("little_memory")
def test_what_cannot_be_loaded_can_be_streamed(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv.gz"
    path.write_bytes(gzip.compress(CSV))
    assert sum(map(len, stream_rows(path))) == ROWS


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress, zipped])
def test_the_preview_of_an_archive_promises_what_it_takes(
    pack: Callable[[bytes], bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.source.read.opening.MEASURED", 2 * 2**20)
    path = tmp_path / "rows.csv.zip"
    path.write_bytes(pack(CSV))
    assert preview(path).n_rows == pytest.approx(ROWS, rel=0.5)
    assert preview(path).memory == pytest.approx(24 * ROWS, rel=0.5)


@pytest.mark.usefixtures("little_memory")
def test_a_parquet_file_of_many_equal_rows_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "zeros.parquet"
    parquet.write_table(pa.table({"x": np.zeros(2 * ROWS)}), path)
    assert path.stat().st_size < 200_000
    with pytest.raises(SourceError, match=r"^zeros\.parquet takes more than 4 MB of memory"):
        read_table(path)


@pytest.mark.usefixtures("little_memory")
@pytest.mark.parametrize("name", ["zeros.npy.gz", "zeros.npz", "zeros.idx.gz"])
def test_arrays_that_announce_too_much_are_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    if name == "zeros.npz":
        np.savez_compressed(path, x=np.zeros(2 * ROWS))
    elif name == "zeros.npy.gz":
        sink = io.BytesIO()
        np.save(sink, np.zeros(2 * ROWS))
        path.write_bytes(gzip.compress(sink.getvalue()))
    else:
        head = bytes([0, 0, 8, 2]) + ROWS.to_bytes(4, "big") + (10).to_bytes(4, "big")
        path.write_bytes(gzip.compress(head + bytes(10 * ROWS)))
    with pytest.raises(SourceError, match=r" announces numbers that take more than 4 MB of memory, .* Save it as CSV"):
        read_table(path)


@pytest.mark.parametrize("name", ["rows.csv.zip", "rows.csv.gz", "rows.csv.xz"])
def test_an_archive_inside_an_archive_is_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / "outer.zip"
    path.write_bytes(zipped(FILES[name]))
    with pytest.raises(
        SourceError, match=r"^outer\.zip is not a table: it is an archive inside an archive\. Unpack it"
    ):
        preview(path)


def test_an_array_with_more_columns_than_names_can_be_made_for_is_refused(tmp_path: Path) -> None:
    idx, npy = tmp_path / "wide.idx", tmp_path / "wide.npy"
    idx.write_bytes(bytes([0, 0, 8, 3]) + b"\0\0\0\1" + b"\xff\xff\xff\xff" * 2)
    np.save(npy, np.empty((0, 100_001), dtype=np.uint8))
    for path in (idx, npy):
        with pytest.raises(SourceError, match=r" announces [\d,]+ values a row\. It is damaged, or no table"):
            preview(path)


def test_arrays_without_a_row_are_refused(tmp_path: Path) -> None:
    idx, npy = tmp_path / "none.idx", tmp_path / "none.npy"
    idx.write_bytes(bytes([0, 0, 8, 2]) + bytes(4) + bytes([0, 0, 0, 3]))
    np.save(npy, np.empty((0, 3)))
    for path in (idx, npy):
        with pytest.raises(SourceError, match=r" has no rows\. Choose a file with rows and columns\.$"):
            preview(path)


STRAY = """
import sys
from workbench.source import SourceError, preview
try:
    preview(sys.argv[1])
except SourceError as error:
    print(error)
"""


def test_a_cell_far_from_the_table_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "stray.xlsx"
    stray = b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'
    with zipfile.ZipFile(io.BytesIO(FILES["book.xlsx"])) as book, zipfile.ZipFile(path, "w") as target:
        for name in book.namelist():
            target.writestr(name, book.read(name).replace(b"</sheetData>", stray))
    # In a process of its own, which the reader of workbooks ends where memory does not suffice.
    done = subprocess.run([sys.executable, "-c", STRAY, path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("stray.xlsx has cells up to row 1,048,576 and column 16,384, which take more than ")
    assert done.stdout.endswith("Delete the cells that stand far from the table, or save the sheet as CSV.\n")


@pytest.mark.usefixtures("little_memory")
def test_a_workbook_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.xlsx"
    with zipfile.ZipFile(io.BytesIO(FILES["book.xlsx"])) as book, zipfile.ZipFile(path, "w", 8) as target:
        for name in book.namelist():
            target.writestr(name, book.read(name))
        target.writestr("xl/sharedStrings.xml", b" " * 10_000_000)
    for read in (preview, read_table):
        with pytest.raises(SourceError, match=r"^bomb\.xlsx (unpacks to|takes) more than 4 MB of memory"):
            read(path)


LINE = b",".join([b"0.1234567890"] * 8) + b"\n"
PEAK = """
import sys, tracemalloc
import pyarrow
from workbench.source import preview, read_table
from workbench.source.read import pipeline
from workbench.source.read.csv import reader as delimited

delimited.AT_ONCE, pipeline.WORKERS = 2**20, 2
found, pools = preview(sys.argv[1]), (pyarrow.default_memory_pool(), pyarrow.system_memory_pool())
tracemalloc.start()
read_table(sys.argv[1])
print(found.memory, tracemalloc.get_traced_memory()[1] + sum(pool.max_memory() for pool in pools))
"""


def test_a_large_csv_takes_what_its_preview_promised(tmp_path: Path) -> None:
    """By the bytes that NumPy, Python and Arrow asked for: resident pages depend on the allocators of the machine."""
    path = tmp_path / "large.csv"
    path.write_bytes(b"a,b,c,d,e,f,g,h\n" + LINE * 1_200_000)
    done = subprocess.run([sys.executable, "-c", PEAK, path], capture_output=True, text=True, check=True)
    promised, taken = map(int, done.stdout.split())
    assert promised == pytest.approx(76.8e6, rel=0.01)
    # And the blocks that are under way, whatever the size of the file.
    assert taken < 1.05 * promised + 60e6


ROWS_OF = {
    "digits": (b"a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p\n", lambda _: b"1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6\n", 1_500_000),
    "numbers": (b"a,b,c,d,e,f,g,h\n", lambda _: LINE, 1_000_000),
    "texts": (b"x,text\n", lambda row: b"%d,text number %d\n" % (row % 7, row), 1_000_000),
    "cities": (b"x,city\n", lambda row: b"%d,city number %d\n" % (row % 7, row * 7919 % 500), 1_000_000),
}
"""A table of four times the size of the file, one that is parsed as a whole, texts that are all different, and few."""


@pytest.mark.skipif(sys.platform != "linux", reason="the peak is read from /proc")
@pytest.mark.parametrize("kind", list(ROWS_OF))
def test_a_load_takes_no_more_than_its_preview_says(kind: str, tmp_path: Path) -> None:
    """Twice the table, and more of texts; the preview told the table's size alone."""
    head, line, n_rows = ROWS_OF[kind]
    path = tmp_path / "rows.csv"
    path.write_bytes(head + b"".join(map(line, range(n_rows))))
    script = PEAK.replace("= 2**20, 2", "= 2**27, 2").replace("found.memory", "found.peak")
    done = subprocess.run([sys.executable, "-c", script, path], capture_output=True, text=True, check=True)
    said, taken = map(int, done.stdout.split())
    assert taken < said


def test_texts_that_repeat_are_told_for_what_they_take(tmp_path: Path) -> None:
    """Of 24 million rows with a city among 500 it was said that they take 12 GB, of which they took 6.8."""
    path = tmp_path / "rows.csv"
    cities, texts = ROWS_OF["cities"], ROWS_OF["texts"]
    told = []
    for head, line, _ in (cities, texts):
        path.write_bytes(head + b"".join(map(line, range(100_000))))
        found = preview(path)
        assert found.table.kinds == ("numeric", "string")
        told.append((found.memory / found.n_rows, found.peak / found.n_rows))
    (few, few_peak), (all_different, peak) = told
    assert few < 0.7 * all_different
    assert few_peak < 0.7 * peak


def test_the_machine_says_what_is_available() -> None:
    assert 2**20 < available_bytes() <= psutil.virtual_memory().total


def test_a_load_stays_within_the_limits_that_it_is_told_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_LIMITS", [])
    path = tmp_path / "rows.csv.gz"
    path.write_bytes(gzip.compress(CSV))
    memory.limit_by(lambda: None)
    assert read_table(path).n_rows == ROWS
    memory.limit_by(lambda: 5_000_000)
    with pytest.raises(SourceError, match=r"^rows\.csv\.gz takes more than 4 MB of memory, of 5 MB that are available"):
        read_table(path)


CONTAINER = """
import sys
from figmn.system import container
import workbench.run
from workbench.source.read.memory import available_bytes
container.ROOT, container.OWN_GROUPS = map(__import__("pathlib").Path, sys.argv[1:])
print(available_bytes())
"""


def test_loads_of_the_workbench_stay_within_the_limits_of_a_container(tmp_path: Path) -> None:
    (tmp_path / "own").write_text("0::/\n")
    (tmp_path / "memory.max").write_text("3000000\n")
    (tmp_path / "memory.current").write_text("1000000\n")
    done = subprocess.run(
        [sys.executable, "-c", CONTAINER, tmp_path, tmp_path / "own"], capture_output=True, text=True, check=True
    )
    assert int(done.stdout) == 2_000_000
