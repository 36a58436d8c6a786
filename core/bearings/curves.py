"""A circular curve: its elements from any sufficient two of them, cross-checked, and its place."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Optional

from .calls import DEGREE, Curve, Distance

Point = tuple[float, float]
SAME_LENGTH = 0.02
"""Feet by which the stated elements of a curve may differ before it is said, where their rounding allows no more."""
MOST_POINTS = 10_000
_HALF_SECOND = math.radians(0.5 / 3600)


@dataclass(frozen=True)
class Elements:
    """Radius, arc, chord and tangent length in feet and the central angle in radians; `disputes` says what disagrees.

    `tangent` is infinite at 180° and negative above. `bound` is what rounding of the stated elements allows the chord
    to be off.
    """

    radius: float
    delta: float
    arc: float
    chord: float
    tangent: float
    bound: float
    disputes: tuple[str, ...] = ()

    @property
    def segment_area(self) -> float:
        """The area between arc and chord."""
        return self.radius**2 / 2 * (self.delta - math.sin(self.delta))


@dataclass(frozen=True)
class Arc:
    """A curve in place: `side` right turns clockwise; `delta` in radians."""

    centre: Point
    radius: float
    side: str
    delta: float
    chord: float

    @property
    def length(self) -> float:
        """The length along the arc."""
        return self.radius * self.delta


def elements(curve: Curve) -> Optional[Elements]:
    """All elements from those stated; None where they do not suffice or cannot be one curve."""
    stated = _stated(curve)
    pair = _radius_and_delta(stated)
    if pair is None:
        return None
    radius, delta, used = pair
    if not (radius > 0 and 0 < delta < 2 * math.pi):
        return None
    half = delta / 2
    chord, arc = 2 * radius * math.sin(half), radius * delta
    tangent = radius * math.tan(half) if abs(half - math.pi / 2) > 1e-12 else math.inf
    rounding = _rounding(curve, radius, delta)
    disputes = []
    for name, value, grows in (("arc", arc, 1.0), ("chord", chord, 1.0), ("tangent", tangent, _growth(half))):
        given = stated.get(name)
        if given is not None and name not in used:
            allowed = max(SAME_LENGTH, rounding * grows + _half(getattr(curve, _FIELDS[name])))
            if abs(given - value) > allowed:
                disputes.append(f"{_NAMES[name]} {given:,.2f} and {value:,.2f} from {_listed(used)}")
    if "delta" in stated and "delta" not in used and abs(stated["delta"] - delta) * radius > max(SAME_LENGTH, rounding):
        disputes.append(f"central angle and {_listed(used)}")
    if stated.get("degree_radius") and "radius" in used:
        if abs(stated["degree_radius"] - radius) > max(SAME_LENGTH, radius * 0.5 / max(curve.degree or 1, 1) * 1000):
            disputes.append("degree of curve and radius")
    return Elements(radius, delta, arc, chord, tangent, rounding, tuple(disputes))


def place_arc(start: Point, tangent_azimuth: float, one: Elements, side: str) -> tuple[Arc, Point]:
    """The arc that leaves `start` along an azimuth in degrees, and its end."""
    turn = 1 if side == "right" else -1
    toward_centre = tangent_azimuth + 90 * turn
    centre = moved(start, toward_centre, one.radius)
    end = moved(start, tangent_azimuth + turn * math.degrees(one.delta) / 2, one.chord)
    return Arc(centre, one.radius, side, one.delta, one.chord), end


def arc_between(start: Point, end: Point, radius: float, side: str, large: bool = False) -> Arc:
    """The arc of a radius from one point to another. A radius below half the chord is taken as half of it."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    chord = math.hypot(dx, dy)
    radius = max(radius, chord / 2)
    half = math.asin(min(1.0, chord / (2 * radius)))
    delta = 2 * (math.pi - half) if large else 2 * half
    turn = 1 if side == "right" else -1
    azimuth = math.degrees(math.atan2(dx, dy))
    centre = moved(start, azimuth - turn * math.degrees(delta) / 2 + 90 * turn, radius)
    return Arc(centre, radius, side, delta, chord)


def along_arc(arc: Arc, start: Point, end: Point, sagitta: float = 0.01) -> list[Point]:
    """Points of an arc after its start, the last one its end: steps of at most 1° and at most `sagitta` off the arc."""
    step = math.radians(1.0)
    if sagitta < arc.radius:
        step = min(step, 2 * math.acos(1 - sagitta / arc.radius))
    count = min(MOST_POINTS, max(1, math.ceil(arc.delta / step - 1e-9)))
    turn = -1 if arc.side == "right" else 1
    first = math.atan2(start[1] - arc.centre[1], start[0] - arc.centre[0])
    points = []
    for number in range(1, count):
        angle = first + turn * arc.delta * number / count
        points.append((arc.centre[0] + arc.radius * math.cos(angle), arc.centre[1] + arc.radius * math.sin(angle)))
    return [*points, end]


def moved(point: Point, azimuth: float, length: float) -> Point:
    """The point at a length and an azimuth in degrees; exact along the axes."""
    east, north = toward(azimuth)
    return (point[0] + length * east, point[1] + length * north)


def toward(azimuth: float) -> Point:
    """East and north of a unit vector; exact along the axes."""
    azimuth %= 360.0
    if azimuth % 90.0 == 0:
        return ((0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0))[int(azimuth // 90) % 4]
    return math.sin(math.radians(azimuth)), math.cos(math.radians(azimuth))


def azimuth_of(east: float, north: float) -> float:
    """The azimuth of a vector in degrees, 0 to 360."""
    return math.degrees(math.atan2(east, north)) % 360.0


_FIELDS = {"arc": "arc", "chord": "chord", "tangent": "tangent_length", "radius": "radius"}
_NAMES = {"arc": "arc", "chord": "chord", "tangent": "tangent", "radius": "radius", "delta": "central angle"}
_NAMES["degree_radius"] = "degree of curve"


def _stated(curve: Curve) -> dict[str, float]:
    found = {
        name: float(getattr(curve, attribute).feet)
        for name, attribute in _FIELDS.items()
        if getattr(curve, attribute) is not None and getattr(curve, attribute).feet > 0
    }
    if curve.delta:
        found["delta"] = math.radians(curve.delta / DEGREE)
    if curve.degree:
        found["degree_radius"] = 100.0 / math.radians(curve.degree / DEGREE)
    return found


def _radius_and_delta(stated: dict[str, float]) -> Optional[tuple[float, float, tuple[str, ...]]]:
    name = "radius" if "radius" in stated else "degree_radius"
    if name in stated:
        radius = stated[name]
        if "delta" in stated:
            return radius, stated["delta"], (name, "delta")
        if "arc" in stated:
            return radius, stated["arc"] / radius, (name, "arc")
        if "chord" in stated:
            # A chord of two radii, rounded, may seem a little longer than the circle allows.
            share = stated["chord"] / (2 * radius)
            fits = stated["chord"] <= 2 * radius + SAME_LENGTH
            return (radius, 2 * math.asin(min(1.0, share)), (name, "chord")) if fits else None
        if "tangent" in stated:
            return radius, 2 * math.atan2(stated["tangent"], radius), (name, "tangent")
        return None
    if "delta" in stated:
        half = stated["delta"] / 2
        for other, value in (("arc", 2 * half), ("chord", 2 * math.sin(half)), ("tangent", math.tan(half))):
            if other in stated and value > 0:
                return stated[other] / value, stated["delta"], ("delta", other)
        return None
    return _from_lengths(stated)


def _from_lengths(stated: dict[str, float]) -> Optional[tuple[float, float, tuple[str, ...]]]:
    arc, chord, tangent = stated.get("arc"), stated.get("chord"), stated.get("tangent")
    if arc and chord and chord < arc:
        half = _bisected(lambda x: math.sin(x) / x - chord / arc, 1e-9, math.pi)
        return arc / (2 * half), 2 * half, ("arc", "chord")
    if arc and tangent and tangent > arc / 2:
        half = _bisected(lambda x: tangent / arc - math.tan(x) / (2 * x), 1e-9, math.pi / 2 - 1e-12)
        return arc / (2 * half), 2 * half, ("arc", "tangent")
    if chord and tangent and chord < 2 * tangent:
        half = math.acos(chord / (2 * tangent))
        return chord / (2 * math.sin(half)), 2 * half, ("chord", "tangent")
    return None


def _bisected(falls: Callable[[float], float], low: float, high: float) -> float:
    for _ in range(200):
        middle = (low + high) / 2
        if falls(middle) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _half(length: Optional[Distance]) -> float:
    return float(length.last) / 2 if length is not None else 0.0


def _rounding(curve: Curve, radius: float, delta: float) -> float:
    """How far rounding of the stated elements lets the arc be off."""
    from_angle = radius * _HALF_SECOND if curve.delta else 0.0
    return _half(curve.radius) * delta + from_angle + max(_half(curve.arc), _half(curve.chord))


def _growth(half: float) -> float:
    return 1 / max(math.cos(half) ** 2, 1e-9)


def _listed(names: tuple[str, ...]) -> str:
    return " and ".join(_NAMES[name] for name in names)
