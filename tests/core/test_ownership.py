"""Owners, signature lines and what they earn."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Optional

import pytest
from hypothesis import given
from hypothesis import strategies as st

from village_petition.core.crediting import Ledger, authority_findings, credit, without_nobodies
from village_petition.core.editions import load_edition
from village_petition.core.model import Finding, OwnerRow, Ownership, Parcel, SignerLine
from village_petition.core.ownership import owners_by_parcel

LAW = load_edition("2004")
SWIS = "010100"


def parcel(
    key: str,
    inside: Optional[int] = 100,
    roll: Sequence[str] = (),
    place: str = "inside",
    swis: str = SWIS,
    value: Optional[int] = 100,
) -> Parcel:
    return Parcel(swis, key, place, Fraction(1), value, None, inside, "whole", roll_owners=tuple(roll))


def row(key: str, owner: str, swis: str = SWIS, capacity: str = "", evidence: str = "") -> OwnerRow:
    return OwnerRow(swis, key, owner, capacity, evidence=evidence)


def line(
    page: int,
    number: int,
    name: str,
    address: str = "1 Elm St",
    town: str = "A",
    struck: str = "",
    av: Optional[int] = None,
) -> SignerLine:
    return SignerLine(page, number, name, address, town, "2023-05-01", credited_av=av, struck=struck)


def run(
    parcels: Sequence[Parcel], rows: Sequence[OwnerRow], lines: Optional[Sequence[SignerLine]]
) -> tuple[Ledger, list[Finding]]:
    owners, findings = owners_by_parcel(parcels, rows, LAW)
    ledger = credit(parcels, owners, lines, LAW)
    return ledger, [*findings, *ledger.findings]


def codes(findings: Sequence[Finding]) -> list[tuple[str, str]]:
    return [(finding.code, finding.severity) for finding in findings]


def owned(names: tuple[str, ...], number: Optional[int], signed: int, low: Fraction, high: Fraction) -> Ownership:
    return Ownership(names, number, signed, low, high)


@pytest.mark.parametrize(
    ("roll", "signers", "wanted"),
    [
        (["SMITH J ETAL"], ["Smith  J"], owned(("SMITH J",), None, 1, Fraction(0), Fraction(1, 2))),
        (["SMITH J ET AL"], [], owned(("SMITH J",), None, 0, Fraction(0), Fraction(0))),
        (["SMITH J ET AL", "COLE B"], ["COLE B"], owned(("SMITH J", "COLE B"), None, 1, Fraction(0), Fraction(1, 3))),
        (["SMITH J ET UX"], ["SMITH J"], owned(("SMITH J",), 2, 1, Fraction(1, 2), Fraction(1, 2))),
        (["SMITH M ET VIR"], [], owned(("SMITH M",), 2, 0, Fraction(0), Fraction(0))),
        ([], ["SMITH J"], owned((), None, 0, Fraction(0), Fraction(1))),
        (["ET AL"], ["SMITH J"], owned((), None, 0, Fraction(0), Fraction(1))),
        (["SMITH J", "smith j"], ["SMITH J"], owned(("SMITH J",), 1, 1, Fraction(1), Fraction(1))),
        (["SMITH J", "COLE B"], ["SMITH J"], owned(("SMITH J", "COLE B"), 2, 1, Fraction(1, 2), Fraction(1, 2))),
    ],
)
def test_owners_of_the_roll(roll: list[str], signers: list[str], wanted: Ownership) -> None:
    lines = [line(1, number, name) for number, name in enumerate(signers, 1)]
    ledger, findings = run([parcel("1", roll=roll)], [], lines)
    assert ledger.ownership[(SWIS, "1")] == wanted
    unknown = [finding for finding in findings if finding.code == "V-18"]
    assert codes(unknown) == ([("V-18", "error")] if wanted.count is None else [])


def test_a_list_of_owners_is_complete_whatever_the_names() -> None:
    ledger, findings = run([parcel("1", roll=["OTHER"])], [row("1", "SMITH J ETAL")], [line(1, 1, "smith j etal")])
    assert ledger.ownership[(SWIS, "1")] == owned(("SMITH J ETAL",), 1, 1, Fraction(1), Fraction(1))
    assert findings == []


def test_a_person_counts_once_on_a_parcel() -> None:
    rows = [row("1", "ANN  LEE"), row("1", "Ann Lee"), row("1", "BOB")]
    ledger, _ = run([parcel("1")], rows, [line(1, 1, "ANN LEE")])
    assert ledger.ownership[(SWIS, "1")].count == 2
    assert ledger.signers[0].credits == {SWIS: Fraction(50)}


def test_fold_keeps_suffix_and_word_order() -> None:
    rows = [row("1", "COLE Z JR"), row("1", "COLE Z"), row("2", "Z COLE")]
    ledger, findings = run([parcel("1"), parcel("2")], rows, [line(1, 1, "cole z jr")])
    assert ledger.signers[0].credits == {SWIS: Fraction(50)}
    assert ledger.ownership[(SWIS, "2")].signed == 0 and findings == []


def test_statuses_in_their_order() -> None:
    lines = [
        line(1, 1, "ANN", struck="illegible"),
        line(1, 2, "ANN", address=" "),
        line(1, 3, "ANN"),
        line(1, 4, "ANN", struck="twice"),
        line(1, 5, "ANN", town=""),
        line(1, 6, "ANN"),
        line(2, 1, "NOBODY HERE"),
        line(10, 1, "ANN"),
        line(2, 2, ""),
    ]
    ledger, findings = run([parcel("1")], [row("1", "ANN"), row("1", "BOB")], lines)
    assert [(signer.page, signer.line, signer.status) for signer in ledger.signers] == [
        (1, 1, "struck"),
        (1, 2, "incomplete"),
        (1, 3, "credited"),
        (1, 4, "struck"),
        (1, 5, "incomplete"),
        (1, 6, "duplicate"),
        (2, 1, "not_owner"),
        (2, 2, "incomplete"),
        (10, 1, "duplicate"),
    ]
    assert [signer.credits for signer in ledger.signers if signer.credits] == [{SWIS: Fraction(50)}]
    assert codes(findings) == [
        ("V-16", "warning"),
        ("V-16", "warning"),
        ("V-15", "warning"),
        ("V-14", "warning"),
        ("V-16", "warning"),
        ("V-15", "warning"),
    ]
    assert findings[0].message.endswith("it would add nothing, the name is counted on page 1 line 3.")
    assert findings[2].message == "Page 1 line 6: ANN is counted already on page 1 line 3; this line counts nothing."


def test_an_incomplete_line_says_what_it_would_add() -> None:
    parcels = [parcel("1"), parcel("2", swis="010200")]
    rows = [row("1", "ANN"), row("2", "ANN", "010200"), row("2", "BOB", "010200")]
    _, (finding,) = run(parcels, rows, [line(3, 4, "ANN", address="", town="")])
    assert finding.message == (
        "Page 3 line 4: ANN has no address and no town, so the line counts nothing."
        " Complete it: it would add $100 in 010100 and $50 in 010200."
    )
    _, (finding,) = run(parcels, rows, [line(3, 4, "STRANGER", address="")])
    assert "it would add nothing, the name owns nothing that counts" in finding.message


def test_an_outside_parcel_does_not_make_an_owner() -> None:
    outside = parcel("1", inside=0, place="outside")
    ledger, findings = run([outside], [row("1", "ANN")], [line(1, 1, "ANN")])
    assert ledger.signers[0].status == "not_owner" and codes(findings) == [("V-14", "warning")]
    given = parcel("1", inside=5, place="outside")
    ledger, findings = run([given], [row("1", "ANN")], [line(1, 1, "ANN")])
    assert ledger.signers[0].credits == {SWIS: Fraction(5)} and findings == []


def test_owners_of_undecided_parcels_are_credited_with_nothing_sure() -> None:
    aside = parcel("1", inside=None, place="set_aside")
    ledger, _ = run(
        [aside, parcel("2", roll=["COLE ETAL"])], [row("1", "ANN")], [line(1, 1, "ANN"), line(1, 2, "COLE")]
    )
    assert [signer.status for signer in ledger.signers] == ["credited", "credited"]
    assert [signer.credits for signer in ledger.signers] == [{SWIS: Fraction(0)}, {SWIS: Fraction(0)}]
    assert ledger.ownership[(SWIS, "1")].share_high == 1


def test_without_signers() -> None:
    ledger, findings = run([parcel("1", roll=["ANN"])], [], None)
    assert ledger.signers == () and ledger.ownership[(SWIS, "1")].share == 0 and findings == []


@pytest.mark.parametrize(
    ("av", "wanted"), [(33, []), (34, []), (32, [("V-17", "error")]), (35, [("V-17", "error")]), (None, [])]
)
def test_credited_value_on_the_sheet(av: Optional[int], wanted: list[tuple[str, str]]) -> None:
    rows = [row("1", name) for name in ("A", "B", "C")]
    _, findings = run([parcel("1")], rows, [line(1, 1, "A", av=av)])
    assert codes(findings) == wanted


def test_names_that_are_no_person_count_and_are_listed() -> None:
    rows = [row("1", "LLC"), row("1", "ANN")]
    owners, findings = owners_by_parcel([parcel("1")], rows, LAW)
    ledger = credit([parcel("1")], owners, [line(1, 1, "ANN")], LAW)
    assert ledger.ownership[(SWIS, "1")].share == Fraction(1, 2)
    assert codes(findings) == [("V-34", "warning")]
    assert findings[0].message.startswith("“LLC” is no person by itself; it counts as one of 2 owners with $50 inside.")
    left = without_nobodies([parcel("1")], owners, ledger.signed)
    assert left == {(SWIS, "1"): owned(("ANN",), 1, 1, Fraction(1), Fraction(1))}
    alone, _ = owners_by_parcel([parcel("1", roll=["OWNER UNKNOWN"])], [], LAW)
    assert without_nobodies([parcel("1")], alone, frozenset()) == {
        (SWIS, "1"): owned((), None, 0, Fraction(0), Fraction(1))
    }


def test_rows_of_unknown_parcels() -> None:
    rows = [row("1", "ANN"), row("7", "BOB"), row("8", "BOB"), row("8", "CY")]
    _, findings = owners_by_parcel([parcel("1")], rows, LAW, known={(SWIS, "7")})
    assert [(finding.code, finding.severity, finding.print_key) for finding in findings] == [("V-37", "warning", "8")]
    assert "2 rows" in findings[0].message
    assert owners_by_parcel([parcel("1")], rows, LAW)[1] == ()


def test_authority_of_who_signs_for_a_company() -> None:
    rows = [row("1", "OAK REALTY LLC"), row("2", "ELM CORP", capacity="president"), row("3", "ANN")]
    parcels = [parcel("1"), parcel("2"), parcel("3")]
    lines = [line(1, 1, "OAK REALTY LLC"), line(1, 2, "ELM CORP"), line(1, 3, "ANN")]
    ledger, _ = run(parcels, rows, lines)
    (finding,) = authority_findings(rows, ledger.signers, LAW)
    assert (finding.code, finding.severity) == ("V-28", "error") and "OAK REALTY LLC" in finding.message
    assert authority_findings([rows[0], rows[2]], ledger.signers, LAW) == ()


NAMES = ["ANN", "BOB", "CY", "DEE", "LLC"]
parcels_strategy = st.lists(
    st.tuples(st.integers(0, 1000), st.lists(st.sampled_from(NAMES), min_size=1, max_size=4)), min_size=1, max_size=8
)
lines_strategy = st.lists(st.tuples(st.sampled_from(NAMES), st.booleans()), max_size=8)


def build(given_parcels: list[tuple[int, list[str]]]) -> tuple[list[Parcel], list[OwnerRow]]:
    parcels = [parcel(str(n), inside, swis=f"01{n % 2:02d}00") for n, (inside, _) in enumerate(given_parcels)]
    rows = [row(str(n), name, f"01{n % 2:02d}00") for n, (_, names) in enumerate(given_parcels) for name in names]
    return parcels, rows


@given(parcels_strategy, lines_strategy, st.randoms(use_true_random=False))
def test_order_of_rows_does_not_show(
    given_parcels: list[tuple[int, list[str]]], given_lines: list[tuple[str, bool]], random: object
) -> None:
    parcels, rows = build(given_parcels)
    lines = [line(n // 3, n % 3, name, "1 Elm St" if whole else "") for n, (name, whole) in enumerate(given_lines)]
    first, findings = run(parcels, rows, lines)
    for each in (parcels, rows, lines):
        random.shuffle(each)  # type: ignore[attr-defined]
    second, again = run(parcels, rows, lines)
    assert first.signers == second.signers and first.ownership == second.ownership
    assert sorted(findings, key=str) == sorted(again, key=str)


@given(parcels_strategy, lines_strategy)
def test_credits_of_signers_are_the_credits_of_parcels(
    given_parcels: list[tuple[int, list[str]]], given_lines: list[tuple[str, bool]]
) -> None:
    parcels, rows = build(given_parcels)
    lines = [line(1, n, name, "1 Elm St" if whole else "") for n, (name, whole) in enumerate(given_lines)]
    ledger, _ = run(parcels, rows, lines)
    by_parcel = sum((ledger.ownership[each.key].share * (each.inside or 0) for each in parcels), Fraction(0))
    by_signer = sum((sum(signer.credits.values(), Fraction(0)) for signer in ledger.signers), Fraction(0))
    assert by_parcel == by_signer
