"""How rows are learned: what is chosen is asked for, and what cannot be chosen is said in words."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtWidgets import QComboBox, QLabel, QSpinBox
from pytestqt.qtbot import QtBot

from tests.workbench.hands import find
from workbench.pages.data.options import DataOptions, learned_words
from workbench.run.recipe.dataset import Dataset, FileOrigin, GeneratorOrigin, PaintedOrigin, SampleOrigin, load
from workbench.source import GENERATORS, Column, Encoding, Order, SourceError, Table


def shown(qtbot: QtBot, dataset: Dataset) -> DataOptions:
    view = DataOptions()
    qtbot.addWidget(view)
    view.show_dataset(dataset)
    with qtbot.waitExposed(view):
        view.show()
    return view


def box(view: DataOptions, name: str) -> QComboBox:
    return find(view, QComboBox, name)


def choose(view: DataOptions, name: str, value: str) -> None:
    field = box(view, name)
    field.setCurrentIndex(field.findData(value) if name != "orderColumn" else field.findText(value))
    field.activated.emit(field.currentIndex())


def words(view: DataOptions) -> str:
    return " ".join(label.text() for label in view.findChildren(QLabel) if label.isVisible())


def iris() -> Dataset:
    return load(SampleOrigin("iris"))


def dataset_of(*columns: Column) -> Dataset:
    table = Table("t", columns)
    return Dataset(PaintedOrigin(()), table, table)


@pytest.mark.parametrize(
    ("name", "value", "wanted"),
    [
        ("nominalBox", "index", Encoding(nominal="index")),
        ("scalingBox", "standard", Encoding(scaling="standard")),
        ("missingBox", "drop", Encoding(missing="drop")),
    ],
)
def test_encodings_are_asked_for(qtbot: QtBot, name: str, value: str, wanted: Encoding) -> None:
    view = shown(qtbot, iris())
    with qtbot.waitSignal(view.encoding_wanted) as asked:
        choose(view, name, value)
    assert asked.args is not None
    assert asked.args[0] == wanted


def test_what_is_chosen_is_shown_without_being_asked_for(qtbot: QtBot) -> None:
    view = shown(qtbot, iris())
    signals = [view.encoding_wanted, view.order_wanted, view.test_share_wanted]
    chosen = replace(
        iris(), encoding=Encoding("standard", "index", "mean"), order=Order("sorted", 0, "class"), test_share=0.3
    )
    with qtbot.assertNotEmitted(signals[0]), qtbot.assertNotEmitted(signals[1]), qtbot.assertNotEmitted(signals[2]):
        view.show_dataset(chosen)
    assert [box(view, name).currentData() for name in ("scalingBox", "nominalBox", "missingBox", "orderBox")] == [
        "standard",
        "index",
        "mean",
        "sorted",
    ]
    assert box(view, "orderColumn").currentText() == "class"
    assert "45 of 150 rows are never learned; their log-likelihood is reported." in words(view)


def test_sorting_asks_by_which_column(qtbot: QtBot) -> None:
    dataset = iris()
    view = shown(qtbot, dataset)
    assert not box(view, "orderColumn").isVisible()
    with qtbot.waitSignal(view.order_wanted) as asked:
        choose(view, "orderBox", "sorted")
    assert asked.args == [Order("sorted", 0, "sepallength")]
    view.show_dataset(dataset.with_order(Order("sorted", 0, "sepallength")))
    assert box(view, "orderColumn").isVisible()
    with qtbot.waitSignal(view.order_wanted) as asked:
        choose(view, "orderColumn", "petalwidth")
    assert asked.args == [Order("sorted", 0, "petalwidth")]


def test_classes_in_turn_take_the_target_and_labels_alone(qtbot: QtBot) -> None:
    view = shown(qtbot, load(SampleOrigin("German credit")))
    with qtbot.waitSignal(view.order_wanted) as asked:
        choose(view, "orderBox", "interleaved")
    assert asked.args == [Order("interleaved", 0, "class")]
    assert box(view, "orderColumn").findText("duration") == -1


def test_the_seed_of_an_order_stays(qtbot: QtBot) -> None:
    view = shown(qtbot, iris().with_order(Order("as is", seed=7)))
    with qtbot.waitSignal(view.order_wanted) as asked:
        choose(view, "orderBox", "shuffled")
    assert asked.args == [Order("shuffled", 7)]


def test_a_share_is_asked_for(qtbot: QtBot) -> None:
    view = shown(qtbot, iris())
    assert "Every row is learned." in words(view)
    share = find(view, QSpinBox, "testShare")
    with qtbot.waitSignal(view.test_share_wanted) as asked:
        share.stepUp()
    assert asked.args == [0.1]


@pytest.mark.parametrize(
    ("dataset", "reason"),
    [
        (load(GeneratorOrigin(GENERATORS[0](), 100, endless=True)), "An endless stream keeps its own order"),
        (
            replace(load(SampleOrigin("wine")), origin=FileOrigin("wine.csv", streamed=True)),
            "A file that is streamed from disk keeps its own order",
        ),
    ],
)
def test_a_stream_says_why_it_has_no_order_and_no_split(qtbot: QtBot, dataset: Dataset, reason: str) -> None:
    view = shown(qtbot, dataset)
    assert not box(view, "orderBox").isEnabled()
    assert reason in words(view)
    assert "all its rows are learned" in words(view)


@pytest.mark.parametrize(
    ("name", "encoding", "expected"),
    [
        ("iris", Encoding(), "7 columns after encoding: 4 numeric, 3 for class"),
        ("Old Faithful", Encoding(), "2 columns after encoding: 2 numeric"),
        ("German credit", Encoding(), "65 columns after encoding: 7 numeric, 58 for the labels of 14 columns"),
        ("German credit", Encoding(nominal="index"), "22 columns after encoding: 13 of labels, 7 numeric, 2 for class"),
    ],
)
def test_the_words_agree_with_the_encoding(name: str, encoding: Encoding, expected: str) -> None:
    dataset = load(SampleOrigin(name)).with_encoding(encoding)
    n_columns = encoding.fit(dataset.table).n_columns
    assert learned_words(dataset) == expected
    assert expected.startswith(f"{n_columns:,} columns")


def test_text_and_nothing_at_all_cannot_be_learned_as_no_row_need_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Encoding, "fit", lambda *_: pytest.fail("looked at rows"))
    text = Column("name", "string", np.array(["Ann", "Bob"], dtype=object))
    with pytest.raises(SourceError, match="Column 'name' is text, and no number stands for it"):
        learned_words(dataset_of(Column.numeric("x", [1, 2]), text))
    with pytest.raises(SourceError, match="has no column in use"):
        learned_words(dataset_of(Column.numeric("x", [1, 2], role="ignored")))
