"""Delegates and settings that tables share."""
