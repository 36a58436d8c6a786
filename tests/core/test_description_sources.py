"""Streets, waters and areas as layers bring them: names, kinds, rows, refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import shapely
from grids import CRS, EDITION, geometries, placed, shore, thread

from village_petition.core.description import areas_of, name_banks, read_streets, read_waters
from village_petition.core.description.names import civil_name, route_name, street_name, water_kind
from village_petition.core.model import InputError, Layer
from village_petition.core.territory import shape_problem
from village_petition.core.topology import PolygonSet

WIDTH = 1.0


def line(*points: tuple[float, float]) -> Any:
    return shapely.linestrings(placed(*points))


def layer(source: str, shapes: list[Any], **columns: list[Any]) -> Layer:
    arrays = {name: np.array(values, dtype=object) for name, values in columns.items()}
    return Layer(source, "EPSG:2262", arrays, geometries(*shapes))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Webster Rd", "Webster Road"),
        ("Main St.", "Main Street"),
        ("N 4TH ST", "North 4th Street"),
        ("Main St N", "Main Street North"),
        ("Creek Rd Ext", "Creek Road Extension"),
        ("Creek Rd Extension", "Creek Road Extension"),
        ("Niagara Scenic Pkwy Spur", "Niagara Scenic Parkway Spur"),
        ("  Lake   Ave ", "Lake Avenue"),
        ("Avenue E", "Avenue E"),
        ("N Road", "N Road"),
        ("St Vincents Ct", "St Vincents Court"),
        ("Broadway", "Broadway"),
        ("Rd", "Rd"),
        ("", ""),
    ],
)
def test_street_names(text: str, name: str) -> None:
    assert street_name(text) == name
    assert street_name(name) == name


@pytest.mark.parametrize(
    ("shield", "number", "name"),
    [
        ("S", "18F", "New York State Route 18F"),
        ("C", "109", "County Route 109"),
        ("I", "190", "Interstate Route 190"),
        ("u", " 20 ", "United States Route 20"),
        ("P", "957A", ""),
        ("S", "", ""),
    ],
)
def test_route_names(shield: str, number: str, name: str) -> None:
    assert route_name(shield, number) == name


@pytest.mark.parametrize(
    ("kind", "name", "water"),
    [
        ("stream", "Canadaway Creek", "stream"),
        ("River", "", "river"),
        ("LakePond", "Bear Lake", "lake"),
        ("water", "Lake Ontario", "lake"),
        ("water", "Bond Lake", "lake"),
        ("water", "Myers Lake East", "water"),
        ("water", "Chippawa-Queenston Power Canal", "canal"),
        ("water", "Creek Road Pond", "pond"),
        ("riverbank", "Fourmile Creek", "stream"),
        ("riverbank", "Niagara River", "river"),
        ("riverbank", "", "river"),
        ("", "", "water"),
        ("drain", "Erie Canal", "drain"),
    ],
)
def test_kinds_of_water(kind: str, name: str, water: str) -> None:
    assert water_kind(kind, name) == water


def test_civil_names() -> None:
    assert civil_name("City", "Dunkirk") == "City of Dunkirk"
    assert civil_name("VILLAGE", "Fredonia") == "Village of Fredonia"
    assert civil_name("Town", "Town of Pomfret") == "Town of Pomfret"
    assert civil_name("", "Point Fire District") == "Point Fire District"


def test_segments_of_one_name_are_one_street() -> None:
    shapes = [line((0, 0), (100, 0)), line((100, 0), (200, 0)), line((0, 50), (100, 50)), None, line((0, 90), (9, 90))]
    shapes.append(line((7, 7), (7, 7)))
    found, findings, operation = read_streets(
        layer("streets.gpkg", shapes, NAME=["Lake Rd", "Lake Road", "LAKE RD", "Gone St", None, "Dot St"]),
        CRS,
        WIDTH,
        EDITION,
    )
    assert [(one.name, len(shapely.get_parts(one.shape))) for one in found] == [("", 1), ("Lake Road", 3)]
    assert [one.message for one in findings] == [
        "In the layer of streets 2 rows have no geometry, or one without length, left out."
    ]
    assert operation is None


def test_streets_without_name_are_one_for_each_connected_line() -> None:
    shapes = [line((0, 0), (100, 0)), line((100, 0), (200, 0)), line((0, 50), (100, 50))]
    found, _, _ = read_streets(layer("streets.gpkg", shapes, NAME=["", None, " "]), CRS, WIDTH, EDITION)
    assert sorted(float(shapely.length(one.shape)) for one in found) == [100.0, 200.0]


def test_a_street_gets_its_number_and_a_number_its_street() -> None:
    shapes = [line((0, 0), (100, 0)), line((100, 0), (200, 0)), line((0, 50), (100, 50)), line((0, 70), (100, 70))]
    columns = {
        "Label": ["Main Rd", "Main Rd", None, "Oak St"],
        "SHIELD": ["S", "S", "C", "S"],
        "HighwayNum": ["5", "5", "93", None],
    }
    found, _, _ = read_streets(layer("streets.gpkg", shapes, **columns), CRS, WIDTH, EDITION)
    assert [(one.name, one.alias) for one in found] == [
        ("County Route 93", ""),
        ("Main Road", "New York State Route 5"),
        ("Oak Street", ""),
    ]


def test_waters_by_the_users_word_and_by_kind() -> None:
    pond = shapely.Polygon(placed((0, 0), (100, 0), (100, 100), (0, 100)))
    shapes = [line((0, 0), (9, 0)), line((0, 5), (9, 5)), line((0, 8), (9, 8)), pond]
    columns = {
        "name": ["Mill Creek", "Black River", "Old Ditch", "Lake Ann"],
        "waterway": ["stream", "river", "ditch", ""],
    }
    waters = layer("waters.gpkg", shapes, **columns)
    found, _, _ = read_waters(waters, CRS, WIDTH, EDITION, {})
    assert {one.name: (one.kind, one.water, one.navigable, one.told) for one in found} == {
        "Black River": ("thread", "river", True, False),
        "Lake Ann": ("shore", "lake", True, False),
        "Mill Creek": ("thread", "stream", False, False),
        "Old Ditch": ("thread", "drain", False, False),
    }
    said, _, _ = read_waters(waters, CRS, WIDTH, EDITION, {"mill creek": True, "BLACK RIVER": False})
    assert {one.name: (one.navigable, one.told) for one in said if one.told} == {
        "Mill Creek": (True, True),
        "Black River": (False, True),
    }


def test_pieces_of_one_lake_have_one_shore() -> None:
    west = shapely.Polygon(placed((0, 0), (100, 0), (100, 100), (0, 100)))
    east = shapely.Polygon(placed((100, 0), (200, 0), (200, 100), (100, 100)))
    found, _, _ = read_waters(
        layer("waters.gpkg", [west, east], name=["Bear Lake", "Bear Lake"]), CRS, WIDTH, EDITION, {}
    )
    assert [(one.name, float(shapely.length(one.shape))) for one in found] == [("Bear Lake", 600.0)]


def test_a_broken_shore_is_looked_at_as_it_is_drawn() -> None:
    bow = shapely.Polygon(placed((0, 0), (100, 100), (100, 0), (0, 100)))
    found, _, _ = read_waters(layer("waters.gpkg", [bow], name=["Bear Lake"]), CRS, WIDTH, EDITION, {})
    assert float(shapely.length(found[0].shape)) == pytest.approx(200 + 200 * 2**0.5)


def test_banks_without_name_take_that_of_the_river_in_them() -> None:
    river = thread("Black River", (0, 50), (1000, 50), water="river", navigable=False)
    creek = thread("Mill Creek", (100, 50), (100, 900), told=False)
    bank = shore("", (-10, 0), (1010, 0), (1010, 100), (-10, 100), water="river", told=False)
    far = shore("", (0, 5000), (10, 5000), (10, 5010), water="lake", told=False)
    named = name_banks((river, creek, bank, far))
    assert [(one.kind, one.name, one.navigable, one.told) for one in named] == [
        ("thread", "Black River", False, True),
        ("thread", "Mill Creek", True, False),
        ("shore", "Black River", False, True),
        ("shore", "", True, False),
    ]


def test_areas_by_name_without_those_that_cannot_be_used() -> None:
    box = shapely.box(0, 0, 10, 10)
    shapes = geometries(box, shapely.box(10, 0, 20, 10), shapely.Polygon([(0, 0), (9, 9), (9, 0), (0, 9)]), box)
    problems = tuple(shape_problem(shape) for shape in shapes)
    rows = PolygonSet(
        ("1", "2", "3", "7"),
        ("Dunkirk", "Dunkirk", "Broken", ""),
        ("City", "City", "", "Fire"),
        ("",) * 4,
        shapes,
        problems,
    )
    towns = areas_of(rows, "civil", "Town")
    assert [(one.name, one.word, float(shapely.area(one.shape))) for one in towns] == [
        ("Town of 7", "Town", 100.0),
        ("Town of Dunkirk", "Town", 200.0),
    ]
    assert [(one.name, one.word) for one in areas_of(rows, "district")] == [("Dunkirk", "City"), ("7", "Fire")]


@pytest.mark.parametrize(
    ("shapes", "columns", "field", "words"),
    [
        (
            [shapely.Point(0, 0)],
            {"NAME": ["Main St"]},
            "",
            "streets.gpkg row 1 is not a line but “Point”. Give a layer in which every row is a line.",
        ),
        (
            [line((0, 0), (1, 1))],
            {"ROAD": ["Main St"]},
            "",
            "streets.gpkg has no field for street names. Choose it; its fields are ROAD.",
        ),
        (
            [line((0, 0), (1, 1))],
            {"LABEL": ["Main St"], "STREET": ["Main St"]},
            "",
            "streets.gpkg: the fields “LABEL” and “STREET” could both hold street names. Choose one.",
        ),
        (
            [line((0, 0), (1, 1))],
            {"ROAD": ["Main St"]},
            "STREET",
            "streets.gpkg has no field “STREET” for street names. Its fields are ROAD.",
        ),
    ],
)
def test_refusals(shapes: list[Any], columns: dict[str, list[str]], field: str, words: str) -> None:
    with pytest.raises(InputError) as refused:
        read_streets(layer("streets.gpkg", shapes, **columns), CRS, WIDTH, EDITION, field)
    assert refused.value.problems == (words,)


def test_a_field_may_be_named_by_hand_whatever_its_case() -> None:
    found, _, _ = read_streets(
        layer("streets.gpkg", [line((0, 0), (9, 0))], ROAD=["Oak St"]), CRS, WIDTH, EDITION, "road"
    )
    assert [one.name for one in found] == ["Oak Street"]


def test_a_layer_without_crs_is_refused() -> None:
    nowhere = Layer("waters.gpkg", "", {"name": np.array(["Lake"], dtype=object)}, geometries(line((0, 0), (1, 1))))
    with pytest.raises(InputError, match="waters.gpkg has no coordinate reference system"):
        read_waters(nowhere, CRS, WIDTH, EDITION, {})
