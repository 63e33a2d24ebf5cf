"""Which reader a file needs: judged by its bytes first, by its name where bytes do not tell."""

from __future__ import annotations

import re
import time
import zipfile
from pathlib import Path

from workbench.source.errors import SourceError, empty
from workbench.source.read.arff.reader import ArffReader
from workbench.source.read.columnar import ArrowStreamReader, FeatherReader, ParquetReader
from workbench.source.read.csv.reader import DelimitedReader
from workbench.source.read.excel import ExcelReader
from workbench.source.read.foreign import ZIP
from workbench.source.read.images import CifarReader, IdxReader, is_idx
from workbench.source.read.json_lines import JsonReader
from workbench.source.read.numpy_files import ArchiveReader, NumpyReader
from workbench.source.read.opening import head_of, open_raw, refuse_foreign, zip_explained
from workbench.source.read.options import ReadOptions
from workbench.source.read.reader import Reader
from workbench.source.read.text import wide_encoding
from workbench.source.read.text_reader import TextReader

HEAD = 64 * 2**10
"""Bytes that a format is judged by; comments may stand above an ARFF file's first word."""
MAGIC: dict[bytes, type[Reader]] = {
    b"PAR1": ParquetReader,
    b"ARROW1": FeatherReader,
    b"\xd0\xcf\x11\xe0": ExcelReader,
    b"\xff\xff\xff\xff": ArrowStreamReader,
}
BY_ENDING: dict[str, type[Reader]] = {
    ".arff": ArffReader,
    ".json": JsonReader,
    ".jsonl": JsonReader,
    ".ndjson": JsonReader,
}
Stamp = tuple[Path, int, int, int, int]
PACKED = {".gz", ".xz", ".bz2", ".zip"}


SETTLED = 0.1
"""Age in seconds from which a time stamp is trusted: two writes within a tick of the file system's clock share one."""

_latest: tuple[Stamp, ReadOptions, TextReader] | None = None
"""Cache of one: the text file that was opened last, with the reader that has sniffed it. Only copies are used."""


def open_reader(path: Path, options: ReadOptions) -> Reader:
    """The reader of a file; a file that none can read is refused with what it seems to be.

    Encoding, delimiter and kinds of a text file are found out once: a preview, the load that follows it and runs that
    stream the file share what was found, until the file changes or another one is opened.
    """
    global _latest  # noqa: PLW0603 - replaced as a whole, so that threads need no lock
    stamp, latest = _stamp(path), _latest
    if latest is not None and latest[:2] == (stamp, options):
        return latest[2].again()
    reader = _recognised(path, options)
    if isinstance(reader, TextReader) and stamp is not None:
        _latest = stamp, options, reader
        return reader.again()
    return reader


def _stamp(path: Path) -> Stamp | None:
    """Identity, size and time stamp of a file; None if it is missing or was modified within `SETTLED` seconds."""
    try:
        facts = path.stat()
    except OSError:
        return None  # opening it says why
    changed = max(facts.st_mtime_ns, facts.st_ctime_ns)
    if time.time_ns() - changed < SETTLED * 1e9:
        return None
    return path, facts.st_dev, facts.st_ino, facts.st_size, changed


def _recognised(path: Path, options: ReadOptions) -> Reader:
    with open_raw(path) as file:
        raw = file.read(16)
    if not raw:
        raise empty(path)
    for magic, reader in MAGIC.items():
        if raw.startswith(magic):
            return reader(path, options)
    if raw.startswith(ZIP):
        special = _zip_format(path)
        if special is not None:
            return special(path, options)
    _refuse_pickle(path, raw)
    return _by_content(path, options)(path, options)


def _by_content(path: Path, options: ReadOptions) -> type[Reader]:
    head = head_of(path, options.member, HEAD)
    _refuse_pickle(path, head)
    refuse_foreign(path, head)
    ending = _ending(path, options)
    if head.startswith(b"\x93NUMPY"):
        return NumpyReader
    if is_idx(head):
        return IdxReader
    if ending == ".bin":
        return CifarReader
    if ending in BY_ENDING:
        return BY_ENDING[ending]
    # The words looked for are ASCII: the reader finds out the encoding.
    return _by_text(head.decode(options.encoding or wide_encoding(head) or "latin-1", errors="replace"))


def _by_text(text: str) -> type[Reader]:
    if re.match(r"\ufeff?(\s*(%.*)?\n)*\s*@relation\b", text, re.IGNORECASE):
        return ArffReader
    if re.match(r"\ufeff?\s*(\[\s*)?\{\s*\"", text):
        return JsonReader
    return DelimitedReader


def _ending(path: Path, options: ReadOptions) -> str:
    endings = [ending.lower() for ending in Path(options.member or path.name).suffixes]
    plain = [ending for ending in endings if ending not in PACKED]
    return plain[-1] if plain else ""


def _zip_format(path: Path) -> type[Reader] | None:
    """Workbooks and NumPy archives are zip files; any other zip file holds a table."""
    with zip_explained(path), open_raw(path) as file, zipfile.ZipFile(file) as archive:
        names = archive.namelist()
    if "content.xml" in names or any(name.startswith("xl/") for name in names):
        return ExcelReader
    if names and all(name.endswith(".npy") for name in names):
        return ArchiveReader
    return None


def _refuse_pickle(path: Path, head: bytes) -> None:
    protocol = head[:1] == b"\x80" and head[1:2] in {b"\x02", b"\x03", b"\x04", b"\x05"}
    if protocol or path.suffix.lower() in {".pkl", ".pickle"}:
        raise SourceError(
            "{file} is a pickle, which could run code when loaded. Save the table as CSV, Parquet or .npy; "
            "of CIFAR-10, take the binary version (.bin).",
            file=path,
        )
