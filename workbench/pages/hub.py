"""Signals between pages that do not know each other: any page may emit them and any may connect to them."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal


class Hub(QObject):
    """One per window."""

    open_requested = Signal(object)
    """Open a file: its path; None asks the user for one."""
    load_requested = Signal(object)
    """Load a dataset of this `Origin`."""
    recipe_requested = Signal(str)
    """Load and run the recipe at this path."""
    model_requested = Signal(str)
    """Open the model at this path: look at it, and let runs go on from it."""
    unattended_requested = Signal(object, object, int)
    """Run a recipe (path) or a file (path) without asking anything; of an endless stream, at most this many samples."""
    recent_changed = Signal()
    """The list of recent files has changed."""
    demo_requested = Signal()
    """Show the demo of the first start."""
    change_requested = Signal(object, str)
    """Replace the dataset by this changed `Dataset`; the change in words, for undo."""
    dataset_taken = Signal()
    """The present dataset was replaced by another; `dataset_changed` follows."""
    dataset_changed = Signal()
    """The present dataset, or its roles, encoding, order or colour, has changed."""
    selection_requested = Signal(object, str)
    """Select these rows of the present dataset (row numbers of the source, from 0), or change the rows selected by
    them: "replace", "add", "remove" or "intersect"; empty: as the user chose in the menu."""
    selecting_requested = Signal(str)
    """Do something with the selection: one of `DOINGS` in views/fields/selection_button.py."""
    selection_changed = Signal()
    """Other rows of the present dataset are selected: `DataDesk.selection`."""
    members_changed = Signal()
    """Other rows belong to the components of the run, or these have other names: `MembersDesk.latest`."""
    plot_requested = Signal()
    """Show the rows selected on the plot of the Stream page."""
    table_requested = Signal()
    """Show the rows selected in the table of the Data page."""
    recipe_loaded = Signal(object)
    """The data of this `Recipe` were loaded as the present dataset: run it."""
    results_changed = Signal()
    """The list of results was changed by another page: `EvaluateDesk.results`."""
    stream_requested = Signal()
    """Show the Stream page, with the present settings."""
    run_requested = Signal()
    """Show and start a run of the present dataset."""
    speed_requested = Signal(object)
    """Stream at this many samples per second; None for no limit."""
    run_starting = Signal()
    """A run starts: timed work should pause."""
    timing_starting = Signal()
    """Something is about to be timed: runs should pause."""
