"""Parcels by rows: the same answers from GeoPackage, shapefile, GeoJSON and memory, and nothing lost."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Optional

import numpy as np
import pytest
import shapely
from osgeo import gdal, ogr

from village_petition.core import parcel_source, vector
from village_petition.core.columns import money_column, swis_column, text_column
from village_petition.core.model import InputError, ParcelSource
from village_petition.core.parcel_source import FileParcels, MemoryParcels, open_parcels

DRIVERS = {"GPKG": "p.gpkg", "ESRI Shapefile": "p.shp", "GeoJSON": "p.geojson"}
Cells = Sequence[tuple[Optional[str], Optional[float], Any]]


def cells_of(count: int) -> list[tuple[Optional[str], Optional[float], Any]]:
    """Boxes in a row, ten wide; every 7th row has no text, every 5th no number, every 11th no shape."""
    return [
        (
            None if row % 7 == 3 else f"12.-1-{row}",
            None if row % 5 == 2 else row * 100.0,
            None if row % 11 == 4 else shapely.box(row * 10, 0, row * 10 + 10, 10),
        )
        for row in range(count)
    ]


def write(path: Path, cells: Cells, driver: str, options: Sequence[str] = ()) -> Path:
    gdal.PushErrorHandler("CPLQuietErrorHandler")
    dataset = ogr.GetDriverByName(driver).CreateDataSource(str(path))
    layer = dataset.CreateLayer("p", None, ogr.wkbPolygon, list(options))
    layer.CreateField(ogr.FieldDefn("SBL", ogr.OFTString))
    layer.CreateField(ogr.FieldDefn("TOTAL_AV", ogr.OFTReal))
    for text, number, shape in cells:
        feature = ogr.Feature(layer.GetLayerDefn())
        if text is not None:
            feature.SetField("SBL", text)
        if number is not None:
            feature.SetField("TOTAL_AV", number)
        if shape is not None:
            feature.SetGeometry(ogr.CreateGeometryFromWkb(shapely.to_wkb(shape)))
        layer.CreateFeature(feature)
    del layer, dataset
    gdal.PopErrorHandler()
    return path


def memory(cells: Cells) -> MemoryParcels:
    geometry = np.empty(len(cells), dtype=object)
    geometry[:] = [shape for _, _, shape in cells]
    numbers = [number for _, number, _ in cells]
    columns = {
        "SBL": np.array([text for text, _, _ in cells], dtype=object),
        "TOTAL_AV": np.ma.MaskedArray(
            [0.0 if number is None else number for number in numbers], [number is None for number in numbers]
        ),
    }
    return MemoryParcels("p", "EPSG:2262", columns, geometry)


@pytest.fixture(params=[*DRIVERS, "one thread", "by feature", "memory"])
def source(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ParcelSource:
    """120 rows from every kind of source; "by feature" and "one thread" are ways for other GDALs."""
    cells = cells_of(120)
    if request.param == "memory":
        return memory(cells)
    driver = "GPKG" if request.param in ("one thread", "by feature") else request.param
    if request.param == "one thread":
        monkeypatch.setattr(gdal, "VersionInfo", lambda *_: str(vector.RACING_FROM))
    if request.param == "by feature":
        monkeypatch.delattr(ogr.Layer, "GetArrowStreamAsNumPy")
    return open_parcels(str(write(tmp_path / DRIVERS[driver], cells, driver)))


def told(columns: dict[str, Any]) -> list[tuple[str, int, int]]:
    dollars, states = money_column(columns["TOTAL_AV"])
    return list(zip(text_column(columns["SBL"]).tolist(), dollars.tolist(), states.tolist()))


def expected(rows: Sequence[int]) -> list[tuple[str, int, int]]:
    cells = cells_of(120)
    return [(cells[row][0] or "", int(cells[row][1] or 0), 1 if cells[row][1] is None else 0) for row in rows]


def test_all_rows(source: ParcelSource) -> None:
    assert told(source.columns(["SBL", "TOTAL_AV"])) == expected(range(120))
    assert len(source) == 120
    assert tuple(source.names) == ("SBL", "TOTAL_AV")


@pytest.mark.parametrize("rows", [[5], [3, 2, 119, 2], list(range(119, -1, -1)), []])
def test_some_rows_in_the_order_asked(source: ParcelSource, rows: list[int]) -> None:
    assert told(source.columns(["SBL", "TOTAL_AV"], np.array(rows, dtype=np.int64))) == expected(rows)


def test_shapes_in_a_box(source: ParcelSource) -> None:
    rows, shapes = source.shapes(box=(195.0, 2.0, 275.0, 4.0))
    # Row 26 has no shape; a box read by an index may bring a neighbour more.
    assert [row for row in rows.tolist() if 19 <= row <= 27] == [19, 20, 21, 22, 23, 24, 25, 27]
    assert rows.tolist() == sorted(set(rows.tolist()))
    assert [shape.bounds for shape in shapes] == [(row * 10.0, 0.0, row * 10 + 10.0, 10.0) for row in rows.tolist()]
    assert len(source.shapes(box=(0.0, 500.0, 9000.0, 600.0))[0]) == 0


@pytest.mark.parametrize("rows", [[7], [90, 4, 7, 7], list(range(120))])
def test_shapes_of_rows(source: ParcelSource, rows: list[int]) -> None:
    found, shapes = source.shapes(rows=np.array(rows, dtype=np.int64))
    assert found.tolist() == sorted(set(rows))
    assert [None if shape is None else shape.bounds[0] / 10 for shape in shapes] == [
        None if row % 11 == 4 else row for row in found.tolist()
    ]


def test_shapes_of_rows_beside_those_in_a_box(source: ParcelSource) -> None:
    rows, _ = source.shapes(box=(2.0, 2.0, 3.0, 3.0), rows=np.array([60]))
    assert {0, 60} <= set(rows.tolist()) <= {0, 1, 60}


def test_no_box_and_no_rows_means_all_that_have_a_shape(source: ParcelSource) -> None:
    assert source.shapes()[0].tolist() == [row for row in range(120) if row % 11 != 4]


def test_shapeless_rows(source: ParcelSource) -> None:
    assert source.shapeless().tolist() == [row for row in range(120) if row % 11 == 4]


def test_no_rows_at_all(tmp_path: Path) -> None:
    for driver in ("GPKG", "ESRI Shapefile"):
        empty = open_parcels(str(write(tmp_path / DRIVERS[driver], [], driver)))
        assert len(empty) == 0
        assert empty.shapes(box=(0, 0, 1, 1))[0].tolist() == empty.shapeless().tolist() == []
        assert empty.columns(["SBL"])["SBL"].tolist() == []


def test_empty_shapes_are_no_shapes(tmp_path: Path) -> None:
    path = write(tmp_path / "p.gpkg", [("a", 1.0, shapely.Polygon()), ("b", 1.0, shapely.box(0, 0, 1, 1))], "GPKG")
    source = open_parcels(str(path))
    assert source.shapeless().tolist() == [0]
    assert source.shapes(box=(-9, -9, 9, 9))[0].tolist() == [1]


@pytest.mark.parametrize("first", ["columns", "shapes", "shapeless", "len"])
def test_rows_are_numbered_by_id_whatever_is_asked_first(tmp_path: Path, first: str) -> None:
    path = write(tmp_path / "p.gpkg", cells_of(30), "GPKG")
    database = sqlite3.connect(path)
    for trigger in ("rtree_p_geom_delete", "trigger_delete_feature_count_p"):
        database.execute(f"DROP TRIGGER IF EXISTS {trigger}")
    database.execute("DELETE FROM p WHERE fid IN (1, 2, 10)")
    database.execute("DELETE FROM rtree_p_geom WHERE id IN (1, 2, 10)")
    database.commit()
    database.close()
    source = open_parcels(str(path))
    {
        "columns": lambda: source.columns(["SBL"]),
        "shapes": lambda: source.shapes(box=(0, 0, 100, 10)),
        "shapeless": source.shapeless,
        "len": lambda: len(source),
    }[first]()
    left = [row for row in range(30) if row not in (0, 1, 9)]
    assert len(source) == 27
    assert source.columns(["TOTAL_AV"])["TOTAL_AV"].tolist() == [cells_of(30)[row][1] for row in left]
    rows, shapes = source.shapes(box=(22.0, 1.0, 28.0, 9.0))
    assert rows.tolist() == [0]
    assert shapes[0].bounds == (20, 0, 30, 10)
    assert text_column(source.columns(["SBL"], np.array([8, 0]))["SBL"]).tolist() == ["12.-1-11", "12.-1-2"]
    assert source.shapeless().tolist() == [left.index(row) for row in (4, 15, 26)]


def test_an_index_that_lacks_a_shape_is_not_trusted(tmp_path: Path) -> None:
    path = write(tmp_path / "p.gpkg", cells_of(30), "GPKG")
    database = sqlite3.connect(path)
    database.execute("DELETE FROM rtree_p_geom WHERE id = 3")
    database.commit()
    database.close()
    source = open_parcels(str(path))
    assert source.shapes(box=(22.0, 1.0, 28.0, 9.0))[0].tolist() == [2]
    assert source.shapeless().tolist() == [4, 15, 26]


def test_a_geopackage_without_an_index(tmp_path: Path) -> None:
    source = open_parcels(str(write(tmp_path / "p.gpkg", cells_of(30), "GPKG", ["SPATIAL_INDEX=NO"])))
    assert source.shapes(box=(22.0, 1.0, 28.0, 9.0))[0].tolist() == [2]
    assert source.shapeless().tolist() == [4, 15, 26]


def test_many_rows_are_asked_for_in_several_queries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parcel_source, "CHUNK", 3)
    source = open_parcels(str(write(tmp_path / "p.gpkg", cells_of(120), "GPKG")))
    rows = np.array([100, 3, 50, 7, 9, 11, 60])
    assert told(source.columns(["SBL", "TOTAL_AV"], rows)) == expected(rows.tolist())
    assert source.shapes(rows=rows)[0].tolist() == [3, 7, 9, 11, 50, 60, 100]


def test_few_rows_do_not_read_the_file_through(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = open_parcels(str(write(tmp_path / "p.gpkg", cells_of(120), "GPKG")))
    len(source)
    read: list[int] = []
    batches = vector.VectorFile.batches

    def counted(self: Any, *arguments: Any, **options: Any) -> Any:
        found = batches(self, *arguments, **options)
        read.extend(len(batch.fids) for batch in found)
        return found

    monkeypatch.setattr(vector.VectorFile, "batches", counted)
    source.columns(["SBL"], np.array([3, 4]))
    source.shapes(rows=np.array([3]))
    source.shapes(box=(22.0, 1.0, 28.0, 9.0))
    source.shapeless()
    assert sum(read) < 60


def test_a_count_that_a_file_remembers_wrongly_is_no_damage(tmp_path: Path) -> None:
    path = write(tmp_path / "p.gpkg", cells_of(30), "GPKG")
    database = sqlite3.connect(path)
    database.execute("UPDATE gpkg_ogr_contents SET feature_count = 77")
    database.commit()
    database.close()
    assert len(open_parcels(str(path))) == 30


def test_rows_that_cannot_be_read_are_never_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = FileParcels(str(write(tmp_path / "p.gpkg", cells_of(30), "GPKG")))
    batches = vector.VectorFile.batches

    def fewer(self: Any, *arguments: Any, **options: Any) -> Any:
        return [vector.Batch(each.fids[:-1], {}, None) for each in batches(self, *arguments, **options)]

    monkeypatch.setattr(vector.VectorFile, "batches", fewer)
    with pytest.raises(InputError, match=r"^p.gpkg is damaged: 29 of 30 rows can be read. Get a fresh copy of it.$"):
        len(source)


def test_columns_of_several_widths_and_gaps_join(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # More rows than one batch holds; only the second has a missing cell and a longer text.
    count = 66000
    cells = [(f"{row}", 1.0, None) for row in range(count - 1)] + [("a longer text at the end", None, None)]
    source = open_parcels(str(write(tmp_path / "p.gpkg", cells, "GPKG")))
    columns = source.columns(["SBL", "TOTAL_AV"])
    assert text_column(columns["SBL"][-2:]).tolist() == [str(count - 2), "a longer text at the end"]
    assert money_column(columns["TOTAL_AV"])[1].sum() == 1
    assert len(source.shapeless()) == count


@pytest.mark.parametrize(
    ("version", "plain"), [("3060200", None), ("3070000", "YES"), ("3110300", "YES"), ("3110400", None)]
)
def test_a_gdal_whose_thread_races_reads_filtered_layers_without_it(
    version: str, plain: Optional[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gdal, "VersionInfo", lambda *_: version)
    path = write(tmp_path / "p.gpkg", [(f"{row}", float(row), None) for row in range(40)], "GPKG")
    file = vector.VectorFile(str(path))
    seen: list[Optional[str]] = []

    def fids(**chosen: Any) -> list[int]:
        def turn(batch: Any) -> list[int]:
            seen.append(gdal.GetThreadLocalConfigOption("OGR_GPKG_STREAM_BASE_IMPL", None))
            return batch.fids.tolist()

        return [fid for batch in file.batches((), turn=turn, **chosen) for fid in batch]

    assert fids() == list(range(1, 41))
    assert fids(where="TOTAL_AV < 3") == [1, 2, 3]
    assert seen == [None, plain]
    assert gdal.GetThreadLocalConfigOption("OGR_GPKG_STREAM_BASE_IMPL", None) is None


def test_real_county_layers(shared: Path) -> None:
    source = open_parcels(str(shared / "data/nys_tompkins_parcels/ulysses_4_parcels.gpkg"))
    assert (source.source, source.crs, len(source)) == ("ulysses_4_parcels.gpkg", "EPSG:3857", 4)
    columns = source.columns(["SWIS", "ASMT", "ROLLYEAR"])
    assert swis_column(columns["SWIS"]).tolist() == ["503689"] * 4
    assert money_column(columns["ASMT"])[0].tolist() == [185000, 1200000, 163000, 10000]
    source = open_parcels(str(shared / "data/nys_albany_rps_parcels/albany_rps_2011.gpkg"))
    assert (source.crs, len(source)) == ("EPSG:4326", 20)
    assert set(text_column(source.columns(["roll_yr"])["roll_yr"])) == {"2011"}
    lakeshore = open_parcels(str(shared / "data/lakeshore/parcels.gpkg"))
    assert (len(lakeshore), lakeshore.crs) == (2485, "EPSG:2262")
    assert (money_column(lakeshore.columns(["TOTAL_AV"])["TOTAL_AV"])[1] == 1).sum() == 2
