"""The boundary: what is refused, merged, found and measured. Rules 8 and 21, public report D34."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import geopandas
import numpy as np
import pytest
import shapely

from village_petition.core.crs import working_crs
from village_petition.core.editions import load_edition
from village_petition.core.model import InputError, Layer
from village_petition.core.territory import (
    Territory,
    ground_text,
    half_up,
    near,
    polygon_parts,
    read_territory,
    square_miles,
    territory_facts,
)

EDITION = load_edition("2004")
WEST = working_crs("EPSG:2262", (), "parcels.gpkg")
METRES = working_crs("EPSG:26918", (), "parcels.gpkg")
ONE_FOOT = WEST.tolerance("1.0")


def layer(*shapes: object, crs: str = "EPSG:2262") -> Layer:
    array = np.empty(len(shapes), dtype=object)
    array[:] = shapes
    return Layer("territory.gpkg", crs, {}, array)


def read(*shapes: object, reason: str = "", crs: str = "EPSG:2262") -> tuple[Territory, tuple]:
    return read_territory(layer(*shapes, crs=crs), WEST, ONE_FOOT, EDITION, reason)


def lot(x: float, y: float, size: float = 1000.0) -> shapely.Polygon:
    return shapely.box(924000 + x, 890000 + y, 924000 + x + size, 890000 + y + size)


# What is refused


@pytest.mark.parametrize(
    ("shapes", "words"),
    [
        ((), "territory.gpkg holds no polygon"),
        ((None, shapely.Polygon()), "territory.gpkg holds no polygon"),
        ((shapely.LineString([(924000.4, 890000.5), (1, 1)]),), "no polygon near 924,000 890,001 (EPSG:2262)"),
        ((shapely.Polygon([(0, 0), (10, 0), (4, 6), (6, 6)]),), "self-crossing near 5 5 (EPSG:2262)"),
        ((lot(0, 0), shapely.Point(924000, 890000)), "no polygon near 924,000 890,000"),
    ],
)
def test_a_boundary_that_cannot_be_used_is_refused_with_its_place(shapes: tuple, words: str) -> None:
    with pytest.raises(InputError) as refused:
        read(*shapes)
    (problem,) = refused.value.problems
    assert problem.startswith("territory.gpkg")
    assert words in problem


def test_every_unusable_feature_is_named() -> None:
    with pytest.raises(InputError) as refused:
        read(shapely.Polygon([(0, 0), (10, 0), (4, 6), (6, 6)]), shapely.Point(7, 7), lot(0, 0))
    assert len(refused.value.problems) == 2


def test_a_layer_of_lines_is_refused_in_one_sentence() -> None:
    lines = [shapely.LineString([(924000 + x, 890000), (924000 + x, 891000)]) for x in range(1200)]
    with pytest.raises(InputError) as refused:
        read(*lines)
    (problem,) = refused.value.problems
    assert "no polygon near 924,000 890,000 (EPSG:2262) and in 1,199 more features. Draw it as a polygon" in problem


def test_a_boundary_without_crs_is_refused() -> None:
    with pytest.raises(InputError, match="territory.gpkg has no coordinate reference system"):
        read(lot(0, 0), crs="")


# What is merged and found


def test_one_polygon_is_kept_as_it_is_drawn() -> None:
    drawn = lot(0, 0)
    territory, findings = read(drawn)
    assert findings == ()
    assert territory.shape.equals_exact(drawn, 0)
    assert territory.box == (924000.0, 890000.0, 925000.0, 891000.0)
    assert (territory.operation, territory.deviation) == (None, 0.0)
    assert (territory.facts.parts, territory.facts.holes, territory.facts.corners) == (1, 0, 4)


def test_features_are_merged_with_a_warning_whatever_their_order() -> None:
    pieces = [lot(0, 0), lot(1000, 0), lot(500.3, 1000), lot(300, 1500)]
    territory, findings = read(*pieces)
    assert [(one.code, one.severity) for one in findings] == [("V-02", "warning")]
    assert "4 features" in findings[0].message
    other, _ = read(*pieces[::-1])
    assert shapely.to_wkb(other.shape) == shapely.to_wkb(territory.shape)
    assert other.facts == territory.facts


def test_valid_polygons_of_one_feature_are_merged_too() -> None:
    territory, findings = read(shapely.MultiPolygon([lot(0, 0), lot(1000, 0)]))
    assert territory.shape.equals(shapely.box(924000, 890000, 926000, 891000))
    assert territory.facts.parts == 1
    assert [(one.code, one.severity) for one in findings] == [("V-02", "warning")]
    assert "2 polygons that overlap or share a side" in findings[0].message
    with pytest.raises(InputError, match="self-crossing near 5 5"):
        read(shapely.MultiPolygon([lot(0, 0), shapely.Polygon([(0, 0), (10, 0), (4, 6), (6, 6)])]))


def test_a_feature_without_geometry_is_said_to_be_left_out() -> None:
    territory, findings = read(None, lot(0, 0))
    assert territory.facts.parts == 1
    assert [one.severity for one in findings] == ["warning"]
    assert "1 feature without geometry" in findings[0].message


def test_a_collection_gives_its_polygons() -> None:
    territory, findings = read(shapely.GeometryCollection([lot(0, 0), shapely.Point(0, 0)]))
    assert territory.shape.equals(lot(0, 0))
    assert findings == ()


@pytest.mark.parametrize(
    ("reason", "severity"), [("", "error"), ("   ", "error"), ("An island of the lake.", "warning")]
)
def test_parts_and_holes_are_errors_unless_a_reason_is_given(reason: str, severity: str) -> None:
    ring = lot(0, 0).difference(lot(400, 400, 208.71))
    territory, findings = read(shapely.MultiPolygon([ring, lot(3000, 0, 100)]), reason=reason)
    assert (territory.facts.parts, territory.facts.holes) == (2, 1)
    assert [(one.code, one.severity) for one in findings] == [("V-02", severity)] * 2
    parts, hole = (one.message for one in findings)
    assert "2 separate parts: 22.0 acres near" in parts
    assert "; 0.2 acres near 927,050 890,050." in parts
    assert "a hole: 1.0 acres near 924,504 890,504." in hole
    assert ("Reason given: An island of the lake." in parts) == bool(reason.strip())


def test_polygons_that_meet_in_a_point_are_separate_parts() -> None:
    territory, findings = read(lot(0, 0), lot(1000, 1000))
    assert territory.facts.parts == 2
    assert [one.severity for one in findings] == ["warning", "error"]


def test_an_edge_that_bends_on_its_way_is_a_finding() -> None:
    degrees = shapely.Polygon([(-79.5, 42.4), (-79.3, 42.4), (-79.3, 42.5), (-79.5, 42.5)])
    territory, findings = read(degrees, crs="EPSG:4326")
    assert territory.operation is not None
    assert territory.operation.layer == "territory"
    assert territory.deviation > ONE_FOOT
    assert [one.code for one in findings] == ["V-41"]


# What is measured


@pytest.mark.parametrize(
    ("metres", "miles"),
    [
        ("2589988.110336", Fraction(1)),
        ("12949940.55168", Fraction(5)),
        ("12949941.84667", Fraction(5)),  # 5.0000004999…
        ("12949941.846675", Fraction(5000001, 1000000)),
        ("1.294994027584", Fraction(0)),
        ("1.294994055168", Fraction(1, 1000000)),
    ],
)
def test_square_miles_are_rounded_half_up_to_six_decimals(metres: str, miles: Fraction) -> None:
    assert square_miles(Fraction(metres), EDITION) == miles


def test_d34_corners_on_a_straight_line_change_nothing_that_is_printed() -> None:
    drawn = shapely.Polygon([(924000, 890000), (929000, 890000), (929000, 893000), (926000, 894000), (924000, 893000)])
    with_more = shapely.segmentize(drawn, 37)
    assert shapely.get_num_coordinates(with_more) > 400
    facts = territory_facts(drawn, WEST, ONE_FOOT, EDITION)
    assert facts.corners == 5
    assert territory_facts(with_more, WEST, ONE_FOOT, EDITION) == facts


def test_the_perimeter_is_in_feet_with_the_edges_of_holes() -> None:
    side = 1000 / 0.3048
    shape = shapely.box(690000, 4700000, 691000, 4701000).difference(shapely.box(690400, 4700400, 690500, 4700500))
    facts = territory_facts(shape, METRES, METRES.tolerance("1.0"), EDITION)
    assert facts.perimeter_feet == pytest.approx(4.4 * side, rel=5e-4)
    assert facts.corners == 8
    assert facts.holes == 1


@pytest.mark.parametrize(
    ("area", "text"),
    [
        (0.5, "less than 1 sq ft"),
        (10, "10 sq ft"),
        (1500, "1,500 sq ft"),
        (43560, "1.0 acres"),
        (87120000, "2,000.0 acres"),
    ],
)
def test_ground_is_told_in_square_feet_or_acres(area: float, text: str) -> None:
    assert ground_text(area, WEST) == text


def test_places_are_rounded_half_up_with_separators() -> None:
    assert near((924000.5, -0.5)) == "near 924,001 0"
    assert (half_up(Fraction(5, 2)), half_up(Fraction(-5, 2)), half_up(Fraction(7, 3))) == (3, -2, 2)


def test_polygons_are_found_in_nested_collections() -> None:
    nested = shapely.GeometryCollection(
        [
            shapely.GeometryCollection([lot(0, 0), shapely.Point(0, 0)]),
            shapely.MultiPolygon([lot(2000, 0), lot(4000, 0)]),
        ]
    )
    parts, index = polygon_parts([None, nested, shapely.Polygon(), lot(9000, 0), shapely.LineString([(0, 0), (1, 1)])])
    assert index.tolist() == [1, 1, 1, 3]
    assert shapely.area(parts).tolist() == [1e6] * 4


# Real layers


def test_lakeshore_has_its_known_area(shared: Path) -> None:
    for name in ("territory.gpkg", "territory.geojson"):
        frame = geopandas.read_file(shared / "data" / "lakeshore" / "clean" / name)
        territory, findings = read(*frame.geometry, crs=frame.crs.to_wkt())
        assert territory.facts.square_miles == Fraction(3389489, 1000000)
        assert (territory.facts.parts, territory.facts.holes) == (1, 0)
        assert findings == ()
