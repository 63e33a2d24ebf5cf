"""The attributes of a dataset: list, details and histogram."""
