"""Plots, their items and axes."""
