"""Area, coterminous grounds, cities and villages: rule 21, § 2-200(1), golden cases G23."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import shapely

from village_petition.core.crs import working_crs
from village_petition.core.editions import load_edition
from village_petition.core.limits import area_result, area_test, city_village_test
from village_petition.core.model import Finding, InputError, Layer, TestResult
from village_petition.core.territory import Territory, read_territory, shape_problem, square_miles
from village_petition.core.topology import PolygonSet

EDITION = load_edition("2004")
METRES = working_crs("EPSG:26918", (), "parcels.gpkg")
EAST, NORTH = 690000.0, 4700000.0
SMALL, LARGE = 1000.0, 6000.0
"""Sides in metres: 0.39 and 13.9 square miles."""


def geometries(*shapes: object) -> np.ndarray:
    array = np.empty(len(shapes), dtype=object)
    array[:] = shapes
    return array


def box(west: float, south: float, east: float, north: float) -> shapely.Polygon:
    return shapely.box(EAST + west, NORTH + south, EAST + east, NORTH + north)


def territory_of(shape: object) -> Territory:
    layer = Layer("territory.gpkg", "EPSG:26918", {}, geometries(shape))
    return read_territory(layer, METRES, 0.3048, EDITION, "given")[0]


def polygons(*rows: tuple[str, object, str], kind: str = "") -> PolygonSet:
    """Rows of id or name, shape, SWIS."""
    names = tuple(row[0] for row in rows)
    shapes = geometries(*(row[1] for row in rows))
    problems = tuple(shape_problem(shape) for shape in shapes)
    return PolygonSet(names, names, (kind,) * len(rows), tuple(row[2] for row in rows), shapes, problems)


def area(
    shape: object,
    ground: str = "",
    districts: PolygonSet | None = None,
    ids: tuple[str, ...] = (),
    towns: dict[str, object] | None = None,
) -> tuple[TestResult, tuple[Finding, ...]]:
    names = {"0658": "Dunkirk", "0668": "Pomfret"}
    return area_test(territory_of(shape), METRES, 0.3048, towns or {}, names, districts, ground, ids, EDITION)


# The limit


@pytest.mark.parametrize(
    ("case", "acres", "coterminous", "miles", "status"),
    [
        ("G23a", "3200", False, "5.000000", "pass"),
        ("G23b", "3200.01", False, "5.000016", "fail"),
        ("G23c", "3200.01", True, "5.000016", "pass"),
        ("G23d", "929", False, "1.451563", "pass"),
        ("G23e", "3200.000256", False, "5.000000", "pass"),  # 5.0000004 square miles
    ],
)
def test_g23_five_square_miles_or_coterminous(
    case: str, acres: str, coterminous: bool, miles: str, status: str
) -> None:
    exact = Fraction(acres) / 640
    if case == "G23e":
        assert exact == Fraction("5.0000004")
    printed = square_miles(exact * EDITION.number("square_metres_per_square_mile"), EDITION)
    result = area_result(printed, coterminous, "its boundary is that of a town.", EDITION)
    assert (printed, result.status) == (Fraction(miles), status)
    assert (result.id, result.value, result.threshold, result.comparison) == (
        "area",
        Fraction(miles),
        Fraction(5),
        "<=",
    )
    assert miles in result.reason
    assert result.citation


@pytest.mark.parametrize(
    ("miles", "findings"),
    [
        ("4.974999", []),
        ("4.975000", [("V-04", "warning")]),
        ("5.000000", [("V-04", "warning")]),
        ("5.000001", [("V-04", "error")]),
        ("9.000000", [("V-04", "error")]),
    ],
)
def test_the_limit_warns_within_half_a_percent_and_repeats_a_failed_test(
    miles: str, findings: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("village_petition.core.territory.square_miles", lambda *_: Fraction(miles))
    result, found = area(box(0, 0, SMALL, SMALL), "a")
    assert result.status == ("pass" if Fraction(miles) <= 5 else "fail")
    assert [(one.code, one.severity) for one in found] == findings


def test_the_area_is_that_of_the_ground_not_of_the_map() -> None:
    result, found = area(box(0, 0, SMALL, SMALL))
    assert result.status == "pass"
    assert result.value == pytest.approx(Fraction(1000000) / Fraction("2589988.110336"), rel=1e-3)
    assert result.low == result.high == result.value
    assert found == ()
    result, found = area(box(0, 0, LARGE, LARGE))
    assert result.status == "fail"
    assert [(one.code, one.severity, one.message) for one in found] == [("V-04", "error", result.reason)]


# Grounds b to d


@pytest.mark.parametrize(("by", "holds"), [(0.0, True), (0.3, True), (0.31, False), (40.0, False)])
@pytest.mark.parametrize("ground", ["b", "d"])
def test_a_coterminous_boundary_may_differ_by_the_tolerance(ground: str, by: float, holds: bool) -> None:
    shape = box(-by, 0, LARGE, LARGE)
    districts = polygons(("FD-1", box(0, 0, LARGE, LARGE), "065800")) if ground == "b" else None
    towns = {"0658": box(0, 0, LARGE, LARGE), "0668": box(LARGE, 0, 2 * LARGE, LARGE)}
    result, found = area(shape, ground, districts, ("FD-1",), towns)
    assert result.status == ("pass" if holds else "fail")
    assert [one.code for one in found] == ([] if holds else ["V-03", "V-04"])


def test_several_narrow_strips_of_difference_are_no_difference() -> None:
    district = box(0, 0, LARGE, LARGE).difference(
        shapely.union_all([box(x, 0, x + 0.2, 100) for x in range(100, 5000, 100)])
    )
    result, found = area(box(0, 0, LARGE, LARGE), "b", polygons(("FD-1", district, "065800")), ("FD-1",))
    assert (result.status, found) == ("pass", ())


def test_an_alleged_ground_that_does_not_hold_is_an_error_even_if_the_area_is_small() -> None:
    districts = polygons(("FD-1", box(0, 0, SMALL, 900), "065800"), ("FD-2", box(9000, 0, 9900, 900), "065800"))
    result, (finding,) = area(box(0, 0, SMALL, SMALL), "b", districts, ("FD-1",))
    assert result.status == "pass"
    assert (finding.code, finding.severity) == ("V-03", "error")
    assert "the territory and the district FD-1 differ by 24.7 acres, mostly near 690,500 4,700,950" in finding.message
    _, (finding,) = area(box(0, 0, SMALL, SMALL), "b", districts, ("FD-2",))
    assert "no district lies there" in finding.message
    _, (finding,) = area(box(0, 0, SMALL, SMALL), "b", districts, ())
    assert "names no district" in finding.message


def test_one_of_the_named_districts_is_enough_and_rows_of_one_id_are_one_district() -> None:
    halves = polygons(
        ("SD-9", box(0, 0, LARGE / 2, LARGE), "065800"),
        ("FD-1", box(0, 0, 50, 50), "065800"),
        ("SD-9", box(LARGE / 2, 0, LARGE, LARGE), "065800"),
    )
    result, found = area(box(0, 0, LARGE, LARGE), "b", halves, ("FD-1", "SD-9"))
    assert (result.status, found) == ("pass", ())
    assert "district SD-9" in result.reason


def test_a_ground_that_cannot_be_checked_leaves_a_large_area_undecided() -> None:
    for shape, status in ((box(0, 0, LARGE, LARGE), "undecided"), (box(0, 0, SMALL, SMALL), "pass")):
        result, found = area(shape, "b", None, ("FD-1",))
        assert result.status == status
        assert [(one.code, one.severity) for one in found] == [("V-03", "warning")]
        assert "could not be checked: No layer of districts was given." in found[0].message
    bow_tie = shapely.Polygon([(EAST, NORTH), (EAST + 10, NORTH), (EAST + 4, NORTH + 6), (EAST + 6, NORTH + 6)])
    result, found = area(box(0, 0, LARGE, LARGE), "b", polygons(("FD-1", bow_tie, "065800")), ("FD-1",))
    assert result.status == "undecided"
    assert [one.code for one in found] == ["V-38", "V-03"]


def test_an_unknown_district_is_refused() -> None:
    with pytest.raises(InputError, match="no row of the districts has the ID “FD-7”"):
        area(box(0, 0, SMALL, SMALL), "b", polygons(("FD-1", box(0, 0, 1, 1), "065800")), ("FD-7", "FD-1"))


PARTS = (
    ("FD-1", box(0, 0, LARGE / 2, LARGE), "065800"),
    ("WD-2", box(LARGE / 2, 0, LARGE, LARGE), "065800"),
)


@pytest.mark.parametrize(
    ("shape", "rows", "words"),
    [
        (box(0, 0, LARGE, LARGE), PARTS, ""),
        (box(0, 0, LARGE + 0.25, LARGE), PARTS, ""),
        (box(0, 0, LARGE + 5, LARGE), PARTS, "ft of the boundary lie on no boundary of a named district"),
        (box(0, 0, LARGE - 5, LARGE), PARTS, "of the district WD-2 lie outside the territory"),
        (box(0, 0, LARGE, LARGE), PARTS[:1], "names one district"),
        (
            # the boundary follows both districts where they are, but between them it is free
            box(0, 0, LARGE, LARGE),
            (PARTS[0], ("WD-2", box(LARGE - 500, 0, LARGE, LARGE), "065800")),
            "ft of the boundary lie on no boundary",
        ),
    ],
)
def test_ground_c_runs_along_boundaries_of_several_districts_wholly_inside(
    shape: shapely.Polygon, rows: tuple[tuple[str, object, str], ...], words: str
) -> None:
    towns = {"0658": box(-9000, -9000, 19000, 19000)}
    result, found = area(shape, "c", polygons(*rows), tuple(row[0] for row in rows), towns)
    assert result.status == ("fail" if words else "pass")
    assert [one.code for one in found] == (["V-03", "V-04"] if words else [])
    assert words in (found[0].message if found else "")


def test_v06_ground_c_must_lie_in_one_town() -> None:
    towns = {"0658": box(-9000, -9000, LARGE / 2, 19000), "0668": box(LARGE / 2, -9000, 19000, 19000)}
    result, found = area(box(0, 0, LARGE, LARGE), "c", polygons(*PARTS), ("FD-1", "WD-2"), towns)
    assert result.status == "fail"
    assert [(one.code, one.severity) for one in found] == [("V-06", "error"), ("V-03", "error"), ("V-04", "error")]
    assert "Dunkirk, Pomfret" in found[0].message
    elsewhere = (PARTS[0], (*PARTS[1][:2], "066800"))
    one_town = {"0658": box(-9000, -9000, 19000, 19000)}
    _, found = area(box(0, 0, LARGE, LARGE), "c", polygons(*elsewhere), ("FD-1", "WD-2"), one_town)
    assert "V-06" in [one.code for one in found]


# Cities and villages


def city_village(shape: object, cities: PolygonSet | None) -> tuple[TestResult, tuple[Finding, ...]]:
    return city_village_test(territory_of(shape), cities, 0.3048, METRES, EDITION)


@pytest.mark.parametrize(
    ("east", "status"), [(0.0, "pass"), (-50.0, "pass"), (0.3, "pass"), (0.31, "fail"), (40.0, "fail")]
)
def test_an_overlap_wider_than_the_tolerance_fails_and_touching_passes(east: float, status: str) -> None:
    cities = polygons(("Dunkirk", box(-5000, 0, east, SMALL), "060300"), kind="City")
    result, found = city_village(box(0, 0, SMALL, SMALL), cities)
    assert (result.id, result.status, result.value, result.threshold) == ("city_village", status, None, None)
    assert [(one.code, one.severity, one.swis) for one in found] == (
        [("V-05", "error", "060300")] if status == "fail" else []
    )


def test_each_city_and_village_is_named_with_its_ground() -> None:
    cities = polygons(
        ("Fredonia", box(900, 0, 5000, 100), "066801"), ("Brocton", box(0, 900, 90, 5000), "067001"), kind="Village"
    )
    result, (first, second) = city_village(box(0, 0, SMALL, SMALL), cities)
    assert result.reason == "The territory overlaps the Village of Brocton, the Village of Fredonia."
    assert "takes in 2.5 acres of the Village of Fredonia, near 690,950 4,700,050" in first.message
    assert "2.2 acres of the Village of Brocton" in second.message


def test_without_the_layer_there_is_no_test_and_an_unusable_polygon_leaves_it_open() -> None:
    result, found = city_village(box(0, 0, SMALL, SMALL), None)
    assert (result.status, found) == ("not_applicable", ())
    assert result.reason
    bow_tie = shapely.Polygon([(EAST, NORTH), (EAST + 10, NORTH), (EAST + 4, NORTH + 6), (EAST + 6, NORTH + 6)])
    result, (finding,) = city_village(
        box(0, 0, SMALL, SMALL), polygons(("Fredonia", bow_tie, "066801"), kind="Village")
    )
    assert (result.status, finding.code) == ("undecided", "V-38")
    far = shapely.transform(bow_tie, lambda xy: xy + 90000)
    result, found = city_village(box(0, 0, SMALL, SMALL), polygons(("Fredonia", far, "066801"), kind="Village"))
    assert (result.status, found) == ("pass", ())
