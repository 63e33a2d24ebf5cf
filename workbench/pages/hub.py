"""What pages tell each other, without knowing each other: signals that any page may emit and any may connect to."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal


class Hub(QObject):
    """One for every window."""

    open_requested = Signal(object)
    """Open a file: its path, or None where the user is to choose one."""
    load_requested = Signal(object)
    """Load a dataset of this `Origin`."""
    recipe_requested = Signal(str)
    """Load and run the recipe at this path."""
    unattended_requested = Signal(object, object, int)
    """Run a recipe (path) or a file (path) without asking anything; of an endless stream, at most this many samples."""
    demo_requested = Signal()
    """Show what the first start shows."""
    change_requested = Signal(object, str)
    """Work on this changed `Dataset`; what was changed, in words for undo."""
    dataset_taken = Signal()
    """Another dataset is the present one; `dataset_changed` follows."""
    dataset_changed = Signal()
    """The present dataset, or its roles, encoding, order or colour, are not what they were."""
    recipe_loaded = Signal(object)
    """The data of this `Recipe` are the present dataset: run it."""
    run_requested = Signal()
    """Show and start a run of the present dataset."""
    speed_requested = Signal(object)
    """Stream at this many samples per second; None for no limit."""
    run_starting = Signal()
    """A run starts: whatever is timed should pause."""
    timing_starting = Signal()
    """Something is about to be timed: runs should pause."""
