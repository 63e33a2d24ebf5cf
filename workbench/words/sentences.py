"""Errors a user can meet: complete sentences with named fields, so that they can be translated."""

from __future__ import annotations

from pathlib import Path

VALUE_LENGTH, NAME_LENGTH, TEXT_LENGTH = 60, 120, 400
"""Characters that a sentence shows of an offending `value`, of a file's name, and of any other text."""


class UserError(ValueError):
    """What cannot be done, where and why, and what to do about it.

    The template is a constant: tests/workbench/test_sentences.py reads all of them out of the source, as a catalogue
    for translators would. What the user's files hold comes in by the fields alone, and is never a template.

    Parameters
    ----------
    template : complete sentences, with a replacement field for each of `fields`
    **fields : texts and numbers as they are, and as `problem` another error, whose sentences end the template.
        Of a path the name is shown; long texts are shortened

    Examples
    --------
    >>> error = UserError("{file}, line {line:,}: {value!r} is not a number. Mend it.", file=Path("a/b.csv"), line=1234,
    ...                   value="{0}")
    >>> print(error)
    b.csv, line 1,234: '{0}' is not a number. Mend it.
    >>> error.fields["line"]
    1234
    """

    def __init__(self, template: str, /, **fields: object) -> None:
        super().__init__(template)
        self.template, self.fields = template, fields

    def __str__(self) -> str:
        return self.template.format(**{name: _shown(name, value) for name, value in self.fields.items()})


def shortened(value: str, length: int = VALUE_LENGTH) -> str:
    """A value that fits into a message.

    >>> shortened("0123456789", 5)
    '0123…'
    """
    return value if len(value) <= length else value[: length - 1] + "…"


def _shown(name: str, value: object) -> object:
    if isinstance(value, Path):
        return shortened(value.name or str(value), NAME_LENGTH)
    if isinstance(value, str):
        return shortened(value, VALUE_LENGTH if name == "value" else TEXT_LENGTH)
    return value
