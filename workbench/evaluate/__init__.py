"""Experiments: folds, significance tests, sweeps over the dimensions and the paper's tables. No Qt, no threads."""

from workbench.evaluate.trial.headless import cross_validate, prequential

__all__ = ["cross_validate", "prequential"]
