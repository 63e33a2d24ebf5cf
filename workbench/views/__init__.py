"""One view a file: each draws frames, snapshots and datasets and emits what the user wants. None drives an engine."""
