"""What tables have in common."""
