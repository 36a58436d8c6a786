"""Towns against the territory and the parcels: rule 9, public reports D03, D04, D05 and D17."""

from __future__ import annotations

from pathlib import Path

import geopandas
import numpy as np
import pytest
import shapely

from village_petition.core.crs import working_crs
from village_petition.core.editions import load_edition
from village_petition.core.model import FieldMap, InputError, Layer
from village_petition.core.overlay import exact_share, place
from village_petition.core.territory import Territory, read_territory
from village_petition.core.topology import (
    PolygonSet,
    city_codes,
    outside_own_town,
    piece_of,
    read_polygons,
    town_findings,
    town_shapes,
    town_topology,
    unusable_findings,
    wrong_town_findings,
)

EDITION = load_edition("2004")
WEST = working_crs("EPSG:2262", (), "parcels.gpkg")
BOW_TIE = shapely.Polygon([(0, 0), (10, 0), (4, 6), (6, 6)])
NAMES = {"0658": "Dunkirk", "0668": "Pomfret", "0672": "Sheridan"}
TOWN_FIELDS = FieldMap("towns", {"name": "NAME", "swis": "SWIS"})


def geometries(*shapes: object) -> np.ndarray:
    array = np.empty(len(shapes), dtype=object)
    array[:] = shapes
    return array


def texts(*values: object) -> np.ndarray:
    return geometries(*values)


def territory_of(shape: object) -> Territory:
    return read_territory(Layer("territory.gpkg", "EPSG:2262", {}, geometries(shape)), WEST, 1.0, EDITION, "given")[0]


def polygon_set(swis: list[str], shapes: np.ndarray, kinds: list[str] | None = None) -> PolygonSet:
    layer = Layer("towns.gpkg", "EPSG:2262", {"NAME": texts(*swis), "SWIS": texts(*swis)}, shapes)
    fields = dict(TOWN_FIELDS.fields)
    if kinds is not None:
        layer = Layer(layer.source, layer.crs, {**layer.columns, "KIND": texts(*kinds)}, shapes)
        fields["kind"] = "KIND"
    return read_polygons(layer, FieldMap("test", fields), "towns", WEST, 1.0)[0]


def topology_of(towns: dict[str, object], territory: Territory):  # noqa: ANN201
    return town_topology(towns, territory, 1.0, WEST, EDITION)


# Reading


def test_a_small_layer_is_read_with_what_it_says_and_what_is_wrong_with_it() -> None:
    columns = {
        "ID": texts("FD-1", None),
        "NAME": texts(" North ", "South"),
        "KIND": texts("fire", None),
        "TOWN_SWIS": np.array([65800, 66800]),
    }
    shapes = geometries(shapely.GeometryCollection([shapely.box(0, 0, 9, 9), shapely.Point(1, 1)]), BOW_TIE)
    fields = FieldMap("districts", {"id": "ID", "name": "NAME", "kind": "KIND", "town_swis": "TOWN_SWIS"})
    found, operation, deviation = read_polygons(
        Layer("districts.gpkg", "EPSG:2262", columns, shapes), fields, "districts", WEST, 1.0
    )
    assert (found.ids, found.names, found.kinds) == (("FD-1", ""), ("North", "South"), ("fire", ""))
    assert found.swis == ("065800", "066800")
    assert found.problems == ("", "self-crossing near 5 5")
    assert found.shapes[0].equals(shapely.box(0, 0, 9, 9))
    assert (operation, deviation, len(found)) == (None, 0.0, 2)


def test_a_small_layer_without_crs_is_refused() -> None:
    layer = Layer("towns.gpkg", "", {"NAME": texts("A"), "SWIS": texts("065800")}, geometries(shapely.box(0, 0, 1, 1)))
    with pytest.raises(InputError, match="towns.gpkg has no coordinate reference system"):
        read_polygons(layer, TOWN_FIELDS, "towns", WEST, 1.0)


def test_rows_of_one_town_are_one_shape_whatever_their_order() -> None:
    parts = [shapely.box(0, 0, 10, 10), shapely.box(10, 0, 20, 7.3), shapely.box(50, 0, 60, 10)]
    swis = ["065800", "065889", "065801"]
    near = territory_of(shapely.box(0, 0, 5, 5))
    shapes, findings = town_shapes(polygon_set([*swis, "066800", ""], geometries(*parts, *parts[:2])), near, EDITION)
    assert list(shapes) == ["0658", "0668"]
    assert shapes["0658"].equals(shapely.union_all(parts))
    assert findings == ()
    mixed, _ = town_shapes(polygon_set(swis[::-1], geometries(*parts[::-1])), near, EDITION)
    assert shapely.to_wkb(mixed["0658"]) == shapely.to_wkb(shapes["0658"])


def test_a_town_that_cannot_be_used_is_said_and_left_out_where_it_matters() -> None:
    towns = polygon_set(
        ["065800", "066800", "066889"], geometries(shapely.box(0, 0, 9, 9), BOW_TIE, shapely.box(9, 0, 20, 9))
    )
    shapes, findings = town_shapes(towns, territory_of(shapely.box(0, 0, 5, 5)), EDITION)
    assert list(shapes) == ["0658"]
    assert [(one.code, one.severity, one.swis) for one in findings] == [("V-38", "error", "066800")]
    assert "town 066800 cannot be used: self-crossing near 5 5" in findings[0].message
    shapes, findings = town_shapes(towns, territory_of(shapely.box(500, 500, 600, 600)), EDITION)
    assert (list(shapes), findings) == (["0658"], ())


def test_a_row_without_geometry_takes_nothing_from_its_town() -> None:
    towns = polygon_set(["065800", "065800"], geometries(None, shapely.box(0, 0, 9, 9)))
    shapes, findings = town_shapes(towns, territory_of(shapely.box(0, 0, 5, 5)), EDITION)
    assert list(shapes) == ["0658"]
    assert findings == ()
    assert unusable_findings(towns, "town", territory_of(shapely.box(0, 0, 5, 5)), EDITION) == ()


def test_ground_of_a_city_is_known_by_its_first_four_digits() -> None:
    boxes = geometries(*(shapely.box(0, 0, 1, 1) for _ in range(4)))
    assert city_codes(polygon_set(["060300", "066801", "130200", ""], boxes, ["City", "Village", "CITY", "city"])) == {
        "0603",
        "1302",
    }
    assert city_codes(None) == frozenset()


# Towns and the territory


def test_d03_overlapping_towns_are_told_with_the_ground_that_both_claim() -> None:
    territory = territory_of(shapely.box(0, 0, 10, 10))
    found = topology_of({"0658": shapely.box(0, 0, 6, 10), "0668": shapely.box(4, 0, 10, 10)}, territory)
    (finding,) = town_findings(found, NAMES, {"0658", "0668"}, WEST, EDITION)
    assert (finding.code, finding.severity, finding.swis) == ("V-33", "warning", "065800")
    assert "Dunkirk and Pomfret overlap inside the territory by 20 sq ft near 5 5" in finding.message
    assert found.ground == {"0658": 60.0, "0668": 60.0}


def test_an_overlap_within_the_tolerance_or_outside_the_territory_is_no_matter() -> None:
    territory = territory_of(shapely.box(0, 0, 1000, 1000))
    narrow = {"0658": shapely.box(0, 0, 500.4, 1000), "0668": shapely.box(500, 0, 1000, 1000)}
    assert town_findings(topology_of(narrow, territory), NAMES, set(narrow), WEST, EDITION) == ()
    beyond = {"0658": shapely.box(0, 0, 2000, 1000), "0668": shapely.box(1200, 0, 3000, 1000)}
    found = topology_of(beyond, territory)
    assert town_findings(found, NAMES, {"0658"}, WEST, EDITION) == ()
    assert list(found.pieces) == ["0658"]


def test_ground_of_no_town_is_told() -> None:
    territory = territory_of(shapely.box(0, 0, 1000, 1000))
    gap = {"0658": shapely.box(0, 0, 500, 1000), "0668": shapely.box(510, 0, 1000, 1000)}
    (finding,) = town_findings(topology_of(gap, territory), NAMES, set(gap), WEST, EDITION)
    assert (finding.code, finding.severity, finding.swis) == ("V-33", "warning", "")
    assert "covers 0.2 acres of the territory, the largest gap near 505 500" in finding.message
    narrow = {"0658": shapely.box(0, 0, 500, 1000), "0668": shapely.box(500.5, 0, 1000, 1000)}
    assert town_findings(topology_of(narrow, territory), NAMES, set(narrow), WEST, EDITION) == ()
    assert topology_of({}, territory).uncovered.equals(territory.shape)


@pytest.mark.parametrize(("east", "part"), [(43.55, False), (43.57, True)])
def test_a_polygon_alone_makes_a_part_above_an_acre(east: float, part: bool) -> None:
    territory = territory_of(shapely.box(0, 0, 5000, 1000))
    towns = {"0658": shapely.box(-900, 0, east, 1000), "0668": shapely.box(east, 0, 9000, 1000)}
    found = topology_of(towns, territory)
    assert found.with_part == ({"0658", "0668"} if part else {"0668"})
    findings = town_findings(found, NAMES, {"0668"}, WEST, EDITION)
    assert [one.swis for one in findings] == ([] if part else ["065800"])
    assert town_findings(found, NAMES, {"0658", "0668"}, WEST, EDITION) == ()


def test_a_town_that_only_touches_has_no_ground_inside() -> None:
    found = topology_of(
        {"0658": shapely.box(0, 0, 1000, 1000), "0668": shapely.box(1000, 0, 2000, 1000)},
        territory_of(shapely.box(0, 0, 1000, 1000)),
    )
    assert list(found.ground) == ["0658"]


# Parcels and towns


def test_d04_a_parcel_in_two_towns_is_that_of_its_roll() -> None:
    parcel = geometries(shapely.box(5.2, 0, 5.8, 1))
    towns = {"0658": shapely.box(0, 0, 6, 10), "0668": shapely.box(5, 0, 10, 10)}
    assert outside_own_town(parcel, ["0658"], towns).tolist() == [False]
    assert outside_own_town(parcel, ["0668"], towns).tolist() == [False]
    assert outside_own_town(parcel, ["0672"], {**towns, "0672": shapely.box(50, 0, 60, 9)}).tolist() == [True]


def test_a_parcel_in_another_town_than_its_roll_says_is_told_and_stays() -> None:
    towns = {"0658": shapely.box(0, 0, 10, 10), "0668": shapely.box(10, 0, 20, 10)}
    shapes = geometries(shapely.box(11, 1, 13, 3), shapely.box(9, 1, 10.5, 3), shapely.box(30, 0, 31, 1))
    keys = [("065889", "1"), ("065800", "2"), ("066801", "3")]
    first, second = wrong_town_findings(keys, shapes, towns, NAMES, EDITION)
    assert (first.code, first.severity, first.swis, first.print_key) == ("V-32", "warning", "065889", "1")
    assert "in the town Dunkirk, but it lies in the polygon of Pomfret (near 12 2)" in first.message
    assert (second.print_key, "in no town polygon" in second.message) == ("3", True)
    assert outside_own_town(shapes[:1], ["0672"], towns).tolist() == [False]


def test_d17_a_parcel_halved_by_a_town_line_does_not_depend_on_order() -> None:
    shapes = geometries(shapely.box(0, 0, 10, 10), shapely.box(10, 0, 20, 10))
    towns = {"0658": shapely.box(-5, -5, 5, 15), "0668": shapely.box(5, -5, 30, 15)}
    for town in towns.values():
        assert exact_share(place(shapes, town, 0.1).share[0]) == exact_share(0.5)
    for order in ([0, 1], [1, 0]):
        codes = np.array(["0658", "0668"], dtype=object)[order]
        assert not outside_own_town(shapes[order], codes, towns).any()
        mirrored = dict(sorted(towns.items(), reverse=True))
        assert not outside_own_town(shapes[order], codes, mirrored).any()


def test_d05_nothing_is_repaired() -> None:
    chance = np.random.default_rng(5)
    x, y = np.meshgrid(np.arange(5) * 100.0, np.arange(5) * 100.0, indexing="ij")

    def jitter() -> np.ndarray:
        return chance.uniform(-0.2, 0.2, (4, 2))

    lots = geometries(
        *(
            shapely.Polygon(
                np.array(
                    [
                        [x[i, j], y[i, j]],
                        [x[i + 1, j], y[i, j]],
                        [x[i + 1, j + 1], y[i + 1, j + 1]],
                        [x[i, j], y[i, j + 1]],
                    ]
                )
                + jitter()
            )
            for i in range(4)
            for j in range(4)
        )
    )
    before = shapely.to_wkb(lots).tolist()
    territory = territory_of(shapely.box(-10, -10, 500, 500))
    topology_of({"0658": lots[0], "0668": lots[1]}, territory)
    place(lots, territory.shape, 1.0)
    assert shapely.to_wkb(lots).tolist() == before


# Pieces of a part


def test_disjoint_polygons_of_one_town_are_pieces_largest_first() -> None:
    territory = territory_of(shapely.box(0, 0, 1000, 1000))
    west, east = shapely.box(-50, 0, 200, 1000), shapely.box(700, 0, 1050, 1000)
    speck = shapely.box(400, 0, 400.5, 1000)
    found = topology_of({"0658": shapely.union_all([west, east, speck])}, territory)
    pieces = found.pieces["0658"]
    assert [shapely.area(piece) for piece in pieces] == [300000, 200000]
    shapes = geometries(
        shapely.box(10, 10, 20, 20),
        shapely.box(710, 10, 720, 20),
        shapely.box(190, 0, 730, 10),
        shapely.box(500, 0, 510, 10),
        BOW_TIE,
        None,
    )
    assert piece_of(shapes, pieces).tolist() == [1, 0, 0, -1, -1, -1]
    assert piece_of(shapes, ()).tolist() == [-1] * 6


def test_real_towns_and_cities_of_chautauqua(shared: Path) -> None:
    frame = geopandas.read_file(shared / "data" / "chautauqua_pack" / "chautauqua.gpkg", layer="municipal_boundaries")
    layer = Layer(
        "chautauqua.gpkg",
        frame.crs.to_wkt(),
        {"NAME": frame["LABEL"].to_numpy(), "SWIS": frame["MUNI"].astype(str).to_numpy()},
        np.asarray(frame.geometry.values, dtype=object),
    )
    towns, _, _ = read_polygons(layer, TOWN_FIELDS, "towns", WEST, 1.0)
    territory = territory_of(shapely.union_all(towns.shapes[:4]).envelope)
    shapes, findings = town_shapes(towns, territory, EDITION)
    found = topology_of(shapes, territory)
    assert findings == ()
    assert sum(found.ground.values()) <= territory.shape.area * (1 + 1e-9)
    for one in town_findings(found, {}, set(), WEST, EDITION):
        assert one.code == "V-33"


def test_a_real_ring_that_crosses_itself_is_told_by_name(shared: Path) -> None:
    frame = geopandas.read_file(shared / "data" / "cattaraugus_pack" / "cattaraugus_muni.gpkg")
    shapes = np.asarray(frame.geometry.values, dtype=object)
    names = frame.select_dtypes("object").iloc[:, 0].astype(str).to_numpy()
    layer = Layer("cattaraugus_muni.gpkg", frame.crs.to_wkt(), {"NAME": names}, shapes)
    towns, _, _ = read_polygons(layer, FieldMap("towns", {"name": "NAME"}), "towns", WEST, 1.0)
    broken = [name for name, problem in zip(towns.names, towns.problems) if problem]
    assert len(broken) == int((~shapely.is_valid(shapes)).sum()) == 1
    territory = territory_of(shapely.box(*shapely.total_bounds(shapes)))
    (finding,) = unusable_findings(towns, "town", territory, EDITION)
    assert broken[0] in finding.message
    assert "self-crossing near" in finding.message
