"""Experiments: sweeps over the dimensions and what else is measured of the engines. No Qt and no runs in here."""
