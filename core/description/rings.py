"""The rings of a territory as a description walks them: clockwise, from the northernmost corner, in short steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely

from ..territory import polygon_parts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]
    Places = NDArray[np.int64]

MOST_STEPS = 20_000
"""Steps to a ring at most: of a boundary longer than some ninety miles they grow longer than their usual 25 ft."""


@dataclass(frozen=True, eq=False)
class Ring:
    """One closed ring: `xy` its corners clockwise, the first repeated at the end, and `at` their way from the start.

    `part` counts the separate parts from 1, the largest first; `hole` is 0 for an outer ring, else it counts the holes
    of the part from 1.
    """

    xy: Numbers
    at: Numbers
    part: int
    hole: int

    @property
    def length(self) -> float:
        """All the way round, in units of the CRS."""
        return float(self.at[-1])

    @cached_property
    def line(self) -> Any:
        """The ring as a shapely line."""
        return shapely.linestrings(self.xy)

    @cached_property
    def polygon(self) -> Any:
        """What the ring goes round."""
        return shapely.polygons(self.xy)

    def point(self, place: float) -> tuple[float, float]:
        """The point so far from the start."""
        place = place % self.length
        x = float(np.interp(place, self.at, self.xy[:, 0]))
        return x, float(np.interp(place, self.at, self.xy[:, 1]))

    def between(self, start: float, end: float) -> Numbers:
        """The corners from one place to another, both ends included, over the ring's start where need be.

        `end` is larger than `start`; a whole turn gives the closed ring from there.
        """
        turns = np.floor(start / self.length) * self.length
        start, end = start - turns, end - turns
        corners = np.concatenate([self.at[:-1], self.at[:-1] + self.length, self.at[:-1] + 2 * self.length])
        points = np.concatenate([self.xy[:-1]] * 3)
        inside = (corners > start + SAME) & (corners < end - SAME)
        return np.vstack([self.point(start), points[inside], self.point(end)])


SAME = 1e-6
"""Units within which two places on a ring are one."""


@dataclass(frozen=True, eq=False)
class Steps:
    """A ring in short straight steps: where each starts (with the end of the last), its middle, direction, length."""

    at: Numbers
    middle: Numbers
    direction: Numbers
    length: Numbers

    def __len__(self) -> int:
        return len(self.length)


def rings_of(shape: Any) -> tuple[Ring, ...]:
    """The rings of a valid territory: parts by size, the largest first, each with its holes by size.

    However the polygon was drawn – start, direction, order of parts – the rings are the same.
    """
    parts, _ = polygon_parts([shape])
    rings = []
    for number, part in enumerate(_by_size(list(parts)), start=1):
        rings.append(_ring(part.exterior, number, 0))
        holes = _by_size([shapely.Polygon(ring) for ring in part.interiors])
        rings += [_ring(hole.exterior, number, count) for count, hole in enumerate(holes, start=1)]
    return tuple(rings)


def steps_of(ring: Ring, longest: float) -> Steps:
    """The edges of a ring, each cut into equal steps not longer than `longest` units."""
    longest = max(longest, ring.length / MOST_STEPS)
    span = np.diff(ring.at)
    pieces = np.maximum(np.ceil(span / longest - 1e-9).astype(np.int64), 1)
    edge = np.repeat(np.arange(len(span)), pieces)
    first = np.concatenate([[0], np.cumsum(pieces)[:-1]])
    within = np.arange(len(edge)) - first[edge]
    step = span[edge] / pieces[edge]
    direction = np.diff(ring.xy, axis=0)[edge] / span[edge][:, None]
    start = ring.at[:-1][edge] + within * step
    origin = ring.xy[:-1][edge]
    middle = origin + direction * ((within + 0.5) * step)[:, None]
    return Steps(np.append(start, ring.length), middle, direction, step)


def straightened(xy: Numbers, width: float) -> Numbers:
    """The corners without those that lie within `width` of the straight line that is left; the ends always stay.

    Every corner that goes is held against the line, so that a gentle curve of many corners is not cut off.
    """
    kept = [0]
    for corner in range(1, len(xy) - 1):
        if _heights(xy[kept[-1]], xy[kept[-1] + 1 : corner + 1], xy[corner + 1]).max() > width:
            kept.append(corner)
    return xy[[*kept, len(xy) - 1]]


def _heights(before: Numbers, between: Numbers, after: Numbers) -> Numbers:
    """Distances of corners from the segment of the two around them."""
    base = after - before
    square = float(base @ base)
    part = np.clip((between - before) @ base / square, 0.0, 1.0) if square else np.zeros(len(between))
    heights: Numbers = np.hypot(*(between - before - part[:, None] * base).T)
    return heights


def _by_size(polygons: Sequence[Any]) -> list[Any]:
    return sorted(polygons, key=lambda one: (-shapely.area(one), tuple(shapely.bounds(one))))


def _ring(line: Any, part: int, hole: int) -> Ring:
    xy = shapely.get_coordinates(line)
    xy = xy[np.append(True, (np.diff(xy, axis=0) != 0).any(axis=1))]
    if shapely.is_ccw(line):
        xy = xy[::-1]
    open_xy = xy[:-1]
    first = min(range(len(open_xy)), key=lambda row: (-open_xy[row, 1], open_xy[row, 0]))
    xy = np.roll(open_xy, -first, axis=0)
    xy = np.vstack([xy, xy[:1]])
    at = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(xy, axis=0).T))])
    return Ring(xy, at, part, hole)
