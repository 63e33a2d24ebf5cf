"""Columns, roles, kinds and the figures that Weka shows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.source import Column, Order, SourceError, Table, split
from workbench.source.table.table import days, moments


@pytest.fixture
def table() -> Table:
    return Table(
        "t",
        (
            Column.numeric("x", [3.0, np.nan, 1.0, 3.0, 2.0]),
            Column.nominal("class", ["b", "a", None, "b", "a"], ["a", "b", "never"], role="target"),
            Column("when", "date", np.array(["2026-01-03", "NaT", "2026-01-01", "2026-01-02", "NaT"], "M8[us]")),
            Column("note", "string", np.array(["u", None, "v", "u", "w"], dtype=object), role="ignored"),
        ),
    )


def test_what_a_table_says_of_itself(table: Table) -> None:
    assert (table.n_rows, table.n_missing) == (5, 5)
    assert table.names == ("x", "class", "when", "note")
    assert table.kinds == ("numeric", "nominal", "date", "string")
    assert table.roles == ("input", "target", "input", "ignored")


def test_values_are_read_only(table: Table) -> None:
    with pytest.raises(ValueError, match="read-only"):
        table["x"].values[0] = 5


def test_numeric_summary(table: Table) -> None:
    summary = table["x"].summary
    assert (summary.n_missing, summary.missing_percent, summary.n_distinct, summary.n_unique) == (1, 20.0, 3, 2)
    assert (summary.minimum, summary.maximum, summary.mean) == (1.0, 3.0, 2.25)
    assert summary.std == pytest.approx(np.std([3, 1, 3, 2], ddof=1))
    assert table["x"].summary is summary


def test_nominal_summary(table: Table) -> None:
    summary = table["class"].summary
    assert (summary.n_missing, summary.n_distinct, summary.n_unique) == (1, 2, 0)
    assert summary.counts == (("a", 2), ("b", 2), ("never", 0))
    assert summary.mean is None


def test_date_and_string_summary(table: Table) -> None:
    dates, strings = table["when"].summary, table["note"].summary
    assert (dates.minimum, dates.maximum) == (np.datetime64("2026-01-01"), np.datetime64("2026-01-03"))
    assert dates.mean == np.datetime64("2026-01-02")
    assert dates.std == pytest.approx(1.0)
    assert (strings.n_missing, strings.n_distinct, strings.n_unique) == (1, 3, 2)


@given(st.lists(st.one_of(st.none(), st.floats(-1e6, 1e6)), min_size=1, max_size=50))
def test_the_summary_agrees_with_numpy(values: list[float | None]) -> None:
    column = Column.numeric("x", [np.nan if v is None else v for v in values])
    known = np.array([v for v in values if v is not None])
    summary = column.summary
    found, counts = np.unique(known, return_counts=True)
    assert (summary.n_distinct, summary.n_unique) == (len(found), (counts == 1).sum())
    assert summary.n_missing == len(values) - len(known)
    if len(known):
        assert summary.mean == pytest.approx(known.mean())
        assert (summary.minimum, summary.maximum) == (known.min(), known.max())
    if len(known) > 1:
        assert summary.std == pytest.approx(known.std(ddof=1), abs=1e-9)


def test_kinds_can_be_changed_and_changed_back(table: Table) -> None:
    grades = Table("t", (Column.numeric("grade", [10.0, 2.0, np.nan, 2.5]),))
    nominal = grades.with_kinds({"grade": "nominal"})
    assert nominal["grade"].labels == ("2", "2.5", "10")
    back = nominal.with_kinds({"grade": "numeric"})
    np.testing.assert_array_equal(back["grade"].values, grades["grade"].values)
    text = table.with_kinds({"when": "string"})
    assert text["when"].texts() == ["2026-01-03", None, "2026-01-01", "2026-01-02", None]
    np.testing.assert_array_equal(text.with_kinds({"when": "date"})["when"].values, table["when"].values)


def test_a_kind_that_the_values_do_not_allow_is_refused_and_changes_nothing(table: Table) -> None:
    with pytest.raises(SourceError, match=r"Column 'class': 'b' in row 1 is not a number. Keep the column nominal"):
        table.with_kinds({"class": "numeric"})
    with pytest.raises(SourceError, match="Column 'note': 'u' in row 1 is not a date"):
        table.with_kinds({"note": "date"})
    with pytest.raises(SourceError, match="Column 'x' holds numbers, which say no date"):
        table.with_kinds({"x": "date"})
    assert table.kinds == ("numeric", "nominal", "date", "string")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda table: table.with_roles({"x": "boss"}), "Column 'x': 'boss' is not a role. Choose one of: input"),
        (
            lambda table: table.with_roles({"z": "input"}),
            "t: 'z' is not a column of this table. Choose one of: x, class",
        ),
        (lambda table: table.with_kinds({"x": "real"}), "Column 'x': 'real' is not a kind"),
        (lambda _: Table("t", ()), "t has no columns"),
        (
            lambda _: Table("t", (Column.numeric("x", [1]), Column.numeric("y", [1, 2]))),
            "t has columns of 1 and of 2 rows",
        ),
        (lambda table: Table("t", (table["x"], table["x"])), "t: 'x' is the name of two columns"),
    ],
)
def test_nonsense_is_refused(table: Table, change: object, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        change(table)  # type: ignore[operator]


def test_days_and_moments_are_inverse() -> None:
    dates = np.array(["1969-07-20T20:17:40.123456", "2026-01-31", "NaT"], dtype="M8[us]")
    np.testing.assert_array_equal(moments(days(dates)), dates)


def test_orders(table: Table) -> None:
    assert Order().rows(table).tolist() == [0, 1, 2, 3, 4]
    shuffled = Order("shuffled", seed=3).rows(table)
    assert sorted(shuffled.tolist()) == [0, 1, 2, 3, 4]
    np.testing.assert_array_equal(shuffled, Order("shuffled", seed=3).rows(table))
    assert any((Order("shuffled", seed=seed).rows(table) != shuffled).any() for seed in range(5))
    assert Order("sorted", column="x").rows(table).tolist() == [2, 4, 0, 3, 1]
    assert Order("sorted", column="class").rows(table).tolist() == [1, 4, 0, 3, 2]
    assert Order("sorted", column="when").rows(table).tolist() == [2, 3, 0, 1, 4]
    assert Order("sorted", column="note").rows(table).tolist() == [0, 3, 2, 4, 1]
    assert Order("interleaved").rows(table).tolist() == [1, 0, 4, 3, 2]
    assert Order("interleaved", column="class").rows(table).tolist() == [1, 0, 4, 3, 2]


def test_orders_that_make_no_sense(table: Table) -> None:
    for make, message in (
        (lambda: Order("random"), "'random' is not an order"),  # type: ignore[arg-type]
        (lambda: Order("sorted"), "Sorting needs a column"),
        (lambda: Order(seed=-1), "'-1' is not a seed"),
        (lambda: Order("interleaved", column="x").rows(table), "Column 'x' is numeric: rows can be interleaved"),
        (lambda: Order("interleaved").rows(table.with_roles({"class": "input"})), "t has no nominal target"),
    ):
        with pytest.raises(SourceError, match=message):
            make()


def test_a_split_is_by_seed_and_loses_no_row() -> None:
    table = Table("t", (Column.numeric("x", np.arange(100.0)),), weights=np.arange(100.0))
    train, test = split(table, 0.25, seed=1)
    assert (train.n_rows, test.n_rows) == (75, 25)
    assert sorted([*train["x"].values, *test["x"].values]) == list(range(100))
    assert (np.diff(train["x"].values) > 0).all()
    assert test.weights is not None
    np.testing.assert_array_equal(test.weights, test["x"].values)
    np.testing.assert_array_equal(split(table, 0.25, seed=1)[1]["x"].values, test["x"].values)
    assert (split(table, 0.25, seed=2)[1]["x"].values != test["x"].values).any()
    for share in (0, 1, -0.5, 0.001, np.nan):
        with pytest.raises(SourceError, match="leaves no training or no test rows"):
            split(table, share)
