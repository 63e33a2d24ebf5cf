"""JSON to typed values: the type is the declaration, and errors name the place, the value and the remedy."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from workbench.source.errors import shortened

LONGEST_NUMBER = 400
"""Digits of a whole number; the largest float has 309."""
TOO_LARGE = "is too large a number: give one below 1e308"
Readers = Mapping[Any, Callable[[Any, str], Any]]


class JsonError(ValueError):
    """A JSON value that cannot be used.

    >>> print(JsonError("data.test_share", '"half" is not a number: give a number'))
    data.test_share: "half" is not a number: give a number
    """

    def __init__(self, place: str, text: str) -> None:
        self.place = place
        super().__init__(f"{place}: {text}" if place else text)


@dataclass(frozen=True)
class Range:
    """Limits of a number, both of them allowed: `Annotated[int, Range(1, 10)]`."""

    low: float
    high: float

    def __str__(self) -> str:
        return f"from {self.low:,} to {self.high:,}"


class JsonObject(dict[str, Any]):
    """An object that remembers a key which was given twice."""

    def __init__(self, pairs: Sequence[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        counts = Counter(name for name, _ in pairs) if len(self) < len(pairs) else {}
        self.twice = next((name for name, count in counts.items() if count > 1), None)


def parse(text: str) -> Any:
    """The JSON in a text.

    >>> parse('{"seed": 1e999}')
    Traceback (most recent call last):
    ...
    workbench.run.recipe.typed_json.JsonError: 1e999 is too large a number: give one below 1e308
    """
    try:
        return json.loads(text, object_pairs_hook=JsonObject, parse_int=_whole, parse_float=_finite)
    except json.JSONDecodeError as error:
        raise JsonError(f"line {error.lineno}", f"{error.msg}. Correct the JSON, or save the file again") from None
    except RecursionError:
        raise JsonError("", "lists or objects are nested too deeply: save the file again") from None


def read(wanted: Any, value: Any, place: str = "", readers: Readers | None = None) -> Any:
    """The value as the wanted type.

    Parameters
    ----------
    wanted : type, or type hint such as `int | None`, `tuple[str, ...]` or `Annotated[int, Range(0, 9)]`
    value : what `parse` returned
    place : where the value stands, such as `data.roles`
    readers : `(value, place) -> result` for types whose JSON is not simply their fields

    Examples
    --------
    >>> read(dict[str, Literal["input", "target"]], {"species": 7}, "roles")
    Traceback (most recent call last):
    ...
    workbench.run.recipe.typed_json.JsonError: roles.species: 7 is not a choice: choose "input" or "target"
    """
    readers = readers or {}
    if wanted in readers:
        return readers[wanted](value, place)
    if is_dataclass(wanted):
        return _record(wanted, value, place, readers)
    kind = get_origin(wanted)
    if kind in {Union, UnionType}:
        return _optional(wanted, value, place, readers)
    if kind is tuple:
        return _sequence(get_args(wanted), value, place, readers)
    if kind in {Mapping, dict}:
        part = get_args(wanted)[1]
        return {name: read(part, item, inside(place, name), readers) for name, item in entries(value, place).items()}
    return _scalar(wanted, value, place)


def entries(value: Any, place: str) -> dict[str, Any]:
    """The members of an object, each named once."""
    if not isinstance(value, dict):
        raise refusal(place, value, "is not an object: give one in braces { }")
    twice = getattr(value, "twice", None)
    if twice is not None:
        raise refusal(place, twice, "is given twice: keep one of them")
    for name in value:
        _scalar(str, name, place)
    return value


def refuse_unknown(given: Mapping[str, Any], known: Sequence[str], place: str) -> None:
    """Raise for a member that nothing reads."""
    for name in given:
        if name not in known:
            raise JsonError(inside(place, name), f"is not known: remove it, or use one of {', '.join(known)}")


def made(make: Callable[..., Any], values: Mapping[str, Any], place: str) -> Any:
    """What `make` makes of the values; its own refusals get the place."""
    try:
        return make(**values)
    except ValueError as error:
        raise JsonError(place, str(error)) from error


def refusal(place: str, value: Any, text: str) -> JsonError:
    """The error that shows a value."""
    return JsonError(place, f"{shown(value)} {text}")


def inside(place: str, name: str) -> str:
    """The place of a member.

    >>> inside("data.roles", "species"), inside("", "seed")
    ('data.roles.species', 'seed')
    """
    name = shortened(name) if _is_text(name) else ascii(shortened(name))
    return f"{place}.{name}" if place else name


def shown(value: Any) -> str:
    """A value as it stands in the file, shortened; a list or object by its kind alone.

    >>> shown("half"), shown(None), shown([1, 2])
    ('"half"', 'null', 'a list')
    """
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    return shortened(json.dumps(value, ensure_ascii=isinstance(value, str) and not _is_text(value)))


def _record(wanted: Any, value: Any, place: str, readers: Readers) -> Any:
    """A dataclass from its fields; its own checks come on top."""
    given, hints = entries(value, place), get_type_hints(wanted, include_extras=True)
    declared = [field for field in fields(wanted) if field.init]
    refuse_unknown(given, [field.name for field in declared], place)
    for field in declared:
        if field.name not in given and field.default is MISSING and field.default_factory is MISSING:
            raise JsonError(inside(place, field.name), "is missing: add it")
    values = {name: read(hints[name], part, inside(place, name), readers) for name, part in given.items()}
    return made(wanted, values, place)


def _optional(wanted: Any, value: Any, place: str, readers: Readers) -> Any:
    others = [hint for hint in get_args(wanted) if hint is not NoneType]
    if value is None and len(others) < len(get_args(wanted)):
        return None
    return read(others[0], value, place, readers)


def _sequence(parts: tuple[Any, ...], value: Any, place: str, readers: Readers) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise refusal(place, value, "is not a list: give one in brackets [ ]")
    hints = [parts[0]] * len(value) if parts[-1] is Ellipsis else list(parts)
    if len(hints) != len(value):
        raise JsonError(place, f"has {len(value):,} values: give {len(hints)}")
    pairs = enumerate(zip(hints, value, strict=True))
    return tuple(read(hint, part, f"{place}[{number}]", readers) for number, (hint, part) in pairs)


def _scalar(wanted: Any, value: Any, place: str) -> Any:
    if get_origin(wanted) is Annotated:
        kind, limits = get_args(wanted)
        return _in_range(_scalar(kind, value, place), limits, place)
    if get_origin(wanted) is Literal:
        return _choice(get_args(wanted), value, place)
    if wanted is Any:
        return value
    words, allowed = SCALARS[wanted]
    if (isinstance(value, bool) and wanted is not bool) or not isinstance(value, allowed):
        raise refusal(place, value, f"is not {words}: give {words}")
    if wanted is str and not _is_text(value):
        raise refusal(place, value, "is not valid text: use characters that UTF-8 can write, and no NUL")
    return _as_float(value, place) if wanted is float else value


SCALARS: dict[Any, tuple[str, Any]] = {
    str: ("a text in quotes", str),
    bool: ("true or false", bool),
    int: ("a whole number", int),
    float: ("a number", (int, float)),
}
"""What JSON must hold for a type, in words and as classes."""


def _choice(choices: tuple[Any, ...], value: Any, place: str) -> Any:
    if isinstance(value, str) and value in choices:
        return value
    *others, last = [shown(choice) for choice in choices]
    raise refusal(place, value, f"is not a choice: choose {', '.join(others)} or {last}")


def _in_range(value: float, limits: Range, place: str) -> float:
    if not limits.low <= value <= limits.high:
        raise refusal(place, value, f"is out of range: choose a number {limits}")
    return value


def _as_float(value: float, place: str) -> float:
    try:
        number = float(value)
    except OverflowError:
        raise refusal(place, value, TOO_LARGE) from None
    if not math.isfinite(number):
        raise refusal(place, value, "is not a finite number: give one")
    return number


def _is_text(value: str) -> bool:
    return "\0" not in value and not any("\ud800" <= letter <= "\udfff" for letter in value)


def _whole(digits: str) -> int:
    if len(digits) > LONGEST_NUMBER:
        raise JsonError("", f"{shortened(digits)} has {len(digits):,} digits: give at most {LONGEST_NUMBER}")
    return int(digits)


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise JsonError("", f"{shortened(text)} {TOO_LARGE}")
    return number
