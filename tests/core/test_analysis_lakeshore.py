"""The lakeshore case of two towns: every figure of the independent calculation, and every known fault named."""

from __future__ import annotations

import csv
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

POMFRET, DUNKIRK = "065800", "066800"
CLOSE = Fraction(1, 10**9)


@pytest.fixture(scope="session")
def golden(shared: Path) -> Any:
    return json.loads((shared / "golden" / "lakeshore_clean.json").read_text(encoding="utf-8"))


def near(text: str, value: float) -> bool:
    return abs(Fraction(text) - Fraction(value)) < CLOSE


def test_verdict_and_classes(lakeshore_clean: Any, golden: Any) -> None:
    assert lakeshore_clean.verdict == golden["verdict"] == "fail"
    assert lakeshore_clean.json["certifiable"] is golden["certifiable"] is False
    assert {name: lakeshore_clean.proof[name] for name in golden["proof"]} == golden["proof"]
    assert lakeshore_clean.json["territory"]["square_miles"] == golden["square_miles"]


@pytest.mark.parametrize("swis", [POMFRET, DUNKIRK])
def test_parts(swis: str, lakeshore_clean: Any, golden: Any) -> None:
    part, expected = lakeshore_clean.part(swis), golden["parts"][swis]
    assert (part["value"], part["signed"]) == (expected["value"], expected["signed"])
    assert part["share"] == str(Fraction(expected["signed"]) / expected["value"])
    assert near(part["share"], expected["share"])


def test_the_total_passes_while_one_part_fails(lakeshore_clean: Any, golden: Any) -> None:
    assert lakeshore_clean.test(f"valuation.part.{POMFRET}")["status"] == "pass"
    assert lakeshore_clean.test(f"valuation.part.{DUNKIRK}")["status"] == "fail"
    overall = lakeshore_clean.test("valuation.overall")
    assert overall["status"] == "pass"
    assert near(overall["value"], golden["overall"]["share"])
    full = sum(Fraction(part["full_value"]) for part in lakeshore_clean.json["parts"])
    assert full == Fraction(golden["overall"]["full"])


def test_without_roll_section_8(lakeshore_clean: Any, golden: Any) -> None:
    without = lakeshore_clean.json["alternatives"]["without_roll_section_8"]
    assert {part["swis"]: (part["value"], part["signed"]) for part in without["parts"]} == {
        swis: (part["value"], part["signed"]) for swis, part in golden["without_roll_section_8"].items()
    }
    for part in without["parts"]:
        assert near(part["share"], golden["without_roll_section_8"][part["swis"]]["share"])
    assert without["flips"] is (without["verdict"] != lakeshore_clean.verdict)


def test_voters(lakeshore_clean: Any, golden: Any) -> None:
    expected, counted = golden["voters"], lakeshore_clean.analysis.voters
    assert (counted.inhabitants, counted.qualified, counted.signed, counted.undecided) == (
        expected["inhabitants"],
        expected["qualified"],
        expected["signed"],
        expected["undecided"],
    )
    assert lakeshore_clean.test("voters")["value"] == expected["value"]
    assert lakeshore_clean.test("population")["value"] == f"{expected['inhabitants']}/1"


def test_signers(lakeshore_clean: Any, golden: Any) -> None:
    statuses = [signer["status"] for signer in lakeshore_clean.json["signers"]]
    assert {status: statuses.count(status) for status in set(statuses)} == golden["signer_statuses"]


def test_every_split_parcel(lakeshore_clean: Any, golden: Any) -> None:
    ours = {f"{one['swis']} {one['print_key']}": one for one in lakeshore_clean.json["parcels"]}
    split = {key for key, parcel in ours.items() if parcel["class"] == "split"}
    assert split == set(golden["split"])
    for key, (share, inside, value, method) in golden["split"].items():
        parcel = ours[key]
        assert abs(Fraction(parcel["share"]) - Fraction(share)) <= 2 * CLOSE, key
        assert abs(parcel["inside"] - inside) <= 1, key
        assert (parcel["value"], parcel["method"]) == (value, method), key
        assert parcel["inside"] + parcel["outside"] == value, key


def test_the_credits_of_the_signers_are_those_of_the_parts(lakeshore_clean: Any) -> None:
    for part in lakeshore_clean.json["parts"]:
        credits = (Fraction(one["credits"].get(part["swis"], "0")) for one in lakeshore_clean.json["signers"])
        assert sum(credits) == Fraction(part["signed"])


FAULTS = {
    "one parcel drawn as two rows, roll values repeated": ("V-40", "info"),
    "self-crossing ring": ("V-38", "error"),
    "no assessed value": ("V-39", "error"),
    "number of owners unknown": ("V-18", "error"),
    "five condominium units stacked on this lot": ("V-42", "info"),
    "owner name that names nobody": ("V-34", "warning"),
    "land value above total value": ("V-43", "warning"),
    "roll town differs from the town polygon it lies in": ("V-32", "warning"),
    "polygon without a roll key": ("V-36", "error"),
    "roll row without polygon and not placed": ("V-24", "error"),
    "inhabitants listed twice, their parcel having two rows": ("V-13", "warning"),
}


def test_every_known_fault_is_named(lakeshore_faults: Any, shared: Path) -> None:
    with open(shared / "data" / "lakeshore" / "known_faults.csv", encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert {row["fault"] for row in rows} == set(FAULTS)
    for row in rows:
        code, severity = FAULTS[row["fault"]]
        named = lakeshore_faults.found(code)
        if row["print_key"]:
            assert (severity, row["swis"], row["print_key"]) in named, row
        else:
            assert severity in {found[0] for found in named}, row


def test_the_faults_leave_no_pass(lakeshore_faults: Any) -> None:
    assert lakeshore_faults.verdict == "undecided"
    assert lakeshore_faults.json["certifiable"] is False
    proof = lakeshore_faults.proof
    assert (proof["rows"], proof["keys"], proof["merged_rows"], proof["without_key"]) == (2485, 2483, 1, 1)
    assert lakeshore_faults.parcel("124.00-3-248")["class"] == "set_aside"
    assert lakeshore_faults.parcel("124.00-2-102")["value"] is None
    assert lakeshore_faults.parcel("SF-1")["inside"] is None


def test_the_stacked_units_are_counted_together(lakeshore_faults: Any) -> None:
    (message,) = lakeshore_faults.messages("V-42")
    assert message.startswith("6 units share one footprint: 124.00-3-10, 124.00-3-10./1,")
