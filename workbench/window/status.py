"""The status bar: throughput, components, memory, frames per second, and the recipe of the result shown."""

from __future__ import annotations

from PySide6.QtWidgets import QSizePolicy, QStatusBar

from workbench.pages.page import Staleness, StatusFigures
from workbench.views.look.naming import Label, named
from workbench.words.sizes import size_text

MESSAGE_MILLISECONDS = 6000


class StatusBar(QStatusBar):
    """Temporary messages on the left, figures on the right."""

    def __init__(self) -> None:
        super().__init__()
        self._rate = named(Label(), "statusRate", tip="Samples learned per second (wall-clock time)")
        self._count = named(Label(), "statusCount", tip="Components")
        self._memory = named(Label(), "statusMemory", tip="Memory of this program")
        self._frames = named(Label(), "statusFrames")
        self._recipe = named(
            Label(), "statusRecipe", tip="The recipe of the run shown. Export it with the button Recipe."
        )
        for label in (self._rate, self._count, self._memory, self._frames, self._recipe):
            self.addPermanentWidget(label)
        self.setSizeGripEnabled(False)
        # As Qt does for a bar that it makes itself: a long recipe is cut off, it does not widen the window.
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.show_figures(StatusFigures(), None)

    def show_figures(self, figures: StatusFigures, memory: int | None) -> None:
        """Show the figures of a page, and the bytes that this program holds."""
        n_components = figures.n_components
        self._rate.setText(figures.words)
        self._count.setText(f"K {n_components:,}" if n_components is not None else "K –")
        self._memory.setText(size_text(memory, digits=3) if memory is not None else "")

    def show_frame_rate(self, frames_per_second: float) -> None:
        """Show frames per second, if there are any."""
        self._frames.setText(f"{frames_per_second:.0f} frames/s" if frames_per_second else "")

    def show_recipe(self, staleness: Staleness) -> None:
        """Show the recipe of the result shown, and whether it matches the present settings."""
        self._recipe.setText(f"{staleness.recipe}   {staleness.recipe_state}" if staleness.recipe else "")

    def tell(self, text: str, milliseconds: int = MESSAGE_MILLISECONDS) -> None:
        """Show a message for a while."""
        self.showMessage(text, milliseconds)
