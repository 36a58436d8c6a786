"""The ground of the sample case: two fictional towns, a village beside them, streets, lots, buildings and a boundary.

Everything is laid out in whole feet on a plain grid, noded there, and only then turned and bent into EPSG:2262, so that
neighbours share their vertices exactly, as they do in a county's fabric. The ground is under Lake Ontario: nobody's
land is meant.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import shapely

Point = tuple[int, int]
Ring = tuple[Point, ...]

CRS = "EPSG:2262"
ORIGIN = (1_170_000.0, 1_276_000.0)
TURN = math.radians(4)

ALDER, BIRCH, CEDAR = "Alder", "Birch", "Cedar"
TOWN_SWIS = {ALDER: "990100", BIRCH: "990200"}
ROLL_SWIS = {ALDER: "990100", BIRCH: "990289", CEDAR: "990201"}

HALF_STREET = 30
COLUMNS = ((-3600, -2400), (-2400, -1200), (-1200, 0), (0, 1200), (1200, 2400), (2400, 3000), (3000, 3600))
ROWS = ((-3000, -1800), (-1800, -600), (-600, 600), (600, 1800), (1800, 3000))
LOTS_A_SIDE = (
    (1, 2, 2, 2, 2, 1, 1),
    (1, 4, 5, 5, 4, 2, 1),
    (2, 6, 8, 8, 6, 3, 2),
    (1, 4, 5, 5, 4, 2, 1),
    (1, 2, 2, 2, 2, 1, 1),
)
VILLAGE_LINE = 3000

STREETS_ACROSS = {
    -3000: "South Rd",
    -1800: "Quarry Rd",
    -600: "Main St",
    600: "Church St",
    1800: "Creamery Rd",
    3000: "North Rd",
}
STREETS_UP = {
    -3600: "West Rd",
    -2400: "Orchard St",
    -1200: "Mill St",
    0: "Town Line Rd",
    1200: "School St",
    2400: "Depot St",
    3600: "Cedar Ave",
}

CREEK: Ring = (
    (-3900, 2560), (-3300, 2380), (-2900, 2260), (-2600, 2190), (-2300, 2090), (-1900, 2110),
    (-1500, 1980), (-1200, 1800), (-900, 1500), (-640, 1060), (-560, 600), (-300, 180),
    (0, -120), (360, -600), (640, -1200), (700, -1800), (900, -2500), (1300, -3300),
)  # fmt: skip
TERRITORY: Ring = (
    (-3300, -1800), (1200, -1800), (3000, -2300), (3000, 1800), (-1200, 1800),
    (-1500, 1980), (-1900, 2110), (-2300, 2090), (-2600, 2190), (-2900, 2260), (-3060, 300),
)  # fmt: skip
TOWNS: dict[str, Ring] = {
    ALDER: ((-4200, -3600), (0, -3600), (0, 3600), (-4200, 3600)),
    BIRCH: ((0, -3600), (5000, -3600), (5000, 3600), (0, 3600)),
}
VILLAGE: Ring = ((3000, -600), (5000, -600), (5000, 600), (3000, 600))

# Farm buildings beyond the line, and the barn that stands on it: print key of the lot, middle and size of the building.
FAR_BUILDINGS: tuple[tuple[str, Point, Point], ...] = (
    ("2.00-1-1", (-3420, -1500), (70, 50)),
    ("4.00-1-2", (-3300, 1500), (60, 40)),
    ("5.00-2-2", (-1480, 2280), (50, 40)),
    ("3.00-1-1", (-3130, -300), (160, 60)),
)


@dataclass(frozen=True)
class Lot:
    """A lot on the grid: `west` to `east` and `south` to `north` in feet, and the street that it fronts."""

    key: str
    sbl: str
    town: str
    box: tuple[int, int, int, int]
    street: str
    number: int
    faces_north: bool

    @property
    def ring(self) -> Ring:
        """The corners, counter-clockwise."""
        west, south, east, north = self.box
        return ((west, south), (east, south), (east, north), (west, north))


@dataclass(frozen=True)
class Land:
    """The sample's shapes in EPSG:2262."""

    lots: tuple[Lot, ...]
    shapes: dict[str, shapely.Polygon]
    territory: shapely.Polygon
    towns: dict[str, shapely.Polygon]
    village: shapely.Polygon
    streets: tuple[tuple[str, shapely.LineString], ...]
    creek: shapely.LineString


def place(point: Point) -> tuple[float, float]:
    """A grid point in EPSG:2262, to a hundredth of a foot: turned by four degrees and gently bent."""
    u, v = point
    bent_u = u + 60 * math.sin(v / 1500)
    bent_v = v + 50 * math.sin(u / 1700)
    x = ORIGIN[0] + bent_u * math.cos(TURN) - bent_v * math.sin(TURN)
    y = ORIGIN[1] + bent_u * math.sin(TURN) + bent_v * math.cos(TURN)
    return (round(x, 2), round(y, 2))


def rectangle(middle: Point, size: Point) -> shapely.Polygon:
    """A building on the grid, in EPSG:2262."""
    (u, v), (width, depth) = middle, size
    half_w, half_d = width // 2, depth // 2
    corners = ((u - half_w, v - half_d), (u + half_w, v - half_d), (u + half_w, v + half_d), (u - half_w, v + half_d))
    return shapely.Polygon([place(corner) for corner in corners])


def make_land(rng: random.Random) -> Land:
    """All shapes of the sample; the same for the same seed."""
    lots = tuple(_lots(rng))
    crossings = [(u, v) for u in STREETS_UP for v in STREETS_ACROSS]
    rings = [lot.ring for lot in lots] + [TERRITORY, VILLAGE, CREEK, *TOWNS.values()]
    vertices = sorted({point for ring in rings for point in ring} | set(crossings))
    polygon = lambda ring: shapely.Polygon([place(p) for p in _noded(ring, vertices, closed=True)])  # noqa: E731
    line = lambda ring: shapely.LineString([place(p) for p in _noded(ring, vertices, closed=False)])  # noqa: E731
    across = [(name, line(((-4000, v), (4600, v)))) for v, name in STREETS_ACROSS.items()]
    up = [(name, line(((u, -3400), (u, 3400)))) for u, name in STREETS_UP.items()]
    return Land(
        lots=lots,
        shapes={lot.key: polygon(lot.ring) for lot in lots},
        territory=polygon(TERRITORY),
        towns={town: polygon(ring) for town, ring in TOWNS.items()},
        village=polygon(VILLAGE),
        streets=tuple(across + up),
        creek=line(CREEK),
    )


def _lots(rng: random.Random) -> Iterable[Lot]:
    """Two rows of lots in every block, back to back; print keys are section (row), block (column) and lot."""
    for row, (south, north) in enumerate(ROWS):
        for column, (west, east) in enumerate(COLUMNS):
            left = west if west == VILLAGE_LINE else west + HALF_STREET
            right = east if east == VILLAGE_LINE else east - HALF_STREET
            town = ALDER if east <= 0 else CEDAR if west == VILLAGE_LINE and row == 2 else BIRCH
            back = (south + north) // 2 + 10 * int(rng.random() * 7 - 3)
            number = 0
            for faces_north in (False, True):
                low, high = (back, north - HALF_STREET) if faces_north else (south + HALF_STREET, back)
                lines = _divided(rng, left, right, LOTS_A_SIDE[row][column])
                for begin, end in zip(lines, lines[1:]):
                    number += 1
                    house = 2 * ((begin + end) // 2 + 3700) // 24 * 2 + (1 if faces_north else 0)
                    street = STREETS_ACROSS[north if faces_north else south]
                    sbl = f"{row + 1:03d}000{column + 1:04d}{number:03d}0000000"
                    yield Lot(
                        f"{row + 1}.00-{column + 1}-{number}",
                        sbl,
                        town,
                        (begin, low, end, high),
                        street,
                        house,
                        faces_north,
                    )


def _divided(rng: random.Random, begin: int, end: int, count: int) -> list[int]:
    """The lot lines of a row: about even, never the same width twice on purpose."""
    step = (end - begin) / count
    return [begin, *(round(begin + step * (i + 0.3 * (rng.random() - 0.5))) for i in range(1, count)), end]


def _noded(ring: Ring, vertices: Sequence[Point], closed: bool) -> list[Point]:
    """The ring with every vertex of its neighbours that lies on one of its edges."""
    ends = list(ring) + ([ring[0]] if closed else [])
    result = [ends[0]]
    for (u0, v0), (u1, v1) in zip(ends, ends[1:]):
        du, dv = u1 - u0, v1 - v0
        length = du * du + dv * dv
        on_edge = []
        for u, v in vertices:
            along = (u - u0) * du + (v - v0) * dv
            if du * (v - v0) == dv * (u - u0) and 0 < along < length:
                on_edge.append((along, (u, v)))
        result += [point for _, point in sorted(on_edge)] + [(u1, v1)]
    return result
