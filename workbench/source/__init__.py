"""Where rows come from. No engine and no Qt in here."""

from workbench.source.samples import Sample, digits

__all__ = ["Sample", "digits"]
