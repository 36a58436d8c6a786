"""What holds of every description: the sides are the boundary, no more and no less, however the inputs are ordered."""

from __future__ import annotations

import math
import random
import re

import numpy as np
import pytest
import shapely
from grids import CRS, EAST, EDITION, NORTH, described
from hypothesis import given, settings
from hypothesis import strategies as st

from village_petition.core.description import Area, Choices, Description, Line, Sources, describe
from village_petition.core.description.cutting import absorbed, cheapest_states, runs_of
from village_petition.core.description.rings import rings_of


def streets(chance: random.Random) -> list[Line]:
    """A bent grid of streets in several segments each, some of them without name, some cut short."""
    xs = [x + chance.uniform(-150, 150) for x in range(0, 5000, 1000)]
    lines = []
    for number, base in enumerate(xs):
        for across in (False, True):
            points = [(base + chance.uniform(-60, 60), along) for along in range(-500, 4800, 400)]
            points = points[: chance.choice((len(points), len(points), 8))]
            xy = [(EAST + y, NORTH + x) if across else (EAST + x, NORTH + y) for x, y in points]
            pieces = [shapely.linestrings(pair) for pair in zip(xy, xy[1:])]
            name = f"{'North South'.split()[across]} Street {number}" if chance.random() < 0.8 else ""
            lines.append(Line("street", name, shapely.multilinestrings(pieces)))
    return lines


def territory(chance: random.Random, lines: list[Line]) -> shapely.Polygon:
    """A block of the streets, or a star over them, with a hole now and then."""
    blocks = list(shapely.get_parts(shapely.polygonize(shapely.get_parts(shapely.union_all([x.shape for x in lines])))))
    centre = (EAST + chance.uniform(1500, 3000), NORTH + chance.uniform(1500, 3000))
    count = chance.randint(4, 40)
    angles = [2 * math.pi * number / count for number in range(count)]
    reach = [chance.uniform(300, 1800) for _ in angles]
    star = shapely.Polygon(
        [(centre[0] + r * math.sin(turn), centre[1] + r * math.cos(turn)) for turn, r in zip(angles, reach)]
    )
    whole = shapely.union_all([star, *chance.sample(blocks, min(3, len(blocks)))]) if chance.random() < 0.8 else star
    part = max(shapely.get_parts(whole), key=shapely.area)
    if chance.random() < 0.4:
        part = max(shapely.get_parts(shapely.difference(part, shapely.Point(centre).buffer(120))), key=shapely.area)
    # slivers that overlaying leaves are no holes
    return shapely.Polygon(part.exterior, [ring for ring in part.interiors if shapely.Polygon(ring).area > 1])


def redrawn(polygon: shapely.Polygon, chance: random.Random) -> shapely.Polygon:
    """The same polygon from another corner and the other way round."""

    def turned(ring: shapely.LinearRing) -> np.ndarray:
        xy = shapely.get_coordinates(ring)[:-1]
        xy = np.roll(xy, chance.randrange(len(xy)), axis=0)
        return xy[::-1] if chance.random() < 0.5 else xy

    holes = [turned(ring) for ring in polygon.interiors]
    chance.shuffle(holes)
    return shapely.Polygon(turned(polygon.exterior), holes)


def shuffled(lines: list[Line], chance: random.Random) -> tuple[Line, ...]:
    """The same streets in another order, their segments too, some of them drawn the other way."""
    result = []
    for line in lines:
        parts = [shapely.reverse(part) if chance.random() < 0.5 else part for part in shapely.get_parts(line.shape)]
        chance.shuffle(parts)
        result.append(Line(line.kind, line.name, shapely.multilinestrings(parts)))
    chance.shuffle(result)
    return tuple(result)


def holds(polygon: shapely.Polygon, found: Description) -> None:
    """The sides of each ring lie end to end and are the ring."""
    rings = rings_of(polygon)
    assert sum(side.length_ft for side in found.sides) == pytest.approx(shapely.length(polygon), rel=1e-9)
    for ring in rings:
        sides = [side for side in found.sides if (side.part, side.hole) == (ring.part, ring.hole)]
        assert [side.number for side in sides] == list(range(1, len(sides) + 1))
        assert sum(side.length_ft for side in sides) == pytest.approx(ring.length, rel=1e-9)
        for side, after in zip(sides, [*sides[1:], sides[0]]):
            assert side.xy[-1] == pytest.approx(after.xy[0], abs=1e-6)
            assert side.end == after.start
            assert side.length_ft > 0
            assert shapely.length(shapely.linestrings(side.xy)) == pytest.approx(side.length_ft, rel=1e-9)
        corners_of = np.vstack([side.xy[:-1] for side in sides])
        again = shapely.Polygon(corners_of)
        assert shapely.area(shapely.symmetric_difference(again, ring.polygon)) < 1e-3
        corners = {(round(x, 5), round(y, 5)) for x, y in corners_of}
        assert {(round(x, 5), round(y, 5)) for x, y in ring.xy} <= corners


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**9))
def test_sides_cover_the_boundary_and_no_order_changes_the_text(seed: int) -> None:
    chance = random.Random(seed)
    lines = streets(chance)
    polygon = territory(chance, lines)
    found = described(polygon, Sources(tuple(lines)))
    holds(polygon, found)
    again = described(redrawn(polygon, chance), Sources(shuffled(lines, chance)))
    assert again.text == found.text
    assert again.findings == found.findings
    for side in found.sides:
        assert side.kind == "course" or side.offset_ft is None or side.offset_ft < 60


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**9))
def test_the_same_in_parts_of_towns(seed: int) -> None:
    chance = random.Random(seed)
    lines = streets(chance)
    polygon = territory(chance, lines)
    split = NORTH + chance.uniform(1000, 3000)
    low, high = (
        shapely.box(EAST - 9000, NORTH - 9000, EAST + 9000, split),
        shapely.box(EAST - 9000, split, EAST + 9000, NORTH + 9000),
    )
    half = max(shapely.get_parts(shapely.intersection(polygon, high)), key=shapely.area, default=polygon)
    if shapely.is_empty(half) or shapely.get_type_id(half) != 3 or shapely.length(half) < 500:
        return
    towns = (Area("civil", "Town of A", low, "Town"), Area("civil", "Town of B", high, "Town"))
    found = describe(half, Sources(tuple(lines), areas=towns), CRS, EDITION, Choices())
    holds(half, found)
    again = describe(
        redrawn(half, chance), Sources(shuffled(lines, chance), areas=towns[::-1]), CRS, EDITION, Choices()
    )
    assert again.text == found.text


COURSE = re.compile(r"(North|South) (\d\d)°(\d\d)'(\d\d)\" (East|West), ([\d,]+\.\d\d) feet")
PLACE = re.compile(r"North ([\d,]+\.\d\d), East ([\d,]+\.\d\d)")


def walked(text: str) -> list[tuple[float, float]]:
    """The corners that a reader of metes and bounds comes to, from the coordinates of the beginning."""
    place = PLACE.search(text)
    assert place
    north, east = (float(number.replace(",", "")) for number in place.groups())
    corners = [(east, north)]
    for way, degrees, minutes, seconds, side, feet in COURSE.findall(text):
        angle = math.radians(int(degrees) + int(minutes) / 60 + int(seconds) / 3600)
        length = float(feet.replace(",", ""))
        x, y = corners[-1]
        x += length * math.sin(angle) * (1 if side == "East" else -1)
        corners.append((x, y + length * math.cos(angle) * (1 if way == "North" else -1)))
    return corners


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**9))
def test_metes_and_bounds_read_back_are_the_boundary(seed: int) -> None:
    chance = random.Random(seed)
    polygon = shapely.Polygon(territory(chance, streets(chance)).exterior)
    text = described(polygon, Sources(), forms=("metes",)).text
    corners = walked(text)
    assert math.dist(corners[0], corners[-1]) <= 0.02
    ring = rings_of(polygon)[0]
    drawn = shapely.linestrings(corners)
    assert shapely.distance(drawn, shapely.points(ring.xy)).max() <= 0.03
    assert shapely.distance(ring.line, shapely.points(corners)).max() <= 0.03


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9), st.integers(2, 9), st.integers(1, 4))
def test_the_way_round_is_the_cheapest(seed: int, steps: int, states: int) -> None:
    cost = np.random.default_rng(seed).uniform(0, 10, (steps, states))
    change = 4.0

    def price(way: tuple[int, ...]) -> float:
        own = sum(cost[step, state] for step, state in enumerate(way))
        return float(own + change * sum(one != other for one, other in zip(way, (*way[1:], way[0]))))

    ways: list[tuple[int, ...]] = [()]
    for _ in range(steps):
        ways = [(*way, state) for way in ways for state in range(states)]
    found = tuple(int(state) for state in cheapest_states(cost, change))
    assert price(found) == pytest.approx(min(map(price, ways)))


def test_short_runs_go_to_the_cheaper_neighbour() -> None:
    states = np.array([0, 0, 1, 2, 2, 0])
    cost = np.array([[0, 9, 9], [0, 9, 9], [5, 0, 1], [9, 9, 0], [9, 9, 0], [0, 9, 9]], dtype=float)
    length = np.array([50.0, 50, 10, 50, 50, 50])
    assert list(absorbed(states, cost, length, 30.0)) == [0, 0, 2, 2, 2, 0]
    assert [(run.first, run.last, run.state) for run in runs_of(states)] == [(2, 3, 1), (3, 5, 2), (5, 8, 0)]
    assert [(run.first, run.last) for run in runs_of(np.array([7, 7, 7]))] == [(0, 3)]
