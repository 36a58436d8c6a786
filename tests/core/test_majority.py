"""The owners' majority: parts, ranges, what is missing and who to sign next."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from datetime import date
from fractions import Fraction
from typing import Any, Optional

import pytest
from hypothesis import given
from hypothesis import strategies as st

from village_petition.core.editions import load_edition
from village_petition.core.equalization import parse_rate
from village_petition.core.majority import extreme, fewest, missing_dollars, next_signers, valuation
from village_petition.core.model import Finding, Ownership, Parcel, Part, Rate, TestResult, Town
from village_petition.core.petition import PartReason

LAW = load_edition("2004")
A, B = Town("0101", "010100", "Alpha"), Town("0102", "010200", "Beta")
RATES = {
    town.code: Rate(town.swis, town.name, text, parse_rate(text), 2022, None, "state")
    for town, text in ((A, "50.00"), (B, "40.00"))
}


def parcel(
    key: str, inside: Optional[int], town: Town = A, value: Optional[int] = None, place: str = "inside"
) -> Parcel:
    return Parcel(town.swis, key, place, None, inside if value is None else value, None, inside, "whole")


def share(signed: int, number: Optional[int] = 1, high: Optional[Fraction] = None) -> Ownership:
    low = Fraction(signed, number) if number else Fraction(0)
    names = tuple(f"OWNER {index}" for index in range(number or 0))
    return Ownership(names, number, signed, low, low if high is None else high)


def run(
    items: Sequence[tuple[Parcel, Ownership]],
    towns: Sequence[Town] = (A,),
    rates: Mapping[str, Rate] = RATES,
    signers: bool = True,
    reasons: Sequence[PartReason] = (),
) -> tuple[tuple[Part, ...], dict[str, TestResult], tuple[Finding, ...]]:
    ownership = {each.key: owned for each, owned in items}
    parts, tests, findings = valuation([each for each, _ in items], ownership, towns, rates, LAW, signers, reasons)
    return parts, {test.id.replace("valuation.", ""): test for test in tests}, findings


def test_parts_and_tests_are_in_order_and_cited() -> None:
    items = [(parcel("1", 10, B), share(1)), (parcel("2", 10), share(1))]
    parts, tests, findings = run(items, (B, A))
    assert [part.swis for part in parts] == ["010100", "010200"]
    assert list(tests) == ["part.010100", "part.010200", "overall"]
    assert {test.citation for test in tests.values()} == {"§ 2-202(1)(a)(2)"}
    assert {(test.threshold, test.comparison) for test in tests.values()} == {(Fraction(1, 2), ">")}
    assert findings == ()


def test_a_failed_test_says_what_is_missing() -> None:
    items = [(parcel("1", 300), share(1)), (parcel("2", 700), share(0)), (parcel("3", 900, B), share(1))]
    parts, tests, findings = run(items, (A, B))
    assert tests["part.010100"].status == "fail" and tests["overall"].status == "pass"
    assert missing_dollars(tests["part.010100"], parts) == 201
    assert missing_dollars(tests["part.010200"], parts) == -449
    (finding,) = findings
    assert (finding.code, finding.severity, finding.swis) == ("V-21", "error", "010100")
    assert finding.message == (
        "The part of Alpha fails: owners of 30.00 % of the value have signed and more than 50.00 % is needed."
        " $201 more in assessed value must be signed."
    )


def test_exactly_half_lacks_one_dollar() -> None:
    parts, tests, _ = run([(parcel("1", 250), share(1)), (parcel("2", 250), share(0))])
    assert [missing_dollars(test, parts) for test in tests.values()] == [1, 1]
    parts, tests, _ = run([(parcel("1", 251), share(1)), (parcel("2", 250), share(0))])
    assert [missing_dollars(test, parts) for test in tests.values()] == [0, 0]


def test_one_part_needs_no_rate() -> None:
    parts, tests, _ = run([(parcel("1", 7), share(1)), (parcel("2", 6), share(0))], rates={})
    assert (parts[0].full_value, parts[0].signed_full_value) == (None, None)
    assert tests["part.010100"].value == tests["overall"].value == Fraction(7, 13)


def test_without_signers_nothing_is_tested() -> None:
    parts, tests, findings = run([(parcel("1", 7), share(0))], signers=False)
    assert {test.status for test in tests.values()} == {"not_applicable"} and findings == ()
    assert {test.reason for test in tests.values()} == {"No signers are given."}
    assert (parts[0].value, parts[0].full_value, parts[0].share) == (7, 14, None)


def test_unknown_owners_give_a_range() -> None:
    items = [
        (parcel("1", 480), share(1)),
        (parcel("2", 400), share(0)),
        (parcel("3", 120), share(0, None, Fraction(1))),
    ]
    parts, tests, findings = run(items)
    test = tests["overall"]
    assert (test.value, test.low, test.high) == (Fraction(48, 100), Fraction(48, 100), Fraction(60, 100))
    assert test.status == "undecided" and findings == ()
    assert (parts[0].low, parts[0].high, parts[0].signed) == (Fraction(48, 100), Fraction(60, 100), 480)


def test_a_missing_value_has_no_bound() -> None:
    items = [(parcel("1", 99), share(1)), (parcel("2", 1), share(0)), (parcel("3", None, place="set_aside"), share(0))]
    items.append((parcel("4", 10, B), share(1)))
    _, tests, _ = run(items, (A, B))
    assert [tests[name].status for name in tests] == ["undecided", "pass", "undecided"]
    assert (tests["part.010100"].low, tests["part.010100"].value) == (None, Fraction(99, 100))
    assert "1 parcel without an assessed value" in tests["overall"].reason


def test_parcels_of_no_part_do_not_count() -> None:
    items = [(parcel("1", 7), share(1)), (parcel("2", 1000, B), share(0))]
    parts, tests, _ = run(items, (A,))
    assert [part.value for part in parts] == [7] and tests["overall"].value == 1


REASON = PartReason("010200", "a road only", "A. Sessor", date(2023, 6, 1))


def test_a_part_without_value_is_settled_by_a_reason() -> None:
    items = [(parcel("1", 51), share(1)), (parcel("2", 49), share(0)), (parcel("3", 0, B), share(0))]
    _, tests, findings = run(items, (A, B))
    assert tests["part.010200"].status == "undecided" and findings == ()
    _, tests, findings = run(items, (A, B), reasons=[REASON])
    assert tests["part.010200"].status == "not_applicable" and findings == ()
    assert "a road only (A. Sessor, 2023-06-01)" in tests["part.010200"].reason
    aside = (parcel("4", None, B, 5, "set_aside"), share(0))
    assert run([*items, aside], (A, B), reasons=[REASON])[1]["part.010200"].status == "undecided"
    _, _, (finding,) = run([(parcel("1", 51), share(1)), (parcel("3", 5, B), share(1))], (A, B), reasons=[REASON])
    assert (finding.code, finding.severity, finding.swis) == ("V-37", "warning", "010200")


def test_nothing_assessed_fails() -> None:
    parts, tests, findings = run([(parcel("1", 0), share(1))])
    assert {test.status for test in tests.values()} == {"fail"} and parts[0].share is None
    assert [finding.code for finding in findings] == ["V-21", "V-21"]
    assert missing_dollars(tests["overall"], parts) is None


small = st.integers(0, 6)
items_of_a_range = st.lists(
    st.tuples(st.sampled_from([Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(1)]), small), max_size=4
)


@given(st.integers(1, 8), st.data(), items_of_a_range)
def test_the_range_is_exact(value: int, data: st.DataObject, unplaced: list[tuple[Fraction, int]]) -> None:
    signed = Fraction(data.draw(st.integers(0, value)))
    every = [
        (signed + sum((share * taken for (share, _), taken in zip(unplaced, choice)), Fraction(0)))
        / (value + sum(choice))
        for choice in itertools.product(*(range(most + 1) for _, most in unplaced))
    ]
    weighted = [(share, Fraction(most)) for share, most in unplaced]
    assert extreme(signed, Fraction(value), weighted, highest=True) == max(every)
    assert extreme(signed, Fraction(value), weighted, highest=False) == min(every)


parcels_of_two_towns = st.lists(
    st.tuples(st.integers(0, 50), st.integers(1, 3), st.integers(0, 3), st.booleans(), st.booleans()),
    min_size=1,
    max_size=8,
)


def build(rows: list[tuple[int, int, int, bool, bool]], more: int = 0) -> list[tuple[Parcel, Ownership]]:
    """Parcels with `number` owners of whom up to `signed + more` signed, some of them set aside."""
    items = []
    for index, (inside, number, signed, beta, aside) in enumerate(rows):
        town = B if beta else A
        each = parcel(str(index), None if aside else inside, town, inside, "set_aside" if aside else "inside")
        items.append((each, share(min(number, signed + more), number)))
    return items


@given(parcels_of_two_towns, st.randoms(use_true_random=False))
def test_the_order_of_parcels_does_not_show(rows: list[Any], random: Any) -> None:
    items = build(rows)
    first = run(items, (A, B))
    random.shuffle(items)
    assert run(items, (B, A)) == first


@given(parcels_of_two_towns)
def test_a_further_signature_never_lowers_a_share(rows: list[Any]) -> None:
    _, before, _ = run(build(rows), (A, B))
    _, after, _ = run(build(rows, more=1), (A, B))
    for name, test in before.items():
        for bound in ("value", "low", "high"):
            earlier, later = getattr(test, bound), getattr(after[name], bound)
            assert (earlier is None) == (later is None)
            assert earlier is None or earlier <= later
        assert not (test.status == "pass" and after[name].status != "pass")


@given(parcels_of_two_towns)
def test_every_part_passing_makes_the_whole_pass(rows: list[Any]) -> None:
    _, tests, _ = run(build(rows), (A, B))
    if {test.status for name, test in tests.items() if name != "overall"} == {"pass"}:
        assert tests["overall"].status == "pass"


def test_who_to_sign_next() -> None:
    names = {"1": ("ANN", "BOB"), "2": ("BOB",), "3": ("CY",), "4": ("DEE", "LLC"), "5": ("EVE",), "6": ("ANN",)}
    inside = {"1": 100, "2": 30, "3": 80, "4": 40, "5": 500, "6": 10}
    signed = {"ANN"}
    items = []
    for key, owners in names.items():
        number = sum(name in signed for name in owners)
        town = B if key == "5" else A
        items.append(
            (
                parcel(key, inside[key], town),
                Ownership(owners, len(owners), number, Fraction(number, len(owners)), Fraction(number, len(owners))),
            )
        )
    items.append((parcel("7", 1000), Ownership((), None, 0, Fraction(0), Fraction(1))))
    items.append((parcel("8", None, value=999, place="set_aside"), share(0)))
    parts, _, _ = run(items, (A, B))
    part = parts[0]
    parcels, ownership = [each for each, _ in items], {each.key: owned for each, owned in items}
    found = next_signers(parcels, ownership, signed, part)
    assert [(signer.name, signer.lots, signer.adds) for signer in found] == [
        ("BOB", 2, Fraction(80)),
        ("CY", 1, Fraction(80)),
        ("DEE", 1, Fraction(20)),
    ]
    assert found[0].share_then == Fraction(60 + 80, 1260)
    assert fewest(part, found, LAW) is None


@pytest.mark.parametrize(("signed", "wanted"), [(0, 2), (1, 1), (2, 0)])
def test_fewest_signatures(signed: int, wanted: int) -> None:
    values = {"1": 40, "2": 30, "3": 30}
    owners = {key: f"OWNER OF {key}" for key in values}
    who = set(list(owners.values())[:signed])
    items = [
        (
            parcel(key, value),
            Ownership(
                (owners[key],), 1, int(owners[key] in who), Fraction(owners[key] in who), Fraction(owners[key] in who)
            ),
        )
        for key, value in values.items()
    ]
    parts, _, _ = run(items)
    found = next_signers([each for each, _ in items], {each.key: owned for each, owned in items}, who, parts[0])
    assert fewest(parts[0], found, LAW) == wanted
