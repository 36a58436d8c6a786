"""The lines that a boundary can follow: streets, waters, lines of towns, cities, villages and districts, lot lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Optional

import numpy as np
import shapely

from ..crs import WorkingCrs, deviation_findings, to_working
from ..model import Finding, InputError, Layer, Operation
from ..schema import fold, text_column
from ..territory import polygon_parts
from ..topology import PolygonSet
from .names import civil_name, navigable_by_kind, route_name, street_name, water_kind

if TYPE_CHECKING:
    from ..editions import Edition
    from ..model import Geometries

STREET, SHORE, THREAD, CIVIL, DISTRICT, PARCEL, COURSE = (
    "street", "shore", "thread", "civil", "district", "parcel", "course",
)  # fmt: skip
"""What a side of the boundary can follow; a course follows nothing that has a name."""

STREET_FIELDS = (("NAME",), ("LABEL", "STREET", "FULLNAME", "STREETNAME", "STREET_NAME", "ST_NAME", "RD_NAME"))
WATER_FIELDS = (("NAME",), ("GNIS_NAME", "WATERBODY", "LABEL", "FULLNAME"))
WATER_KIND_FIELDS = (("KIND",), ("FCLASS", "WATERWAY", "FTYPE"), ("TYPE",))
SHIELD, HIGHWAY = "SHIELD", "HIGHWAYNUM"

LINES = (1, 2, 5)
POLYGONS = (3, 6)


@dataclass(frozen=True, eq=False)
class Line:
    """One street or water of the working CRS: all its segments as one line or multiline.

    `kind` is street, shore (of a water drawn as an area) or thread (of one drawn as a line); `name` is "" where there
    is none; `alias` is a street's highway number in words; `water` is the kind of water. `navigable` is the user's
    word or the default by kind, `told` whether it is the user's.
    """

    kind: str
    name: str
    shape: Any
    alias: str = ""
    water: str = ""
    navigable: bool = True
    told: bool = False


@dataclass(frozen=True, eq=False)
class Area:
    """A town, city, village (`kind` civil) or district: its name as printed and its valid polygons."""

    kind: str
    name: str
    shape: Any
    word: str = ""
    """Town, City, Village, or the kind of district."""


@dataclass(frozen=True, eq=False)
class Sources:
    """All that a boundary is held against, in the working CRS. `parcels` are polygons, in any order."""

    streets: tuple[Line, ...] = ()
    waters: tuple[Line, ...] = ()
    areas: tuple[Area, ...] = ()
    parcels: Optional[Geometries] = None


def read_streets(
    layer: Layer, crs: WorkingCrs, tolerance: float, edition: Edition, name_field: str = ""
) -> tuple[tuple[Line, ...], tuple[Finding, ...], Optional[Operation]]:
    """The streets of a layer of lines: features of one name are one street, unnamed ones one for each connected line.

    `name_field` names the field by hand. SHIELD and HighwayNum, where the layer has them, give a street its number.
    Raises `InputError` for a layer without CRS, a feature that is no line, and a name field that cannot be told.
    """
    field = _field(layer, STREET_FIELDS, "street names", name_field)
    if field is None:
        raise InputError(_no_field(layer, "street names"))
    shapes, operation, deviation = to_working(layer.geometry, layer.crs, "streets", crs, tolerance, layer.source)
    kept = _usable(layer, shapes, LINES, "a line")
    names = [street_name(str(text)) for text in text_column(layer.columns[field])]
    numbers = _highways(layer)
    groups: dict[str, list[int]] = {}
    for row in kept:
        groups.setdefault(fold(names[row] or numbers[row]), []).append(row)
    streets: list[Line] = []
    for key, rows in sorted(groups.items()):
        if not key:
            streets += [Line(STREET, "", one) for one in _merged_lines(shapes[rows])]
            continue
        # the spelling that is read most often, the first in the alphabet among equals
        name = _commonest([names[row] or numbers[row] for row in rows])
        alias = {numbers[row] for row in rows if numbers[row] and fold(numbers[row]) != key}
        streets.append(Line(STREET, name, _line(shapes[rows]), alias.pop() if len(alias) == 1 else ""))
    findings = (
        *_left_out(layer, len(shapes) - len(kept), "streets", edition),
        *deviation_findings("streets", deviation, crs, tolerance, edition),
    )
    return tuple(streets), findings, operation


def read_waters(
    layer: Layer,
    crs: WorkingCrs,
    tolerance: float,
    edition: Edition,
    navigable: Mapping[str, bool],
    name_field: str = "",
    kind_field: str = "",
) -> tuple[tuple[Line, ...], tuple[Finding, ...], Optional[Operation]]:
    """The waters of a layer of lines or polygons, one for each name and way of drawing.

    `navigable` is the user's word by name of water, whatever its letters' case; the others go by their kind. Raises
    `InputError` for a layer without CRS, a feature that is neither line nor polygon, and fields that cannot be told.
    """
    field = _field(layer, WATER_FIELDS, "names of waters", name_field)
    if field is None:
        raise InputError(_no_field(layer, "names of waters"))
    of_kind = _field(layer, WATER_KIND_FIELDS, "kinds of water", kind_field)
    shapes, operation, deviation = to_working(layer.geometry, layer.crs, "waters", crs, tolerance, layer.source)
    kept = _usable(layer, shapes, LINES + POLYGONS, "a line or a polygon")
    names = [str(text) for text in text_column(layer.columns[field])]
    kinds = [str(text) for text in text_column(layer.columns[of_kind])] if of_kind else [""] * len(shapes)
    word = {fold(name): flag for name, flag in navigable.items()}
    groups: dict[tuple[str, str, str], list[int]] = {}
    for row in kept:
        line = int(shapely.get_type_id(shapes[row])) in LINES
        water = water_kind(kinds[row], names[row])
        groups.setdefault((THREAD if line else SHORE, fold(names[row]), "" if names[row] else water), []).append(row)
    waters: list[Line] = []
    for (kind, key, _), rows in sorted(groups.items()):
        water = min(water_kind(kinds[row], names[row]) for row in rows)
        name = _commonest([names[row] for row in rows])
        flag = word.get(key, navigable_by_kind(water)) if key else navigable_by_kind(water)
        for one in _shapes_of_water(kind, key, shapes[rows]):
            waters.append(Line(kind, name, one, water=water, navigable=flag, told=key in word))
    findings = (
        *_left_out(layer, len(shapes) - len(kept), "waters", edition),
        *deviation_findings("waters", deviation, crs, tolerance, edition),
    )
    return tuple(waters), findings, operation


def name_banks(waters: Sequence[Line]) -> tuple[Line, ...]:
    """The waters, an area without name taking name and kind of the named line that runs longest in it.

    Layers often draw a river twice: its line with the name, its banks without.
    """
    threads = [one for one in waters if one.kind == THREAD and one.name]
    named: list[Line] = []
    for one in waters:
        if one.kind == SHORE and not one.name:
            area = shapely.build_area(one.shape)
            runs = [
                (-float(shapely.length(shapely.intersection(each.shape, area))), n) for n, each in enumerate(threads)
            ]
            longest, which = min(runs, default=(0.0, 0))
            if longest < 0:
                of = threads[which]
                one = replace(one, name=of.name, water=of.water, navigable=of.navigable, told=of.told)
        named.append(one)
    return tuple(named)


def areas_of(polygons: PolygonSet, kind: str, word: str = "") -> tuple[Area, ...]:
    """The usable rows of a small layer as areas of this kind, rows of one name together.

    `word` is what all of them are, "Town"; "" takes each row's own kind. A row without name goes by its id.
    """
    groups: dict[tuple[str, str], list[int]] = {}
    for row in range(len(polygons)):
        own = word or polygons.kinds[row]
        name = polygons.names[row] or polygons.ids[row]
        if not polygons.problems[row] and name:
            groups.setdefault((own, civil_name(own if kind == CIVIL else "", name)), []).append(row)
    found = []
    for (own, name), rows in sorted(groups.items()):
        shapes = sorted(shapely.normalize(polygons.shapes[rows]), key=shapely.to_wkb)
        found.append(Area(kind, name, shapes[0] if len(shapes) == 1 else shapely.union_all(shapes), own))
    return tuple(found)


def read_lots(layer: Layer, crs: WorkingCrs, tolerance: float) -> tuple[Geometries, Optional[Operation]]:
    """The polygons of a parcel layer in the working CRS, whose lines are no description by themselves (V-01).

    Raises `InputError` for a layer without CRS.
    """
    shapes, operation, _ = to_working(layer.geometry, layer.crs, "parcels", crs, tolerance, layer.source)
    lots: Geometries = shapes[np.isin(shapely.get_type_id(shapes), POLYGONS) & ~shapely.is_empty(shapes)]
    return lots, operation


# Rows into lines


def _usable(layer: Layer, shapes: Geometries, types: Sequence[int], what: str) -> list[int]:
    """The rows with a geometry of some length; raises `InputError` naming those that are of another type."""
    kinds = shapely.get_type_id(shapes)
    blank = shapely.is_missing(shapes) | shapely.is_empty(shapes)
    blank |= np.isin(kinds, types) & ~(shapely.length(shapes) > 0)
    wrong = np.flatnonzero(~blank & ~np.isin(kinds, types))
    if len(wrong):
        raise InputError(
            f"{layer.source} row {wrong[0] + 1} is not {what} but “{shapes[wrong[0]].geom_type}”. "
            f"Give a layer in which every row is {what}."
        )
    return [int(row) for row in np.flatnonzero(~blank)]


def _left_out(layer: Layer, count: int, role: str, edition: Edition) -> tuple[Finding, ...]:
    if not count:
        return ()
    rows = "1 row has" if count == 1 else f"{count:,} rows have"
    message = f"In the layer of {role} {rows} no geometry, or one without length, left out."
    return (Finding("D-NAME", "info", message, citation=edition.citation("exhibit.description")),)


def _field(layer: Layer, ranks: Sequence[Sequence[str]], what: str, by_hand: str) -> Optional[str]:
    names = list(layer.columns)
    if by_hand:
        fits = [name for name in names if name == by_hand]
        fits = fits or [name for name in names if name.casefold() == by_hand.casefold()]
        if not fits:
            listed = ", ".join(names) or "none"
            raise InputError(f"{layer.source} has no field “{by_hand}” for {what}. Its fields are {listed}.")
        return fits[0]
    for rank in ranks:
        fits = [name for name in names if name.upper() in rank]
        if len(fits) > 1:
            listed = " and ".join(f"“{name}”" for name in fits)
            raise InputError(f"{layer.source}: the fields {listed} could both hold {what}. Choose one.")
        if fits:
            return fits[0]
    return None


def _no_field(layer: Layer, what: str) -> str:
    return f"{layer.source} has no field for {what}. Choose it; its fields are {', '.join(layer.columns) or 'none'}."


def _highways(layer: Layer) -> list[str]:
    fields = {name.upper(): name for name in layer.columns}
    if SHIELD not in fields or HIGHWAY not in fields:
        return [""] * len(layer.geometry)
    shields, numbers = (text_column(layer.columns[fields[name]]) for name in (SHIELD, HIGHWAY))
    return [route_name(str(shield), str(number)) for shield, number in zip(shields, numbers)]


def _commonest(names: Sequence[str]) -> str:
    return min(set(names), key=lambda name: (-names.count(name), name))


def _line(shapes: Geometries) -> Any:
    parts = shapely.get_parts(shapes)
    return shapely.multilinestrings(sorted(shapely.normalize(parts), key=shapely.to_wkb))


def _merged_lines(shapes: Geometries) -> list[Any]:
    merged = shapely.get_parts(shapely.line_merge(_line(shapes)))
    return sorted(shapely.normalize(merged), key=shapely.to_wkb)


def _shapes_of_water(kind: str, key: str, shapes: Geometries) -> list[Any]:
    """One multiline for a name; without one, a line for each connected water."""
    if kind == THREAD:
        return [_line(shapes)] if key else _merged_lines(shapes)
    sound = shapes[shapely.is_valid(shapes)]
    # pieces of one lake are one water: where they meet there is no shore
    whole = shapely.union_all(sorted(shapely.normalize(sound), key=shapely.to_wkb))
    broken, _ = polygon_parts(shapes[~shapely.is_valid(shapes)])  # never repaired: only their rings are looked at
    polygons = [*polygon_parts([whole])[0], *broken]
    polygons.sort(key=lambda one: tuple(shapely.bounds(one)))
    lines = [_line(np.array([_opened(ring) for ring in shapely.get_rings(one)], dtype=object)) for one in polygons]
    return [_line(np.array(lines, dtype=object))] if key and lines else lines


def _opened(ring: Any) -> Any:
    return shapely.linestrings(shapely.get_coordinates(ring))
