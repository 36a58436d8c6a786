"""The buildings' share of split parcels: rule 10."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import shapely

from village_petition.core.buildings import BuildingShares, building_shares
from village_petition.core.crs import working_crs
from village_petition.core.editions import load_edition
from village_petition.core.model import FieldMap, InputError, Layer
from village_petition.core.territory import read_territory

EDITION = load_edition("2004")
WEST = working_crs("EPSG:2262", (), "parcels.gpkg")
KEYED = FieldMap("buildings", {"swis": "swis", "print_key": "print_key"})
BARE = FieldMap("buildings", {})
BOW_TIE = shapely.Polygon([(0, 0), (10, 0), (4, 6), (6, 6)])
LOT, NEXT = ("065800", "1"), ("065800", "2")


def geometries(*shapes: object) -> np.ndarray:
    array = np.empty(len(shapes), dtype=object)
    array[:] = shapes
    return array


SHAPES = geometries(shapely.box(0, 0, 100, 100), shapely.box(0, 100, 100, 200))
TERRITORY, _ = read_territory(
    Layer("territory.gpkg", "EPSG:2262", {}, geometries(shapely.box(50, -50, 500, 500))), WEST, 1.0, EDITION, ""
)


def shares(*buildings: object, keys: list[tuple[str, str]] | None = None, crs: str = "EPSG:2262") -> BuildingShares:
    columns = {}
    if keys is not None:
        columns = {"swis": geometries(*(key[0] for key in keys)), "print_key": geometries(*(key[1] for key in keys))}
    layer = Layer("buildings.gpkg", crs, columns, geometries(*buildings))
    fields = BARE if keys is None else KEYED
    return building_shares(layer, fields, WEST, 1.0, [LOT, NEXT], SHAPES, TERRITORY, EDITION)


def test_footprints_are_pooled_by_area() -> None:
    found = shares(shapely.box(10, 10, 20, 20), shapely.box(60, 10, 80, 20), shapely.box(60, 110, 70, 120))
    assert found.shares[LOT].share == Fraction(666666667, 10**9)
    assert (found.shares[LOT].buildings, found.shares[LOT].cut, found.shares[LOT].on_line) == (2, False, False)
    assert found.shares[NEXT].share == 1
    assert (found.findings, found.operation, found.deviation) == ((), None, 0.0)


def test_a_footprint_on_the_line_is_cut_and_never_a_sliver() -> None:
    found = shares(shapely.box(40.1, 10, 50.1, 20), shapely.box(10, 110, 50, 120))
    assert found.shares[LOT].share == Fraction(1, 100)
    assert found.shares[LOT].cut
    assert (found.shares[NEXT].share, found.shares[NEXT].cut) == (0, False)
    (finding,) = found.findings
    assert (finding.code, finding.severity, finding.swis, finding.print_key) == ("V-46", "warning", *LOT)


def test_points_are_counted_and_one_on_the_line_is_inside() -> None:
    found = shares(shapely.Point(10, 10), shapely.Point(20, 20), shapely.Point(50, 30), shapely.Point(90, 150))
    assert found.shares[LOT].share == Fraction(1, 3)
    assert (found.shares[LOT].on_line, found.shares[LOT].cut) == (True, False)
    assert found.shares[NEXT].share == 1
    assert [(one.code, one.print_key) for one in found.findings] == [("V-46", "1")]
    several = shares(shapely.MultiPoint([(10, 10), (90, 10), (90, 20)]))
    assert several.shares[LOT].share == Fraction(2, 3)


def test_the_key_of_a_building_goes_before_its_place() -> None:
    found = shares(
        shapely.box(60, 10, 70, 20),
        shapely.box(10, 10, 20, 20),
        shapely.box(10, 110, 20, 120),
        keys=[NEXT, ("065800", ""), ("066800", "9")],
    )
    assert found.shares[NEXT].share == 1  # stands on the other lot
    assert found.shares[LOT].share == 0  # without key: by its point on surface
    assert found.shares[NEXT].buildings == 1  # the third belongs to a parcel that is not split


def test_a_point_between_two_lots_is_the_first_ones_and_stacked_units_share() -> None:
    found = shares(shapely.Point(90, 100))
    assert list(found.shares) == [LOT]
    layer = Layer("buildings.gpkg", "EPSG:2262", {}, geometries(shapely.Point(90, 50)))
    unit = ("065800", "1/2")
    stack = geometries(SHAPES[0], SHAPES[0])
    both = building_shares(layer, BARE, WEST, 1.0, [LOT, unit], stack, TERRITORY, EDITION)
    assert {key: one.share for key, one in both.shares.items()} == {LOT: 1, unit: 1}


def test_no_building_and_no_split_parcel() -> None:
    assert shares(shapely.box(900, 900, 910, 910)).shares == {}
    assert shares().shares == {}
    layer = Layer("buildings.gpkg", "EPSG:2262", {}, geometries(shapely.box(1, 1, 2, 2)))
    assert building_shares(layer, BARE, WEST, 1.0, [], geometries(), TERRITORY, EDITION).shares == {}


@pytest.mark.parametrize(
    ("buildings", "words"),
    [
        ((shapely.Point(1, 1), shapely.box(0, 0, 5, 5)), "buildings.gpkg mixes points and footprints"),
        ((shapely.LineString([(0, 0), (1, 1)]),), "buildings.gpkg: a building is drawn as a line"),
        ((shapely.box(0, 0, 5, 5), shapely.MultiLineString([[(0, 0), (1, 1)]])), "drawn as a line"),
    ],
)
def test_what_cannot_be_weighed_is_refused(buildings: tuple, words: str) -> None:
    with pytest.raises(InputError, match=words):
        shares(*buildings)


def test_a_layer_without_crs_is_refused() -> None:
    with pytest.raises(InputError, match="buildings.gpkg has no coordinate reference system"):
        shares(shapely.box(0, 0, 5, 5), crs="")


def test_an_unusable_footprint_is_told_with_what_remains() -> None:
    found = shares(BOW_TIE, shapely.box(60, 10, 70, 20))
    assert found.shares[LOT].share == 1
    (finding,) = found.findings
    assert (finding.code, finding.severity, finding.print_key) == ("V-46", "warning", "1")
    assert "cannot be used: self-crossing near 5 5" in finding.message
    assert "the other buildings alone divide" in finding.message
    alone = shares(BOW_TIE, None, keys=[LOT, NEXT])
    assert alone.shares == {}
    first, second = alone.findings
    assert "no building is known, so area alone divides" in first.message
    assert (second.print_key, "no geometry" in second.message) == ("2", True)


def test_the_order_of_rows_does_not_matter() -> None:
    chance = np.random.default_rng(3)
    west, south = chance.uniform(0, 90, (2, 40))
    footprints = geometries(*(shapely.box(x, y, x + 7.1, y + 3.3) for x, y in zip(west, south)))
    found = shares(*footprints)
    mixed = shares(*footprints[chance.permutation(40)])
    assert found == mixed
    assert 0 < found.shares[LOT].share < 1


def test_buildings_in_another_crs_are_brought_over() -> None:
    metres = shapely.Point(690000, 4700000)
    layer = Layer("buildings.gpkg", "EPSG:26918", {}, geometries(metres))
    found = building_shares(layer, BARE, WEST, 1.0, [LOT], SHAPES[:1], TERRITORY, EDITION)
    assert found.operation is not None
    assert found.operation.layer == "buildings"
