"""A recipe as JSON: what stands where, declared once for reading and for writing."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Annotated, Any

from figmn import Parameters
from figmn.params import DECLARED, DELTA, V_MIN, Number
from workbench.run.recipe.choices import SEED, ScaleSource
from workbench.run.recipe.dataset import Colour, Count, FileOrigin, GeneratorOrigin, Origin, PaintedOrigin, SampleOrigin
from workbench.run.recipe.typed_json import (
    JsonError,
    Range,
    entries,
    inside,
    made,
    parse,
    read,
    refusal,
    refuse_unknown,
)
from workbench.source import GENERATORS, Encoding, Order, ReadOptions
from workbench.source.encode.order import OrderKind
from workbench.source.table.table import Kind, Role

FORMAT, VERSION = "figmn recipe", 1
NEVER = "never"
"""v_min = ∞ in JSON, which has no infinity: no component ever gets old enough to be removed."""


@dataclass(frozen=True)
class OrderLayout:
    """The order of the rows; its seed is that of the recipe."""

    kind: OrderKind = "as is"
    column: str | None = None

    def __post_init__(self) -> None:
        self.order(0)

    def order(self, seed: int) -> Order:
        """With a seed; SourceError where the order cannot be."""
        return Order(self.kind, seed, self.column)


@dataclass(frozen=True)
class DataLayout:
    """What stands under `data`."""

    origin: Origin
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    roles: Mapping[str, Role] = field(default_factory=dict)
    encoding: Encoding = Encoding()
    order: OrderLayout = OrderLayout()
    test_share: Annotated[float, Range(0, 1)] = 0.0
    colour: Colour | None = None


@dataclass(frozen=True)
class ChangeLayout:
    """Hyper-parameters changed during the run; None keeps what was there. Checked by their own declarations."""

    sample: Annotated[int, Range(0, 2**53)]
    beta: Any = None
    v_min: Any = None
    sp_min: Any = None


@dataclass(frozen=True)
class Layout:
    """The whole file."""

    data: DataLayout
    parameters: Parameters = field(default_factory=Parameters)
    scale: ScaleSource = "dataset"
    seed: Annotated[int, Range(SEED.low, SEED.high)] = 0
    n_samples: Count | None = None
    changes: tuple[ChangeLayout, ...] = ()


@dataclass(frozen=True)
class GeneratorLayout:
    """A generator by name."""

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


def read_layout(text: str, folder: Path | None = None) -> Layout:
    """The layout in a text, or JsonError.

    Parameters
    ----------
    text : JSON
    folder : where the relative path of a data file begins
    """
    given = parse(text)
    if not isinstance(given, dict) or given.get("format") != FORMAT:
        raise JsonError("", f'not a recipe, "format": "{FORMAT}" is missing: choose a file saved as a recipe')
    if given.get("version") != VERSION or isinstance(given["version"], bool):
        raise refusal("version", given.get("version"), f"is not known: this program reads version {VERSION}")
    entries(given, "")
    content = {name: value for name, value in given.items() if name not in {"format", "version"}}
    layout: Layout = read(Layout, content, "", READERS)
    return layout if folder is None else replace(layout, data=_found_from(folder, layout.data))


def write_layout(layout: Layout) -> str:
    """The JSON of a layout."""
    content = {"format": FORMAT, "version": VERSION, **asdict(layout)}
    content["data"]["origin"] = _plain_origin(layout.data.origin)
    for part in (content["parameters"], *content["changes"]):
        part["v_min"] = NEVER if part["v_min"] == math.inf else part["v_min"]
    return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _found_from(folder: Path, data: DataLayout) -> DataLayout:
    origin = data.origin
    if not isinstance(origin, FileOrigin):
        return data
    return replace(data, origin=replace(origin, path=str(folder / origin.path)))


def _parameters(value: Any, place: str) -> Parameters:
    given = entries(value, place)
    refuse_unknown(given, [declared.name for declared in fields(Parameters)], place)
    return Parameters(**{name: _checked(name, part, inside(place, name)) for name, part in given.items()})


def _change(value: Any, place: str) -> ChangeLayout:
    change: ChangeLayout = read(ChangeLayout, value, place)
    given = {name: part for name, part in vars(change).items() if name != "sample" and part is not None}
    return replace(change, **{name: _checked(name, part, inside(place, name)) for name, part in given.items()})


def _checked(name: str, value: Any, place: str) -> Any:
    """A hyper-parameter by its own declaration, which knows the limits."""
    if value is None and name == DELTA.name:
        return None
    if name == V_MIN.name and value in (NEVER, math.inf):
        return math.inf
    declared = DECLARED[name]
    read(float if isinstance(declared, Number) else str, value, place)
    return made(declared.check, {"value": value}, place)


def _origin(value: Any, place: str) -> Origin:
    given = dict(entries(value, place))
    kind = given.pop("kind", None)
    if not (isinstance(kind, str) and kind in ORIGINS):
        raise refusal(inside(place, "kind"), kind, f"is not known: choose {', '.join(ORIGINS)}")
    found = read(ORIGINS[kind], given, place)
    origin: Origin = _generated(found, place) if isinstance(found, GeneratorLayout) else found
    return origin


def _generated(found: GeneratorLayout, place: str) -> GeneratorOrigin:
    known = {generator.__name__: generator for generator in GENERATORS}
    if found.name not in known:
        raise refusal(inside(place, "name"), found.name, f"is not a generator: choose one of {', '.join(known)}")
    kind, place = known[found.name], inside(place, "settings")
    refuse_unknown(found.settings, [declared.name for declared in kind.settings()], place)
    for name, value in found.settings.items():
        read(float, value, inside(place, name))
    return GeneratorOrigin(made(kind, found.settings, place), found.n_rows, found.endless)


READERS = {Origin: _origin, Parameters: _parameters, ChangeLayout: _change}


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
