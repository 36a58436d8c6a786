"""The boundary of the proposed village: read, checked, measured. Rules 8 and 21, § 2-200(1) and § 2-202(1)(c)(1)."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Optional

import numpy as np
import shapely

from .crs import (
    METRES_PER_FOOT,
    WorkingCrs,
    deviation_findings,
    geodesic_measures,
    to_working,
)
from .figures import count
from .model import Box, Finding, InputError, Layer, Operation, TerritoryFacts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .editions import Edition
    from .model import Geometries

SQUARE_METRES_PER_ACRE = Fraction("4046.8564224")
ACRES_PER_SQUARE_MILE = 640
DECIMALS_OF_SQUARE_MILES = 10**6
STRAIGHT = 1000
"""A vertex that lies within this part of the tolerance on the line through its neighbours is no corner."""

POLYGON, MULTIPOLYGON, COLLECTION = 3, 6, 7
_SELF_CROSSING = ("self-intersection", "ring self-intersection")


@dataclass(frozen=True, eq=False)
class Territory:
    """The territory in the working CRS, one valid Polygon or MultiPolygon, with what is printed of it.

    `operation` and `deviation` tell how the boundary came into the working CRS (rule 7).
    """

    shape: Any
    box: Box
    facts: TerritoryFacts
    operation: Optional[Operation]
    deviation: float


def read_territory(
    layer: Layer, crs: WorkingCrs, tolerance: float, edition: Edition, parts_reason: str = ""
) -> tuple[Territory, tuple[Finding, ...]]:
    """The territory and findings V-02 (several features, parts, holes) and V-41 (bent edges).

    `parts_reason` is the petitioners' reason for parts or holes: with it they are warnings. Raises `InputError`
    for a layer without CRS, without features, with a feature that is no polygon or whose ring crosses itself.
    """
    features, operation, deviation = to_working(layer.geometry, layer.crs, "territory", crs, tolerance, layer.source)
    usable, blank = _usable(features, layer.source, crs)
    shape = _merged(usable)
    shapely.prepare(shape)
    facts = territory_facts(shape, crs, tolerance, edition)
    left, bottom, right, top = (float(edge) for edge in shapely.bounds(shape))
    territory = Territory(shape, (left, bottom, right, top), facts, operation, deviation)
    findings = (
        *_feature_findings(len(features) - blank, len(usable), blank, edition),
        *_part_findings(territory, crs, edition, parts_reason.strip()),
        *deviation_findings("the territory", deviation, crs, tolerance, edition),
    )
    return territory, findings


def territory_facts(shape: Any, crs: WorkingCrs, tolerance: float, edition: Edition) -> TerritoryFacts:
    """Area, parts, holes, corners and perimeter of a valid shape in the working CRS, as they are printed."""
    polygons, _ = polygon_parts([shape])
    square_metres, metres = (Fraction(repr(measure)) for measure in geodesic_measures(shape, crs))
    return TerritoryFacts(
        square_miles=square_miles(square_metres, edition),
        parts=len(polygons),
        holes=int(shapely.get_num_interior_rings(polygons).sum()),
        corners=sum(_corners(ring, tolerance / STRAIGHT) for ring in shapely.get_rings(polygons)),
        perimeter_feet=half_up(metres / METRES_PER_FOOT),
    )


def square_miles(square_metres: Fraction, edition: Edition) -> Fraction:
    """Square miles as printed and compared: six decimals, half up (rule 21)."""
    exact = square_metres / edition.number("square_metres_per_square_mile")
    return Fraction(half_up(exact * DECIMALS_OF_SQUARE_MILES), DECIMALS_OF_SQUARE_MILES)


# Shapes, for every module that asks whether one can be used


def polygon_parts(shapes: Sequence[Any] | Geometries) -> tuple[Geometries, NDArray[np.int64]]:
    """All polygons in these shapes, whatever collection holds them, and for each the position of its shape."""
    parts: Geometries = np.asarray(shapes, dtype=object)
    index = np.arange(len(parts))
    while (shapely.get_type_id(parts) > POLYGON).any():
        parts, position = shapely.get_parts(parts, return_index=True)
        index = index[position]
    keep = (shapely.get_type_id(parts) == POLYGON) & ~shapely.is_empty(parts)
    return parts[keep], index[keep]


def polygonal(shape: Any) -> Any:
    """The polygons of a valid shape as one Polygon or MultiPolygon: lines and points of a collection have no area."""
    if shapely.get_type_id(shape) != COLLECTION:
        return shape
    return shapely.union_all(polygon_parts([shape])[0])


def shape_problem(shape: Any) -> str:
    """Why a shape cannot be measured, with the place rounded to 1 unit; empty where it can (rule 4)."""
    if shape is None or shapely.is_empty(shape):
        return "no geometry"
    if not np.isfinite(shapely.get_coordinates(shape)).all():
        return "a coordinate that is no number"
    polygons, _ = polygon_parts([shape])
    if not len(polygons):
        return f"no polygon {near(shapely.get_coordinates(shape)[0])}"
    if not shapely.is_valid(shape):
        return _invalid(str(shapely.is_valid_reason(shape)), shape)
    if not shapely.area(polygons).sum() > 0:
        return f"no area {near(shapely.get_coordinates(shape)[0])}"
    return ""


def near(xy: Sequence[float] | NDArray[np.float64]) -> str:
    """A place as messages name it, rounded to 1 unit of the working CRS: "near 924,000 890,000"."""
    return f"near {half_up(Fraction(float(xy[0]))):,} {half_up(Fraction(float(xy[1]))):,}"


def near_shape(shape: Any) -> str:
    """The place of a shape with area: its point on surface (rule 2)."""
    return near(shapely.get_coordinates(shapely.point_on_surface(shape))[0])


def ground_text(area: float, crs: WorkingCrs) -> str:
    """Square units of the working CRS as messages give them: "10 sq ft", or "1.4 acres" from a tenth of one."""
    square_metres = area * crs.unit_m**2
    acres = square_metres / float(SQUARE_METRES_PER_ACRE)
    if acres >= 0.1:
        return f"{acres:,.1f} acres"
    square_feet = square_metres / float(METRES_PER_FOOT) ** 2
    return f"{square_feet:,.0f} sq ft" if square_feet >= 1 else "less than 1 sq ft"


def half_up(value: Fraction) -> int:
    """The nearest whole number, halves away from nothing but upwards."""
    return math.floor(value + Fraction(1, 2))


def _invalid(reason: str, shape: Any) -> str:
    name, _, place = reason.partition("[")
    numbers = re.findall(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?", place)
    xy = [float(number) for number in numbers[:2]] if len(numbers) > 1 else shapely.get_coordinates(shape)[0]
    name = name.strip().lower()
    return f"{'self-crossing' if name in _SELF_CROSSING else name} {near(xy)}"


# The boundary


def _usable(features: Geometries, source: str, crs: WorkingCrs) -> tuple[list[Any], int]:
    """The polygons to be merged, one a feature unless its own overlap, and how many features have no geometry.

    Features without polygon are refused in one sentence together: a layer of lines has as many as it has streets.
    """
    usable, faults, without, blank = [], [], [], 0
    for feature in features:
        if feature is None or shapely.is_empty(feature):
            blank += 1
            continue
        problem = shape_problem(feature)
        polygons, _ = polygon_parts([feature])
        if not problem:
            usable.append(polygonal(feature))
        elif not len(polygons):
            without.append(problem)
        elif any(shape_problem(polygon) for polygon in polygons):
            faults.append(f"{problem} ({crs.label})")
        else:
            usable.extend(polygons)
    if without:
        more = f" and in {count(len(without) - 1, 'more feature')}" if len(without) > 1 else ""
        faults.append(f"{without[0]} ({crs.label}){more}")
    if faults:
        raise InputError(
            *(
                f"{source}: the territory cannot be used: {fault}. Draw it as a polygon whose boundary neither"
                " crosses nor touches itself."
                for fault in faults
            )
        )
    if not usable:
        raise InputError(f"{source} holds no polygon. Give the layer with the boundary of the proposed village.")
    return usable, blank


def _merged(usable: list[Any]) -> Any:
    if len(usable) == 1:
        return usable[0]
    # sorted, so that the order of the features does not reach the bits of the result
    merged = shapely.union_all(sorted(shapely.normalize(usable), key=shapely.to_wkb))
    return polygonal(merged)


def _corners(ring: Any, straight: float) -> int:
    """Vertices at which the ring turns: those on the line between their neighbours are not counted."""
    xy = shapely.get_coordinates(ring)[:-1]
    xy = xy[(xy != np.roll(xy, 1, axis=0)).any(axis=1)]
    before, after = np.roll(xy, 1, axis=0), np.roll(xy, -1, axis=0)
    base = after - before
    width = np.linalg.norm(base, axis=1)
    height = np.abs(base[:, 0] * (xy - before)[:, 1] - base[:, 1] * (xy - before)[:, 0])
    between = np.einsum("ij,ij->i", xy - before, after - xy) > 0
    return int(np.count_nonzero(~between | (height > straight * width)))


def _feature_findings(features: int, polygons: int, blank: int, edition: Edition) -> list[Finding]:
    findings = []
    if polygons > 1:
        drawn = f"{features:,} features" if features > 1 else f"{polygons:,} polygons that overlap or share a side"
        message = f"The territory was drawn as {drawn}; they were merged into one territory."
        findings.append(Finding("V-02", "warning", message, citation=edition.citation("V-02")))
    if blank:
        noun = "feature" if blank == 1 else "features"
        message = f"The layer of the territory has {blank:,} {noun} without geometry, left out."
        findings.append(Finding("V-02", "warning", message, citation=edition.citation("V-02")))
    return findings


def _part_findings(territory: Territory, crs: WorkingCrs, edition: Edition, reason: str) -> list[Finding]:
    """V-02 for separate parts and for holes: errors, warnings where the petitioners give a reason."""
    parts, _ = polygon_parts([territory.shape])
    holes = [shapely.Polygon(ring) for part in parts for ring in part.interiors]
    said = []
    if len(parts) > 1:
        said.append((f"{len(parts):,} separate parts: {_listed(parts, crs)}.", "Join them"))
    if holes:
        noun = "a hole" if len(holes) == 1 else f"{len(holes):,} holes"
        said.append((f"{noun}: {_listed(holes, crs)}.", "Take in what is left out"))
    severity = "warning" if reason else "error"
    citation = edition.citation("V-02")
    findings = []
    for what, remedy in said:
        then = f"Reason given: {reason.rstrip('.')}." if reason else f"{remedy}, or give the reason (parts_reason)."
        findings.append(Finding("V-02", severity, f"The territory has {what} {then}", citation=citation))
    return findings


def _listed(polygons: Sequence[Any] | Geometries, crs: WorkingCrs) -> str:
    """Size and place of each polygon, the largest first."""
    ordered = sorted(polygons, key=lambda polygon: (-shapely.area(polygon), shapely.bounds(polygon).tolist()))
    return "; ".join(f"{ground_text(shapely.area(one), crs)} {near_shape(one)}" for one in ordered)
