"""Commands for the axes of the plot: equal aspect and logarithms."""

from __future__ import annotations

from workbench.pages.page import Command
from workbench.pages.stream.mixture_view import MixtureView


def axis_commands(view: MixtureView) -> list[Command]:
    """Checkable commands, each of which applies at once."""
    equal = Command("equalAspect", "plot", "E&qual aspect")
    across = Command("logX", "plot", "Logarithmic &x axis")
    up = Command("logY", "plot", "Logarithmic &y axis")
    for command in (equal, across, up):
        command.setCheckable(True)
    equal.toggled.connect(view.set_equal)
    for command in (across, up):
        command.toggled.connect(lambda _: view.set_logs(across.isChecked(), up.isChecked()))
    return [equal, across, up]
