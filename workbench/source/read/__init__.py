"""Readers: files of every format become tables."""
