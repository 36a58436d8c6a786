"""Boundaries over real layers: the lakeshore case, and blocks of the streets and waters of Lewiston and Porter."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
import shapely
from grids import CRS, EDITION, calls, told

from village_petition.core.description import (
    Choices,
    Description,
    Sources,
    areas_of,
    describe,
    name_banks,
    read_streets,
    read_waters,
)
from village_petition.core.readers import read_layer
from village_petition.core.schema import detect_layer_fields
from village_petition.core.territory import read_territory
from village_petition.core.topology import read_polygons

WIDTH = 1.0


def polygons(path: Path, role: str) -> Any:
    layer = read_layer(str(path), role)
    fields = detect_layer_fields(role, layer.source, tuple(layer.columns), {})
    return read_polygons(layer, fields, role, CRS, WIDTH)[0]


@pytest.fixture(scope="module")
def lakeshore(shared: Path) -> tuple[Any, Sources]:
    folder = shared / "data" / "lakeshore"
    territory, _ = read_territory(read_layer(str(folder / "clean/territory.gpkg"), "territory"), CRS, WIDTH, EDITION)
    streets, _, _ = read_streets(read_layer(str(folder / "streets.gpkg"), "streets"), CRS, WIDTH, EDITION)
    waters, _, _ = read_waters(read_layer(str(folder / "waters.gpkg"), "waters"), CRS, WIDTH, EDITION, {})
    towns = areas_of(polygons(folder / "clean/towns.gpkg", "towns"), "civil", "Town")
    cities = areas_of(polygons(folder / "clean/cities_villages.gpkg", "cities_villages"), "civil")
    parcels = read_layer(str(folder / "clean/parcels.gpkg"), "parcels").geometry
    return territory.shape, Sources(streets, waters, towns + cities, parcels)


def test_lakeshore_is_two_gaps_and_three_municipal_lines(lakeshore: tuple[Any, Sources]) -> None:
    shape, sources = lakeshore
    found = describe(shape, sources, CRS, EDITION)
    assert [(side.kind, side.name, round(side.length_ft, 1)) for side in found.sides] == [
        ("civil", "Town of Dunkirk", 13354.1),
        ("course", "", 3515.1),
        ("civil", "Town of Dunkirk and City of Dunkirk", 3550.6),
        ("course", "", 20236.7),
        ("civil", "Town of Pomfret", 1364.2),
    ]
    assert sum(side.length_ft for side in found.sides) == pytest.approx(42020.745686)
    assert found.basis == "by a combination of municipal boundary lines and metes and bounds"
    text = calls(found)
    assert text[0] == (
        "BEGINNING at the point of intersection of the boundary line of the Town of Pomfret with the boundary line of "
        "the Town of Dunkirk;"
    )
    assert len([line for line in text if "°" in line]) == 9
    assert text[2:4] == [
        "thence South 77°39'39\" East, 2,123.99 feet to a point;",
        "thence South 28°55'36\" East, 1,391.12 feet to a point in the boundary line between the Town of Dunkirk and "
        "the City of Dunkirk at North 902,382.43, East 940,372.87;",
    ]
    assert found.text.splitlines()[-2] == "Containing 2,169.27 acres (3.389 square miles), more or less."


def test_lakeshore_has_no_description_by_streets_and_waters_alone(lakeshore: tuple[Any, Sources]) -> None:
    shape, sources = lakeshore
    alone = describe(shape, sources, CRS, EDITION, Choices(forms=("streets_waters",)))
    assert alone.text == ""
    assert alone.reason == "1 side follows no named line of the chosen forms, 42,021 ft in all: side 1."
    assert [severity for _, severity, _ in told(alone, "D-GAP")] == ["error"]


def test_a_whole_town_of_the_lakeshore_case(lakeshore: tuple[Any, Sources]) -> None:
    _, sources = lakeshore
    pomfret = next(one for one in sources.areas if one.name == "Town of Pomfret")
    found = describe(pomfret.shape, sources, CRS, EDITION)
    assert found.entire == "Town of Pomfret"
    assert found.text.startswith("All that territory within the entire boundary of the Town of Pomfret, as shown on")


@pytest.fixture(scope="module")
def niagara(shared: Path) -> Sources:
    file = f"{shared / 'data/niagara_streets_water/lewiston_porter.gpkg'}|"
    streets, _, _ = read_streets(read_layer(file + "streets", "streets"), CRS, WIDTH, EDITION)
    areas, _, _ = read_waters(read_layer(file + "water_polygons_4326", "waters"), CRS, WIDTH, EDITION, {})
    lines, _, _ = read_waters(read_layer(file + "waterways_4326", "waters"), CRS, WIDTH, EDITION, {})
    return Sources(streets, name_banks(areas + lines))


def test_waters_of_niagara(niagara: Sources) -> None:
    navigable = {(one.kind, one.name) for one in niagara.waters if one.name and one.navigable}
    assert {("shore", "Lake Ontario"), ("shore", "Niagara River"), ("thread", "Niagara River")} <= navigable
    assert not any("Creek" in name for _, name in navigable)


def block(sources: Sources, x: float, y: float) -> Any:
    """The block of named streets round a point."""
    lines = shapely.union_all([one.shape for one in sources.streets if one.name])
    blocks = shapely.get_parts(shapely.polygonize(shapely.get_parts(lines)))
    return next(one for one in blocks if shapely.intersects(one, shapely.Point(x, y)))


def test_a_block_of_named_streets(niagara: Sources) -> None:
    shape = block(niagara, 1037000.0, 1160000.0)
    found = describe(shape, niagara, CRS, EDITION, Choices(forms=("streets_waters",)))
    assert found.reason == ""
    assert calls(found)[:4] == [
        "BEGINNING at the point of intersection of the centerlines of Creek Road and Swann Road;",
        "thence easterly along the centerline of Swann Road, about 9,120 feet, to the point of intersection of the "
        "centerlines of Swann Road and Model City Road;",
        "thence southerly along the centerline of Model City Road (County Route 8), about 6,990 feet, to the point of "
        "intersection of the centerlines of Model City Road and Ridge Road;",
        "thence westerly along the centerline of Ridge Road (New York State Route 104), about 9,400 feet, to the point "
        "of intersection of the centerlines of Ridge Road and Creek Road at North 1,156,599.69, East 1,032,430.18;",
    ]
    assert sum(side.length_ft for side in found.sides) == pytest.approx(float(shapely.length(shape)), rel=1e-9)
    assert max(side.offset_ft or 0 for side in found.sides) < 0.01
    assert told(found) == []


def test_a_boundary_drawn_roughly_along_real_streets_reads_the_same(niagara: Sources) -> None:
    shape = block(niagara, 1037000.0, 1160000.0)
    chance = random.Random(7)
    corners = shapely.get_coordinates(shape.exterior)[:-1]
    rough = shapely.Polygon([(x + chance.uniform(-2, 2), y + chance.uniform(-2, 2)) for x, y in corners])

    def lines(found: Description) -> list[str]:
        return [side.name for side in found.sides]

    choices = Choices(forms=("streets_waters",))
    assert lines(describe(rough, niagara, CRS, EDITION, choices)) == lines(
        describe(shape, niagara, CRS, EDITION, choices)
    )


def test_a_shore_between_two_streets(niagara: Sources) -> None:
    """From the mouth of a block at Lake Ontario: streets on land, the shore in the north."""
    lake = next(one for one in niagara.waters if one.name == "Lake Ontario")
    water = shapely.build_area(lake.shape)
    west, east = 1040000.0, 1046000.0
    box = shapely.box(west, 1180000.0, east, 1200000.0)
    land = max(shapely.get_parts(shapely.difference(box, water)), key=shapely.area)
    found = describe(land, niagara, CRS, EDITION, Choices(water_mark="ordinary low-water mark"))
    shores = [side for side in found.sides if side.kind == "shore"]
    assert [side.name for side in shores] == ["Lake Ontario"]
    assert shores[0].offset_ft < 0.01
    assert "along the shore of Lake Ontario at the ordinary low-water mark as it winds and turns" in found.text
    assert [code for code, _, _ in told(found, "D-MARK")] == []
    assert len(told(found, "D-NAV")) == 1
