"""The documentation runs: an example in every public docstring, and the README as it stands."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import figmn
from tests.places import ROOT

README = ROOT / "README.md"


def public_objects() -> Iterator[tuple[str, Any]]:
    for name in figmn.__all__:
        exported = getattr(figmn, name)
        if inspect.isclass(exported) and issubclass(exported, Exception):
            continue
        yield name, exported
        for base in inspect.getmro(exported) if inspect.isclass(exported) else ():
            if base.__module__.startswith("figmn"):
                for member, value in vars(base).items():
                    if not member.startswith("_") and (callable(value) or isinstance(value, property | classmethod)):
                        yield f"{base.__name__}.{member}", value


@pytest.mark.parametrize(("name", "value"), dict(public_objects()).items())
def test_every_public_docstring_has_an_example(name: str, value: Any) -> None:
    assert ">>>" in (inspect.getdoc(value) or ""), f"{name} has no example; doctest runs those that there are"


def test_the_readme_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert len(blocks) >= 2
    for block in blocks:
        exec(compile(block, str(README), "exec"), {})
