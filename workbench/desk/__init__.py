"""State and background work shared by the pages. No Qt."""
