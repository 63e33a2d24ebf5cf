"""The sweep over D on the Race page."""
