"""Polygon to text and back: the same polygon within 0.02 ft a course, whatever its shape."""

from __future__ import annotations

import math
import random
from pathlib import Path
from typing import Any

import fiona
import pytest
import shapely
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from village_petition.core.bearings import (
    INTERNATIONAL_FOOT,
    ArcSide,
    Options,
    Style,
    Traverse,
    describe,
    detected_arcs,
    frame,
    traverse,
)
from village_petition.core.bearings.curves import along_arc, arc_between
from village_petition.core.bearings.writer import DISCLAIMER
from village_petition.core.model import InputError

CRS = "EPSG:2262"
ORIGIN = (900_000.0, 850_000.0)


def at_origin(*points: tuple[float, float]) -> list[tuple[float, float]]:
    return [(ORIGIN[0] + x, ORIGIN[1] + y) for x, y in points]


def reread(text: str, start: tuple[float, float], crs: str = CRS) -> Traverse:
    return traverse(text, frame(crs, start))


def corners_of(result: Traverse) -> list[list[tuple[float, float]]]:
    return [[side.points[0] for side in one.sides] for one in result.results]


def nearest(point: tuple[float, float], points: Any) -> float:
    return min(math.dist(point, (x, y)) for x, y in points)


def test_the_wording() -> None:
    shape = shapely.Polygon(at_origin((0, 0), (0, 100), (300.5, 100), (300.5, 0)))
    written = describe(shape, CRS)
    assert written.text == (
        "BEGINNING at a point (N=850100.00, E=900000.00, in NAD83 / New York West (ftUS) (EPSG:2262)); thence North "
        "90°00'00\" East, 300.50 feet to a point; thence South 00°00'00\" East, 100.00 feet to a point; thence North "
        "90°00'00\" West, 300.50 feet to a point; thence North 00°00'00\" East, 100.00 feet to the point or place of "
        "beginning.\nContaining 0.69 acres (0.001 square miles).\nBearings are referred to grid north of EPSG:2262. "
        f"Distances are grid distances in US survey feet. {DISCLAIMER}\n"
    )
    assert written.courses == 4
    assert [written.text[start:end][:20] for start, end, _, _ in written.sides] == [
        "thence North 90°00'0",
        "thence South 00°00'0",
        "thence North 90°00'0",
        "thence North 00°00'0",
    ]
    assert written.notes == ()


def test_names_and_ties_are_the_persons() -> None:
    points = at_origin((0, 0), (0, 100), (300, 100), (300, 0))
    style = Style(
        start=points[2],
        tie="said point being North 1° East, 12.00 feet from an iron pin",
        along={(points[2], points[3]): "the easterly line of Elm Street"},
        corner={points[3]: "the corner of Elm Street and Main Road"},
        surveyed=True,
    )
    text = describe(shapely.Polygon(points), CRS, style=style).text
    assert "E=900300.00" in text
    assert "said point being North 1° East, 12.00 feet from an iron pin; thence along the easterly line of Elm" in text
    assert "100.00 feet to the corner of Elm Street and Main Road; thence" in text
    assert DISCLAIMER not in text
    result = reread(text, points[2])
    assert result.usable
    assert result.results[0].parcel.calls[0].along == "the easterly line of Elm Street"


def test_d34_collinear_vertices_do_not_change_the_text() -> None:
    points = at_origin((0, 0), (13.7, 411.3), (502.9, 377.2), (611.1, -45.6))
    more = []
    for one, two in zip(points, [*points[1:], points[0]]):
        more += [
            (one[0] + (two[0] - one[0]) * share, one[1] + (two[1] - one[1]) * share) for share in (0, 0.2, 0.21, 0.9)
        ]
    assert describe(shapely.Polygon(more), CRS) == describe(shapely.Polygon(points), CRS)


def test_neither_direction_nor_first_vertex_change_the_text() -> None:
    points = at_origin((0, 0), (13.7, 411.3), (502.9, 377.2), (611.1, -45.6), (300, 100))
    texts = {describe(shapely.Polygon(points[at:] + points[:at]), CRS).text for at in range(5)}
    texts |= {describe(shapely.Polygon(points[::-1]), CRS).text}
    assert len(texts) == 1


def test_holes_and_parts_come_back() -> None:
    outer = at_origin((0, 0), (0, 1000.25), (900.1, 1100), (1000, 0))
    hole = at_origin((100.004, 100.006), (200.3, 100), (150, 250.777))
    far = at_origin((5000.123, 0.456), (5000, 300), (5300, 310))
    shape = shapely.MultiPolygon([shapely.Polygon(far), shapely.Polygon(outer, [hole])])
    written = describe(shape, CRS)
    assert written.text.index("PARCEL 1:") < written.text.index("EXCEPTING THEREFROM") < written.text.index("PARCEL 2:")
    result = reread(written.text, outer[1])
    assert result.shape is not None
    assert len(result.shape.geoms) == 2
    assert len(result.shape.geoms[0].interiors) == 1
    assert result.shape.symmetric_difference(shape).area < 0.02 * shape.length
    for found in corners_of(result):
        for point in found:
            assert nearest(point, shapely.get_coordinates(shape)) < 0.02


def curved(side: str, degrees: float, radius: float, width: float) -> tuple[shapely.Polygon, ArcSide]:
    """A block whose north side is a curve, seen by a person who draws it with vertices."""
    chord = 2 * radius * math.sin(math.radians(degrees) / 2)
    start, end = at_origin((0.0, width), (chord, width))
    arc = ArcSide(start, end, radius, side, degrees > 180)
    placed = arc_between(start, end, radius, side, degrees > 180)
    west, east = at_origin((-400, 0), (-400, width)), at_origin((chord + 400, width), (chord + 400, 0))
    points = [*west, start, *along_arc(placed, start, end), *east]
    return shapely.Polygon(points), arc


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("degrees", [10.0, 90.0, 179.0, 180.0, 240.0])
@pytest.mark.parametrize("backwards", [False, True])
def test_curves_come_back(side: str, degrees: float, backwards: bool) -> None:
    shape, arc = curved(side, degrees, 250.37, 900.0)
    given_shape = shape.reverse() if backwards else shape
    written = describe(given_shape, CRS, [arc.turned() if backwards else arc])
    assert written.courses == 6
    assert f"along a non-tangent curve to the {side}" in written.text
    result = reread(written.text, at_origin((-400.0, 900.0))[0])
    (one,) = result.results
    assert one.problems == ()
    (leg,) = [leg for leg in one.placement.legs if leg.arc is not None]
    assert leg.arc is not None
    assert (leg.arc.radius, leg.arc.side) == (250.37, side)
    assert math.degrees(leg.arc.delta) == pytest.approx(degrees, abs=0.0003)
    assert one.closure.misclosure <= 0.02
    assert result.shape is not None
    assert result.shape.area == pytest.approx(shape.area, abs=0.02 * shape.length)
    for point in corners_of(result)[0]:
        assert nearest(point, shapely.get_coordinates(shape)) < 0.02


def test_a_curve_that_ends_nowhere_is_refused() -> None:
    shape, arc = curved("right", 90.0, 100.0, 500.0)
    elsewhere = ArcSide(arc.start, arc.start, arc.radius, arc.side)
    with pytest.raises(InputError, match="ends of a curve"):
        describe(shape, CRS, [elsewhere])


def test_curves_are_offered_not_taken() -> None:
    shape, arc = curved("right", 90.0, 100.0, 500.0)
    assert describe(shape, CRS).courses > 50
    (found,) = detected_arcs([(x, y) for x, y in shapely.get_coordinates(shape)[:-1]])
    assert (found.start, found.end, found.side, found.large) == (arc.start, arc.end, "right", False)
    assert found.radius == pytest.approx(100.0, abs=0.01)
    square = at_origin((0, 0), (0, 10), (10, 10), (10, 0), (5, -1), (4, -1))
    assert detected_arcs(square) == []


@pytest.mark.parametrize(("crs", "scale"), [("EPSG:32116", 1200 / 3937), ("EPSG:2261", 1.0)])
def test_units_of_the_crs(crs: str, scale: float) -> None:
    points = [(300_000 + x * scale, 400_000 + y * scale) for x, y in [(0, 0), (0, 100), (300, 100), (300, 0)]]
    written = describe(shapely.Polygon(points), crs)
    assert "300.00 feet" in written.text
    result = reread(written.text, points[1], crs)
    assert result.shape is not None
    assert result.shape.symmetric_difference(shapely.Polygon(points)).area < 1e-6


def test_international_feet() -> None:
    points = [(300_000.0, 400_000.0), (300_000.0, 400_030.48), (300_091.44, 400_030.48)]
    written = describe(shapely.Polygon(points), "EPSG:32116", foot_m=INTERNATIONAL_FOOT)
    assert "300.00 feet" in written.text
    assert "international feet" in written.text
    made = frame("EPSG:32116", points[1], foot_m=INTERNATIONAL_FOOT)
    assert traverse(written.text, made, Options(foot_m=INTERNATIONAL_FOOT)).usable


@pytest.mark.parametrize(
    "shape",
    [
        None,
        shapely.Polygon(),
        shapely.Point(1, 2),
        shapely.LineString([(0, 0), (1, 1)]),
        shapely.Polygon([(0, 0), (1, 1), (1, 0), (0, 1)]),
    ],
)
def test_what_is_no_polygon_is_refused(shape: Any) -> None:
    with pytest.raises(InputError, match="The boundary is no"):
        describe(shape, CRS)


def test_degrees_are_refused() -> None:
    with pytest.raises(InputError, match="in degrees"):
        describe(shapely.box(-79, 42, -78, 43), "EPSG:4269")


def test_a_last_course_of_miles_is_parted() -> None:
    points = at_origin((0, 0), (-40_000.5, 30_000.25), (3_000, 9_000))
    written = describe(shapely.Polygon(points), CRS, style=Style(start=points[0]))
    assert written.courses == 4
    (one,) = reread(written.text, points[0]).results
    assert one.closure.misclosure <= 0.02


def test_many_courses_are_said() -> None:
    ring = [(5000 * math.cos(k / 50), 5000 * math.sin(k / 50)) for k in range(314)]
    written = describe(shapely.Polygon(at_origin(*ring)), CRS)
    assert written.notes == ("314 courses: a description by streets, lines and shores would read better.",)


def wild_polygon(seed: int, count: int, with_hole: bool) -> shapely.Polygon:
    """A concave polygon of `count` corners, star-shaped about its middle, with a hole there if wanted."""
    chance = random.Random(seed)
    size = chance.uniform(100, 20_000)
    angles = sorted(chance.uniform(0, 2 * math.pi) for _ in range(count))
    ring = [(size * chance.uniform(0.4, 1) * math.cos(a), size * chance.uniform(0.4, 1) * math.sin(a)) for a in angles]
    shape = shapely.Polygon(at_origin(*ring))
    if not shape.is_valid:
        hull = [
            (size * math.cos(a) * r, size * math.sin(a) * r) for a, r in ((a, chance.uniform(0.4, 1)) for a in angles)
        ]
        shape = shapely.Polygon(at_origin(*hull))
    middle = shape.representative_point()
    room = middle.distance(shape.exterior)
    if with_hole and room > 1.0:
        ring = [(middle.x + room * 0.8 * math.cos(a), middle.y + room * 0.8 * math.sin(a)) for a in (0.3, 2.1, 3.9)]
        shape = shapely.Polygon(shape.exterior, [ring])
    return shape


def with_arc(shape: shapely.Polygon, seed: int) -> tuple[shapely.Polygon, list[ArcSide]]:
    """The polygon with one of its sides bent to a curve, where that leaves it a polygon."""
    chance = random.Random(seed)
    points = [(x, y) for x, y in shapely.get_coordinates(shape.exterior)[:-1]]
    at = chance.randrange(len(points))
    start, end = points[at], points[(at + 1) % len(points)]
    arc = ArcSide(
        start, end, round(math.dist(start, end) * chance.uniform(0.55, 4.0), 2), chance.choice(["left", "right"])
    )
    placed = arc_between(start, end, arc.radius, arc.side)
    bent = [*points[: at + 1], *along_arc(placed, start, end)[:-1], *points[at + 1 :]]
    made = shapely.Polygon(bent, shape.interiors)
    return (made, [arc]) if made.is_valid and math.dist(start, end) > 1.0 else (shape, [])


@settings(max_examples=200, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    seed=st.integers(0, 10**6),
    count=st.one_of(st.integers(4, 40), st.integers(41, 400)),
    with_hole=st.booleans(),
    with_curve=st.booleans(),
)
def test_random_polygons_come_back(seed: int, count: int, with_hole: bool, with_curve: bool) -> None:
    shape = wild_polygon(seed, count, with_hole)
    shape, curves = with_arc(shape, seed) if with_curve else (shape, [])
    if not shape.is_valid or shape.area < 10:
        return
    written = describe(shape, CRS, curves)
    start = written.start
    result = reread(written.text, start)
    if curves:
        (leg,) = [leg for one in result.results for leg in one.placement.legs if leg.arc is not None]
        assert leg.arc is not None
        assert leg.arc.radius == curves[0].radius
    assert result.shape is not None, [one.why_not for one in result.results]
    longest = max(leg.length for one in result.results for leg in one.placement.legs)
    assert result.shape.symmetric_difference(shape).area <= (0.02 + 0.0024 * longest / 1000) * shape.length
    for one in result.results:
        assert one.closure.misclosure <= 0.02
        assert one.problems == ()
        truth = shapely.MultiPoint(shapely.get_coordinates(shape))
        # A hole starts where its coordinates, rounded to 0.01, put it.
        rounding = 0.0075 if one.parcel.role == "include" else 0.015
        bounds = [rounding + 0.0024 * leg.length / 1000 for leg in one.placement.legs]
        ends = shapely.points([side.points[-1] for side in one.sides])
        off = shapely.distance(ends, truth) > bounds
        # A corner put into a last course of miles is no corner of the polygon.
        assert not off[:-2].any()
        assert (shapely.distance(ends, shape.boundary) <= bounds).all()
    if curves:
        return
    again = describe(result.shape, CRS)
    assert [line for line in again.text.split("; ") if "thence" in line][:3] == [
        line for line in written.text.split("; ") if "thence" in line
    ][:3]


def test_two_thousand_corners() -> None:
    ring = [
        (5000 * (1 + 0.3 * math.sin(7 * a)) * math.cos(a), 5000 * (1 + 0.3 * math.sin(7 * a)) * math.sin(a))
        for a in (2 * math.pi * k / 2000 for k in range(2000))
    ]
    shape = shapely.Polygon(at_origin(*ring))
    written = describe(shape, CRS)
    (one,) = traverse(written.text).results
    assert one.parcel.lines == written.courses
    assert one.closure.misclosure <= 0.02
    assert one.closure.area == pytest.approx(shape.area, abs=0.02 * shape.length)


def test_the_lakeshore_territory_comes_back(shared: Path) -> None:
    folder = shared / "data" / "lakeshore" / "clean"
    with fiona.open(folder / "territory.gpkg") as layer:
        shape = shapely.geometry.shape(next(iter(layer))["geometry"])
        crs = layer.crs_wkt
    polygon = shapely.force_2d(shape.geoms[0] if shape.geom_type == "MultiPolygon" else shape)
    written = describe(polygon, crs)
    assert written.courses == pytest.approx(903, abs=2)
    (one,) = traverse(written.text).results
    assert (one.parcel.lines, one.closure.misclosure <= 0.02) == (written.courses, True)
