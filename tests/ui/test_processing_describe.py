"""villagepetition:describe gives core's sides and text, and core's refusals, from layers in QGIS and from files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from qgis.core import (
    QgsApplication,
    QgsFeature,
    QgsGeometry,
    QgsProcessingAlgorithm,
    QgsProcessingContext,
    QgsProcessingException,
    QgsProcessingFeedback,
    QgsProject,
    QgsVectorLayer,
)

from village_petition.core import description
from village_petition.ui.processing import describe
from village_petition.ui.processing.provider import VillagePetitionProvider

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared" / "data"
CRS = "EPSG:2262"
STREETS = {
    "Webster Rd": "LINESTRING(930000 889500,930000 893500)",
    "Lake Rd": "LINESTRING(932000 889500,932000 893500)",
    "Shore Dr": "LINESTRING(929500 890000,932500 890000)",
    "Main Rd": "LINESTRING(929500 893000,932500 893000)",
}
BLOCK = "POLYGON((930000 890000,932000 890000,932000 893000,930000 893000,930000 890000))"
OPEN = "POLYGON((930000 890000,932000 890000,932000 892000,930000 892000,930000 890000))"
TEXT = """All that territory, bounded and described as follows, by reference to existing streets:
BEGINNING at the point of intersection of the centerlines of Webster Road and Main Road;
thence easterly along the centerline of Main Road, about 2,000 feet, to the point of intersection of the centerlines \
of Main Road and Lake Road;
thence southerly along the centerline of Lake Road, about 3,000 feet, to the point of intersection of the \
centerlines of Lake Road and Shore Drive;
thence westerly along the centerline of Shore Drive, about 2,000 feet, to the point of intersection of the centerlines \
of Shore Drive and Webster Road;
thence northerly along the centerline of Webster Road, about 3,000 feet, to the point or place of beginning.
Containing 137.74 acres (0.215 square miles), more or less.
Distances are United States survey feet, measured on the grid.
"""


class Heard(QgsProcessingFeedback):
    """Keeps what is said."""

    def __init__(self) -> None:
        super().__init__(False)
        self.errors: list[str] = []
        self.said: list[str] = []

    def reportError(self, error: str, fatalError: bool = False) -> None:
        if error not in self.errors:
            self.errors.append(error)

    def pushInfo(self, info: str) -> None:
        self.said.append(info)


@pytest.fixture(scope="module")
def registry(qgis_processing: None) -> Iterator[Any]:
    provider = VillagePetitionProvider()
    found = QgsApplication.processingRegistry()
    assert found.addProvider(provider)
    yield found
    found.removeProvider(provider)


@pytest.fixture(autouse=True)
def project() -> Iterator[QgsProject]:
    instance = QgsProject.instance()
    instance.clear()
    yield instance
    instance.clear()


def layer(kind: str, name: str, rows: dict[str, str], fields: str = "NAME") -> str:
    """A layer in memory, in the project; rows are the fields' values, with bars, by their shape."""
    columns = "".join(f"&field={field}:string" for field in fields.split("|"))
    made = QgsVectorLayer(f"{kind}?crs={CRS}{columns}", name, "memory")
    features = []
    for values, wkt in rows.items():
        feature = QgsFeature(made.fields())
        feature.setGeometry(QgsGeometry.fromWkt(wkt))
        feature.setAttributes(values.split("|"))
        features.append(feature)
    assert made.dataProvider().addFeatures(features)[0]
    QgsProject.instance().addMapLayer(made)
    return made.id()


def run(registry: Any, parameters: dict[str, Any], feedback: Any = None) -> dict[str, Any]:
    context = QgsProcessingContext()
    context.setProject(QgsProject.instance())
    algorithm = registry.createAlgorithmById("villagepetition:describe")
    good, message = algorithm.checkParameterValues(parameters, context)
    if not good:
        raise QgsProcessingException(message)
    heard = feedback or Heard()
    results, ok = algorithm.run(parameters, context, heard, {}, False)
    if not ok:
        raise QgsProcessingException("\n".join(heard.errors))
    return dict(results)


def block(territory: str = BLOCK) -> dict[str, Any]:
    return {
        "TERRITORY": layer("Polygon", "Boundary", {"Lakeshore": territory}),
        "STREETS": layer("LineString", "streets", STREETS),
    }


def test_sides_and_text(registry: Any, tmp_path: Path) -> None:
    heard = Heard()
    out, text = tmp_path / "sides.gpkg", tmp_path / "description.txt"
    results = run(registry, {**block(), "OUTPUT": str(out), "TEXT": str(text)}, heard)
    assert text.read_bytes().decode("utf-8") == TEXT
    assert results["DESCRIPTION"] == TEXT.rstrip("\n")
    assert (results["SIDES"], results["GAPS"], results["REASON"], results["ENTIRE"]) == (4, 0, "", "")
    assert results["BASIS"] == "by reference to existing streets"
    assert results["TEXT"] == str(text)
    assert heard.said == TEXT.splitlines()
    sides = QgsVectorLayer(str(out), "sides", "ogr")
    assert sides.crs().authid() == CRS
    rows = [
        (row["number"], row["kind"], row["name"], row["direction"], row["length_ft"]) for row in sides.getFeatures()
    ]
    assert rows == [
        (1, "street", "Main Road", "easterly", 2000.0),
        (2, "street", "Lake Road", "southerly", 3000.0),
        (3, "street", "Shore Drive", "westerly", 2000.0),
        (4, "street", "Webster Road", "northerly", 3000.0),
    ]
    first = next(sides.getFeatures())
    assert first.geometry().asWkt() == "LineString (930000 893000, 932000 893000)"
    assert (first["part"], first["hole"], first["offset_ft"]) == (1, 0, 0.0)
    assert first["end"] == "the point of intersection of the centerlines of Main Road and Lake Road"


def test_a_gap_of_the_chosen_form_is_told_and_no_error(registry: Any, tmp_path: Path) -> None:
    heard = Heard()
    text = tmp_path / "description.txt"
    results = run(registry, {**block(OPEN), "FORMS": ["streets_waters"], "TEXT": str(text)}, heard)
    assert (results["DESCRIPTION"], results["GAPS"], results["SIDES"]) == ("", 1, 4)
    assert results["REASON"] == "1 side follows no named line of the chosen forms, 2,000 ft in all: side 2."
    assert text.read_text(encoding="utf-8") == f"No description in the chosen forms: {results['REASON']}\n"
    assert [line[:12] for line in heard.said if line.startswith("D-")] == ["D-GAP error:"]
    whole = run(registry, block(OPEN))
    assert (
        "thence North 90°00'00\" East, 2,000.00 feet to a point in the centerline of Lake Road" in whole["DESCRIPTION"]
    )


def test_every_parameter_reaches_core(registry: Any) -> None:
    streets = {name: wkt for name, wkt in STREETS.items() if name != "Main Rd"}
    north = "LINESTRING(929500 893000,932500 893000)"
    given = {
        "TERRITORY": layer("Polygon", "Boundary", {"Lakeshore": BLOCK}),
        "STREETS": layer("LineString", "streets", streets, "ROAD"),
        "STREET_NAME": "ROAD",
        "WATERS": layer("LineString", "waters", {"Mill Creek|brook": north}, "WATER|SORT"),
        "WATER_NAME": "WATER",
        "WATER_KIND": "SORT",
    }
    assert run(registry, given)["BASIS"] == "by a combination of existing streets and metes and bounds"
    named = run(registry, {**given, "NAVIGABLE": "Black River, mill creek"})
    assert named["BASIS"] == "by reference to existing streets and navigable waters"
    assert "along the thread of Mill Creek" in named["DESCRIPTION"]
    far = run(registry, {**given, "NAVIGABLE": "Mill Creek", "STREET_FT": "0.001", "FORMS": ["metes"]})
    assert far["BASIS"] == "by metes and bounds"

    lake = "POLYGON((929500 893000,932500 893000,932500 899000,929500 899000,929500 893000))"
    del given["WATERS"], given["WATER_NAME"], given["WATER_KIND"]
    given["WATER_AREAS"] = layer("Polygon", "lakes", {"Lake Erie|lake": lake}, "NAME|KIND")
    heard = Heard()
    shore = run(registry, given, heard)
    assert "along the shore of Lake Erie, about 2,000 feet" in shore["DESCRIPTION"]
    assert any(line.startswith("D-MARK error:") for line in heard.said)
    marked = run(registry, {**given, "WATER_MARK": "ordinary low-water mark"})
    assert "along the shore of Lake Erie at the ordinary low-water mark, about 2,000 feet" in marked["DESCRIPTION"]
    dry = run(registry, {**given, "NOT_NAVIGABLE": "LAKE ERIE"})
    assert dry["BASIS"] == "by a combination of existing streets and metes and bounds"

    del given["WATER_AREAS"]
    towns = {"Pomfret|065800": BLOCK.replace("893000", "894000"), "Dunkirk|066800": lake}
    given["TOWNS"] = layer("Polygon", "towns", towns, "NAME|SWIS")
    assert "along the boundary line of the Town of Dunkirk" in run(registry, given)["DESCRIPTION"]
    districts = {"F1|Fire|Point Fire District|065800": BLOCK}
    given["DISTRICTS"] = layer("Polygon", "districts", districts, "ID|KIND|NAME|TOWN_SWIS")
    whole = run(registry, given)
    assert (whole["ENTIRE"], whole["SIDES"]) == ("Point Fire District", 1)


def test_lot_lines_are_v_01(registry: Any) -> None:
    lots = {"1.00-1-1": "POLYGON((930000 891000,932000 891000,932000 892000,930000 892000,930000 891000))"}
    given = {**block(OPEN), "PARCELS": layer("Polygon", "parcels", lots, "PRINT_KEY"), "FORMS": ["streets_waters"]}
    heard = Heard()
    run(registry, given, heard)
    assert [line[:12] for line in heard.said if line.startswith("V-01")] == ["V-01 error: "]


@pytest.mark.skipif(not SHARED.is_dir(), reason="no shared data")
def test_the_lakeshore_case_from_its_files(registry: Any) -> None:
    folder = SHARED / "lakeshore"
    results = run(
        registry,
        {
            "TERRITORY": str(folder / "clean/territory.gpkg"),
            "STREETS": str(folder / "streets.gpkg"),
            "WATERS": str(folder / "waters.gpkg"),
            "TOWNS": str(folder / "clean/towns.gpkg"),
            "CITIES_VILLAGES": str(folder / "clean/cities_villages.gpkg"),
            "PARCELS": str(folder / "clean/parcels.gpkg"),
        },
    )
    assert (results["SIDES"], results["GAPS"]) == (5, 2)
    assert results["BASIS"] == "by a combination of municipal boundary lines and metes and bounds"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"STREETS": "/nowhere/streets.gpkg"}, "There is no file streets.gpkg. Check the name and the folder."),
        ({"STREET_FT": "wide"}, "“wide” is not a width in feet above 0. Use digits and a point, e.g. 10."),
        ({"STREET_NAME": "ROAD"}, "streets has no field “ROAD” for street names. Its fields are NAME."),
        ({"FORMS": []}, "FORMS"),
    ],
)
def test_refusals_are_sentences(change: dict[str, Any], words: str, registry: Any, tmp_path: Path) -> None:
    out = tmp_path / "description.txt"
    with pytest.raises(QgsProcessingException) as refused:
        run(registry, {**block(), "TEXT": str(out), **change})
    assert words in str(refused.value)
    assert "Traceback" not in str(refused.value)
    assert not out.exists()


def test_cancel_writes_nothing(registry: Any, tmp_path: Path) -> None:
    class Impatient(Heard):
        def setProgress(self, progress: float) -> None:
            if progress > 0:
                self.cancel()

    out = tmp_path / "description.txt"
    with pytest.raises(QgsProcessingException, match="^Cancelled.$"):
        run(registry, {**block(), "TEXT": str(out)}, Impatient())
    assert not out.exists()


def test_it_is_thread_safe_and_says_what_it_does(registry: Any) -> None:
    algorithm = registry.algorithmById("villagepetition:describe")
    assert not algorithm.flags() & QgsProcessingAlgorithm.Flag.FlagNoThreading
    assert algorithm.flags() & QgsProcessingAlgorithm.Flag.FlagCanCancel
    assert "§ 2-202(1)(c)(1)" in algorithm.shortHelpString()
    assert all(parameter.description() for parameter in algorithm.parameterDefinitions())
    assert all(output.description() for output in algorithm.outputDefinitions())


def test_the_choices_shown_are_those_of_core() -> None:
    assert describe.FORMS == description.FORMS
    assert describe.MARKS == description.MARKS
    widths = description.Choices()
    assert list(describe.WIDTHS.values()) == [widths.street_ft, widths.shore_ft, widths.line_ft]
