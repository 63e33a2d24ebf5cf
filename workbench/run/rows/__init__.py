"""Encoded rows, ready to be learned."""
