"""Two and more engines on the same stream."""
