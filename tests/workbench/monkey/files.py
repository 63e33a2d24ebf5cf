"""Ordinary and odd files for a rough hand to open."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet

ODD_NUMBERS = (
    "1e300", "-1e300", "1e-310", "5e-324", "1.7976931348623157e308", "9007199254740993", "1e15", "0", "-0",
    "nan", "inf", "-inf",
)  # fmt: skip


def write_all(folder: Path) -> list[Path]:
    """Write the files and return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts().items():
        (folder / name).write_text(text, encoding="utf-8")
    _write_binary(folder)
    return sorted(path for path in folder.iterdir())


def texts() -> dict[str, str]:
    return {
        "clusters.csv": _clusters(600),
        "with gaps.csv": _with_gaps(),
        "empty rows.csv": "a,b,c\n1,2,x\n,,\n,,y\n3,4,x\n5,6,y\n" * 20,
        "odd numbers.csv": "n,m,k\n" + "".join(f"{text},{row},{row % 3}\n" for row, text in enumerate(ODD_NUMBERS * 5)),
        "wide range.csv": "t,bytes\n" + "".join(f"{1.7e18 + row * 1e14},{2.0**row}\n" for row in range(60)),
        '<b>bold & "names".csv': '<b>x</b>,<img src="file:///dev/zero">,"a,b"\n1,2,<i>k</i>\n3,4,&amp;\n5,7,<br>\n' * 9,
        "Überschrift 数据 δ.csv": "größe,数据,δ\n"
        + "".join(f"{row},{row * row},{'äß語'[row % 3]}\n" for row in range(90)),
        "one row.csv": "a,b\n1,2\n",
        "one cell.csv": "7\n",
        "constant.csv": "a,b,c\n" + "1,1,1\n" * 50,
        "only missing.csv": "a,b\n" + ",\n" * 30,
        "labels.csv": "id,name\n" + "".join(f"{row},label number {row}\n" for row in range(700)),
        "semicolons.csv": "a;b\n" + "".join(f"{row / 7:.3f};{row * 2}\n".replace(".", ",") for row in range(80)),
        "wide.csv": _wide(60, 90),
        "ragged.csv": "a,b,c\n1,2\n3,4,5,6\n\n7\n",
        "empty.csv": "",
        "header only.csv": "a,b,c\n",
        "nul.csv": "a\x00b,c\n1,2\n",
        "dates.csv": "day,value\n" + "".join(f"2024-01-{1 + row % 28:02d},{row}\n" for row in range(100)),
        "weather.arff": "@relation weather\n@attribute t numeric\n@attribute sky {sun,'rain, heavy'}\n@data\n"
        + "20,sun\n?,'rain, heavy'\n31.5,sun\n" * 12,
        "broken.arff": "@relation x\n@attribute t numeric\n@attribute k {a,b}\n@data\n1,c\n2\n",
        "rows.json": json.dumps([{"a": row, "b": [row]} for row in range(20)]),
        "lines.jsonl": "".join(json.dumps({"x": row, "y": row**2, "k": "uv"[row % 2]}) + "\n" for row in range(120)),
        "broken.json": '{"a": [1, 2',
        "no recipe.json": '{"format": "figmn recipe", "version": 99}',
        "notes.txt": "These are words.\nNothing here is a table.\n",
        "unknown.xyz": "1 2 3\n4 5 6\n",
    }


def _clusters(n_rows: int) -> str:
    rng = np.random.default_rng(0)
    centres = rng.uniform(-5, 5, (4, 3))
    kinds = rng.integers(0, 4, n_rows)
    rows = centres[kinds] + rng.normal(0, 0.6, (n_rows, 3))
    return "x,y,z,kind\n" + "".join(f"{a:.4f},{b:.4f},{c:.4f},k{k}\n" for (a, b, c), k in zip(rows, kinds, strict=True))


def _with_gaps() -> str:
    rng = np.random.default_rng(1)
    lines = []
    for _ in range(300):
        cells = ["NA" if rng.random() < 0.15 else f"{value:.3f}" for value in rng.normal(0, 1, 4)]
        lines.append(",".join([*cells, rng.choice(["red", "green", ""])]))
    return "a,b,c,d,colour\n" + "\n".join(lines) + "\n"


def _wide(n_rows: int, n_columns: int) -> str:
    rows = np.random.default_rng(2).normal(0, 1, (n_rows, n_columns))
    names = ",".join(f"column number {number} with a long name" for number in range(n_columns))
    return names + "\n" + "\n".join(",".join(f"{value:.3f}" for value in row) for row in rows) + "\n"


def _write_binary(folder: Path) -> None:
    table = pa.table({"x": np.arange(500.0), "y": np.sin(np.arange(500.0) / 20), "k": ["a", "b"] * 250})
    pyarrow.parquet.write_table(table, folder / "rows.parquet")
    pyarrow.feather.write_feather(table, folder / "rows.feather")
    whole = (folder / "rows.parquet").read_bytes()
    (folder / "cut.parquet").write_bytes(whole[: len(whole) // 2])
    (folder / "cut.feather").write_bytes((folder / "rows.feather").read_bytes()[:700])
    np.save(folder / "array.npy", np.random.default_rng(3).normal(0, 1, (200, 5)))
    (folder / "clusters.csv.gz").write_bytes(gzip.compress(_clusters(2000).encode()))
    (folder / "cut.csv.gz").write_bytes(gzip.compress(_clusters(900).encode())[:2000])
    (folder / "utf16.csv").write_bytes("größe,b\n1,2\n3,4\n".encode("utf-16"))
    (folder / "latin.csv").write_bytes("größe,b\n1,ä\n3,ö\n".encode("latin-1"))
    (folder / "noise.csv").write_bytes(np.random.default_rng(4).integers(0, 256, 4000, np.uint8).tobytes())
    (folder / "noise.xlsx").write_bytes(b"PK\x03\x04" + bytes(range(256)) * 4)
