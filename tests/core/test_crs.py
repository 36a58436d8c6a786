"""The working CRS and the way of layers into it: rule 7."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import geopandas
import numpy as np
import pytest
import shapely
from pyproj import CRS, Transformer

from village_petition.core.crs import (
    WorkingCrs,
    deviation_findings,
    geodesic_measures,
    to_working,
    working_crs,
)
from village_petition.core.editions import load_edition, state_plane_zones
from village_petition.core.model import InputError
from village_petition.core.overlay import place

WEST = working_crs("EPSG:2262", (), "parcels.gpkg")
ONE_FOOT = WEST.tolerance("1.0")


def area_of(shape, crs):
    return geodesic_measures(shape, crs)[0]


def length_of(shape, crs):
    return geodesic_measures(shape, crs)[1]


def geometries(*shapes: object) -> np.ndarray:
    array = np.empty(len(shapes), dtype=object)
    array[:] = shapes
    return array


def square(x: float, y: float, size: float) -> shapely.Polygon:
    return shapely.box(x, y, x + size, y + size)


# The choice of the CRS


@pytest.mark.parametrize(
    ("crs", "label", "unit"),
    [
        ("EPSG:2262", "EPSG:2262", 1200 / 3937),
        ("EPSG:26918", "EPSG:26918", 1.0),
        ("EPSG:32116", "EPSG:32116", 1.0),
        ("EPSG:3395", "EPSG:3395", 1.0),
        ("+proj=tmerc +lat_0=40 +lon_0=-78 +ellps=GRS80 +to_meter=0.3048", "unknown", 0.3048),
    ],
)
def test_projected_parcels_keep_their_own_crs(crs: str, label: str, unit: float) -> None:
    found = working_crs(crs, (), "parcels.gpkg")
    assert (found.label, found.is_parcels_own, found.county) == (label, True, "")
    assert found.unit_m == pytest.approx(unit, abs=1e-15)


def test_heights_of_a_compound_crs_are_left_aside() -> None:
    found = working_crs("EPSG:2262+5703", (), "parcels.gpkg")
    assert found.label == "EPSG:2262"
    assert not CRS.from_wkt(found.wkt).is_compound


@pytest.mark.parametrize(
    "crs",
    [
        "EPSG:4326",
        "EPSG:4269",
        "EPSG:3857",
        "EPSG:900913",
        "EPSG:102100",
        "ESRI:102100",
        "EPSG:3785",
        CRS.from_epsg(3857).to_wkt("WKT1_ESRI"),
        "+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +x_0=0 +y_0=0 +k=1 +units=m +nadgrids=@null +no_defs",
    ],
)
def test_degrees_and_web_mercator_go_to_the_state_plane_zone_of_the_county(crs: str) -> None:
    found = working_crs(crs, ["065800", "066800"], "parcels.gpkg")
    assert (found.label, found.is_parcels_own, found.county) == ("EPSG:2262", False, "Chautauqua")


def test_the_county_of_most_rows_decides_and_the_lower_code_where_two_have_as_many() -> None:
    albany, chautauqua = "010100", "065800"
    assert working_crs("EPSG:4326", [albany, chautauqua, chautauqua], "p").label == "EPSG:2262"
    assert working_crs("EPSG:4326", [chautauqua, albany], "p").label == "EPSG:2260"
    assert working_crs("EPSG:4326", ["", "99", albany], "p").label == "EPSG:2260"


def test_every_county_has_a_zone_in_us_survey_feet() -> None:
    zones = state_plane_zones()
    assert len(zones) == 62
    for epsg in {zone["epsg"] for zone in zones.values()}:
        assert CRS.from_epsg(epsg).axis_info[0].unit_name == "US survey foot"


@pytest.mark.parametrize(
    ("crs", "swis", "words"),
    [
        ("", (), "parcels.gpkg has no coordinate reference system"),
        ("  ", (), "parcels.gpkg has no coordinate reference system"),
        ("EPSG:1", (), "“EPSG:1” is not known"),
        ("rubbish", (), "“rubbish” is not known"),
        ("EPSG:4326", ["", "99"], "no SWIS code names a county"),
        ('LOCAL_CS["shop floor",UNIT["metre",1]]', ["065800"], "tied to no place on earth"),
    ],
)
def test_a_crs_in_which_nothing_can_be_measured_is_refused(crs: str, swis: tuple[str, ...], words: str) -> None:
    with pytest.raises(InputError, match=words) as refused:
        working_crs(crs, swis, "parcels.gpkg")
    assert len(refused.value.problems) == 1
    assert "\n" not in refused.value.problems[0]


def test_the_sliver_width_is_0_3048_metres_a_foot_in_every_unit() -> None:
    assert working_crs("EPSG:26918", (), "p").tolerance("1.0") == 0.3048
    assert working_crs("EPSG:26918", (), "p").tolerance(Fraction(5, 2)) == 0.762
    assert working_crs("EPSG:2262", (), "p").tolerance("1.0") == pytest.approx(0.999998, abs=1e-12)
    feet = WorkingCrs(wkt="", label="", unit_m=0.3048, is_parcels_own=True)
    assert feet.tolerance("1.0") == 1.0


# The way into it


def test_a_layer_in_the_working_crs_stays_as_it_is_but_for_heights() -> None:
    given = geometries(shapely.Polygon([(0, 0, 5), (10, 0, 5), (0, 10, 5)]), None)
    shapes, operation, deviation = to_working(given, "EPSG:2262", "towns", WEST, ONE_FOOT)
    assert (operation, deviation) == (None, 0.0)
    assert shapes[1] is None
    assert not shapely.has_z(shapes[0])
    assert shapely.get_coordinates(shapes[0]).tolist() == [[0, 0], [10, 0], [0, 10], [0, 0]]


def test_another_spelling_of_the_crs_does_not_move_a_bit() -> None:
    given = geometries(shapely.Polygon([(940000.123, 890000.457), (940100.1, 890000.3), (940050.7, 890100.9)]))
    esri = CRS.from_epsg(2262).to_wkt("WKT1_ESRI")
    shapes, _, deviation = to_working(given, esri, "towns", WEST, ONE_FOOT)
    assert shapely.get_coordinates(shapes).tolist() == shapely.get_coordinates(given).tolist()
    assert deviation == 0.0


def test_vertices_go_over_one_by_one_and_the_operation_is_told() -> None:
    given = geometries(square(690000, 4700000, 100), shapely.Point(690000, 4700000), None)
    shapes, operation, _ = to_working(given, "EPSG:26918", "towns", WEST, ONE_FOOT)
    direct = Transformer.from_crs("EPSG:26918", "EPSG:2262", always_xy=True)
    expected = np.column_stack(direct.transform(*shapely.get_coordinates(given).T))
    assert np.array_equal(shapely.get_coordinates(shapes), expected)
    assert shapes[2] is None
    assert operation is not None
    assert (operation.layer, operation.source_crs, operation.target_crs) == ("towns", "EPSG:26918", "EPSG:2262")
    assert "UTM zone 18N" in operation.name
    assert operation.accuracy_m == "0"


def test_the_accuracy_of_wgs84_is_told_and_an_unknown_one_is_none() -> None:
    point = geometries(shapely.Point(-79.3, 42.5))
    _, wgs84, _ = to_working(point, "EPSG:4326", "territory", WEST, ONE_FOOT)
    assert wgs84 is not None
    assert wgs84.accuracy_m is not None
    assert float(wgs84.accuracy_m) > 0
    utm = geometries(shapely.Point(690000, 4700000))
    _, ballpark, _ = to_working(utm, "EPSG:6347", "territory", WEST, ONE_FOOT)
    assert ballpark is not None
    assert (ballpark.accuracy_m is None) == ("Ballpark" in ballpark.name)


def test_a_layer_without_crs_or_with_an_impossible_point_is_refused_by_name() -> None:
    with pytest.raises(InputError, match="towns.gpkg has no coordinate reference system"):
        to_working(geometries(shapely.Point(0, 0)), "", "towns", WEST, ONE_FOOT, "towns.gpkg")
    with pytest.raises(InputError, match="towns: the point 1e.30 1e.30 cannot be brought into EPSG:2262"):
        to_working(geometries(shapely.Point(1e30, 1e30)), "EPSG:26918", "towns", WEST, ONE_FOOT)


def test_a_coordinate_that_is_no_number_is_left_for_whoever_judges_the_shape() -> None:
    broken = shapely.Polygon([(690000, 4700000), (690100, 4700000), (np.nan, 4700100)])
    shapes, _, _ = to_working(geometries(broken, square(690000, 4700000, 9)), "EPSG:26918", "p", WEST, ONE_FOOT)
    assert not np.isfinite(shapely.get_coordinates(shapes[0])).all()
    assert np.isfinite(shapely.get_coordinates(shapes[1])).all()


def farthest(line: shapely.LineString, crs: str) -> float:
    """How far a straight edge bends, by many points on it."""
    direct = Transformer.from_crs(crs, "EPSG:2262", always_xy=True)
    along = line.interpolate(np.linspace(0, 1, 20001), normalized=True)
    points = shapely.points(np.column_stack(direct.transform(*shapely.get_coordinates(along).T)))
    return float(shapely.distance(shapely.LineString([points[0], points[-1]]), points).max())


@pytest.mark.parametrize(
    ("crs", "ends"),
    [
        ("EPSG:4326", [(-79.5, 42.4), (-79.3, 42.4)]),
        ("EPSG:4326", [(-79.5, 42.4), (-79.499, 42.4)]),
        ("EPSG:26918", [(130000, 4700000), (180000, 4720000)]),
        ("EPSG:3857", [(-8850000, 5200000), (-8830000, 5225000)]),
    ],
)
def test_the_deviation_is_how_far_the_transformed_edge_leaves_the_straight_one(
    crs: str, ends: list[tuple[float, float]]
) -> None:
    line = shapely.LineString(ends)
    _, _, deviation = to_working(geometries(line), crs, "towns", WEST, ONE_FOOT)
    assert deviation == pytest.approx(farthest(line, crs), abs=2 * ONE_FOOT / 1000)
    assert deviation > 0


def test_the_deviation_of_a_polygon_is_that_of_its_own_edges_holes_and_collections_too() -> None:
    far = shapely.LineString([(-79.5, 42.4), (-79.3, 42.4)])
    hole = shapely.Polygon(
        [(-79.6, 42.35), (-79.6, 42.36), (-79.6, 42.45), (-79.6, 42.46)],
        [[(-79.5, 42.4), (-79.3, 42.4), (-79.4, 42.4001)]],
    )
    collection = shapely.GeometryCollection([shapely.Point(-79, 42), shapely.MultiLineString([far])])
    expected = farthest(far, "EPSG:4326")
    for shape in (hole, collection):
        _, _, deviation = to_working(geometries(shape), "EPSG:4326", "towns", WEST, ONE_FOOT)
        assert deviation == pytest.approx(expected, rel=1e-3)


def test_a_deviation_above_the_tolerance_is_a_finding_in_feet() -> None:
    edition = load_edition("2004")
    assert deviation_findings("towns", ONE_FOOT, WEST, ONE_FOOT, edition) == ()
    metres = working_crs("EPSG:26918", (), "p")
    (finding,) = deviation_findings("towns", 3.048, metres, 0.3048, edition)
    assert (finding.code, finding.severity) == ("V-41", "warning")
    assert "by up to 10.0 ft on their way into EPSG:26918" in finding.message


# The ellipsoid


def test_d32_five_hundred_feet_are_five_hundred_units_or_152_4003_metres() -> None:
    feet = working_crs("EPSG:2261", (), "p")
    metres = working_crs("EPSG:32116", (), "p")
    side = 500 * feet.unit_m
    assert round(side, 4) == 152.4003
    in_feet = area_of(square(820000, 1000000, 500), feet)
    in_metres = area_of(square(820000 * feet.unit_m, 1000000 * feet.unit_m, side), metres)
    assert in_feet == pytest.approx(in_metres, rel=1e-9)
    assert in_feet == pytest.approx(side**2, rel=2e-4)


def test_holes_are_taken_from_the_area_and_added_to_the_perimeter_however_rings_turn() -> None:
    whole, hole = square(940000, 890000, 1000), square(940400, 890400, 200)
    ring, gap = list(whole.exterior.coords), list(hole.exterior.coords)
    for outer, inner in ((ring, gap), (ring[::-1], gap), (ring, gap[::-1])):
        shape = shapely.Polygon(outer, [inner])
        area = area_of(whole, WEST) - area_of(hole, WEST)
        assert area_of(shape, WEST) == pytest.approx(area, rel=1e-12)
        length = length_of(whole, WEST) + length_of(hole, WEST)
        assert length_of(shape, WEST) == pytest.approx(length, rel=1e-12)


def test_two_parts_have_the_area_of_both() -> None:
    one, other = square(940000, 890000, 1000), square(942000, 890000, 500)
    both = shapely.MultiPolygon([one, other])
    assert area_of(both, WEST) == pytest.approx(
        area_of(one, WEST) + area_of(other, WEST), rel=1e-14
    )


# Real parcels, and web mercator


def test_d11_shares_and_acres_of_parcels_kept_in_web_mercator_are_true() -> None:
    central = working_crs("EPSG:3857", ["503689"], "parcels.gpkg")
    assert central.label == "EPSG:2261"
    there = Transformer.from_crs("EPSG:2261", "EPSG:3857", always_xy=True)
    lots = geometries(square(820000, 1000000, 300), square(820000, 1000300, 300))

    def to_mercator(xy: np.ndarray) -> np.ndarray:
        return np.column_stack(there.transform(xy[:, 0], xy[:, 1]))

    mercator = shapely.transform(lots, to_mercator)
    assert shapely.area(mercator[0]) / (300 * central.unit_m) ** 2 == pytest.approx(1.87, abs=0.03)
    back, _, deviation = to_working(mercator, "EPSG:3857", "parcels", central, central.tolerance("1.0"))
    assert deviation < 0.001
    placed = place(back, square(820000, 999900, 100).union(shapely.box(819000, 1000150, 830000, 1000450)), 1.0)
    assert [round(share, 6) for share in placed.share] == [0.5, 0.5]
    assert area_of(back[0], central) == pytest.approx((300 * central.unit_m) ** 2, rel=2e-4)


@pytest.mark.parametrize(
    ("path", "swis", "zone", "field", "square_metres"),
    [
        ("nys_tompkins_parcels/ulysses_4_parcels.gpkg", "503689", "EPSG:2261", "CALCACRES", 4046.8564224),
        ("nys_tompkins_parcels/ulysses_4_parcels.gpkg", "503689", "EPSG:2261", "Shape_Area", (1200 / 3937) ** 2),
        ("nys_albany_rps_parcels/albany_rps_2011.gpkg", "010100", "EPSG:2260", "AREA", (1200 / 3937) ** 2),
    ],
)
def test_real_parcels_have_the_area_that_their_county_states(
    shared: Path, path: str, swis: str, zone: str, field: str, square_metres: float
) -> None:
    frame = geopandas.read_file(shared / "data" / path)
    crs = working_crs(frame.crs.to_wkt(), [swis], path)
    assert (crs.label, crs.is_parcels_own) == (zone, False)
    given = np.asarray(frame.geometry.values, dtype=object)
    shapes, operation, _ = to_working(given, frame.crs.to_wkt(), "parcels", crs, crs.tolerance("1.0"))
    assert operation is not None
    planar = shapely.area(shapes) * crs.unit_m**2
    assert planar == pytest.approx(frame[field].to_numpy(dtype=float) * square_metres, rel=1e-4)
