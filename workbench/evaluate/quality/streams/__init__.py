"""Prequential accuracy on streams: every row is predicted before it is learned."""
