"""Which parcels stand near the territory, each with one shape: rules 3 to 6 up to the value.

Shapes are read only where a parcel's box meets the territory's; the rows of one key are brought together and
`overlay` says where each lies. What is far away is counted, never read.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional

import numpy as np
import pyproj
import shapely

from .crs import WorkingCrs, to_working
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
    rows, shapes = source.shapes(box=_box_in_source(territory.box, source, crs))
    step()
    shapeless = source.shapeless()
    partly, boxless = _keys_without_shape(roll, shapeless)
    near = np.unique(roll.row_key[rows])
    near = near[near >= 0]
    others = np.setdiff1d(np.setdiff1d(roll.rows_of(near), rows), shapeless)
    if len(others):
        more_rows, more_shapes = source.shapes(rows=others)
        rows, shapes = np.concatenate([rows, more_rows]), np.concatenate([shapes, more_shapes])
    shapes, operation, deviation = to_working(shapes, source.crs, "parcels", crs, tolerance)
    step()
    codes = np.union1d(near, boxless)
    united, problems = _unite(roll, codes, rows, shapes, partly)
    placement = _refuse(place(united, territory.shape, tolerance), united, problems, territory.box)
    step()
    met = (placement.place != OUTSIDE) | placement.moved | np.isin(codes, boxless)
    entries = read_entries(source, fields, roll, codes[met])
    order = np.searchsorted(codes, entries.codes)
    return NearParcels(
        entries=entries,
        shapes=united[order],
        placement=placement.taken(order),
        boxless=np.isin(entries.codes, boxless),
        keyless=_keyless(roll.row_key[rows], shapes, territory),
        keyless_without_shape=int(np.count_nonzero(roll.row_key[shapeless] < 0)),
        far=_far_parcels(source, fields, roll, codes[met]),
        operation=operation,
        deviation=deviation,
    )


def united_shapes(source: ParcelSource, roll: Roll, codes: Rows, crs: WorkingCrs, tolerance: float) -> Geometries:
    """One shape in the working CRS for each of `codes`, ascending; None where a key has none."""
    rows, shapes = source.shapes(rows=roll.rows_of(codes))
    there = ~(shapely.is_missing(shapes) | shapely.is_empty(shapes))
    shapes, _, _ = to_working(shapes[there], source.crs, "parcels", crs, tolerance)
    return _unite(roll, codes, rows[there], shapes, np.empty(0, dtype=np.int64))[0]


def _box_in_source(box: Box, source: ParcelSource, crs: WorkingCrs) -> Box:
    if crs.is_parcels_own:
        return box
    there = pyproj.Transformer.from_crs(crs.wkt, source.crs, always_xy=True)
    left, bottom, right, top = there.transform_bounds(*box, densify_pts=21)
    dx, dy = (right - left) * BOX_MARGIN, (top - bottom) * BOX_MARGIN
    return (left - dx, bottom - dy, right + dx, top + dy)


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
    return Placement(place=places, share=shares, moved=moved, moved_share=placement.moved_share, problem=texts)


def _keyless(row_key: Rows, shapes: Geometries, territory: Territory) -> Geometries:
    """Shapes without a key that meet the territory; an unusable one does where its box meets the territory's."""
    nameless = shapes[row_key < 0]
    meets = [
        bool(shapely.box(*territory.box).intersects(shapely.box(*shapely.bounds(shape))))
        if shape_problem(shape)
        else bool(shapely.intersects(shape, territory.shape) and not shapely.touches(shape, territory.shape))
        for shape in nameless
    ]
    met: Geometries = nameless[np.array(meets, dtype=bool)]
    return met


def _far_parcels(source: ParcelSource, fields: FieldMap, roll: Roll, codes: Rows) -> FarParcels:
    far = np.ones(roll.keys, dtype=bool)
    far[codes] = False
    repeated = np.flatnonzero(far & (roll.row_count > 1))
    counted = far & (roll.total_state == OK)
    differing_value = 0
    if len(repeated):
        entries = read_entries(source, fields, roll, repeated)
        differing = entries.codes[entries.differs]
        differing_value = int(roll.total[differing[counted[differing]]].sum())
        counted[differing] = False
    return FarParcels(
        keys=int(np.count_nonzero(far)),
        value=int(roll.total[counted].sum()),
        without_value=int(np.count_nonzero(far & ~counted)),
        repeated=len(repeated),
        differing_value=differing_value,
    )
