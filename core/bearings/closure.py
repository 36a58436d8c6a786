"""How well a figure closes: misclosure, precision, area, and its class."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Optional

import shapely

from .curves import Point, along_arc, azimuth_of
from .figures import quadrant
from .parcels import SQUARE_FEET_PER_ACRE
from .placing import CLOSES, Leg, Placement, misclosure, rounding_bound

EXACT = 0.0005
"""Feet: below this a figure closes exactly and has no ratio."""
SURVEY_PRACTICE = 5000
POOR = 500
SQUARE_FEET_PER_SQUARE_MILE = 5280**2


@dataclass(frozen=True)
class Closure:
    """The figures of closure, in feet. `to_close` is the direction in which one must go from the end to the start.

    `verdict` is closes, closes within survey practice, poor, does not close, open, provisional or unplaced. The area is
    that of the figure closed by a straight line where `closed_by_line`; None where it crosses itself or has no place.
    """

    misclosure: float
    east: float
    north: float
    to_close: str
    perimeter: float
    ratio: Optional[int]
    bound: float
    verdict: str
    closes: bool
    area: Optional[float]
    closed_by_line: bool
    orientation: str
    crosses: bool
    stated_acres: Optional[float]

    @property
    def acres(self) -> Optional[float]:
        """The area in acres."""
        return None if self.area is None else self.area / SQUARE_FEET_PER_ACRE

    @property
    def square_miles(self) -> Optional[float]:
        """The area in square miles."""
        return None if self.area is None else self.area / SQUARE_FEET_PER_SQUARE_MILE

    @property
    def difference_percent(self) -> Optional[float]:
        """How much larger the area is than stated, in percent."""
        if self.acres is None or not self.stated_acres:
            return None
        return (self.acres / self.stated_acres - 1) * 100


def closure(placement: Placement, survey_practice: int = SURVEY_PRACTICE) -> Closure:
    """The figures of a placed parcel; `survey_practice` is the least ratio that may become a boundary."""
    legs = placement.legs
    east, north = misclosure(legs)
    size = math.hypot(east, north)
    known = [leg for leg in legs if leg.how != "gap"] if placement.is_placed else list(legs)
    perimeter = math.fsum(leg.length for leg in known)
    ratio = None if size < EXACT else math.floor(perimeter / size)
    bound = rounding_bound(placement.parcel.calls)
    verdict = _verdict(placement, size, ratio, bound, survey_practice)
    closes = verdict in ("closes", "closes within survey practice")
    stated = placement.parcel.stated_acres
    signed, crosses = (0.0, False) if not placement.is_placed else _area(legs, closes)
    has_area = placement.is_placed and not crosses and verdict != "open" and len(legs) > 1
    return Closure(
        misclosure=size,
        east=east,
        north=north,
        to_close=quadrant(azimuth_of(east, north)) if size >= EXACT else "",
        perimeter=perimeter,
        ratio=ratio if placement.is_placed and placement.state not in ("gap",) else None,
        bound=bound,
        verdict=verdict,
        closes=closes,
        area=abs(signed) if has_area else None,
        closed_by_line=not closes,
        orientation="" if not has_area else "clockwise" if signed < 0 else "counter-clockwise",
        crosses=crosses,
        stated_acres=None if stated is None else float(stated),
    )


def corners(legs: tuple[Leg, ...]) -> list[Point]:
    """The ends of the legs, from the start on, the closing point left out where it is the start again."""
    points = [legs[0].start, *(leg.end for leg in legs)] if legs else []
    if len(points) > 2 and math.dist(points[0], points[-1]) <= CLOSES:
        points.pop()
    return points


def ring(legs: tuple[Leg, ...], closes: bool) -> list[Point]:
    """The corners with the points of the arcs between them; not closed by repeating the first.

    Where the figure closes, its last course ends at the start: the call for the point of beginning governs.
    """
    points: list[Point] = []
    for leg in legs:
        points.append(leg.start)
        if leg.arc is not None:
            points += along_arc(leg.arc, leg.start, leg.end)[:-1]
    if legs and not closes and math.dist(legs[-1].end, legs[0].start) > CLOSES:
        points.append(legs[-1].end)
    return points


def _verdict(placement: Placement, size: float, ratio: Optional[int], bound: float, survey_practice: int) -> str:
    if not placement.is_placed:
        return "unplaced"
    calls = placement.parcel.calls
    stated_closing = not calls or calls[-1].closes or (not placement.parcel.start and size <= max(bound, CLOSES))
    if not stated_closing and any(one.code == "M-OPEN" for one in placement.parcel.problems):
        if size > max(bound, CLOSES):
            return "open"
    if placement.state in ("gap", "provisional"):
        return "provisional" if placement.state == "provisional" else "does not close"
    if size <= max(bound, CLOSES):
        return "closes"
    if ratio is not None and ratio >= survey_practice:
        return "closes within survey practice"
    return "poor" if ratio is not None and ratio >= POOR else "does not close"


def _area(legs: tuple[Leg, ...], closes: bool) -> tuple[float, bool]:
    """Signed area, counter-clockwise positive, with the exact segments of curves; and whether the figure crosses."""
    points = corners(legs)
    if len(points) < 2 or (len(points) < 3 and not any(leg.arc for leg in legs)):
        return 0.0, False
    first = points[0]
    twice = math.fsum(
        (one[0] - first[0]) * (two[1] - first[1]) - (two[0] - first[0]) * (one[1] - first[1])
        for one, two in zip(points, [*points[1:], first])
    )
    segments = math.fsum(
        (1 if leg.arc.side == "left" else -1) * leg.arc.radius**2 / 2 * (leg.arc.delta - math.sin(leg.arc.delta))
        for leg in legs
        if leg.arc is not None
    )
    outline = ring(legs, closes)
    crosses = len(outline) > 2 and not shapely.LinearRing(outline).is_simple
    return twice / 2 + segments, crosses
