"""Signatures and docstrings that follow the declarations of `figmn.params`."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from figmn.params import CHANGEABLE, DECLARED, Choice, Number, Parameters, allows_none

Made = TypeVar("Made")
Method = TypeVar("Method", bound=Callable[..., Any])
P = ParamSpec("P")


class _Unchanged:
    """Shown in signatures as the default of what stays as it is where it is not given."""

    def __repr__(self) -> str:
        return "unchanged"


UNCHANGED = _Unchanged()


def takes(arguments: Callable[P, Any]) -> Callable[[Callable[..., None]], Callable[Concatenate[Any, P], None]]:
    """Give an `__init__` the signature of a dataclass, so that it follows the declarations.

    The method itself gets all arguments by keyword, with defaults filled in and unchecked.

    >>> class Named:
    ...     @takes(Parameters)
    ...     def __init__(self, **given: object) -> None:
    ...         self.given = given
    >>> given = Named(0.5, beta=7).given
    >>> given["delta"], given["beta"], given["v_min"]
    (0.5, 7, 100.0)
    """
    signature = inspect.signature(arguments)

    def decorate(initialise: Callable[..., None]) -> Callable[Concatenate[Any, P], None]:
        @wraps(initialise)
        def __init__(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> None:  # noqa: N807
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            initialise(self, **bound.arguments)

        own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
        vars(__init__)["__signature__"] = signature.replace(
            parameters=[own, *signature.parameters.values()], return_annotation=None
        )
        return __init__

    return decorate


def takes_changes(method: Method) -> Method:
    """Show the hyper-parameters of `CHANGEABLE` in the signature of a method that takes them as ``**values``.

    >>> @takes_changes
    ... def change(self, **values: object) -> None: ...
    >>> inspect.signature(change).parameters["memory"]
    <Parameter "memory=unchanged">
    """
    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    changes = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=UNCHANGED) for name in CHANGEABLE]
    vars(method)["__signature__"] = inspect.Signature([own, *changes])
    return method


def documented(cls: type[Made]) -> type[Made]:
    """List the hyper-parameters in the docstring of a class, in place of the line ``{hyper_parameters}``.

    >>> @documented
    ... class Model:
    ...     '''A model.
    ...
    ...     {hyper_parameters}
    ...     '''
    >>> [line.strip() for line in Model.__doc__.splitlines() if line.startswith("    beta")]
    ['beta : float']
    """
    if cls.__doc__ is not None:  # python -OO has none
        cls.__doc__ = cls.__doc__.replace("    {hyper_parameters}", "\n".join(_lines()))
    return cls


def _lines() -> Iterator[str]:
    """Entries of a numpy-style section, indented for the docstring of a class."""
    for name, declared in DECLARED.items():
        kind = f"{{{', '.join(map(repr, declared.choices))}}}" if isinstance(declared, Choice) else "float"
        default = declared.text(getattr(Parameters, name))
        more = f"{declared.effect} {_none_in_words(declared)}" if isinstance(declared, Number) else ""
        facts = f"{declared.label.capitalize()}, {declared.limits}, by default {default}. {declared.help} {more}"
        yield f"    {name} : {kind}{' or None' * allows_none(declared)}"
        yield from textwrap.wrap(facts, 120, initial_indent=8 * " ", subsequent_indent=8 * " ")


def _none_in_words(declared: Number) -> str:
    """What None stands for where that is a number.

    >>> _none_in_words(DECLARED["memory"])
    'None: for ever.'
    """
    return "" if declared.none is None else f"None: {declared.text(declared.none)}."
