"""The Stream page."""
