"""Which one call, changed once, would make a figure close: the likely slip, never applied by itself."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Optional

from .calls import DEGREE, Call, Suggestion
from .closure import Closure, closure
from .curves import Point, azimuth_of, toward
from .figures import feet, quadrant
from .parcels import SQUARE_FEET_PER_ACRE
from .placing import Leg, Placement, place
from .tangency import FLIPS, flipped, letter_edits, side_edit

NEAR = 0.10
LENGTHS_AGREE = 0.05
MOST_CALLS = 400
MOST_CALLS_FOR_TWO = 60


@dataclass(frozen=True)
class Hint:
    """A change that closes the figure. `kind` is length, letters, bearing, side, doubled, missing or two.

    `edits` are the changes of the text, all together; none where a course would come or go. `plausible`: a usual slip
    of the pen. `misclosure` in feet and `acres` are those of the changed figure.
    """

    kind: str
    call: int
    label: str
    misclosure: float
    acres: Optional[float]
    edits: tuple[Suggestion, ...] = ()
    plausible: bool = True

    @property
    def explains(self) -> bool:
        """Whether it names a slip and not only a gap that any missing course would fill."""
        return self.kind != "missing"


def hints(placement: Placement, figures: Closure, text: str) -> tuple[Hint, ...]:
    """Changes of one call (or of the letters of two) that close a figure which does not, the likeliest first.

    Ranked by agreement with the stated area where there is one; a missing course, which always closes, comes last.
    """
    legs = placement.legs
    if placement.state != "placed" or figures.verdict in ("closes", "open") or not 3 <= len(legs) <= MOST_CALLS:
        return ()
    search = _Search(placement, figures, text)
    found = list(search.single())
    if not any(one.explains for one in found) and len(legs) <= MOST_CALLS_FOR_TWO:
        found += search.double()
    stated = figures.stated_acres
    return tuple(sorted(found, key=lambda one: _rank(one, stated)))


def _rank(one: Hint, stated: Optional[float]) -> tuple[bool, float, float, bool, int]:
    off = abs(one.acres - stated) if stated is not None and one.acres is not None else math.inf
    # Thousandths of an acre are below what stated areas tell apart.
    shown = round(off, 3) if math.isfinite(off) else 1e12
    area = shown if stated is not None else 0.0
    return (not one.explains, area, round(one.misclosure, 2), not one.plausible, one.call)


class _Search:
    def __init__(self, placement: Placement, figures: Closure, text: str) -> None:
        self.placement, self.figures, self.text = placement, figures, text
        self.legs = placement.legs
        self.vectors = [(leg.end[0] - leg.start[0], leg.end[1] - leg.start[1]) for leg in self.legs]
        self.segments = [_segment(leg) for leg in self.legs]
        self.mis: Point = (figures.east, figures.north)
        self.near = max(NEAR, min(figures.bound, 0.15))

    def single(self) -> Iterator[Hint]:
        """All changes of one call."""
        for at, leg in enumerate(self.legs):
            if leg.call.kind == "curve":
                yield from self._side(at, leg)
            elif leg.call.direction is not None:
                yield from self._letters(at, leg)
                yield from self._length(at, leg)
                yield from self._bearing(at, leg)
                yield from self._doubled(at, leg)
        for at, leg in enumerate(self.legs):
            yield self._missing(at, leg)

    def double(self) -> Iterator[Hint]:
        """Letters of two calls, where no curve depends on them."""
        turned = [
            (at, which, self._turned(at, azimuth))
            for at, leg in enumerate(self.legs)
            if leg.call.direction is not None and not self._leads_a_curve(at)
            for which in FLIPS
            for azimuth in [flipped(leg.call.direction, which)]
            if azimuth is not None
        ]
        for number, (one, first, by) in enumerate(turned):
            for two, second, other in turned[number + 1 :]:
                if one == two:
                    continue
                rest = (self.mis[0] - by[0] - other[0], self.mis[1] - by[1] - other[1])
                if math.hypot(*rest) > self.near:
                    continue
                calls = (self.legs[one].call, self.legs[two].call)
                vectors = self._changed(one, by)
                vectors[two] = (vectors[two][0] + other[0], vectors[two][1] + other[1])
                edits = tuple(
                    edit
                    for call, which in zip(calls, (first, second))
                    if call.direction is not None
                    for edit in letter_edits(call.direction, which, self.text)
                )
                label = f"the {first} letter of call {calls[0].no} and the {second} letter of call {calls[1].no}"
                yield Hint("two", calls[0].no, label, math.hypot(*rest), self._acres(vectors), edits, False)

    # Changes of one call

    def _letters(self, at: int, leg: Leg) -> Iterator[Hint]:
        direction = leg.call.direction
        for which in FLIPS:
            azimuth = flipped(direction, which) if direction is not None else None
            if azimuth is None or direction is None or azimuth == direction.azimuth:
                continue
            edits = letter_edits(direction, which, self.text)
            label = f"the {which} letter of call {leg.call.no}: {quadrant(azimuth / DEGREE)}"
            yield from self._with_azimuth(at, leg, azimuth, "letters", label, edits, max(self.figures.bound, NEAR))

    def _length(self, at: int, leg: Leg) -> Iterator[Hint]:
        along = toward(leg.azimuth)
        more = self.mis[0] * along[0] + self.mis[1] * along[1]
        rest = abs(self.mis[0] * along[1] - self.mis[1] * along[0])
        # Within a minute of the course, or what rounding allows.
        if rest > max(self.near, self.figures.misclosure * math.radians(1 / 60)) or leg.length + more <= 0.005:
            return
        length = leg.call.distance
        by = (along[0] * more, along[1] * more)
        edits: tuple[Suggestion, ...] = ()
        told = feet(leg.length + more)
        plausible = True
        if length is not None and length.number[1] > length.number[0]:
            start, end = length.number
            places = max(0, -round(math.log10(float(length.last / length.unit_feet))))
            told = feet((leg.length + more) / float(length.unit_feet), places)
            plausible = is_slip(self.text[start:end], told)
            edits = (Suggestion(start, end, told, told),)
        label = f"the length of call {leg.call.no}: {told} instead of {self._told(leg)}"
        yield Hint("length", leg.call.no, label, rest, self._acres(self._changed(at, by)), edits, plausible)

    def _bearing(self, at: int, leg: Leg) -> Iterator[Hint]:
        needed = (self.vectors[at][0] + self.mis[0], self.vectors[at][1] + self.mis[1])
        if abs(math.hypot(*needed) - leg.length) > LENGTHS_AGREE or self._leads_a_curve(at):
            return
        azimuth = azimuth_of(*needed)
        direction = leg.call.direction
        if direction is None or any(
            abs((flipped(direction, which) or 0) / DEGREE - azimuth) * leg.length < 3.0 for which in FLIPS
        ):
            return
        written = quadrant(azimuth)
        plausible = is_slip(quadrant(direction.azimuth / DEGREE), written)
        start, end = direction.span.start, direction.span.end
        edits = (Suggestion(start, end, written, written),)
        label = f"the bearing of call {leg.call.no}: {written}"
        along = toward(azimuth)
        by = (along[0] * leg.length - self.vectors[at][0], along[1] * leg.length - self.vectors[at][1])
        left = math.hypot(self.mis[0] - by[0], self.mis[1] - by[1])
        yield Hint("bearing", leg.call.no, label, left, self._acres(self._changed(at, by)), edits, plausible)

    def _doubled(self, at: int, leg: Leg) -> Iterator[Hint]:
        left = math.hypot(self.mis[0] + self.vectors[at][0], self.mis[1] + self.vectors[at][1])
        if left <= self.near and not self._leads_a_curve(at):
            vectors = [one for number, one in enumerate(self.vectors) if number != at]
            segments = [one for number, one in enumerate(self.segments) if number != at]
            label = f"call {leg.call.no} is one too many"
            yield Hint("doubled", leg.call.no, label, left, self._acres(vectors, segments))

    def _missing(self, at: int, leg: Leg) -> Hint:
        vectors = [*self.vectors[: at + 1], self.mis, *self.vectors[at + 1 :]]
        needed = f"{self.figures.to_close}, {feet(self.figures.misclosure)}"
        label = f"a course is missing after call {leg.call.no}: {needed}"
        return Hint("missing", leg.call.no, label, 0.0, self._acres(vectors, [*self.segments, 0.0]), plausible=False)

    def _side(self, at: int, leg: Leg) -> Iterator[Hint]:
        curve = leg.call.curve
        if curve is None:
            return
        other = replace(curve, side="left" if curve.side == "right" else "right")
        figures = self._again(at, replace(leg.call, curve=other))
        if figures is not None and figures.misclosure <= self.near:
            label = f"the curve of call {leg.call.no} turns to the {other.side}"
            edits = side_edit(leg.call, self.text)
            yield Hint("side", leg.call.no, label, figures.misclosure, figures.acres, edits)

    def _with_azimuth(
        self,
        at: int,
        leg: Leg,
        azimuth: int,
        kind: str,
        label: str,
        edits: tuple[Suggestion, ...],
        near: float,
    ) -> Iterator[Hint]:
        if self._leads_a_curve(at) and leg.call.direction is not None:
            turned = replace(leg.call, direction=replace(leg.call.direction, azimuth=azimuth))
            figures = self._again(at, turned)
            if figures is not None and figures.misclosure <= near:
                yield Hint(kind, leg.call.no, label, figures.misclosure, figures.acres, edits)
            return
        by = self._turned(at, azimuth)
        left = math.hypot(self.mis[0] - by[0], self.mis[1] - by[1])
        if left <= min(near, self.figures.misclosure / 2):
            yield Hint(kind, leg.call.no, label, left, self._acres(self._changed(at, by)), edits)

    # Measuring

    def _leads_a_curve(self, at: int) -> bool:
        following = self.legs[(at + 1) % len(self.legs)]
        return following.how in ("assumed tangent", "cusp")

    def _turned(self, at: int, azimuth: int) -> Point:
        along = toward(azimuth / DEGREE)
        length = self.legs[at].length
        return (along[0] * length - self.vectors[at][0], along[1] * length - self.vectors[at][1])

    def _changed(self, at: int, by: Point) -> list[Point]:
        vectors = list(self.vectors)
        vectors[at] = (vectors[at][0] + by[0], vectors[at][1] + by[1])
        return vectors

    def _again(self, at: int, call: Call) -> Optional[Closure]:
        parcel = self.placement.parcel
        calls = (*parcel.calls[:at], call, *parcel.calls[at + 1 :])
        again = place(replace(parcel, calls=calls))
        return closure(again) if again.state == "placed" else None

    def _acres(self, vectors: Sequence[Point], segments: Optional[Sequence[float]] = None) -> float:
        east = north = twice = 0.0
        for dx, dy in vectors:
            twice += east * (north + dy) - (east + dx) * north
            east, north = east + dx, north + dy
        bulges = math.fsum(self.segments if segments is None else segments)
        return abs(twice / 2 + bulges) / SQUARE_FEET_PER_ACRE

    def _told(self, leg: Leg) -> str:
        length = leg.call.distance
        if length is None or length.number[1] <= length.number[0]:
            return feet(leg.length)
        return self.text[length.number[0] : length.number[1]]


def is_slip(old: str, new: str) -> bool:
    """Whether one figure is a usual slip for another: a digit changed, dropped or doubled, two swapped, the point."""
    first, second = (_digits(one) for one in (old, new))
    if first == second:
        return True
    if len(first) == len(second):
        differ = [place for place, (one, two) in enumerate(zip(first, second)) if one != two]
        if len(differ) == 1:
            return True
        swapped = len(differ) == 2 and differ[1] == differ[0] + 1
        return swapped and first[differ[0]] == second[differ[1]] and first[differ[1]] == second[differ[0]]
    short, long = sorted((first, second), key=len)
    return len(long) == len(short) + 1 and any(long[:at] + long[at + 1 :] == short for at in range(len(long)))


def _digits(text: str) -> str:
    return "".join(one for one in text if one.isdigit())


def _segment(leg: Leg) -> float:
    if leg.arc is None:
        return 0.0
    area = leg.arc.radius**2 / 2 * (leg.arc.delta - math.sin(leg.arc.delta))
    return area if leg.arc.side == "left" else -area
