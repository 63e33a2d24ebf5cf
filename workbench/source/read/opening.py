"""The bytes of a file: decompressed by what they are, not by the name, counted for progress and cancel."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Self

from workbench.source.errors import Cancelled, SourceError
from workbench.source.read.foreign import FOREIGN, OTHER_FILES, ZIP
from workbench.source.read.options import Progress, silent

OPENERS: dict[bytes, Any] = {b"\x1f\x8b": gzip.open, b"\xfd7zXZ\0": lzma.open, b"BZh": bz2.open}
EMPTY_ZIP = b"PK\x05\x06"
RECIPE = b'"figmn recipe"'
"""What stands near the beginning of a recipe."""
RECIPE_HEAD = 200
"""Bytes within which it stands."""
DAMAGE = (EOFError, OSError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, NotImplementedError)
ZIP_DAMAGE = (*DAMAGE, UnicodeDecodeError, struct.error, KeyError)
MEASURED = 16 * 2**20
"""Unpacked bytes that the size of a compressed file is judged by: fewer would stand in the buffers still."""


class ByteSource:
    """A file opened for reading; what is compressed comes out plain.

    Every `read` tells `progress` how far the file on disk has been consumed and raises `Cancelled` on its word.
    """

    complete = True
    """Whether reading to the end reads all of the file."""

    def __init__(self, path: Path, member: str | None = None, progress: Progress = silent) -> None:
        self.path = path
        self._progress = progress
        self._raw = open_raw(path)
        self.size = os.fstat(self._raw.fileno()).st_size
        head = self._raw.read(8)
        self._raw.seek(0)
        self.compressed = head.startswith((*OPENERS, ZIP, EMPTY_ZIP))
        self._n_read = 0
        self._plain_size = None if self.compressed else self.size
        try:
            self._plain = self._decompressed(head, member)
        except BaseException:
            self._raw.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._plain.close()
        self._raw.close()

    @property
    def position(self) -> int:
        """Bytes of the file on disk that have been consumed."""
        return self._raw.tell()

    @property
    def share(self) -> float:
        """How much of the content has been read, from 0 to 1; estimated where it is compressed."""
        if self._plain_size is None:
            self._plain_size = max(1, self._n_read, self._measured())
        return min(self._n_read / self._plain_size, 1.0)

    def read(self, n_bytes: int) -> bytes:
        """The next bytes, as many as asked for except at the end."""
        if not self._progress(self.position, self.size):
            raise Cancelled
        try:
            data = self._plain.read(n_bytes)
            self._n_read += len(data)
            return data
        except DAMAGE as error:
            raise self._unreadable(error) from error

    def _unreadable(self, error: Exception) -> SourceError:
        if self.compressed:
            return SourceError(
                "{file} cannot be unpacked or read to its end ({reason}). It is cut off or damaged: fetch it again, or "
                "unpack it by hand.",
                file=self.path,
                reason=str(error),
            )
        return SourceError(
            "{file} cannot be read ({reason}). It is cut off or damaged: fetch it again, or unpack it by hand.",
            file=self.path,
            reason=str(error),
        )

    def _decompressed(self, head: bytes, member: str | None) -> IO[bytes]:
        if head.startswith((ZIP, EMPTY_ZIP)):
            return self._zip_member(member)
        for magic, opener in OPENERS.items():
            if head.startswith(magic):
                return io.BufferedReader(opener(self._raw, "rb"))
        return self._raw

    def _zip_member(self, member: str | None) -> IO[bytes]:
        with zip_explained(self.path):
            archive = zipfile.ZipFile(self._raw)
            files = [
                name
                for name in archive.namelist()
                if not name.endswith("/") and not name.startswith("__MACOSX") and not Path(name).name.startswith(".")
            ]
            name = _chosen(self.path, files, member)
            self._plain_size = archive.getinfo(name).file_size
            return archive.open(name)

    def _measured(self) -> int:
        """The unpacked size, judged by how far the file on disk goes for the first unpacked bytes."""
        with ByteSource(self.path) as other:
            while other._n_read < MEASURED and other.read(2**20):
                pass
            return round(other._n_read * other.size / max(1, other.position))


def open_raw(path: Path) -> IO[bytes]:
    """Open a file, or say why it cannot be opened."""
    try:
        require_regular(path)
        return path.open("rb")
    except FileNotFoundError:
        raise SourceError(
            "{file} does not exist. Check the name; the folder is {folder}.", file=path, folder=str(path.parent)
        ) from None
    except PermissionError:
        raise SourceError(
            "{file} may not be read by you. Change its permissions, or copy it to a folder of yours.",
            file=path,
        ) from None
    except OSError as error:
        raise SourceError(
            "{file} cannot be opened ({reason}). Check the disk.", file=path, reason=error.strerror
        ) from None


@contextmanager
def zip_explained(path: Path) -> Iterator[None]:
    """Turn errors of `zipfile` into `SourceError`."""
    try:
        yield
    except NotImplementedError as error:
        raise SourceError(
            "{file} is a zip archive of a kind that is not read here ({reason}). Unpack it, then open the file in it.",
            file=path,
            reason=str(error),
        ) from error
    except RuntimeError as error:
        raise SourceError("{file} is an archive with a password. Unpack it, then open the file.", file=path) from error
    except ZIP_DAMAGE as error:
        raise SourceError(
            "{file} is a damaged zip archive ({reason}). Fetch it again.", file=path, reason=str(error)
        ) from error


def require_regular(path: Path) -> None:
    """Refuse folders, pipes, sockets and devices before they are opened: reading one may never end."""
    mode = path.stat().st_mode
    for is_such, error in OTHER_FILES.items():
        if is_such(mode):
            raise error(path)


def is_recipe(path: Path) -> bool:
    """Whether a file is JSON that says at its beginning that it is a recipe."""
    if path.suffix.lower() != ".json":
        return False
    with open_raw(path) as file:
        return RECIPE in file.read(RECIPE_HEAD)


def head_of(path: Path, member: str | None, n_bytes: int) -> bytes:
    """The first bytes, decompressed."""
    with ByteSource(path, member) as source:
        return source.read(n_bytes)


def refuse_foreign(path: Path, head: bytes) -> None:
    """Name the kind of a file that is no table."""
    for magics, error in FOREIGN.items():
        if head.startswith(magics):
            raise error(path)
    if head.lstrip()[:1] == b"{" and RECIPE in head[:RECIPE_HEAD]:
        raise SourceError(
            "{file} is not a table: it is a recipe of a run. Open it in the window, or run it: python -m "
            "workbench run RECIPE.",
            file=path,
        )


def _chosen(path: Path, files: list[str], member: str | None) -> str:
    if member is not None and member in files:
        return member
    if member is None and len(files) == 1:
        return files[0]
    listing = ", ".join(files[:8]) + (", …" if len(files) > 8 else "")  # noqa: PLR2004
    if not files:
        raise SourceError("{file} is an archive without a file. Choose another file.", file=path)
    if member is None:
        raise SourceError(
            "{file} holds {n_files:,} files. Choose one of them as member: {listing}.",
            file=path,
            n_files=len(files),
            listing=listing,
        )
    raise SourceError(
        "{file} holds no file {member!r}. Choose one of them as member: {listing}.",
        file=path,
        member=member,
        listing=listing,
    )
