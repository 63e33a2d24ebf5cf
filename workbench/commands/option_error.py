"""A word on the command line that cannot be used."""

from __future__ import annotations

import argparse

from workbench.words.sentences import UserError


class OptionError(UserError, argparse.ArgumentTypeError):
    """What is wrong with the value of an option; argparse names the option before it.

    >>> print(OptionError("{value!r} is not a whole number: give one.", value="ten"))
    'ten' is not a whole number: give one.
    """
