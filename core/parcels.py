"""Which parcels stand near the territory, each with one shape: rules 3 to 6 up to the value.

Shapes are read only where a parcel's box meets the territory's; the rows of one key are brought together and
`overlay` says where each lies. What is far away is counted, never read.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Optional

import numpy as np
import pyproj
import shapely

from .crs import WorkingCrs, each_to_working, to_working
from .model import Box, FieldMap, Operation, ParcelKey, ParcelSource
from .overlay import OUTSIDE, UNUSABLE, Placement, place, shape_problem
from .roll import OK, Roll, RollEntries, read_entries
from .territory import Territory

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .model import Geometries, Rows

BOX_MARGIN = 0.01
"""A box carried into another CRS is widened by this part of its size: its edges are curves there."""


@dataclass(frozen=True)
class FarParcels:
    """What is counted of the keys that are outside, whether far away or near the boundary.

    `value` is in whole dollars; keys whose value is missing, unreadable or differs between rows count 0 in it, and
    `differing_value` is what the first rows of the differing ones say.
    """

    keys: int
    value: int
    without_value: int
    repeated: int
    differing_value: int


@dataclass(frozen=True, eq=False)
class Neighbourhood:
    """The parcels about a box of the source's CRS, ready to be placed against any territory inside it.

    `codes`, ascending, are the keys of which some row's box meets the box, and the `boxless` of which no row has one;
    parallel to them are `shapes`, in the working CRS, and `problems` beyond what a shape itself shows ("" without).
    Of each row read, `row_codes` is its key's code (−1 without key), `row_boxes` its box in the source's CRS and
    `row_deviations` how far its edges bent on their way. `keyless` are the shapes of rows without a key.
    """

    box: Box
    codes: Rows
    shapes: Geometries
    problems: NDArray[np.object_]
    boxless: Rows
    row_codes: Rows
    row_boxes: NDArray[np.float64]
    row_deviations: NDArray[np.float64]
    keyless: Geometries
    keyless_unusable: NDArray[np.bool_]
    keyless_without_shape: int
    operation: Optional[Operation]


@dataclass(frozen=True)
class NearParcels:
    """The keys that are not outside, that only slivers keep outside, or that have no box; arrays in key order.

    `shapes` are in the working CRS, the union of a key's rows, None where there is none; `boxless` marks keys
    without any shape. `keyless` are the shapes that meet the territory of rows without a key, and
    `keyless_without_shape` counts the rows that have neither key nor shape.
    """

    entries: RollEntries
    shapes: Geometries
    placement: Placement
    boxless: NDArray[np.bool_]
    keyless: Geometries
    keyless_without_shape: int
    far: FarParcels
    operation: Optional[Operation]
    deviation: float

    def key(self, position: int) -> ParcelKey:
        """SWIS and print key of the parcel at a position."""
        return (str(self.entries.swis[position]), str(self.entries.print_key[position]))


def near_parcels(
    source: ParcelSource,
    fields: FieldMap,
    roll: Roll,
    crs: WorkingCrs,
    territory: Territory,
    tolerance: float,
    step: Callable[[], None] = lambda: None,
) -> NearParcels:
    """Read and place the parcels near the territory.

    `tolerance` is the sliver width in units of the working CRS; `step` is called between the stages and may raise.
    """
    about = read_neighbourhood(source, roll, crs, box_in_source(territory.box, source, crs), tolerance, step)
    step()
    placement = place(about.shapes, territory.shape, tolerance)
    step()
    return placed_near(source, fields, roll, crs, about, placement, territory)


def read_neighbourhood(
    source: ParcelSource,
    roll: Roll,
    crs: WorkingCrs,
    box: Box,
    tolerance: float,
    step: Callable[[], None] = lambda: None,
) -> Neighbourhood:
    """Every key of which some row's box meets `box`, in the source's CRS, and every key without any shape."""
    rows, shapes = source.shapes(box=box)
    met = _boxes_meet(shapely.bounds(shapes), box)
    rows, shapes = rows[met], shapes[met]
    step()
    shapeless = source.shapeless()
    partly, boxless = _keys_without_shape(roll, shapeless)
    near = np.unique(roll.row_key[rows])
    near = near[near >= 0]
    others = np.setdiff1d(np.setdiff1d(roll.rows_of(near), rows), shapeless)
    if len(others):
        more_rows, more_shapes = source.shapes(rows=others)
        rows, shapes = np.concatenate([rows, more_rows]), np.concatenate([shapes, more_shapes])
    boxes = shapely.bounds(shapes)
    shapes, operation, deviations = each_to_working(shapes, source.crs, "parcels", crs, tolerance)
    codes = np.union1d(near, boxless)
    united, problems = _unite(roll, codes, rows, shapes, partly)
    nameless = shapes[roll.row_key[rows] < 0]
    return Neighbourhood(
        box=box,
        codes=codes,
        shapes=united,
        problems=problems,
        boxless=boxless,
        row_codes=roll.row_key[rows],
        row_boxes=boxes,
        row_deviations=deviations,
        keyless=nameless,
        keyless_unusable=np.array([bool(shape_problem(shape)) for shape in nameless], dtype=bool),
        keyless_without_shape=int(np.count_nonzero(roll.row_key[shapeless] < 0)),
        operation=operation,
    )


def placed_near(
    source: ParcelSource,
    fields: FieldMap,
    roll: Roll,
    crs: WorkingCrs,
    about: Neighbourhood,
    placement: Placement,
    territory: Territory,
    known: Optional[KnownRows] = None,
) -> NearParcels:
    """The parcels near a territory whose box the neighbourhood's takes in; `placement` is that of its shapes.

    `known` are rows of the roll that were read already; what is not among them is read here.
    """
    placement = _refuse(placement, about.shapes, about.problems, territory.box)
    met = (placement.place != OUTSIDE) | placement.moved | np.isin(about.codes, about.boxless)
    codes = about.codes[met]
    entries = read_entries(source, fields, roll, codes) if known is None else known.entries_of(codes)
    order = np.searchsorted(about.codes, entries.codes)
    return NearParcels(
        entries=entries,
        shapes=about.shapes[order],
        placement=placement.taken(order),
        boxless=np.isin(entries.codes, about.boxless),
        keyless=_keyless(about, territory),
        keyless_without_shape=about.keyless_without_shape,
        far=_far_parcels(source, fields, roll, codes, known),
        operation=about.operation,
        deviation=_deviation(about, box_in_source(territory.box, source, crs)),
    )


def united_shapes(source: ParcelSource, roll: Roll, codes: Rows, crs: WorkingCrs, tolerance: float) -> Geometries:
    """One shape in the working CRS for each of `codes`, ascending; None where a key has none."""
    rows, shapes = source.shapes(rows=roll.rows_of(codes))
    there = ~(shapely.is_missing(shapes) | shapely.is_empty(shapes))
    shapes, _, _ = to_working(shapes[there], source.crs, "parcels", crs, tolerance)
    return _unite(roll, codes, rows[there], shapes, np.empty(0, dtype=np.int64))[0]


def box_in_source(box: Box, source: ParcelSource, crs: WorkingCrs) -> Box:
    """A box of the working CRS in the CRS of the source, with room to spare where the two differ."""
    if crs.is_parcels_own:
        return box
    left, bottom, right, top = _back(crs.wkt, source.crs).transform_bounds(*box, densify_pts=21)
    dx, dy = (right - left) * BOX_MARGIN, (top - bottom) * BOX_MARGIN
    return (left - dx, bottom - dy, right + dx, top + dy)


@lru_cache(maxsize=4)
def _back(working: str, source: str) -> pyproj.Transformer:
    return pyproj.Transformer.from_crs(working, source, always_xy=True)


def _keys_without_shape(roll: Roll, shapeless: Rows) -> tuple[Rows, Rows]:
    """The keys with some row that has no shape, and those of which no row has one."""
    codes = roll.row_key[shapeless]
    keys, counts = np.unique(codes[codes >= 0], return_counts=True)
    return keys, keys[counts == roll.row_count[keys]]


def _unite(
    roll: Roll, codes: Rows, rows: Rows, shapes: Geometries, partly: Rows
) -> tuple[Geometries, NDArray[np.object_]]:
    """One shape a key, and what is wrong with it beyond what the shape itself shows ("" where nothing is)."""
    keyed = roll.row_key[rows] >= 0
    position = np.searchsorted(codes, roll.row_key[rows[keyed]])
    pieces = shapes[keyed]
    counts = np.bincount(position, minlength=len(codes))
    united: Geometries = np.full(len(codes), None, dtype=object)
    problems: NDArray[np.object_] = np.full(len(codes), "", dtype=object)
    alone = counts[position] == 1
    united[position[alone]] = pieces[alone]
    for key in np.flatnonzero(counts > 1):
        united[key], problems[key] = _union(pieces[position == key])
    problems[np.isin(codes, partly) & (counts > 0)] = "one of its rows has no polygon"
    return united, problems


def _union(pieces: Geometries) -> tuple[Any, str]:
    # Sorted, so that the order of the rows reaches neither the bits of the union nor the words about it.
    pieces = pieces[np.argsort(np.array([piece.wkb for piece in pieces], dtype=object), kind="stable")]
    for piece in pieces:
        problem = shape_problem(piece)
        if problem:
            return shapely.geometrycollections(pieces), problem
    return shapely.union_all(pieces), ""


def _refuse(placement: Placement, shapes: Geometries, problems: NDArray[np.object_], box: Box) -> Placement:
    """Set aside the keys that have a problem, unless their box is disjoint from the territory's (rule 4)."""
    faulty = problems != ""
    if not faulty.any():
        return placement
    bounds = shapely.bounds(shapes[faulty])
    left, bottom, right, top = box
    meets = (bounds[:, 0] <= right) & (bounds[:, 2] >= left) & (bounds[:, 1] <= top) & (bounds[:, 3] >= bottom)
    places, texts = placement.place.copy(), placement.problem.copy()
    shares, moved = placement.share.copy(), placement.moved.copy()
    where = np.flatnonzero(faulty)
    places[where] = np.where(meets, UNUSABLE, OUTSIDE)
    texts[where] = np.where(meets, problems[faulty], "")
    shares[where] = np.where(meets, np.nan, 0.0)
    moved[where] = False
    return replace(placement, place=places, share=shares, moved=moved, problem=texts)


def _keyless(about: Neighbourhood, territory: Territory) -> Geometries:
    """Shapes without a key that meet the territory; an unusable one does where its box meets the territory's."""
    meets = np.zeros(len(about.keyless), dtype=bool)
    unusable = about.keyless_unusable
    meets[unusable] = _boxes_meet(shapely.bounds(about.keyless[unusable]), territory.box)
    sound = about.keyless[~unusable]
    meets[~unusable] = shapely.intersects(territory.shape, sound) & ~shapely.touches(territory.shape, sound)
    met: Geometries = about.keyless[meets]
    return met


def _deviation(about: Neighbourhood, box: Box) -> float:
    """The largest deviation among the keys of which some row's box meets `box`, in the source's CRS."""
    if not about.row_deviations.any():
        return 0.0
    met = _boxes_meet(about.row_boxes, box)
    keyed = about.row_codes >= 0
    near = met | (keyed & np.isin(about.row_codes, about.row_codes[met & keyed]))
    return float(about.row_deviations[near].max(initial=0.0))


def _boxes_meet(boxes: NDArray[np.float64], box: Box) -> NDArray[np.bool_]:
    left, bottom, right, top = box
    boxes = boxes.reshape(-1, 4)
    meets: NDArray[np.bool_] = (
        (boxes[:, 0] <= right) & (boxes[:, 2] >= left) & (boxes[:, 1] <= top) & (boxes[:, 3] >= bottom)
    )
    return meets


def _far_parcels(
    source: ParcelSource, fields: FieldMap, roll: Roll, codes: Rows, known: Optional[KnownRows]
) -> FarParcels:
    far = np.ones(roll.keys, dtype=bool)
    far[codes] = False
    repeated = np.flatnonzero(far & (roll.row_count > 1))
    counted = far & (roll.total_state == OK)
    differing_value = 0
    if len(repeated):
        differing = _differing(source, fields, roll, repeated) if known is None else known.differing_of(repeated)
        differing_value = int(roll.total[differing[counted[differing]]].sum())
        counted[differing] = False
    return FarParcels(
        keys=int(np.count_nonzero(far)),
        value=int(roll.total[counted].sum()),
        without_value=int(np.count_nonzero(far & ~counted)),
        repeated=len(repeated),
        differing_value=differing_value,
    )


def _differing(source: ParcelSource, fields: FieldMap, roll: Roll, repeated: Rows) -> Rows:
    """Those of the keys of several rows whose rows differ."""
    entries = read_entries(source, fields, roll, repeated)
    return entries.codes[entries.differs]


@dataclass(frozen=True, eq=False)
class KnownRows:
    """What the roll says of the keys of a neighbourhood, and which keys of the whole roll have rows that differ."""

    entries: RollEntries
    differing: Rows

    def entries_of(self, codes: Rows) -> RollEntries:
        """The entries of some of the keys, in key order."""
        return self.entries.taken(np.flatnonzero(np.isin(self.entries.codes, codes)))

    def differing_of(self, repeated: Rows) -> Rows:
        """Those of the keys of several rows whose rows differ."""
        return self.differing[np.isin(self.differing, repeated)]


def read_known_rows(
    source: ParcelSource, fields: FieldMap, roll: Roll, codes: Rows, before: Optional[KnownRows] = None
) -> KnownRows:
    """Read the rows of these keys, and of every key of several rows unless that was done `before`."""
    if before is not None:
        differing = before.differing
    else:
        repeated = np.flatnonzero(roll.row_count > 1)
        differing = _differing(source, fields, roll, repeated) if len(repeated) else repeated
    return KnownRows(read_entries(source, fields, roll, codes), differing)
