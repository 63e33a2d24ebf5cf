"""Declares one more hyper-parameter, one more choice, and prints where they are found, as JSON.

    python -m tests.workbench.new_parameter

Run in a process of its own: the declarations are added to the text of `figmn/params/parameters.py` when it is imported,
as somebody does who adds a hyper-parameter. Nothing else is touched.
"""

from __future__ import annotations

import inspect
import json
import math
import pickle
import sys
import tempfile
from collections.abc import Callable
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import Any

END = "    _: KW_ONLY"
"""Line of `Parameters` after which new hyper-parameters come."""
DECLARATIONS = """
    warm_up: float = number(
        "w_0", "warm-up", "Samples before anything is removed.", default=4.0, log=True, infinite="for ever",
        formula="removed when n > w_0", effect="Larger: removals begin later.", slider=(1, 1000), changeable=True,
        neutral=0.0,
    )
    distance: str = choice("distance measure", "How far a sample is.", "mahalanobis", "euclid")
"""


class Declaring(PathFinder):
    """Finds `figmn.params.parameters` with the declarations in its text, and leaves every other module to the rest."""

    @classmethod
    def find_spec(cls, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if fullname != "figmn.params.parameters":
            return None
        spec = super().find_spec(fullname, path, target)
        assert spec is not None
        assert spec.origin is not None
        spec.loader = WithDeclarations(fullname, spec.origin)
        return spec


class WithDeclarations(SourceFileLoader):
    """Loads the text of a module with the declarations added."""

    def get_code(self, fullname: str) -> CodeType:
        before, line, after = Path(self.get_filename(fullname)).read_text(encoding="utf-8").partition(END)
        assert line, "where new hyper-parameters come"
        comment, rest = after.split("\n", 1)
        return self.source_to_code(f"{before}{line}{comment}\n{DECLARATIONS}{rest}", self.path)


def in_engines() -> Any:
    """Signature, values, docstring, and a file."""
    from figmn import IGMN, FastIGMN, load, save

    found = {}
    for engine in (FastIGMN, IGMN):
        parameters = inspect.signature(engine).parameters
        make: Callable[..., FastIGMN | IGMN] = engine
        model = make(warm_up=5, distance="euclid", scale=[1.0])
        with tempfile.TemporaryDirectory() as folder:
            save(model, f"{folder}/m.figmn")
            loaded = load(f"{folder}/m.figmn")
        found[engine.__name__] = {
            "defaults": [parameters[name].default for name in ("warm_up", "distance")],
            "values": values_of(model.parameters),
            "copied": values_of(pickle.loads(pickle.dumps(model)).parameters),
            "loaded": values_of(loaded.parameters),
            "in docstring": "warm_up : float" in (engine.__doc__ or ""),
            "scale by position": make(0.1, 0.1, 5, 3, "exact", [2.0]).scale.tolist(),  # type: ignore[union-attr]
        }
    return found


def in_change() -> Any:
    """What may change during a run does; the rest is refused."""
    from figmn import FastIGMN

    model = FastIGMN().change(warm_up=7)
    shown = str(inspect.signature(model.change))
    try:
        model.change(distance="euclid")
    except TypeError as error:
        return shown, values_of(model.parameters), str(error)
    return shown, values_of(model.parameters), "changed"


def in_estimators() -> Any:
    """Parameters of scikit-learn's kind."""
    from sklearn.base import clone

    from figmn import FastIGMNClassifier, FastIGMNMixture, FastIGMNRegressor

    found = {}
    for estimator in (FastIGMNClassifier, FastIGMNRegressor, FastIGMNMixture):
        given = clone(estimator().set_params(warm_up=3)).get_params()
        found[estimator.__name__] = [given["warm_up"], given["distance"]]
    return found


def in_errors() -> Any:
    """Limits, in words."""
    try:
        recipe_of(warm_up=-1)
    except ValueError as error:
        return str(error)
    return "allowed"


def recipe_of(**values: Any) -> Any:
    """A recipe with hyper-parameters."""
    from figmn import Parameters
    from workbench.run import Choices, Recipe, SampleOrigin

    return Recipe(SampleOrigin("iris"), choices=Choices(Parameters(**values)))


def in_recipes() -> Any:
    """JSON there and back, changes during a run, a recipe of before, and the line for people."""
    from workbench.run import Recipe

    recipe = recipe_of(warm_up=2, distance="euclid").changed(9, recipe_of(warm_up=math.inf).parameters)
    text = recipe.to_text()
    golden = Path(__file__).parent / "run" / "recipe" / "golden" / "changes.json"
    return {
        "same": Recipe.from_text(text) == recipe,
        "start": json.loads(text)["parameters"],
        "changes": json.loads(text)["changes"],
        "of before": values_of(Recipe.from_json(golden).parameters),
        "described": recipe.describe(),
    }


def on_the_command_line() -> Any:
    """Flags of `run`."""
    from workbench import cli
    from workbench.commands import parameter_flags

    flags = ["--warm-up", "for ever", "--distance", "euclid"]
    options = cli._parser().parse_args(["run", __file__, *flags])
    return {name: str(value) for name, value in parameter_flags.given(options).items()}


def in_differences() -> Any:
    """The sentence about what was changed since a run."""
    from workbench.desk.differences import changed_words, recipe_differences

    return changed_words(recipe_differences(recipe_of(), recipe_of(warm_up=1000, distance="euclid")))


def in_the_form() -> Any:
    """Fields, tooltips, the hint about changes during a run, and choices."""
    from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QComboBox, QLabel, QSlider

    app = QApplication([])
    from workbench.window.parameter_form import ParameterForm

    form = ParameterForm()
    number, slider = form.findChild(QAbstractSpinBox, "warmUpBox"), form.findChild(QSlider, "warmUpSlider")
    combo = form.findChild(QComboBox, "distanceBox")
    assert number is not None
    assert slider is not None
    assert combo is not None
    form.set_state("live")
    number.lineEdit().textEdited.emit("")  # as typing does
    number.lineEdit().setText("For ever")
    combo.setCurrentText("euclid")
    combo.activated.emit(combo.currentIndex())
    form.commit()
    found = {
        "labels": [
            label.text() for label in form.findChildren(QLabel) if label.text() in {"w<sub>0</sub>", "distance"}
        ],
        "tooltip": form.boxes["warm_up"].toolTip(),
        "choice tooltip": combo.toolTip(),
        "live": form.state_text.text(),
        "chosen": values_of(form.choices().parameters),
    }
    form.deleteLater()
    app.processEvents()
    return found


def values_of(parameters: Any) -> list[str]:
    """The two that were declared, as text: JSON has no infinity."""
    return [str(parameters.warm_up), parameters.distance]


PLACES = (
    in_engines, in_change, in_estimators, in_errors, in_recipes, on_the_command_line, in_differences, in_the_form
)  # fmt: skip

if __name__ == "__main__":
    sys.meta_path.insert(0, Declaring)
    sys.stdout.write(json.dumps({place.__name__: place() for place in PLACES}))
