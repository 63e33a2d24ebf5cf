"""Fields, boxes and bars that a user operates."""
