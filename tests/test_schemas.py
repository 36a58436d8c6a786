"""The schemas in `docs/` are strict and describe what the program writes and reads."""

from __future__ import annotations

import copy
import importlib
import json
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import jsonschema
import pytest

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = ROOT / "sample"
NAMES = ("analysis", "petition")
Change = Callable[[Any], object]


def _schema(name: str) -> dict[str, Any]:
    schema: dict[str, Any] = json.loads((ROOT / "docs" / f"{name}.schema.json").read_text(encoding="utf-8"))
    return schema


def _faults(name: str, document: Any) -> list[str]:
    validator = jsonschema.Draft202012Validator(_schema(name))
    return [f"{error.json_path}: {error.message[:200]}" for error in validator.iter_errors(document)]


def _objects(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, dict):
        if schema.get("type") == "object":
            yield schema
        for inner in schema.values():
            yield from _objects(inner)
    elif isinstance(schema, list):
        for inner in schema:
            yield from _objects(inner)


def _analyze(folder: Path, inputs: dict[str, str], out: Path) -> dict[str, Any]:
    main = importlib.import_module("village_petition.core.__main__")
    arguments = [word for name, file in inputs.items() for word in (f"--{name}", str(folder / file))]
    assert main.main(["analyze", *arguments, "--out", str(out)]) == 0
    document: dict[str, Any] = json.loads((out / "analysis.json").read_text(encoding="utf-8"))
    return document


FILES = {
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
}


@pytest.fixture(scope="module")
def analysis(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """`analysis.json` of the sample case."""
    return _analyze(SAMPLE, {**FILES, "petition": "petition.json"}, tmp_path_factory.mktemp("schemas"))


@pytest.fixture
def petition() -> Any:
    """`petition.json` of the sample case."""
    return json.loads((SAMPLE / "petition.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", NAMES)
def test_schemas_are_schemas_of_the_draft_they_name(name: str) -> None:
    schema = _schema(name)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    jsonschema.Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("name", NAMES)
def test_no_object_takes_keys_that_nobody_described(name: str) -> None:
    for schema in _objects(_schema(name)):
        assert schema["additionalProperties"] is False or "propertyNames" in schema


def test_analysis_of_the_sample(analysis: dict[str, Any]) -> None:
    assert _faults("analysis", analysis) == []


def test_least_analysis_of_the_sample(tmp_path: Path) -> None:
    least = {name: FILES[name] for name in ("parcels", "towns", "territory", "rates")}
    assert _faults("analysis", _analyze(SAMPLE, least, tmp_path)) == []


@pytest.mark.parametrize("folder", ["lakeshore", "lakeshore/clean"])
def test_analysis_of_the_lakeshore(folder: str, shared: Path, tmp_path: Path) -> None:
    assert _faults("analysis", _analyze(shared / "data" / folder, FILES, tmp_path)) == []


def test_petition_of_the_sample(petition: Any) -> None:
    assert _faults("petition", petition) == []


def test_every_key_of_a_petition_is_described() -> None:
    module = importlib.import_module("village_petition.core.petition")
    properties = _schema("petition")["properties"]
    assert set(properties) == {one.name for one in fields(module.Petition)}
    for key, made in (("transition", module.Transition), ("exhibits", module.Exhibits)):
        assert set(properties[key]["properties"]) == {one.name for one in fields(made)}
    for key, made in (
        ("designees", module.Designee),
        ("witnesses", module.Witness),
        ("parts_without_value", module.PartReason),
    ):
        assert set(properties[key]["items"]["properties"]) == {one.name for one in fields(made)}


@pytest.mark.parametrize(
    "change",
    [
        lambda document: document.update(printed_by="nobody"),
        lambda document: document.pop("proof"),
        lambda document: document.update(verdict="passed"),
        lambda document: document["proof"].update(holds=False),
        lambda document: document["parts"][0].update(share="0.5"),
        lambda document: document["parts"][0].update(signed="1/0"),
        lambda document: document["parts"][0].update(swis="990189"),
        lambda document: document["parcels"][0].update(value=1.5),
        lambda document: document["parcels"][0].update(share="0.35"),
        lambda document: document["parcels"][0].update(method="guess"),
        lambda document: document["tests"][0].update(status="unknown"),
        lambda document: document["signers"][0].update(status="maybe"),
        lambda document: document["findings"][0].update(code="V-49"),
        lambda document: document["territory"].update(square_miles="1.5"),
        lambda document: document["alternatives"].pop("without_roll_section_5"),
    ],
)
def test_what_the_contract_does_not_allow_is_seen(change: Change, analysis: dict[str, Any]) -> None:
    changed = copy.deepcopy(analysis)
    change(changed)
    assert len(_faults("analysis", changed)) > 0


@pytest.mark.parametrize(
    "change",
    [
        lambda document: document.update(village="Juniper"),
        lambda document: document.update(bases=["owners"]),
        lambda document: document.update(filed="20 June 2023"),
        lambda document: document["designees"][0].update(residence=True),
        lambda document: document["deposits"].update({"990100": "6000"}),
        lambda document: document["deposits"].update({"Alder": 6000}),
        lambda document: document["exhibits"].update(study={"certifed": True}),
    ],
)
def test_what_is_no_petition_is_seen(change: Change, petition: Any) -> None:
    change(petition)
    assert len(_faults("petition", petition)) == 1
