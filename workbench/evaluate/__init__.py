"""Experiments: folds, significance tests, sweeps over the dimensions and the paper's tables. No Qt, no threads."""
