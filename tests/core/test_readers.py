"""Files in: tables, small layers, the petition; and every way in which a file cannot be used."""

from __future__ import annotations

import gc
import hashlib
import os
import shutil
import sqlite3
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest
import shapely
from osgeo import gdal, ogr, osr

from village_petition.core import vector
from village_petition.core.model import InputError
from village_petition.core.readers import read_layer, read_petition, read_table, several

SQUARE = shapely.box(0, 0, 10, 10)


def make_layer(path: Path, layer: str = "towns", driver: str = "GPKG", epsg: int = 2262, rows: int = 2) -> Path:
    """A file with one more layer: NAME text, POP whole number, AREA double, one square a row."""
    gdal.PushErrorHandler("CPLQuietErrorHandler")
    if path.exists():
        dataset = gdal.OpenEx(str(path), gdal.OF_VECTOR | gdal.OF_UPDATE)
    else:
        dataset = ogr.GetDriverByName(driver).CreateDataSource(str(path))
    reference = None
    if epsg:
        reference = osr.SpatialReference()
        reference.ImportFromEPSG(epsg)
    made = dataset.CreateLayer(layer, reference, ogr.wkbPolygon)
    for name, kind in (("NAME", ogr.OFTString), ("POP", ogr.OFTInteger), ("AREA", ogr.OFTReal)):
        made.CreateField(ogr.FieldDefn(name, kind))
    for row in range(rows):
        feature = ogr.Feature(made.GetLayerDefn())
        feature.SetField("NAME", f"Town {row}")
        feature.SetField("POP", row)
        feature.SetField("AREA", row + 0.5)
        feature.SetGeometry(ogr.CreateGeometryFromWkb(shapely.to_wkb(SQUARE)))
        made.CreateFeature(feature)
    del made, dataset
    gdal.PopErrorHandler()
    return path


def refusal(spec: object, role: str = "towns") -> str:
    with pytest.raises(InputError) as refused:
        read_layer(str(spec), role)
    assert len(refused.value.problems) == 1
    return refused.value.problems[0]


def table(tmp_path: Path, raw: bytes) -> Path:
    path = tmp_path / "rates.csv"
    path.write_bytes(raw)
    return path


def table_refusal(path: Path) -> tuple[str, ...]:
    with pytest.raises(InputError) as refused:
        read_table(str(path))
    return refused.value.problems


# Tables


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_table_forms(tmp_path: Path, separator: str, encoding: str, end: str) -> None:
    lines = [["swis", "town", "rate"], ["065800", "Peñafiel", "14.50"], ["", "", ""], ["066800", ' "x" ', "52.00"]]
    cells = [['"' + cell.replace('"', '""') + '"' if '"' in cell else cell for cell in line] for line in lines]
    path = table(tmp_path, end.join(separator.join(line) for line in cells).encode(encoding))
    read = read_table(str(path))
    assert read.source == "rates.csv"
    assert read.columns == ("swis", "town", "rate")
    assert read.rows == (("065800", "Peñafiel", "14.50"), ("066800", '"x"', "52.00"))
    assert read.numbers == (2, 4)


def test_separators_and_line_ends_inside_quotation_marks(tmp_path: Path) -> None:
    path = table(tmp_path, b'name,"a;b;c;d",z\n"one, two","x\ny",3\nq,w,e\n')
    read = read_table(str(path))
    assert read.columns == ("name", "a;b;c;d", "z")
    assert read.rows == (("one, two", "x\ny", "3"), ("q", "w", "e"))
    assert read.numbers == (2, 3)


def test_a_heading_alone_is_a_table_without_rows(tmp_path: Path) -> None:
    assert read_table(str(table(tmp_path, b"swis,town\n"))).rows == ()


def test_tables_refused(tmp_path: Path) -> None:
    assert table_refusal(tmp_path / "gone.csv") == ("There is no file gone.csv. Check the name and the folder.",)
    assert table_refusal(table(tmp_path, b"\n \n")) == (
        "rates.csv is empty. Its first row must hold the names of the columns.",
    )
    assert table_refusal(table(tmp_path, b"swis,Rate,rate\n")) == (
        "rates.csv row 1: two columns are called “rate”. Rename or remove one.",
    )
    assert table_refusal(table(tmp_path, b"swis,rate\n1,2\n1\n1,2,3\n")) == (
        "rates.csv row 3 has 1 cells, the heading has 2. Put cells that hold a separator in quotation marks.",
        "rates.csv row 4 has 3 cells, the heading has 2. Put cells that hold a separator in quotation marks.",
    )
    assert table_refusal(table(tmp_path, b'swis,rate\n1,"2\n')) == (
        "rates.csv row 2: a quotation mark is not closed or stands inside a cell. Double it.",
    )
    utf16 = ("rates.csv is not text in UTF-8. Save it as CSV UTF-8 and give that file.",)
    assert table_refusal(table(tmp_path, "swis,rate\n".encode("utf-16"))) == utf16
    assert table_refusal(table(tmp_path, b"PK\x03\x04\x00\x00")) == utf16
    assert table_refusal(table(tmp_path, b"swis\n\x81\n")) == utf16
    (tmp_path / "folder").mkdir()
    assert table_refusal(tmp_path / "folder") == ("folder is a folder. Name a file in it.",)


def test_many_problems_are_told_up_to_a_number() -> None:
    assert several(["a"] * 20).problems == ("a",) * 20
    assert several(["a"] * 25).problems == (*["a"] * 20, "… and 5 more.")


# Layers


def test_a_layer_is_read_whole(tmp_path: Path) -> None:
    layer = read_layer(str(make_layer(tmp_path / "towns.gpkg")), "towns")
    assert (layer.source, layer.crs) == ("towns.gpkg", "EPSG:2262")
    assert list(layer.columns) == ["NAME", "POP", "AREA"]
    assert layer.columns["NAME"].tolist() == ["Town 0", "Town 1"]
    assert layer.columns["POP"].tolist() == [0, 1]
    assert layer.columns["AREA"].tolist() == [0.5, 1.5]
    assert [shape.equals(SQUARE) for shape in layer.geometry] == [True, True]


def test_missing_cells_and_shapes_stay_missing(tmp_path: Path) -> None:
    path = make_layer(tmp_path / "towns.gpkg")
    dataset = ogr.Open(str(path), 1)
    feature = ogr.Feature(dataset.GetLayer(0).GetLayerDefn())
    dataset.GetLayer(0).CreateFeature(feature)
    del feature, dataset
    layer = read_layer(str(path), "towns")
    assert layer.columns["NAME"].tolist() == ["Town 0", "Town 1", None]
    assert layer.columns["POP"].tolist() == [0, 1, None]
    assert np.ma.getmaskarray(layer.columns["AREA"]).tolist() == [False, False, True]
    assert layer.geometry[2] is None


def test_one_layer_of_several_must_be_named(tmp_path: Path) -> None:
    path = make_layer(make_layer(tmp_path / "all.gpkg", "towns"), "villages", rows=1)
    assert refusal(path) == "all.gpkg has several layers: “towns”, “villages”. Name one, as in all.gpkg|towns."
    assert len(read_layer(f"{path}|villages", "towns").geometry) == 1
    assert len(read_layer(f"{path}|layername=towns", "towns").geometry) == 2
    assert refusal(f"{path}|cities") == "all.gpkg has no layer “cities”. Its layers are “towns”, “villages”."


def test_tables_beside_the_one_layer_do_not_count(tmp_path: Path) -> None:
    path = make_layer(tmp_path / "one.gpkg")
    dataset = ogr.Open(str(path), 1)
    dataset.CreateLayer("layer_styles", None, ogr.wkbNone)
    del dataset
    assert len(read_layer(str(path), "towns").geometry) == 2
    assert refusal(f"{path}|layer_styles") == (
        "one.gpkg: the layer “layer_styles” is a table without shapes. Name a layer with shapes."
    )


def test_layers_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path / "gone.gpkg") == "There is no file gone.gpkg. Check the name and the folder."
    assert refusal(make_layer(tmp_path / "none.gpkg", rows=0)) == (
        "none.gpkg is empty: the layer for towns holds no rows."
    )
    no_map = "cannot be read as a map layer. Give a GeoPackage, a shapefile, GeoJSON or another map format."
    (tmp_path / "note.txt").write_text("hello")
    assert refusal(tmp_path / "note.txt") == f"note.txt {no_map}"
    (tmp_path / "empty.gpkg").write_bytes(b"")
    assert refusal(tmp_path / "empty.gpkg") == "empty.gpkg is empty. Give a file of map layers, such as a GeoPackage."
    (tmp_path / "table.csv").write_text("swis,name\n1,2\n")
    assert refusal(tmp_path / "table.csv") == (
        "table.csv has no layer with shapes. Give a file of map layers, such as a GeoPackage."
    )
    make_layer(tmp_path / "shape.shp", "shape", "ESRI Shapefile")
    (tmp_path / "shape.shx").unlink()
    assert refusal(tmp_path / "shape.shp") == (
        "shape.shp lacks its .shx file. Put all files of the shapefile into one folder."
    )


@pytest.mark.parametrize("part", [0.3, 0.6, 0.97])
def test_a_truncated_geopackage_is_refused(tmp_path: Path, part: float) -> None:
    path = make_layer(tmp_path / "towns.gpkg", rows=2000)
    os.truncate(path, int(path.stat().st_size * part))
    assert refusal(path) == "towns.gpkg is damaged and cannot be read to its end. Get a fresh copy of it."


def test_a_geopackage_damaged_in_the_middle_is_refused(tmp_path: Path) -> None:
    path = make_layer(tmp_path / "towns.gpkg", rows=2000)
    whole = read_layer(str(path), "towns")
    assert len(whole.geometry) == 2000
    data = bytearray(path.read_bytes())
    # A page of the table of features, found by a name that only it holds.
    place = data.index(b"Town 1000") // 4096 * 4096
    data[place : place + 4096] = b"\xff" * 4096
    path.write_bytes(data)
    assert refusal(path) == "towns.gpkg is damaged and cannot be read to its end. Get a fresh copy of it."


@pytest.mark.parametrize("part", ["shp", "dbf"])
def test_a_truncated_shapefile_is_refused(tmp_path: Path, part: str) -> None:
    path = make_layer(tmp_path / "towns.shp", "towns", "ESRI Shapefile", rows=200)
    cut = path.with_suffix(f".{part}")
    os.truncate(cut, cut.stat().st_size // 2)
    assert refusal(path) == "towns.shp is damaged and cannot be read to its end. Get a fresh copy of it."


def test_a_file_that_another_program_is_writing_is_in_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector, "LOCK_WAIT_MS", "1")
    path = make_layer(tmp_path / "towns.gpkg")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    assert refusal(path) == (
        "towns.gpkg is in use by another program that is writing it. Close it there, then try again."
    )
    other.execute("ROLLBACK")
    assert len(read_layer(str(path), "towns").geometry) == 2
    other.close()


def test_reading_leaves_a_geopackage_in_write_ahead_mode_as_it_was(tmp_path: Path) -> None:
    path = make_layer(tmp_path / "towns.gpkg")
    other = sqlite3.connect(path)
    assert other.execute("PRAGMA journal_mode = wal").fetchall() == [("wal",)]
    other.close()
    before = (hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime_ns)
    seen: list[list[str]] = []
    file = vector.VectorFile(str(path))
    file.batches(file.fields, turn=lambda _: seen.append(sorted(each.name for each in tmp_path.iterdir())))
    assert seen == [["towns.gpkg"]]
    assert (hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime_ns) == before
    assert sorted(each.name for each in tmp_path.iterdir()) == ["towns.gpkg"]


def test_what_another_program_has_written_ahead_is_read(tmp_path: Path) -> None:
    path = make_layer(tmp_path / "towns.gpkg")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("PRAGMA journal_mode = wal")
    other.execute("PRAGMA wal_autocheckpoint = 0")
    # The triggers of the index of boxes ask for them.
    for name in ("ST_IsEmpty", "ST_MinX", "ST_MaxX", "ST_MinY", "ST_MaxY"):
        other.create_function(name, 1, lambda _: 0)
    other.execute("UPDATE towns SET NAME = 'Renamed' WHERE fid = 1")
    assert read_layer(str(path), "towns").columns["NAME"].tolist() == ["Renamed", "Town 1"]
    other.close()


def test_a_file_that_changes_between_two_readings_is_refused(tmp_path: Path) -> None:
    path = make_layer(tmp_path / "towns.gpkg")
    file = vector.VectorFile(str(path))
    os.utime(path, ns=(1, 1))
    with pytest.raises(InputError, match=r"^towns.gpkg changed while it was being read. Run the analysis again.$"):
        file.batches(())


@pytest.mark.parametrize("exceptions", [False, True])
def test_gdal_says_nothing_and_is_left_as_it_was(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], exceptions: bool
) -> None:
    damaged = make_layer(tmp_path / "towns.gpkg", rows=2000)
    os.truncate(damaged, damaged.stat().st_size // 2)
    (tmp_path / "note.gpkg").write_text("hello")
    with ExitStack() as stack:
        for module in (gdal, ogr):
            if exceptions and not module.GetUseExceptions():
                module.UseExceptions()
                stack.callback(module.DontUseExceptions)
        before = bool(gdal.GetUseExceptions()), bool(ogr.GetUseExceptions())
        refusal(damaged)
        refusal(tmp_path / "note.gpkg")
        assert (bool(gdal.GetUseExceptions()), bool(ogr.GetUseExceptions())) == before
        assert gdal.GetThreadLocalConfigOption("SQLITE_BUSY_TIMEOUT", "") == ""
    assert capfd.readouterr() == ("", "")


def test_a_refusal_that_is_kept_keeps_no_file_open(tmp_path: Path) -> None:
    several_layers = make_layer(make_layer(tmp_path / "all.gpkg", "towns"), "villages")
    cut = make_layer(tmp_path / "cut.shp", "cut", "ESRI Shapefile", rows=200)
    os.truncate(cut, cut.stat().st_size // 2)
    gc.collect()
    before = {id(each) for each in gc.get_objects() if isinstance(each, (gdal.Dataset, ogr.DataSource))}
    kept = []
    for path in (several_layers, cut):
        try:
            read_layer(str(path), "towns")
        except InputError as error:
            kept.append(error)
    after = {id(each) for each in gc.get_objects() if isinstance(each, (gdal.Dataset, ogr.DataSource))}
    assert len(kept) == 2
    assert all(error.__traceback__ is not None for error in kept)
    assert after <= before


def test_reference_systems(tmp_path: Path) -> None:
    assert read_layer(str(make_layer(tmp_path / "bare.gpkg", epsg=0)), "towns").crs == ""
    bare = make_layer(tmp_path / "bare.shp", "bare", "ESRI Shapefile", epsg=0)
    assert read_layer(str(bare), "towns").crs == ""
    assert read_layer(str(make_layer(tmp_path / "t.shp", "t", "ESRI Shapefile")), "towns").crs == "EPSG:2262"
    reference = osr.SpatialReference()
    reference.ImportFromProj4("+proj=tmerc +lat_0=40 +lon_0=-77 +k=0.9999 +ellps=GRS80 +units=m")
    assert vector.crs_text(reference).startswith("PROJCRS[")
    compound = osr.SpatialReference()
    compound.ImportFromEPSG(2262)
    height = osr.SpatialReference()
    height.ImportFromEPSG(5703)
    both = osr.SpatialReference()
    both.SetCompoundCS("both", compound, height)
    assert vector.crs_text(both) == "EPSG:2262"
    assert vector.crs_text(None) == ""


@pytest.mark.parametrize("srs_id", [0, -1])
def test_undefined_systems_of_a_geopackage_are_none(tmp_path: Path, srs_id: int) -> None:
    path = make_layer(tmp_path / "towns.gpkg")
    database = sqlite3.connect(path)
    database.execute("UPDATE gpkg_contents SET srs_id = ?", (srs_id,))
    database.execute("UPDATE gpkg_geometry_columns SET srs_id = ?", (srs_id,))
    database.commit()
    database.close()
    assert read_layer(str(path), "towns").crs == ""


@pytest.mark.parametrize("declared", ["UTF-8", "ISO-8859-1"])
def test_text_of_a_shapefile_is_read_as_it_says(tmp_path: Path, declared: str) -> None:
    dataset = ogr.GetDriverByName("ESRI Shapefile").CreateDataSource(str(tmp_path / "t.shp"))
    layer = dataset.CreateLayer("t", None, ogr.wkbPolygon, [f"ENCODING={declared}"])
    layer.CreateField(ogr.FieldDefn("NAME", ogr.OFTString))
    feature = ogr.Feature(layer.GetLayerDefn())
    feature.SetField("NAME", "Muñoz")
    feature.SetGeometry(ogr.CreateGeometryFromWkb(shapely.to_wkb(SQUARE)))
    layer.CreateFeature(feature)
    del feature, layer, dataset
    assert read_layer(str(tmp_path / "t.shp"), "towns").columns["NAME"].tolist() == ["Muñoz"]


def test_a_zipped_shapefile(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    make_layer(tmp_path / "in" / "towns.shp", "towns", "ESRI Shapefile")
    shutil.make_archive(str(tmp_path / "towns"), "zip", tmp_path / "in")
    layer = read_layer(str(tmp_path / "towns.zip"), "towns")
    assert (layer.source, layer.columns["NAME"].tolist()) == ("towns.zip", ["Town 0", "Town 1"])


def test_a_field_called_like_the_column_of_ids(tmp_path: Path) -> None:
    path = tmp_path / "towns.geojson"
    path.write_text(
        '{"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"OGC_FID": "own", "N": null},'
        ' "geometry": {"type": "Point", "coordinates": [1, 2]}}]}'
    )
    layer = read_layer(str(path), "towns")
    assert layer.columns["OGC_FID"].tolist() == ["own"]


# Shapes


def test_curves_become_lines_and_heights_are_dropped() -> None:
    wkt = ("CURVEPOLYGON (CIRCULARSTRING (0 0, 2 0, 2 2, 0 2, 0 0))", "POLYGON Z ((0 0 5, 1 0 5, 1 1 5, 0 0 5))")
    wkt += ("MULTIPOLYGON ZM (((0 0 5 7, 1 0 5 7, 1 1 5 7, 0 0 5 7)))", "LINESTRING M (0 0 7, 1 1 7)")
    shapes = vector.shapes_of([bytes(ogr.CreateGeometryFromWkt(each).ExportToIsoWkb()) for each in wkt] + [None])
    assert [None if shape is None else shape.geom_type for shape in shapes] == [
        "Polygon",
        "Polygon",
        "MultiPolygon",
        "LineString",
        None,
    ]
    assert shapes[0].area == pytest.approx(np.pi * 2, rel=1e-3)
    assert [shape.has_z for shape in shapes[:4]] == [False] * 4
    assert shapes[1].area == shapes[2].area == 0.5


def test_a_ring_that_no_polygon_can_have_keeps_its_place() -> None:
    head = b"\x01" + (3).to_bytes(4, "little") + (1).to_bytes(4, "little") + (2).to_bytes(4, "little")
    raw = head + np.array([5.0, 6.0, 7.0, 8.0]).tobytes()
    shapes = vector.shapes_of([raw, shapely.to_wkb(SQUARE)])
    assert shapes[0].geom_type == "MultiPoint"
    assert shapes[0].bounds == (5.0, 6.0, 7.0, 8.0)
    assert shapes[1].equals(SQUARE)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("tin_3d.shp", "MultiPolygon"),
        ("pyogrio_curvepolygon.gpkg", "Polygon"),
        ("pyogrio_multisurface.gpkg", "MultiPolygon"),
        ("pyogrio_line_zm.gpkg", "LineString"),
        ("gre_greek_encoding.shp", "Polygon"),
        ("multicurve.gml", "MultiLineString"),
    ],
)
def test_odd_public_files(shared: Path, name: str, kind: str) -> None:
    layer = read_layer(str(shared / "data/broken_geometry" / name), "territory")
    assert layer.geometry[0].geom_type == kind
    assert not layer.geometry[0].has_z


def test_a_zipped_geodatabase_with_many_layers(shared: Path) -> None:
    path = shared / "data/broken_geometry/fiona_testopenfilegdb.gdb.zip"
    assert refusal(path).startswith("fiona_testopenfilegdb.gdb.zip has several layers: “")
    assert len(read_layer(f"{path}|polygon25D", "territory").geometry) > 0


# The petition


def test_the_petition_is_an_object_of_json(tmp_path: Path) -> None:
    path = tmp_path / "petition.json"
    for raw, told in {
        b'{"name": "Lakeshore"}': None,
        b'{"name": }': "petition.json line 1 column 10 is not JSON: Expecting value. Correct it.",
        b"[1]": "petition.json must hold one object in braces.",
        b'{"name": "a", "name": "b"}': "petition.json: the key “name” stands twice. Keep one.",
        b'{"population_alleged": NaN}': "petition.json: NaN is not a number of JSON. Give a number.",
    }.items():
        path.write_bytes(raw)
        if told is None:
            assert read_petition(str(path)) == {"name": "Lakeshore"}
            continue
        with pytest.raises(InputError) as refused:
            read_petition(str(path))
        assert refused.value.problems == (told,)
