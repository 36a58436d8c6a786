"""Result layers: where their file lies, that they are refilled and not made again, and what they look like."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import shapely
from qgis.core import QgsApplication, QgsProject, QgsVectorLayer

from village_petition.ui.drawing import SHEETS, Drawing
from village_petition.ui.writers import ResultLayers, WriteError, is_result

ROOT = Path(__file__).resolve().parents[2]
ROLES = ["territory", "town_parts", "slivers", "split", "set_aside", "inside"]
TITLES = ["Territory", "Town parts", "Sliver set aside", "Split by the line", "Set aside", "Inside"]
WKT = (
    'PROJCRS["Local feet",BASEGEOGCRS["NAD83",DATUM["North American Datum 1983",ELLIPSOID["GRS 1980",6378137,'
    '298.257222101]]],CONVERSION["c",METHOD["Transverse Mercator",ID["EPSG",9807]],PARAMETER["Latitude of natural '
    'origin",40],PARAMETER["Longitude of natural origin",-78],PARAMETER["Scale factor at natural origin",1],'
    'PARAMETER["False easting",1000],PARAMETER["False northing",0]],CS[Cartesian,2],AXIS["e",east],AXIS["n",north],'
    'LENGTHUNIT["metre",1]]'
)


def square(x: float, y: float, side: float = 10.0) -> bytes:
    return shapely.to_wkb(shapely.multipolygons([shapely.box(x, y, x + side, y + side)]))


def parcel(key: str, place: str, signed: str) -> tuple[Any, ...]:
    return ("065800", key, place, "1.000000000", 100000, 100000, 0, "whole", 2, 1, signed, "50000/1")


def drawing(parcels: int = 3, crs: str = "EPSG:2262") -> Drawing:
    words = ["all", "some", "none"]
    return Drawing(
        {
            "territory": ((square(0, 0, 100), ("fail", "2004", "3.389489", 1234)),),
            "town_parts": ((square(0, 0, 100), ("Pomfret", "065800", "pass", "54.28 %", "14.50", 300000, "1/2")),),
            "slivers": ((shapely.to_wkb(shapely.Point(5, 5)), parcel("1", "inside", "all")),),
            "split": ((square(95, 95), parcel("2", "split", "some")),),
            "set_aside": (),
            "inside": tuple((square(10 * n, 0), parcel(str(n), "inside", words[n % 3])) for n in range(parcels)),
        },
        crs,
        "" if ":" in crs else WKT,
    )


@pytest.fixture()
def project() -> Iterator[QgsProject]:
    instance = QgsProject.instance()
    instance.clear()
    yield instance
    instance.clear()


@pytest.fixture()
def results(project: QgsProject) -> Iterator[ResultLayers]:
    made = ResultLayers(project)
    yield made
    project.clear()
    made.rest()


def file_of(layer: QgsVectorLayer) -> Path:
    return Path(layer.source().partition("|")[0])


def test_layers_of_an_unsaved_project_are_in_a_group_and_last_for_the_session(
    project: QgsProject, results: ResultLayers
) -> None:
    note = results.show(drawing(), "Lakeshore")
    assert note == "Save the project to keep these results."
    group = results.group()
    assert group.name() == "Petition: Lakeshore"
    assert project.layerTreeRoot().children()[0] is group
    assert [node.name() for node in group.findLayers()] == TITLES
    layers = results.layers()
    assert sorted(layers) == sorted(ROLES)
    assert {role: layer.featureCount() for role, layer in layers.items()} == {
        "territory": 1,
        "town_parts": 1,
        "slivers": 1,
        "split": 1,
        "set_aside": 0,
        "inside": 3,
    }
    assert all(
        layer.crs().authid() == "EPSG:2262" and is_result(layer) and layer.readOnly() for layer in layers.values()
    )
    first = next(layers["inside"].getFeatures())
    assert first["value"] == 100000
    assert first["print_key"] == "0"
    assert first["signed"] == "all"
    assert first.geometry().area() == 100.0
    folder = file_of(layers["inside"]).parent
    assert folder.parent == Path(QgsApplication.qgisSettingsDirPath()) / "village_petition"
    del layers
    project.clear()
    results.rest()
    assert not folder.exists()


def test_a_second_run_refills_the_same_layers(project: QgsProject, results: ResultLayers) -> None:
    results.show(drawing(), "Lakeshore")
    before = {role: layer.id() for role, layer in results.layers().items()}
    group = results.group()
    nodes = group.findLayers()
    nodes[3].setItemVisibilityChecked(False)
    clone = nodes[5].clone()
    group.insertChildNode(0, clone)
    group.removeChildNode(nodes[5])
    results.layers()["split"].setName("My own name")
    assert results.show(drawing(5), "Other name") == ""
    assert {role: layer.id() for role, layer in results.layers().items()} == before
    assert len(project.mapLayers()) == 6
    assert results.group().name() == "Petition: Other name"
    assert [node.name() for node in results.group().findLayers()] == [
        "Inside",
        "Territory",
        "Town parts",
        "Sliver set aside",
        "My own name",
        "Set aside",
    ]
    assert not results.group().findLayers()[4].itemVisibilityChecked()
    assert results.layers()["inside"].featureCount() == 5
    assert sorted(f["print_key"] for f in results.layers()["inside"].getFeatures()) == ["0", "1", "2", "3", "4"]


def test_a_layer_that_was_removed_comes_back_at_its_place(project: QgsProject, results: ResultLayers) -> None:
    results.show(drawing(), "Lakeshore")
    project.removeMapLayer(results.layers()["slivers"].id())
    results.show(drawing(), "Lakeshore")
    assert [node.name() for node in results.group().findLayers()] == TITLES
    assert results.layers()["slivers"].featureCount() == 1
    assert results.layers()["split"].featureCount() == 1


def test_another_working_crs_makes_the_layers_anew(project: QgsProject, results: ResultLayers) -> None:
    results.show(drawing(), "Lakeshore")
    results.show(drawing(crs="Local feet"), "Lakeshore")
    assert len(project.mapLayers()) == 6
    assert {layer.crs().description() for layer in results.layers().values()} == {"Local feet"}
    assert results.layers()["inside"].featureCount() == 3


def test_results_of_a_saved_project_lie_beside_it_and_come_back(
    project: QgsProject, results: ResultLayers, tmp_path: Path
) -> None:
    assert project.write(str(tmp_path / "case.qgz"))
    assert results.show(drawing(), "Lakeshore") == ""
    file = tmp_path / "case petition.gpkg"
    assert file_of(results.layers()["inside"]) == file
    results.group().findLayers()[3].setItemVisibilityChecked(False)
    assert project.write()
    project.clear()
    assert project.read(str(tmp_path / "case.qgz"))
    again = ResultLayers(project)
    assert sorted(again.layers()) == sorted(ROLES)
    assert all(layer.isValid() for layer in again.layers().values())
    assert again.layers()["inside"].featureCount() == 3
    assert not project.isDirty()
    assert again.show(drawing(4), "Lakeshore") == ""
    assert not project.isDirty()
    assert len(project.mapLayers()) == 6
    assert again.layers()["inside"].featureCount() == 4
    assert not again.group().findLayers()[3].itemVisibilityChecked()


def test_saving_brings_the_file_beside_the_project_also_under_another_name(
    project: QgsProject, results: ResultLayers, tmp_path: Path
) -> None:
    project.writeProject.connect(results.settle)
    try:
        results.show(drawing(), "Lakeshore")
        assert project.write(str(tmp_path / "one.qgz"))
        assert file_of(results.layers()["inside"]) == tmp_path / "one petition.gpkg"
        (tmp_path / "sub").mkdir()
        assert project.write(str(tmp_path / "sub" / "two.qgz"))
        assert file_of(results.layers()["inside"]) == tmp_path / "sub" / "two petition.gpkg"
        project.clear()
        for path in ("one.qgz", "sub/two.qgz"):
            assert project.read(str(tmp_path / path))
            layers = results.layers()
            assert {role: layer.featureCount() for role, layer in layers.items()}["inside"] == 3
            assert layers["inside"].renderer().type() == "categorizedSymbol"
            assert layers["inside"].crs().authid() == "EPSG:2262"
            assert file_of(layers["inside"]) == (tmp_path / path).with_name(f"{Path(path).stem} petition.gpkg")
            del layers
            project.clear()
    finally:
        project.writeProject.disconnect(results.settle)


def test_a_stranger_with_the_same_name_is_left_alone(
    project: QgsProject, results: ResultLayers, tmp_path: Path
) -> None:
    stranger = tmp_path / "case petition.gpkg"
    stranger.write_bytes(b"somebody's own")
    project.write(str(tmp_path / "case.qgz"))
    results.show(drawing(), "Lakeshore")
    assert stranger.read_bytes() == b"somebody's own"
    assert file_of(results.layers()["inside"]) == tmp_path / "case petition 2.gpkg"


def test_a_folder_that_cannot_be_written_is_named(
    project: QgsProject, results: ResultLayers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.write(str(tmp_path / "case.qgz"))
    monkeypatch.setattr(ResultLayers, "_free_path", lambda self: tmp_path / "no such folder" / "case petition.gpkg")
    note = results.show(drawing(), "Lakeshore")
    assert note == "No place beside the project: results last until QGIS closes."
    assert results.layers()["inside"].featureCount() == 3


def test_a_file_that_went_away_is_an_error_in_words(
    project: QgsProject, results: ResultLayers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.write(str(tmp_path / "case.qgz"))
    results.show(drawing(), "Lakeshore")
    provider = results.layers()["territory"].dataProvider()
    monkeypatch.setattr(type(provider), "truncate", lambda self: False)
    with pytest.raises(WriteError, match="^case petition.gpkg: results cannot be written"):
        results.show(drawing(), "Lakeshore")


@pytest.mark.parametrize(
    ("role", "colours"),
    [
        ("territory", ["#ffffff", "#7a1fa2"]),
        ("town_parts", ["#000000", "#ffffff"]),
        ("slivers", ["#ffffff"]),
        ("split", ["#b34700"]),
        ("set_aside", ["#e0b43c", "#7a5c00"]),
        ("inside", ["#5b9fd0", "#d6e6f2", "#2f74a8", "#fbf6ea"]),
    ],
)
def test_styles_have_their_colours(role: str, colours: list[str]) -> None:
    text = (ROOT / "resources" / "styles" / f"{role}.qml").read_text(encoding="utf-8")
    for colour in colours:
        red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
        assert re.search(rf"\b{red},{green},{blue},255\b", text), colour


def test_every_sheet_has_a_style_and_each_class_a_pattern(project: QgsProject, results: ResultLayers) -> None:
    assert {path.stem for path in (ROOT / "resources" / "styles").glob("*.qml")} == {sheet.role for sheet in SHEETS}
    results.show(drawing(), "Lakeshore")
    layers = results.layers()
    categories = layers["inside"].renderer().categories()
    assert [(c.value(), c.label()) for c in categories] == [
        ("all", "All owners signed"),
        ("some", "Some signed"),
        ("none", "Not signed"),
    ]
    patterns = [[type(s).__name__ for s in c.symbol().symbolLayers()] for c in categories]
    assert patterns == [
        ["QgsSimpleFillSymbolLayer"],
        ["QgsSimpleFillSymbolLayer", "QgsPointPatternFillSymbolLayer"],
        ["QgsSimpleFillSymbolLayer"],
    ]
    split = layers["split"].renderer().symbol().symbolLayers()
    assert split[0].lineAngle() == 45
    assert split[1].width() == 0.45
    assert [s.width() for s in layers["territory"].renderer().symbol().symbolLayers()] == [2.0, 1.0]
    assert layers["slivers"].renderer().symbol().size() == 1.7
    parts = layers["town_parts"]
    assert parts.labelsEnabled()
    assert parts.labeling().settings().format().buffer().enabled()
