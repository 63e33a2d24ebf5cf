"""Values on the command line, and the error for one that cannot be used."""

from __future__ import annotations

import argparse

from workbench.words.sentences import UserError


class OptionError(UserError, argparse.ArgumentTypeError):
    """What is wrong with the value of an option; argparse names the option before it.

    >>> print(OptionError("{value!r} is not a whole number: give one.", value="ten"))
    'ten' is not a whole number: give one.
    """


def positive(text: str) -> int:
    """A whole number above 0.

    >>> positive("12")
    12
    """
    if not text.isdigit() or not int(text):
        raise OptionError("{value!r} is not a whole number above 0: give one.", value=text)
    return int(text)
