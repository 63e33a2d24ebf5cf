"""A recipe as JSON: its structure, declared once for reading and for writing."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

from figmn import Parameters
from figmn.params import CHANGEABLE, DECLARED, LABEL_WIDTH, NEUTRAL, Choice, Number, allows_none, is_automatic
from workbench.run.recipe.choices import SEED, Change, ScaleSource
from workbench.run.recipe.dataset import Colour, Count, FileOrigin, GeneratorOrigin, Origin, PaintedOrigin, SampleOrigin
from workbench.run.recipe.model_file import ModelFile
from workbench.run.recipe.saved_selection import SavedSelection
from workbench.source import GENERATORS, Encoding, Order, ReadOptions
from workbench.source.encode.order import OrderKind
from workbench.source.generators.settings import Setting
from workbench.source.table.table import Kind, Role
from workbench.words.decode import (
    DecodeError,
    Place,
    Range,
    checked,
    decode,
    members,
    parse,
    require_given,
    require_known,
    shown,
)

FORMAT, VERSION = "figmn recipe", 2
"""What a recipe of version 1 leaves out is what the paper does, `NEUTRAL`; from version 2 on, the default."""
SAMPLE = "sample"
"""Where a change keeps the number of its sample, beside the hyper-parameters."""


@dataclass(frozen=True)
class OrderLayout:
    """The order of the rows; its seed is that of the recipe."""

    kind: OrderKind = "as is"
    column: str | None = None

    def __post_init__(self) -> None:
        self.order(0)

    def order(self, seed: int) -> Order:
        """The `Order` with a seed; SourceError where kind and column do not fit together."""
        return Order(self.kind, seed, self.column)


@dataclass(frozen=True)
class DataLayout:
    """The member `data` of the file."""

    origin: Origin
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    roles: Mapping[str, Role] = field(default_factory=dict)
    encoding: Encoding = Encoding()
    order: OrderLayout = OrderLayout()
    test_share: Annotated[float, Range(0, 1)] = 0.0
    colour: Colour | None = None
    selections: tuple[SavedSelection, ...] = ()


@dataclass(frozen=True)
class Layout:
    """All members of the file but its format and version."""

    data: DataLayout
    parameters: Parameters = field(default_factory=Parameters)
    scale: ScaleSource = "dataset"
    seed: Annotated[int, Range(SEED.low, SEED.high)] = 0
    n_samples: Count | None = None
    changes: tuple[Change, ...] = ()
    drift: bool = False
    label_width: Annotated[float, Range(LABEL_WIDTH.low, LABEL_WIDTH.high)] = LABEL_WIDTH.default
    model: ModelFile | None = None


@dataclass(frozen=True)
class GeneratorLayout:
    """A generator by the name of its class."""

    name: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    n_rows: Count = GeneratorOrigin.n_rows
    endless: bool = False


ORIGINS: dict[str, Any] = {
    "sample": SampleOrigin,
    "file": FileOrigin,
    "generator": GeneratorLayout,
    "painted": PaintedOrigin,
}


def read_layout(text: str, file: str, folder: Path | None = None) -> Layout:
    """The layout in a text, or DecodeError.

    Parameters
    ----------
    text : JSON
    file : what an error calls the file
    folder : where the relative path of a data file begins
    """
    place = Place(file)
    given = parse(text, place)
    if not isinstance(given, dict) or given.get("format") != FORMAT:
        raise DecodeError(
            '{place} is not a recipe: "format": "{format}" is missing. Choose a file saved as a recipe.',
            place=place,
            format=FORMAT,
        )
    version: Any = given.get("version")
    if isinstance(version, bool) or version not in range(1, VERSION + 1):
        raise DecodeError(
            "{place}: {value} is not known. This program reads versions 1 to {version}.",
            place=place.member("version"),
            value=shown(version),
            version=VERSION,
        )
    members(given, place)
    content = {name: value for name, value in given.items() if name not in {"format", "version"}}
    if version < VERSION:
        content["parameters"] = _with_neutral(content.get("parameters", {}))
    layout: Layout = decode(Layout, content, place, DECODERS)
    layout = replace(layout, changes=_complete(layout))
    if folder is None:
        return layout
    model = layout.model and replace(layout.model, path=str(folder / layout.model.path))
    return replace(layout, data=_found_from(folder, layout.data), model=model)


def write_layout(layout: Layout) -> str:
    """The JSON of a layout."""
    content = {"format": FORMAT, "version": VERSION, **asdict(layout)}
    content["data"]["origin"] = _plain_origin(layout.data.origin)
    content["parameters"] = _plain(content["parameters"])
    if layout.data.colour is not None and layout.data.colour.by == "column":
        del content["data"]["colour"]["by"]  # as in the files of before
    if not layout.data.selections:
        del content["data"]["selections"]
    if not layout.drift:
        del content["drift"]  # as in the files of before
    if layout.model is None:
        del content["model"]
    content["changes"] = [{SAMPLE: change.sample, **_plain(change.values)} for change in layout.changes]
    return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _complete(layout: Layout) -> tuple[Change, ...]:
    """The changes with all values: what one does not name stays as it was before."""
    values, complete = layout.parameters.changeable(), []
    for change in layout.changes:
        values = {**values, **change.values}
        complete.append(replace(change, values=values))
    return tuple(complete)


def _with_neutral(parameters: Any) -> Any:
    """The hyper-parameters of an earlier version, where those that it did not have change nothing."""
    return {**_plain(NEUTRAL), **parameters} if isinstance(parameters, dict) else parameters


def _found_from(folder: Path, data: DataLayout) -> DataLayout:
    origin = data.origin
    if not isinstance(origin, FileOrigin):
        return data
    return replace(data, origin=replace(origin, path=str(folder / origin.path)))


def _parameters(value: Any, place: Place) -> Parameters:
    given = members(value, place)
    require_known(given, list(DECLARED), place)
    return Parameters(**{name: _parameter(name, part, place.member(name)) for name, part in given.items()})


def _change(value: Any, place: Place) -> Change:
    given = dict(members(value, place))
    require_known(given, [SAMPLE, *CHANGEABLE], place)
    require_given(given, SAMPLE, place)
    sample = decode(Annotated[int, Range(0, 2**53)], given.pop(SAMPLE), place.member(SAMPLE))
    named = {name: part for name, part in given.items() if part is not None or allows_none(DECLARED[name])}
    return Change(sample, {name: _parameter(name, part, place.member(name)) for name, part in named.items()})


def _parameter(name: str, value: Any, place: Place) -> Any:
    """A hyper-parameter by its own declaration, which knows the limits."""
    declared = DECLARED[name]
    if value is None and allows_none(declared):
        return None if is_automatic(declared) else declared.check(None)
    if isinstance(declared, Number) and declared.infinite and value in (declared.infinite, math.inf):
        return math.inf  # files of before have the literal that Python writes for it
    decode(str if isinstance(declared, Choice) else float, value, place)
    return checked(declared.check, place, value)


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    """Hyper-parameters with words in place of infinity, which JSON does not have."""
    return {name: DECLARED[name].text(value) if value == math.inf else value for name, value in values.items()}


def _origin(value: Any, place: Place) -> Origin:
    given = dict(members(value, place))
    kind = given.pop("kind", None)
    if not (isinstance(kind, str) and kind in ORIGINS):
        raise DecodeError(
            "{place}: {value} is not known. Choose {kinds}.",
            place=place.member("kind"),
            value=shown(kind),
            kinds=", ".join(ORIGINS),
        )
    found = decode(ORIGINS[kind], given, place)
    origin: Origin = _generated(found, place) if isinstance(found, GeneratorLayout) else found
    return origin


def _generated(found: GeneratorLayout, place: Place) -> GeneratorOrigin:
    known = {generator.__name__: generator for generator in GENERATORS}
    if found.name not in known:
        raise DecodeError(
            "{place}: {value} is not a generator. Choose one of {known}.",
            place=place.member("name"),
            value=shown(found.name),
            known=", ".join(known),
        )
    kind, place = known[found.name], place.member("settings")
    declared = {setting.name: setting for setting in kind.settings()}
    require_known(found.settings, list(declared), place)
    for name, value in found.settings.items():
        decode(float if isinstance(declared[name], Setting) else str, value, place.member(name))
    return GeneratorOrigin(checked(kind, place, **found.settings), found.n_rows, found.endless)


DECODERS = {Origin: _origin, Parameters: _parameters, Change: _change}


def _plain_origin(origin: Origin) -> dict[str, Any]:
    if isinstance(origin, GeneratorOrigin):
        made_by = origin.generator
        layout = GeneratorLayout(type(made_by).__name__, asdict(made_by), origin.n_rows, origin.endless)
        return {"kind": "generator", **asdict(layout)}
    kind = next(name for name, declared in ORIGINS.items() if isinstance(origin, declared))
    plain = {"kind": kind, **asdict(origin)}
    if isinstance(origin, FileOrigin):
        default = asdict(ReadOptions())
        plain["options"] = {name: value for name, value in plain["options"].items() if value != default[name]}
    return plain
