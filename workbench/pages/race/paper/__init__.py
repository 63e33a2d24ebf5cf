"""The paper's tables on the Race page."""
