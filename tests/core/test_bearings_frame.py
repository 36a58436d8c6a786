"""CRS, foot and basis of bearings: where a figure stands on the map."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from pyproj import Transformer

from village_petition.core.bearings import (
    INTERNATIONAL_FOOT,
    Options,
    Traverse,
    azimuth_of_text,
    factor,
    frame,
    parse_basis,
    start_point,
    traverse,
)
from village_petition.core.model import InputError

SQUARE = "N0E, 500\nN90E, 500\nS0E, 500\nS90W, 500\n"
EAST, NORTH = 1_150_000.0, 780_000.0


def outline(result: Traverse) -> tuple[float, float, float, float]:
    assert result.shape is not None
    bounds: tuple[float, float, float, float] = result.shape.bounds
    return bounds


@pytest.mark.parametrize("crs", ["EPSG:4269", "EPSG:4326"])
def test_d32_degrees_are_refused(crs: str) -> None:
    with pytest.raises(InputError, match="cannot be laid out in degrees"):
        frame(crs, (-79.35, 42.48))


@pytest.mark.parametrize(("crs", "side"), [("EPSG:2261", 500.0), ("EPSG:32116", 152.400305)])
def test_d32_feet_become_units_of_the_crs(crs: str, side: float) -> None:
    west, south, east, north = outline(traverse(SQUARE, frame(crs, (300_000.0, 400_000.0))))
    assert (west, south) == (300_000.0, 400_000.0)
    assert east - west == pytest.approx(side, abs=5e-7)
    assert north - south == pytest.approx(side, abs=5e-7)


def test_d32_survey_feet_are_exact_in_their_own_zone() -> None:
    assert outline(traverse(SQUARE, frame("EPSG:2261", (300_000.0, 400_000.0)))) == (300000, 400000, 300500, 400500)


def test_the_international_foot() -> None:
    made = frame("EPSG:32116", (300_000.0, 400_000.0), foot_m=INTERNATIONAL_FOOT)
    west, _, east, _ = outline(traverse(SQUARE, made))
    assert east - west == pytest.approx(152.4, abs=1e-9)


def test_metres_stay_metres_whichever_the_foot() -> None:
    square = SQUARE.replace("500", "500 metres")
    for foot in (INTERNATIONAL_FOOT, Fraction(1200, 3937)):
        made = frame("EPSG:32116", (300_000.0, 400_000.0), foot_m=foot)
        west, _, east, _ = outline(traverse(square, made, Options(foot_m=foot)))
        assert east - west == pytest.approx(500.0, abs=1e-9)


@pytest.mark.parametrize("crs", ["", "EPSG:99999", "no such thing"])
def test_a_crs_that_is_none(crs: str) -> None:
    with pytest.raises(InputError):
        frame(crs, (0.0, 0.0))


@pytest.mark.parametrize(
    ("crs", "doubtful"),
    [("EPSG:3857", True), ("EPSG:26917", True), ("EPSG:32617", True), ("EPSG:2262", False), ("EPSG:6539", False)],
)
def test_systems_that_distort_are_to_be_confirmed(crs: str, doubtful: bool) -> None:
    east, north = Transformer.from_crs("EPSG:4269", crs, always_xy=True).transform(-79.35, 42.48)
    assert bool(frame(crs, (east, north)).doubtful) == doubtful


def start_at_check_point() -> tuple[float, float]:
    east, north = Transformer.from_crs("EPSG:4269", "EPSG:2262", always_xy=True).transform(-79.35, 42.48)
    return float(east), float(north)


def test_true_north_is_turned_by_the_convergence() -> None:
    start = start_at_check_point()
    made = frame("EPSG:2262", start, "true")
    assert made.convergence == pytest.approx(-0.517772, abs=1e-6)
    end = made.to_map((0.0, 1000.0))
    assert end[0] - start[0] == pytest.approx(9.037, abs=0.0006)
    assert end[1] - start[1] == pytest.approx(999.959, abs=0.0006)


def test_magnetic_north_is_turned_by_declination_and_convergence() -> None:
    start = start_at_check_point()
    made = frame("EPSG:2262", start, "magnetic:-11.5")
    assert made.rotation == pytest.approx(-11.5 + 0.517772, abs=1e-6)


@pytest.mark.parametrize("basis", ["grid", "true", "magnetic:-11.5", "magnetic:4"])
def test_closure_does_not_depend_on_the_basis(basis: str) -> None:
    text = "N 10°00'00\" E 100.00'\nS 80°00'00\" E 50.00'\nS 10°00'00\" W 100.00'\nN 80°00'00\" W 50.00'\n"
    plain = traverse(text).results[0].closure
    turned = traverse(text, frame("EPSG:2262", start_at_check_point(), basis)).results[0]
    assert turned.closure == plain
    assert turned.polygon is not None
    assert turned.polygon.area == pytest.approx(5000.0, abs=1e-4)


def test_the_grid_factor() -> None:
    made = frame("EPSG:2261", (300_000.0, 400_000.0), factor=0.9999)
    west, _, east, _ = outline(traverse(SQUARE, made))
    assert east - west == pytest.approx(499.95)


@pytest.mark.parametrize(
    "text", ["", "north", "magnetic", "magnetic:", "magnetic:x", "magnetic:181", "grid:1", "true:2"]
)
def test_a_basis_that_is_none(text: str) -> None:
    with pytest.raises(InputError, match="no basis of bearings"):
        parse_basis(text)


@pytest.mark.parametrize("text", ["", "1", "1,2,3", "a,b", "nan,1", "1,inf", "1;2"])
def test_a_start_that_is_none(text: str) -> None:
    with pytest.raises(InputError, match="no start"):
        start_point(text)
    assert start_point("899000.25, 850000") == (899000.25, 850000.0)


@pytest.mark.parametrize("text", ["", "x", "0", "2", "nan"])
def test_a_factor_that_is_none(text: str) -> None:
    with pytest.raises(InputError, match="no grid factor"):
        factor(text)
    assert factor("0.99994") == 0.99994


def test_a_start_that_is_no_place() -> None:
    with pytest.raises(InputError, match="start"):
        frame("EPSG:2262", (math.inf, 0.0))


def test_a_direction_that_is_typed() -> None:
    assert azimuth_of_text("N 45°00'00\" W") == 315.0
    assert azimuth_of_text("due East") == 90.0
    for text in ("", "easterly", "45", "N 99 E"):
        with pytest.raises(InputError, match="no bearing"):
            azimuth_of_text(text)


def test_the_basis_is_asked_for() -> None:
    said = traverse(SQUARE, basis_chosen=False).problems
    assert [(one.code, one.severity) for one in said] == [("M-BASIS", "info")]
    named = traverse(f"Bearings refer to Magnetic North 2009.\n{SQUARE}", basis_chosen=False).problems
    assert [(one.code, one.severity) for one in named] == [("M-BASIS", "warning")]
    assert traverse(SQUARE).problems == ()


def test_coordinates_of_curves_follow_the_frame() -> None:
    text = (
        "BEGINNING at a pin; thence along a curve to the right having a radius of 100.00 feet, a chord bearing of "
        "North 90° East and a chord distance of 200.00 feet; thence West 200 feet to the point of beginning"
    )
    made = frame("EPSG:32116", (300_000.0, 400_000.0))
    side = traverse(text, made).results[0].sides[0]
    assert side.arc is not None
    foot = 1200 / 3937
    assert side.arc.radius == pytest.approx(100 * foot)
    assert side.arc.centre == pytest.approx((300_000 + 100 * foot, 400_000.0))
    assert all(math.dist(point, side.arc.centre) == pytest.approx(side.arc.radius) for point in side.points)
