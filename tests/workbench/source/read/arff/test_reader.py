"""An ARFF file as a whole: in blocks, cancelled, encoded, compressed, previewed."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from tests.workbench.source.read.arff.files import HEADER, read, reader, same_columns, values, written
from workbench.source.errors import Cancelled, SourceError
from workbench.source.read import text_reader
from workbench.source.read.arff import reader as arff
from workbench.source.table.table import Table

MANY = HEADER + "".join(f"{i},{'a' if i % 3 else '?'},'row {i}'{',{2}' if i == 700 else ''}\n" for i in range(1000))


def joined(tables: Sequence[Table], name: str) -> list[str | None]:
    return [text for table in tables for text in table[name].texts()]


def test_the_blocks_are_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arff, "BLOCK", 1000)
    source = reader(written(tmp_path, MANY))
    whole, blocks = source.table(), list(source.blocks())
    assert len(blocks) > 10
    assert whole.n_rows == 1000
    for column in whole:
        assert joined(blocks, column.name) == column.texts()
        assert {block[column.name].labels for block in blocks} == {column.labels}
    weights = np.concatenate([np.ones(b.n_rows) if b.weights is None else b.weights for b in blocks])
    assert whole.weights is not None
    assert weights.tolist() == whole.weights.tolist()
    assert weights.sum() == 1001
    assert source.scanned(lambda tables: sum(table.n_rows for table in tables)) == 1000


def test_a_load_can_be_cancelled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arff, "BLOCK", 1000)
    source, calls = reader(written(tmp_path, MANY)), list[tuple[int, int]]()

    def stop_at_the_third(done: int, total: int) -> bool:
        calls.append((done, total))
        return len(calls) < 3

    with pytest.raises(Cancelled):
        source.table(stop_at_the_third)
    assert len(calls) == 3
    assert {total for _, total in calls} == {len(MANY)}


def test_the_blocks_of_a_file_without_rows_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="has a header but no rows"):
        list(reader(written(tmp_path, HEADER)).blocks())


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
def test_the_encoding_is_found(encoding: str, tmp_path: Path) -> None:
    table = read(tmp_path, "@relation r\n@attribute größe {klein,groß}\n@data\ngroß\n".encode(encoding))
    assert values(table.with_columns([])) == [("groß",)]
    assert table.names == ("größe",)


def test_text_that_is_no_utf8_after_all_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_reader, "HEAD", 200)
    monkeypatch.setattr(arff, "BLOCK", 1000)
    path = written(tmp_path, HEADER.encode() + b"1,a,x\n" * 1000 + "1,a,süß\n".encode("latin-1"))
    table = reader(path).table()
    assert table["s"].texts()[-1] == "süß"
    assert table.notes == ("Read as cp1252: the text is not UTF-8.",)
    assert reader(path).scanned(lambda tables: [table["s"].texts()[-1] for table in tables])[-1] == "süß"
    with pytest.raises(SourceError, match=r"is not utf-8 text. Choose another encoding, such as latin-1"):
        list(reader(path).blocks())
    with pytest.raises(SourceError, match="is not utf-8 text"):
        reader(path, encoding="utf-8").table()


def test_the_preview_of_a_small_file_is_exact(tmp_path: Path) -> None:
    source = reader(written(tmp_path, MANY))
    preview = source.preview()
    assert (preview.format, preview.n_rows, preview.exact, preview.table.n_rows) == ("ARFF", 1000, True, 100)
    assert preview.options.encoding == "utf-8"
    assert preview.file_size == len(MANY)
    assert same_columns(preview.table, source.table().take(slice(0, 100)))
    # 8 bytes a number, 4 a label, 58 and the text a string.
    assert preview.memory == pytest.approx(1000 * (8 + 4 + 58 + 6), rel=0.02)


@pytest.mark.parametrize("packed", [False, True])
def test_the_preview_of_a_large_file_estimates_its_rows(packed: bool, tmp_path: Path) -> None:
    rows = "".join(f"{np.sin(i)},'b c',row{i % 7}\n" for i in range(60_000)).encode()
    text = HEADER.encode() + rows
    preview = reader(written(tmp_path, gzip.compress(text, 1) if packed else text)).preview()
    assert not preview.exact
    assert preview.n_rows == pytest.approx(60_000, rel=0.2 if packed else 0.02)


def test_a_compressed_file_is_unpacked(tmp_path: Path) -> None:
    assert values(read(tmp_path, gzip.compress((HEADER + "1,a,x\n").encode()))) == [("1", "a", "x")]
