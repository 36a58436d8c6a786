"""Each shape against the territory: outside, inside, split or unusable, and its share inside. Rules 3 to 6.

Exact predicates decide what touches and what is covered; computed pieces are only measured, never asked again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Optional

import numpy as np
import shapely

from .territory import COLLECTION, POLYGON, polygon_parts, polygonal
from .territory import shape_problem as shape_problem

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .model import Geometries

    Numbers = NDArray[np.float64]
    Flags = NDArray[np.bool_]
    Positions = NDArray[np.int64]

OUTSIDE, INSIDE, SPLIT, UNUSABLE = 0, 1, 2, 3
SHARE_DECIMALS = Decimal("1e-9")

CLIP_FROM_VERTICES = 64
CLIP_MARGIN = 0.0523598775598
"""The territory is cut to a box wider than the parcel's by this part of it: the cuts lie clear of the parcel, and at no
round number, so that no corner of the territory lies on one."""

ROUNDING = 1e-12
NOISE = 1e-8
"""Units by which a computed corner may lie beside the true one at State Plane coordinates, with room to spare."""


@dataclass(frozen=True, eq=False)
class Placement:
    """Where N shapes lie, arrays of N.

    `place` is OUTSIDE, INSIDE, SPLIT or UNUSABLE; `share` the part of the area inside, 1.0 and 0.0 by class and nan
    where unusable; `moved` marks a class that the sliver rule decided, `moved_share` its computed share (else nan);
    `by_whole` marks shapes cut with the whole territory, not with what of it is about them; `problem` says why a shape
    is unusable, "" elsewhere.
    """

    place: NDArray[np.uint8]
    share: Numbers
    moved: Flags
    moved_share: Numbers
    by_whole: Flags
    problem: NDArray[np.object_]

    def taken(self, positions: Positions) -> Placement:
        """The places of some of the shapes, in the order of `positions`."""
        return Placement(*(getattr(self, name)[positions] for name in self.__dataclass_fields__))


def place(shapes: Geometries, territory: Any, tolerance: float, slivers: bool = True) -> Placement:
    """Place shapes, one a key, against a valid territory in the same projected CRS, in the order of rules 4 to 6.

    A box apart from the territory's is outside, even of an unusable shape. A shape without polygon, without area or
    with a ring that crosses itself is unusable. Disjoint or touching is outside, covered is inside however narrow.
    Of the rest, pieces no wider than `tolerance` (units of the CRS) are slivers where `slivers` is set.
    """
    count = len(shapes)
    result = Placement(
        place=np.full(count, OUTSIDE, dtype=np.uint8),
        share=np.zeros(count),
        moved=np.zeros(count, dtype=bool),
        moved_share=np.full(count, np.nan),
        by_whole=np.zeros(count, dtype=bool),
        problem=np.full(count, "", dtype=object),
    )
    near, usable = _near(shapes, territory, result)
    covered, cut = _covered_and_cut(usable, territory)
    result.place[near[covered]] = INSIDE
    result.share[near[covered]] = 1.0
    if cut.any():
        _place_cut(near[cut], usable[cut], territory, tolerance, slivers, result)
    return result


def surroundings(boxes: Numbers) -> Numbers:
    """The boxes to which a territory of many vertices is cut before shapes with `boxes`, (N, 4), are cut with it."""
    margin = CLIP_MARGIN * (boxes[:, 2:] - boxes[:, :2]).max(axis=1, keepdims=True)
    return np.hstack([boxes[:, :2] - margin, boxes[:, 2:] + margin])


def exact_share(share: float) -> Fraction:
    """A share as it counts: the shortest decimal of the float, half up to nine decimals (rule 6)."""
    return Fraction(Decimal(repr(float(share))).quantize(SHARE_DECIMALS, rounding=ROUND_HALF_UP))


def width_pieces(geometry: Any) -> float:
    """The width `2 × area / perimeter` of the widest polygon in a shape, in its units; 0.0 without polygon."""
    return float(_widest([geometry])[0])


def wider_than(geometry: Any, tolerance: float) -> bool:
    """Whether some polygon of an overlap, gap or difference is wider than the tolerance (rule 5)."""
    return width_pieces(geometry) > tolerance


def overlap_wider_than(one: Any, other: Any, tolerance: float) -> bool:
    """Whether two valid shapes overlap wider than the tolerance; what touches does not, whatever an overlay says."""
    if not shapely.intersects(one, other) or shapely.touches(one, other):
        return False
    return wider_than(shapely.intersection(one, other), tolerance)


def stacked_groups(shapes: Geometries) -> list[Positions]:
    """Positions of usable shapes with one and the same footprint, ascending, a group for each footprint of several.

    Footprints are the same where they cover the same points, however their rings are written.
    """
    box = shapely.bounds(shapes)
    order = np.lexsort(box.T)
    order = order[~np.isnan(box[order]).any(axis=1)]
    start = np.flatnonzero(np.append(True, (box[order[1:]] != box[order[:-1]]).any(axis=1)))
    length = np.diff(start, append=len(order))
    groups: list[Positions] = []
    for first, many in zip(start[length > 1], length[length > 1]):
        run = order[first : first + many]
        groups.extend(_same_footprints(shapes, run[shapely.is_valid(shapes[run])]))
    return sorted(groups, key=lambda group: int(group[0]))


def overlapping_pairs(
    shapes: Geometries, tolerance: float, stacked: Optional[Sequence[Positions]] = None
) -> tuple[Positions, Positions]:
    """Positions (i, j), i < j, of usable shapes that overlap wider than the tolerance but are not stacked.

    `stacked` are the groups of `stacked_groups`, where they are known already. Unusable shapes are passed over.
    """
    neighbours = neighbours_among(shapes, tolerance, stacked)
    return neighbours.overlapping(neighbours.touching(), tolerance)


@dataclass(frozen=True, eq=False)
class Neighbours:
    """Pairs of usable shapes, each once, whose boxes overlap; of stacked ones the first stands for its group."""

    shapes: Geometries
    first: Positions
    second: Positions
    members: Mapping[int, Positions]

    def touching(self) -> Flags:
        """Which pairs only touch: the long part, one call in which GEOS lets go of Python."""
        touching: Flags = shapely.touches(self.shapes[self.first], self.shapes[self.second])
        return touching

    def overlapping(self, touching: Flags, tolerance: float) -> tuple[Positions, Positions]:
        """Positions (i, j), i < j, of the pairs that do more than touch and overlap wider than the tolerance."""
        first, second = self.first[~touching], self.second[~touching]
        wide = _widest(shapely.intersection(self.shapes[first], self.shapes[second])) > tolerance
        pairs = sorted(
            (min(a, b), max(a, b))
            for i, j in zip(first[wide].tolist(), second[wide].tolist())
            for a in self.members.get(i, np.array([i])).tolist()
            for b in self.members.get(j, np.array([j])).tolist()
        )
        both = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        return both[:, 0], both[:, 1]


def neighbours_among(
    shapes: Geometries, tolerance: float, stacked: Optional[Sequence[Positions]] = None
) -> Neighbours:
    """The pairs that `overlapping_pairs` has to look at."""
    groups = stacked_groups(shapes) if stacked is None else stacked
    members: dict[int, Positions] = {int(group[0]): group for group in groups}
    once = _valid(shapes) & ~shapely.is_empty(shapes)
    for group in groups:
        once[group[1:]] = False
    single = np.flatnonzero(once)
    first, second = _box_pairs(shapes[single], tolerance)
    return Neighbours(shapes, single[first], single[second], members)


# Rule 4


def _near(shapes: Geometries, territory: Any, result: Placement) -> tuple[Positions, Geometries]:
    """Positions and polygons of the usable shapes whose box meets the territory's; the unusable go into `result`."""
    left, bottom, right, top = shapely.bounds(territory)
    box = shapely.bounds(shapes)
    boxless = np.isnan(box).any(axis=1)
    meets = (box[:, 0] <= right) & (box[:, 2] >= left) & (box[:, 1] <= top) & (box[:, 3] >= bottom)
    near = np.flatnonzero(meets | boxless)
    met = shapes[near]
    kind = shapely.get_type_id(met)
    sound = _valid(met) & (shapely.area(met) > 0) & np.isin(kind, (POLYGON, POLYGON + 3, COLLECTION))
    for position in near[~sound]:
        result.place[position] = UNUSABLE
        result.share[position] = np.nan
        result.problem[position] = shape_problem(shapes[position])
    usable = met[sound]
    for position in np.flatnonzero(kind[sound] == COLLECTION):
        usable[position] = polygonal(usable[position])
    return near[sound], usable


def _covered_and_cut(shapes: Geometries, territory: Any) -> tuple[Flags, Flags]:
    """Which usable shapes the territory covers, and which overlap it without that, by exact predicates."""
    shapely.prepare(territory)
    covered: Flags = shapely.covers(territory, shapes)
    cut = ~covered
    cut[cut] = shapely.intersects(territory, shapes[cut])
    cut[cut] = ~shapely.touches(territory, shapes[cut])
    return covered, cut


def _valid(shapes: Geometries) -> Flags:
    """`shapely.is_valid`, with the answer found sooner for most parcels."""
    valid = _plain(shapes)
    rest = ~valid
    valid[rest] = shapely.is_valid(shapes[rest])
    return valid


def _plain(shapes: Geometries) -> Flags:
    """Shapes of one ring that goes once around the mean of its corners, always turning the same way about it.

    Such a ring cannot cross itself. Where rounding could hide a turn back, the answer is no.
    """
    plain: Flags = (shapely.get_type_id(shapes) == POLYGON) & ~shapely.is_empty(shapes)
    plain[plain] = shapely.get_num_interior_rings(shapes[plain]) == 0
    xy, ring = shapely.get_coordinates(shapes[plain], return_index=True)
    if not len(xy):
        return plain
    start = np.flatnonzero(np.diff(ring, prepend=-1))
    middle = np.add.reduceat(xy, start) / np.diff(start, append=len(xy))[:, None]
    x, y = (xy - middle[ring]).T
    last = np.append(start[1:], len(xy)) - 1
    turn = np.append(x[:-1] * y[1:] - y[:-1] * x[1:], 0.0)
    upward = np.append((y[:-1] < 0) & (y[1:] >= 0), False)
    turn[last], upward[last] = turn[start], False
    doubt = ROUNDING * np.abs(xy).max() * np.maximum.reduceat(np.abs(x) + np.abs(y), start)
    one_way = (np.minimum.reduceat(turn, start) > doubt) | (np.maximum.reduceat(turn, start) < -doubt)
    plain[plain] = one_way & (np.add.reduceat(upward.astype(np.int64), start) == 1)
    return plain


# Rules 5 and 6


def _place_cut(
    where: Positions, shapes: Geometries, territory: Any, tolerance: float, slivers: bool, result: Placement
) -> None:
    """Fill in the shapes at `where` that the boundary cuts."""
    inside, local, by_whole = _inside(shapes, territory)
    whole = shapely.area(shapes)
    share = np.minimum(shapely.area(inside) / whole, 1.0)
    places = np.full(len(where), SPLIT, dtype=np.uint8)
    if slivers:
        wide_inside = _widest(inside) > tolerance
        wide_outside = _wide_outside(shapes, inside, local, tolerance)
        places[~wide_inside & wide_outside] = OUTSIDE
        places[wide_inside & ~wide_outside] = INSIDE
    moved = places != SPLIT
    result.place[where] = places
    result.share[where] = np.where(moved, places == INSIDE, share)
    result.moved[where] = moved
    result.moved_share[where[moved]] = share[moved]
    result.by_whole[where] = by_whole


def _inside(shapes: Geometries, territory: Any) -> tuple[Geometries, Geometries, Flags]:
    """What of each shape is inside, the territory about each shape, and whether that is the whole territory.

    A boundary of many vertices is cut to the shape's box first. Cutting is not proof against every boundary: where its
    answer is invalid, or a piece lies where the territory is not, the whole territory is taken instead.
    """
    local: Geometries = np.full(len(shapes), territory, dtype=object)
    if shapely.get_num_coordinates(territory) < CLIP_FROM_VERTICES:
        return shapely.intersection(shapes, territory), local, np.ones(len(shapes), dtype=bool)
    wider = surroundings(shapely.bounds(shapes))
    clipped = np.array([shapely.clip_by_rect(territory, *edges) for edges in wider.tolist()], dtype=object)
    sound = shapely.is_valid(clipped)
    # In one order, so that where the territory's rings start does not reach the bits of what is inside.
    local[sound] = shapely.normalize(clipped[sound])
    inside = shapely.intersection(shapes, local)
    pieces, owner = polygon_parts(inside)
    astray = np.unique(owner[~shapely.intersects(territory, shapely.point_on_surface(pieces))])
    local[astray] = territory
    inside[astray] = shapely.intersection(shapes[astray], territory)
    by_whole = ~sound
    by_whole[astray] = True
    return inside, local, by_whole


def _wide_outside(shapes: Geometries, inside: Geometries, local: Geometries, tolerance: float) -> Flags:
    """Whether some piece outside is wider than the tolerance.

    The widest piece is at least as wide as all pieces taken together, whose perimeter is at most that of the shape
    and of what is inside: most shapes need no second overlay.
    """
    perimeter = shapely.length(shapes) + shapely.length(inside)
    least = shapely.area(shapes) - shapely.area(inside) - NOISE * perimeter
    wide: Flags = 2 * least / perimeter > tolerance
    doubtful = np.flatnonzero(~wide)
    wide[doubtful] = _widest(shapely.difference(shapes[doubtful], local[doubtful])) > tolerance
    return wide


def _widest(shapes: Sequence[Any] | Geometries) -> Numbers:
    """The width of the widest polygon of each shape, 0.0 where it has none."""
    widest = np.zeros(len(shapes))
    parts, owner = polygon_parts(shapes)
    np.maximum.at(widest, owner, 2 * shapely.area(parts) / shapely.length(parts))
    return widest


# Rule 3


def _same_footprints(shapes: Geometries, run: Positions) -> list[Positions]:
    """Groups of equal shapes among those with one box."""
    groups = []
    while len(run) > 1:
        equal = shapely.equals(shapes[run[0]], shapes[run])
        equal[0] = True
        if np.count_nonzero(equal) > 1:
            groups.append(run[equal])
        run = run[~equal]
    return groups


def _box_pairs(shapes: Geometries, tolerance: float) -> tuple[Positions, Positions]:
    """Pairs, each once, whose boxes overlap by more than the tolerance both ways: no piece is wider than its box."""
    first, second = shapely.STRtree(shapes).query(shapes)
    once = first < second
    first, second = first[once], second[once]
    box = shapely.bounds(shapes)
    shared = np.minimum(box[first, 2:], box[second, 2:]) - np.maximum(box[first, :2], box[second, :2])
    wide = (shared > tolerance).all(axis=1)
    return first[wide], second[wide]
