"""What is captured of a layer is what core reads: the file itself, or the layer as it stands in QGIS."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsFeature,
    QgsGeometry,
    QgsProject,
    QgsVectorFileWriter,
    QgsVectorLayer,
    QgsVectorLayerJoinInfo,
)
from qgis.PyQt.QtCore import QDate, QVariant

from village_petition.core.model import Cancelled, InputError, Table
from village_petition.ui import adapters
from village_petition.ui.adapters import FileCapture, Job, SourceCapture, capture

FIELDS = "field=SWIS:string&field=PRINT_KEY:string&field=TOTAL_AV:double&field=ROLL_YR:integer&field=SEEN:date"
SQUARE = "POLYGON((0 0,10 0,10 10,0 10,0 0))"


@pytest.fixture(autouse=True)
def project() -> Iterator[QgsProject]:
    instance = QgsProject.instance()
    instance.clear()
    yield instance
    instance.clear()


def memory(rows: list[tuple[Any, ...]], shape: str = "Polygon", name: str = "Lots") -> QgsVectorLayer:
    layer = QgsVectorLayer(f"{shape}?crs=EPSG:2262&{FIELDS}", name, "memory")
    features = []
    for wkt, *values in rows:
        feature = QgsFeature(layer.fields())
        if wkt is not None:
            feature.setGeometry(QgsGeometry.fromWkt(wkt))
        feature.setAttributes(list(values))
        features.append(feature)
    assert layer.dataProvider().addFeatures(features)[0]
    return layer


def file_layer(path: Path, *names: str, first: str = "lots") -> QgsVectorLayer:
    """A GeoPackage with these layers; gives the layer `first` of it."""
    source = memory([(SQUARE, "065800", "1.-1-1", 100000.0, 2022, None)])
    for number, name in enumerate(names or ("lots",)):
        options = QgsVectorFileWriter.SaveVectorOptions()
        options.layerName = name
        if number:
            options.actionOnExistingFile = QgsVectorFileWriter.ActionOnExistingFile.CreateOrOverwriteLayer
        answer = QgsVectorFileWriter.writeAsVectorFormatV3(
            source, str(path), QgsProject.instance().transformContext(), options
        )
        assert answer[0] == QgsVectorFileWriter.WriterError.NoError
    layer = QgsVectorLayer(f"{path}|layername={first}" if names else str(path), "Lots", "ogr")
    assert layer.isValid()
    return layer


def in_thread(work: Any) -> Any:
    """What `work` gives in another thread, as in a task."""
    answer: list[Any] = []
    thread = threading.Thread(target=lambda: answer.append(work()))
    thread.start()
    thread.join()
    return answer[0]


def test_a_layer_over_a_file_is_that_file(tmp_path: Path) -> None:
    assert capture(file_layer(tmp_path / "lots.gpkg")) == FileCapture(str(tmp_path / "lots.gpkg"))


def test_a_layer_of_several_in_a_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "two.gpkg"
    assert capture(file_layer(path, "a", "b", first="b")) == FileCapture(f"{path}|b")
    unnamed = QgsVectorLayer(str(path), "first", "ogr")
    assert isinstance(capture(unnamed), SourceCapture)
    assert capture(unnamed, strict=True) == FileCapture(str(path))


def test_a_crs_set_by_hand_goes_along(tmp_path: Path) -> None:
    layer = file_layer(tmp_path / "lots.gpkg")
    layer.setCrs(QgsCoordinateReferenceSystem("EPSG:2261"))
    captured = capture(layer)
    assert captured == FileCapture(str(tmp_path / "lots.gpkg"), "EPSG:2261")
    assert captured.parcels({}).crs == "EPSG:2261"
    assert len(captured.parcels({})) == 1
    assert captured.layer("districts").crs == "EPSG:2261"


def test_no_crs_stays_no_crs(tmp_path: Path) -> None:
    layer = memory([(SQUARE, "065800", "1", 1.0, 2022, None)])
    layer.setCrs(QgsCoordinateReferenceSystem())
    assert capture(layer).layer("districts").crs == ""


def test_a_crs_of_ones_own_goes_as_text() -> None:
    wkt = QgsCoordinateReferenceSystem("EPSG:2262").toWkt(QgsCoordinateReferenceSystem.WktVariant.WKT2_2019)
    mine = QgsCoordinateReferenceSystem.fromWkt(wkt.replace("1148291.667", "1148290").split(",USAGE")[0] + "]")
    assert mine.isValid()
    text = adapters.crs_text(mine)
    assert text.startswith("PROJCRS[")
    assert "1148290" in text
    assert adapters.crs_text(QgsCoordinateReferenceSystem("EPSG:2262")) == "EPSG:2262"
    assert adapters.crs_text(QgsCoordinateReferenceSystem()) == ""


def test_a_subset_is_honoured(tmp_path: Path) -> None:
    layer = file_layer(tmp_path / "lots.gpkg")
    layer.setSubsetString("\"SWIS\" = 'nobody'")
    captured = capture(layer)
    assert isinstance(captured, SourceCapture)
    assert len(captured.parcels({})) == 0


def test_unsaved_edits_are_honoured_and_stay_unsaved(tmp_path: Path) -> None:
    layer = file_layer(tmp_path / "lots.gpkg")
    layer.startEditing()
    assert isinstance(capture(layer), FileCapture)
    fid = next(layer.getFeatures()).id()
    layer.changeAttributeValue(fid, layer.fields().indexFromName("TOTAL_AV"), 250000.0)
    layer.changeGeometry(fid, QgsGeometry.fromWkt("POLYGON((0 0,20 0,20 10,0 10,0 0))"))
    added = QgsFeature(layer.fields())
    added.setGeometry(QgsGeometry.fromWkt(SQUARE))
    added["PRINT_KEY"] = "2.-1-1"
    layer.addFeature(added)
    captured = capture(layer)
    assert isinstance(captured, SourceCapture)
    source = in_thread(lambda: captured.parcels({}))
    held = source.columns(["PRINT_KEY", "TOTAL_AV"])
    by_key = dict(zip(held["PRINT_KEY"].tolist(), held["TOTAL_AV"].tolist()))
    assert by_key == {"1.-1-1": 250000.0, "2.-1-1": None}
    rows, shapes = source.shapes(rows=np.arange(2))
    assert sorted(shapely.area(shapes).tolist()) == [100.0, 200.0]
    layer.rollBack()
    assert next(layer.getFeatures())["TOTAL_AV"] == 100000.0


def test_joined_fields_come_through_the_layer(tmp_path: Path, project: QgsProject) -> None:
    layer = file_layer(tmp_path / "lots.gpkg")
    roll = QgsVectorLayer("NoGeometry?field=KEY:string&field=LAND_AV:double", "Roll", "memory")
    row = QgsFeature(roll.fields())
    row.setAttributes(["1.-1-1", 40000.0])
    roll.dataProvider().addFeatures([row])
    project.addMapLayers([layer, roll])
    join = QgsVectorLayerJoinInfo()
    join.setJoinLayer(roll)
    join.setJoinFieldName("KEY")
    join.setTargetFieldName("PRINT_KEY")
    join.setUsingMemoryCache(True)
    layer.addJoin(join)
    captured = capture(layer)
    assert isinstance(captured, SourceCapture)
    read = captured.layer("districts")
    assert read.columns["Roll_LAND_AV"].tolist() == [40000.0]


def test_missing_values_are_missing() -> None:
    layer = memory(
        [
            (SQUARE, "065800", None, QVariant(), 2022, QDate(2022, 7, 1)),
            (None, None, "", 5.5, None, None),
        ]
    )
    read = capture(layer).layer("districts")
    assert read.source == "Lots"
    assert read.crs == "EPSG:2262"
    assert read.columns["SWIS"].tolist() == ["065800", None]
    assert read.columns["PRINT_KEY"].tolist() == [None, ""]
    assert read.columns["TOTAL_AV"].dtype == np.float64
    assert read.columns["TOTAL_AV"].tolist() == [None, 5.5]
    assert read.columns["ROLL_YR"].dtype == np.int64
    assert read.columns["ROLL_YR"].tolist() == [2022, None]
    assert read.columns["SEEN"].tolist() == ["2022-07-01", None]
    assert read.geometry[0].area == 100.0
    assert read.geometry[1] is None


def test_whole_numbers_keep_all_their_digits() -> None:
    layer = QgsVectorLayer("Polygon?crs=EPSG:2262&field=BIG:int8", "Lots", "memory")
    feature = QgsFeature(layer.fields())
    feature.setAttributes([9007199254740993])
    layer.dataProvider().addFeatures([feature])
    assert capture(layer).layer("districts").columns["BIG"].tolist() == [9007199254740993]


@pytest.mark.parametrize(
    ("shape", "wkt", "area", "kind"),
    [
        ("PolygonZ", "POLYGON Z((0 0 5,10 0 5,10 10 5,0 10 5,0 0 5))", 100.0, "Polygon"),
        ("PolygonZM", "POLYGON ZM((0 0 5 1,10 0 5 1,10 10 5 1,0 10 5 1,0 0 5 1))", 100.0, "Polygon"),
        ("MultiPolygonM", "MULTIPOLYGON M(((0 0 1,10 0 1,10 10 1,0 0 1)))", 50.0, "MultiPolygon"),
        ("CurvePolygon", "CURVEPOLYGON(CIRCULARSTRING(0 0,10 10,20 0,10 -10,0 0))", 313.905, "Polygon"),
        ("CurvePolygonZ", "CURVEPOLYGON Z(CIRCULARSTRING Z(0 0 1,10 10 1,20 0 1,10 -10 1,0 0 1))", 313.905, "Polygon"),
    ],
)
def test_heights_and_curves_are_made_flat(shape: str, wkt: str, area: float, kind: str) -> None:
    layer = QgsVectorLayer(f"{shape}?crs=EPSG:2262", "Lots", "memory")
    feature = QgsFeature()
    feature.setGeometry(QgsGeometry.fromWkt(wkt))
    assert layer.dataProvider().addFeatures([feature])[0]
    (read,) = capture(layer).layer("territory").geometry
    assert not shapely.has_z(read)
    assert read.geom_type == kind
    assert read.area == pytest.approx(area, abs=0.01)


def test_an_empty_shape_is_none() -> None:
    layer = memory([("POLYGON EMPTY", "065800", "1", 1.0, 2022, None)])
    assert capture(layer).layer("districts").geometry.tolist() == [None]


def test_parcels_in_memory_name_all_fields_and_hold_those_that_are_needed() -> None:
    source = capture(memory([(SQUARE, "065800", "1.-1-1", 100000.0, 2022, None)])).parcels({})
    assert source.source == "Lots"
    assert source.names == ("SWIS", "PRINT_KEY", "TOTAL_AV", "ROLL_YR", "SEEN")
    assert source.columns(["TOTAL_AV"])["TOTAL_AV"].tolist() == [100000.0]
    assert source.shapeless().tolist() == []
    with pytest.raises(InputError, match="^Lots: field SEEN was not read"):
        source.columns(["SEEN"])


def test_a_field_override_is_read() -> None:
    source = capture(memory([(SQUARE, "065800", "1.-1-1", 100000.0, 2022, None)])).parcels({"land_av": "ROLL_YR"})
    assert source.columns(["ROLL_YR"])["ROLL_YR"].tolist() == [2022]


def test_a_job_names_the_problems_of_all_inputs_at_once(tmp_path: Path) -> None:
    job = Job(
        layers={"parcels": FileCapture(str(tmp_path / "parcels.gpkg")), "towns": FileCapture(str(tmp_path / "t.gpkg"))},
        tables={"rates": str(tmp_path / "rates.csv"), "owners": Table("Owners", ("swis",), (), ())},
    )
    with pytest.raises(InputError) as refused:
        job.inputs()
    names = ("parcels.gpkg", "t.gpkg", "rates.csv")
    assert list(refused.value.problems) == [
        f"There is no file {name}. Check the name and the folder." for name in names
    ]


def test_a_job_stops_between_two_inputs() -> None:
    with pytest.raises(Cancelled):
        Job(layers={"parcels": FileCapture("nowhere.gpkg")}, tables={}).inputs(lambda: True)
