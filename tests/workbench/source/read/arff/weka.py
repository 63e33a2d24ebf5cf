"""What Weka itself reads from a file, where it is installed."""

from __future__ import annotations

import base64
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from tests.places import ASSETS
from workbench.source.table.table import Column, Table

EXAMPLES = Path("/usr/share/doc/weka/examples")
DATASETS = ASSETS / "datasets"
WEKA_JAR = Path("/usr/share/java/weka.jar")
COUNTS = {
    "ReutersCorn-test": (604, 2),
    "ReutersCorn-train": (1554, 2),
    "ReutersGrain-test": (604, 2),
    "ReutersGrain-train": (1554, 2),
    "breast-cancer": (286, 10),
    "contact-lenses": (24, 5),
    "cpu": (209, 7),
    "cpu.with.vendor": (209, 8),
    "credit-g": (1000, 21),
    "diabetes": (768, 9),
    "glass": (214, 10),
    "ionosphere": (351, 35),
    "iris.2D": (150, 3),
    "iris": (150, 5),
    "labor": (57, 17),
    "segment-challenge": (1500, 20),
    "segment-test": (810, 20),
    "soybean": (683, 36),
    "supermarket": (4627, 217),
    "unbalanced": (856, 33),
    "vote": (435, 17),
    "weather.nominal": (14, 5),
    "weather.numeric": (14, 5),
}
"""Instances and attributes as `java weka.core.Instances FILE` of Weka 3.6.14 reports them."""
BUNDLED = {
    "breast-cancer": "breast-cancer",
    "german-credit": "credit-g",
    "glass": "glass",
    "ionosphere": "ionosphere",
    "iris": "iris",
    "labor": "labor",
    "pima-diabetes": "diabetes",
    "soybean": "soybean",
}


def require(is_there: bool) -> None:
    """One place for all: so pytest counts them in one line, with the remedy."""
    if not is_there:
        pytest.skip("Weka or a Java compiler is missing: sudo apt-get install weka default-jdk-headless")


def example(name: str) -> Path:
    path = EXAMPLES / f"{name}.arff"
    require(path.exists())
    return path


@dataclass(frozen=True)
class WekaAttribute:
    name: str
    kind: str
    missing: int
    unique: int
    distinct: int
    labels: tuple[str, ...]
    figures: tuple[float, ...]
    """Minimum, maximum, mean and standard deviation of numbers and of dates in milliseconds."""


@dataclass(frozen=True)
class WekaTable:
    relation: str
    attributes: list[WekaAttribute]
    rows: list[tuple[float | str | None, ...]]
    weights: list[float]


DUMP = """
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import weka.core.*;

public class Dump {
    static String coded(String text) {
        return "=" + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
    static String value(Instance row, int i) {
        if (row.isMissing(i)) return "?";
        Attribute a = row.attribute(i);
        return a.isNominal() || a.isString() ? coded(row.stringValue(i)) : Double.toString(row.value(i));
    }
    public static void main(String[] files) throws Exception {
        for (String file : files)
            try (Reader reader = Files.newBufferedReader(Path.of(file), StandardCharsets.UTF_8)) {
                Instances data = new Instances(reader);
                System.out.println("file " + coded(data.relationName()));
                for (int i = 0; i < data.numAttributes(); i++) {
                    Attribute a = data.attribute(i);
                    AttributeStats s = data.attributeStats(i);
                    String kind = a.isNominal() ? "nominal" : a.isString() ? "string" : a.isDate() ? "date" : "numeric";
                    StringBuilder line = new StringBuilder("attribute " + coded(a.name()) + " " + kind);
                    line.append(" " + s.missingCount + " " + s.uniqueCount + " " + s.distinctCount);
                    if (s.numericStats != null)
                        line.append(" " + s.numericStats.min + " " + s.numericStats.max + " " + s.numericStats.mean
                            + " " + s.numericStats.stdDev);
                    for (int k = 0; a.isNominal() && k < a.numValues(); k++) line.append(" " + coded(a.value(k)));
                    System.out.println(line);
                }
                for (int r = 0; r < data.numInstances(); r++) {
                    StringBuilder line = new StringBuilder("row " + data.instance(r).weight());
                    for (int i = 0; i < data.numAttributes(); i++) line.append(" " + value(data.instance(r), i));
                    System.out.println(line);
                }
            }
    }
}
"""


def weka_tables(folder: Path, paths: Sequence[Path]) -> list[WekaTable]:
    """What the real Weka reads in some files, in one run of Java."""
    require(bool(shutil.which("javac")) and WEKA_JAR.exists())
    source = folder / "Dump.java"
    source.write_text(DUMP)
    command = ["java", "-Duser.timezone=UTC", "-Xshare:auto", "-cp", str(WEKA_JAR), str(source), *map(str, paths)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert run.returncode == 0, run.stderr
    tables: list[WekaTable] = []
    for line in run.stdout.splitlines():
        what, *words = line.split(" ")
        if what == "file":
            tables.append(WekaTable(str(_decoded(words[0])), [], [], []))
        elif what == "attribute":
            tables[-1].attributes.append(_attribute(words))
        else:
            tables[-1].weights.append(float(words[0]))
            tables[-1].rows.append(tuple(map(_decoded, words[1:])))
    return tables


def _attribute(words: Sequence[str]) -> WekaAttribute:
    rest = [_decoded(word) for word in words[5:]]
    labels, figures = [r for r in rest if isinstance(r, str)], [r for r in rest if isinstance(r, float)]
    name, missing, unique, distinct = str(_decoded(words[0])), *map(int, words[2:5])
    return WekaAttribute(name, words[1], missing, unique, distinct, tuple(labels), tuple(figures))


def _decoded(word: str) -> float | str | None:
    if word == "?":
        return None
    return base64.b64decode(word[1:]).decode() if word.startswith("=") else float(word)


def weka_value(column: Column, row: int) -> float | str | None:
    """A value as Weka has it: dates in milliseconds."""
    if column.missing[row]:
        return None
    if column.kind == "date":
        return float(column.values[row].astype("datetime64[ms]").astype(np.int64))
    return float(column.values[row]) if column.kind == "numeric" else column.texts()[row]


def assert_weka_has(weka: WekaTable, table: Table) -> None:
    assert weka.relation == table.name
    assert [attribute.name for attribute in weka.attributes] == list(table.names)
    assert [attribute.kind for attribute in weka.attributes] == list(table.kinds)
    assert [attribute.labels for attribute in weka.attributes] == [column.labels for column in table]
    ours = zip(*([weka_value(column, row) for row in range(table.n_rows)] for column in table), strict=True)
    assert weka.rows == list(ours)
    assert weka.weights == ([1.0] * table.n_rows if table.weights is None else table.weights.tolist())
