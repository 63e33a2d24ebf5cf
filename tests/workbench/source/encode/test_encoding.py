"""Columns to numbers and back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.source import Column, Encoding, SourceError, Table, sample


@pytest.fixture
def table() -> Table:
    return Table(
        "t",
        (
            Column.nominal("class", ["red", "blue", "red", None], role="target"),
            Column.numeric("size", [1.0, 3.0, np.nan, 5.0]),
            Column.nominal("shape", ["round", None, "flat", "round"]),
            Column("when", "date", np.array(["1970-01-02", "1970-01-03", "1970-01-04", "NaT"], "M8[us]")),
            Column.numeric("number", [7, 8, 9, 10], role="ignored"),
        ),
    )


def test_defaults(table: Table) -> None:
    encoder = Encoding().fit(table)
    assert encoder.names == ("size", "shape=flat", "shape=round", "when (days)", "class=blue", "class=red")
    rows = encoder.encode(table)
    np.testing.assert_array_equal(
        rows.values,
        [
            [1, 0, 1, 1, 0, 1],
            [3, np.nan, np.nan, 2, 1, 0],
            [np.nan, 1, 0, 3, 0, 1],
            [5, 0, 1, np.nan, np.nan, np.nan],
        ],
    )
    np.testing.assert_array_equal(rows.index, [0, 1, 2, 3])
    assert encoder.inputs.tolist() == [0, 1, 2, 3]
    assert encoder.targets.tolist() == [4, 5]


def test_index_leaves_a_target_one_hot(table: Table) -> None:
    encoder = Encoding(nominal="index").fit(table)
    assert encoder.names == ("size", "shape", "when (days)", "class=blue", "class=red")
    np.testing.assert_array_equal(encoder.encode(table).values[:, 1], [1, np.nan, 0, 1])


def test_standardised_columns_have_mean_zero_and_deviation_one(table: Table) -> None:
    encoder = Encoding(scaling="standard").fit(table)
    sizes = encoder.encode(table).values[:, 0]
    assert np.nanmean(sizes) == pytest.approx(0)
    assert np.nanstd(sizes) == pytest.approx(1)
    assert encoder.scale[0] == pytest.approx(1)


def test_filling_in(table: Table) -> None:
    values = Encoding(missing="mean").fit(table).encode(table).values
    assert not np.isnan(values).any()
    np.testing.assert_array_equal(values[2, 0], 3)
    np.testing.assert_array_equal(values[1, 1:3], [0, 1])
    np.testing.assert_array_equal(values[3, 3:], [2, 0, 1])


def test_dropping(table: Table) -> None:
    rows = Encoding(missing="drop").fit(table).encode(table)
    assert rows.index.tolist() == [0]
    assert rows.values.shape == (1, 6)


@pytest.mark.parametrize("scaling", ["none", "standard"])
@pytest.mark.parametrize("nominal", ["one-hot", "index"])
def test_decoding_gives_back_what_was_encoded(table: Table, scaling: Any, nominal: Any) -> None:
    encoder = Encoding(scaling, nominal).fit(table)
    back = encoder.decode(encoder.encode(table).values)
    assert back.names == ("size", "shape", "when", "class")
    for column in back:
        if column.kind == "numeric":
            np.testing.assert_allclose(column.values, table[column.name].values, rtol=1e-15)
        else:
            assert column.texts() == table[column.name].texts()
        assert column.role == table[column.name].role


@pytest.mark.parametrize("name", ["iris", "labor", "soybean", "German credit", "glass"])
@pytest.mark.parametrize("nominal", ["one-hot", "index"])
def test_real_tables_come_back(name: str, nominal: Any) -> None:
    table = sample(name).read()
    encoder = Encoding("standard", nominal).fit(table)
    back = encoder.decode(encoder.encode(table).values)
    for column in back:
        if column.kind == "numeric":
            np.testing.assert_allclose(column.values, table[column.name].values, rtol=1e-12, atol=1e-12)
        else:
            assert column.texts() == table[column.name].texts()


@pytest.mark.parametrize("name", ["iris", "labor", "soybean", "German credit", "ionosphere", "wine"])
@pytest.mark.parametrize("scaling", ["none", "standard"])
@pytest.mark.parametrize("nominal", ["one-hot", "index"])
@pytest.mark.parametrize("missing", ["model", "mean"])
def test_the_scale_is_the_deviation_of_the_encoded_columns(name: str, scaling: Any, nominal: Any, missing: Any) -> None:
    table = sample(name).read()
    encoder = Encoding(scaling, nominal, missing).fit(table)
    expected = np.nanstd(encoder.encode(table).values, axis=0)
    np.testing.assert_allclose(encoder.scale, expected, rtol=1e-9, atol=1e-12)


def test_predictions_become_the_nearest_label(table: Table) -> None:
    encoder = Encoding(nominal="index").fit(table)
    back = encoder.decode(np.array([[2.5, 0.8, 1.25, 0.4, 0.6], [0, 9, 0, np.nan, np.nan], [0, -3, 0, 2, 1]]))
    assert back["shape"].texts() == ["round", "round", "flat"]
    assert back["class"].texts() == ["red", None, "blue"]
    assert back["when"].texts()[0] == "1970-01-02T06:00:00"
    with pytest.raises(SourceError, match="A row has 3 numbers where the encoding has 5 columns"):
        encoder.decode(np.zeros((1, 3)))


def test_another_table_with_other_labels(table: Table) -> None:
    encoder = Encoding().fit(table)
    other = table.with_columns([Column.nominal("class", ["red", None, "red", "red"], role="target")])
    np.testing.assert_array_equal(encoder.encode(other).values[:, 5], [1, np.nan, 1, 1])
    strange = table.with_columns([Column.nominal("class", ["red", "green", "red", "red"], role="target")])
    with pytest.raises(
        SourceError, match="Column 'class': 'green' in row 2 is a label that the encoding does not know"
    ):
        encoder.encode(strange)
    wrong = table.with_columns([Column.nominal("size", ["a"] * 4)])
    with pytest.raises(SourceError, match="Column 'size' is nominal here, and was numeric"):
        encoder.encode(wrong)


def test_columns_that_hold_nothing() -> None:
    table = Table(
        "t",
        (
            Column.numeric("x", [np.nan, np.nan]),
            Column.nominal("c", [None, None]),
            Column.numeric("k", [4.0, 4.0]),
        ),
    )
    for missing in ("model", "mean"):
        encoder = Encoding("standard", missing=missing).fit(table)
        assert encoder.names == ("x", "c", "k")
        np.testing.assert_array_equal(encoder.encode(table).values, [[np.nan, np.nan, 0]] * 2)
        assert encoder.decode(encoder.encode(table).values)["k"].texts() == ["4", "4"]


def test_what_cannot_be_encoded(table: Table) -> None:
    string = Column("note", "string", np.array(["a"] * 4, dtype=object))
    with pytest.raises(SourceError, match=r"Column 'note' is text, and no number stands for it. Ignore the column"):
        Encoding().fit(Table("t", (string,)))
    ignored: Any = dict.fromkeys(table.names, "ignored")
    with pytest.raises(SourceError, match="t has no column in use"):
        Encoding().fit(table.with_roles(ignored))
    with pytest.raises(SourceError, match=r"'log' is not a choice for scaling. Choose one of: none, standard"):
        Encoding(scaling="log")  # type: ignore[arg-type]


values = st.lists(st.one_of(st.none(), st.floats(-1e9, 1e9)), min_size=1, max_size=20)


@given(values, st.sampled_from(["none", "standard"]), st.data())
def test_any_table_comes_back(numbers: list[float | None], scaling: Any, data: st.DataObject) -> None:
    labels = data.draw(
        st.lists(st.one_of(st.none(), st.text(max_size=3)), min_size=len(numbers), max_size=len(numbers))
    )
    table = Table(
        "t",
        (
            Column.numeric("x", [np.nan if v is None else v for v in numbers]),
            Column.nominal("c", labels),
        ),
    )
    encoder = Encoding(scaling).fit(table)
    back = encoder.decode(encoder.encode(table).values)
    scale = max((abs(v) for v in numbers if v is not None), default=1.0)
    np.testing.assert_allclose(back["x"].values, table["x"].values, rtol=1e-9, atol=1e-9 * scale)
    assert back["c"].texts() == labels
