"""Values of attributes as text, and text as values."""

from __future__ import annotations

import math
import re

import numpy as np

from workbench.run.ask.attributes import Attribute
from workbench.source.table.table import date_texts, days, moments
from workbench.views.fields.number_scale import number_in
from workbench.words.numbers import exponent, short, whole

SHORT_TIME, DAY = 7.0, 86_400
"""Days up to which times of the day are shown, and seconds of a day."""
LARGEST = 1e70
"""Largest magnitude that the engines take."""
DATE = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,6})?)?)?")


def value_text(attribute: Attribute, value: float) -> str:
    """A number of an attribute, or its date, for reading."""
    if attribute.block.kind == "date":
        is_long = attribute.high - attribute.low > SHORT_TIME
        return date_texts(moments(np.array([float(round(value)) if is_long else round(value * DAY) / DAY])))[0]
    return whole(value) if attribute.is_whole and value == round(value) else short(value)


def field_text(attribute: Attribute, value: float) -> str:
    """The same for a field, without separators, with as many digits as the slider has steps."""
    if attribute.block.kind == "date":
        return value_text(attribute, value)
    return f"{value:.6g}"


def rounded(attribute: Attribute, value: float) -> float:
    """A value that was pointed at, with as many digits as a thousandth of the range has; whole where all are.

    >>> from workbench.source.encode.encoding import ColumnBlock
    >>> block = ColumnBlock("x", "numeric", "input", 0, 1, (1.0,))
    >>> rounded(Attribute(block, 1000.0, 1001.0, 0.0), 1000.12345), rounded(Attribute(block, 0.0, 9e4, 0.0), 12345.6)
    (1000.123, 12350.0)
    """
    size = attribute.high - attribute.low
    if attribute.is_whole or (attribute.block.kind == "date" and size > SHORT_TIME):
        return float(round(value))
    return round(value, 3 - exponent(size)) if size > 0 else value


def value_in(attribute: Attribute, text: str) -> float | None:
    """The value in a text; None where there is none that can be used."""
    if attribute.block.kind == "date":
        if not DATE.fullmatch(text.strip()):
            return None
        try:
            return float(days(np.array([np.datetime64(text.strip(), "us")]))[0])
        except ValueError:
            return None
    number = number_in(text)
    if isinstance(number, str) or not math.isfinite(float(number)):
        return None
    encoded = float(number) / attribute.block.scale - attribute.block.center / attribute.block.scale
    return float(number) if abs(encoded) <= LARGEST else None


def problem_with(attribute: Attribute, text: str) -> str:
    """What is wrong with a text, and the remedy."""
    shown = text if len(text) <= 30 else f"{text[:29]}…"  # noqa: PLR2004
    if attribute.block.kind == "date":
        return f"“{shown}” is not a date: write it as 2026-01-31"
    return f"“{shown}” is not a number that can be used: write it as 12.5"
