"""The corners of a ring that a description needs: no vertex twice, none on the line of its neighbours."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Optional

import shapely

from .curves import Arc, Point, arc_between

COLLINEAR = 0.005
"""Feet by which a corner may be off the line of its neighbours and still be no corner."""
ARC_FIT = 0.02
LEAST_VERTICES = 5
LEAST_ANGLE = math.radians(5.0)


@dataclass(frozen=True)
class ArcSide:
    """A curved side of a polygon: its ends are vertices, in CRS coordinates; `large` is more than a half circle."""

    start: Point
    end: Point
    radius: float
    side: str
    large: bool = False

    def turned(self) -> ArcSide:
        """The same curve travelled the other way."""
        return ArcSide(self.end, self.start, self.radius, "left" if self.side == "right" else "right", self.large)


@dataclass(frozen=True)
class Step:
    """A side of a ring: where it ends, and the curve that it is."""

    end: Point
    arc: Optional[Arc] = None


def steps(points: Sequence[Point], arcs: Sequence[ArcSide], tolerance: float = COLLINEAR) -> tuple[Point, list[Step]]:
    """The start and the sides of a ring of points (not repeated at the end), in feet.

    Vertices of curves are left out; straight runs lose what is within `tolerance` of their line. Raises `ValueError`
    for a curve whose ends are no vertices of the ring, in the ring's direction.
    """
    spans = sorted(_arc_spans(points, arcs))
    count = len(points)
    made: list[Step] = []
    place = spans[0][0] if spans else 0
    start_at = place
    taken = 0
    for first, length, arc in spans:
        gap = (first - place) % count
        made += _straight([points[(place + step) % count] for step in range(gap + 1)], tolerance)
        made.append(Step(points[(first + length) % count], arc))
        taken += gap + length
        place = (first + length) % count
    made += _straight([points[(place + step) % count] for step in range(count - taken + 1)], tolerance)
    return points[start_at], made


def rotated(start: Point, sides: list[Step], first: Point) -> tuple[Point, list[Step]]:
    """The sides from another corner on; unchanged where that is no corner."""
    corners = [start, *(side.end for side in sides[:-1])]
    if first not in corners:
        return start, sides
    at = corners.index(first)
    return first, [*sides[at:], *sides[:at]]


def northwesternmost(points: Sequence[Point]) -> Point:
    """The corner farthest to the northwest: on the hull, so never a vertex within a straight side."""
    hull = shapely.MultiPoint(list(points)).convex_hull
    corners = {(x, y) for x, y in shapely.get_coordinates(hull)}
    return max((point for point in points if point in corners), key=lambda one: (round(one[1] - one[0], 3), one[1]))


def without_repeats(points: Sequence[Point]) -> list[Point]:
    """The points of a ring, not repeated at its end, without neighbours closer than half a hundredth of a foot."""
    kept: list[Point] = []
    for point in points:
        if not kept or math.dist(point, kept[-1]) > COLLINEAR:
            kept.append(point)
    while len(kept) > 1 and math.dist(kept[0], kept[-1]) <= COLLINEAR:
        kept.pop()
    return kept


def detected_arcs(points: Sequence[Point]) -> list[ArcSide]:
    """Curves that a ring of points (feet) seems to hold: five vertices or more within 0.02 ft of a circle, 5° or more.

    To be offered to a person, never taken by itself.
    """
    found: list[ArcSide] = []
    at, count = 0, len(points)
    while at + LEAST_VERTICES <= count:
        run = _run(points, at)
        if run is None:
            at += 1
            continue
        side, last = run
        found.append(side)
        at = last
    return found


def _run(points: Sequence[Point], at: int) -> Optional[tuple[ArcSide, int]]:
    first, middle, third = points[at], points[at + 2], points[at + 4]
    circle = _circle(first, middle, third)
    if circle is None:
        return None
    centre, radius = circle
    last = at
    while last + 1 < len(points) and abs(math.dist(points[last + 1], centre) - radius) <= ARC_FIT:
        if last > at and _middle_off(points[last], points[last + 1], radius) > max(1.0, radius * 0.02):
            break
        last += 1
    if last - at + 1 < LEAST_VERTICES:
        return None
    angle = sum(_turned(points[place], points[place + 1], centre) for place in range(at, last))
    if abs(angle) < LEAST_ANGLE or abs(angle) > 2 * math.pi - 0.01:
        return None
    side = "left" if angle > 0 else "right"
    return ArcSide(first, points[last], radius, side, abs(angle) > math.pi), last


def _middle_off(one: Point, two: Point, radius: float) -> float:
    half = math.dist(one, two) / 2
    return radius - math.sqrt(max(radius**2 - half**2, 0.0))


def _turned(one: Point, two: Point, centre: Point) -> float:
    first = math.atan2(one[1] - centre[1], one[0] - centre[0])
    second = math.atan2(two[1] - centre[1], two[0] - centre[0])
    return (second - first + math.pi) % (2 * math.pi) - math.pi


def _circle(one: Point, two: Point, three: Point) -> Optional[tuple[Point, float]]:
    bx, by = two[0] - one[0], two[1] - one[1]
    cx, cy = three[0] - one[0], three[1] - one[1]
    double = 2 * (bx * cy - by * cx)
    if abs(double) < 1e-6:
        return None
    x = (cy * (bx * bx + by * by) - by * (cx * cx + cy * cy)) / double
    y = (bx * (cx * cx + cy * cy) - cx * (bx * bx + by * by)) / double
    return (one[0] + x, one[1] + y), math.hypot(x, y)


def _arc_spans(points: Sequence[Point], arcs: Sequence[ArcSide]) -> list[tuple[int, int, Arc]]:
    made = []
    for one in arcs:
        first, last = _vertex(points, one.start), _vertex(points, one.end)
        if first is None or last is None or first == last:
            raise ValueError("the ends of a curve are no corners of the boundary")
        arc = arc_between(points[first], points[last], one.radius, one.side, one.large)
        made.append((first, (last - first) % len(points), arc))
    return made


def _vertex(points: Sequence[Point], wanted: Point) -> Optional[int]:
    nearest = min(range(len(points)), key=lambda at: math.dist(points[at], wanted))
    return nearest if math.dist(points[nearest], wanted) <= COLLINEAR else None


def _straight(points: Sequence[Point], tolerance: float) -> list[Step]:
    if len(points) < 2:
        return []
    line = shapely.LineString(points).simplify(tolerance, preserve_topology=False)
    return [Step((x, y)) for x, y in shapely.get_coordinates(line)[1:]]
