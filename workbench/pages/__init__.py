"""Views put together: one page a tab."""
