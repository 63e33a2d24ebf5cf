"""Plain values of JSON and settings to typed ones: the type is the declaration; errors say where, what and a remedy.

Recipes and settings are read with it, and so is every other file of ours that holds JSON.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass, replace
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from workbench.words.sentences import NAME_LENGTH, UserError, shortened

LONGEST_NUMBER = 400
"""Digits of a whole number; the largest float has 309."""


class DecodeError(UserError):
    """A value that is not of the wanted type.

    >>> place = Place("r.json").member("test_share")
    >>> print(DecodeError("{place}: {value} is not a number. Give a number.", place=place, value='"half"'))
    r.json, test_share: "half" is not a number. Give a number.
    """


@dataclass(frozen=True)
class Place:
    """Where a value stands: the file, and the path within it.

    >>> print(Place("r.json"), Place("r.json").member("points").item(3), sep="; ")
    r.json; r.json, points[3]
    """

    file: str
    path: str = ""

    def __str__(self) -> str:
        file = shortened(self.file, NAME_LENGTH)
        return f"{file}, {self.path}" if self.path else file

    def member(self, name: str) -> Place:
        """The place of a member of the object here."""
        name = shortened(name) if _is_text(name) else ascii(shortened(name))
        return replace(self, path=f"{self.path}.{name}" if self.path else name)

    def item(self, number: int) -> Place:
        """The place of an item of the list here, counted from 0."""
        return replace(self, path=f"{self.path}[{number}]")


@dataclass(frozen=True)
class Range:
    """Limits of a number, both allowed: `Annotated[int, Range(1, 10)]`."""

    low: float
    high: float


Decoders = Mapping[Any, Callable[[Any, Place], Any]]
"""Callbacks `(value, place) -> decoded` for types whose JSON is not simply their fields."""


class JsonObject(dict[str, Any]):
    """An object that remembers a key which was given twice."""

    def __init__(self, pairs: Sequence[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        counts = Counter(name for name, _ in pairs) if len(self) < len(pairs) else {}
        self.twice = next((name for name, count in counts.items() if count > 1), None)


def parse(text: str, place: Place) -> Any:
    """The JSON in a text, or DecodeError.

    >>> parse('{"seed": 1e999}', Place("r.json"))
    Traceback (most recent call last):
    ...
    workbench.words.decode.DecodeError: r.json: 1e999 is too large a number. Give one below 1e308.
    """

    def whole(digits: str) -> int:
        if len(digits) > LONGEST_NUMBER:
            raise DecodeError(
                "{place}: {value} has {n_digits:,} digits. Give at most {most}.",
                place=place,
                value=digits,
                n_digits=len(digits),
                most=LONGEST_NUMBER,
            )
        return int(digits)

    def finite(digits: str) -> float:
        number = float(digits)
        if math.isinf(number):
            raise _too_large(digits, place)
        return number

    try:
        return json.loads(text, object_pairs_hook=JsonObject, parse_int=whole, parse_float=finite)
    except json.JSONDecodeError as error:
        raise DecodeError(
            "{place}, line {line:,}: {problem}. Correct the JSON, or save the file again.",
            place=place,
            line=error.lineno,
            problem=error.msg,
        ) from None
    except RecursionError:
        raise DecodeError(
            "{place}: lists or objects are nested too deeply. Save the file again.", place=place
        ) from None


def decode(wanted: Any, value: Any, place: Place, decoders: Decoders | None = None) -> Any:
    """The value as the wanted type, or DecodeError.

    Parameters
    ----------
    wanted : type, dataclass, or type hint such as `int | None`, `tuple[str, ...]` or `Annotated[int, Range(0, 9)]`
    value : what `parse` returned, or a plain value from elsewhere
    place : where the value stands
    decoders : callbacks for types whose JSON is not simply their fields

    Examples
    --------
    >>> decode(dict[str, Literal["input", "target"]], {"species": 7}, Place("r.json").member("roles"))
    Traceback (most recent call last):
    ...
    workbench.words.decode.DecodeError: r.json, roles.species: 7 is not a choice. Choose "input" or "target".
    """
    decoders = decoders or {}
    if wanted in decoders:
        return decoders[wanted](value, place)
    if is_dataclass(wanted):
        return _record(wanted, value, place, decoders)
    kind = get_origin(wanted)
    if kind in {Union, UnionType}:
        return _optional(wanted, value, place, decoders)
    if kind is tuple:
        return _sequence(get_args(wanted), value, place, decoders)
    if kind in {Mapping, dict}:
        part = get_args(wanted)[1]
        return {name: decode(part, item, place.member(name), decoders) for name, item in members(value, place).items()}
    return _scalar(wanted, value, place)


def members(value: Any, place: Place) -> dict[str, Any]:
    """The members of an object, each named once."""
    if not isinstance(value, dict):
        raise DecodeError(
            "{place}: {value} is not an object. Give one in braces {{ }}.", place=place, value=shown(value)
        )
    twice = getattr(value, "twice", None)
    if twice is not None:
        raise DecodeError("{place}: {value} is given twice. Keep one of them.", place=place, value=shown(twice))
    for name in value:
        _scalar(str, name, place)
    return value


def require_known(given: Mapping[str, Any], known: Sequence[str], place: Place) -> None:
    """Raise DecodeError for a member that nothing reads."""
    for name in given:
        if name not in known:
            raise DecodeError(
                "{place} is not known. Remove it, or use one of {known}.",
                place=place.member(name),
                known=", ".join(known),
            )


def require_given(given: Mapping[str, Any], name: str, place: Place) -> None:
    """Raise DecodeError for a member that is missing."""
    if name not in given:
        raise DecodeError("{place} is missing. Add it.", place=place.member(name))


def checked(make: Callable[..., Any], place: Place, *args: Any, **kwargs: Any) -> Any:
    """What `make` returns; a ValueError of its own gets the place."""
    try:
        return make(*args, **kwargs)
    except ValueError as error:
        raise DecodeError("{place}: {problem}", place=place, problem=error) from error


def shown(value: Any) -> str:
    """A value as it stands in the file, shortened; a list or object by its kind alone.

    >>> shown("half"), shown(None), shown([1, 2])
    ('"half"', 'null', 'a list')
    """
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    try:
        return shortened(json.dumps(value, ensure_ascii=isinstance(value, str) and not _is_text(value)))
    except TypeError:  # not from JSON: settings can hold values of Qt
        return shortened(f"a value of type {type(value).__name__}")


def _record(wanted: Any, value: Any, place: Place, decoders: Decoders) -> Any:
    """A dataclass from its fields; its own checks come on top."""
    given, hints = members(value, place), get_type_hints(wanted, include_extras=True)
    declared = [field for field in fields(wanted) if field.init]
    require_known(given, [field.name for field in declared], place)
    for field in declared:
        if field.default is MISSING and field.default_factory is MISSING:
            require_given(given, field.name, place)
    values = {name: decode(hints[name], part, place.member(name), decoders) for name, part in given.items()}
    return checked(wanted, place, **values)


def _optional(wanted: Any, value: Any, place: Place, decoders: Decoders) -> Any:
    others = [hint for hint in get_args(wanted) if hint is not NoneType]
    if value is None and len(others) < len(get_args(wanted)):
        return None
    return decode(others[0], value, place, decoders)


def _sequence(parts: tuple[Any, ...], value: Any, place: Place, decoders: Decoders) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise DecodeError("{place}: {value} is not a list. Give one in brackets [ ].", place=place, value=shown(value))
    hints = [parts[0]] * len(value) if parts[-1] is Ellipsis else list(parts)
    if len(hints) != len(value):
        raise DecodeError(
            "{place} has {n_values:,} values. Give {wanted}.", place=place, n_values=len(value), wanted=len(hints)
        )
    pairs = enumerate(zip(hints, value, strict=True))
    return tuple(decode(hint, part, place.item(number), decoders) for number, (hint, part) in pairs)


def _scalar(wanted: Any, value: Any, place: Place) -> Any:
    if get_origin(wanted) is Annotated:
        kind, limits = get_args(wanted)
        return _in_range(_scalar(kind, value, place), limits, place)
    if get_origin(wanted) is Literal:
        return _choice(get_args(wanted), value, place)
    if wanted is Any:
        return value
    allowed, refusal = SCALARS[wanted]
    if (isinstance(value, bool) and wanted is not bool) or not isinstance(value, allowed):
        raise refusal(place, shown(value))
    if wanted is str and not _is_text(value):
        raise DecodeError(
            "{place}: {value} is not valid text. Use characters that UTF-8 can write, and no NUL.",
            place=place,
            value=shown(value),
        )
    return _as_float(value, place) if wanted is float else value


def _no_text(place: Place, value: str) -> DecodeError:
    return DecodeError("{place}: {value} is not a text in quotes. Give a text in quotes.", place=place, value=value)


def _no_truth(place: Place, value: str) -> DecodeError:
    return DecodeError("{place}: {value} is not true or false. Give true or false.", place=place, value=value)


def _not_whole(place: Place, value: str) -> DecodeError:
    return DecodeError("{place}: {value} is not a whole number. Give a whole number.", place=place, value=value)


def _no_number(place: Place, value: str) -> DecodeError:
    return DecodeError("{place}: {value} is not a number. Give a number.", place=place, value=value)


SCALARS: dict[Any, tuple[Any, Callable[[Place, str], DecodeError]]] = {
    str: (str, _no_text),
    bool: (bool, _no_truth),
    int: (int, _not_whole),
    float: ((int, float), _no_number),
}
"""The classes that hold a type, and the error about any other."""


def _choice(choices: tuple[Any, ...], value: Any, place: Place) -> Any:
    if isinstance(value, str) and value in choices:
        return value
    *others, last = [shown(choice) for choice in choices]
    raise DecodeError(
        "{place}: {value} is not a choice. Choose {choices}.",
        place=place,
        value=shown(value),
        choices=f"{', '.join(others)} or {last}",
    )


def _in_range(value: float, limits: Range, place: Place) -> float:
    if not limits.low <= value <= limits.high:
        raise DecodeError(
            "{place}: {value} is out of range. Choose a number from {low:,} to {high:,}.",
            place=place,
            value=shown(value),
            low=limits.low,
            high=limits.high,
        )
    return value


def _as_float(value: float, place: Place) -> float:
    try:
        number = float(value)
    except OverflowError:
        raise _too_large(shown(value), place) from None
    if not math.isfinite(number):
        raise DecodeError("{place}: {value} is not a finite number. Give one.", place=place, value=shown(value))
    return number


def _too_large(digits: str, place: Place) -> DecodeError:
    return DecodeError("{place}: {value} is too large a number. Give one below 1e308.", place=place, value=digits)


def _is_text(value: str) -> bool:
    return "\0" not in value and not any("\ud800" <= letter <= "\udfff" for letter in value)
