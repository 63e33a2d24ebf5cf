"""How well columns are predicted: test options as in Weka, test-then-train as in MOA, baselines on the same rows."""
