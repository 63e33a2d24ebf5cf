"""Figures of an evaluation as text."""

from __future__ import annotations

import math

from workbench.evaluate.trial.figures import Figure, Measure
from workbench.views.look.naming import one_line
from workbench.words.durations import duration
from workbench.words.numbers import MINUS, NO_FIGURE, fixed, short
from workbench.words.sentences import shortened

LABEL_LENGTH = 40
"""Characters of a class in a table."""
PROBABILITY_PLACES = 2


def figure_text(measure: Measure, value: float) -> str:
    """One value of a measure.

    >>> from workbench.evaluate.trial.figures import Measure
    >>> figure_text(Measure("a", "a", "more", "", lambda _: 0.0, "share"), 0.95333), figure_text(
    ...     Measure("a", "a", "more", "", lambda _: 0.0), 0.93
    ... )
    ('95.33 %', '0.9300')
    """
    if math.isnan(value):
        return NO_FIGURE
    if measure.unit == "share":
        return f"{fixed(100 * value, 2)} %"
    return duration(value) if measure.unit == "seconds" else short(value)


def with_spread(figure: Figure) -> str:
    """A figure with its standard deviation over the folds, where there is one."""
    text, spread = figure_text(figure.measure, figure.value), figure.spread
    if math.isnan(spread) or text == NO_FIGURE:
        return text
    if figure.measure.unit == "share":
        return f"{fixed(100 * figure.value, 2)} ± {fixed(100 * spread, 2)} %"
    if figure.measure.unit == "seconds":
        return f"{text} ± {duration(spread)}"
    return f"{text} ± {_as_precise(spread, text)}"


def _as_precise(spread: float, text: str) -> str:
    """A spread with as many decimals as the text of its figure."""
    if "e" in text or "infinite" in text:
        return short(spread, 2)
    return fixed(spread, len(text.rpartition(".")[2]) if "." in text else 0)


def probability_text(probability: float) -> str:
    """A probability that is not rounded to 0 or 1 while it is neither.

    >>> probability_text(0.4), probability_text(0.9996), probability_text(0.0004), probability_text(1.0)
    ('0.40', '> 0.99', '< 0.01', '1.00')
    """
    if math.isnan(probability):
        return NO_FIGURE
    if 0 < probability < 10**-PROBABILITY_PLACES:
        return "< 0.01"
    if 1 - 10**-PROBABILITY_PLACES < probability < 1:
        return "> 0.99"
    return fixed(probability, PROBABILITY_PLACES)


def label_text(label: str) -> str:
    r"""The name of a class in one short line.

    >>> label_text("a\nb"), len(label_text("a" * 1000))
    ('a b', 40)
    """
    return shortened(one_line(label), LABEL_LENGTH)


def difference_text(measure: Measure, value: float) -> str:
    """A difference of two values of a measure, with its sign."""
    text = figure_text(measure, abs(value))
    return text if text == NO_FIGURE or not value else f"{'+' if value > 0 else MINUS}{text}"
