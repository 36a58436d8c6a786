"""How results are written: fractions, decimals, the order of keys as the contract has it, the same bytes."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from worlds import BOW_TIE, DUNKIRK, POMFRET, Lot, box, moved, override, unmapped

from village_petition.core.document import as_dict, as_json, decimals, fraction, parcels_csv

KEYS = {
    "": "schema edition bases transition rules_sha256 verdict certifiable territory crs operations sliver_width_ft"
    " proof parts tests requirements parcels signers findings alternatives",
    "territory": "square_miles parts holes corners perimeter_feet",
    "proof": "rows keys merged_rows without_key inside split outside set_aside unmapped value_inside value_outside"
    " value_set_aside value_total holds",
    "parts": "town swis rate roll_year value signed full_value signed_full_value share",
    "tests": "id status reason value low high threshold comparison citation",
    "requirements": "id status reason citation",
    "parcels": "swis print_key class share value inside outside method confirmed owners signed_owners credit",
    "signers": "page line name status credits",
    "findings": "code severity message swis print_key citation",
}


@pytest.fixture(scope="module")
def found(world: Any) -> Any:
    lots = [
        Lot("10", box(10, 10, 20, 20), 100_001, "ANN"),
        Lot("9", box(90, 0, 110, 20), 50_000, "BOB", other="ANN"),
        Lot("tie", moved(BOW_TIE, 40, 40), 8_000, "DEE"),
        Lot("10", box(120, 0, 130, 10), 9, "CY", swis=DUNKIRK),
        Lot("far", box(400, 0, 410, 10), 77),
    ]
    return world(
        lots,
        [box(0, 0, 100, 100), box(115, 0, 140, 20)],
        towns={DUNKIRK: ("Dunkirk", box(115, -99, 999, 99)), POMFRET: ("Pomfret", box(-99, -99, 115, 199))},
        rates={DUNKIRK: "52.00", POMFRET: "14.50"},
        signers=["STRANGER “É”", "ANN", "ANN", ""],
        unmapped=[unmapped("SF", 5, "2")],
        overrides=[override("9", 25_000)],
        petition={"bases": ["valuation"], "filed": "2023-06-01", "transition": {"ground": "none", "evidence": "x"}},
    ).analyze()


@pytest.mark.parametrize("path", KEYS)
def test_keys_stand_in_the_order_of_the_contract(path: str, found: Any) -> None:
    objects = [found.json] if not path else found.json[path]
    for each in objects if isinstance(objects, list) else [objects]:
        assert list(each) == KEYS[path].split()


def test_alternatives(found: Any) -> None:
    assert list(found.json["alternatives"]) == ["without_roll_section_5", "without_roll_section_8"]
    for other in found.json["alternatives"].values():
        assert list(other) == ["parts", "tests", "verdict", "flips"]
        assert list(other["parts"][0]) == KEYS["parts"].split()
        assert list(other["tests"][0]) == KEYS["tests"].split()


def test_operations_say_how_a_layer_came_into_the_crs(world: Any) -> None:
    made = world([Lot("1", box(10, 10, 20, 20))], box(0, 0, 100, 100))
    made.crs = "EPSG:26918"
    made.lots = [Lot("1", None), Lot("2", None)]
    # Both layers lie elsewhere in that CRS: only the operation is looked at.
    made.unmapped = [unmapped("SF", 5, "2")]
    (towns, territory) = made.analyze().json["operations"]
    assert list(towns) == ["layer", "from", "to", "name", "accuracy_m"]
    assert (towns["layer"], territory["layer"]) == ("towns", "territory")
    assert (towns["from"], towns["to"]) == ("EPSG:2262", "EPSG:26918")


def test_order_of_rows(found: Any) -> None:
    json_ = found.json
    assert [part["swis"] for part in json_["parts"]] == [POMFRET, DUNKIRK]
    assert [(one["swis"], one["print_key"]) for one in json_["parcels"]] == [
        (POMFRET, "10"),
        (POMFRET, "9"),
        (POMFRET, "SF"),
        (POMFRET, "tie"),
        (DUNKIRK, "10"),
    ]
    assert [(one["page"], one["line"]) for one in json_["signers"]] == [(1, 1), (1, 2), (1, 3), (1, 4)]
    assert [one["status"] for one in json_["signers"]] == ["not_owner", "credited", "duplicate", "incomplete"]
    findings = [tuple(one[name] for name in ("code", "swis", "print_key", "message")) for one in json_["findings"]]
    assert findings == sorted(set(findings))


def test_fractions_and_decimals_of_a_case(found: Any) -> None:
    by_key = {(one["swis"], one["print_key"]): one for one in found.json["parcels"]}
    assert by_key[(POMFRET, "10")]["credit"] == "100001/1"
    assert by_key[(POMFRET, "9")]["credit"] == "12500/1"
    assert by_key[(POMFRET, "9")]["share"] == "0.500000000"
    assert by_key[(POMFRET, "tie")]["share"] is None
    assert by_key[(POMFRET, "tie")]["credit"] == "0/1"
    assert found.part()["signed"] == "112501/1"
    assert found.part()["share"] == "112501/125003"
    assert found.part(DUNKIRK)["share"] == "0/1"
    assert found.json["signers"][1]["credits"] == {POMFRET: "112501/1"}
    assert found.json["transition"] == {"ground": "none", "evidence": "x", "concluded": None}
    assert found.test("area")["value"] == str(Fraction(found.json["territory"]["square_miles"]))


def test_every_figure_that_decides_is_in_lowest_terms(found: Any) -> None:
    def texts(node: Any) -> Any:
        if isinstance(node, dict):
            for name, value in node.items():
                yield from texts(value) if not isinstance(value, str) else [(name, value)]
        elif isinstance(node, list):
            for value in node:
                yield from texts(value)

    names = ("signed", "full_value", "signed_full_value", "value", "low", "high", "threshold", "credit", POMFRET)
    figures = [text for name, text in texts(found.json) if name in names]
    assert len(figures) > 40
    for text in figures:
        value = Fraction(text)
        assert text == f"{value.numerator}/{value.denominator}"
    assert not any(isinstance(value, float) for value in walk(found.json))


def walk(node: Any) -> Any:
    yield node
    for value in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from walk(value)


def test_the_text_is_utf8_json_that_ends_with_a_line(found: Any) -> None:
    text = as_json(found.analysis)
    assert json.loads(text) == as_dict(found.analysis)
    assert text.endswith("}\n") and "\r" not in text
    assert "STRANGER “É”" in text


def test_the_same_bytes_each_time(found: Any) -> None:
    assert as_json(found.analysis) == as_json(found.analysis)


def test_no_place_time_or_row_of_this_computer_is_in_it(found: Any) -> None:
    text = as_json(found.analysis)
    for word in (".gpkg", ".csv", "/tmp", "row 2", "0x"):
        assert word not in text, word


def test_csv_quotes_what_needs_it() -> None:
    row = dict.fromkeys(KEYS["parcels"].split())
    text = parcels_csv([{**row, "swis": "065800", "print_key": '1,2"3', "confirmed": True, "inside": 0}])
    assert text == (",".join(KEYS["parcels"].split()) + "\n" + '065800,"1,2""3",,,,0,,,true,,,' + "\n")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(1, 2), "1/2"),
        (Fraction(650_000), "650000/1"),
        (Fraction(0), "0/1"),
        (Fraction(6, 4), "3/2"),
        (None, None),
    ],
)
def test_fraction(value: Any, text: Any) -> None:
    assert fraction(value) == text


@pytest.mark.parametrize(
    ("value", "places", "text"),
    [
        (Fraction("0.35"), 9, "0.350000000"),
        (Fraction(1), 9, "1.000000000"),
        (Fraction(0), 9, "0.000000000"),
        (Fraction("3.389489"), 6, "3.389489"),
        (Fraction("0.000000001"), 9, "0.000000001"),
        (Fraction("12345.000001"), 6, "12345.000001"),
    ],
)
def test_decimals(value: Fraction, places: int, text: str) -> None:
    assert decimals(value, places) == text


@given(st.integers(0, 10**12))
def test_decimals_lose_nothing(scaled: int) -> None:
    text = decimals(Fraction(scaled, 10**9), 9)
    assert Fraction(text) == Fraction(scaled, 10**9)
    assert len(text.split(".")[1]) == 9
