"""The law as data: complete, cited, and nowhere else."""

from __future__ import annotations

import ast
import json
import re
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from village_petition.core import editions
from village_petition.core.editions import (
    edition_ids,
    load_edition,
    person_names,
    rules_sha256,
    state_plane_zones,
)
from village_petition.core.model import InputError

CORE = Path(__file__).resolve().parents[2] / "core"
RULES = CORE / "rules"
TESTS = ("valuation.part.065800", "valuation.overall", "voters", "population", "area", "city_village")
REQUIREMENTS = (
    "name",
    "basis",
    "population_alleged",
    "area_ground",
    "designees",
    "exhibit.description",
    "exhibit.inhabitants",
    "exhibit.study",
    "signature_pages",
    "certificates",
    "filing.original",
    "filing.copies",
    "filing.deposit",
    "deadline.notice",
)
WITHOUT_LAW = {"V-35", "V-37", "V-38", "V-40", "V-41", "V-43"}


def raw(edition: str) -> Any:
    return json.loads((RULES / f"{edition}.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("edition", edition_ids())
def test_every_parameter_is_complete(edition: str) -> None:
    for name, parameter in raw(edition)["parameters"].items():
        keys = {"value", "unit", "from", "to", "citation"}
        assert set(parameter) - {"comparison"} == keys, name
        assert parameter["unit"] and parameter["citation"], name
        assert parameter.get("comparison", "<") in (">", ">=", "<", "<="), name
        for end in ("from", "to"):
            assert parameter[end] is None or date.fromisoformat(parameter[end]), name


@pytest.mark.parametrize("edition", edition_ids())
def test_every_code_test_and_requirement_is_cited(edition: str) -> None:
    law = load_edition(edition)
    for key in (*TESTS, *REQUIREMENTS):
        assert law.citation(key).strip(), key
    codes = [f"V-{number:02d}" for number in range(1, 49)]
    assert {code for code in codes if not law.citation(code)} == WITHOUT_LAW


def test_citations_of_the_old_law() -> None:
    law = load_edition("2004")
    assert law.citation("valuation.part.065800") == law.citation("valuation.overall") == "§ 2-202(1)(a)(2)"
    assert law.citation("voters") == "§ 2-202(1)(a)(1)"
    assert law.citation("deposit") == "§ 2-202(1)(f)(2)"
    with pytest.raises(KeyError):
        law.citation("V-99")
    with pytest.raises(KeyError):
        law.citation("nothing.here")


def test_the_two_editions() -> None:
    old, new = load_edition("2004"), load_edition("2024")
    assert (old.in_force_from, old.in_force_to) == (None, date(2023, 12, 31))
    assert (new.in_force_from, new.in_force_to) == (date(2024, 1, 1), None)
    assert (old.bases, new.bases) == (("voters", "valuation"), ("voters",))
    assert (old.whole("population_minimum"), new.whole("population_minimum")) == (500, 1500)
    assert old.number("valuation_threshold") == Fraction(1, 2) and old.comparison("valuation_threshold") == ">"
    assert old.number("voters_threshold") == Fraction(1, 5) and old.comparison("voters_threshold") == ">="
    assert old.number("square_metres_per_square_mile") == Fraction("2589988.110336")
    assert old.number("square_metres_per_square_mile") == 640 * old.number("square_metres_per_acre")
    assert (old.text("burden_of_proof"), new.text("burden_of_proof")) == ("on the objectors", "")
    assert not old.has("study_public_days") and new.whole("study_public_days") == 90
    assert [ground["id"] for ground in old.data("transition")] == ["saved_2017_2019", "election_noticed"]
    assert all(len(conflict["readings"]) == 2 and conflict["used"] for conflict in new.data("conflicts"))


@pytest.mark.parametrize(
    ("name", "value", "holds"),
    [
        ("valuation_threshold", Fraction(1, 2), False),
        ("valuation_threshold", Fraction(250001, 500001), True),
        ("voters_threshold", Fraction(1, 5), True),
        ("voters_threshold", Fraction(145, 726), False),
        ("area_maximum_square_miles", Fraction(5), True),
        ("area_maximum_square_miles", Fraction("5.000001"), False),
    ],
)
def test_limits_are_kept_exactly(name: str, value: Fraction, holds: bool) -> None:
    assert load_edition("2004").holds(value, name) is holds


def test_whole_refuses_a_fraction() -> None:
    with pytest.raises(ValueError, match="valuation_threshold is not a whole number"):
        load_edition("2004").whole("valuation_threshold")


def test_an_unknown_edition_is_refused_by_name() -> None:
    with pytest.raises(InputError, match=r"no edition “1999”.*2004, 2024"):
        load_edition("1999")
    with pytest.raises(InputError, match="no edition “names”"):
        load_edition("names")


def test_hash_does_not_see_layout_but_sees_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = rules_sha256()
    for path in RULES.glob("*.json"):
        content = json.loads(path.read_text(encoding="utf-8"))
        (tmp_path / path.name).write_text(json.dumps(content, indent=7), encoding="utf-8")
    monkeypatch.setattr(editions, "RULES", tmp_path)
    assert rules_sha256.__wrapped__() == before
    changed = json.loads((tmp_path / "2004.json").read_text(encoding="utf-8"))
    changed["parameters"]["deposit"]["value"] += 1
    (tmp_path / "2004.json").write_text(json.dumps(changed), encoding="utf-8")
    assert rules_sha256.__wrapped__() != before


def test_every_county_has_its_state_plane_zone() -> None:
    zones = state_plane_zones()
    assert len(zones) == 62
    assert {zone["epsg"] for zone in zones.values()} == {2260, 2261, 2262, 2263}
    assert zones["06"] == {"county": "Chautauqua", "zone": "West", "epsg": 2262}
    assert zones["50"] == {"county": "Tompkins", "zone": "Central", "epsg": 2261}
    assert zones["01"]["epsg"] == 2260 and zones["28"]["epsg"] == 2263 and zones["55"]["county"] == "Westchester"


@pytest.mark.parametrize(
    "name",
    ["LLC", "TRUSTEE", "OWNER UNKNOWN", "LIBER 2113", "LIBER 2113 PAGE 7", "FAMILY LTD PARTNERSHIP", "-", "?", "N/A"],
)
def test_names_that_are_no_person(name: str) -> None:
    assert person_names().is_nobody(name)


@pytest.mark.parametrize(
    "name",
    ["SMITH J", "ZAIVIT ROCRAR LLC", "CHURCH LANE DEFAND", "LIBERTY BELL", "L JONES", "INCE MARY", "MUÑOZ", "陳"],
)
def test_names_that_are_somebody(name: str) -> None:
    assert not person_names().is_nobody(name)


@pytest.mark.parametrize(
    ("name", "bare", "meaning"),
    [
        ("SMITH J ETAL", "SMITH J", "unknown_more"),
        ("SMITH J ET AL", "SMITH J", "unknown_more"),
        ("SMITH J, ET AL.", "SMITH J", "unknown_more"),
        ("SMITH J ET UX", "SMITH J", "one_more"),
        ("SMITH M ET VIR", "SMITH M", "one_more"),
        ("ET AL", "", "unknown_more"),
        ("SMITH J", "SMITH J", ""),
        ("METAL", "METAL", ""),
        ("COMET AL JR", "COMET AL JR", ""),
        ("JONES CO.", "JONES CO.", ""),
    ],
)
def test_endings_of_roll_names(name: str, bare: str, meaning: str) -> None:
    assert person_names().split_ending(name) == (bare, meaning)


LEGAL = {500, 1500, 6000, 250, 366, 2004, 2017, 2019, 2023, 2024, 2040}
"""Numbers that are law wherever they stand; small ones are law only where a law's name is near."""

LEGAL_TEXT = re.compile(r"^(1/2|1/5|20/100|50/100|2589988\.110336|20(17|19|23|24|40)-\d\d(-\d\d)?)$")


@pytest.mark.parametrize("path", sorted(CORE.glob("*.py")), ids=lambda path: path.name)
def test_no_legal_number_stands_in_code(path: Path) -> None:
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant):
            number = type(node.value) in (int, float) and node.value in LEGAL
            text = isinstance(node.value, str) and LEGAL_TEXT.match(node.value)
            if number or text:
                found.append((node.lineno, node.value))
    assert found == []


PERIODS = {15, 20, 30, 40, 90, 100, 120, 180}
CLOCK = ("deadlines", "requirements", "signature_pages", "transition", "verdict", "voters", "majority")


@pytest.mark.parametrize("module", CLOCK)
def test_no_period_or_count_stands_in_the_modules_of_the_law(module: str) -> None:
    tree = ast.parse((CORE / f"{module}.py").read_text(encoding="utf-8"))
    numbers = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and type(node.value) is int}
    assert numbers & PERIODS == set()
    fractions = [
        tuple(getattr(argument, "value", None) for argument in node.args)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Fraction"
    ]
    assert not {(1, 2), (1, 5)} & set(fractions)
