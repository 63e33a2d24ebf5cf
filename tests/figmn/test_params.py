"""Declarations of hyper-parameters, and the signatures that follow them."""

from __future__ import annotations

import inspect
import math
from dataclasses import fields

import pytest

from figmn import IGMN, FastIGMN, FastIGMNClassifier, FastIGMNMixture, FastIGMNRegressor, Parameters
from figmn.params import CHANGEABLE, DECLARED, DELTA, NEUTRAL, NUMBERS, V_MIN, Choice, Number

NAMES = [field.name for field in fields(Parameters)]


BY_POSITION = ["delta", "beta", "v_min", "sp_min", "covariance"]
"""What could be given by position before others were declared."""


def names_of(made: type) -> list[str]:
    return list(inspect.signature(made).parameters)


def test_the_signatures_are_those_of_the_declarations() -> None:
    assert NAMES[: len(BY_POSITION)] == BY_POSITION
    by_keyword = NAMES[len(BY_POSITION) :]
    assert names_of(FastIGMN) == [*BY_POSITION, "scale", "columns", *by_keyword]
    assert names_of(IGMN) == [*BY_POSITION, "scale", "columns", "solver", *by_keyword]
    for estimator in (FastIGMNRegressor, FastIGMNMixture):
        assert names_of(estimator) == [*NAMES, "scale"]
    assert names_of(FastIGMNClassifier) == [*NAMES, "scale", "mixtures", "label_width"]
    assert list(inspect.signature(FastIGMN.change).parameters)[1:] == list(CHANGEABLE)


@pytest.mark.parametrize("made", [FastIGMN, IGMN, FastIGMNClassifier])
def test_the_defaults_are_those_of_the_declarations(made: type) -> None:
    shown = inspect.signature(made).parameters
    for name, declared in DECLARED.items():
        is_automatic = isinstance(declared, Number) and declared.automatic is not None
        assert shown[name].default == (None if is_automatic else declared.default)


@pytest.mark.parametrize("made", [FastIGMN, IGMN, FastIGMNClassifier, FastIGMNRegressor, FastIGMNMixture])
def test_the_docstrings_explain_every_hyper_parameter(made: type) -> None:
    text = made.__doc__ or ""
    assert "{hyper_parameters}" not in text
    for name, declared in DECLARED.items():
        assert f"\n    {name} : " in text
        assert declared.label.capitalize() in text
    assert max(map(len, text.splitlines())) <= 120


@pytest.mark.parametrize("made", [FastIGMN, IGMN, FastIGMNMixture])
def test_a_name_that_is_not_declared_is_refused(made: type) -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'gamma'"):
        made(gamma=1)


def test_what_needs_a_new_model_cannot_change() -> None:
    model = FastIGMN()
    with pytest.raises(TypeError, match=r"change\(\) takes no delta: give beta, v_min, sp_min"):
        model.change(delta=1.0, beta=0.5)
    assert model.parameters == Parameters()


@pytest.mark.parametrize("name", DECLARED)
def test_a_text_for_people_can_be_parsed(name: str) -> None:
    declared = DECLARED[name]
    if isinstance(declared, Choice):
        assert [declared.parse(declared.text(choice)) for choice in declared.choices] == list(declared.choices)
    else:
        assert declared.parse(str(declared.default)) == declared.default


def test_words_that_stand_for_numbers_can_be_parsed() -> None:
    assert V_MIN.parse(" Never ") == math.inf
    assert DELTA.parse("Automatic") is None
    for declared, text in ((NUMBERS["beta"], "never"), (NUMBERS["beta"], "automatic"), (V_MIN, "soon")):
        with pytest.raises(ValueError, match=f"{declared.name} = '{text}' is not a number"):
            declared.parse(text)
    for text in ("inf", "nan"):
        with pytest.raises(ValueError, match=r"sp_min = (inf|nan) is outside the range"):
            NUMBERS["sp_min"].parse(text)


def test_what_the_paper_does_not_have_can_be_switched_off() -> None:
    assert {"prior_count": 1.0, "memory": math.inf, "max_components": math.inf, "merge_below": 0.0} == NEUTRAL
    assert not set(NEUTRAL) & set(BY_POSITION)
    Parameters(**NEUTRAL)


def test_none_is_infinity_where_that_is_declared() -> None:
    given = Parameters(memory=None, max_components=None)
    assert (given.memory, given.max_components) == (math.inf, math.inf)
    with pytest.raises(ValueError, match="merge_below = None is not a number"):
        Parameters(merge_below=None)  # type: ignore[arg-type]
    assert "memory : float or None" in (FastIGMN.__doc__ or "")
    assert "None: for ever." in (FastIGMN.__doc__ or "")


@pytest.mark.parametrize("given", [0, 2.5, -1, math.nan, "20", True])
def test_a_number_of_components_is_whole_and_at_least_one(given: object) -> None:
    with pytest.raises(ValueError, match=r"max_components = .* (whole number|range|number) from 1 upwards"):
        Parameters(max_components=given)  # type: ignore[arg-type]
