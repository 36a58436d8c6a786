"""Makes the sample case in `sample/`: run `.venv/bin/python scripts/make_sample.py` and commit what it writes.

The same seed gives the same case. With `--project` the QGIS project beside it is made too.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import random
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import shapely
from osgeo import gdal, ogr, osr
from sample_land import ALDER, BIRCH, CEDAR, CRS, TOWN_SWIS, Land, make_land
from sample_people import FILED, UNMAPPED, choose_signers, make_lines, make_petition, make_residents
from sample_roll import (
    RATES,
    ROLL_YEAR,
    SQUARE_FEET_AN_ACRE,
    Building,
    Names,
    RollRow,
    dollars_inside,
    make_buildings,
    make_roll,
)

SEED = 2202
SAMPLE = Path(__file__).resolve().parent.parent / "sample"
CONFIRMED, OVERRIDDEN = "4.00-1-1", "3.00-1-1"
OVERRIDE_DOLLARS, OVERRIDE_REASON = 21_500, "barn and yard appraised on their own; the house stands outside"

Rows = Sequence[Mapping[str, Any]]


def make_case() -> tuple[dict[str, list[tuple[dict[str, Any], Any]]], dict[str, Rows], dict[str, object]]:
    """The layers (attributes and shape of each feature), the tables and the petition."""
    rng = random.Random(SEED)
    land = make_land(rng)
    names = Names(rng)
    roll = make_roll(land, names, rng)
    buildings = make_buildings(roll, {lot.key: lot for lot in land.lots})
    inside = {row.print_key: dollars_inside(row, land.territory, buildings) for row in roll}
    confirmed = inside[CONFIRMED]
    total = {row.print_key: row.total for row in roll}
    inside[OVERRIDDEN] = OVERRIDE_DOLLARS
    met = [row for row in roll if row.town != CEDAR and (inside[row.print_key] or row.roll_section == "8")]
    housed = {b.print_key for b in buildings if land.territory.covers(b.shape)} | {
        row.print_key for row in roll if "/" in row.print_key
    }
    homes = make_residents([row for row in met if row.print_key in housed], names, rng)
    empty = {key for key in housed if 0 < inside[key] < total[key]} - {CONFIRMED}
    residents = [person for person in homes if person.row.print_key not in empty]
    signers = choose_signers(met, inside, rng)
    addresses = {name: (row.address, row.town) for row in met for name in row.owners}
    lines = make_lines(signers, addresses, names, rng)
    lead = sorted(TOWN_SWIS, key=lambda town: -shapely.intersection(land.towns[town], land.territory).area)
    petition = make_petition(lines, residents, [TOWN_SWIS[town] for town in lead], rng)
    yes_no = ("no", "yes")
    earned = set(signers) - {line.name for line in lines if not line.address}
    tables: dict[str, Rows] = {
        "rates": [
            {
                "swis": TOWN_SWIS[town],
                "town": town,
                "rate": RATES[town],
                "roll_year": ROLL_YEAR,
                "final_roll_filed": "2022-07-01",
                "kind": "state",
                "source": "invented",
            }
            for town in (ALDER, BIRCH)
        ],
        "owners": [
            {"swis": row.swis, "print_key": row.print_key, "owner": name}
            for row in roll
            if row.town != CEDAR
            for name in row.owners
        ],
        "signers": [vars(line) for line in lines],
        "inhabitants": [
            {"name": p.name, "address": p.address, "town": p.row.town, "swis": p.row.swis, "print_key": p.row.print_key}
            | {
                "adult": yes_no[p.adult],
                "qualified": p.qualified,
                "signed": yes_no[p.name in earned and p.qualified == "yes"],
            }
            for p in residents
        ],
        "roll_without_polygon": [UNMAPPED],
        "overrides": [
            {
                "swis": "990100",
                "print_key": CONFIRMED,
                "inside_value": confirmed,
                "reason": "as computed",
                "by": "Assessor of Alder",
                "date": "2023-05-31",
            },
            {
                "swis": "990100",
                "print_key": OVERRIDDEN,
                "inside_value": OVERRIDE_DOLLARS,
                "reason": OVERRIDE_REASON,
                "by": "Assessor of Alder",
                "date": "2023-05-31",
            },
        ],
    }
    return _layers(land, roll, buildings), tables, petition


def _layers(
    land: Land, roll: Sequence[RollRow], buildings: Sequence[Building]
) -> dict[str, list[tuple[dict[str, Any], Any]]]:
    multi = lambda polygon: shapely.MultiPolygon([polygon])  # noqa: E731
    return {
        "parcels": [(_attributes(row), row.shape) for row in roll],
        "towns": [({"NAME": town, "SWIS": TOWN_SWIS[town]}, multi(land.towns[town])) for town in (ALDER, BIRCH)],
        "territory": [({"name": "Juniper"}, land.territory)],
        "buildings": [({"swis": b.swis, "print_key": b.print_key}, b.shape) for b in buildings],
        "cities_villages": [({"SWIS": "990201", "KIND": "Village", "NAME": CEDAR}, multi(land.village))],
        "streets": [({"NAME": name}, line) for name, line in land.streets],
        "waters": [({"waterway": "river", "name": "Juniper Creek"}, land.creek)],
    }


def _attributes(row: RollRow) -> dict[str, Any]:
    """A parcel's fields in the order and with the names of the public schema of New York."""
    acres = row.shape.area / SQUARE_FEET_AN_ACRE
    owners = (*row.owners, None)
    return {
        "COUNTY_NAME": "Orchard",
        "MUNI_NAME": row.town,
        "SWIS": row.swis,
        "PARCEL_ADDR": row.address,
        "PRINT_KEY": row.print_key,
        "SBL": row.sbl,
        "CITYTOWN_NAME": row.town_row,
        "CITYTOWN_SWIS": TOWN_SWIS[row.town_row],
        "PROP_CLASS": row.prop_class,
        "ROLL_SECTION": row.roll_section,
        "LAND_AV": float(row.land),
        "TOTAL_AV": float(row.total),
        "FULL_MARKET_VAL": float(round(row.total * 100 / float(RATES[row.town]))),
        "ACRES": round(acres, 2),
        "ROLL_YR": ROLL_YEAR,
        "SPATIAL_YR": ROLL_YEAR,
        "PRIMARY_OWNER": owners[0],
        "ADD_OWNER": owners[1],
        "CALC_ACRES": round(acres, 4),
    }


def write_layer(path: Path, name: str, features: Sequence[tuple[Mapping[str, Any], Any]], indexed: bool) -> None:
    """One GeoPackage of one layer, in the version that QGIS 3.22 writes itself."""
    path.unlink(missing_ok=True)
    driver = gdal.GetDriverByName("GPKG")
    dataset = driver.Create(str(path), 0, 0, 0, gdal.GDT_Unknown, ["VERSION=1.2"])
    srs = osr.SpatialReference()
    srs.SetFromUserInput(CRS)
    kind = {"Polygon": ogr.wkbPolygon, "MultiPolygon": ogr.wkbMultiPolygon, "LineString": ogr.wkbLineString}[
        features[0][1].geom_type
    ]
    layer = dataset.CreateLayer(name, srs, kind, [f"SPATIAL_INDEX={'YES' if indexed else 'NO'}"])
    types = {str: ogr.OFTString, float: ogr.OFTReal, int: ogr.OFTInteger64, type(None): ogr.OFTString}
    for field, value in features[0][0].items():
        layer.CreateField(ogr.FieldDefn(field, types[type(value)]))
    layer.StartTransaction()
    for attributes, shape in features:
        feature = ogr.Feature(layer.GetLayerDefn())
        for field, value in attributes.items():
            if value is not None:
                feature.SetField(field, value)
        feature.SetGeometry(ogr.CreateGeometryFromWkb(shapely.to_wkb(shape)))
        layer.CreateFeature(feature)
    layer.CommitTransaction()


def write_case(folder: Path) -> None:
    """Everything but the project and the README, into an existing folder."""
    gdal.UseExceptions()
    gdal.SetConfigOption("OGR_CURRENT_DATE", f"{FILED}T00:00:00.000Z")
    layers, tables, petition = make_case()
    for name, features in layers.items():
        write_layer(folder / f"{name}.gpkg", name, features, indexed=name in ("parcels", "buildings"))
    for name, rows in tables.items():
        with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as stream:
            writer = csv.DictWriter(stream, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    text = json.dumps(petition, indent=1, ensure_ascii=False)
    (folder / "petition.json").write_text(text + "\n", encoding="utf-8")


def main() -> None:
    """Writes the case, and the project where that is asked for."""
    parser = argparse.ArgumentParser(description="Makes the sample case of the project.")
    parser.add_argument("--project", action="store_true", help="make sample.qgz too (needs QGIS)")
    options = parser.parse_args()
    SAMPLE.mkdir(exist_ok=True)
    write_case(SAMPLE)
    if options.project:
        # Before any Qt is loaded: no screen is needed, and attributes come out in the same order each time.
        os.environ.update(QT_QPA_PLATFORM="offscreen", QT_HASH_SEED="0")
        from sample_project import write_project

        write_project(SAMPLE)


if __name__ == "__main__":
    main()
