"""The settings of a generator as sliders, boxes and combo boxes, derived from their declarations."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFormLayout, QWidget

from workbench.source import Generator
from workbench.source.generators.settings import Choice, Setting
from workbench.views.fields.calm_box import CalmBox
from workbench.views.fields.slider_box import SliderBox
from workbench.views.look.naming import Label, camel_case
from workbench.views.look.theme import GRID, LIGHT, Theme


class GeneratorForm(QWidget):
    """One line per setting."""

    changed = Signal()

    def __init__(self, kind: type[Generator], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kind = kind
        self._sliders: dict[str, SliderBox] = {}
        self._boxes: dict[str, CalmBox] = {}
        layout = QFormLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        layout.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        # The seed is declared first, but is rarely changed: it goes last.
        seed, *others = kind.settings()
        for declared in (*others, seed):
            field = self._made_slider(declared) if isinstance(declared, Setting) else self._made_box(declared)
            label = Label(declared.label.capitalize())
            label.setToolTip(declared.help)
            label.setBuddy(field)
            layout.addRow(label, field)
        self.set_theme(LIGHT)

    def generator(self) -> Generator:
        """The generator with these settings; raises SourceError if they are invalid."""
        values: dict[str, Any] = {name: slider.value() for name, slider in self._sliders.items()}
        values |= {name: box.currentText() for name, box in self._boxes.items()}
        return self._kind(**values)

    def commit(self) -> None:
        """Commit pending edits."""
        for slider in self._sliders.values():
            slider.commit()

    def problem(self) -> str:
        """What is wrong with a setting; empty if nothing is."""
        return next((found for found in (slider.problem() for slider in self._sliders.values()) if found), "")

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        for slider in self._sliders.values():
            slider.set_theme(theme)

    def _made_slider(self, declared: Setting) -> SliderBox:
        is_seed = declared.name == "seed"
        slider = SliderBox(declared, with_slider=not is_seed, grouped=not is_seed)
        slider.value_changed.connect(self.changed)
        slider.validity_changed.connect(self.changed)
        self._sliders[declared.name] = slider
        return slider

    def _made_box(self, declared: Choice) -> CalmBox:
        box = CalmBox()
        box.setObjectName(f"{camel_case(declared.name)}Box")
        box.setToolTip(declared.help)
        box.addItems(list(declared.choices))
        box.currentIndexChanged.connect(self.changed)
        self._boxes[declared.name] = box
        return box
