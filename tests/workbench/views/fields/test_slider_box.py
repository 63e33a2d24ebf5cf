"""Number boxes with sliders: every allowed value goes in, everything else is refused in words."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QAbstractSpinBox
from pytestqt.qtbot import QtBot

from figmn import params
from figmn.params import BETA, SP_MIN, V_MIN, Number
from tests.workbench.hands import click, wait, write
from workbench.source import GENERATORS
from workbench.source.generators.settings import Setting
from workbench.views.fields.number_scale import Scale, number_in, text_of
from workbench.views.fields.slider_box import SliderBox
from workbench.views.look.theme import DARK

DELTA = replace(params.DELTA, default=0.5)
COUNT = Setting("count", "clusters", "How many.", default=3, low=1, high=9, whole=True)


def shown(qtbot: QtBot, box: SliderBox) -> SliderBox:
    qtbot.addWidget(box)
    box.show()
    return box


def delta(qtbot: QtBot) -> SliderBox:
    return shown(qtbot, SliderBox(DELTA, slider_low=0.001, slider_high=10))


def beta(qtbot: QtBot) -> SliderBox:
    return shown(qtbot, SliderBox(BETA, slider_low=1e-12, slider_high=1))


def test_shows_the_default_without_a_reset_button(qtbot: QtBot) -> None:
    box = delta(qtbot)
    assert (box.value(), box.field.text()) == (0.5, "0.5")
    assert not box.reset_button.isVisible()
    assert box.slider.mark == box.slider.value()


def test_its_parts_can_be_found_and_are_named_for_those_who_do_not_see_them(qtbot: QtBot) -> None:
    box = shown(qtbot, SliderBox(V_MIN, slider_low=1, slider_high=10_000))
    assert box.findChild(QAbstractSpinBox, "vMinBox") is box.field
    assert box.slider.objectName() == "vMinSlider"
    assert box.field.accessibleName() == "age before pruning"
    assert box.reset_button.accessibleName() == "Reset age before pruning"


@pytest.mark.parametrize("text", ["1e-06", "0.001", "1000000", "1,000,000", "0.1234567891", " 2 "])
def test_the_box_takes_all_declared_values(qtbot: QtBot, text: str) -> None:
    box = delta(qtbot)
    with qtbot.waitSignal(box.value_changed) as told:
        write(box.field, text)
    assert told.args == [float(text.replace(",", ""))]
    assert box.value() == told.args[0]
    assert not box.problem()


def test_a_typed_number_is_shown_as_the_program_writes_it(qtbot: QtBot) -> None:
    box = shown(qtbot, SliderBox(V_MIN, slider_low=1, slider_high=10_000))
    write(box.field, "1234567")
    assert box.field.text() == "1,234,567"
    assert box.slider.value() == box.slider.maximum()


@pytest.mark.parametrize("text", ["abc", "0", "-1", "2e6", "0,5", "nan", "1e-7", ""])
def test_wrong_text_stays_and_the_declaration_says_what_is_wrong(qtbot: QtBot, text: str) -> None:
    box = delta(qtbot)
    told: list[float] = []
    box.value_changed.connect(told.append)
    with qtbot.waitSignal(box.validity_changed) as validity:
        write(box.field, text) if text else box.field.lineEdit().clear()
        if not text:
            qtbot.keyClicks(box.field, "1")
            qtbot.keyClick(box.field, Qt.Key.Key_Backspace)
            qtbot.keyClick(box.field, Qt.Key.Key_Return)
    with pytest.raises(ValueError, match="δ") as expected:
        replace(DELTA, name="δ").check(number_in(text))
    assert validity.args == [False]
    assert box.problem_label.isVisible()
    assert box.problem_label.text() == str(expected.value)
    assert (box.field.text(), box.field.property("wrong"), told) == (text, True, [])
    assert box.value() == 0.5


def test_wrong_text_is_named_at_once_and_kept_when_the_focus_goes(qtbot: QtBot) -> None:
    box = delta(qtbot)
    write(box.field, "wide", None)
    assert "'wide' is not a number" in box.problem_label.text()
    box.slider.setFocus()
    assert box.field.text() == "wide"


def test_the_beginning_of_a_number_is_neither_wrong_nor_taken(qtbot: QtBot) -> None:
    box = delta(qtbot)
    told: list[float] = []
    box.value_changed.connect(told.append)
    write(box.field, "2e-", None)
    assert not box.problem()
    assert told == []
    qtbot.keyClicks(box.field, "3")
    wait(qtbot, lambda: told == [0.002])


def test_the_owner_need_not_wait_for_what_was_typed(qtbot: QtBot) -> None:
    box = delta(qtbot)
    write(box.field, "0.25", None)
    assert box.value() == 0.25


def test_a_mended_text_is_valid_again(qtbot: QtBot) -> None:
    box = delta(qtbot)
    write(box.field, "x")
    with qtbot.waitSignal(box.validity_changed) as validity:
        write(box.field, "0.5")
    assert validity.args == [True]
    assert not box.problem_label.isVisible()
    assert box.field.property("wrong") is False


def test_a_wrong_text_stays_wrong_until_a_number_is_there(qtbot: QtBot) -> None:
    box = delta(qtbot)
    write(box.field, "x")
    qtbot.keyClick(box.field, Qt.Key.Key_Backspace)
    assert box.problem()
    qtbot.keyClicks(box.field, "2")
    assert not box.problem()
    assert box.value() == 2


def test_the_slider_mends_a_wrong_text(qtbot: QtBot) -> None:
    box = delta(qtbot)
    write(box.field, "x")
    box.slider.setValue(0)
    assert (box.value(), box.field.text(), box.problem()) == (0.001, "0.001", "")


def test_reset_goes_back_to_the_default(qtbot: QtBot) -> None:
    box = delta(qtbot)
    write(box.field, "x")
    assert box.reset_button.isVisible()
    click(box.reset_button)
    assert (box.value(), box.field.text(), box.problem()) == (0.5, "0.5", "")
    assert not box.reset_button.isVisible()
    write(box.field, "3")
    with qtbot.waitSignal(box.value_changed) as told:
        click(box.reset_button)
    assert told.args == [0.5]


def test_setting_a_value_tells_nobody(qtbot: QtBot) -> None:
    box = delta(qtbot)
    with qtbot.assertNotEmitted(box.value_changed):
        box.set_value(1e-6)
    assert (box.field.text(), box.slider.value()) == ("1e-06", 0)
    with pytest.raises(ValueError, match="outside"):
        box.set_value(0)


def test_arrows_step_by_the_second_figure(qtbot: QtBot) -> None:
    box = delta(qtbot)
    for key, value in ((Qt.Key.Key_Up, 0.51), (Qt.Key.Key_Down, 0.5), (Qt.Key.Key_PageUp, 0.6)):
        qtbot.keyClick(box.field, key)
        assert (box.value(), box.field.text()) == (value, text_of(value))


def test_arrows_stop_at_the_declared_limits(qtbot: QtBot) -> None:
    box = beta(qtbot)
    box.set_value(1)
    qtbot.keyClick(box.field, Qt.Key.Key_Up)
    assert box.value() == 1
    box.set_value(0)
    assert box.slider.value() == 0
    qtbot.keyClick(box.field, Qt.Key.Key_Down)
    assert box.value() == 0
    qtbot.keyClick(box.field, Qt.Key.Key_Up)
    assert box.value() == 1e-12


def test_arrows_come_back_from_infinity(qtbot: QtBot) -> None:
    box = shown(qtbot, SliderBox(V_MIN, slider_low=1, slider_high=10_000))
    box.set_value(math.inf)
    qtbot.keyClick(box.field, Qt.Key.Key_Up)
    assert box.value() == math.inf
    qtbot.keyClick(box.field, Qt.Key.Key_Down)
    assert box.value() == 10_000


def test_a_click_on_the_groove_goes_there(qtbot: QtBot) -> None:
    box = delta(qtbot)
    box.resize(300, 40)
    end = QPoint(box.slider.width() - 2, box.slider.height() // 2)
    click(box.slider, at=end)
    assert box.value() == 10


def test_beta_has_a_place_for_zero_and_for_one(qtbot: QtBot) -> None:
    box = beta(qtbot)
    box.slider.setValue(box.slider.minimum())
    assert (box.value(), box.field.text()) == (0, "0")
    box.slider.setValue(box.slider.maximum())
    assert box.value() == 1
    lowest = Scale(1e-12, 1, log=True, zero=True)
    assert lowest.value(lowest.position(1e-12)) == 1e-12


@pytest.mark.parametrize("value", [1e-12, 2.5e-9, 1e-6, 0.001, 0.01, 0.1, 0.99, 1.0])
def test_a_place_and_its_value_belong_together(value: float) -> None:
    scale = Scale.of(BETA, 1e-12, 1)
    assert scale.value(scale.position(value)) == pytest.approx(value, rel=0.05)


def test_places_rise_with_values() -> None:
    for scale in (Scale.of(SP_MIN, 0.1, 1000), Scale.of(DELTA), Scale(0, 3)):
        values = [scale.value(place / 1000) for place in range(1001)]
        assert values == sorted(values)
        assert (values[0], values[-1]) == (0 if scale.zero else scale.low, scale.high)


def test_a_number_without_upper_limit_needs_one_for_its_slider() -> None:
    with pytest.raises(ValueError, match="v_min has no upper limit"):
        Scale.of(V_MIN)


def test_whole_numbers_have_a_place_each(qtbot: QtBot) -> None:
    box = shown(qtbot, SliderBox(COUNT))
    assert box.slider.maximum() == 8
    box.slider.setValue(8)
    assert (box.value(), box.field.text()) == (9, "9")
    write(box.field, "2.5")
    assert box.problem_label.text() == "count = 2.5 is not a whole number. Give a whole number from 1 to 9."


def test_every_setting_of_every_generator_has_a_box(qtbot: QtBot) -> None:
    for generator in GENERATORS:
        for declared in generator.settings():
            if isinstance(declared, Setting):
                box = shown(qtbot, SliderBox(declared))
                assert box.value() == declared.default
                box.slider.setValue(box.slider.maximum())
                assert box.value() == declared.high
                box.slider.setValue(0)
                assert box.value() == declared.low


def test_a_limit_that_is_not_allowed_is_refused(qtbot: QtBot) -> None:
    box = shown(qtbot, SliderBox(Number("w", "w", "weight", "Help.", 1.0, low_allowed=False), slider_high=2))
    write(box.field, "0")
    assert "outside the range above 0:" in box.problem_label.text()
    box.slider.setValue(5)
    assert not box.problem()
    box.slider.setValue(0)
    assert box.value() == 0.002
    qtbot.keyClick(box.field, Qt.Key.Key_Down)
    assert box.value() == 0.002


def test_infinity_stands_in_the_box_as_its_word_and_is_typed_as_that(qtbot: QtBot) -> None:
    box = shown(qtbot, SliderBox(V_MIN, slider_low=1, slider_high=10_000))
    box.set_value(math.inf)
    assert box.field.text() == "never"
    box.set_value(5)
    for beginning in ("n", "ne", "nev", "neve"):
        write(box.field, beginning, None)
        assert not box.problem(), beginning
    write(box.field, " Never", None)
    assert box.value() == math.inf
    qtbot.keyClick(box.field, Qt.Key.Key_Return)
    assert box.field.text() == "never"


@pytest.mark.parametrize("text", ["inf", "nan", "-Infinity", "1e400", "9" * 5000])
@pytest.mark.parametrize("declared", [V_MIN, BETA])
def test_what_is_no_finite_number_is_refused_as_it_was_typed(qtbot: QtBot, declared: Number, text: str) -> None:
    box = shown(qtbot, SliderBox(declared, slider_low=0.5, slider_high=1))
    write(box.field, text)
    assert box.problem().startswith(f"{declared.symbol} = '{text[:50]}")
    assert "is not a number" in box.problem()
    assert len(box.problem()) < 200


@pytest.mark.parametrize("value", [0.0, 1e-12, 1e-6, 0.1, 1 / 3, 5, 1234.5, 1e6, 1e300])
@pytest.mark.parametrize("grouped", [True, False])
def test_texts_of_numbers_are_read_back_exactly(value: float, grouped: bool) -> None:
    assert number_in(text_of(value, grouped)) == value


def test_the_look_can_change(qtbot: QtBot) -> None:
    box = delta(qtbot)
    box.set_theme(DARK)
    assert not box.reset_button.icon().isNull()


def test_a_default_that_follows_the_data_moves_its_mark_and_not_a_chosen_value(qtbot: QtBot) -> None:
    box = shown(qtbot, SliderBox(DELTA, slider_low=0.001, slider_high=10))
    box.set_value(0.5)
    mark = box.slider.mark
    assert mark is not None
    box.set_default(2.0)
    assert box.value() == 0.5
    assert box.slider.mark is not None
    assert box.slider.mark > mark
    assert box.reset_button.isVisible()
    box.reset_button.click()
    assert box.value() == 2.0
    assert not box.reset_button.isVisible()


def test_arrows_on_a_limit_that_is_never_reached(qtbot: QtBot) -> None:
    """From v_min = never one step leads down to the end of the slider, and none up."""
    box = shown(qtbot, SliderBox(V_MIN, slider_low=1, slider_high=10_000))
    box.set_value(math.inf)
    qtbot.keyClick(box.field, Qt.Key.Key_Up)
    assert box.value() == math.inf
    qtbot.keyClick(box.field, Qt.Key.Key_Down)
    assert box.value() == 10_000


def test_an_automatic_value_follows_its_default_until_one_is_chosen(qtbot: QtBot) -> None:
    box = delta(qtbot)
    box.set_default(2.0)
    assert (box.chosen(), box.value(), box.field.text()) == (None, 2.0, "2")
    with qtbot.waitSignal(box.value_changed) as told:
        write(box.field, "2")
    assert told.args == [2.0]
    assert box.chosen() == 2.0
    box.set_default(1.0)
    assert (box.chosen(), box.value()) == (2.0, 2.0)
    box.set_value(None)
    assert (box.chosen(), box.value()) == (None, 1.0)


def test_a_number_without_an_automatic_value_needs_one(qtbot: QtBot) -> None:
    with pytest.raises(ValueError, match="β = None is not a number"):
        beta(qtbot).set_value(None)


def test_the_declaration_gives_the_ends_of_the_slider(qtbot: QtBot) -> None:
    assert shown(qtbot, SliderBox(V_MIN)).scale == Scale(1, 10_000, log=True, zero=True)
