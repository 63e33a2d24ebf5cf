"""The form of all choices: what is typed, slid and picked comes out as checked choices, or is refused in words."""

from __future__ import annotations

import math

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from figmn import Parameters
from figmn.params import DECLARED, LABEL_WIDTH, NEUTRAL, NUMBERS, Number
from tests.workbench.hands import click, find, wait, write
from workbench.run.recipe.choices import Choices
from workbench.run.recipe.presets import PRESETS
from workbench.views.look.naming import camel_case
from workbench.views.look.theme import DARK
from workbench.window.parameter_form import ParameterForm
from workbench.window.parameter_words import threshold_hint

OTHER = Choices(Parameters(delta=0.3, beta=0, v_min=5, sp_min=2.5, covariance="published"), "running", 7)


@pytest.fixture
def form(qtbot: QtBot) -> ParameterForm:
    form = ParameterForm()
    qtbot.addWidget(form)
    form.resize(238, 900)  # the panel scrolls, so a form always has the height that it needs
    form.show()
    return form


def box(form: ParameterForm, name: str) -> QAbstractSpinBox:
    return find(form, QAbstractSpinBox, name)


def combo(form: ParameterForm, name: str) -> QComboBox:
    return find(form, QComboBox, name)


def text(form: ParameterForm, name: str) -> str:
    found = find(form, QLabel, name)
    return found.text() if found.isVisible() else ""


def pick(qtbot: QtBot, field: QComboBox, words: str) -> None:
    """As a user does with the keyboard."""
    assert field.findText(words) >= 0
    while field.currentText() != words:
        before = field.currentIndex()
        up = field.findText(words) < before
        qtbot.keyClick(field, Qt.Key.Key_Up if up else Qt.Key.Key_Down)
        assert field.currentIndex() != before


def test_begins_with_the_defaults(form: ParameterForm) -> None:
    assert form.choices() == Choices()
    assert combo(form, "presetBox").currentText() == "default"
    assert form.reset_button.isEnabled() is False


def test_drift_detection_is_a_choice(qtbot: QtBot, form: ParameterForm) -> None:
    with qtbot.waitSignal(form.changed):
        pick(qtbot, combo(form, "driftBox"), "on")
    assert form.choices() == Choices(drift=True)
    assert "figmn-workbench[river]" in combo(form, "driftBox").toolTip()
    form.reset()
    assert combo(form, "driftBox").currentText() == "off"
    form.set_choices(Choices(drift=True))
    assert combo(form, "driftBox").currentText() == "on"
    pick(qtbot, combo(form, "presetBox"), "paper speed")
    assert form.choices().drift, "a preset is of hyper-parameters only"


def test_every_shared_hyper_parameter_has_a_field(form: ParameterForm) -> None:
    names = [f"{camel_case(name)}Box" for name in DECLARED]
    assert names[:5] == ["deltaBox", "betaBox", "vMinBox", "spMinBox", "covarianceBox"]
    assert names[5:] == ["priorCountBox", "memoryBox", "maxComponentsBox", "mergeBelowBox"]
    for name in (*names, "scaleBox", "seedBox", "presetBox"):
        assert find(form, QWidget, name).isVisible()


def test_what_the_paper_does_not_have_stands_under_a_heading_of_its_own(form: ParameterForm) -> None:
    heading = find(form, QLabel, "beyondHeading").geometry().bottom()
    tops = {name: box.mapTo(form, box.rect().topLeft()).y() for name, box in form.boxes.items()}
    assert {name for name, top in tops.items() if top > heading} == {*NEUTRAL, LABEL_WIDTH.name}


def test_shows_choices_without_telling(qtbot: QtBot, form: ParameterForm) -> None:
    with qtbot.assertNotEmitted(form.changed):
        form.set_choices(OTHER)
    assert form.choices() == OTHER
    assert [box(form, name).text() for name in ("deltaBox", "betaBox", "vMinBox", "spMinBox", "seedBox")] == [
        "0.3",
        "0",
        "5",
        "2.5",
        "7",
    ]
    assert combo(form, "covarianceBox").currentText() == "published"
    assert combo(form, "scaleBox").currentData() == "running"
    assert combo(form, "presetBox").currentText() == "custom"


@pytest.mark.parametrize(
    ("name", "typed", "field", "value"),
    [
        ("deltaBox", "1e-06", "delta", 1e-6),
        ("betaBox", "0", "beta", 0.0),
        ("betaBox", "1", "beta", 1.0),
        ("vMinBox", "20,000", "v_min", 20_000.0),
        ("spMinBox", "2.5", "sp_min", 2.5),
        ("priorCountBox", "0.01", "prior_count", 0.01),
        ("memoryBox", "10", "memory", 10.0),
        ("memoryBox", "1e5", "memory", 1e5),
        ("maxComponentsBox", "20", "max_components", 20.0),
        ("mergeBelowBox", "1e6", "merge_below", 1e6),
    ],
)
def test_a_typed_number_is_told(
    qtbot: QtBot, form: ParameterForm, name: str, typed: str, field: str, value: float
) -> None:
    with qtbot.waitSignal(form.changed) as told:
        write(box(form, name), typed)
    assert told.args is not None
    assert told.args[0] == form.choices()
    assert getattr(told.args[0].parameters, field) == value


def test_a_seed_is_told(qtbot: QtBot, form: ParameterForm) -> None:
    with qtbot.waitSignal(form.changed) as told:
        write(box(form, "seedBox"), "2147483647")
    assert told.args == [Choices(seed=2_147_483_647)]


def test_the_combos_are_told(qtbot: QtBot, form: ParameterForm) -> None:
    with qtbot.waitSignal(form.changed) as told:
        pick(qtbot, combo(form, "covarianceBox"), "published")
    assert told.args == [Choices(Parameters(covariance="published"))]
    with qtbot.waitSignal(form.changed) as told:
        pick(qtbot, combo(form, "scaleBox"), "running std")
    assert told.args == [Choices(Parameters(covariance="published"), "running")]


@pytest.mark.parametrize("preset", PRESETS[1:], ids=lambda preset: preset.name)
def test_a_preset_sets_its_values_and_keeps_the_rest(qtbot: QtBot, form: ParameterForm, preset: object) -> None:
    form.set_choices(Choices(scale="running", seed=3))
    name = preset.name  # type: ignore[attr-defined]
    pick(qtbot, combo(form, "presetBox"), name)
    assert form.choices() == Choices(preset.parameters, "running", 3)  # type: ignore[attr-defined]
    assert combo(form, "presetBox").currentText() == name


def test_the_presets_are_those_of_the_paper() -> None:
    assert [(preset.name, preset.parameters) for preset in PRESETS] == [
        ("default", Parameters()),
        ("paper examples", Parameters(0.01, 0.1, 5, 3, **NEUTRAL)),
        ("paper speed", Parameters(delta=1, beta=0, **NEUTRAL)),
        ("paper accuracy", Parameters(beta=0.001, **NEUTRAL)),
        ("births and deaths", Parameters(0.2, 1e-6, 1500, 2000, **NEUTRAL)),
    ]


def test_a_preset_that_is_typed_is_known(form: ParameterForm) -> None:
    form.set_choices(Choices(Parameters(**NEUTRAL)))
    write(box(form, "betaBox"), "0.002")
    assert combo(form, "presetBox").currentText() == "custom"
    write(box(form, "betaBox"), "0.001")
    assert combo(form, "presetBox").currentText() == "paper accuracy"


def test_words_stand_for_infinity(qtbot: QtBot, form: ParameterForm) -> None:
    words = {"vMinBox": "never", "memoryBox": "for ever", "maxComponentsBox": "no limit"}
    assert [box(form, name).text() for name in words] == ["100", "for ever", "no limit"]
    for name, word in words.items():
        write(box(form, name), "30")
        qtbot.keyClick(box(form, name), Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        for end in range(1, len(word)):
            box(form, name).selectAll()
            qtbot.keyClicks(box(form, name), word[:end])
            assert form.problem() == "", f"{word[:end]!r} may become {word!r}"
        write(box(form, name), word.upper())
        assert box(form, name).text() == word
    values = form.choices().parameters
    assert (values.v_min, values.memory, values.max_components) == (math.inf, math.inf, math.inf)
    write(box(form, "memoryBox"), "20")
    write(box(form, "memoryBox"), "none")
    assert (form.choices().parameters.memory, box(form, "memoryBox").text()) == (math.inf, "for ever")
    for name in ("betaBox", "priorCountBox", "mergeBelowBox"):
        write(box(form, name), "no limit")
        assert "'no limit' is not a number" in form.problem()


NONSENSE = (" ", "x", "nan", "inf", "-1", "1e999", "2,5", "0x10", "½", "1" * 5000, "<b>", "0..1")


@pytest.mark.parametrize("typed", NONSENSE, ids=lambda text: text[:6])
@pytest.mark.parametrize("name", [*NUMBERS, "seed"])
def test_nonsense_is_refused_in_every_box(form: ParameterForm, name: str, typed: str) -> None:
    write(box(form, f"{camel_case(name)}Box"), typed)
    assert form.problem().startswith(f"{NUMBERS[name].symbol if name in NUMBERS else name} = ")
    assert form.choices() == Choices()
    label = find(form, QLabel, f"{camel_case(name)}Problem")
    assert label.isVisible()
    assert len(label.text()) < 200
    click(form.reset_button)
    assert (form.problem(), form.choices()) == ("", Choices())


def test_a_number_of_components_is_whole_on_its_slider_too(form: ParameterForm) -> None:
    field = form.boxes["max_components"]
    for place in range(0, field.slider.maximum() + 1, 7):
        field.slider.setValue(place)
        assert field.chosen() == round(field.value())
        assert form.problem() == ""
    write(box(form, "maxComponentsBox"), "2.5")
    assert "K_max = 2.5 is not whole: give a whole number from 1 upwards" in form.problem()


def test_an_automatic_prior_count_has_its_number(form: ParameterForm, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Number, "default_for", lambda self, n_columns: n_columns / 4 if self.automatic else 0.0)
    form.set_threshold_hint(60)
    assert (box(form, "priorCountBox").text(), form.choices().parameters.prior_count) == ("15", None)
    assert "Default 15, allowed" in form.boxes["prior_count"].toolTip()
    write(box(form, "priorCountBox"), "3")
    form.set_threshold_hint(8)
    assert (box(form, "priorCountBox").text(), form.choices().parameters.prior_count) == ("3", 3.0)
    click(form.boxes["prior_count"].reset_button)
    assert (box(form, "priorCountBox").text(), form.choices().parameters.prior_count) == ("2", None)


def test_wrong_text_blocks_the_start_and_says_why(qtbot: QtBot, form: ParameterForm) -> None:
    form.set_state("stale", "")
    with qtbot.waitSignal(form.validity_changed) as told, qtbot.assertNotEmitted(form.changed):
        write(box(form, "betaBox"), "1.5")
    assert told.args == [False, text(form, "betaProblem")]
    assert "β = 1.5 is outside the range from 0 to 1" in form.problem()
    assert not form.restart_button.isEnabled()
    assert form.choices() == Choices()
    with qtbot.waitSignal(form.validity_changed) as told:
        write(box(form, "betaBox"), "0.5")
    assert told.args == [True, ""]
    assert form.restart_button.isEnabled()


def test_the_reason_follows_what_is_typed(qtbot: QtBot, form: ParameterForm) -> None:
    reasons: list[str] = []
    form.validity_changed.connect(lambda _, reason: reasons.append(reason))
    field = box(form, "betaBox")
    field.selectAll()
    qtbot.keyClicks(field, "many")
    assert "β = 'many' is not a number" in reasons[-1]


def test_two_wrong_texts_are_both_named(form: ParameterForm) -> None:
    write(box(form, "betaBox"), "many")
    write(box(form, "seedBox"), "-1")
    assert "β = 'many'" in form.problem()
    assert "seed = -1" in form.problem()
    write(box(form, "betaBox"), "0.1")
    assert "β" not in form.problem()
    assert "seed = -1" in form.problem()


def test_an_unfinished_number_is_judged_when_it_is_committed(qtbot: QtBot, form: ParameterForm) -> None:
    field = box(form, "deltaBox")
    field.selectAll()
    qtbot.keyClicks(field, "1e-")
    assert form.problem() == ""
    form.commit()
    assert "δ = '1e-' is not a number" in form.problem()


def test_asking_does_not_act(qtbot: QtBot, form: ParameterForm) -> None:
    """Who asks for problems or choices must not apply an edit that the user has not finished."""
    field = box(form, "betaBox")
    field.selectAll()
    with qtbot.assertNotEmitted(form.changed), qtbot.assertNotEmitted(form.validity_changed):
        qtbot.keyClicks(field, "0.2")
        assert (form.problem(), form.choices()) == ("", Choices())
    with qtbot.waitSignal(form.changed) as told:
        form.commit()
    assert told.args == [Choices(Parameters(beta=0.2))]
    assert form.choices() == Choices(Parameters(beta=0.2))


def test_reset_all_takes_everything_back_wrong_texts_too(qtbot: QtBot, form: ParameterForm) -> None:
    form.set_choices(OTHER)
    write(box(form, "seedBox"), "x")
    with qtbot.waitSignals([form.changed, form.validity_changed]):
        click(form.reset_button)
    assert (form.choices(), form.problem()) == (Choices(), "")
    assert form.reset_button.isEnabled() is False


def test_says_what_beta_means_for_the_data(form: ParameterForm) -> None:
    assert text(form, "thresholdHint") == ""
    form.set_threshold_hint(4)
    assert text(form, "thresholdHint") == "A sample is new when every d² ≥ χ²(4, 0.9999) = 23.51"
    write(box(form, "betaBox"), "0.1")
    assert text(form, "thresholdHint").endswith("χ²(4, 0.9) = 7.78")
    form.set_threshold_hint(None)
    assert text(form, "thresholdHint") == ""


def test_the_ends_of_beta_are_said_in_words() -> None:
    assert threshold_hint(0, 4) == "β = 0: τ is infinite, so no sample is new: a single component"
    assert threshold_hint(1, 4) == "β = 1: τ is 0, so every sample is new: one component each"
    assert "1\u00a0−\u00a01e-12" in threshold_hint(1e-12, 4)


def test_delta_says_which_columns_it_counts(form: ParameterForm) -> None:
    form.set_threshold_hint(16, 3)
    first, second = form.hint.text().split("\n")
    assert "χ²(16, " in first
    assert second == "δ and d²: 13 input and 3 target columns"
    form.set_threshold_hint(16)
    assert "target" not in form.hint.text()


def test_says_whether_the_run_has_these_values(qtbot: QtBot, form: ParameterForm) -> None:
    button = find(form, QPushButton, "restartWithThese")
    assert (text(form, "parameterStateText"), button.isVisible()) == ("", False)
    form.set_state("current", "")
    assert (text(form, "parameterStateText"), button.isVisible()) == ("The run shown uses these values", False)
    form.set_state("live", "β 0.1 since sample 1,204")
    assert (text(form, "parameterStateText"), button.isVisible()) == ("β 0.1 since sample 1,204", False)
    form.set_state("stale", "Changed since this run: δ 2 → 1")
    assert text(form, "parameterStateText") == "Changed since this run: δ 2 → 1"
    with qtbot.waitSignal(form.restart_requested):
        click(button)


def test_the_state_stays_when_the_look_changes(form: ParameterForm) -> None:
    form.set_state("stale", "Changed since this run: δ 2 → 1 and 2 more", "all of them")
    form.set_theme(DARK)
    assert text(form, "parameterStateText") == "Changed since this run: δ 2 → 1 and 2 more"
    assert form.state_text.toolTip() == "all of them"
    assert form.restart_button.isVisible()


def test_tooltips_have_words_formula_and_effect(form: ParameterForm) -> None:
    told = form.boxes["beta"].toolTip()
    assert "novelty level" in told
    assert "χ²(D, 1 − β)" in told
    assert "next sample" in told
    assert "Default 0.0001, allowed from 0 to 1." in told
    assert 'Default for ever, allowed from 10 upwards, or "for ever".' in form.boxes["memory"].toolTip()
    assert 'Default no limit, allowed from 1 upwards, or "no limit".' in form.boxes["max_components"].toolTip()


def test_tab_goes_through_the_form_from_top_to_bottom(form: ParameterForm) -> None:
    expected = [f"{name}{part}" for name in ("delta", "beta", "vMin", "spMin") for part in ("Slider", "Box", "Reset")]
    expected += ["covarianceBox", "scaleBox", "seedBox", "seedReset"]
    beyond = ("priorCount", "memory", "maxComponents", "mergeBelow")
    expected += [f"{name}{part}" for name in beyond for part in ("Slider", "Box", "Reset")]
    expected += ["resetParameters", "restartWithThese"]
    stops: list[str] = []
    widget = form.preset_box.nextInFocusChain()
    while widget is not None and widget is not form.preset_box:
        stops.append(widget.objectName())
        widget = widget.nextInFocusChain()
    assert [stop for stop in stops if stop in expected] == expected


def test_nothing_is_clipped_at_the_width_of_the_panel(qtbot: QtBot, form: ParameterForm) -> None:
    form.set_choices(OTHER)
    form.set_state("stale", "Changed since this run: δ 2 → 1, β 0.1 → 0.2, missing values and 2 more")
    form.set_threshold_hint(784)
    write(box(form, "deltaBox"), "nonsense")
    assert form.minimumSizeHint().width() <= 228, "a scroll bar must fit beside it"
    wait(qtbot, lambda: form.boxes["delta"].problem_label.height() >= _needed(form.boxes["delta"].problem_label))


def _needed(label: QLabel) -> int:
    return label.heightForWidth(label.width())


def test_delta_follows_the_number_of_columns_until_it_is_chosen(form: ParameterForm) -> None:
    form.set_threshold_hint(7)
    assert box(form, "deltaBox").text() == "0.58"
    assert form.choices().parameters.delta is None
    assert combo(form, "presetBox").currentText() == "default"
    write(box(form, "deltaBox"), "0.3")
    assert form.choices().parameters.delta == 0.3
    form.set_threshold_hint(100)
    assert box(form, "deltaBox").text() == "0.3"
    form.reset()
    assert box(form, "deltaBox").text() == "2"
    assert form.choices() == Choices()


def test_a_typed_delta_that_equals_the_automatic_one_stays_typed(qtbot: QtBot, form: ParameterForm) -> None:
    form.set_threshold_hint(6)
    assert (box(form, "deltaBox").text(), form.choices().parameters.delta) == ("0.5", None)
    with qtbot.waitSignal(form.changed) as told:
        write(box(form, "deltaBox"), "0.5")
    assert told.args == [Choices(Parameters(delta=0.5))]
    assert combo(form, "presetBox").currentText() == "custom"
    write(box(form, "betaBox"), "0.2")
    assert form.choices().parameters == Parameters(delta=0.5, beta=0.2)
    form.set_threshold_hint(12)
    assert (box(form, "deltaBox").text(), form.choices().parameters.delta) == ("0.5", 0.5)
    form.set_threshold_hint(6)
    assert form.choices().parameters.delta == 0.5


def test_a_delta_that_comes_back_to_the_automatic_one_stays_typed(form: ParameterForm) -> None:
    form.set_threshold_hint(6)
    for typed in ("0.3", "0.5"):
        write(box(form, "deltaBox"), typed)
        assert form.choices().parameters.delta == float(typed)


def test_the_reset_of_delta_makes_it_automatic_again(qtbot: QtBot, form: ParameterForm) -> None:
    form.set_threshold_hint(6)
    reset = form.boxes["delta"].reset_button
    assert not reset.isVisible()
    write(box(form, "deltaBox"), "0.5")
    assert reset.isVisible()
    with qtbot.waitSignal(form.changed) as told:
        reset.click()
    assert told.args == [Choices()]
    assert not reset.isVisible()
    form.set_threshold_hint(12)
    assert box(form, "deltaBox").text() == "1"


def test_values_of_the_page_itself_are_not_said_to_be_carried_over(form: ParameterForm) -> None:
    form.show_carried_over("iris")
    assert form.carried_over.isVisibleTo(form)
    form.set_fixed({"delta": 1.0, "memory": math.inf})
    assert (text(form, "deltaFixed"), text(form, "memoryFixed")) == ("1, fixed", "for ever, fixed")
    assert not form.carried_over.isVisibleTo(form)
    form.set_fixed({})
    assert form.carried_over.words.text() == "Parameters carried over from iris"
    assert form.carried_over.isVisibleTo(form)
