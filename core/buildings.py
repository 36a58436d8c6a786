"""Which part of a split parcel's buildings stands inside: what the improvement is divided by. Rule 10."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Optional

import numpy as np
import shapely

from .crs import WorkingCrs, to_working
from .model import FieldMap, Finding, InputError, Layer, Operation, ParcelKey
from .overlay import SPLIT, Placement, exact_share, place
from .schema import key_column, swis_column
from .territory import Territory, polygonal, shape_problem

if TYPE_CHECKING:
    from .editions import Edition
    from .model import Geometries, Rows

POINT, MULTIPOINT = 0, 4


@dataclass(frozen=True)
class BuildingShare:
    """The share inside of one parcel's buildings: pooled footprint area (nine decimals), or points by count (exact).

    `cut` tells that the boundary cuts a footprint, `on_line` that a point lies on the boundary; it counts as inside.
    """

    share: Fraction
    buildings: int
    cut: bool
    on_line: bool


@dataclass(frozen=True)
class BuildingShares:
    """The shares by parcel, with findings V-46 and how the layer came into the working CRS (rule 7).

    `carried` are the keys of the buildings whose box meets the territory's, known to the roll or not.
    """

    shares: Mapping[ParcelKey, BuildingShare]
    findings: tuple[Finding, ...]
    operation: Optional[Operation]
    deviation: float
    carried: frozenset[ParcelKey] = frozenset()


def building_shares(
    layer: Layer,
    fields: FieldMap,
    crs: WorkingCrs,
    tolerance: float,
    keys: Sequence[ParcelKey],
    shapes: Geometries,
    territory: Territory,
    edition: Edition,
) -> BuildingShares:
    """The buildings' shares of the split parcels `keys`, whose usable `shapes` are in the working CRS.

    A building belongs to the parcel of its SWIS and print key, else to the parcel that contains its point on surface.
    A parcel without building is not in the answer. The sliver rule does not apply to buildings. Raises `InputError`
    for a layer without CRS, with shapes that are neither points nor polygons, or with both.
    """
    return shares_inside(read_buildings(layer, fields, crs, tolerance), keys, shapes, territory, tolerance, edition)


@dataclass(frozen=True, eq=False)
class Buildings:
    """The buildings in the working CRS, whatever the boundary.

    `by_key` are the rows of each key that buildings carry, `nameless` the rows with a box but without a key and
    `nameless_boxes` these boxes. `usable` remembers by row whether a building can be measured.
    """

    geometry: Geometries
    are_points: bool
    by_key: Mapping[ParcelKey, Sequence[int]]
    nameless: Rows
    nameless_boxes: Geometries
    operation: Optional[Operation]
    deviation: float
    usable: dict[int, bool]

    def is_usable(self, row: int) -> bool:
        """Whether the building of a row can be measured."""
        known = self.usable.get(row)
        if known is None:
            known = self.usable[row] = _usable(self.geometry[row])
        return known


def read_buildings(layer: Layer, fields: FieldMap, crs: WorkingCrs, tolerance: float) -> Buildings:
    """The buildings of a layer, with the faults of `building_shares`."""
    geometry, operation, deviation = to_working(layer.geometry, layer.crs, "buildings", crs, tolerance, layer.source)
    are_points = _are_points(geometry, layer.source)
    own = _own_keys(layer, fields)
    by_key: dict[ParcelKey, list[int]] = {}
    nameless = []
    boxed = ~(shapely.is_missing(geometry) | shapely.is_empty(geometry))
    for row, (key, there) in enumerate(zip(own, boxed.tolist())):
        if key is not None:
            by_key.setdefault(key, []).append(row)
        elif there:
            nameless.append(row)
    rows = np.array(nameless, dtype=np.int64)
    boxes: Geometries = shapely.box(*shapely.bounds(geometry[rows]).reshape(-1, 4).T)
    return Buildings(geometry, are_points, by_key, rows, boxes, operation, deviation, {})


def shares_inside(
    buildings: Buildings,
    keys: Sequence[ParcelKey],
    shapes: Geometries,
    territory: Territory,
    tolerance: float,
    edition: Edition,
) -> BuildingShares:
    """The buildings' shares of the split parcels `keys`, as `building_shares` gives them."""
    geometry = buildings.geometry
    rows_of, broken = _by_parcel(buildings, keys, shapes)
    rows = np.array(sorted({row for mine in rows_of.values() for row in mine}), dtype=np.int64)
    if buildings.are_points:
        shares = _point_shares(geometry, rows_of, territory)
    else:
        placed = place(geometry[rows], territory.shape, tolerance, slivers=False)
        shares = _footprint_shares(geometry, rows_of, {int(row): at for at, row in enumerate(rows)}, placed)
    findings = (*_line_findings(shares, edition), *_broken_findings(geometry, broken, shares, edition))
    return BuildingShares(shares, findings, buildings.operation, buildings.deviation, _carried(buildings, territory))


def _are_points(geometry: Geometries, source: str) -> bool:
    kinds = shapely.get_type_id(geometry[~(shapely.is_missing(geometry) | shapely.is_empty(geometry))])
    points = np.isin(kinds, (POINT, MULTIPOINT))
    lines = np.isin(kinds, (1, 2, 5))
    if lines.any():
        raise InputError(
            f"{source}: a building is drawn as a line. Give footprints as polygons, or one point a building."
        )
    if points.any() and not points.all():
        raise InputError(
            f"{source} mixes points and footprints, which cannot be weighed against one another. Give one kind."
        )
    return bool(points.any())


# Which building is whose


def _own_keys(layer: Layer, fields: FieldMap) -> list[Optional[ParcelKey]]:
    """The parcel key that each building carries, None where SWIS or print key is missing."""
    swis, print_key = fields.get("swis"), fields.get("print_key")
    if swis is None or print_key is None:
        return [None] * len(layer.geometry)
    pairs = zip(swis_column(layer.columns[swis]), key_column(layer.columns[print_key]))
    return [(str(code), str(key)) if code and key else None for code, key in pairs]


def _carried(buildings: Buildings, territory: Territory) -> frozenset[ParcelKey]:
    left, bottom, right, top = territory.box
    box = shapely.bounds(buildings.geometry)
    meets = (box[:, 0] <= right) & (box[:, 2] >= left) & (box[:, 1] <= top) & (box[:, 3] >= bottom)
    there = set(np.flatnonzero(meets).tolist())
    return frozenset(key for key, rows in buildings.by_key.items() if not there.isdisjoint(rows))


def unknown_parcel_findings(keys: Iterable[ParcelKey], edition: Edition) -> list[Finding]:
    """V-37 for buildings near the territory that carry a key which the roll does not have."""
    text = "A building carries the key of this parcel, which is not in the roll, and counts for none. Correct its key."
    return [Finding("V-37", "warning", text, *key, edition.citation("V-37")) for key in sorted(keys)]


def _by_parcel(
    buildings: Buildings, keys: Sequence[ParcelKey], shapes: Geometries
) -> tuple[dict[ParcelKey, list[int]], list[tuple[ParcelKey, int]]]:
    """Usable buildings (rows) of each split parcel in key order, and the unusable ones with the parcel they concern."""
    concerned = [(key, row) for key in sorted(set(keys)) for row in buildings.by_key.get(key, ())]
    tree = shapely.STRtree(shapes)
    near = np.unique(tree.query(buildings.nameless_boxes)[0])
    for row in buildings.nameless[near].tolist():
        owners = _containing(buildings.geometry[row], keys, shapes, tree, buildings.is_usable(row))
        concerned += [(owner, row) for owner in owners]
    mine: dict[ParcelKey, list[int]] = {}
    broken: list[tuple[ParcelKey, int]] = []
    for key, row in sorted(concerned):
        if buildings.is_usable(row):
            mine.setdefault(key, []).append(row)
        else:
            broken.append((key, row))
    return mine, broken


def _usable(building: Any) -> bool:
    if building is None or shapely.is_empty(building):
        return False
    if shapely.get_type_id(building) in (POINT, MULTIPOINT):
        return bool(np.isfinite(shapely.get_coordinates(building)).all())
    return not shape_problem(building)


def _containing(
    building: Any, keys: Sequence[ParcelKey], shapes: Geometries, tree: shapely.STRtree, usable: bool
) -> list[ParcelKey]:
    """The parcels that contain a building's point on surface: several where units are stacked.

    On the line between parcels it is the first by key. An unusable building concerns every parcel that its box meets.
    """
    if not usable:
        return sorted(keys[at] for at in tree.query(shapely.box(*shapely.bounds(building))))
    point = shapely.point_on_surface(building)
    met = tree.query(point, predicate="intersects")
    within = sorted(keys[at] for at in met if shapely.contains(shapes[at], point))
    return within or sorted(keys[at] for at in met)[:1]


# Shares


def _point_shares(
    geometry: Geometries, rows_of: Mapping[ParcelKey, list[int]], territory: Territory
) -> dict[ParcelKey, BuildingShare]:
    boundary = shapely.boundary(territory.shape)
    shares = {}
    for key, rows in rows_of.items():
        points = shapely.get_parts(geometry[rows])
        inside = int(np.count_nonzero(shapely.intersects(territory.shape, points)))
        on_line = bool(shapely.intersects(boundary, points).any())
        shares[key] = BuildingShare(Fraction(inside, len(points)), len(points), cut=False, on_line=on_line)
    return shares


def _footprint_shares(
    geometry: Geometries, rows_of: Mapping[ParcelKey, list[int]], at: Mapping[int, int], placed: Placement
) -> dict[ParcelKey, BuildingShare]:
    shares = {}
    for key, rows in rows_of.items():
        position = [at[row] for row in rows]
        area = [float(shapely.area(polygonal(geometry[row]))) for row in rows]
        # fsum, so that the order of the rows does not reach the result
        inside = math.fsum(size * float(placed.share[one]) for size, one in zip(area, position))
        share = exact_share(min(inside / math.fsum(area), 1.0))
        cut = bool((placed.place[position] == SPLIT).any())
        shares[key] = BuildingShare(share, len(rows), cut, on_line=False)
    return shares


# V-46


def _line_findings(shares: Mapping[ParcelKey, BuildingShare], edition: Edition) -> list[Finding]:
    findings = []
    for (swis, print_key), share in sorted(shares.items()):
        if share.cut:
            message = "The boundary cuts a building of this parcel; buildings are divided by their footprints' area."
        elif share.on_line:
            message = "A building point of this parcel lies on the boundary; it counts as inside."
        else:
            continue
        findings.append(Finding("V-46", "warning", message, swis, print_key, edition.citation("V-46")))
    return findings


def _broken_findings(
    geometry: Geometries,
    broken: Sequence[tuple[ParcelKey, int]],
    shares: Mapping[ParcelKey, BuildingShare],
    edition: Edition,
) -> list[Finding]:
    """A building that cannot be used, named by its parcel, and what then divides the improvement."""
    findings = []
    for key, row in broken:
        building = geometry[row]
        problem = shape_problem(building)
        remains = "the other buildings alone divide" if key in shares else "no building is known, so area alone divides"
        message = f"A building of this parcel cannot be used: {problem}. Of this parcel, {remains} the value."
        findings.append(Finding("V-46", "warning", message, *key, edition.citation("V-46")))
    return sorted(findings, key=lambda finding: (finding.swis, finding.print_key, finding.message))
