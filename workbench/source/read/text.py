"""Text files in blocks of whole lines, as UTF-8, with their line numbers."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from workbench.source.errors import SourceError
from workbench.source.read.opening import ByteSource

BLOCK = 4 * 2**20
"""Bytes of a block; smaller ones cost calls, larger ones memory."""
LONGEST = 64 * 2**20
"""Bytes within which a line, or a quoted value, must end."""
NEWLINE = b"\n"
CONTROL = bytes({*range(32)} - {*b"\t\n\v\f\r\x1a"})
"""Characters that text has rarely; \x1a ended files in DOS."""
BOMS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


@dataclass(frozen=True)
class TextBlock:
    """Whole lines of a file."""

    first_line: int
    """The number of the first line, counted from 1."""
    data: bytes
    """UTF-8, ends with a newline."""


class NotUtf8(Exception):  # noqa: N818 - caught where the encoding was guessed, never seen by a user
    """A file that looked like UTF-8 at its head is something else."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        super().__init__()


def find_encoding(head: bytes, path: Path) -> str:
    """The encoding of a text, judged by its first bytes; a file that is no text is refused.

    >>> find_encoding("größe".encode("utf-16"), Path("a.csv")), find_encoding("größe".encode("latin-1"), Path("a.csv"))
    ('utf-16', 'cp1252')
    """
    marked = wide_encoding(head)
    if marked:
        return marked
    if b"\0" in head:
        raise _nul(path, head.count(NEWLINE, 0, head.index(b"\0")) + 1)
    if len(head) - len(head.translate(None, CONTROL)) > 0.02 * len(head):
        raise SourceError(
            "{file} is not text: it holds control characters. Choose a file with rows and columns.",
            file=path,
        )
    return _eight_bit(head)


def wide_encoding(head: bytes) -> str | None:
    """The encoding that a byte order mark or the zeros of UTF-16 tell; None where a letter of ASCII is one byte."""
    for bom, name in BOMS.items():
        if head.startswith(bom):
            return name
    return _utf16_without_bom(head)


def text_blocks(source: ByteSource, encoding: str, quote: str | None = None, size: int = BLOCK) -> Iterator[TextBlock]:
    """All lines of a file in blocks. With a quote, a block never ends inside a quoted value."""
    rest, line, mark = b"", 1, quote.encode() if quote else None
    for chunk in text_chunks(source, encoding, size):
        if b"\0" in chunk:
            raise _nul(source.path, line + (rest + chunk).count(NEWLINE, 0, len(rest) + chunk.index(b"\0")))
        data, rest = _cut(rest, chunk, mark)
        if data:
            yield TextBlock(line, data)
            line += count(data, NEWLINE)
        if len(rest) > LONGEST:
            raise _endless(source.path, line, rest, quote)
    if rest.strip(b"\n"):
        yield TextBlock(line, rest if rest.endswith(b"\n") else rest + b"\n")


def text_chunks(source: ByteSource, encoding: str, size: int) -> Iterator[bytes]:
    """A file as UTF-8 with newlines of one character, in pieces that end anywhere."""
    transcode = _Transcoder(encoding, source.path)
    while raw := source.read(size):
        yield transcode(raw, False)
    yield transcode(b"", True)


def first_lines(
    source: ByteSource, encoding: str, quote: str | None, size: int, enough: int
) -> tuple[TextBlock, float]:
    """Lines of at least `size` bytes, more if they are fewer than `enough`, and their share of the file (1: all)."""
    parts: list[bytes] = []
    n_bytes, n_lines, share = 0, 0, 0.0
    for block in text_blocks(source, encoding, quote, size):
        if n_bytes >= size // 2 and n_lines >= enough:
            return TextBlock(1, b"".join(parts)), min(share, 0.999_999)
        parts.append(block.data)
        n_bytes += len(block.data)
        n_lines += count(block.data, NEWLINE)
        share = source.share
    return TextBlock(1, b"".join(parts)), 1.0 if source.complete else min(share, 0.999_999)


def for_arrow(data: bytes) -> bytes:
    """Text from the middle of a file as Arrow's CSV parser must be given it.

    Arrow drops a U+FEFF at the start of any buffer as a byte order mark; here it is a character of a value.
    """
    return codecs.BOM_UTF8 + data if data.startswith(codecs.BOM_UTF8) else data


def count(data: bytes, character: bytes) -> int:
    """How often a character of one byte occurs; several times as fast as bytes.count."""
    return int(np.count_nonzero(np.frombuffer(data, np.uint8) == ord(character)))


class _Transcoder:
    """Bytes of any encoding, piece by piece, to UTF-8 with newlines of one character."""

    def __init__(self, encoding: str, path: Path) -> None:
        self.encoding, self.path = encoding, path
        utf8 = codecs.lookup(encoding).name in {"utf-8", "utf-8-sig", "ascii"}
        self.decoder = None if utf8 else codecs.getincrementaldecoder(encoding)()
        self.first = True
        self.held = b""

    def __call__(self, raw: bytes, final: bool) -> bytes:
        return self._newlines(self._utf8(raw, final), final)

    def _utf8(self, raw: bytes, final: bool) -> bytes:
        if self.decoder is None:
            first, self.first = self.first, False
            return raw.removeprefix(codecs.BOM_UTF8) if first else raw
        try:
            return self.decoder.decode(raw, final).encode()
        except UnicodeError as error:
            # Without a byte order mark, UTF-16 and UTF-32 raise the plain UnicodeError.
            reason = error.reason if isinstance(error, UnicodeDecodeError) else str(error)
            raise SourceError(
                "{file} is not {encoding} text ({reason}). Choose another encoding.",
                file=self.path,
                encoding=self.encoding,
                reason=reason,
            ) from error

    def _newlines(self, raw: bytes, final: bool) -> bytes:
        """CR alone ends a line too; a CR at the end of a piece waits for what follows it."""
        if b"\r" not in raw and not self.held:
            return raw
        raw = self.held + raw
        self.held = b"\r" if raw.endswith(b"\r") and not final else b""
        return raw[: len(raw) - len(self.held)].replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def _cut(rest: bytes, chunk: bytes, quote: bytes | None) -> tuple[bytes, bytes]:
    """Whole rows, and what is left."""
    end = chunk.rfind(NEWLINE) + 1
    if not end:
        return b"", rest + chunk
    # A view, as every copy of a block costs a tenth of its parsing.
    data = b"".join((rest, memoryview(chunk)[:end]))
    if quote is not None and quote in data and count(data, quote) % 2:
        data += chunk[end:]
        end = _row_end(data, quote)
        return data[:end], data[end:]
    return data, chunk[end:]


def _row_end(data: bytes, quote: bytes) -> int:
    """The end of the last row that is complete.

    The quotes are odd: either the last newline stands inside a quoted value, or a stray quote (5" disk) outside of one.
    Only a quote at the start of a value opens one.
    """
    mark = re.escape(quote)
    quoted = rb"(?:\A|[^\w\s.]|\n|\t)" + mark + rb"(?:[^" + mark + rb"]|" + mark * 2 + rb")*(" + mark + rb"?)"
    end = after = 0
    for value in re.finditer(quoted, data):
        end = data.rfind(NEWLINE, after, value.start() + 1) + 1 or end
        after = value.end()
        if not value[1]:
            return end
    return data.rfind(NEWLINE, after) + 1 or end


def _utf16_without_bom(head: bytes) -> str | None:
    """Latin text in UTF-16 has a zero in every second byte."""
    pairs = len(head) // 2
    if pairs and head[1::2].count(0) > 0.7 * pairs and not head[0::2].count(0):
        return "utf-16-le"
    if pairs and head[0::2].count(0) > 0.7 * pairs and not head[1::2].count(0):
        return "utf-16-be"
    return None


def _eight_bit(head: bytes) -> str:
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return eight_bit_fallback(head)
    return "utf-8"


def eight_bit_fallback(data: bytes) -> str:
    """Latin-1 as Windows extends it, where that has a letter for every byte."""
    return "latin-1" if re.search(rb"[\x81\x8d\x8f\x90\x9d]", data) else "cp1252"


def _nul(path: Path, line: int) -> SourceError:
    return SourceError(
        "{file}, line {line:,} holds a NUL byte, which no text has. It is damaged or no text: export it "
        "again, or choose the encoding if it is UTF-16.",
        file=path,
        line=line,
    )


def _endless(path: Path, line: int, data: bytes, quote: str | None) -> SourceError:
    if quote is None or quote.encode() not in data:
        return SourceError(
            "{file}, line {line:,} is a line of more than {megabytes} MB. Choose a file with rows and columns.",
            file=path,
            line=line,
            megabytes=LONGEST // 2**20,
        )
    return SourceError(
        "{file}, line {line:,} opens a quote {quote} that is not closed within {megabytes} MB. Close "
        "it, or switch quoting off.",
        file=path,
        line=line,
        quote=quote,
        megabytes=LONGEST // 2**20,
    )
