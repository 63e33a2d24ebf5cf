"""What the pages work on. No Qt in here."""
