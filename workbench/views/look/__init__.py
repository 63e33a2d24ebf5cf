"""Theme, icons, and the small pieces that every page is laid out with."""
