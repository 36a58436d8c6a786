"""A polygon as metes and bounds: a text that re-reads to the same polygon."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Optional

import shapely

from ..crs import crs_label, parse_crs
from ..model import InputError
from .closure import SQUARE_FEET_PER_SQUARE_MILE
from .curves import Arc, Point, arc_between, azimuth_of, moved
from .figures import dms, feet, from_seconds
from .frame import INTERNATIONAL_FOOT, SURVEY_FOOT
from .parcels import SQUARE_FEET_PER_ACRE, apart
from .simplify import COLLINEAR, ArcSide, Step, northwesternmost, rotated, steps, without_repeats
from .tangency import ALIGNED

LONGEST_LAST = 5000.0
"""Feet of the last course beyond which rounding of its bearing could miss the start by more than 0.02 ft."""
LAST_PIECE = 500.0
NEAR_ARC = 0.05
MANY_COURSES = 200
DISCLAIMER = (
    "The coordinates and dimensions are derived from geographic information system data, not from a field survey."
)


@dataclass(frozen=True)
class Written:
    """A description: its text, the courses of every ring with their place in the text, and what a reader should know.

    `start` is the first corner of the text, exactly, in CRS coordinates: what to re-read it from. `sides` are (start,
    end, part, course): offsets in `text`, number of the ring and of its course, both from 1.
    """

    text: str
    courses: int
    sides: tuple[tuple[int, int, int, int], ...]
    notes: tuple[str, ...]
    start: Point


@dataclass(frozen=True)
class Style:
    """How a description is worded. `along` gives the name of the line that a course follows, and `corner` what stands
    at its end, by their coordinates in the CRS; both may be empty. `tie` is said of the first start."""

    start: Optional[Point] = None
    tie: str = ""
    along: dict[tuple[Point, Point], str] = field(default_factory=dict)
    corner: dict[Point, str] = field(default_factory=dict)
    surveyed: bool = False
    tolerance: float = COLLINEAR


def describe(
    shape: Any,
    crs: str,
    curves: Sequence[ArcSide] = (),
    foot_m: Fraction = SURVEY_FOOT,
    style: Optional[Style] = None,
) -> Written:
    """Metes and bounds of a polygon or several, clockwise from the northwesternmost corner or `style.start`.

    Bearings to the second from grid north of `crs`, lengths to 0.01 ft, each course from the position as written to
    the next true corner, so that roundings do not add up: the text misses its start by 0.02 ft at most. Holes are
    excepted parcels of their own. Raises `InputError` for a shape that is no valid polygon, a CRS that is not
    projected, and curves that do not end at corners.
    """
    return _Writer(crs, curves, foot_m, style or Style()).written(shape)


class _Writer:
    def __init__(self, crs: str, curves: Sequence[ArcSide], foot_m: Fraction, style: Style) -> None:
        known = parse_crs(crs, "The boundary")
        if not known.is_projected:
            raise InputError(f"{crs_label(known)} is in degrees: choose a projected system, e.g. EPSG:2262.")
        self.label, self.name = crs_label(known), str(known.name)
        self.units_per_foot = float(foot_m) / float(known.axis_info[0].unit_conversion_factor)
        if abs(self.units_per_foot - 1) < 1e-9:
            self.units_per_foot = 1.0
        self.foot_m, self.curves, self.style = foot_m, list(curves), style
        self.origin: Point = (0.0, 0.0)
        self.start: Point = (0.0, 0.0)
        self.offset: Point = (0.0, 0.0)
        self.pieces: list[str] = []
        self.sides: list[tuple[int, int, int, int]] = []
        self.length = 0

    def written(self, shape: Any) -> Written:
        """The whole text of a shape."""
        polygons = _polygons(shape)
        rings = 0
        for number, polygon in enumerate(polygons, 1):
            if len(polygons) > 1:
                self._put(f"PARCEL {number}:\n")
            for hole, ring in enumerate([polygon.exterior, *polygon.interiors]):
                rings += 1
                if hole:
                    self._put("EXCEPTING THEREFROM the following:\n")
                self._ring(ring, rings, outer=hole == 0)
            self._put(f"Containing {self._area(polygon)}.\n")
        self._put(f"{self._closing()}\n")
        notes = []
        if len(self.sides) > MANY_COURSES:
            notes.append(f"{len(self.sides):,} courses: a description by streets, lines and shores would read better.")
        return Written("".join(self.pieces), len(self.sides), tuple(self.sides), tuple(notes), self.start)

    def _ring(self, ring: Any, number: int, outer: bool) -> None:
        points, arcs = self._clockwise(ring)
        corner = points.index(northwesternmost(points))
        points = [*points[corner:], *points[:corner]]
        try:
            start, sides = steps(points, arcs, self.style.tolerance)
        except ValueError as error:
            raise InputError(f"The boundary: {error}. Draw it again, or leave the curve out.") from error
        corners = [side.end for side in sides]
        start, sides = rotated(start, sides, self._chosen(corners, number == 1))
        start, sides = _no_long_arc_last(start, sides)
        sides = _short_last(start, sides)
        self._put(self._beginning(start, number == 1, outer))
        position = self._written_start(start, number == 1)
        for course, side in enumerate(sides, 1):
            self._put("; ")
            begin = self.length
            before = sides[course - 2]
            text, after = self._course(position, side, start if course == 1 else before.end, _leaves(sides, course - 2))
            position = after
            end = "the point or place of beginning" if course == len(sides) else self._corner(side.end)
            self._put(f"thence {text} to {end}")
            self.sides.append((begin, self.length, number, course))
        self._put(".\n")

    # Places

    def _clockwise(self, ring: Any) -> tuple[list[Point], list[ArcSide]]:
        """The ring in feet from the first start, clockwise, and the curves of it in that direction."""
        raw = [(float(x), float(y)) for x, y in shapely.get_coordinates(ring)[:-1]]
        if self.origin == (0.0, 0.0):
            self.origin = raw[0]
        points = without_repeats([self._feet(one) for one in raw])
        if shapely.LinearRing(points).is_ccw:
            points.reverse()
        arcs = []
        for one in self.curves:
            own = ArcSide(
                self._feet(one.start), self._feet(one.end), one.radius / self.units_per_foot, one.side, one.large
            )
            first, last = (_nearest(points, end) for end in (own.start, own.end))
            if first is None or last is None:
                continue
            arcs.append(own if _follows(points, first, last, own) else own.turned())
        return points, arcs

    def _feet(self, point: Point) -> Point:
        return (
            (point[0] - self.origin[0]) / self.units_per_foot,
            (point[1] - self.origin[1]) / self.units_per_foot,
        )

    def _map(self, point: Point) -> Point:
        return (
            point[0] * self.units_per_foot + self.origin[0],
            point[1] * self.units_per_foot + self.origin[1],
        )

    def _chosen(self, corners: Sequence[Point], first: bool) -> Point:
        if first and self.style.start is not None:
            wanted = self._feet(self.style.start)
            return min(corners, key=lambda one: (math.dist(one, wanted), one))
        return northwesternmost(corners)

    def _written_start(self, start: Point, first: bool) -> Point:
        """Where a reader puts the start: other rings lie by their rounded coordinates beside the first."""
        shown = tuple(round(value, 2) for value in self._map(start))
        if first:
            exact = self._map(start)
            self.start = exact
            self.offset = (exact[0] - shown[0], exact[1] - shown[1])
            return start
        return self._feet((shown[0] + self.offset[0], shown[1] + self.offset[1]))

    # Words

    def _beginning(self, start: Point, first: bool, outer: bool) -> str:
        east, north = self._map(start)
        system = f", in {self.name} ({self.label})" if first else ""
        tie = f", {self.style.tie}" if first and self.style.tie else ""
        return f"BEGINNING at {self._corner(start)} (N={north:.2f}, E={east:.2f}{system}){tie}"

    def _corner(self, point: Point) -> str:
        return self.style.corner.get(self._map(point), "a point")

    def _course(self, position: Point, side: Step, before: Point, comes_in: float) -> tuple[str, Point]:
        """A course from the position as written to a true corner, and where a reader comes out.

        `comes_in` is the azimuth in which the side before ends.
        """
        east, north = side.end[0] - position[0], side.end[1] - position[1]
        seconds = math.floor(azimuth_of(east, north) * 3600 + 0.5) % (360 * 3600)
        length = math.floor(math.hypot(east, north) * 100 + 0.5) / 100
        after = moved(position, seconds / 3600, length)
        bearing = from_seconds(seconds, long=True)
        along = self.style.along.get((self._map(before), self._map(side.end)), "")
        words = f"along {along}, " if along else ""
        if side.arc is None:
            return f"{words}{bearing}, {feet(length)} feet", after
        return words + _curve(side.arc, before, comes_in, bearing, length), after

    def _area(self, polygon: Any) -> str:
        square_feet = polygon.area / self.units_per_foot**2
        acres, miles = square_feet / SQUARE_FEET_PER_ACRE, square_feet / SQUARE_FEET_PER_SQUARE_MILE
        return f"{acres:,.2f} acres ({miles:.3f} square miles)"

    def _closing(self) -> str:
        kind = {SURVEY_FOOT: "US survey", INTERNATIONAL_FOOT: "international"}.get(self.foot_m, "stated")
        words = f"Bearings are referred to grid north of {self.label}. Distances are grid distances in {kind} feet."
        return words if self.style.surveyed else f"{words} {DISCLAIMER}"

    def _put(self, text: str) -> None:
        self.pieces.append(text)
        self.length += len(text)


def _polygons(shape: Any) -> list[Any]:
    if shape is None or shape.is_empty or shape.geom_type not in ("Polygon", "MultiPolygon"):
        raise InputError("The boundary is no polygon: there is nothing to describe.")
    if not shape.is_valid:
        raise InputError(f"The boundary is no valid polygon ({shapely.is_valid_reason(shape)}). Draw it again.")
    parts = list(shape.geoms) if shape.geom_type == "MultiPolygon" else [shape]
    return sorted(parts, key=lambda one: (-one.area, one.bounds))


def _leaves(sides: Sequence[Step], at: int) -> float:
    """The azimuth in which a side of a ring ends."""
    side, before = sides[at], sides[at - 1].end
    if side.arc is None:
        return azimuth_of(side.end[0] - before[0], side.end[1] - before[1])
    return _tangent(side.arc, side.end)


def _tangent(arc: Arc, point: Point) -> float:
    """The azimuth of a curve at a point of it."""
    outward = azimuth_of(point[0] - arc.centre[0], point[1] - arc.centre[1])
    return (outward + (90.0 if arc.side == "right" else -90.0)) % 360.0


def _curve(arc: Arc, start: Point, comes_in: float, bearing: str, chord: float) -> str:
    seconds = math.floor(math.degrees(arc.delta) * 3600 + 0.5)
    kind = "tangent" if apart(_tangent(arc, start), comes_in) <= ALIGNED else "non-tangent"
    return (
        f"along a {kind} curve to the {arc.side} having a radius of {feet(arc.radius)} feet, a central angle of "
        f"{dms(seconds)}, an arc length of {feet(arc.length)} feet, a chord bearing of {bearing} and a chord distance "
        f"of {feet(chord)} feet"
    )


def _nearest(points: Sequence[Point], wanted: Point) -> Optional[int]:
    at = min(range(len(points)), key=lambda place: math.dist(points[place], wanted))
    return at if math.dist(points[at], wanted) <= COLLINEAR else None


def _follows(points: Sequence[Point], first: int, last: int, one: ArcSide) -> bool:
    """Whether the ring goes from the start of a curve to its end along it, and not back to front."""
    count = len(points)
    forward = (last - first) % count
    arc = arc_between(one.start, one.end, one.radius, one.side, one.large)

    def lies_on(at: int) -> bool:
        return abs(math.dist(points[at % count], arc.centre) - arc.radius) <= max(NEAR_ARC, arc.radius * 0.001)

    if forward > 1 and lies_on(first + forward // 2):
        return True
    if count - forward > 1 and lies_on(last + (count - forward) // 2):
        return False
    return forward <= count - forward


def _no_long_arc_last(start: Point, sides: list[Step]) -> tuple[Point, list[Step]]:
    """The sides from the next corner on to which no long curve leads: a curve cannot be parted."""
    for at in range(len(sides)):
        last, before = sides[at - 1], sides[at - 2].end
        if last.arc is None or math.dist(before, last.end) <= LONGEST_LAST:
            return (last.end, [*sides[at:], *sides[:at]]) if at else (start, sides)
    return start, sides


def _short_last(start: Point, sides: list[Step]) -> list[Step]:
    """The sides with a corner put into a last course so long that its rounded bearing could miss the start."""
    before = sides[-2].end if len(sides) > 1 else start
    length = math.dist(before, start)
    if sides[-1].arc is not None or length <= LONGEST_LAST:
        return sides
    share = LAST_PIECE / length
    middle = (start[0] + (before[0] - start[0]) * share, start[1] + (before[1] - start[1]) * share)
    return [*sides[:-1], Step(middle), sides[-1]]
