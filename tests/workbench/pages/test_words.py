"""The sentences under the plot."""

from __future__ import annotations

from tests.workbench import frames
from workbench.pages.words import sentence


def test_without_births_the_sentence_names_no_infinity() -> None:
    """β = 0: τ is infinite."""
    text = sentence(frames.frame(frames.iris(), beta=0.0))
    assert "with β = 0 no sample is new" in text
    assert "inf" not in text
    assert "∞" not in text
