"""Dialogs that make or open a dataset."""
