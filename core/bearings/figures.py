"""How bearings and lengths are written."""

from __future__ import annotations

import math
from typing import Union

from .calls import DEGREE

_SECOND = DEGREE // 3600


def quadrant(azimuth: float, long: bool = False) -> str:
    """An azimuth in degrees as a quadrant bearing to the second: N 45°00'00" W, or North 45°00'00" West."""
    return from_seconds(math.floor((azimuth % 360.0) * 3600 + 0.5) % (360 * 3600), long)


def from_seconds(seconds: int, long: bool = False) -> str:
    """A quadrant bearing of an azimuth in whole seconds. Due east and west are written from north."""
    quarter = 90 * 3600
    if seconds <= quarter:
        north, east, angle = True, True, seconds
    elif seconds <= 2 * quarter:
        north, east, angle = False, True, 2 * quarter - seconds
    elif seconds < 3 * quarter:
        north, east, angle = False, False, seconds - 2 * quarter
    else:
        north, east, angle = True, False, 4 * quarter - seconds
    words = ("North" if north else "South", "East" if east else "West")
    first, last = words if long else (words[0][0], words[1][0])
    return f"{first} {dms(angle)} {last}"


def dms(seconds: int) -> str:
    """Degrees, minutes and seconds of a whole number of seconds: 45°00'00"."""
    degrees, rest = divmod(seconds, 3600)
    minutes, left = divmod(rest, 60)
    return f"{degrees:02d}°{minutes:02d}'{left:02d}\""


def feet(value: Union[float, int], places: int = 2) -> str:
    """A length with separators for thousands: 1,126.22."""
    return f"{value:,.{places}f}"


def milliseconds(azimuth: int, long: bool = False) -> str:
    """A quadrant bearing of an azimuth in milliarcseconds, to the second."""
    return from_seconds((azimuth + _SECOND // 2) // _SECOND % (360 * 3600), long)
