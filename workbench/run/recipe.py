"""Everything that makes a result, frozen: data, encoding, hyper-parameters and seed. As JSON it can be run again."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from figmn import Parameters
from workbench.run.choices import Choices
from workbench.run.dataset import (
    Colour,
    Dataset,
    FileOrigin,
    GeneratorOrigin,
    Origin,
    PaintedOrigin,
    SampleOrigin,
    load,
)
from workbench.run.files import write_safely
from workbench.source import GENERATORS, Encoding, Order, ReadOptions
from workbench.source.errors import SourceError, shortened
from workbench.source.opening import require_regular
from workbench.source.options import Progress, silent
from workbench.source.table import Kind, Role

LONGEST_TITLE = 32
"""Characters of a title in a description."""
FORMAT, VERSION = "figmn recipe", 1
CHANGEABLE = ("beta", "v_min", "sp_min")
"""Hyper-parameters that a run can change from one sample to the next."""


class RecipeError(ValueError):
    """A recipe that cannot be used: the place, the value and the remedy."""


@dataclass(frozen=True)
class Change:
    """Hyper-parameters that were changed on the way, from a sample on."""

    sample: int
    """How many samples were learned before it."""
    beta: float
    v_min: float
    sp_min: float


@dataclass(frozen=True)
class Recipe:
    """What a run is made from.

    >>> recipe = Recipe(SampleOrigin("iris"), roles={"class": "ignored"})
    >>> Recipe.from_text(recipe.to_text()) == recipe
    True
    >>> recipe.describe()
    'iris · δ by columns · β 0.0001 · v_min 100 · sp_min 3 · exact · seed 0'
    """

    origin: Origin
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    roles: Mapping[str, Role] = field(default_factory=dict)
    encoding: Encoding = Encoding()
    order: Order = Order()
    """Its seed is that of the choices."""
    test_share: float = 0.0
    choices: Choices = Choices()
    n_samples: int | None = None
    """Samples after which the run ends; None: with the data, which a generator without end never does."""
    changes: tuple[Change, ...] = ()
    colour: Colour | None = field(default=None, compare=False)
    """What points are coloured by; it makes no other run. None: by the class."""

    @staticmethod
    def of(dataset: Dataset, choices: Choices, n_samples: int | None = None) -> Recipe:
        """The recipe of a dataset as it was loaded and changed."""
        return Recipe(
            dataset.origin,
            dataset.kinds,
            dataset.roles,
            dataset.encoding,
            replace(dataset.order, seed=choices.seed),
            dataset.test_share,
            choices,
            n_samples,
            colour=dataset.colour,
        )

    def dataset(self, progress: Progress = silent) -> Dataset:
        """Load the data again and do to it what was done."""
        return self.applied(load(self.origin, progress))

    def applied(self, dataset: Dataset) -> Dataset:
        """A dataset as it was loaded, with what was done to it."""
        changed = dataset.with_kinds(dict(self.kinds)).with_roles(dict(self.roles)).with_encoding(self.encoding)
        return changed.with_order(self.order).with_test_share(self.test_share).with_colour(self.colour)

    @property
    def parameters(self) -> Parameters:
        """The hyper-parameters in force after the last change."""
        if not self.changes:
            return self.choices.parameters
        latest = self.changes[-1]
        return replace(self.choices.parameters, **{name: getattr(latest, name) for name in CHANGEABLE})

    def changed(self, sample: int, parameters: Parameters) -> Recipe:
        """The recipe of a run whose hyper-parameters are changed before its next sample."""
        if _changeable(parameters) == _changeable(self.parameters):
            return self
        earlier = tuple(change for change in self.changes if change.sample < sample)
        changed = replace(self, changes=earlier)
        if _changeable(parameters) == _changeable(changed.parameters):
            return changed
        change = Change(sample, **_changeable(parameters))
        return replace(self, changes=(*earlier, change))

    def is_same_but_for_changes(self, other: Recipe) -> bool:
        """Whether both are made of the same, whatever was changed on the way."""
        parameters = replace(other.choices.parameters, **_changeable(self.choices.parameters))
        fixed = replace(other.choices, parameters=parameters)
        return replace(self, changes=()) == replace(other, changes=(), choices=fixed)

    def describe(self) -> str:
        """One line for people."""
        values = self.parameters
        delta = "by columns" if values.delta is None else f"{values.delta:g}"
        numbers = (("β", values.beta), ("v_min", values.v_min), ("sp_min", values.sp_min))
        parts = [
            shortened(self.origin.title, LONGEST_TITLE),
            f"δ {delta}",
            *(f"{symbol} {value:g}" for symbol, value in numbers),
        ]
        parts += [values.covariance]
        parts += [self.order.kind] * (self.order.kind != "as is") + [f"seed {self.choices.seed}"]
        return " · ".join(parts)

    def to_text(self) -> str:
        """As JSON."""
        content = {
            "format": FORMAT,
            "version": VERSION,
            "data": {
                "origin": _origin_to_json(self.origin),
                "kinds": dict(self.kinds),
                "roles": dict(self.roles),
                "encoding": asdict(self.encoding),
                "order": {"kind": self.order.kind, "column": self.order.column},
                "test_share": self.test_share,
                "colour": None if self.colour is None else asdict(self.colour),
            },
            "parameters": asdict(self.choices.parameters),
            "scale": self.choices.scale,
            "seed": self.choices.seed,
            "n_samples": self.n_samples,
            "changes": [asdict(change) for change in self.changes],
        }
        return json.dumps(content, indent=2, ensure_ascii=False) + "\n"

    def to_json(self, path: str | Path) -> None:
        """Write it to a file; one that was there before stays whole until the new one is."""
        write_safely(path, lambda new: new.write_text(self.to_text(), encoding="utf-8"))

    @staticmethod
    def from_json(path: str | Path) -> Recipe:
        """Read a recipe; a file that it names is looked for from the recipe's folder."""
        path = Path(path)
        try:
            require_regular(path)
            text = path.read_text(encoding="utf-8")
        except OSError as error:
            raise RecipeError(f"{path.name} cannot be read ({error.strerror}): choose another recipe") from error
        except SourceError as error:
            raise RecipeError(f"{path.name} cannot be read ({error.problem}): choose another recipe") from None
        except UnicodeDecodeError:
            raise RecipeError(f"{path.name} is not text, so it is no recipe: choose a .json file") from None
        return Recipe.from_text(text, path.name, path.parent)

    @staticmethod
    def from_text(text: str, name: str = "recipe", folder: Path | None = None) -> Recipe:
        """Read a recipe from JSON."""
        try:
            content = json.loads(text)
        except json.JSONDecodeError as error:
            raise RecipeError(f"{name}, line {error.lineno}: {error.msg}. Mend the JSON, or save it anew") from None
        return _Content(name, content, folder).recipe()


class _Content:
    """The JSON of a recipe, on its way to be one."""

    def __init__(self, name: str, content: Any, folder: Path | None) -> None:
        self.name, self.folder = name, folder
        if not isinstance(content, dict) or content.get("format") != FORMAT:
            raise RecipeError(f'{name} is not a recipe of this program: it lacks "format": "{FORMAT}"')
        if content.get("version") != VERSION:
            raise RecipeError(f"{name} has version {content.get('version')!r}, this program reads version {VERSION}")
        self.content = content
        self._refuse_unknown(
            content,
            "the recipe",
            {"format", "version", "data", "parameters", "scale", "seed", "n_samples", "changes"},
        )

    def recipe(self) -> Recipe:
        content, data = self.content, self._part(self.content, "data", dict)
        self._refuse_unknown(data, "data", {"origin", "kinds", "roles", "encoding", "order", "test_share", "colour"})
        seed = content.get("seed", 0)
        parameters = self._made("parameters", Parameters, self._part(content, "parameters", dict, {}))
        choices = self._made(
            "scale or seed", Choices, {"parameters": parameters, "scale": content.get("scale", "dataset"), "seed": seed}
        )
        changes = self._part(content, "changes", list, [])
        return Recipe(
            origin=self._origin(self._part(data, "origin", dict)),
            kinds=self._part(data, "kinds", dict, {}),
            roles=self._part(data, "roles", dict, {}),
            encoding=self._made("data.encoding", Encoding, self._part(data, "encoding", dict, {})),
            order=self._made("data.order", Order, self._part(data, "order", dict, {}) | {"seed": choices.seed}),
            test_share=self._number(data, "test_share", 0.0),
            choices=choices,
            n_samples=self._count(content, "n_samples"),
            changes=tuple(self._change(change, parameters) for change in changes),
            colour=self._colour(data),
        )

    def _colour(self, data: dict[str, Any]) -> Colour | None:
        given = data.get("colour")
        if given is None:
            return None
        column = given.get("column") if isinstance(given, dict) and set(given) == {"column"} else False
        if column is not None and not isinstance(column, str):
            raise self._error("data.colour", given, 'give {"column": "name"}, {"column": null} for none, or null')
        return Colour(column)

    def _origin(self, given: dict[str, Any]) -> Origin:
        kind = given.get("kind")
        settings = {key: value for key, value in given.items() if key != "kind"}
        if kind == "sample":
            return SampleOrigin(self._part(settings, "name", str))
        if kind == "file":
            return self._file(settings)
        if kind == "generator":
            return self._generator(settings)
        if kind == "painted":
            points = tuple((float(x), float(y), int(code)) for x, y, code in self._part(settings, "points", list))
            return PaintedOrigin(points)
        raise self._error("data.origin.kind", kind, "choose sample, file, generator or painted")

    def _file(self, settings: dict[str, Any]) -> FileOrigin:
        options = self._part(settings, "options", dict, {})
        if "missing" in options:
            options = options | {"missing": tuple(options["missing"])}
        path = Path(self._part(settings, "path", str))
        if self.folder is not None and not path.is_absolute():
            path = self.folder / path
        made = self._made("data.origin.options", ReadOptions, options)
        return FileOrigin(str(path), made, bool(settings.get("streamed", False)))

    def _generator(self, settings: dict[str, Any]) -> GeneratorOrigin:
        known = {generator.__name__: generator for generator in GENERATORS}
        name = settings.pop("name", None)
        if name not in known:
            raise self._error("data.origin.name", name, f"choose one of {', '.join(known)}")
        made = self._made("data.origin.settings", known[name], self._part(settings, "settings", dict, {}))
        n_rows = self._count(settings, "n_rows")
        return GeneratorOrigin(made, n_rows or GeneratorOrigin.n_rows, bool(settings.get("endless", False)))

    def _change(self, given: Any, parameters: Parameters) -> Change:
        if not isinstance(given, dict):
            raise self._error("changes", given, 'give {"sample": 1000, "beta": 0.1}')
        values = {name: getattr(parameters, name) for name in CHANGEABLE} | given
        change: Change = self._made("changes", Change, values)
        self._made("changes", Parameters, {name: getattr(change, name) for name in CHANGEABLE})
        if not isinstance(change.sample, int) or change.sample < 0:
            raise self._error("changes.sample", change.sample, "give a whole number from 0 on")
        return change

    def _part(self, content: dict[str, Any], key: str, kind: type, default: Any = None) -> Any:
        value = content.get(key, default)
        if not isinstance(value, kind):
            wanted = {"dict": "an object { }", "list": "a list [ ]", "str": "a text"}[kind.__name__]
            raise self._error(key, value, f"give {wanted}")
        return value

    def _number(self, content: dict[str, Any], key: str, default: float) -> float:
        value = content.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self._error(key, value, "give a number")
        return float(value)

    def _count(self, content: dict[str, Any], key: str) -> int | None:
        value = content.get(key)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
            raise self._error(key, value, "give a whole number above 0, or null")
        return value

    def _made(self, place: str, make: Callable[..., Any], settings: dict[str, Any]) -> Any:
        known = [declared.name for declared in fields(make)]  # type: ignore[arg-type]
        self._refuse_unknown(settings, place, set(known))
        try:
            return make(**settings)
        except (ValueError, TypeError) as error:
            raise RecipeError(f"{self.name}, {place}: {error}") from error

    def _refuse_unknown(self, content: dict[str, Any], place: str, known: set[str]) -> None:
        for key in content:
            if key not in known:
                raise RecipeError(f"{self.name}: {place} has no {key!r}: choose among {', '.join(sorted(known))}")

    def _error(self, key: str, value: Any, remedy: str) -> RecipeError:
        return RecipeError(
            f"{self.name}: {key} = {json.dumps(value, ensure_ascii=False)[:60]} cannot be used: {remedy}"
        )


def _changeable(parameters: Parameters) -> dict[str, Any]:
    """What can be changed on the way."""
    return {name: getattr(parameters, name) for name in CHANGEABLE}


def _origin_to_json(origin: Origin) -> dict[str, Any]:
    if isinstance(origin, SampleOrigin):
        return {"kind": "sample", "name": origin.name}
    if isinstance(origin, PaintedOrigin):
        return {"kind": "painted", "points": [list(point) for point in origin.points]}
    if isinstance(origin, GeneratorOrigin):
        made = origin.generator
        return {
            "kind": "generator",
            "name": type(made).__name__,
            "settings": asdict(made),
            "n_rows": origin.n_rows,
            "endless": origin.endless,
        }
    default = ReadOptions()
    chosen = {declared.name: getattr(origin.options, declared.name) for declared in fields(ReadOptions)}
    options = {name: value for name, value in chosen.items() if value != getattr(default, name)}
    return {"kind": "file", "path": origin.path, "options": options, "streamed": origin.streamed}
