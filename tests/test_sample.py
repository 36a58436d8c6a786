"""The sample case in `sample/` is what its script makes, and its verdict is the one that its README tells."""

from __future__ import annotations

import csv
import importlib
import json
import re
import sys
import zipfile
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import shapely
from osgeo import ogr

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = ROOT / "sample"
LAYERS = ("parcels", "towns", "territory", "buildings", "cities_villages", "streets", "waters")
TABLES = ("rates", "owners", "signers", "inhabitants", "roll_without_polygon", "overrides")
SPLIT = 12


@pytest.fixture(scope="module")
def script() -> ModuleType:
    """`scripts/make_sample.py` as a module; its neighbours are found as when it is run by hand."""
    sys.path.insert(0, str(ROOT / "scripts"))
    try:
        return importlib.import_module("make_sample")
    finally:
        sys.path.remove(str(ROOT / "scripts"))


@pytest.fixture(scope="module")
def made(script: ModuleType) -> Any:
    """The case as the script makes it today: layers, tables, petition."""
    return script.make_case()


@pytest.fixture(scope="module")
def analysis(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """`analysis.json` of the sample, written by the command line."""
    main = importlib.import_module("village_petition.core.__main__")
    out = tmp_path_factory.mktemp("sample")
    assert main.main(command(out)) == 0
    result: dict[str, Any] = json.loads((out / "analysis.json").read_text(encoding="utf-8"))
    return result


def command(out: Path) -> list[str]:
    """The arguments that analyze the whole sample case."""
    inputs = {
        "parcels": "parcels.gpkg",
        "towns": "towns.gpkg",
        "territory": "territory.gpkg",
        "rates": "rates.csv",
        "owners": "owners.csv",
        "signers": "signers.csv",
        "inhabitants": "inhabitants.csv",
        "buildings": "buildings.gpkg",
        "cities-villages": "cities_villages.gpkg",
        "unmapped": "roll_without_polygon.csv",
        "overrides": "overrides.csv",
        "petition": "petition.json",
    }
    return [
        "analyze",
        *(word for name, file in inputs.items() for word in (f"--{name}", str(SAMPLE / file))),
        "--out",
        str(out),
    ]


@pytest.mark.parametrize("name", LAYERS)
def test_layers_are_what_the_script_makes(name: str, made: Any) -> None:
    stored = ogr.Open(str(SAMPLE / f"{name}.gpkg"))
    layer = stored.GetLayer(0)
    assert stored.GetLayerCount() == 1
    assert layer.GetName() == name
    assert layer.GetSpatialRef().GetAuthorityCode(None) == "2262"
    features = made[0][name]
    assert layer.GetFeatureCount() == len(features)
    for feature, (attributes, shape) in zip(layer, features):
        assert list(feature.items()) == list(attributes)
        assert feature.items() == attributes
        found = shapely.from_wkb(bytes(feature.GetGeometryRef().ExportToIsoWkb()))
        assert found.geom_type == shape.geom_type
        assert found.is_valid
        assert shapely.equals_exact(found, shape, tolerance=0.011)


@pytest.mark.parametrize("name", TABLES)
def test_tables_are_what_the_script_makes(name: str, made: Any) -> None:
    with (SAMPLE / f"{name}.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.reader(stream))
    expected = made[1][name]
    assert rows[0] == list(expected[0])
    assert rows[1:] == [[str(value) for value in row.values()] for row in expected]


def test_petition_is_what_the_script_makes(made: Any) -> None:
    assert json.loads((SAMPLE / "petition.json").read_text(encoding="utf-8")) == made[2]


def test_files_stay_small() -> None:
    files = sorted(path.name for path in SAMPLE.iterdir())
    expected = [f"{name}.gpkg" for name in LAYERS] + [f"{name}.csv" for name in TABLES]
    assert files == sorted([*expected, "petition.json", "README.md", "sample.qgz"])
    assert sum(path.stat().st_size for path in SAMPLE.iterdir()) < 1_500_000


def test_project_finds_its_layers_wherever_it_lies() -> None:
    with zipfile.ZipFile(SAMPLE / "sample.qgz") as archive:
        text = archive.read("sample.qgs").decode("utf-8")
    sources = re.findall(r"<datasource>([^<]+)</datasource>", text)
    assert sorted(sources) == sorted(f"./{name}.gpkg|layername={name}" for name in LAYERS)
    assert 'saveUser=""' in text
    assert not re.search(r"/(home|root|work|tmp|Users)/", text)


def test_neighbours_share_their_vertices(made: Any) -> None:
    shapes = [shape for _, shape in made[0]["parcels"]]
    left, right = shapely.STRtree(shapes).query(shapes, predicate="overlaps")
    assert len(left) == len(right) == 0
    territory, village = made[0]["territory"][0][1], made[0]["cities_villages"][0][1]
    assert territory.touches(village)
    assert shapely.intersection(territory, village).length > 1000


def test_verdict(analysis: dict[str, Any]) -> None:
    assert analysis["verdict"] == "fail"
    assert analysis["certifiable"] is False
    assert analysis["edition"] == "2004"
    alder, birch = analysis["parts"]
    assert (alder["town"], alder["swis"], alder["value"], alder["signed"]) == ("Alder", "990100", 5431233, "3058675/1")
    assert (birch["town"], birch["swis"], birch["value"], birch["signed"]) == (
        "Birch",
        "990200",
        13981954,
        "13868323/2",
    )
    assert Fraction(birch["share"]) == Fraction(13868323, 2 * 13981954)
    full, signed = (
        sum((Fraction(part[key]) for part in (alder, birch)), Fraction()) for key in ("full_value", "signed_full_value")
    )
    assert full == Fraction(27156165, 2) + Fraction(279639080, 17)
    tests = {test["id"]: test for test in analysis["tests"]}
    assert {name: test["status"] for name, test in tests.items()} == {
        "valuation.part.990100": "pass",
        "valuation.part.990200": "fail",
        "valuation.overall": "pass",
        "voters": "pass",
        "population": "pass",
        "area": "pass",
        "city_village": "pass",
    }
    assert Fraction(tests["valuation.overall"]["value"]) == signed / full
    assert tests["voters"]["value"] == "35/89"
    assert tests["population"]["value"] == "576/1"


def test_every_row_is_accounted_for(analysis: dict[str, Any]) -> None:
    proof = analysis["proof"]
    assert proof["holds"] is True
    counts = {name: proof[name] for name in ("rows", "keys", "inside", "split", "outside", "set_aside", "unmapped")}
    assert counts == {
        "rows": 206,
        "keys": 206,
        "inside": 148,
        "split": SPLIT,
        "outside": 46,
        "set_aside": 0,
        "unmapped": 1,
    }


def test_assessor_and_signers(analysis: dict[str, Any]) -> None:
    split = {row["print_key"]: row for row in analysis["parcels"] if row["class"] == "split"}
    assert [key for key, row in split.items() if row["confirmed"]] == ["3.00-1-1", "4.00-1-1"]
    assert (split["3.00-1-1"]["method"], split["3.00-1-1"]["inside"]) == ("assessor_override", 21500)
    assert (split["4.00-1-1"]["method"], split["4.00-1-1"]["inside"]) == ("land_area_improvement_location", 81877)
    statuses = [line["status"] for line in analysis["signers"]]
    assert {status: statuses.count(status) for status in sorted(set(statuses))} == {
        "credited": len(statuses) - 3,
        "duplicate": 1,
        "incomplete": 1,
        "not_owner": 1,
    }


def test_findings_tell_the_story(analysis: dict[str, Any]) -> None:
    codes = [finding["code"] for finding in analysis["findings"]]
    assert codes.count("V-24") == SPLIT - 2
    assert codes.count("V-46") == 1
    assert "V-42" in codes
    assert not {"V-02", "V-05", "V-33", "V-35", "V-36", "V-38", "V-39", "V-40"} & set(codes)


def test_readme_gives_the_figures(analysis: dict[str, Any]) -> None:
    text = (SAMPLE / "README.md").read_text(encoding="utf-8")
    for part in analysis["parts"]:
        assert f"{float(Fraction(part['share'])) * 100:.2f} %" in text
    for test in analysis["tests"]:
        if test["id"] in ("valuation.overall", "voters"):
            assert f"{float(Fraction(test['value'])) * 100:.2f} %" in text
