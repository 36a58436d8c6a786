"""A small town of streets and waters drawn by hand, in feet from a corner, for the tests of descriptions."""

from __future__ import annotations

from typing import Any

import numpy as np
import shapely

from village_petition.core.crs import WorkingCrs, working_crs
from village_petition.core.description import Area, Description, Line, Sources, describe
from village_petition.core.editions import load_edition

CRS: WorkingCrs = working_crs("EPSG:2262", (), "parcels.gpkg")
EDITION = load_edition("2004")
EAST, NORTH = 930000.0, 890000.0

Point = tuple[float, float]


def placed(*points: Point) -> list[Point]:
    return [(EAST + x, NORTH + y) for x, y in points]


def street(name: str, *points: Point, alias: str = "") -> Line:
    return Line("street", name, shapely.multilinestrings([shapely.linestrings(placed(*points))]), alias)


def roads(name: str, *lines: tuple[Point, ...]) -> Line:
    """A street of several lines, as of two roadways."""
    return Line("street", name, shapely.multilinestrings([shapely.linestrings(placed(*line)) for line in lines]))


def shore(name: str, *points: Point, water: str = "lake", navigable: bool = True, told: bool = True) -> Line:
    ring = shapely.linestrings(placed(*points, points[0]))
    return Line("shore", name, shapely.multilinestrings([ring]), water=water, navigable=navigable, told=told)


def thread(name: str, *points: Point, water: str = "stream", navigable: bool = True, told: bool = True) -> Line:
    line = shapely.multilinestrings([shapely.linestrings(placed(*points))])
    return Line("thread", name, line, water=water, navigable=navigable, told=told)


def area(kind: str, word: str, name: str, *points: Point) -> Area:
    return Area(kind, name, polygon(*points), word)


def polygon(*points: Point, holes: tuple[tuple[Point, ...], ...] = ()) -> Any:
    return shapely.Polygon(placed(*points), [placed(*hole) for hole in holes])


def geometries(*shapes: Any) -> Any:
    array = np.empty(len(shapes), dtype=object)
    array[:] = shapes
    return array


GRID = (
    street("Webster Road", (0, -500), (0, 3500)),
    street("Lake Road", (2000, -500), (2000, 3500)),
    street("Shore Drive", (-500, 0), (2500, 0)),
    street("Main Road", (-500, 3000), (2500, 3000), alias="New York State Route 5"),
)
"""Four streets that cross at the corners of 2,000 by 3,000 ft."""

BLOCK = polygon((0, 0), (2000, 0), (2000, 3000), (0, 3000))


def described(shape: Any, sources: Sources, **choices: Any) -> Description:
    from village_petition.core.description import Choices

    return describe(shape, sources, CRS, EDITION, Choices(**choices))


def calls(description: Description) -> list[str]:
    """The paragraphs between the opening and the closing lines."""
    return [line for line in description.text.splitlines() if line.startswith(("BEGINNING", "thence", "EXC", "PART"))]


def told(description: Description, code: str = "") -> list[tuple[str, str, str]]:
    return [(one.code, one.severity, one.message) for one in description.findings if one.code.startswith(code)]
