"""The part of the Evaluate page that searches for settings."""
