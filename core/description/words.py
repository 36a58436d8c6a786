"""Directions, distances and places in words, and the plain wording of a course by bearing and distance."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..crs import WorkingCrs
from .rings import straightened

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

SURVEY_FOOT_M = 1200 / 3937
INTERNATIONAL_FOOT_M = 0.3048
WINDS = (
    "northerly", "northeasterly", "easterly", "southeasterly", "southerly", "southwesterly", "westerly",
    "northwesterly",
)  # fmt: skip
MERGED_FT = 0.005
"""A corner so near the line of its neighbours is no corner: no distance is written finer."""
JITTER_FT = 5.0
WINDING_DEGREES = 60.0

Metes = Callable[[Any, float], Sequence[str]]
"""Words for the courses of a side: from its corners (n × 2, units of the CRS) and a foot in these units to one text a
course, such as "North 48°44'45" East, 494.90 feet", without "thence" and without where it leads to."""


def foot_of(crs: WorkingCrs) -> float:
    """A foot in units of the CRS: its own foot, else the United States survey foot."""
    return 1.0 if _is_foot(crs) else SURVEY_FOOT_M / crs.unit_m


def foot_words(crs: WorkingCrs) -> str:
    """Which foot distances are in: "United States survey feet" or "international feet"."""
    international = _is_foot(crs) and abs(crs.unit_m - INTERNATIONAL_FOOT_M) < 1e-9
    return "international feet" if international else "United States survey feet"


def unit_words(crs: WorkingCrs) -> str:
    """What coordinates are in: feet or meters; for another unit how many meters one is."""
    if _is_foot(crs):
        return "feet"
    return "meters" if abs(crs.unit_m - 1) < 1e-9 else f"units of {crs.unit_m:g} meters"


def place_words(xy: Sequence[float]) -> str:
    """A point by its coordinates to the hundredth: "North 893,400.00, East 934,700.00"."""
    return f"North {xy[1]:,.2f}, East {xy[0]:,.2f}"


def about_feet(feet: float) -> str:
    """A distance that only helps to find the way: "about 1,390 feet", to the foot below a hundred."""
    rounded = int(feet + 0.5) if feet < 99.5 else int(feet / 10 + 0.5) * 10
    return f"about {rounded:,} {'foot' if rounded == 1 else 'feet'}"


def exact_feet(feet: float) -> str:
    """A distance to the hundredth of a foot: "1,388.37 feet"."""
    return f"{feet:,.2f} feet"


def wind(vector: Sequence[float]) -> str:
    """The nearest of eight winds of a direction on the grid: "northerly"."""
    azimuth = math.degrees(math.atan2(vector[0], vector[1])) % 360
    return WINDS[int(azimuth / 45 + 0.5) % 8]


def heading(xy: Numbers, foot: float) -> tuple[str, bool]:
    """The wind from the first corner to the last, and whether the way turns by more than 60° in all.

    A closed way has no direction: "".
    """
    way = xy[-1] - xy[0]
    plain = straightened(xy, JITTER_FT * foot)
    edges = np.diff(plain, axis=0)
    azimuth = np.arctan2(edges[:, 0], edges[:, 1])
    turns = np.abs((np.diff(azimuth) + math.pi) % (2 * math.pi) - math.pi)
    winds = bool(math.degrees(float(turns.sum())) > WINDING_DEGREES)
    return ("" if float(np.hypot(*way)) < MERGED_FT * foot else wind(way)), winds


def bearings(xy: Any, foot: float) -> tuple[str, ...]:
    """The courses of a side by grid bearing to the second and distance to the hundredth of a foot.

    Every course is taken from where the words so far have led, so that what is rounded does not add up; corners on the
    straight line of their neighbours are left out.
    """
    corners = straightened(np.asarray(xy, dtype=float), MERGED_FT * foot) / foot
    words = []
    here = corners[0]
    for corner in corners[1:]:
        seconds, hundredths = _course(corner - here)
        words.append(f"{_quadrant(seconds)}, {exact_feet(hundredths / 100)}")
        angle = math.radians(seconds / 3600)
        here = here + np.array([math.sin(angle), math.cos(angle)]) * (hundredths / 100)
    return tuple(words)


def _course(way: Numbers) -> tuple[int, int]:
    """Azimuth in whole seconds and distance in whole hundredths, halves up."""
    seconds = math.floor(math.degrees(math.atan2(way[0], way[1])) % 360 * 3600 + 0.5) % 1_296_000
    return seconds, math.floor(float(np.hypot(*way)) * 100 + 0.5)


def _quadrant(seconds: int) -> str:
    """An azimuth as a quadrant bearing: due east and due west from the north, due north and due south to the east."""
    quarter, rest = divmod(seconds, 324_000)
    turned = 324_000 - rest if quarter in (1, 3) else rest
    if quarter == 1 and turned == 324_000:
        quarter = 0
    if quarter == 2 and turned == 0:
        quarter = 1
    north_south = "North" if quarter in (0, 3) else "South"
    east_west = "East" if quarter in (0, 1) else "West"
    return f"{north_south} {turned // 3600:02d}°{turned // 60 % 60:02d}'{turned % 60:02d}\" {east_west}"


def _is_foot(crs: WorkingCrs) -> bool:
    return any(abs(crs.unit_m - foot) < 1e-9 for foot in (SURVEY_FOOT_M, INTERNATIONAL_FOOT_M))
