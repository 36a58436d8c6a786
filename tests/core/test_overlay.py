"""Where parcels lie and what share is inside: rules 3 to 6, golden class cases, and public reports D01 to D18."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path

import geopandas
import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from village_petition.core.overlay import (
    INSIDE,
    OUTSIDE,
    SPLIT,
    UNUSABLE,
    _plain,
    exact_share,
    overlap_wider_than,
    overlapping_pairs,
    place,
    shape_problem,
    stacked_groups,
    wider_than,
    width_pieces,
)

CORNER = (924000.0, 890000.0)
BOW_TIE = shapely.Polygon([(0, 0), (10, 0), (4, 6), (6, 6)])


def geometries(*shapes: object) -> np.ndarray:
    array = np.empty(len(shapes), dtype=object)
    array[:] = shapes
    return array


def box(west: float, south: float, east: float, north: float) -> shapely.Polygon:
    return shapely.box(west, south, east, north)


def lattice(count: int, size: float, turn: float = 0.3, jitter: float = 0.05, seed: int = 7) -> np.ndarray:
    """`count` × `count` lots that share corners, turned and a little irregular."""
    chance = np.random.default_rng(seed)
    across, up = np.meshgrid(np.arange(count + 1) * size, np.arange(count + 1) * size, indexing="ij")
    across = across + chance.uniform(-jitter, jitter, across.shape) * size
    up = up + chance.uniform(-jitter, jitter, up.shape) * size
    x = np.round(CORNER[0] + math.cos(turn) * across - math.sin(turn) * up, 3)
    y = np.round(CORNER[1] + math.sin(turn) * across + math.cos(turn) * up, 3)
    node = np.stack([x, y], axis=-1)
    rings = [node[:-1, :-1], node[1:, :-1], node[1:, 1:], node[:-1, 1:], node[:-1, :-1]]
    return shapely.polygons(np.stack(rings, axis=2).reshape(-1, 5, 2))


def winding(shapes: np.ndarray, vertices: int, part: float = 0.35) -> shapely.Polygon:
    """A winding boundary of many vertices about the middle of these shapes."""
    west, south, east, north = shapely.total_bounds(shapes)
    angle = np.linspace(0, 2 * np.pi, vertices, endpoint=False)
    radius = part * (east - west) * (1 + 0.2 * np.sin(5 * angle) + 0.05 * np.sin(23 * angle))
    centre = ((west + east) / 2, (south + north) / 2)
    ring = np.column_stack([centre[0] + radius * np.cos(angle), centre[1] + radius * np.sin(angle)])
    return shapely.Polygon(np.round(ring, 3))


def naive(shape: shapely.Geometry, territory: shapely.Geometry, tolerance: float) -> tuple[int, float]:
    """Rules 4 to 6 as they read, one shape at a time, for valid polygons."""
    if not shape.intersects(territory) or shape.touches(territory):
        return OUTSIDE, 0.0
    if shape.within(territory):
        return INSIDE, 1.0

    def wide(piece: shapely.Geometry) -> bool:
        polygons = [part for part in getattr(piece, "geoms", [piece]) if part.geom_type == "Polygon"]
        return any(2 * part.area / part.length > tolerance for part in polygons if not part.is_empty)

    inside, outside = shape.intersection(territory), shape.difference(territory)
    if wide(inside) != wide(outside):
        return (INSIDE, 1.0) if wide(inside) else (OUTSIDE, 0.0)
    return SPLIT, inside.area / shape.area


# Rule 4, in its order


def test_the_order_of_the_classes() -> None:
    territory = shapely.Polygon([(0, 0), (100, 0), (100, 100), (60, 100), (60, 40), (0, 40)])
    far_bow_tie = shapely.transform(BOW_TIE, lambda xy: xy + 1000)
    bow_tie_in_the_notch = shapely.transform(BOW_TIE, lambda xy: xy + [10, 70])
    shapes = geometries(
        box(200, 0, 210, 10),  # its box is apart
        far_bow_tie,  # unusable, its box is apart
        None,
        shapely.Polygon(),
        shapely.LineString([(0, 0), (10, 10)]),
        shapely.Point(5, 5),
        bow_tie_in_the_notch,  # unusable and disjoint, its box is not
        box(10, 60, 20, 70),  # disjoint within the box
        box(100, 0, 110, 10),  # touches along an edge
        box(100, 100, 110, 110),  # touches in a point
        box(10, 10, 20, 20),
        box(0, 0, 100, 0.01),  # covered, however narrow
        box(-10, 10, 10, 20),
    )
    placed = place(shapes, territory, 1.0)
    assert placed.place.tolist() == [
        *(OUTSIDE, OUTSIDE, UNUSABLE, UNUSABLE, UNUSABLE, UNUSABLE, UNUSABLE),
        *(OUTSIDE, OUTSIDE, OUTSIDE, INSIDE, INSIDE, SPLIT),
    ]
    assert [placed.problem[at] for at in range(2, 7)] == [
        "no geometry",
        "no geometry",
        "no polygon near 0 0",
        "no polygon near 5 5",
        "self-crossing near 15 75",
    ]
    assert placed.problem[[0, 1, 7, 8, 9, 10, 11, 12]].tolist() == [""] * 8
    assert np.isnan(placed.share[2:7]).all()
    assert placed.share[[0, 1, 7, 8, 9, 10, 11, 12]].tolist() == [0, 0, 0, 0, 0, 1, 1, 0.5]
    assert not placed.moved.any()


@pytest.mark.parametrize(
    ("shape", "problem"),
    [
        (None, "no geometry"),
        (shapely.MultiPolygon(), "no geometry"),
        (shapely.LineString([(924000.4, 890000.5), (1, 1)]), "no polygon near 924,000 890,001"),
        (BOW_TIE, "self-crossing near 5 5"),
        (shapely.Polygon([(0, 0), (10, 0), (5, 0)]), "self-crossing near 0 0"),
        (shapely.Polygon([(0, 0), (10, 0), (np.nan, 5)]), "a coordinate that is no number"),
        (
            shapely.Polygon([(0, 0), (9, 0), (9, 9), (0, 9)], [[(20, 20), (21, 20), (21, 21)]]),
            "hole lies outside shell near 20 20",
        ),
        (shapely.MultiPolygon([box(0, 0, 4, 4), box(2, 2, 6, 6)]), "self-crossing near 4 2"),
        (box(0, 0, 1, 1), ""),
        (shapely.GeometryCollection([box(0, 0, 1, 1), shapely.Point(5, 5)]), ""),
    ],
)
def test_why_a_shape_is_unusable(shape: object, problem: str) -> None:
    found = shape_problem(shape)
    assert found.split(" near")[0] == problem.split(" near")[0]
    if "self" not in problem:
        assert found == problem


def test_no_shape_and_no_territory_nearby_are_no_trouble() -> None:
    assert place(geometries(), box(0, 0, 1, 1), 1.0).place.tolist() == []
    assert place(geometries(None), box(0, 0, 1, 1), 1.0).place.tolist() == [UNUSABLE]
    assert place(geometries(box(5, 5, 6, 6)), box(0, 0, 1, 1), 1.0).place.tolist() == [OUTSIDE]


# Rules 5 and 6


@pytest.mark.parametrize(
    ("parcel", "expected", "moved_share"),
    [
        (box(-0.5, 0, 99.5, 100), INSIDE, 0.995),  # 0.4975 ft wide outside
        (box(-99.5, 0, 0.5, 100), OUTSIDE, 0.005),
        (box(-0.4, 0, 0.4, 100), SPLIT, None),  # neither side is wide
        (box(-2, 0, 98, 100), SPLIT, None),
    ],
)
def test_slivers_go_by_width_both_ways(parcel: shapely.Polygon, expected: int, moved_share: float | None) -> None:
    territory = box(0, -500, 500, 500)
    placed = place(geometries(parcel), territory, 1.0)
    assert placed.place.tolist() == [expected]
    assert placed.moved.tolist() == [moved_share is not None]
    if moved_share is None:
        assert np.isnan(placed.moved_share[0])
    else:
        assert placed.share[0] == (1.0 if expected == INSIDE else 0.0)
        assert placed.moved_share[0] == pytest.approx(moved_share, abs=1e-12)
    plain = place(geometries(parcel), territory, 1.0, slivers=False)
    assert plain.place.tolist() == [SPLIT]
    assert not plain.moved.any()


def test_a_width_of_exactly_the_tolerance_is_a_sliver() -> None:
    # 2 × (2 × 2) / (4 × 2) = 1.0
    two_by_two = shapely.union(box(-2, 0, 0, 2), box(-100, 0, -2, 2))
    parcel = box(-2, 0, 500, 2)
    assert place(geometries(parcel), box(0, -500, 900, 500), 1.0).place.tolist() == [INSIDE]
    assert place(geometries(parcel), box(0, -500, 900, 500), 0.999).place.tolist() == [SPLIT]
    assert width_pieces(box(0, 0, 2, 2)) == 1.0
    assert not wider_than(box(0, 0, 2, 2), 1.0)
    assert wider_than(two_by_two, 1.0)


def test_several_narrow_pieces_do_not_make_a_wide_one() -> None:
    teeth = shapely.union_all([box(x, 0, x + 0.5, 40) for x in range(0, 400, 4)] + [box(-10, 40, 410, 60)])
    placed = place(geometries(box(-5, -50, 405, 40)), teeth, 1.0)
    assert placed.place.tolist() == [OUTSIDE]
    assert placed.moved_share[0] == pytest.approx(100 * 20 / (410 * 90), abs=1e-12)


def test_many_narrow_slits_outside_are_no_wide_piece_together() -> None:
    slits = shapely.union_all([box(x, 0, x + 0.9, 90) for x in range(4, 400, 4)])
    territory = shapely.difference(box(-10, -10, 410, 110), slits)
    placed = place(geometries(box(0, 0, 400, 100)), territory, 1.0)
    assert placed.place.tolist() == [INSIDE]
    assert placed.moved_share[0] == pytest.approx(1 - 99 * 81 / 40000, abs=1e-12)


def test_a_piece_inside_as_wide_as_the_tolerance_is_a_sliver() -> None:
    parcel = geometries(box(-500, 0, 2, 2))
    assert place(parcel, box(0, -500, 900, 500), 1.0).place.tolist() == [OUTSIDE]
    assert place(parcel, box(0, -500, 900, 500), 0.999).place.tolist() == [SPLIT]


@pytest.mark.parametrize(
    ("share", "exact"),
    [
        (0.35, Fraction(35, 100)),
        (1 / 3, Fraction(333333333, 10**9)),
        (0.0000000005, Fraction(1, 10**9)),
        (0.00000000049, Fraction(0)),
        (0.9999999996, Fraction(1)),
        (0.1234567885, Fraction(123456789, 10**9)),  # as a double it lies just below the half
    ],
)
def test_a_share_is_rounded_once_half_up_from_its_shortest_decimal(share: float, exact: Fraction) -> None:
    assert exact_share(share) == exact


def test_a_share_that_rounds_to_nothing_stays_split() -> None:
    placed = place(geometries(box(-1e7, 0, 1e-3, 1e-3)), box(0, -10, 10, 10), 1e-9)
    assert placed.place.tolist() == [SPLIT]
    assert exact_share(float(placed.share[0])) == 0


def test_g36_a_narrow_lot_wholly_inside_is_inside() -> None:
    placed = place(geometries(box(10, 10, 11, 90)), box(0, 0, 100, 100), 1.0)
    assert (placed.place.tolist(), placed.share.tolist()) == ([INSIDE], [1.0])
    at_the_edge = place(geometries(box(0, 10, 0.5, 90)), box(0, 0, 100, 100), 1.0)
    assert at_the_edge.place.tolist() == [INSIDE]


# Public reports


def test_d01_overlap_plus_touch_keeps_the_polygon() -> None:
    parcel = shapely.Polygon([(0, 0), (0, 3), (2, 3), (2, 1), (1, 2)])
    territory = shapely.Polygon([(0, 0), (0, 1), (2, 1), (2, 0)])
    assert shapely.intersection(parcel, territory).geom_type == "GeometryCollection"
    placed = place(geometries(parcel), territory, 0.01)
    assert placed.place.tolist() == [SPLIT]
    assert exact_share(float(placed.share[0])) == Fraction(71428571, 10**9)  # 0.25 / 3.5


def test_d01_a_collection_is_its_polygons() -> None:
    parcel = shapely.GeometryCollection(
        [box(0, 0, 10, 10), shapely.Point(90, 90), shapely.LineString([(0, 0), (50, 0)])]
    )
    placed = place(geometries(parcel), box(5, -10, 100, 100), 1.0)
    assert (placed.place.tolist(), placed.share.tolist()) == ([SPLIT], [0.5])


def test_d01_lines_and_points_of_a_collection_do_not_move_it() -> None:
    lot, territory = box(0, 0, 10, 10), box(-5, -5, 20, 20)
    beyond = geometries(
        shapely.GeometryCollection([lot, shapely.LineString([(0, 0), (90, 0)])]),
        shapely.GeometryCollection([shapely.transform(lot, lambda xy: xy + [20, 0]), shapely.Point(5, 5)]),
    )
    placed = place(beyond, territory, 1.0)
    assert placed.place.tolist() == [INSIDE, OUTSIDE]
    assert not placed.moved.any()


@pytest.mark.parametrize("seed", range(8))
def test_d02_neighbours_that_share_an_edge_are_outside(seed: int) -> None:
    chance = np.random.default_rng(seed)
    pairs = 0
    for _ in range(25):
        low = np.round(CORNER + chance.uniform(0, 50, 2), 2)
        high = np.round(CORNER + chance.uniform([0, 100], [50, 200]), 2)
        west = np.round(np.array([[-120, 110], [-130, -20]]) + CORNER + chance.uniform(-9, 9, (2, 2)), 2)
        east = np.round(np.array([[160, -15], [170, 120]]) + CORNER + chance.uniform(-9, 9, (2, 2)), 2)
        one, other = shapely.Polygon([low, high, *west]), shapely.Polygon([low, *east, high])
        if one.is_valid and other.is_valid and one.touches(other):
            pairs += 1
            placed = place(geometries(other, one), one, 1.0)
            assert placed.place.tolist() == [OUTSIDE, INSIDE]
            assert placed.share.tolist() == [0.0, 1.0]
            assert not placed.moved.any()
    assert pairs > 10


def test_d06_the_denominator_is_the_whole_parcel() -> None:
    placed = place(geometries(box(0, 0, 10, 10)), box(-5, -5, 5, 15), 1.0)
    assert exact_share(float(placed.share[0])) == Fraction(1, 2)


def test_d08_nothing_intersects() -> None:
    parcels = geometries(box(0, 0, 10, 10), box(10, 0, 20, 10))
    assert place(parcels, box(20.1, 0, 30, 10), 1.0).place.tolist() == [OUTSIDE, OUTSIDE]
    around = shapely.Polygon([(-5, -5), (30, -5), (30, 30), (25, 30), (25, -1), (-5, -1)])
    assert place(parcels, around, 1.0).place.tolist() == [OUTSIDE, OUTSIDE]


@pytest.mark.parametrize("bow_tie", [BOW_TIE, shapely.Polygon([(0, 0), (2, 2), (2, 0), (0, 2)])])
def test_d09_an_invalid_ring_is_never_measured(bow_tie: shapely.Polygon) -> None:
    placed = place(geometries(bow_tie), box(-50, -50, 50, 50), 1.0)
    assert placed.place.tolist() == [UNUSABLE]
    assert np.isnan(placed.share[0])
    assert placed.problem[0].startswith("self-crossing near")


def test_d10_every_shape_ends_in_exactly_one_class() -> None:
    shapes = geometries(BOW_TIE, box(2, 2, 4, 4), box(5, 5, 15, 15), box(50, 0, 60, 9))
    placed = place(shapes, box(0, 0, 10, 10), 1.0)
    assert placed.place.tolist() == [UNUSABLE, INSIDE, SPLIT, OUTSIDE]


def test_d12_wholly_inside_is_one_by_class() -> None:
    shapes = lattice(12, 97.3)
    placed = place(shapes, shapely.box(*shapely.total_bounds(shapes)).buffer(1), 1.0)
    assert placed.place.tolist() == [INSIDE] * 144
    assert placed.share.tolist() == [1.0] * 144


def test_d13_slivers_along_a_line_are_not_split() -> None:
    chance = np.random.default_rng(13)
    east = 10 + chance.uniform(-0.003, 0.003, 100)
    parcels = geometries(*(box(0, 100 * row, edge, 100 * row + 100) for row, edge in enumerate(east)))
    inside = place(parcels, box(-10, -10, 10, 10100), 1.0)
    assert inside.place.tolist() == [INSIDE] * 100
    assert inside.moved.tolist() == (east > 10).tolist()
    beyond = place(parcels, box(10, -10, 50, 10100), 1.0)
    assert beyond.place.tolist() == [OUTSIDE] * 100
    assert beyond.moved.tolist() == (east > 10).tolist()


def test_d14_a_thin_triangle_keeps_its_area() -> None:
    triangle = shapely.Polygon([(1, 0), (0, 6), (1, 3)])
    placed = place(geometries(triangle), box(-10, -10, 10, 10), 1.0)
    assert (placed.place.tolist(), placed.share.tolist()) == ([INSIDE], [1.0])
    cut = place(geometries(triangle), box(-10, 3, 10, 10), 1e-6)
    assert cut.place.tolist() == [SPLIT]
    assert 0 < cut.share[0] < 1


def test_d15_in_and_out_are_the_whole_at_six_decimals() -> None:
    chance = np.random.default_rng(15)
    origin = np.array([1.6e6, 6.46e6])
    for _ in range(50):
        ring = np.round(origin + np.array([[0, 0], [80, 0], [80, 60], [0, 60]]) + chance.uniform(-9, 9, (4, 2)), 6)
        edge = np.round(origin + [40, 30] + chance.uniform(-15, 15, 2), 6)
        turn = chance.uniform(0, np.pi)
        along, up = 500 * np.array([math.cos(turn), math.sin(turn)]), 500 * np.array([-math.sin(turn), math.cos(turn)])
        left = shapely.Polygon([edge - along, edge + along, edge + along + up, edge - along + up])
        right = shapely.Polygon([edge - along, edge + along, edge + along - up, edge - along - up])
        parcel = geometries(shapely.Polygon(ring))
        inside, outside = place(parcel, left, 0.0), place(parcel, right, 0.0)
        assert abs(inside.share[0] + outside.share[0] - 1) <= 1e-6


def test_d16_stacked_units_are_each_placed_and_told_as_one_stack() -> None:
    units = geometries(*(box(0, 0, 10, 10) for _ in range(3)))
    assert place(units, box(-5, -5, 50, 50), 1.0).place.tolist() == [INSIDE] * 3
    assert [group.tolist() for group in stacked_groups(units)] == [[0, 1, 2]]
    assert [pairs.tolist() for pairs in overlapping_pairs(units, 1.0)] == [[], []]


def test_d18_two_polygons_of_one_key_are_one_shape() -> None:
    union = shapely.union(box(0, 0, 40, 40), box(100, 0, 160, 60))
    placed = place(geometries(union), box(-10, -10, 50, 50), 1.0)
    assert exact_share(float(placed.share[0])) == exact_share(1600 / 5200)


# Rule 3


def test_footprints_are_the_same_however_their_rings_are_written() -> None:
    plain = box(0, 0, 10, 10)
    turned = shapely.Polygon([(10, 10), (0, 10), (0, 0), (10, 0)])
    with_more_corners = shapely.Polygon([(0, 0), (5, 0), (10, 0), (10, 10), (0, 10)])
    same_box = shapely.Polygon([(0, 0), (10, 0), (10, 10), (0, 10), (0, 6), (1, 5), (0, 4)])
    shapes = geometries(same_box, plain, None, turned, box(20, 0, 30, 10), with_more_corners, BOW_TIE, same_box)
    assert [group.tolist() for group in stacked_groups(shapes)] == [[0, 7], [1, 3, 5]]


def test_two_unusable_shapes_with_one_box_are_no_stack() -> None:
    assert stacked_groups(geometries(BOW_TIE, BOW_TIE, None, None, shapely.Polygon())) == []


def test_overlaps_wider_than_the_tolerance_are_pairs() -> None:
    shapes = geometries(
        box(0, 0, 100, 100),
        box(100, 0, 200, 100),  # touches 0
        box(199.5, 0, 300, 100),  # overlaps 1 by half a foot
        box(290, 0, 400, 100),  # overlaps 2
        box(310, 20, 320, 40),  # inside 3
        box(290, 0, 400, 100),  # stacked on 3
        None,
        shapely.transform(BOW_TIE, lambda xy: xy + 50),
    )
    first, second = overlapping_pairs(shapes, 1.0)
    assert list(zip(first.tolist(), second.tolist())) == [(2, 3), (2, 5), (3, 4), (4, 5)]
    assert overlapping_pairs(shapes, 1.0, stacked_groups(shapes))[0].tolist() == first.tolist()
    first, second = overlapping_pairs(shapes, 0.1)
    assert (1, 2) in list(zip(first.tolist(), second.tolist()))


def test_a_turned_fabric_has_no_overlaps() -> None:
    first, second = overlapping_pairs(lattice(20, 100), 1.0)
    assert (len(first), len(second)) == (0, 0)


def test_overlap_and_touch() -> None:
    assert overlap_wider_than(box(0, 0, 10, 10), box(5, 0, 20, 10), 1.0)
    assert not overlap_wider_than(box(0, 0, 10, 10), box(10, 0, 20, 10), 0.0)
    assert not overlap_wider_than(box(0, 0, 10, 10), box(9.5, 0, 20, 10), 1.0)


# Against the rules one shape at a time, and what must not matter


def mixed_territory(shapes: np.ndarray) -> shapely.Geometry:
    """Many vertices, a hole, a second part, and stretches that follow lot lines."""
    line = winding(shapes, 600)
    west, south, east, north = shapely.total_bounds(shapes)
    hole = shapely.Point((west + east) / 2, (south + north) / 2).buffer((east - west) / 12, quad_segs=40)
    island = shapely.union_all(shapes[:3])
    return shapely.union(shapely.difference(line, hole), island)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_shape_is_as_the_rules_say_one_by_one(seed: int) -> None:
    shapes = lattice(24, 90, turn=0.1 * seed, seed=seed)
    for territory in (
        winding(shapes, 40),
        winding(shapes, 1500),
        mixed_territory(shapes),
        shapely.union_all(shapes[100:140]),
    ):
        placed = place(shapes, territory, 1.0)
        expected = [naive(shape, territory, 1.0) for shape in shapes]
        assert placed.place.tolist() == [where for where, _ in expected]
        assert [exact_share(share) for share in placed.share] == [exact_share(share) for _, share in expected]
        assert set(placed.place.tolist()) >= {OUTSIDE, INSIDE}


@pytest.mark.parametrize("seed", range(6))
def test_cutting_the_territory_to_a_box_does_not_change_a_share_on_whole_numbers(seed: int) -> None:
    chance = np.random.default_rng(seed)
    cells = chance.random((40, 40)) < 0.6
    ground = shapely.union_all(shapely.box(*np.nonzero(cells), *(np.array(np.nonzero(cells)) + 1)))
    assert shapely.get_num_coordinates(ground) > 500
    west, south = chance.integers(0, 30, (2, 300))
    wide, high = chance.integers(1, 9, (2, 300))
    shapes = shapely.box(west + 0.5, south, west + 0.5 + wide, south + high)
    placed = place(shapes, ground, 0.01)
    inside = shapely.area(shapely.intersection(shapes, ground)) / shapely.area(shapes)
    assert np.abs(placed.share - inside).max() < 1e-12


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_neither_order_nor_place_matters(seed: int) -> None:
    chance = np.random.default_rng(seed)
    shapes = lattice(10, 100, turn=float(chance.uniform(0, 1.5)), seed=seed)
    territory = winding(shapes, 120, part=float(chance.uniform(0.15, 0.4)))
    placed = place(shapes, territory, 1.0)
    order = chance.permutation(len(shapes))
    mixed = place(shapes[order], territory, 1.0)
    assert mixed.place.tolist() == placed.place[order].tolist()
    assert mixed.share.tolist() == placed.share[order].tolist()
    by = np.array([4096.0, -2048.0])
    moved = place(shapely.transform(shapes, lambda xy: xy + by), shapely.transform(territory, lambda xy: xy + by), 1.0)
    assert moved.place.tolist() == placed.place.tolist()
    assert np.abs(moved.share - placed.share).max() < 1e-7


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_two_territories_side_by_side_add_up_to_their_union(seed: int) -> None:
    chance = np.random.default_rng(seed)
    shapes = lattice(8, 100, turn=float(chance.uniform(0, 1.5)), seed=seed)
    whole = winding(shapes, 90, part=float(chance.uniform(0.2, 0.4)))
    middle = shapely.centroid(whole)
    half = box(middle.x - 1e5, middle.y, middle.x + 1e5, middle.y + 1e5)
    upper, lower = shapely.intersection(whole, half), shapely.difference(whole, half)
    shares = [place(shapes, ground, 1.0, slivers=False).share for ground in (upper, lower, whole)]
    assert np.abs(shares[0] + shares[1] - shares[2]).max() < 1e-6
    everything = shapely.box(*shapely.total_bounds(shapes)).buffer(10)
    rest = place(shapes, shapely.difference(everything, whole), 1.0, slivers=False).share
    assert np.abs(rest + shares[2] - 1).max() < 1e-6


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(st.integers(-6, 6), st.integers(-6, 6)), min_size=3, max_size=9))
def test_a_ring_called_plain_is_valid(points: list[tuple[int, int]]) -> None:
    ring = shapely.Polygon(points)
    if _plain(geometries(ring))[0]:
        assert shapely.is_valid(ring)


def test_lots_are_plain_and_a_ring_that_goes_around_twice_is_not() -> None:
    assert _plain(lattice(5, 100)).all()
    angle = np.arange(10) * (4 * np.pi / 10) + 0.1 * (np.arange(10) >= 5)
    twice = shapely.Polygon(np.column_stack([np.cos(angle), np.sin(angle)]) * (1 + np.arange(10)[:, None] / 10))
    assert not _plain(geometries(twice))[0]
    assert not _plain(geometries(None, shapely.Polygon(), shapely.Point(0, 0), BOW_TIE)).any()
    assert not _plain(geometries(box(0, 0, 9, 9).difference(box(3, 3, 4, 4))))[0]


def test_lakeshore_shares_are_those_of_the_golden_file(shared: Path) -> None:
    folder = shared / "data" / "lakeshore" / "clean"
    golden = json.loads((shared / "golden" / "lakeshore_clean.json").read_text(encoding="utf-8"))
    parcels = geopandas.read_file(folder / "parcels.gpkg")
    territory = geopandas.read_file(folder / "territory.gpkg").geometry.iloc[0]
    shapes = geometries(*parcels.geometry)
    placed = place(shapes, territory, 0.999998)
    counts = np.bincount(placed.place, minlength=4).tolist()
    proof = golden["proof"]
    assert counts == [proof["outside"], proof["inside"], proof["split"], proof["set_aside"]]
    keys = [f"{swis} {key}" for swis, key in zip(parcels["SWIS"], parcels["PRINT_KEY"])]
    shares = {keys[at]: exact_share(placed.share[at]) for at in np.flatnonzero(placed.place == SPLIT)}
    assert shares == {key: Fraction(values[0]) for key, values in golden["split"].items()}
