"""Files that are no tables, known by their first bytes or their place on the disk, and what to do with each."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path

from workbench.source.errors import SourceError

Refusal = Callable[[Path], SourceError]
ZIP = b"PK\x03\x04"
FOREIGN: dict[tuple[bytes, ...], Refusal] = {
    (b"\x89FIGMN",): lambda path: SourceError(
        "{file} is not a table: it is a saved mixture, the model of a run. "
        "Open it in the window by File ▸ Open, or load it in Python with figmn.load(path).",
        file=path,
    ),
    (ZIP, b"\x1f\x8b", b"\xfd7zXZ\0", *(b"BZh%d1AY&SY" % level for level in range(1, 10))): lambda path: SourceError(
        "{file} is not a table: it is an archive inside an archive. Unpack it, then open the file in it.", file=path
    ),
    (b"ID3\x02", b"ID3\x03", b"ID3\x04", b"\xff\xfb", b"\xff\xf3", b"\xff\xf2"): lambda path: SourceError(
        "{file} is not a table: it is an MP3 sound file. Choose a file with rows and columns, such as CSV.", file=path
    ),
    (b"fLaC",): lambda path: SourceError(
        "{file} is not a table: it is a FLAC sound file. Choose a file with rows and columns, such as CSV.", file=path
    ),
    (b"OggS",): lambda path: SourceError(
        "{file} is not a table: it is an Ogg sound file. Choose a file with rows and columns, such as CSV.", file=path
    ),
    (b"RIFF",): lambda path: SourceError(
        "{file} is not a table: it is a sound or video file. Choose a file with rows and columns, such as CSV.",
        file=path,
    ),
    (b"\x89PNG",): lambda path: SourceError(
        "{file} is not a table: it is a PNG picture. Choose a file with rows and columns, such as CSV.", file=path
    ),
    (b"\xff\xd8\xff",): lambda path: SourceError(
        "{file} is not a table: it is a JPEG picture. Choose a file with rows and columns, such as CSV.", file=path
    ),
    (b"GIF8",): lambda path: SourceError(
        "{file} is not a table: it is a GIF picture. Choose a file with rows and columns, such as CSV.", file=path
    ),
    (b"%PDF",): lambda path: SourceError(
        "{file} is not a table: it is a PDF document. Choose a file with rows and columns, such as CSV.", file=path
    ),
    (b"\x7fELF", b"MZ\x90"): lambda path: SourceError(
        "{file} is not a table: it is a program. Choose a file with rows and columns, such as CSV.", file=path
    ),
    (b"7z\xbc\xaf",): lambda path: SourceError(
        "{file} is not a table: it is a 7z archive. Unpack it, then open the file in it.", file=path
    ),
    (b"Rar!",): lambda path: SourceError(
        "{file} is not a table: it is a RAR archive. Unpack it, then open the file in it.", file=path
    ),
    (b"\x28\xb5\x2f\xfd",): lambda path: SourceError(
        "{file} is not a table: it is a zstd archive. Unpack it, then open the file in it.", file=path
    ),
    (b"\x1f\x9d",): lambda path: SourceError(
        "{file} is not a table: it is a compress archive. Unpack it, then open the file in it.", file=path
    ),
    (b"FEA1",): lambda path: SourceError(
        "{file} is not a table: it is a Feather file of the first version. Write it again as Feather 2 or Parquet.",
        file=path,
    ),
    (b"\x89HDF",): lambda path: SourceError(
        "{file} is not a table: it is an HDF5 file. Save the table as Parquet or CSV.", file=path
    ),
    (b"SQLite format 3",): lambda path: SourceError(
        "{file} is not a table: it is an SQLite database. Export the table as CSV.", file=path
    ),
    (b"RDX",): lambda path: SourceError(
        "{file} is not a table: it is an R data file. Save the table as CSV.", file=path
    ),
    (b"MATLAB 5.0",): lambda path: SourceError(
        "{file} is not a table: it is a MATLAB file. Save the table as CSV.", file=path
    ),
}
"""By the first bytes."""
OTHER_FILES: dict[Callable[[int], bool], Refusal] = {
    stat.S_ISDIR: lambda path: SourceError("{file} is a folder. Choose a file in it.", file=path),
    stat.S_ISFIFO: lambda path: SourceError(
        "{file} is a pipe. Write its content to a file, then open that.", file=path
    ),
    stat.S_ISSOCK: lambda path: SourceError("{file} is a socket. Choose a file with rows and columns.", file=path),
    stat.S_ISCHR: lambda path: SourceError("{file} is a device. Choose a file with rows and columns.", file=path),
    stat.S_ISBLK: lambda path: SourceError("{file} is a device. Choose a file with rows and columns.", file=path),
}
"""By the mode that the system reports."""
