"""The Evaluate page: how well columns are predicted, and which settings predict best."""
