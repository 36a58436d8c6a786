"""Generates counties for the benchmark: irregular lots back to back between streets, with the public schema's fields.

A lot of every size of county stands at the same place: a county is the middle of the next larger one, so that two of
them differ in nothing but the rows far away. Neighbours share their vertices to the last bit.
"""

from __future__ import annotations

import json
import math
import sqlite3
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import shapely
from numpy.typing import NDArray
from osgeo import gdal, ogr, osr

SEED = 2202
GENERATOR = 5
"""Counties on disk that another number made are made again."""

CRS = "EPSG:2262"
ORIGIN = (1_170_000.0, 1_276_000.0)
LOTS_A_ROW = 10
LOTS_A_BLOCK = 2 * LOTS_A_ROW
LOT_WIDTH, LOT_DEPTH, STREET = 100.0, 150.0, 60.0
BLOCK_WIDTH, BLOCK_DEPTH = LOTS_A_ROW * LOT_WIDTH + STREET, 2 * LOT_DEPTH + STREET
CORNER_JITTER, MIDDLE_JITTER = 9.0, 3.0
TERRITORY_VERTICES = 4_000
TERRITORY_PART = 0.1
CUT_PART = 0.005
WINDING_CUTS = 1.63
"""A winding line all around cuts this many times the root of the number of parcels."""
SIGNED_IN_TEN = 6
TOWNS = (("Alder", "990100", "40.00"), ("Birch", "990200", "85.00"))
# The eight corners and middles of a lot's outline on its three by three nodes, counter-clockwise and closed.
OUTLINE = ((0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1), (0, 0))

SURNAMES = ("ALDER", "ASH", "BARROW", "CALDER", "CROFT", "FERN", "GARLAND", "HOLLOWAY", "LINDEN", "MARCH", "OAKHURST")
GIVEN = ("ADA", "AMOS", "CLARA", "EDWIN", "FLORA", "HIRAM", "IDA", "LEWIS", "MABEL", "NORA", "OSCAR", "RUTH", "SILAS")

FIELDS = (
    ("COUNTY_NAME", "TEXT"),
    ("MUNI_NAME", "TEXT"),
    ("SWIS", "TEXT"),
    ("PARCEL_ADDR", "TEXT"),
    ("PRINT_KEY", "TEXT"),
    ("SBL", "TEXT"),
    ("CITYTOWN_NAME", "TEXT"),
    ("CITYTOWN_SWIS", "TEXT"),
    ("PROP_CLASS", "TEXT"),
    ("ROLL_SECTION", "TEXT"),
    ("LAND_AV", "REAL"),
    ("TOTAL_AV", "REAL"),
    ("FULL_MARKET_VAL", "REAL"),
    ("ACRES", "REAL"),
    ("ROLL_YR", "INTEGER"),
    ("SPATIAL_YR", "INTEGER"),
    ("PRIMARY_OWNER", "TEXT"),
    ("ADD_OWNER", "TEXT"),
    ("CALC_ACRES", "REAL"),
)


@dataclass(frozen=True)
class Lots:
    """Which lots a county has, arrays parallel: block east and north of the middle, row in block, lot in row."""

    block_east: NDArray[np.int64]
    block_north: NDArray[np.int64]
    row: NDArray[np.int64]
    lot: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.lot)


def county(folder: Path, size: int) -> Path:
    """The folder of a county of `size` parcels, made where it is not there yet, with all that an analysis needs."""
    target = folder / f"{size}"
    stamp = target / "made.json"
    made = {"generator": GENERATOR, "seed": SEED, "parcels": size}
    if stamp.is_file() and json.loads(stamp.read_text(encoding="utf-8")) == made:
        return target
    target.mkdir(parents=True, exist_ok=True)
    stamp.unlink(missing_ok=True)
    gdal.UseExceptions()
    lots = choose_lots(size)
    shapes = shapely.polygons(outlines(lots))
    columns = attributes(lots, shapely.area(shapes))
    _write_parcels(target / "parcels.gpkg", shapes, columns)
    territory = make_territory(size)
    _write_small(target / "territory.gpkg", "territory", [({"name": "Juniper"}, territory)])
    _write_small(
        target / "towns.gpkg",
        "towns",
        [({"NAME": name, "SWIS": swis}, shape) for (name, swis, _), shape in zip(TOWNS, _towns(size))],
    )
    rates = [f"{swis},{name},{rate},2022,2022-07-01,state,invented" for name, swis, rate in TOWNS]
    _write_lines(target / "rates.csv", ["swis,town,rate,roll_year,final_roll_filed,kind,source", *rates])
    _write_lines(target / "signers.csv", _signers(shapes, columns, territory))
    stamp.write_text(json.dumps(made), encoding="utf-8")
    return target


def choose_lots(size: int) -> Lots:
    """`size` lots in blocks about the middle, the county about as wide as it is high; the last block may be in part."""
    blocks = math.ceil(size / LOTS_A_BLOCK)
    across = max(1, round(math.sqrt(blocks * BLOCK_DEPTH / BLOCK_WIDTH)))
    up = math.ceil(blocks / across)
    index = np.arange(size)
    block, within = np.divmod(index, LOTS_A_BLOCK)
    north, east = np.divmod(block, across)
    row, lot = np.divmod(within, LOTS_A_ROW)
    return Lots(east - across // 2, north - up // 2, row, lot)


def outlines(lots: Lots) -> NDArray[np.float64]:
    """The rings of the lots, (lots, 9, 2) feet."""
    rings = np.empty((len(lots), len(OUTLINE), 2))
    for at, (east, north) in enumerate(OUTLINE):
        rings[:, at] = _nodes(lots.block_east, lots.block_north, 2 * lots.lot + east, 2 * lots.row + north)
    return rings


def _nodes(
    block_east: NDArray[np.int64], block_north: NDArray[np.int64], east: NDArray[np.int64], north: NDArray[np.int64]
) -> NDArray[np.float64]:
    """A block's nodes, half a lot apart: where they would stand, moved by a chance that hangs on the node alone."""
    name = ((block_east * 1_000_003 + block_north) * 1_009 + east) * 1_013 + north
    corner = (east % 2 == 0) & (north % 2 == 0)
    reach = np.where(corner, CORNER_JITTER, MIDDLE_JITTER)
    x = block_east * BLOCK_WIDTH + STREET / 2 + east * LOT_WIDTH / 2 + reach * (2 * chance(name, 1) - 1)
    y = block_north * BLOCK_DEPTH + STREET / 2 + north * LOT_DEPTH / 2 + reach * (2 * chance(name, 2) - 1)
    return np.round(np.column_stack([x + ORIGIN[0], y + ORIGIN[1]]), 2)


def chance(name: NDArray[np.int64], stream: int) -> NDArray[np.float64]:
    """Numbers in [0, 1) that hang on `name` and `stream` only (splitmix64)."""
    with np.errstate(over="ignore"):
        x = name.astype(np.uint64) + np.uint64(SEED * 0x9E3779B9) + np.uint64(stream) * np.uint64(0x9E3779B97F4A7C15)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        x = x ^ (x >> np.uint64(31))
    return (x >> np.uint64(11)).astype(np.float64) / float(1 << 53)


def attributes(lots: Lots, areas: NDArray[np.float64]) -> dict[str, list[object]]:
    """The fields of the parcels; two rows in three have a second owner, one in fifteen no building."""
    size = len(lots)
    within = lots.row * LOTS_A_ROW + lots.lot
    name = (lots.block_east * 1_000_003 + lots.block_north) * 1_009 + within
    town = (lots.block_east >= 0).astype(int)
    level = np.array([float(rate) / 100 for _, _, rate in TOWNS])[town]
    land = (20_000 + 30_000 * chance(name, 3)) * level // 100 * 100
    vacant = chance(name, 4) < 1 / 15
    total = land + np.where(vacant, 0, (90_000 + 200_000 * chance(name, 5)) * level // 100 * 100)
    acres = np.round(areas / 43_560, 4)
    exempt = chance(name, 6) < 0.02
    surname = (chance(name, 7) * len(SURNAMES)).astype(int)
    given = (chance(name, 8) * len(GIVEN)).astype(int)
    second = chance(name, 9) < 2 / 3
    east, north = lots.block_east + 5_000, lots.block_north + 5_000
    triples = list(zip(east.tolist(), north.tolist(), within.tolist()))
    owners = [f"{SURNAMES[s]} {GIVEN[g]} {e}.{n}.{w}" for s, g, (e, n, w) in zip(surname, given, triples)]
    return {
        "COUNTY_NAME": ["Orchard"] * size,
        "MUNI_NAME": [TOWNS[t][0] for t in town],
        "SWIS": [TOWNS[t][1] for t in town],
        "PARCEL_ADDR": [f"{100 + 2 * w} BLOCK {e} ST" for e, _, w in triples],
        "PRINT_KEY": [f"{e}.00-{n}-{w + 1}" for e, n, w in triples],
        "SBL": [f"{e:06d}{n:04d}{w + 1:03d}0000000" for e, n, w in triples],
        "CITYTOWN_NAME": [TOWNS[t][0] for t in town],
        "CITYTOWN_SWIS": [TOWNS[t][1] for t in town],
        "PROP_CLASS": np.where(exempt, "620", np.where(vacant, "311", "210")).tolist(),
        "ROLL_SECTION": np.where(exempt, "8", "1").tolist(),
        "LAND_AV": land.tolist(),
        "TOTAL_AV": total.tolist(),
        "FULL_MARKET_VAL": np.round(total / level).tolist(),
        "ACRES": np.round(acres, 2).tolist(),
        "ROLL_YR": [2022] * size,
        "SPATIAL_YR": [2022] * size,
        "PRIMARY_OWNER": owners,
        "ADD_OWNER": [f"{owner} B" if two else None for owner, two in zip(owners, second)],
        "CALC_ACRES": acres.tolist(),
    }


def make_territory(size: int) -> shapely.Polygon:
    """A boundary of 4,000 vertices about the middle, around a tenth of the ground of a county of `size`.

    Where a winding line all around would cut more than one parcel in two hundred, it keeps to the streets on the
    other side of the circle, as real boundaries do.
    """
    winding = _winding(size)
    free = min(1.0, CUT_PART * size / (WINDING_CUTS * math.sqrt(size)))
    if free < 1:
        reach = 4 * math.sqrt(winding.area)
        sweep = np.linspace(0, 2 * np.pi * free, 33)
        fan = shapely.Polygon(
            [ORIGIN, *((ORIGIN[0] + reach * math.cos(a), ORIGIN[1] + reach * math.sin(a)) for a in sweep)]
        )
        winding = shapely.union(
            shapely.intersection(winding, fan.buffer(STREET)), shapely.difference(_whole_blocks(winding), fan)
        )
        winding = max(shapely.get_parts(winding), key=shapely.area)
    return shapely.Polygon(_with_vertices(shapely.get_coordinates(winding.exterior), TERRITORY_VERTICES))


def _winding(size: int) -> shapely.Polygon:
    angle = np.arange(TERRITORY_VERTICES // 2) * (4 * np.pi / TERRITORY_VERTICES)
    radius = np.ones(len(angle))
    for waves, height, phase in (
        (3, 0.16, 0.7),
        (7, 0.07, 2.1),
        (23, 0.03, 4.0),
        (61, 0.012 if size <= 100_000 else 0.026, 1.2),
    ):
        radius += height * np.cos(waves * angle + phase)
    ground = TERRITORY_PART * size * BLOCK_WIDTH * BLOCK_DEPTH / LOTS_A_BLOCK
    measure = 0.5 * math.sin(angle[1]) * float(np.sum(radius * np.roll(radius, -1)))
    radius *= math.sqrt(ground / measure)
    return shapely.Polygon(np.column_stack([ORIGIN[0] + radius * np.cos(angle), ORIGIN[1] + radius * np.sin(angle)]))


def _whole_blocks(ground: shapely.Polygon) -> shapely.Geometry:
    """The blocks whose middle is in `ground`, to the middle of the streets about them."""
    left, bottom, right, top = ground.bounds
    east, north = np.meshgrid(
        np.arange(math.floor((left - ORIGIN[0]) / BLOCK_WIDTH), math.ceil((right - ORIGIN[0]) / BLOCK_WIDTH)),
        np.arange(math.floor((bottom - ORIGIN[1]) / BLOCK_DEPTH), math.ceil((top - ORIGIN[1]) / BLOCK_DEPTH)),
    )
    west, south = ORIGIN[0] + east.ravel() * BLOCK_WIDTH, ORIGIN[1] + north.ravel() * BLOCK_DEPTH
    blocks = shapely.box(west, south, west + BLOCK_WIDTH, south + BLOCK_DEPTH)
    return shapely.union_all(blocks[shapely.contains_xy(ground, west + BLOCK_WIDTH / 2, south + BLOCK_DEPTH / 2)])


def _with_vertices(ring: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """A ring with `count` vertices: the longest edges are halved until there are as many."""
    while len(ring) - 1 < count:
        edges = np.hypot(*np.diff(ring, axis=0).T)
        longest = np.sort(np.argsort(-edges, kind="stable")[: min(count + 1 - len(ring), max(1, len(edges) // 4))])
        ring = np.insert(ring, longest + 1, (ring[longest] + ring[longest + 1]) / 2, axis=0)
    return ring


def _towns(size: int) -> tuple[shapely.Polygon, shapely.Polygon]:
    """Two towns that meet in the middle of the street west of block 0 and reach beyond every lot."""
    reach = 2 * math.sqrt(size * BLOCK_WIDTH * BLOCK_DEPTH / LOTS_A_BLOCK)
    x, y = ORIGIN
    return shapely.box(x - reach, y - reach, x, y + reach), shapely.box(x, y - reach, x + reach, y + reach)


def _signers(shapes: NDArray[np.object_], columns: dict[str, list[object]], territory: shapely.Polygon) -> list[str]:
    """Six of ten first owners in the territory sign, ten lines on a page."""
    shapely.prepare(territory)
    inside = np.flatnonzero(shapely.contains(territory, shapely.centroid(shapes)))
    lines = ["page,line,name,address,town,date"]
    for index in inside[inside % 10 < SIGNED_IN_TEN]:
        at = len(lines) - 1
        address, town = columns["PARCEL_ADDR"][index], columns["MUNI_NAME"][index]
        lines.append(f"{at // 10 + 1},{at % 10 + 1},{columns['PRIMARY_OWNER'][index]},{address},{town},2023-05-15")
    return lines


def _write_lines(path: Path, lines: list[str]) -> None:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _write_small(path: Path, name: str, features: list[tuple[dict[str, str], shapely.Polygon]]) -> None:
    path.unlink(missing_ok=True)
    dataset = gdal.GetDriverByName("GPKG").Create(str(path), 0, 0, 0, gdal.GDT_Unknown, ["VERSION=1.2"])
    layer = dataset.CreateLayer(name, _srs(), ogr.wkbPolygon)
    for field in features[0][0]:
        layer.CreateField(ogr.FieldDefn(field, ogr.OFTString))
    for values, shape in features:
        feature = ogr.Feature(layer.GetLayerDefn())
        for field, value in values.items():
            feature.SetField(field, value)
        feature.SetGeometry(ogr.CreateGeometryFromWkb(shapely.to_wkb(shape)))
        layer.CreateFeature(feature)


def _write_parcels(path: Path, shapes: NDArray[np.object_], columns: dict[str, list[object]]) -> None:
    """The parcels, rows put in by SQLite in one go and indexed by OGR afterwards: OGR's own loop takes minutes."""
    path.unlink(missing_ok=True)
    dataset = gdal.GetDriverByName("GPKG").Create(str(path), 0, 0, 0, gdal.GDT_Unknown, ["VERSION=1.2"])
    layer = dataset.CreateLayer("parcels", _srs(), ogr.wkbPolygon, ["SPATIAL_INDEX=NO"])
    kinds = {"TEXT": ogr.OFTString, "REAL": ogr.OFTReal, "INTEGER": ogr.OFTInteger64}
    for field, kind in FIELDS:
        layer.CreateField(ogr.FieldDefn(field, kinds[kind]))
    layer = dataset = None
    names = ", ".join(field for field, _ in FIELDS)
    marks = ", ".join("?" for _ in FIELDS)
    rows = zip(_blobs(shapes), *(columns[field] for field, _ in FIELDS))
    connection = sqlite3.connect(path)
    with connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.executemany(f"INSERT INTO parcels (geom, {names}) VALUES (?, {marks})", rows)
        left, bottom, right, top = shapely.total_bounds(shapes).tolist()
        connection.execute("UPDATE gpkg_contents SET min_x=?, min_y=?, max_x=?, max_y=?", (left, bottom, right, top))
    connection.close()
    dataset = gdal.OpenEx(str(path), gdal.OF_VECTOR | gdal.OF_UPDATE)
    dataset.ExecuteSQL("SELECT CreateSpatialIndex('parcels', 'geom')")
    dataset = None


def _blobs(shapes: NDArray[np.object_]) -> list[bytes]:
    """GeoPackage's binary form: its header with the envelope, then WKB."""
    srs_id = int(CRS.partition(":")[2])
    bounds = shapely.bounds(shapes)[:, [0, 2, 1, 3]].astype("<f8")
    head = b"GP\x00\x03" + srs_id.to_bytes(4, "little")
    return [head + box.tobytes() + wkb for box, wkb in zip(bounds, shapely.to_wkb(shapes, byte_order=1))]


def _srs() -> osr.SpatialReference:
    srs = osr.SpatialReference()
    srs.SetFromUserInput(CRS)
    return srs
