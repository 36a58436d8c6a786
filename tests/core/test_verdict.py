"""The verdict, what blocks a certificate, and what the verdict rests on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Optional

import pytest

from village_petition.core.crediting import credit
from village_petition.core.editions import load_edition
from village_petition.core.model import Finding, OwnerRow, Parcel, SignerLine, TestResult, Town
from village_petition.core.ownership import owners_by_parcel
from village_petition.core.verdict import (
    Case,
    alleged_bases,
    alternatives,
    certifiable,
    nobodies_finding,
    verdict,
)

OLD, NEW = load_edition("2004"), load_edition("2024")
A = Town("0101", "010100", "Alpha")


def results(**statuses: str) -> list[TestResult]:
    ids = {"part": "valuation.part.010100", "overall": "valuation.overall"}
    return [TestResult(ids.get(name, name), status, "") for name, status in statuses.items()]


@pytest.mark.parametrize(
    ("statuses", "bases", "outcome"),
    [
        ({"part": "pass", "overall": "pass"}, ("valuation",), "pass"),
        ({"part": "fail", "overall": "pass"}, ("valuation",), "fail"),
        ({"part": "undecided", "overall": "pass"}, ("valuation",), "undecided"),
        ({"part": "undecided", "overall": "fail"}, ("valuation",), "fail"),
        ({"part": "not_applicable", "overall": "pass"}, ("valuation",), "pass"),
        ({"part": "not_applicable", "overall": "not_applicable"}, ("valuation",), "undecided"),
        ({"part": "fail", "overall": "fail", "voters": "pass"}, ("valuation",), "fail"),
        ({"part": "fail", "overall": "fail", "voters": "pass"}, ("valuation", "voters"), "pass"),
        ({"part": "fail", "overall": "fail", "voters": "not_applicable"}, ("valuation", "voters"), "undecided"),
        ({"voters": "fail"}, ("voters",), "fail"),
        ({}, ("voters",), "undecided"),
        ({"voters": "pass", "area": "fail"}, ("voters",), "fail"),
        ({"voters": "pass", "area": "not_applicable", "population": "pass"}, ("voters",), "pass"),
        ({"voters": "pass", "city_village": "undecided"}, ("voters",), "undecided"),
        ({"voters": "undecided", "population": "fail"}, ("voters",), "fail"),
        ({"voters": "fail", "area": "undecided"}, ("voters",), "fail"),
    ],
)
def test_verdict(statuses: dict[str, str], bases: Sequence[str], outcome: str) -> None:
    assert verdict(results(**statuses), bases, OLD) == outcome


def test_a_basis_that_the_edition_lacks() -> None:
    tests = results(part="not_applicable", overall="not_applicable", voters="pass")
    assert verdict(tests, ("valuation",), NEW) == "fail"
    assert verdict(tests, ("valuation", "voters"), NEW) == "pass"


def test_alleged_bases() -> None:
    assert alleged_bases(None, OLD) == alleged_bases((), OLD) == ("valuation",)
    assert alleged_bases(None, NEW) == ("voters",)
    assert alleged_bases(("voters", "valuation"), OLD) == ("voters", "valuation")


def parcel(
    key: str, inside: Optional[int], section: str = "1", place: str = "inside", confirmed: bool = False
) -> Parcel:
    return Parcel(A.swis, key, place, None, inside, None, inside, "whole", confirmed, section)


def case_of(
    parcels: Sequence[Parcel], owners: dict[str, list[str]], signers: Sequence[str]
) -> tuple[Case, object, frozenset[str]]:
    rows = [OwnerRow(A.swis, key, name) for key, names in owners.items() for name in names]
    found, _ = owners_by_parcel(parcels, rows, OLD)
    lines = [SignerLine(1, number, name, "1 Elm St", "Alpha", "") for number, name in enumerate(signers, 1)]
    ledger = credit(parcels, found, lines, OLD)
    case = Case(parcels, ledger.ownership, [A], {}, OLD, True, ("valuation",))
    return case, found, ledger.signed


def finding(code: str, severity: str = "error") -> Finding:
    return Finding(code, severity, "")


@pytest.mark.parametrize(
    ("findings", "allowed"),
    [
        ([], True),
        ([finding("V-21"), finding("V-04"), finding("V-05"), finding("V-08")], True),
        ([finding("V-34", "warning"), finding("V-48", "info")], True),
        ([finding("V-24")], False),
        ([finding("V-44")], False),
    ],
)
def test_findings_that_block_a_certificate(findings: list[Finding], allowed: bool) -> None:
    case, _, _ = case_of([parcel("1", 10)], {"1": ["ANN"]}, ["ANN"])
    assert certifiable(findings, case.parcels, case.ownership, [], ("valuation",)) is allowed


@pytest.mark.parametrize(
    ("each", "owners", "allowed"),
    [
        (parcel("1", 10, place="split", confirmed=True), ["ANN"], True),
        (parcel("1", 10, place="split"), ["ANN"], False),
        (parcel("1", None, place="set_aside"), ["ANN"], False),
        (parcel("1", None, place="unmapped"), ["ANN"], False),
        (parcel("1", 10, place="unmapped"), ["ANN"], True),
        (parcel("1", 10), [], False),
        (parcel("1", 0, place="outside"), [], True),
    ],
)
def test_parcels_that_block_a_certificate(each: Parcel, owners: list[str], allowed: bool) -> None:
    case, _, _ = case_of([each], {"1": owners}, [])
    assert certifiable([], case.parcels, case.ownership, [], ("valuation",)) is allowed


def test_undecided_voters_block_only_a_voters_petition() -> None:
    test = TestResult("voters", "pass", "", Fraction(1, 4), Fraction(1, 5), Fraction(1, 3))
    assert certifiable([], [], {}, [test], ("valuation",))
    assert not certifiable([], [], {}, [test], ("voters",))
    assert certifiable([], [], {}, [replace(test, low=test.value, high=test.value)], ("voters",))
    assert not certifiable([], [], {}, [TestResult("area", "undecided", "")], ("voters",))


@pytest.mark.parametrize("section", ["8", "08", " 8 "])
def test_v25_where_the_verdict_rests_on_exempt_parcels(section: str) -> None:
    parcels = [parcel("1", 210), parcel("2", 190), parcel("3", 100, section)]
    case, _, _ = case_of(parcels, {"1": ["ANN"], "2": ["BOB"], "3": ["CHURCH OF X"]}, ["ANN"])
    found, (said,) = alternatives(case, (), "fail")
    assert (found["without_roll_section_8"].verdict, found["without_roll_section_8"].flips) == ("pass", True)
    assert (found["without_roll_section_5"].verdict, found["without_roll_section_5"].flips) == ("fail", False)
    assert (said.code, said.severity) == ("V-25", "warning")
    assert "roll section 8 (wholly exempt, 1 parcel, $100 inside)" in said.message
    assert "would be pass instead of fail" in said.message


def test_an_alternative_is_held_to_the_other_tests_too() -> None:
    case, _, _ = case_of([parcel("1", 210), parcel("3", 300, "8")], {"1": ["ANN"], "3": ["X"]}, ["ANN"])
    found, said = alternatives(case, results(area="fail"), "fail")
    assert not found["without_roll_section_8"].flips and said == ()


def test_the_verdict_without_names_that_are_nobody() -> None:
    parcels = [parcel("1", 100), parcel("2", 60)]
    case, owners, signed = case_of(parcels, {"1": ["ANN", "LLC"], "2": ["BOB"]}, ["ANN"])
    (said,) = nobodies_finding(case, owners, signed, (), "fail")  # type: ignore[arg-type]
    assert (said.code, said.severity, said.print_key) == ("V-34", "warning", "")
    assert said.message == (
        "1 owner name on 1 parcel names no person by itself;"
        " with all of them left out the verdict would be pass instead of fail."
    )
    case, owners, signed = case_of(parcels, {"1": ["ANN"], "2": ["BOB"]}, ["ANN"])
    assert nobodies_finding(case, owners, signed, (), "pass") == ()  # type: ignore[arg-type]
