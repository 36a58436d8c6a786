"""Towns against the territory and the parcels: rule 9, § 2-202(1)(a)(2) "each part of each town"."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, Optional

import numpy as np
import shapely

from .crs import WorkingCrs, to_working
from .model import FieldMap, Finding, InputError, Layer, Operation, ParcelKey
from .schema import swis_column, text_column, town_code
from .territory import (
    SQUARE_METRES_PER_ACRE,
    Territory,
    ground_text,
    near_shape,
    polygon_parts,
    polygonal,
    shape_problem,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .editions import Edition
    from .model import Geometries


TOWN = "town"
"""The kind of a row of a layer of municipalities that is no city and no village."""


@dataclass(frozen=True, eq=False)
class PolygonSet:
    """A small layer of named polygons in the working CRS: towns, cities and villages, or districts.

    One entry a row, "" where the layer does not say. `problems` tell why a shape cannot be used, "" where it can.
    """

    ids: tuple[str, ...]
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    swis: tuple[str, ...]
    shapes: Geometries
    problems: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.shapes)

    def taken(self, rows: Sequence[int]) -> PolygonSet:
        """These rows alone."""

        def some(values: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(values[row] for row in rows)

        return PolygonSet(
            some(self.ids),
            some(self.names),
            some(self.kinds),
            some(self.swis),
            self.shapes[list(rows)],
            some(self.problems),
        )


@dataclass(frozen=True, eq=False)
class TownTopology:
    """What the town polygons say of the territory. Areas are square units of the working CRS.

    `pieces` are each town's polygons inside the territory wider than the tolerance, by town code, largest first, and
    `ground` their areas; `with_part` are the towns of which more than the least area is inside. `overlaps` are pairs
    of towns that both claim the same ground inside, `uncovered` is ground inside that no town claims, None without.
    """

    pieces: Mapping[str, tuple[Any, ...]]
    ground: Mapping[str, float]
    with_part: frozenset[str]
    overlaps: tuple[tuple[str, str, Any], ...]
    uncovered: Any


def read_polygons(
    layer: Layer, fields: FieldMap, role: str, crs: WorkingCrs, tolerance: float
) -> tuple[PolygonSet, Optional[Operation], float]:
    """A small layer in the working CRS, the operation that brought it there, and its deviation (rule 7).

    `fields` name the fields of id, name, kind and swis (or town_swis). Raises `InputError` for a layer without CRS.
    """
    shapes, operation, deviation = to_working(layer.geometry, layer.crs, role, crs, tolerance, layer.source)
    problems = tuple(shape_problem(shape) for shape in shapes)
    usable: Geometries = np.array(shapes, dtype=object)
    for row, problem in enumerate(problems):
        if not problem:
            usable[row] = polygonal(usable[row])
    swis = fields.get("swis") or fields.get("town_swis")
    blank = ("",) * len(usable)
    return (
        PolygonSet(
            ids=_texts(layer, fields.get("id")) or blank,
            names=_texts(layer, fields.get("name")) or blank,
            kinds=_texts(layer, fields.get("kind")) or blank,
            swis=tuple(str(code) for code in swis_column(layer.columns[swis])) if swis else blank,
            shapes=usable,
            problems=problems,
        ),
        operation,
        deviation,
    )


def town_shapes(
    towns: PolygonSet, territory: Territory, edition: Edition
) -> tuple[dict[str, Any], tuple[Finding, ...]]:
    """The polygon of each town, by town code in order: the union of its rows.

    A town with a polygon that cannot be used is left out, so that nothing is checked against half of it; where that
    polygon's box meets the territory's, V-38 says so. Rows without SWIS belong to no town.
    """
    return shapes_by_town(towns), unusable_findings(towns, "town", territory, edition)


def shapes_by_town(towns: PolygonSet) -> dict[str, Any]:
    """The shapes of `town_shapes`, whatever the territory."""
    codes = [town_code(swis) if swis else "" for swis in towns.swis]
    broken = {code for code, problem in zip(codes, towns.problems) if problem and problem != "no geometry"}
    shapes = {}
    for code in sorted(set(codes) - broken - {""}):
        mine = [row for row, other in enumerate(codes) if other == code and not towns.problems[row]]
        if mine:
            shapes[code] = towns.shapes[mine[0]] if len(mine) == 1 else shapely.union_all(in_order(towns.shapes[mine]))
    return shapes


def unusable_findings(polygons: PolygonSet, noun: str, territory: Territory, edition: Edition) -> tuple[Finding, ...]:
    """V-38 for each polygon of a small layer that cannot be used and whose box meets the territory's."""
    citation = edition.citation("V-38")
    return tuple(
        Finding(
            "V-38",
            "error",
            f"The polygon of the {noun} {polygons.names[row] or polygons.ids[row] or polygons.swis[row]} cannot be "
            f"used: {polygons.problems[row]}. Nothing was checked against it.",
            swis=polygons.swis[row],
            citation=citation,
        )
        for row in range(len(polygons))
        if polygons.problems[row] and boxes_meet(polygons.shapes[row], territory.shape)
    )


def boxes_meet(one: Any, other: Any) -> bool:
    """Whether the boxes of two shapes meet; a shape without coordinates has none."""
    a, b = shapely.bounds(one), shapely.bounds(other)
    return bool((a[:2] <= b[2:]).all() and (b[:2] <= a[2:]).all())


def without_towns(municipalities: PolygonSet, source: str) -> PolygonSet:
    """The cities and villages of a layer that may hold towns as well, which are neither.

    Raises `InputError` where nothing is left.
    """
    kept = [row for row, kind in enumerate(municipalities.kinds) if kind.casefold() != TOWN]
    if not kept:
        raise InputError(f"{source} holds towns alone. Give the layer of cities and villages, or leave it out.")
    return municipalities if len(kept) == len(municipalities) else municipalities.taken(kept)


def city_codes(cities: Optional[PolygonSet]) -> frozenset[str]:
    """First four digits of the SWIS of every City row: ground of a city is in no town (rule 9)."""
    if cities is None:
        return frozenset()
    return frozenset(
        town_code(swis) for swis, kind in zip(cities.swis, cities.kinds) if swis and kind.casefold() == "city"
    )


def town_topology(
    towns: Mapping[str, Any],
    territory: Territory,
    tolerance: float,
    crs: WorkingCrs,
    edition: Edition,
    all_towns: Optional[Any] = None,
) -> TownTopology:
    """How the town polygons (`town_shapes`) cover the territory. `tolerance` is the sliver width in units.

    `all_towns` is the union of the towns' shapes, where it is known already.
    """
    if all_towns is None:
        all_towns = shapely.union_all(list(towns.values()))
    acres = edition.number("town_part_minimum_acres")
    least = float(acres * SQUARE_METRES_PER_ACRE) / crs.unit_m**2
    inside = {code: _wide(shapely.intersection(shape, territory.shape), tolerance) for code, shape in towns.items()}
    pieces = {code: parts for code, parts in sorted(inside.items()) if parts}
    ground = {code: float(sum(shapely.area(part) for part in parts)) for code, parts in pieces.items()}
    overlaps = []
    for one, other in combinations(pieces, 2):
        shared = _wide(shapely.intersection(shapely.intersection(towns[one], towns[other]), territory.shape), tolerance)
        if shared:
            overlaps.append((one, other, shapely.multipolygons(list(shared))))
    gaps = _wide(shapely.difference(territory.shape, all_towns), tolerance)
    return TownTopology(
        pieces=pieces,
        ground=ground,
        with_part=frozenset(code for code, area in ground.items() if area > least),
        overlaps=tuple(overlaps),
        uncovered=shapely.multipolygons(list(gaps)) if gaps else None,
    )


def town_findings(
    topology: TownTopology, names: Mapping[str, str], codes_met: Collection[str], crs: WorkingCrs, edition: Edition
) -> tuple[Finding, ...]:
    """V-33: towns that overlap inside the territory, ground of no town, and a town of which only a corner is inside.

    `names` are the towns' names by code; `codes_met` the towns that have a part by their roll rows already.
    """
    citation = edition.citation("V-33")
    findings = []
    for one, other, shared in topology.overlaps:
        message = (
            f"The polygons of the towns {names.get(one, one)} and {names.get(other, other)} overlap inside the "
            f"territory by {ground_text(shapely.area(shared), crs)} {_near_largest(shared)}. "
            "The roll's town decides for each parcel."
        )
        findings.append(Finding("V-33", "warning", message, swis=f"{one}00", citation=citation))
    if topology.uncovered is not None:
        message = (
            f"No town polygon covers {ground_text(shapely.area(topology.uncovered), crs)} of the territory, "
            f"the largest gap {_near_largest(topology.uncovered)}. The roll's town decides for each parcel."
        )
        findings.append(Finding("V-33", "warning", message, citation=citation))
    for code, area in topology.ground.items():
        if code not in topology.with_part and code not in codes_met:
            message = (
                f"The polygon of the town {names.get(code, code)} reaches into the territory by "
                f"{ground_text(area, crs)} {near_shape(topology.pieces[code][0])} without a roll row there. "
                "That is too little to make a part."
            )
            findings.append(Finding("V-33", "warning", message, swis=f"{code}00", citation=citation))
    return tuple(findings)


def outside_own_town(shapes: Geometries, codes: Sequence[str], towns: Mapping[str, Any]) -> NDArray[np.bool_]:
    """Which usable shapes have their point on surface in no polygon of their town (rule 9).

    `codes` are the town codes of the shapes. A town that is not in `towns` is not checked.
    """
    astray = np.zeros(len(shapes), dtype=bool)
    own = np.asarray(codes, dtype=object)
    for code in sorted(set(own.tolist()) & set(towns)):
        mine = np.flatnonzero(own == code)
        shapely.prepare(towns[code])
        astray[mine] = ~shapely.intersects(towns[code], shapely.point_on_surface(shapes[mine]))
    return astray


WrongTowns = dict[ParcelKey, Optional[Finding]]
"""What was said of parcels in another town's polygon, None of those in their own."""


def wrong_town_findings(
    keys: Sequence[ParcelKey],
    shapes: Geometries,
    towns: Mapping[str, Any],
    names: Mapping[str, str],
    edition: Edition,
    kept: Optional[WrongTowns] = None,
) -> tuple[Finding, ...]:
    """V-32 for each parcel whose point on surface is in no polygon of the town that the roll puts it in.

    `kept` is what was found before among the same towns, and takes in what is found now.
    """
    kept = {} if kept is None else kept
    new = [row for row, key in enumerate(keys) if key not in kept]
    citation = edition.citation("V-32")
    codes = [town_code(keys[row][0]) for row in new]
    astray = outside_own_town(shapes[new], codes, towns) if new else ()
    for row, code, lost in zip(new, codes, astray):
        kept[keys[row]] = _astray(keys[row], shapes[row], code, towns, names, citation) if lost else None
    found = [kept[key] for key in keys]
    return tuple(finding for finding in found if finding is not None)


def _astray(
    key: ParcelKey, shape: Any, code: str, towns: Mapping[str, Any], names: Mapping[str, str], citation: str
) -> Finding:
    point = shapely.point_on_surface(shape)
    there = [names.get(one, one) for one in sorted(towns) if shapely.intersects(towns[one], point)]
    lies = f"in the polygon of {' and '.join(there)}" if there else "in no town polygon"
    message = (
        f"The roll puts this parcel in the town {names.get(code, code)}, but it lies {lies} "
        f"({near_shape(shape)}). It counts for the roll's town."
    )
    return Finding("V-32", "warning", message, *key, citation)


def piece_of(shapes: Geometries, pieces: Sequence[Any]) -> NDArray[np.int64]:
    """For each shape the piece of its town's part that it lies in, by the larger area; -1 where unusable or in none."""
    area = np.zeros((len(pieces), len(shapes)))
    sound = shapely.is_valid(shapes)
    for number, piece in enumerate(pieces):
        shapely.prepare(piece)
        met = sound.copy()
        met[sound] = shapely.intersects(piece, shapes[sound])
        within = np.zeros(len(shapes), dtype=bool)
        within[met] = shapely.covers(piece, shapes[met])
        area[number, within] = shapely.area(shapes[within])
        part = met & ~within
        area[number, part] = shapely.area(shapely.intersection(shapes[part], piece))
    if not len(pieces):
        return np.full(len(shapes), -1, dtype=np.int64)
    return np.where(area.max(axis=0) > 0, area.argmax(axis=0), -1).astype(np.int64)


def _texts(layer: Layer, field: Optional[str]) -> tuple[str, ...]:
    return tuple(str(text) for text in text_column(layer.columns[field])) if field else ()


def in_order(shapes: Geometries) -> list[Any]:
    """Sorted, so that the order of rows does not reach the bits of a union."""
    return sorted(shapely.normalize(shapes), key=shapely.to_wkb)


def _wide(shape: Any, tolerance: float) -> tuple[Any, ...]:
    """The polygons of a shape wider than the tolerance, largest first."""
    parts, _ = polygon_parts([shape])
    parts = parts[2 * shapely.area(parts) / shapely.length(parts) > tolerance]
    return tuple(sorted(parts, key=lambda part: (-shapely.area(part), shapely.bounds(part).tolist())))


def _near_largest(shape: Any) -> str:
    return near_shape(max(shapely.get_parts(shape), key=shapely.area))
