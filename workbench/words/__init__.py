"""Numbers, durations, bytes and tables as text. No Qt in here."""
