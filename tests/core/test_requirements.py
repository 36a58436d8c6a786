"""The checklist: undecided where nobody said anything, a finding only where data shows a fault."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction
from typing import Any, Optional

import pytest

from village_petition.core.editions import load_edition
from village_petition.core.model import Finding, Requirement, SignerLine, SignerResult, TestResult, Town
from village_petition.core.petition import Designee, Exhibits, Petition, Study, Transition, Witness
from village_petition.core.requirements import Facts, checklist

OLD, NEW = load_edition("2004"), load_edition("2024")
A, B = Town("0101", "010100", "Alpha"), Town("0102", "010200", "Beta")
TWO = Facts(towns=(A, B), town_areas={"0101": 2.5, "0102": 1.5})


def run(petition: Petition, edition: Any = OLD, facts: Facts = TWO) -> tuple[dict[str, Requirement], list[Finding]]:
    items, findings = checklist(petition, edition, facts)
    return {item.id: item for item in items}, list(findings)


def codes(findings: Sequence[Finding]) -> list[tuple[str, str]]:
    return [(finding.code, finding.severity) for finding in findings]


@pytest.mark.parametrize(("edition", "more"), [(OLD, []), (NEW, ["deadline.commission_directs"])], ids=["2004", "2024"])
def test_every_item_is_there_and_undecided_while_nothing_is_said(edition: Any, more: list[str]) -> None:
    items, findings = run(Petition(), edition)
    assert findings == []
    assert list(items) == [
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
        *more,
        "deadline.notice",
        "deadline.hearing",
        "deadline.hearing_concluded",
        "deadline.decision",
        "deadline.decision_filed",
        "deadline.review",
        "deadline.election",
    ]
    apart = {id for id, item in items.items() if item.status != "undecided"}
    assert apart == ({"exhibit.study"} if edition is OLD else {"certificates"})
    assert all(item.reason.endswith(".") and item.citation for item in items.values())


COMPLETE = Petition(
    name="Lakeshore",
    bases=("valuation",),
    filed=date(2023, 6, 1),
    population_alleged=800,
    area_ground="a",
    designees=(Designee("ANN", "1 Elm St", "Alpha", True),),
    exhibits=Exhibits("metes_bounds", True),
    witnesses=(),
    filed_with=("010100", "010200"),
    deposits={"010100": 6000, "010200": 6000},
)
WITHIN = TestResult("area", "pass", "", Fraction("3.389489"))


def test_a_complete_petition() -> None:
    facts = Facts(towns=(A, B), area=WITHIN, inhabitants=800, lines=(), town_areas=TWO.town_areas)
    items, findings = run(COMPLETE, OLD, facts)
    assert findings == []
    passed = {id for id, item in items.items() if item.status == "pass"}
    assert passed == set(items) - {"exhibit.study", "certificates"} - {id for id in items if id.startswith("deadline.")}
    assert items["exhibit.inhabitants"].reason == (
        "The list of regular inhabitants is attached; 800 persons counted on it."
    )
    assert "assessor of each of Alpha and Beta" in items["certificates"].reason


@pytest.mark.parametrize(
    ("petition", "id", "status", "found"),
    [
        (Petition(name=" "), "name", "fail", []),
        (Petition(bases=()), "basis", "fail", [("V-10", "error")]),
        (Petition(population_alleged=499), "population_alleged", "fail", [("V-08", "error")]),
        (Petition(population_alleged=500), "population_alleged", "pass", []),
        (Petition(exhibits=Exhibits(inhabitants=False)), "exhibit.inhabitants", "fail", [("V-12", "error")]),
        (Petition(exhibits=Exhibits(description="tax_lots")), "exhibit.description", "fail", [("V-12", "error")]),
        (Petition(exhibits=Exhibits(description="map")), "exhibit.description", "pass", []),
        (Petition(filed_with=("010200", "010100")), "filing.original", "fail", [("V-27", "error")]),
        (Petition(filed_with=("010100",)), "filing.copies", "fail", [("V-26", "error")]),
        (Petition(deposits={"010100": 6000}), "filing.deposit", "fail", [("V-26", "error")]),
        (Petition(deposits={"010100": 6000, "010289": 5999}), "filing.deposit", "fail", [("V-26", "error")]),
        (Petition(deposits={"010100": 6000, "010289": 6000}), "filing.deposit", "pass", []),
        (Petition(bases=("voters",)), "certificates", "not_applicable", []),
    ],
)
def test_items(petition: Petition, id: str, status: str, found: list[tuple[str, str]]) -> None:
    items, findings = run(petition)
    assert items[id].status == status and codes(findings) == found


@pytest.mark.parametrize(
    ("residents", "status"),
    [
        ([True, True, None], "pass"),
        ([True, None], "undecided"),
        ([True, False], "fail"),
        ([None], "undecided"),
        ([False, False, None], "fail"),
    ],
)
def test_a_majority_of_designees_resides_in_the_territory(residents: list[Optional[bool]], status: str) -> None:
    people = tuple(Designee(f"D{number}", "1 Elm St", "Alpha", each) for number, each in enumerate(residents))
    items, findings = run(Petition(designees=people))
    assert items["designees"].status == status
    assert codes(findings) == ([("V-09", "error")] if status == "fail" else [])


def test_a_designee_without_address_is_a_warning() -> None:
    items, findings = run(Petition(designees=(Designee("ANN", "", "Alpha", True),)))
    assert items["designees"].status == "pass" and codes(findings) == [("V-09", "warning")]


@pytest.mark.parametrize(
    ("ground", "square_miles", "fails", "status"),
    [
        ("a", "5.000000", False, "pass"),
        ("a", "5.000001", False, "fail"),
        ("b", "7", False, "pass"),
        ("b", "3", True, "fail"),
        ("d", None, False, "undecided"),
    ],
)
def test_the_ground_of_area(ground: str, square_miles: Optional[str], fails: bool, status: str) -> None:
    area = None if square_miles is None else TestResult("area", "pass", "", Fraction(square_miles))
    items, _ = run(Petition(area_ground=ground), OLD, Facts(towns=(A,), area=area, ground_fails=fails))
    assert items["area_ground"].status == status


def test_the_original_needs_the_areas_of_several_towns() -> None:
    petition = Petition(filed_with=("010200", "010100"))
    assert run(petition, OLD, Facts(towns=(A, B)))[0]["filing.original"].status == "undecided"
    assert run(petition, OLD, Facts(towns=(B,)))[0]["filing.original"].status == "pass"
    assert run(petition, OLD, Facts(towns=(B,)))[0]["filing.copies"].status == "not_applicable"


def test_filing_of_the_new_law() -> None:
    petition = Petition(filed_with=("commission", "010100", "010200"), deposits={"commission": 6000})
    items, findings = run(petition, NEW)
    assert [items[id].status for id in ("filing.original", "filing.copies", "filing.deposit")] == ["pass"] * 3
    assert findings == [] and "a fee of $250" in items["filing.deposit"].reason
    items, findings = run(Petition(filed_with=("010100",), deposits={"commission": 5999}), NEW)
    assert items["filing.original"].status == "undecided"
    assert codes(findings) == [("V-26", "error"), ("V-26", "error")]
    assert [finding.swis for finding in findings] == ["010200", ""]


STUDY = Study(attached=True, jointly_selected=True, confirmed=True, certified=True)


@pytest.mark.parametrize(
    ("study", "filed", "status", "found"),
    [
        (None, None, "undecided", 0),
        (STUDY, None, "pass", 0),
        (replace(STUDY, certified=False), None, "fail", 1),
        (Study(attached=False, confirmed=False), None, "fail", 2),
        (Study(attached=True), None, "undecided", 0),
        (replace(STUDY, public_from=date(2024, 3, 1)), date(2024, 3, 1), "pass", 0),
        (replace(STUDY, public_from=date(2024, 4, 20)), date(2024, 3, 1), "pass", 0),
        (replace(STUDY, public_from=date(2024, 4, 21)), date(2024, 3, 1), "fail", 1),
    ],
)
def test_the_study(study: Optional[Study], filed: Optional[date], status: str, found: int) -> None:
    items, findings = run(Petition(exhibits=Exhibits(study=study), filed=filed), NEW)
    assert items["exhibit.study"].status == status
    assert codes(findings) == [("V-29", "error")] * found


def test_a_saved_petition_hears_of_its_study() -> None:
    items, _ = run(Petition(transition=Transition("saved_2017_2019", "filed 2019")))
    assert items["exhibit.study"].status == "not_applicable"
    assert "90 days before the referendum" in items["exhibit.study"].reason


def test_deadlines_after_filing() -> None:
    items, _ = run(Petition(filed=date(2024, 7, 15)))
    assert items["deadline.notice"].reason == (
        "The notice of hearing is posted and published within 20 days of filing: by 2024-08-04"
        " (a Sunday; next business day 2024-08-05)."
    )
    assert items["deadline.notice"].status == "undecided"
    assert items["deadline.hearing"].reason == (
        "Not yet counted: the hearing is held 20 to 30 days after posting and first publication."
    )


def line(
    page: int, number: int, name: str = "ANN", day: str = "2023-05-01", basis: str = "", av: Optional[int] = None
) -> SignerLine:
    return SignerLine(page, number, name, "1 Elm St", "Alpha", day, basis, av)


def sheets(
    lines: Sequence[SignerLine],
    witnesses: Optional[tuple[Witness, ...]],
    edition: Any = OLD,
    study: Optional[Study] = None,
) -> tuple[str, list[tuple[str, str]]]:
    petition = Petition(bases=edition.data("default_bases"), witnesses=witnesses, exhibits=Exhibits(study=study))
    signers = [SignerResult(each.page, each.line, each.name, "credited") for each in lines]
    items, findings = run(petition, edition, Facts(towns=(A,), lines=lines, signers=signers))
    return items["signature_pages"].status, codes(findings)


def witness(
    page: int = 1, name: str = "WITT", signatures: int = 1, sworn: Optional[date] = date(2023, 5, 2)
) -> Witness:
    return Witness(page, name, "9 Oak St", signatures, sworn)


@pytest.mark.parametrize(
    ("lines", "witnesses", "status", "found"),
    [
        ([line(1, 1)], None, "undecided", []),
        ([line(1, 1)], (witness(),), "pass", []),
        ([line(1, 1), line(1, 2, "BOB")], (witness(),), "fail", [("V-19", "error")]),
        ([line(1, 1), line(2, 1, "BOB")], (witness(),), "fail", [("V-19", "error")]),
        ([line(1, 1)], (witness(), witness(2)), "fail", [("V-19", "error")]),
        ([line(1, 1)], (witness(sworn=None),), "fail", [("V-19", "error")]),
        ([line(1, 1)], (witness(name=""),), "fail", [("V-19", "error")]),
        ([line(1, 1)], (witness(name="ann"),), "pass", [("V-19", "warning")]),
        ([line(1, 1, day="2023-05-03")], (witness(),), "pass", [("V-19", "warning")]),
        ([line(1, 1, day="May 3")], (witness(),), "pass", []),
    ],
)
def test_signature_pages(
    lines: list[SignerLine], witnesses: Optional[tuple[Witness, ...]], status: str, found: list[tuple[str, str]]
) -> None:
    assert sheets(lines, witnesses) == (status, found)


def test_a_credited_line_without_its_value() -> None:
    lines = [line(1, 1, av=100), line(1, 2, "BOB")]
    assert sheets(lines, None) == ("undecided", [("V-16", "warning")])
    assert sheets([line(1, 1), line(1, 2, "BOB")], None) == ("undecided", [])
    assert sheets(lines, None, NEW) == ("undecided", [])


def test_signed_before_the_study_was_final() -> None:
    lines = [line(1, 1, day="2024-02-01"), line(1, 2, "BOB", day="2024-02-02")]
    assert sheets(lines, None, NEW, Study(date=date(2024, 2, 2))) == ("undecided", [("V-20", "error")])
    assert sheets(lines, None, OLD, Study(date=date(2024, 2, 2))) == ("undecided", [])


@pytest.mark.parametrize(
    ("bases", "stated", "found"),
    [
        (("valuation",), ["", "valuation", "Owners"], []),
        (("valuation",), ["voters", "voters"], [("V-10", "error")]),
        (("valuation",), ["both"], [("V-10", "error")]),
        (("voters", "valuation"), ["both", "voters", "valuation"], []),
        (("valuation",), ["acreage"], [("V-10", "error")]),
        (None, ["voters"], []),
    ],
)
def test_sheets_state_the_basis_of_the_petition(
    bases: Optional[tuple[str, ...]], stated: list[str], found: list[tuple[str, str]]
) -> None:
    lines = [line(1, number, f"P{number}", basis=basis) for number, basis in enumerate(stated)]
    items, findings = run(Petition(bases=bases), OLD, Facts(towns=(A,), lines=lines))
    assert codes(findings) == found
    assert items["basis"].status == ("undecided" if bases is None else "fail" if found else "pass")


def test_a_basis_that_the_edition_lacks() -> None:
    items, findings = run(Petition(bases=("valuation", "voters")), NEW)
    assert items["basis"].status == "fail" and codes(findings) == [("V-11", "error")]
