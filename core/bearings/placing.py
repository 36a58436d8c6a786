"""Calls to points: every course in feet from the start, with what had to be assumed or solved, and what cannot be."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Optional

from .calls import DEGREE, Call, Parcel
from .curves import Arc, Elements, Point, azimuth_of, elements, moved, place_arc
from .parcels import apart
from .vocabulary import WIND_TOLERANCE

CLOSES = 0.02
"""Feet: what always counts as closed."""


@dataclass(frozen=True)
class Leg:
    """A call in place. Azimuths in degrees; `how` is stated, assumed tangent, cusp, solved, gap or unplaced."""

    call: Call
    start: Point
    end: Point
    azimuth: float
    azimuth_out: float
    length: float
    arc: Optional[Arc] = None
    how: str = "stated"


@dataclass(frozen=True)
class Placement:
    """The legs of a parcel from its start, those of its ties before it, and what is left unplaced.

    `start` is the point of beginning, seen from the point where the text begins (0, 0). `floating`: only the shape is
    known. `state` is placed, gap (one course cannot be placed from the text), solved (closure gave a course, and so is
    no check), provisional (courses without bearings were solved from closure), or unplaced.
    """

    parcel: Parcel
    legs: tuple[Leg, ...]
    tie_legs: tuple[Leg, ...]
    start: Point
    state: str
    floating: bool
    unplaced: tuple[int, ...] = ()
    check: Optional[float] = None
    solved: tuple[int, ...] = ()

    @property
    def is_placed(self) -> bool:
        """Whether every course has a place, be it an assumed one."""
        return self.state != "unplaced"


def place(parcel: Parcel, orientation: Optional[float] = None) -> Placement:
    """The parcel's courses in feet. `orientation` is the azimuth, in degrees, of the first course (or tie leg) of a
    figure that is told by interior angles alone; without it such a figure floats."""
    ties, calls = parcel.tie_legs, parcel.calls
    angles = any(call.kind == "angle" for call in calls)
    signs = _turning(ties, calls) if angles else None
    walker = _Walker(signs, orientation if orientation is not None else (0.0 if angles else None))
    tie_legs, legs = walker.both(ties, calls)
    start = tie_legs[-1].end if tie_legs else (0.0, 0.0)
    floating = angles and orientation is None
    return _solved(Placement(parcel, tuple(legs), tuple(tie_legs), start, "placed", floating))


def misclosure(legs: Sequence[Leg]) -> Point:
    """East and north by which one must go from the end to close, of the legs that have a place."""
    known = [leg for leg in legs if leg.how not in ("gap", "unplaced")]
    east = math.fsum(leg.end[0] - leg.start[0] for leg in known)
    north = math.fsum(leg.end[1] - leg.start[1] for leg in known)
    return (0.0 - east, 0.0 - north)


def rounding_bound(calls: Sequence[Call]) -> float:
    """How far a figure may fail to close by the rounding of its figures alone, in feet."""
    unit = _least_unit(calls)
    bound = 0.0
    for call in calls:
        length = call.distance
        if call.kind == "curve" and call.curve is not None:
            length = call.curve.chord or call.curve.arc or call.curve.radius
        if length is None:
            continue
        feet = float(length.feet)
        half = max(0.01 * feet, 0.5) if length.approximate else float(length.last) / 2
        direction = call.direction or (call.curve.chord_bearing if call.curve else None)
        step = max(direction.unit, unit) if direction is not None else 1000
        bound += math.hypot(half, feet * math.radians(step / DEGREE) / 2)
    return bound


def _least_unit(calls: Sequence[Call]) -> int:
    """5′ where bearings without seconds have only such minutes: they were not read finer."""
    minutes = [call.direction for call in calls if call.direction is not None and call.kind == "line"]
    if len(minutes) < 3 or any(one.unit < DEGREE // 60 for one in minutes):
        return 0
    fives = all(one.azimuth % (DEGREE // 12) == 0 for one in minutes)
    return DEGREE // 12 if fives else 0


# Walking along


_Signs = tuple[int, int, int]
"""To which side interior angles turn in the tie, at the start, and in the parcel: 1 right, -1 left."""


@dataclass
class _Walker:
    """Gives each call its direction from the one before where it states none."""

    signs: Optional[_Signs]
    first: Optional[float]
    sign: int = 0

    def both(self, ties: Sequence[Call], calls: Sequence[Call]) -> tuple[list[Leg], list[Leg]]:
        """The legs of the ties and those of the parcel after them."""
        tie, start, rest = self.signs or (0, 0, 0)
        tie_legs = self.walk(ties, (0.0, 0.0), None, (tie, tie))
        last = tie_legs[-1] if tie_legs else None
        before = last.azimuth_out if last is not None and last.how != "unplaced" else _closing_azimuth(calls)
        return tie_legs, self.walk(calls, last.end if last else (0.0, 0.0), before, (start, rest))

    def walk(self, calls: Sequence[Call], start: Point, before: Optional[float], signs: tuple[int, int]) -> list[Leg]:
        legs: list[Leg] = []
        self.sign = signs[0]
        for call in calls:
            leg = self._leg(call, start, before)
            legs.append(leg)
            start, self.sign = leg.end, signs[1]
            before = leg.azimuth_out if leg.how != "unplaced" else None
        return legs

    def _leg(self, call: Call, start: Point, before: Optional[float]) -> Leg:
        if call.kind == "curve":
            return _curve_leg(call, start, before)
        azimuth, how = self._azimuth(call, before)
        if azimuth is None or call.distance is None:
            length = float(call.distance.feet) if call.distance is not None else 0.0
            return Leg(call, start, start, azimuth or 0.0, azimuth or 0.0, length, how="unplaced")
        length = float(call.distance.feet)
        return Leg(call, start, moved(start, azimuth, length), azimuth, azimuth, length, how=how)

    def _azimuth(self, call: Call, before: Optional[float]) -> tuple[Optional[float], str]:
        if call.direction is not None:
            return call.direction.azimuth / DEGREE, "stated"
        if self.signs is None:
            return None, ""
        if self.first is not None:
            azimuth, self.first = self.first, None
            return azimuth, "stated"
        if before is None:
            return None, ""
        if call.angle is not None:
            return (before + self.sign * (180.0 - call.angle / DEGREE)) % 360.0, "stated"
        return (before, "assumed tangent") if call.tangent else (None, "")


def _curve_leg(call: Call, start: Point, before: Optional[float]) -> Leg:
    curve = call.curve
    found = elements(curve) if curve is not None else None
    if curve is None or found is None:
        return Leg(call, start, start, 0.0, 0.0, float(call.distance.feet) if call.distance else 0.0, how="unplaced")
    turn = 1 if curve.side == "right" else -1
    half = math.degrees(found.delta) / 2
    how = "stated"
    if curve.chord_bearing is not None:
        tangent = curve.chord_bearing.azimuth / DEGREE - turn * half
        if curve.chord is not None:
            found = replace(found, chord=min(float(curve.chord.feet), 2 * found.radius))
    elif curve.radial is not None:
        tangent = curve.radial.azimuth / DEGREE - 90.0 * turn
    elif before is None or curve.tangency == "non-tangent":
        return Leg(call, start, start, 0.0, 0.0, found.arc, how="unplaced")
    else:
        tangent, how = before, "stated" if curve.tangency == "tangent" else "assumed tangent"
        if curve.tangency != "tangent" and _contradicts(call.wind, tangent, tangent + turn * half):
            tangent, how = tangent + 180.0, "cusp"
    return _arc_leg(call, start, tangent, found, curve.side, how)


def _contradicts(wind: Optional[int], tangent: float, chord: float) -> bool:
    """Whether a compass word speaks against both the direction in which a curve starts and that of its chord."""
    return wind is not None and apart(tangent, wind) > 90.0 and apart(chord, wind) > 90.0


def _arc_leg(call: Call, start: Point, tangent: float, found: Elements, side: str, how: str) -> Leg:
    arc, end = place_arc(start, tangent, found, side)
    out = tangent + (1 if side == "right" else -1) * math.degrees(found.delta)
    return Leg(call, start, end, tangent % 360.0, out % 360.0, found.arc, arc, how)


def _closing_azimuth(calls: Sequence[Call]) -> Optional[float]:
    """The direction in which the last course comes in, for a curve that is the first call."""
    last = calls[-1] if calls else None
    return last.direction.azimuth / DEGREE if last is not None and last.direction is not None else None


def _turning(ties: Sequence[Call], calls: Sequence[Call]) -> _Signs:
    """To which side angles turn: as the compass words agree best, the same side throughout where they do not tell.

    A tie may come to the start from the other side than the parcel's own last course.
    """
    same: list[_Signs] = [(1, 1, 1), (-1, -1, -1)]
    mixed: list[_Signs] = [(tie, start, rest) for tie, start, rest in itertools.product((1, -1), repeat=3)]
    others = [one for one in mixed if one not in same and ties]
    off = {signs: _disagreement(ties, calls, signs) for signs in [*same, *others]}
    if any(off.values()):
        return min(off, key=lambda signs: off[signs])
    total = sum((call.angle or 0) for call in calls) / DEGREE
    return same[0] if abs(total - 180.0 * (len(calls) - 2)) < 1.0 else same[1]


def _disagreement(ties: Sequence[Call], calls: Sequence[Call], signs: _Signs) -> float:
    """How far courses are from their compass words, in degrees, the whole figure turned as suits them best."""
    tie_legs, legs = _Walker(signs, 0.0).both(ties, calls)
    told = [(leg.call.wind, leg.azimuth) for leg in (*tie_legs, *legs) if leg.call.wind is not None and not leg.arc]
    radians = [math.radians(wind - azimuth) for wind, azimuth in told]
    turn = math.degrees(math.atan2(sum(map(math.sin, radians)), sum(map(math.cos, radians))))
    return round(sum(apart(azimuth + turn, wind) for wind, azimuth in told), 3)


# What closure gives


def _solved(made: Placement) -> Placement:
    unknown = [place for place, leg in enumerate(made.legs) if leg.how == "unplaced"]
    if not unknown:
        return _curve_from_closure(made)
    east, north = misclosure(made.legs)
    calls = [made.legs[place].call for place in unknown]
    if len(unknown) == 1 and len(made.legs) > 2:
        return _one_unknown(made, unknown[0], (east, north))
    if len(unknown) == 2 and all(call.kind == "winding" and call.distance for call in calls):
        pair = _two_bearings(calls, (east, north))
        if pair is not None:
            legs = _with_azimuths(made, dict(zip(unknown, pair)))
            return replace(made, legs=legs, state="provisional", solved=tuple(call.no for call in calls))
    return replace(made, state="unplaced", unplaced=tuple(call.no for call in calls))


def _curve_from_closure(made: Placement) -> Placement:
    """A curve that only tangency places, and that is tangent to nothing: its chord where closure gives just that."""
    east, north = misclosure(made.legs)
    allowed = max(rounding_bound(made.parcel.calls), CLOSES)
    if math.hypot(east, north) <= allowed:
        return made
    loose = [place for place, leg in enumerate(made.legs) if leg.how in ("assumed tangent", "cusp") and leg.arc]
    if len(loose) != 1:
        return made
    leg = made.legs[loose[0]]
    needed = (leg.end[0] - leg.start[0] + east, leg.end[1] - leg.start[1] + north)
    if _turned_otherwise(leg, needed, allowed):
        return made
    return _curve_solved(made, loose[0], needed, allowed) or made


def _turned_otherwise(leg: Leg, needed: Point, allowed: float) -> bool:
    """Whether the curve, tangent but to the other side, is what closure needs: a slip of the side, nothing to solve."""
    found = elements(leg.call.curve) if leg.call.curve is not None else None
    if found is None or leg.arc is None:
        return False
    _, end = place_arc((0.0, 0.0), leg.azimuth, found, "left" if leg.arc.side == "right" else "right")
    return math.dist(end, needed) <= allowed


def _curve_solved(made: Placement, at: int, needed: Point, allowed: float) -> Optional[Placement]:
    call = made.legs[at].call
    found = elements(call.curve) if call.curve is not None else None
    length = math.hypot(*needed)
    if found is None or call.curve is None or abs(length - found.chord) > allowed:
        return None
    turn = 1 if call.curve.side == "right" else -1
    tangent = azimuth_of(*needed) - turn * math.degrees(found.delta) / 2
    legs = list(made.legs[:at])
    legs.append(_arc_leg(call, made.legs[at].start, tangent, found, call.curve.side, "solved"))
    legs += _shifted(made.legs[at + 1 :], legs[-1].end)
    return replace(made, legs=tuple(legs), state="solved", check=length - found.chord, solved=(call.no,), unplaced=())


def _one_unknown(made: Placement, at: int, needed: Point) -> Placement:
    leg = made.legs[at]
    allowed = max(rounding_bound(made.parcel.calls), CLOSES)
    if leg.call.kind == "curve":
        solved = _curve_solved(made, at, needed, allowed)
        if solved is not None:
            return solved
        return replace(made, state="unplaced", unplaced=(leg.call.no,))
    length = math.hypot(*needed)
    end = (leg.start[0] + needed[0], leg.start[1] + needed[1])
    azimuth = azimuth_of(*needed)
    stated = leg.call.distance
    fits = stated is not None and not leg.call.sinuous and abs(float(stated.feet) - length) <= allowed
    how = "solved" if fits else "gap"
    filled = Leg(leg.call, leg.start, end, azimuth, azimuth, length if fits else leg.length, how=how)
    legs = (*made.legs[:at], filled, *_shifted(made.legs[at + 1 :], end))
    solved_calls = (leg.call.no,) if fits else ()
    check = length - float(stated.feet) if fits and stated is not None else None
    state = "provisional" if fits else "gap"
    return replace(made, legs=legs, state=state, check=check, solved=solved_calls, unplaced=(leg.call.no,))


def _two_bearings(calls: Sequence[Call], needed: Point) -> Optional[tuple[float, float]]:
    """The azimuths of two courses of known length that together make a vector; compass words choose between the two."""
    first, second = (float(call.distance.feet) if call.distance else 0.0 for call in calls)
    length = math.hypot(*needed)
    if not abs(first - second) < length < first + second:
        return None
    base = azimuth_of(*needed)
    one = math.degrees(math.acos((length**2 + first**2 - second**2) / (2 * length * first)))
    other = math.degrees(math.acos((length**2 + second**2 - first**2) / (2 * length * second)))
    tried = [(base + one, base - other), (base - one, base + other)]
    good = [
        pair
        for pair in tried
        if all(call.wind is None or apart(az, call.wind) <= WIND_TOLERANCE for call, az in zip(calls, pair))
    ]
    return (good[0][0] % 360, good[0][1] % 360) if len(good) == 1 else None


def _with_azimuths(made: Placement, azimuths: Mapping[int, float]) -> tuple[Leg, ...]:
    legs: list[Leg] = []
    start = made.start
    for number, leg in enumerate(made.legs):
        if number in azimuths:
            azimuth = azimuths[number]
            end = moved(start, azimuth, leg.length)
            legs.append(Leg(leg.call, start, end, azimuth, azimuth, leg.length, how="solved"))
        else:
            legs += _shifted([leg], start)
        start = legs[-1].end
    return tuple(legs)


def _shifted(legs: Sequence[Leg], start: Point) -> list[Leg]:
    made: list[Leg] = []
    for leg in legs:
        by = (start[0] - leg.start[0], start[1] - leg.start[1])
        arc = leg.arc
        if arc is not None:
            arc = replace(arc, centre=(arc.centre[0] + by[0], arc.centre[1] + by[1]))
        end = (leg.end[0] + by[0], leg.end[1] + by[1])
        made.append(replace(leg, start=start, end=end, arc=arc))
        start = end
    return made
