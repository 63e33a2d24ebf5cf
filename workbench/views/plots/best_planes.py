"""A button that offers the pairs of columns on which components, or classes, are told apart best."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from workbench.run.show.separation import RankedPlane, Ranking
from workbench.views.look.icons import icon
from workbench.views.look.naming import named, one_line, plain_tip
from workbench.views.look.theme import Theme
from workbench.words.numbers import percent
from workbench.words.sentences import shortened

HELP = (
    "Best planes: pairs of columns on which the components, or the classes, overlap least.\n"
    "100 %: no two of them overlap on these two columns."
)
MEASURE = (
    "One minus the mean overlap of two of them on these columns (Bhattacharyya coefficient of two Gaussians), "
    "weighted by how large they are. Only columns with numbers that are inputs are compared."
)
NAME = 32
"""Characters of a column's name in the menu."""


class BestPlanes(QToolButton):
    """Asks for a ranking when it is pressed, and shows it as a menu when it has come."""

    wanted = Signal()
    """A ranking is to be made, and handed to `offer`."""
    plane_chosen = Signal(object)
    """The `Plane` chosen in the menu."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "bestPlanes", "Best planes", HELP)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.menu_of_planes = named(QMenu(self), "bestPlanesMenu")
        self.menu_of_planes.setToolTipsVisible(True)
        self.clicked.connect(self.wanted)

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self.setIcon(icon("search", theme.text, theme.faint))

    def offer(self, ranking: Ranking) -> None:
        """Open the menu with a ranking."""
        self.menu_of_planes.clear()
        label = ranking.label_column
        self._add_section("Separate the components", ranking.components)
        if label is not None:
            self._add_section(f"Separate {_short(label)}", ranking.classes)
        for remark in remarks(ranking):
            self._add_words(remark)
        self.menu_of_planes.popup(self.mapToGlobal(QPoint(0, self.height())))

    def _add_section(self, title: str, planes: Sequence[RankedPlane]) -> None:
        if not planes:
            return
        self._add_words(title)
        for found in planes:
            x, y = (_short(name) for name in found.names)
            action = self.menu_of_planes.addAction(f"{x} × {y}\t{percent(found.separation)}")
            action.setToolTip(plain_tip(f"{' × '.join(found.names)}\n{MEASURE}"))
            action.triggered.connect(lambda _=False, plane=found.plane: self.plane_chosen.emit(plane))
        self.menu_of_planes.addSeparator()

    def _add_words(self, text: str) -> QAction:
        action = self.menu_of_planes.addAction(text)
        action.setEnabled(False)
        return action


def remarks(ranking: Ranking) -> list[str]:
    """What a ranking leaves out, and why there is none."""
    found = []
    if ranking.n_components < 2:  # noqa: PLR2004
        found.append("There are no two components to separate yet.")
    elif ranking.n_compared < ranking.n_components:
        found.append(f"The {ranking.n_compared:,} largest of {ranking.n_components:,} components were compared.")
    if ranking.n_paired < ranking.n_columns:
        found.append(
            f"{ranking.n_paired:,} of {ranking.n_columns:,} columns were paired: those that separate best alone."
        )
    return found


def _short(name: str) -> str:
    return shortened(one_line(name), NAME).replace("&", "&&")
