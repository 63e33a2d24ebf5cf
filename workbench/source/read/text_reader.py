"""What readers of text share: the encoding, found out or given, and the lines that are skipped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Self, TypeVar

from workbench.source.errors import SourceError, empty, shortened
from workbench.source.read.memory import Budget
from workbench.source.read.opening import ByteSource, head_of
from workbench.source.read.options import Progress, ReadOptions, silent
from workbench.source.read.reader import Reader
from workbench.source.read.text import NotUtf8, TextBlock, eight_bit_fallback, find_encoding

HEAD = 256 * 2**10
"""Bytes that a file is judged by."""

Result = TypeVar("Result")


class TextReader(Reader):
    """A file of lines."""

    def __init__(self, path: Path, options: ReadOptions) -> None:
        super().__init__(path, options)
        self._guessed = options.encoding is None
        if self._guessed:
            self.options = replace(options, encoding=self._find_encoding())

    def again(self) -> Self:
        """A copy that keeps encoding and dialect, for another pass over the same file."""
        found = copy(self)
        found.start_again()
        return found

    def start_again(self) -> None:
        """Forget what an earlier pass has counted."""
        self.notes, self._budget = list(self.notes), Budget(self.path)

    @property
    def encoding(self) -> str:
        """The encoding, given or found out."""
        assert self.options.encoding is not None
        return self.options.encoding

    def _find_encoding(self) -> str:
        head = head_of(self.path, self.options.member, HEAD)
        if not head.strip():
            raise empty(self.path)
        return find_encoding(head, self.path)

    def _opened(self, progress: Progress = silent) -> ByteSource:
        return ByteSource(self.path, self.options.member, progress)

    def _retried(self, read: Callable[[], Result]) -> Result:
        """Read, and read again where a later part of the file shows that it is not UTF-8."""
        try:
            return read()
        except NotUtf8 as wrong:
            if not self._guessed:
                raise self._not_utf8() from None
            self._guessed = False
            self.options = replace(self.options, encoding=eight_bit_fallback(wrong.data))
            self.notes.append(f"Read as {self.options.encoding}: the text is not UTF-8.")
        self._encoding_changed()
        return read()

    def _encoding_changed(self) -> None:
        """Forget what was read in another encoding."""

    def _not_utf8(self) -> SourceError:
        return SourceError(
            "{file} is not {encoding} text. Choose another encoding, such as latin-1.",
            file=self.path,
            encoding=self.options.encoding,
        )


def from_line(block: TextBlock, line: int) -> TextBlock:
    """The block without the lines above the given one."""
    lines = line - block.first_line
    if lines <= 0:
        return block
    data = block.data.split(b"\n", lines)
    return TextBlock(line, data[lines] if len(data) > lines else b"")


def skipped_note(skipped: Sequence[str]) -> list[str]:
    """Note on skipped lines, if there are any."""
    if not skipped:
        return []
    first = shortened(skipped[0])
    return [f"{len(skipped):,} lines with too few or too many values are skipped, such as {first!r}."]
