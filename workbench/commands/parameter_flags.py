"""A flag for every hyper-parameter, derived from their declarations: `--beta 0.01 --v-min never`."""

from __future__ import annotations

import argparse
from functools import partial
from typing import Any

from figmn.params import AUTOMATIC, DECLARED, Choice, Number, is_automatic


def add_flags(
    parser: argparse.ArgumentParser, use: str = "values for the whole run, in place of those of the recipe"
) -> None:
    """Declare the flags; `use` says what they are for."""
    group = parser.add_argument_group("hyper-parameters", use)
    for name, declared in DECLARED.items():
        group.add_argument(
            f"--{name.replace('_', '-')}",
            dest=name,
            type=partial(_parsed, declared),
            default=argparse.SUPPRESS,  # None is a value: automatic
            metavar="|".join(declared.choices) if isinstance(declared, Choice) else name.upper(),
            help=_help(declared).replace("%", "%%"),
        )


def given(options: argparse.Namespace) -> dict[str, Any]:
    """The hyper-parameters that were given, by name."""
    return {name: getattr(options, name) for name in DECLARED if hasattr(options, name)}


def _parsed(declared: Number | Choice, text: str) -> float | str | None:
    try:
        return declared.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _help(declared: Number | Choice) -> str:
    words = [declared.allowed if isinstance(declared, Number) else declared.limits]
    words += [AUTOMATIC] if is_automatic(declared) else []
    return f"{declared.label}, {', or '.join(words)}. {declared.help}"
