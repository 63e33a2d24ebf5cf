"""A corpus of broken files: each has one message, which says where, what and what to do. None gives a stack trace."""

from __future__ import annotations

import gzip
import os
import pickle
import re
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from workbench.source import SourceError, preview, read_table, stream_rows

ARFF = "@relation flowers\n@attribute size numeric\n@attribute class {red, blue}\n@data\n"


def parquet_bytes() -> bytes:
    sink = pa.BufferOutputStream()
    parquet.write_table(pa.table({"x": list(range(100))}), sink)
    return bytes(sink.getvalue())


def npy_bytes(array: np.ndarray) -> bytes:
    import io

    sink = io.BytesIO()
    np.save(sink, array)
    return sink.getvalue()


WITH_REMEDY = re.compile(r".+\. .+\.", re.DOTALL)
"""A sentence that says what is wrong, and another that says what to do."""
CORPUS: dict[str, tuple[bytes, str]] = {
    "cut.csv": (
        b"a,b,c\n1,2,3\n4,5",
        "cut.csv, line 3: '4,5' has 2 values where the file has 3 columns. Mend the line, skip bad lines or "
        "the lines above the table, or choose another delimiter than ','.",
    ),
    "too-many.csv": (
        b"a,b\n" + b"1,2\n" * 30_000 + b"1,2,3\n" + b"1,2\n" * 10,
        "too-many.csv, line 30,002: '1,2,3' has 3 values where the file has 2 columns. Mend the line, skip bad lines "
        "or the lines above the table, or choose another delimiter than ','.",
    ),
    "one-column.csv": (
        b"a\n1\n2,5\n3\n",
        "one-column.csv, line 3: '2,5' has 2 values where the file has 1 column. Mend the line, skip bad lines or "
        "the lines above the table, or choose another delimiter than ','.",
    ),
    "binary.csv": (
        bytes(range(1, 32)) * 40,
        "binary.csv is not text: it holds control characters. Choose a file with rows and columns.",
    ),
    "units.csv": (
        b"length,weight\ncm,kg\n1,2\n3,4\n5,6\n",
        "units.csv, line 2, column 'length': 'cm' stands above numbers: a second header, or units. Delete line 2, or "
        "give 'cm' as a missing value.",
    ),
    "joined.csv": (
        b"a,b\n1,2\n3,4\n" * 20_000,
        "joined.csv, line 4: 'a,b' repeats the header: files put together. Delete the line.",
    ),
    "empty.csv": (b"", "empty.csv is empty. Choose a file with rows and columns."),
    "blank.csv": (b"\n \n\n", "blank.csv is empty. Choose a file with rows and columns."),
    "header.csv": (
        b"a,b,c\n",
        "header.csv, line 1 has a header but no rows. Choose a file with rows under the names.",
    ),
    "nul.csv": (
        b"a,b\n1,2\n3,\0\n",
        "nul.csv, line 3 holds a NUL byte, which no text has. It is damaged or no text: export it again, or choose the "
        "encoding if it is UTF-16.",
    ),
    "late-nul.csv": (
        b"a,b\n" + b"1,2\n" * 100_000 + b"3,\0\n",
        "late-nul.csv, line 100,002 holds a NUL byte, which no text has. It is damaged or no text: export it again, or "
        "choose the encoding if it is UTF-16.",
    ),
    "late-nul-in-text.csv": (
        b"a,b\n" + b"1,x\n" * 100_000 + b"3,\0\n",
        "late-nul-in-text.csv, line 100,002 holds a NUL byte, which no text has. It is damaged or no text: export it "
        "again, or choose the encoding if it is UTF-16.",
    ),
    "song.csv": (
        b"ID3\x04\0\0\0\0\0\0" + bytes(range(256)) * 8,
        "song.csv is not a table: it is an MP3 sound file. Choose a file with rows and columns, such as CSV.",
    ),
    "old.xls": (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600),
        "old.xls is a damaged workbook (Cannot detect file format). Open it in a spreadsheet program and save it "
        "again.",
    ),
    "old.feather": (
        b"FEA1" + bytes(100),
        "old.feather is not a table: it is a Feather file of the first version. Write it again as Feather 2 or "
        "Parquet.",
    ),
    "cut.csv.gz": (
        gzip.compress(os.urandom(5000))[:2000],
        "cut.csv.gz cannot be unpacked or read to its end (Compressed file ended before the end-of-stream marker was "
        "reached). It is cut off or damaged: fetch it again, or unpack it by hand.",
    ),
    "undeclared.arff": (
        f"{ARFF}1,red\n2,green\n".encode(),
        "undeclared.arff, line 6, column 'class': 'green' is not a declared value. Mend it, or declare it in the "
        "header, which has: red, blue.",
    ),
    "short.arff": (
        f"{ARFF}1,red\n2\n".encode(),
        "short.arff, line 6: '2' has 1 value where 2 attributes are declared. Mend the line: a missing value is "
        "written ?, one with a blank, comma or % stands in quotes.",
    ),
    "no-rows.arff": (
        ARFF.encode(),
        "no-rows.arff has a header but no rows. Choose a file with rows after @data.",
    ),
    "cut.parquet": (
        parquet_bytes()[:300],
        "cut.parquet cannot be read as Parquet (Parquet magic bytes not found in footer. Either the file is corrupted "
        "or this is not a parquet file). It is cut off, damaged or of another format: write it again.",
    ),
    "batch.pkl": (
        pickle.dumps({"data": [1, 2]}),
        "batch.pkl is a pickle, which could run code when loaded. Save the table as CSV, Parquet or .npy; of CIFAR-10, "
        "take the binary version (.bin).",
    ),
    "data_batch_1": (
        pickle.dumps({"data": [1, 2]}, protocol=2),
        "data_batch_1 is a pickle, which could run code when loaded. Save the table as CSV, Parquet or .npy; of "
        "CIFAR-10, take the binary version (.bin).",
    ),
    "objects.npy": (
        npy_bytes(np.array([{}, {}], dtype=object)),
        "objects.npy holds Python objects, which could run code when loaded. Save numbers or texts: np.save(file, "
        "array.astype(float)).",
    ),
    "cut.npy": (
        npy_bytes(np.zeros((10, 10)))[:-80],
        "cut.npy is cut off: 800 bytes of numbers are announced, 720 are there. Fetch or write it again.",
    ),
    "scalar.npy": (
        npy_bytes(np.array(3.0)),
        "scalar.npy holds a single number. Save an array with a row a sample.",
    ),
    "empty-axis-idx3-ubyte": (
        struct.pack(">HBB3I", 0, 8, 3, 5, 0, 2**32 - 1),
        "empty-axis-idx3-ubyte has rows without a value. Choose another file.",
    ),
    "cut-idx3-ubyte": (
        struct.pack(">HBBIII", 0, 8, 3, 10, 4, 4) + bytes(100),
        "cut-idx3-ubyte is cut off: 160 bytes of numbers are announced, 100 are there. Fetch or write it again.",
    ),
    "cut.bin": (
        bytes(5000),
        "cut.bin has 5,000 bytes, which are not records of 3,073 (a label and 32 × 32 × 3 pixels). Only CIFAR-10's "
        "binary version is read from .bin files, and this one may be cut off.",
    ),
    "label.bin": (
        bytes(3073) + b"\x2f" + bytes(3072),
        "label.bin: '47' in record 2 is no label from 0 to 9. Only CIFAR-10's binary version is read from .bin files.",
    ),
    "broken.jsonl": (
        b'{"x": 1}\n{"x": }\n',
        "broken.jsonl, line 2: '{\"x\": }' is not JSON (Expecting value: line 1 column 7 (char 6)). Write one object a "
        'line, such as {"x": 1, "y": 2}.',
    ),
    "list.jsonl": (
        b'{"x": 1}\n[1, 2]\n',
        'list.jsonl, line 2: \'[1, 2]\' is not an object in braces. Write one object a line, such as {"x": 1, "y": 2}.',
    ),
}


@pytest.mark.parametrize("name", CORPUS)
def test_each_broken_file_has_its_message(name: str, tmp_path: Path) -> None:
    content, message = CORPUS[name]
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(SourceError) as caught:
        read_table(path)
    # What a library says, in brackets, is its own affair.
    assert re.sub(r"\(.*\)", "(…)", str(caught.value)) == re.sub(r"\(.*\)", "(…)", message)
    assert caught.value.fields["file"] == path
    assert WITH_REMEDY.fullmatch(str(caught.value))
    assert path.read_bytes() == content


@pytest.mark.parametrize("name", CORPUS)
def test_no_broken_file_gives_a_stack_trace_in_the_preview_or_a_stream(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(CORPUS[name][0])
    for look in (preview, lambda path: list(stream_rows(path)), lambda path: list(stream_rows(path, passes=1))):
        try:
            look(path)
        except SourceError as error:
            assert WITH_REMEDY.fullmatch(str(error))  # noqa: PT017 - a preview may succeed where a load does not


def test_a_folder(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"^data is a folder\. Choose a file in it\.$"):
        read_table(_made(tmp_path / "data"))


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"^iris\.csv does not exist\. Check the name; the folder is "):
        read_table(tmp_path / "iris.csv")


def test_a_file_without_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "secret.csv"
    path.write_text("a\n1\n")

    def refused(*_: object) -> None:
        # Root may read everything, so the refusal is made here.
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refused)
    with pytest.raises(SourceError, match=r"^secret\.csv may not be read by you\. Change its permissions, or copy it"):
        read_table(path)


def test_ten_thousand_columns_load_with_a_word_on_what_they_cost(tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    names = ",".join(f"c{i}" for i in range(10_000))
    line = ",".join(str(i % 10) for i in range(10_000))
    path.write_text("\n".join([names, *[line] * 30]))
    found = preview(path)
    assert found.n_rows == pytest.approx(30, abs=2)
    assert len(found.table.columns) == 10_000
    table = read_table(path)
    assert (table.n_rows, table.n_missing, set(table.kinds)) == (30, 0, {"numeric"})
    assert table.notes == (
        "10,000 columns: one component over all of them takes 800 MB. Ignore columns that you do not need.",
    )


def test_an_archive_with_a_password(tmp_path: Path) -> None:
    path = tmp_path / "locked.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.csv", "x\n1\n")
    data = bytearray(path.read_bytes())
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(signature) + offset] |= 1
    path.write_bytes(data)
    with pytest.raises(SourceError, match=r"locked\.zip is an archive with a password\. Unpack it, then open the file"):
        read_table(path)


def test_an_endless_quote(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.source.read.text.LONGEST", 100_000)
    path = tmp_path / "quote.csv"
    path.write_text('a,b\n1,2\n3,"open\n' + "4,5\n" * 300_000)
    with pytest.raises(
        SourceError, match=r'line 3 opens a quote " that is not closed within 0 MB\. Close it, or switch'
    ):
        read_table(path)


Reader = Callable[[Path], object]


@pytest.mark.parametrize("seed", range(40))
def test_random_damage_is_an_error_in_words_or_a_table(seed: int, tmp_path: Path) -> None:
    """Files with bytes flipped, cut and doubled: whatever comes out, it is no stack trace and no endless loop."""
    rng = np.random.default_rng(seed)
    whole = [
        b"x,y,class\n" + b"1.5,2,a\n2.5,?,b\n" * 20,
        f"{ARFF}1,red\n?,blue\n'3',\"red\"\n{{0 5}}\n".encode() * 2,
        parquet_bytes(),
        npy_bytes(np.arange(12.0).reshape(3, 4)),
        gzip.compress(b"x y\n1 2\n3 4\n"),
        b'{"x": 1, "y": "a"}\n{"x": 2, "y": null}\n',
    ]
    for kind, content in enumerate(whole):
        data = bytearray(content)
        for _ in range(rng.integers(1, 6)):
            place = int(rng.integers(len(data)))
            data[place] = int(rng.integers(256))
        path = tmp_path / f"damaged-{kind}"
        path.write_bytes(bytes(data[: int(rng.integers(len(data) // 2, len(data) + 1))]))
        try:
            assert read_table(path).n_rows >= 1
        except SourceError as error:
            assert WITH_REMEDY.fullmatch(str(error))  # noqa: PT017
