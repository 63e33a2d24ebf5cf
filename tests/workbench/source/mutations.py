"""Small files of every format, and seeded damage to them."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import random
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import feather, parquet

from workbench.source import Cancelled, ReadOptions, SourceError, preview, read_table, stream_rows

TEXT = "length,größe,class,when,id\n" + "".join(
    f'{i / 7:.4f},{i * 37 % 11},"{"red" if i % 3 else "blue, dark"}",2026-01-{i % 28 + 1:02},id {i}\n'
    for i in range(40)
)
ARFF = (
    "% made by hand\n@relation flowers\n@attribute size numeric\n@attribute 'my class' {red, blue, 'dark blue'}\n"
    "@attribute day date 'yyyy-MM-dd'\n@attribute text string\n@data\n"
    + "".join(
        f"{i / 3:.3f},{'red' if i % 2 else chr(39) + 'dark blue' + chr(39)},2026-01-{i % 28 + 1:02},t{i}\n"
        for i in range(20)
    )
    + "{0 5, 3 'x'}\n?,?,?,? {2.5}\n"
)
JSON = "".join(f'{{"x": {i / 3}, "n": {i}, "who": "p{i % 3}", "at": {{"lat": {i}, "on": true}}}}\n' for i in range(20))
LIST = "[\n" + ",\n".join(f'{{"x": {i}, "c": "{"ab"[i % 2]}"}}' for i in range(20)) + "\n]\n"


def _table() -> pa.Table:
    n = 60
    return pa.table(
        {
            "x": pa.array([i / 3 if i % 7 else None for i in range(n)]),
            "n": pa.array(range(n), pa.int32()),
            "text": pa.array([f"text {i}" if i % 5 else None for i in range(n)]),
            "label": pa.array(["red", "green", "blue"] * (n // 3)).dictionary_encode(),
            "when": pa.array(range(n), pa.timestamp("us")),
            "on": pa.array([bool(i % 2) for i in range(n)]),
            "place": pa.array([{"lat": i * 1.0, "name": f"p{i}"} for i in range(n)]),
            "money": pa.array(range(n), pa.int64()).cast(pa.decimal128(21, 2)),
            "list": pa.array([[i, i + 1] for i in range(n)]),
            "view": pa.array([f"a rather long text of number {i}" for i in range(n)], pa.string_view()),
        }
    )


def _parquet(**options: Any) -> bytes:
    sink = io.BytesIO()
    parquet.write_table(_table().drop_columns(["view"]), sink, row_group_size=20, **options)
    return sink.getvalue()


def _feather(compression: str) -> bytes:
    sink = io.BytesIO()
    feather.write_feather(_table(), sink, compression=compression, chunksize=20)
    return sink.getvalue()


def _arrow_stream() -> bytes:
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, _table().schema) as writer:
        writer.write_table(_table(), max_chunksize=20)
    return sink.getvalue()


def _npy(array: np.ndarray) -> bytes:
    sink = io.BytesIO()
    np.save(sink, array)
    return sink.getvalue()


def _npz(save: Callable[..., None]) -> bytes:
    sink = io.BytesIO()
    save(sink, x=np.arange(60.0).reshape(20, 3), y=np.array(["a", "b"] * 10))
    return sink.getvalue()


def _idx() -> bytes:
    return struct.pack(">HBB3I", 0, 8, 3, 10, 4, 4) + bytes(range(160))


def _cifar() -> bytes:
    return b"".join(bytes([label]) + bytes([label * 7] * 3072) for label in range(3))


def _zip(name: str, content: bytes) -> bytes:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return sink.getvalue()


def _xlsx() -> bytes:
    row = '<row r="{0}"><c r="A{0}"><v>{1}</v></c><c r="B{0}" t="inlineStr"><is><t>{2}</t></is></c></row>'
    rows = "".join(row.format(i + 2, i / 3, "ab"[i % 2]) for i in range(20))
    head = '<row r="1"><c r="A1" t="inlineStr"><is><t>x</t></is></c><c r="B1" t="inlineStr"><is><t>c</t></is></c></row>'
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types"><Default Extension="xml" '
        'ContentType="application/xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" '
        f'Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets><sheet name="S" sheetId="1" '
        'r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" '
        f'Type="{office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{main}"><sheetData>{head}{rows}</sheetData></worksheet>',
    }
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return sink.getvalue()


FILES: dict[str, bytes] = {
    "utf8.csv": TEXT.encode(),
    "bom.csv": TEXT.encode("utf-8-sig"),
    "latin.csv": TEXT.encode("latin-1"),
    "utf16.csv": TEXT.encode("utf-16"),
    "utf16-be.csv": TEXT.encode("utf-16-be"),
    "utf32.csv": TEXT.encode("utf-32"),
    "blanks.txt": TEXT.replace(",", " ").encode(),
    "semicolon.csv": TEXT.replace("blue, dark", "blue").replace(",", ";").replace(".", ",").encode(),
    "rows.arff": ARFF.encode(),
    "utf16.arff": ARFF.encode("utf-16"),
    "lines.json": JSON.encode(),
    "list.json": LIST.encode(),
    "utf16.json": JSON.encode("utf-16"),
    "plain.parquet": _parquet(compression="none", use_dictionary=False),
    "packed.parquet": _parquet(),
    "plain.feather": _feather("uncompressed"),
    "packed.feather": _feather("lz4"),
    "rows.arrows": _arrow_stream(),
    "numbers.npy": _npy(np.arange(60.0).reshape(20, 3)),
    "texts.npy": _npy(np.array([["a", "b"]] * 20)),
    "fields.npy": _npy(np.zeros(20, dtype=[("x", "f4"), ("when", "M8[D]"), ("on", "?"), ("name", "S4")])),
    "plain.npz": _npz(np.savez),
    "packed.npz": _npz(np.savez_compressed),
    "images.idx3-ubyte": _idx(),
    "batch.bin": _cifar(),
    "book.xlsx": _xlsx(),
    "rows.csv.gz": gzip.compress(TEXT.encode(), mtime=0),
    "rows.csv.xz": lzma.compress(TEXT.encode()),
    "rows.csv.bz2": bz2.compress(TEXT.encode()),
    "rows.csv.zip": _zip("rows.csv", TEXT.encode()),
    "rows.arff.gz": gzip.compress(ARFF.encode(), mtime=0),
    "batch.bin.gz": gzip.compress(_cifar(), mtime=0),
}
OPTIONS = (
    ReadOptions(),
    ReadOptions(encoding="utf-8"),
    ReadOptions(encoding="utf-16"),
    ReadOptions(encoding="utf-16-le"),
    ReadOptions(encoding="utf-32"),
    ReadOptions(encoding="utf-7"),
    ReadOptions(encoding="shift_jis"),
    ReadOptions(encoding="latin-1", quote=None),
    ReadOptions(delimiter=" ", bad_lines="skip"),
    ReadOptions(header=False, skip_lines=3),
    ReadOptions(quote="'", decimal=","),
    ReadOptions(member="x"),
)
SPICES = (
    b"",
    b"\0",
    b"\xff",
    b'"',
    b"'",
    b"\n",
    b"\r",
    b",",
    b"{",
    b"[",
    b"9" * 400,
    b"1e999",
    b"-",
    b"NaN",
    b"\xed\xa0\x80",
)


def damaged(data: bytes, rng: random.Random) -> bytes:
    """The bytes after one to four of: other bytes, a bit turned, a cut, pieces twice, moved or zeroed, odd texts."""
    for _ in range(rng.randint(1, 4)):
        if not data:
            break
        at = rng.randrange(len(data))
        length = min(len(data) - at, rng.choice((1, 1, 2, 4, 8, 64)))
        piece = data[at : at + length]
        change = rng.randrange(8)
        if change == 0:
            data = data[:at] + rng.randbytes(length) + data[at + length :]
        elif change == 1:
            data = data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]
        elif change == 2:
            data = data[:at]
        elif change == 3:
            data = data[:at] + piece * rng.choice((2, 50)) + data[at + length :]
        elif change == 4:
            data = data[:at] + rng.choice((b"\0", b"\xff", b"\x7f")) * length + data[at + length :]
        elif change == 5:
            data = data[:at] + data[at + length :]
        elif change == 6:
            data = data[:at] + rng.choice(SPICES) + data[at:]
        else:
            number = rng.choice((0, 1, 2**31 - 1, 2**31, 2**32 - 1, 2**63 - 1, 2**64 - 1, 10**6))
            size = rng.choice((4, 8))
            data = data[:at] + (number % 2 ** (8 * size)).to_bytes(size, "little") + data[at + size :]
    return data


def read_all(path: Path, options: ReadOptions) -> list[str]:
    """The sentences that the readers refuse a file with; anything else that they raise is a defect."""
    said = []
    for read in (preview, _whole, _stream):
        try:
            read(path, options)
        except (SourceError, Cancelled) as error:
            said.append(str(error))
    return said


def _whole(path: Path, options: ReadOptions) -> None:
    for column in read_table(path, options).columns[:20]:
        assert column.summary.n_rows
        column.texts()


def _stream(path: Path, options: ReadOptions) -> None:
    for block in stream_rows(path, options=options):
        assert block.ndim == 2
