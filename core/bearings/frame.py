"""From feet of the text to a CRS: foot, basis of bearings, grid factor, start."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from pyproj import CRS, Proj, Transformer
from pyproj.exceptions import ProjError

from ..crs import LONGITUDE_LATITUDE, SPHERICAL_MERCATOR, crs_label, parse_crs
from ..model import InputError
from .calls import DEGREE
from .curves import Point, toward
from .directions import bearing, cardinal, is_bearing
from .scanner import Source
from .words import Words

SURVEY_FOOT = Fraction(1200, 3937)
INTERNATIONAL_FOOT = Fraction("0.3048")
BASES = ("grid", "true", "magnetic")
ZONES = "EPSG:2260 (New York East), 2261 (Central), 2262 (West) or 2263 (Long Island)"


@dataclass(frozen=True)
class Frame:
    """Where a figure stands: `start` in CRS units, `rotation` added to every azimuth of the text, in degrees.

    `scale` is CRS units for a foot of the text, the grid factor in it; `unit_m` metres make a CRS unit. `doubtful`
    says why a person must confirm the CRS, empty where nothing speaks against it.
    """

    wkt: str
    label: str
    unit_m: float
    start: Point
    rotation: float
    scale: float
    basis: str
    convergence: float
    foot_m: Fraction = SURVEY_FOOT
    doubtful: str = ""

    def to_map(self, point: Point, offset: Point = (0.0, 0.0)) -> Point:
        """A point in feet from the start as coordinates of the CRS; `offset` in its units."""
        north = toward(self.rotation)
        east = (north[1], -north[0])
        return (
            self.start[0] + offset[0] + self.scale * (point[0] * east[0] + point[1] * north[0]),
            self.start[1] + offset[1] + self.scale * (point[0] * east[1] + point[1] * north[1]),
        )


def frame(
    crs: str,
    start: Point,
    basis: str = "grid",
    foot_m: Fraction = SURVEY_FOOT,
    factor: float = 1.0,
) -> Frame:
    """The frame of a figure that starts at `start` (E, N in units of `crs`).

    `basis` is "grid", "true" (north at the start) or "magnetic:DECL", the declination in degrees, east positive;
    `factor` is grid over ground. Raises `InputError` for a CRS that is unknown or not projected, a start that is no
    place in it, and a basis that cannot be read.
    """
    known = parse_crs(crs, "The traverse")
    base = known.source_crs if known.is_bound and known.source_crs is not None else known
    label = crs_label(base)
    if not base.is_projected:
        raise InputError(
            f"{label}: lengths in feet cannot be laid out in degrees or in no known unit. Choose a projected system of "
            f"the place, e.g. {ZONES}."
        )
    if not (all(map(math.isfinite, start)) and math.isfinite(factor) and factor > 0):
        raise InputError("The start must be two numbers and the grid factor above 0.")
    unit_m = float(base.axis_info[0].unit_conversion_factor)
    name, declination = parse_basis(basis)
    convergence = _convergence(base, start, label)
    rotation = {"grid": 0.0, "true": -convergence, "magnetic": declination - convergence}[name]
    scale = float(foot_m) / unit_m
    if abs(scale - 1.0) < 1e-9:
        scale = 1.0
    return Frame(
        known.to_wkt(), label, unit_m, start, rotation, scale * factor, basis, convergence, foot_m, _doubt(base, label)
    )


def parse_basis(text: str) -> tuple[str, float]:
    """The basis of bearings and the declination in degrees. Raises `InputError` for anything else."""
    name, colon, value = text.strip().partition(":")
    if name in ("grid", "true") and not colon:
        return name, 0.0
    if name == "magnetic" and colon:
        try:
            declination = float(value)
        except ValueError:
            declination = math.nan
        if abs(declination) <= 180.0:
            return name, declination
    raise InputError(
        f"“{text}” is no basis of bearings. Use grid, true, or magnetic: with the declination in degrees, east "
        "positive, e.g. magnetic:-12.5."
    )


def _convergence(crs: CRS, start: Point, label: str) -> float:
    """Grid convergence at a point in degrees: positive where grid north lies east of true north."""
    try:
        geographic = crs.geodetic_crs or CRS.from_user_input(LONGITUDE_LATITUDE)
        longitude, latitude = Transformer.from_crs(crs, geographic, always_xy=True).transform(*start, errcheck=True)
        return float(Proj(crs).get_factors(longitude, latitude, errcheck=True).meridian_convergence)
    except ProjError as error:
        raise InputError(
            f"The start {start[0]:.12g}, {start[1]:.12g} is no place in {label}. Give east and north in its units."
        ) from error


def _doubt(crs: CRS, label: str) -> str:
    operation = crs.coordinate_operation
    method = operation.method_name if operation is not None else ""
    if method in SPHERICAL_MERCATOR or method.startswith("Mercator"):
        return f"{label} stretches every length (1.37 times at 43° north, areas 1.87 times). Choose e.g. {ZONES}."
    if crs.utm_zone is not None:
        return f"{label} shortens lengths by up to 0.04 %. Choose e.g. {ZONES}, or confirm it."
    return ""


def start_point(text: str) -> Point:
    """“E,N” as two numbers. Raises `InputError` for anything else."""
    parts = text.split(",")
    try:
        east, north = (float(part) for part in parts)
    except ValueError:
        east = north = math.nan
    if not (math.isfinite(east) and math.isfinite(north)):
        raise InputError(f"“{text}” is no start. Give east and north in units of the system, e.g. 899000.00,850000.00.")
    return east, north


def factor(text: str) -> float:
    """A grid factor as a number. Raises `InputError` for what is none, or none of a grid."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0.9 < value < 1.1:
        raise InputError(f"“{text}” is no grid factor. Give grid length over ground length, e.g. 0.99994.")
    return value


def azimuth_of_text(text: str) -> float:
    """The azimuth in degrees of a bearing as a person writes it, N 45°00'00" W.

    Raises `InputError` for anything else.
    """
    words = Words(Source(text))
    direction = bearing(words, 0)[0] if is_bearing(words, 0) else None
    if direction is None:
        straight = cardinal(words, 0)
        direction = straight[0] if straight is not None and straight[1] == len(words) else None
    if direction is None:
        raise InputError(f"“{text}” is no bearing. Write for example N 45°00'00\" W.")
    return direction.azimuth / DEGREE
