"""The one CRS in which everything is measured, and the way of every layer into it: rule 7."""

from __future__ import annotations

import math
import warnings
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np
import shapely
from pyproj import CRS, Geod
from pyproj.aoi import AreaOfInterest
from pyproj.exceptions import CRSError
from pyproj.transformer import Transformer, TransformerGroup

from .editions import state_plane_zones
from .model import Finding, InputError, Operation

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .editions import Edition
    from .model import Geometries

    Numbers = NDArray[np.float64]

METRES_PER_FOOT = Fraction("0.3048")
"""The international foot, in which the sliver width is given."""

LONGITUDE_LATITUDE = "EPSG:4269"
"""NAD83, the datum of the State Plane zones, on the GRS80 ellipsoid."""

SPHERICAL_MERCATOR = (
    "Popular Visualisation Pseudo Mercator",
    "Mercator Auxiliary Sphere",
    "Mercator (1SP) (Spherical)",
)
SAME_PLACE = 1e-6
"""Units by which coordinates that only went through another spelling of the same CRS may seem to move."""

STEPS_THAT_MATTER = 1000
MOST_SEGMENTS = 1024


@dataclass(frozen=True)
class WorkingCrs:
    """The CRS of all measuring: `unit_m` metres make a unit; `label` is "EPSG:2262" or its name.

    `county` names the county whose State Plane zone it is, empty where it is the parcels' own CRS.
    """

    wkt: str
    label: str
    unit_m: float
    is_parcels_own: bool
    county: str = ""

    def tolerance(self, sliver_width_ft: Union[Fraction, str]) -> float:
        """The sliver width (rule 5), given in international feet, in units of this CRS."""
        return float(Fraction(sliver_width_ft) * METRES_PER_FOOT) / self.unit_m


def working_crs(parcel_crs: str, swis: Iterable[str], source: str) -> WorkingCrs:
    """The parcels' own CRS where projected and not web mercator, else the State Plane zone (US ft) of their county.

    `swis` are the parcels' SWIS codes; where they are of several counties, the one of most rows decides, the lower
    code where two have as many. Raises `InputError` where the layer has no CRS, one that is tied to no place on
    earth, or, in degrees or web mercator, no SWIS of a county of New York.
    """
    crs = parse_crs(parcel_crs, source)
    if _measures_planes(crs):
        return _described(crs, is_parcels_own=True)
    if not (crs.is_geographic or crs.is_projected):
        raise InputError(
            f"{source}: its coordinate reference system “{crs.name}” is tied to no place on earth. "
            "Assign the one that it was made in, e.g. EPSG:2262."
        )
    zones = state_plane_zones()
    rows = Counter(code[:2] for code in swis if code[:2] in zones)
    if not rows:
        raise InputError(
            f"{source} is in {crs_label(crs)}, in which nothing can be measured, and no SWIS code names a county of "
            "New York by which to choose a State Plane zone. Export it to the State Plane zone of its county."
        )
    county = min(rows, key=lambda code: (-rows[code], code))
    zone = CRS.from_epsg(int(zones[county]["epsg"]))
    return _described(zone, is_parcels_own=False, county=str(zones[county]["county"]))


def parse_crs(text: str, source: str) -> CRS:
    """The CRS of a layer without its heights. Raises `InputError` naming a layer that has none or an unknown one."""
    if not text.strip():
        raise InputError(
            f"{source} has no coordinate reference system. Assign the one that it was made in, e.g. EPSG:2262."
        )
    try:
        crs = _crs_of(text)
    except CRSError as error:
        raise InputError(
            f"{source}: its coordinate reference system “{text.strip()[:60]}” is not known. "
            "Assign the one that it was made in, e.g. EPSG:2262."
        ) from error
    return crs.sub_crs_list[0] if crs.is_compound else crs


def crs_label(crs: CRS) -> str:
    """Authority and code, "EPSG:2262", or the name of a CRS that has none."""
    authority = crs.to_authority(min_confidence=70)
    return ":".join(authority) if authority else str(crs.name)


def to_working(
    geometry: Geometries, layer_crs: str, layer_name: str, crs: WorkingCrs, tolerance: float, source: str = ""
) -> tuple[Geometries, Optional[Operation], float]:
    """Shapes in the working CRS, vertex by vertex and without heights; how they came there; and the deviation.

    The deviation is the largest of `each_to_working`, which tells more; 0.0 without shapes.
    """
    moved, operation, deviations = each_to_working(geometry, layer_crs, layer_name, crs, tolerance, source)
    return moved, operation, float(deviations.max(initial=0.0))


def each_to_working(
    geometry: Geometries, layer_crs: str, layer_name: str, crs: WorkingCrs, tolerance: float, source: str = ""
) -> tuple[Geometries, Optional[Operation], Numbers]:
    """Shapes in the working CRS, how they came there, and the deviation of each shape.

    A deviation is the largest distance, in units of `crs`, by which an edge of the shape, straight in its own CRS,
    leaves the straight edge between its transformed ends: edges are halved until that changes by less than a
    thousandth of `tolerance`. The operation, which calls the layer `layer_name`, is None where the layer is in the
    working CRS already. Raises `InputError`, which calls the layer `source` where that is given, for a layer without
    CRS or with a point that PROJ cannot carry over.
    """
    told = source or layer_name
    origin = parse_crs(layer_crs, told)
    target = _crs_of(crs.wkt)
    flat = flattened(geometry)
    none = np.zeros(len(flat))
    if layer_crs == crs.label or origin.equals(target, ignore_axis_order=True):
        return flat, None, none
    transformer, operation = _operation(origin, target, layer_name)
    before = shapely.get_coordinates(flat)
    after = _carry(transformer, before)
    lost = np.flatnonzero(np.isfinite(before).all(axis=1) & ~np.isfinite(after).all(axis=1))
    if len(lost):
        x, y = before[lost[0]]
        raise InputError(
            f"{told}: the point {x:.9g} {y:.9g} cannot be brought into {crs.label}. "
            "Check that the layer has the coordinate reference system that it was made in."
        )
    if np.array_equal(np.isfinite(before), np.isfinite(after)) and _stays(before, after):
        return flat, operation, none
    moved: Geometries = shapely.transform(flat, lambda xy: _carry(transformer, xy))
    start, end, shape = _edges(flat)
    deviations = np.zeros(len(flat))
    np.maximum.at(deviations, shape, _deviation(transformer, start, end, tolerance))
    return moved, operation, deviations


def deviation_findings(
    role: str, deviation: float, crs: WorkingCrs, tolerance: float, edition: Edition
) -> tuple[Finding, ...]:
    """V-41 where a straight edge of a layer leaves its transformed straight edge by more than the tolerance."""
    if deviation <= tolerance:
        return ()
    feet = deviation * crs.unit_m / float(METRES_PER_FOOT)
    message = (
        f"Straight lines of the layer of {role} would bend by up to {feet:,.1f} ft on their way into {crs.label}; "
        "they were kept straight between their corners. Draw long lines with more corners, or in that system."
    )
    return (Finding("V-41", "warning", message, citation=edition.citation("V-41")),)


def geodesic_measures(geometry: Any, crs: WorkingCrs) -> tuple[float, float]:
    """Area in square metres and length of the boundary in metres on the GRS80 ellipsoid (rule 21).

    Edges are geodesics between vertices. Holes are taken out of the area; their edges count in the length.
    """
    rings = _geodesic_rings(geometry, crs)
    return abs(math.fsum(sign * area for sign, area, _ in rings)), math.fsum(length for _, _, length in rings)


def flattened(shapes: Geometries) -> Geometries:
    """The shapes without heights; the array itself where none has any."""
    flat: Geometries = shapely.force_2d(shapes) if shapely.has_z(shapes).any() else shapes
    return flat


# The CRS


@lru_cache(maxsize=64)
def _crs_of(text: str) -> CRS:
    return CRS.from_user_input(text)


def _base(crs: CRS) -> CRS:
    return crs.source_crs if crs.is_bound and crs.source_crs is not None else crs


def _measures_planes(crs: CRS) -> bool:
    base = _base(crs)
    if not base.is_projected:
        return False
    operation = base.coordinate_operation
    method = operation.method_name if operation is not None else ""
    on_sphere = base.ellipsoid is not None and base.ellipsoid.inverse_flattening == 0
    return method not in SPHERICAL_MERCATOR and not (method.startswith("Mercator") and on_sphere)


def _described(crs: CRS, is_parcels_own: bool, county: str = "") -> WorkingCrs:
    unit = float(_base(crs).axis_info[0].unit_conversion_factor)
    return WorkingCrs(crs.to_wkt(), crs_label(_base(crs)), unit, is_parcels_own, county)


# The way into it


def _operation(source: CRS, target: CRS, layer_name: str) -> tuple[Transformer, Operation]:
    """The best operation that this PROJ has for where the target CRS is used: one for all points, with a name."""
    area = target.area_of_use
    region = AreaOfInterest(*area.bounds) if area is not None else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # a missing grid is said in the operation's name
        group = TransformerGroup(source, target, always_xy=True, area_of_interest=region)
    if not group.transformers:
        raise InputError(
            f"{layer_name}: no way is known from {crs_label(source)} to {crs_label(target)}. "
            "Export the layer to the coordinate reference system of the parcels."
        )
    transformer = group.transformers[0]
    name = str(transformer.description)
    if not group.best_available and group.unavailable_operations:
        grids = [grid.short_name for grid in group.unavailable_operations[0].grids if not grid.available]
        if grids:
            name += f" (without the grid {', '.join(grids)})"
    accuracy = None if transformer.accuracy < 0 else f"{transformer.accuracy:g}"
    return transformer, Operation(layer_name, crs_label(source), crs_label(target), name, accuracy)


@lru_cache(maxsize=16)
def _to_longitude_latitude(wkt: str) -> Transformer:
    return _operation(_crs_of(wkt), _crs_of(LONGITUDE_LATITUDE), "territory")[0]


def _carry(transformer: Transformer, xy: Numbers) -> Numbers:
    return np.column_stack(transformer.transform(xy[:, 0], xy[:, 1]))


def _stays(before: Numbers, after: Numbers) -> bool:
    """Whether two spellings of one CRS only added noise, which would spoil exact predicates between layers."""
    return bool(np.nanmax(np.abs(after - before), initial=0.0) <= SAME_PLACE)


def _edges(geometry: Geometries) -> tuple[Numbers, Numbers, NDArray[np.int64]]:
    """Starts and ends of all edges of polygons and lines, and the position of the shape that each belongs to."""
    parts = np.atleast_1d(np.asarray(geometry, dtype=object))
    owner = np.arange(len(parts))
    while (shapely.get_type_id(parts) >= 4).any():
        parts, position = shapely.get_parts(parts, return_index=True)
        owner = owner[position]
    rings, position = shapely.get_rings(parts, return_index=True)
    lines = np.isin(shapely.get_type_id(parts), (1, 2))
    strings = np.concatenate([rings, parts[lines]])
    owner = np.concatenate([owner[position], owner[lines]])
    xy, string = shapely.get_coordinates(strings, return_index=True)
    joined = string[1:] == string[:-1]
    return xy[:-1][joined], xy[1:][joined], owner[string[1:][joined]]


def _deviation(transformer: Transformer, start: Numbers, end: Numbers, tolerance: float) -> Numbers:
    """How far each edge, straight before, leaves the straight one after; 0.0 for an edge with no true end."""
    sound = np.isfinite(start).all(axis=1) & np.isfinite(end).all(axis=1)
    straight_start, straight_end = np.zeros_like(start), np.zeros_like(end)
    straight_start[sound], straight_end[sound] = _carry(transformer, start[sound]), _carry(transformer, end[sound])
    largest = np.zeros(len(start))
    active = np.flatnonzero(sound)
    segments = 1
    while len(active) and segments < MOST_SEGMENTS:
        segments *= 2
        off = np.zeros(len(active))
        for step in range(1, segments, 2):
            along = start[active] + (end[active] - start[active]) * (step / segments)
            distance = _distances(_carry(transformer, along), straight_start[active], straight_end[active])
            off = np.fmax(off, distance)
        grown = np.maximum(largest[active], off) - largest[active]
        largest[active] += grown
        if segments > 2:  # the middle of an S-shaped edge may lie on the straight one
            active = active[grown >= tolerance / STEPS_THAT_MATTER]
    return largest


def _distances(points: Numbers, start: Numbers, end: Numbers) -> Numbers:
    """Distance of each point from its segment."""
    along = end - start
    length = np.einsum("ij,ij->i", along, along)
    with np.errstate(divide="ignore", invalid="ignore"):
        part = np.einsum("ij,ij->i", points - start, along) / length
    part = np.clip(np.where(length > 0, part, 0.0), 0.0, 1.0)
    distances: Numbers = np.linalg.norm(points - (start + along * part[:, None]), axis=1)
    return distances


# The ellipsoid


def _geodesic_rings(geometry: Any, crs: WorkingCrs) -> list[tuple[int, float, float]]:
    """For each ring: 1 for an outer one and -1 for a hole, its area and its length in metres."""
    transformer = _to_longitude_latitude(crs.wkt)
    earth = Geod(ellps="GRS80")
    rings = []
    for polygon in shapely.get_parts(geometry):
        for number, ring in enumerate(shapely.get_rings(polygon)):
            lonlat = _carry(transformer, shapely.get_coordinates(ring))
            area, length = earth.polygon_area_perimeter(lonlat[:, 0], lonlat[:, 1])
            rings.append((-1 if number else 1, abs(area), length))
    return rings
