"""Questions to a mixture in the user's units: some attributes are known, others are wanted."""
