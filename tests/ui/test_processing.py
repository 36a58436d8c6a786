"""The algorithms give the command line's bytes and its refusals, from the toolbox, a model and qgis_process."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from qgis.core import (
    QgsApplication,
    QgsFeature,
    QgsFeatureRequest,
    QgsGeometry,
    QgsProcessingAlgorithm,
    QgsProcessingContext,
    QgsProcessingException,
    QgsProcessingFeedback,
    QgsProcessingModelAlgorithm,
    QgsProcessingModelChildAlgorithm,
    QgsProcessingModelChildParameterSource,
    QgsProcessingModelOutput,
    QgsProcessingModelParameter,
    QgsProcessingParameterVectorLayer,
    QgsProject,
    QgsRectangle,
    QgsVectorLayer,
)

from village_petition.ui.processing.provider import VillagePetitionProvider

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "sample"
LAKESHORE = ROOT.parent / "shared" / "data" / "lakeshore" / "clean"
FILES = {
    "PARCELS": "parcels.gpkg",
    "TOWNS": "towns.gpkg",
    "TERRITORY": "territory.gpkg",
    "RATES": "rates.csv",
    "OWNERS": "owners.csv",
    "SIGNERS": "signers.csv",
    "INHABITANTS": "inhabitants.csv",
    "BUILDINGS": "buildings.gpkg",
    "CITIES_VILLAGES": "cities_villages.gpkg",
    "UNMAPPED": "roll_without_polygon.csv",
    "OVERRIDES": "overrides.csv",
    "PETITION": "petition.json",
}
CASES = [
    pytest.param(SAMPLE, id="sample"),
    pytest.param(LAKESHORE, id="lakeshore", marks=pytest.mark.skipif(not LAKESHORE.is_dir(), reason="no shared data")),
]


def files(folder: Path) -> dict[str, str]:
    return {name: str(folder / file) for name, file in FILES.items() if (folder / file).exists()}


def command_line(folder: Path, out: Path, **more: str) -> subprocess.CompletedProcess[str]:
    options = [
        text for name, path in files(folder).items() for text in (f"--{name.lower().replace('_', '-')}", path)
    ] + [text for name, value in more.items() for text in (f"--{name}", value)]
    return subprocess.run(
        [sys.executable, "-m", "core", "analyze", *options, "--out", str(out)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


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


class Heard(QgsProcessingFeedback):
    """Keeps the errors that are reported."""

    def __init__(self) -> None:
        super().__init__(False)
        self.errors: list[str] = []

    def reportError(self, error: str, fatalError: bool = False) -> None:
        if error not in self.errors:
            self.errors.append(error)


def run(registry: Any, name: str, parameters: dict[str, Any], feedback: Any = None) -> dict[str, Any]:
    context = QgsProcessingContext()
    context.setProject(QgsProject.instance())
    algorithm = registry.createAlgorithmById(f"villagepetition:{name}")
    good, message = algorithm.checkParameterValues(parameters, context)
    if not good:
        raise QgsProcessingException(message)
    heard = feedback or Heard()
    results, ok = algorithm.run(parameters, context, heard, {}, False)
    if not ok:
        raise QgsProcessingException("\n".join(heard.errors))
    return dict(results)


@pytest.mark.parametrize("folder", CASES)
def test_the_bytes_are_those_of_the_command_line(folder: Path, registry: Any, tmp_path: Path) -> None:
    done = command_line(folder, tmp_path / "cli")
    assert done.returncode == 0, done.stderr
    out = tmp_path / "processing"
    results = run(
        registry,
        "analyze",
        {**files(folder), "OUT": str(out), "OUTPUT": str(tmp_path / "parcels.gpkg"), "PARTS": "memory:"},
    )
    expected = (tmp_path / "cli" / "analysis.json").read_bytes()
    assert (out / "analysis.json").read_bytes() == expected
    assert (out / "parcels.csv").read_bytes() == (tmp_path / "cli" / "parcels.csv").read_bytes()
    assert Path(results["ANALYSIS"]) == out / "analysis.json"
    held = json.loads(expected)
    assert results["VERDICT"] == held["verdict"] == "fail"
    assert results["CERTIFIABLE"] == held["certifiable"]
    layer = QgsVectorLayer(str(tmp_path / "parcels.gpkg"), "parcels", "ogr")
    assert layer.featureCount() == len(held["parcels"])
    inside = sum(feature["inside"] for feature in layer.getFeatures() if isinstance(feature["inside"], int))
    assert inside == sum(parcel["inside"] or 0 for parcel in held["parcels"])


@pytest.mark.parametrize("folder", CASES)
def test_layers_that_are_no_files_give_the_same_bytes(folder: Path, registry: Any, tmp_path: Path) -> None:
    command_line(folder, tmp_path / "cli")
    parameters: dict[str, Any] = files(folder)
    for name in ("PARCELS", "TOWNS", "TERRITORY", "BUILDINGS", "CITIES_VILLAGES"):
        layer = QgsVectorLayer(parameters[name], name.lower(), "ogr")
        copy = layer.materialize(QgsFeatureRequest())
        copy.setName(name.lower())
        QgsProject.instance().addMapLayer(copy)
        parameters[name] = copy.id()
    run(registry, "analyze", {**parameters, "OUT": str(tmp_path / "out"), "OUTPUT": "memory:"})
    assert (tmp_path / "out" / "analysis.json").read_bytes() == (tmp_path / "cli" / "analysis.json").read_bytes()


def test_fields_edition_and_width_reach_core(registry: Any, tmp_path: Path) -> None:
    given = {**files(SAMPLE), "OUT": str(tmp_path / "out"), "OUTPUT": "memory:"}
    run(registry, "analyze", {**given, "EDITION": "2024", "SLIVER_WIDTH_FT": "0.5", "FIELDS": ["land_av=TOTAL_AV"]})
    done = command_line(
        SAMPLE, tmp_path / "cli", **{"edition": "2024", "sliver-width-ft": "0.5", "field": "land_av=TOTAL_AV"}
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out" / "analysis.json").read_bytes() == (tmp_path / "cli" / "analysis.json").read_bytes()


def test_in_a_model(registry: Any, tmp_path: Path) -> None:
    model = QgsProcessingModelAlgorithm("Petition", "petition")
    source = QgsProcessingModelParameter("boundary")
    model.addModelParameter(QgsProcessingParameterVectorLayer("boundary", "Boundary"), source)
    child = QgsProcessingModelChildAlgorithm("villagepetition:analyze")
    child.setChildId("analyze")
    static = QgsProcessingModelChildParameterSource.fromStaticValue
    for name, value in {**files(SAMPLE), "OUT": str(tmp_path / "out"), "EDITION": "2004"}.items():
        child.addParameterSources(name, [static(value)])
    child.addParameterSources("TERRITORY", [QgsProcessingModelChildParameterSource.fromModelParameter("boundary")])
    output = QgsProcessingModelOutput("parcels")
    output.setChildId("analyze")
    output.setChildOutputName("OUTPUT")
    child.setModelOutputs({"parcels": output})
    model.addChildAlgorithm(child)
    model.updateDestinationParameters()
    context = QgsProcessingContext()
    context.setProject(QgsProject.instance())
    results, ok = model.run(
        {"boundary": str(SAMPLE / "territory.gpkg"), "analyze:parcels": str(tmp_path / "model.gpkg")},
        context,
        QgsProcessingFeedback(),
    )
    assert ok
    command_line(SAMPLE, tmp_path / "cli")
    assert (tmp_path / "out" / "analysis.json").read_bytes() == (tmp_path / "cli" / "analysis.json").read_bytes()
    assert QgsVectorLayer(results["analyze:parcels"], "parcels", "ogr").featureCount() > 0


def test_it_is_thread_safe_and_in_a_group_of_its_own(registry: Any) -> None:
    for name in ("analyze", "areatest"):
        algorithm = registry.algorithmById(f"villagepetition:{name}")
        assert not algorithm.flags() & QgsProcessingAlgorithm.Flag.FlagNoThreading
        assert algorithm.flags() & QgsProcessingAlgorithm.Flag.FlagCanCancel
        assert "§ 2-20" in algorithm.shortHelpString()
        assert algorithm.displayName()
        assert algorithm.canExecute() == (True, "")
    assert not registry.providerById("villagepetition").icon().isNull()


def test_cancel_stops_it_and_writes_nothing(registry: Any, tmp_path: Path) -> None:
    class Impatient(Heard):
        def setProgress(self, progress: float) -> None:
            if progress > 0:
                self.cancel()

    with pytest.raises(QgsProcessingException, match="^Cancelled.$"):
        run(registry, "analyze", {**files(SAMPLE), "OUT": str(tmp_path / "out"), "OUTPUT": "memory:"}, Impatient())
    assert not (tmp_path / "out" / "analysis.json").exists()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"PARCELS": "/nowhere/parcels.gpkg"}, "parcels.gpkg"),
        ({"PARCELS": f"{SAMPLE / 'parcels.gpkg'}|layername=nothing"}, "nothing"),
        ({"RATES": "/nowhere/rates.csv"}, "rates.csv"),
        ({"FIELDS": ["total_av"]}, "FIELDS “total_av” is not NAME=FIELD"),
        ({"FIELDS": ["total_av=NO_SUCH"]}, "NO_SUCH"),
        ({"SLIVER_WIDTH_FT": "one"}, "one"),
        ({"TERRITORY": str(SAMPLE / "streets.gpkg")}, "streets.gpkg"),
    ],
)
def test_refusals_are_sentences_and_nothing_is_written(
    change: dict[str, Any], words: str, registry: Any, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    with pytest.raises(QgsProcessingException) as refused:
        run(registry, "analyze", {**files(SAMPLE), "OUT": str(out), "OUTPUT": "memory:", **change})
    text = str(refused.value)
    assert words in text
    assert "Traceback" not in text
    assert all(line.endswith(".") and words in line for line in text.splitlines())
    assert not out.exists() or not any(out.iterdir())


def territory(wkt: str, crs: str) -> QgsVectorLayer:
    layer = QgsVectorLayer(f"Polygon?crs={crs}", "Boundary", "memory")
    feature = QgsFeature()
    feature.setGeometry(QgsGeometry.fromWkt(wkt))
    layer.dataProvider().addFeatures([feature])
    QgsProject.instance().addMapLayer(layer)
    return layer


def test_area_without_parcels(registry: Any) -> None:
    square = QgsGeometry.fromRect(QgsRectangle(1000000, 900000, 1010560, 905280)).asWkt()
    results = run(registry, "areatest", {"TERRITORY": territory(square, "EPSG:2262")})
    assert results["STATUS"] == "pass"
    assert 1.99 < float(results["SQUARE_MILES"]) < 2.01
    assert len(results["SQUARE_MILES"].partition(".")[2]) == 6
    assert (results["PARTS"], results["HOLES"]) == (1, 0)
    assert results["CITY_VILLAGE"] == "not_applicable"


def test_area_in_degrees_needs_no_parcels_either(registry: Any) -> None:
    big = "POLYGON((-79.4 42.4,-79.3 42.4,-79.3 42.5,-79.4 42.5,-79.4 42.4))"
    results = run(registry, "areatest", {"TERRITORY": territory(big, "EPSG:4326")})
    assert results["STATUS"] == "fail"
    assert 35 < float(results["SQUARE_MILES"]) < 36


@pytest.mark.skipif(not LAKESHORE.is_dir(), reason="no shared data")
def test_area_of_the_lakeshore_case(registry: Any) -> None:
    results = run(
        registry,
        "areatest",
        {"TERRITORY": str(LAKESHORE / "territory.gpkg"), "CITIES_VILLAGES": str(LAKESHORE / "cities_villages.gpkg")},
    )
    assert results["SQUARE_MILES"] == "3.389489"
    assert results["STATUS"] == "pass"
    assert results["CITY_VILLAGE"] == "pass"


@pytest.mark.skipif(not LAKESHORE.is_dir(), reason="no shared data")
def test_a_whole_town_passes_on_ground_d(registry: Any) -> None:
    towns = QgsVectorLayer(str(LAKESHORE / "towns.gpkg"), "towns", "ogr")
    pomfret = next(feature for feature in towns.getFeatures() if feature["NAME"] == "Pomfret")
    layer = territory(pomfret.geometry().asWkt(17), "EPSG:2262")
    given = {"TERRITORY": layer, "TOWNS": str(LAKESHORE / "towns.gpkg")}
    alone = run(registry, "areatest", given)
    assert (alone["STATUS"], float(alone["SQUARE_MILES"]) > 5) == ("fail", True)
    whole = run(registry, "areatest", {**given, "GROUND": "d"})
    assert (whole["STATUS"], whole["SQUARE_MILES"]) == ("pass", alone["SQUARE_MILES"])
    assert "Pomfret" in whole["REASON"]


@pytest.mark.window
@pytest.mark.parametrize("folder", CASES)
def test_qgis_process_gives_the_same_bytes(folder: Path, real_window: Any, tmp_path: Path) -> None:
    program = shutil.which("qgis_process.bin") or shutil.which("qgis_process")
    if program is None:
        pytest.skip("no qgis_process here")
    realwindow = sys.modules["realwindow"]
    home = tmp_path / "home"
    profile = home / "share" / "QGIS" / "QGIS3" / "profiles" / "default"
    realwindow.make_profile(home)
    profile.parent.parent.mkdir(parents=True)
    os.rename(home / "profiles", profile.parent)
    home.chmod(0o700)
    env = {
        **realwindow.environment(home),
        "QT_QPA_PLATFORM": "offscreen",
        "TZ": "Pacific/Auckland",
        "LC_ALL": "de_DE.UTF-8",
    }
    given = [f"{name}={path}" for name, path in files(folder).items()]
    done = subprocess.run(
        [program, "run", "villagepetition:analyze", *given, f"OUT={tmp_path / 'out'}", f"OUTPUT={tmp_path / 'p.gpkg'}"],
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "VERDICT:\tfail" in done.stdout
    command_line(folder, tmp_path / "cli")
    assert (tmp_path / "out" / "analysis.json").read_bytes() == (tmp_path / "cli" / "analysis.json").read_bytes()
    refused = subprocess.run(
        [program, "run", "villagepetition:analyze", *given[1:], "PARCELS=/no/parcels.gpkg", f"OUT={tmp_path / 'no'}"],
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert refused.returncode == 1
    assert "There is no file parcels.gpkg. Check the name and the folder." in refused.stderr
    assert "Traceback" not in refused.stdout + refused.stderr
    assert not (tmp_path / "no").exists()
