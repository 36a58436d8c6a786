"""Which shapes a changed boundary may concern: those whose surroundings meet the strip between the old and the new.

About any other shape both boundaries are the same, edge for edge, so that it lies where it lay.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

import numpy as np
import shapely

from .overlay import CLIP_FROM_VERTICES, UNUSABLE, Placement, place, surroundings

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .model import Geometries

    Numbers = NDArray[np.float64]
    Flags = NDArray[np.bool_]

MOST_EDGES = 256
"""Boundaries that differ in more edges are different boundaries: everything is placed anew."""
ROOM = 1e-6
"""Units by which surroundings are taken wider, so that rounding leaves nothing out."""


def place_again(
    before: Placement, shapes: Geometries, boxes: Numbers, old: Any, new: Any, tolerance: float
) -> Placement:
    """What `place(shapes, new, tolerance)` gives, to the bit, from what it gave for `old`; `boxes` are the shapes'.

    Only the shapes that the change may concern are placed again.
    """
    concerned = concerned_by(boxes, old, new)
    if concerned is None:
        return place(shapes, new, tolerance)
    # Whether an unusable shape counts hangs on the territory's box, and what was cut with the whole on all of it.
    unusable = (before.place == UNUSABLE) & ~np.isnan(boxes).any(axis=1)
    newly_met = _meets(boxes, shapely.bounds(new)) & ~_meets(boxes, shapely.bounds(old))
    again = np.flatnonzero(concerned | before.by_whole | unusable | newly_met)
    if not len(again):
        return before
    fresh = place(shapes[again], new, tolerance)
    merged = {name: getattr(before, name).copy() for name in before.__dataclass_fields__}
    for name, values in merged.items():
        values[again] = getattr(fresh, name)
    return Placement(**merged)


def concerned_by(boxes: Numbers, old: Any, new: Any) -> Optional[Flags]:
    """Which shapes with these boxes, (N, 4), may lie otherwise in the territory `new` than in `old`.

    None where that may be all of them: where the boundaries differ in many edges, or one of them has so few that it
    is never cut to a shape's box. Both territories are valid.
    """
    if min(shapely.get_num_coordinates(old), shapely.get_num_coordinates(new)) < CLIP_FROM_VERTICES:
        return None
    edges = _changed_edges(_edges(old), _edges(new))
    if len(edges) > MOST_EDGES:
        return None
    concerned = np.zeros(len(boxes), dtype=bool)
    if not len(edges):
        return concerned
    ends = edges.reshape(-1, 2)
    wide = surroundings(boxes)
    wide = wide + (-ROOM, -ROOM, ROOM, ROOM)
    about = np.flatnonzero(_meets(wide, np.concatenate([ends.min(axis=0), ends.max(axis=0)])))
    concerned[about] = _met_by_edges(wide[about], edges) | _between(wide[about], edges)
    return concerned


def _meets(boxes: Numbers, box: Numbers) -> Flags:
    left, bottom, right, top = box
    meets: Flags = (boxes[:, 0] <= right) & (boxes[:, 2] >= left) & (boxes[:, 1] <= top) & (boxes[:, 3] >= bottom)
    return meets


def _edges(territory: Any) -> Numbers:
    """The edges of all rings, (N, 4): start and end, in the order of the rings."""
    rings = shapely.get_rings(np.atleast_1d(shapely.get_parts(territory)))
    xy, ring = shapely.get_coordinates(rings, return_index=True)
    edges: Numbers = np.hstack([xy[:-1], xy[1:]])[ring[1:] == ring[:-1]]
    return edges


def _changed_edges(old: Numbers, new: Numbers) -> Numbers:
    """The edges that only one of two boundaries has. Direction counts: what is cut from it does not differ by a bit."""
    common = min(len(old), len(new))
    differ = np.flatnonzero((old[:common] != new[:common]).any(axis=1))
    start = int(differ[0]) if len(differ) else common
    rest = common - start
    differ = np.flatnonzero((old[len(old) - rest :] != new[len(new) - rest :]).any(axis=1))
    end = rest - 1 - int(differ[-1]) if len(differ) else rest
    before = set(map(tuple, old[start : len(old) - end].tolist()))
    after = set(map(tuple, new[start : len(new) - end].tolist()))
    return np.array(sorted(before ^ after), dtype=np.float64).reshape(-1, 4)


def _met_by_edges(boxes: Numbers, edges: Numbers) -> Flags:
    """Which boxes some edge meets: no axis, nor the edge's own normal, parts the two."""
    middle, half = (boxes[:, :2] + boxes[:, 2:]) / 2, (boxes[:, 2:] - boxes[:, :2]) / 2
    met = np.zeros(len(boxes), dtype=bool)
    for edge in edges:
        along = (edge[2:] - edge[:2]) / 2
        reach = np.abs(along)
        off = (edge[:2] + edge[2:]) / 2 - middle
        beside = np.abs(along[0] * off[:, 1] - along[1] * off[:, 0])
        met |= (np.abs(off) <= half + reach).all(axis=1) & (
            beside <= half[:, 0] * reach[1] + half[:, 1] * reach[0] + ROOM * reach.sum()
        )
    return met


def _between(boxes: Numbers, edges: Numbers) -> Flags:
    """Which boxes that no edge meets lie between the two boundaries: a ray from the middle crosses an odd number."""
    x, y = ((boxes[:, :2] + boxes[:, 2:]) / 2).T
    odd = np.zeros(len(boxes), dtype=bool)
    for left, bottom, right, top in edges.tolist():
        if bottom != top:
            crossed = (bottom > y) != (top > y)
            odd ^= crossed & (x < left + (y - bottom) * ((right - left) / (top - bottom)))
    return odd
