"""The list of regular inhabitants: who counts, who is merged, and what the two tests make of it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Optional

import pytest
from hypothesis import given
from hypothesis import strategies as st

from village_petition.core.editions import load_edition
from village_petition.core.model import Finding, Inhabitant, VoterCount
from village_petition.core.voters import missing_signatures, share_range, voters

LAW = load_edition("2004")
PLACES = {
    ("010100", "in"): "inside",
    ("010100", "cut"): "split",
    ("010100", "out"): "outside",
    ("010100", "odd"): "set_aside",
}


def person(
    name: str,
    key: str = "",
    qualified: Optional[bool] = True,
    signed: bool = False,
    adult: Optional[bool] = True,
    address: str = "1 Elm St",
) -> Inhabitant:
    return Inhabitant(name, address, "Alpha", "010100" if key else "", key, adult, qualified, signed)


def run(people: Sequence[Inhabitant]) -> tuple[VoterCount, list[Finding]]:
    _, _, counted, findings = voters(people, PLACES, LAW)
    assert counted is not None
    return counted, [finding for finding in findings if finding.code not in ("V-08", "V-31")]


def codes(findings: Sequence[Finding]) -> list[tuple[str, str]]:
    return [(finding.code, finding.severity) for finding in findings]


def test_without_a_list() -> None:
    share, population, counted, findings = voters(None, {}, LAW)
    assert (share.id, share.status, population.id, population.status) == (
        "voters",
        "not_applicable",
        "population",
        "not_applicable",
    )
    assert counted is None and findings == ()
    assert (share.threshold, population.threshold) == (Fraction(1, 5), Fraction(500))


@pytest.mark.parametrize(
    ("key", "counted", "findings"),
    [
        ("", 1, []),
        ("in", 1, []),
        ("odd", 1, []),
        ("cut", 1, [("V-13", "info")]),
        ("out", 0, [("V-13", "warning")]),
        ("lost", 1, [("V-37", "warning")]),
    ],
)
def test_where_a_person_lives(key: str, counted: int, findings: list[tuple[str, str]]) -> None:
    found, said = run([person("ANN", key)])
    assert (found.inhabitants, found.qualified) == (counted, counted)
    assert codes(said) == findings


def test_one_name_and_address_is_one_person() -> None:
    people = [person("Ann Lee"), person("ANN  LEE", signed=True, address="1 ELM st")]
    found, said = run(people)
    assert found == VoterCount(1, 1, 1, 0, 0, 1)
    assert codes(said) == [("V-13", "warning")] and "listed 2 times" in said[0].message


def test_rows_that_differ_in_qualification_are_undecided() -> None:
    found, said = run([person("ANN", signed=True), person("ANN", qualified=False)])
    assert found == VoterCount(1, 0, 0, 1, 1, 1)
    assert "so that is undecided" in said[0].message


def test_adults_are_persons_of_whom_every_row_says_so() -> None:
    people = [
        person("ANN"),
        person("ANN"),
        person("BEN", adult=None),
        person("CAL", adult=False, qualified=False),
        person("DEE"),
        person("DEE", adult=False),
        person("EVE", "out"),
        person("", qualified=None),
        person("", qualified=None),
    ]
    found, _ = run(people)
    assert (found.inhabitants, found.adults) == (6, 3)


def test_another_address_is_another_person() -> None:
    assert run([person("ANN"), person("ANN", address="2 Elm St")])[0].inhabitants == 2


def test_rows_without_a_name_are_not_merged() -> None:
    found, said = run([person("", qualified=False, adult=False), person("", qualified=False, adult=False)])
    assert found.inhabitants == 2 and codes(said) == [("V-13", "warning")] * 2


def test_a_missing_address_is_named() -> None:
    found, said = run([person("ANN", address=" ")])
    assert found.inhabitants == 1 and codes(said) == [("V-13", "warning")]


def test_a_person_with_one_row_inside_counts() -> None:
    found, said = run([person("ANN", "out"), person("ANN", "in")])
    assert found.inhabitants == 1
    assert codes(said) == [("V-13", "warning"), ("V-13", "warning")]


@pytest.mark.parametrize(
    ("who", "counted", "findings"),
    [
        (person("ANN", adult=False), VoterCount(1, 1, 0, 0, 0), [("V-14", "warning")]),
        (person("ANN", qualified=False, signed=True), VoterCount(1, 0, 0, 0, 0, 1), [("V-14", "warning")]),
        (person("ANN", qualified=None, signed=True), VoterCount(1, 0, 0, 1, 1, 1), []),
        (person("ANN", qualified=False, adult=False), VoterCount(1, 0, 0, 0, 0), []),
    ],
)
def test_qualification(who: Inhabitant, counted: VoterCount, findings: list[tuple[str, str]]) -> None:
    found, said = run([who])
    assert found == counted and codes(said) == findings


@pytest.mark.parametrize(
    ("counted", "shares"),
    [
        (VoterCount(0, 0, 0, 0, 0), (None, None, None)),
        (VoterCount(105, 100, 19, 5, 2), (Fraction(19, 100), Fraction(19, 103), Fraction(7, 34))),
        (VoterCount(3, 0, 0, 3, 1), (None, Fraction(0), Fraction(1))),
    ],
)
def test_shares(counted: VoterCount, shares: tuple[Optional[Fraction], ...]) -> None:
    assert share_range(counted) == shares


def test_nobody_qualified_fails() -> None:
    test, _, _, _ = voters([person("ANN", qualified=None, signed=True)], {}, LAW)
    assert (test.status, test.value) == ("fail", None)
    assert test.reason == "Nobody on the list is marked as qualified to vote; 1 person undecided."


@pytest.mark.parametrize(("signed", "missing"), [(145, 1), (146, 0), (159, -13)])
def test_missing_signatures(signed: int, missing: int) -> None:
    test, _, counted, _ = voters([person(f"P {number}", signed=number < signed) for number in range(726)], {}, LAW)
    assert missing_signatures(test, counted) == missing
    assert missing_signatures(test, None) is None


@pytest.mark.parametrize(
    ("number", "severity"), [(499, "error"), (500, "warning"), (524, "warning"), (525, None), (900, None)]
)
def test_population_is_close_or_short(number: int, severity: Optional[str]) -> None:
    _, _, _, findings = voters([person(f"P {index}", qualified=False) for index in range(number)], {}, LAW)
    assert [finding.severity for finding in findings if finding.code == "V-08"] == ([severity] if severity else [])


people_strategy = st.lists(
    st.builds(
        person,
        st.sampled_from(["ANN", "BOB", "CY"]),
        st.sampled_from(["", "in", "cut", "out", "lost"]),
        st.sampled_from([True, False, None]),
        st.booleans(),
        st.sampled_from([True, False, None]),
        st.sampled_from(["1 Elm St", "2 Elm St", ""]),
    ),
    max_size=10,
)


@given(people_strategy, st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_show(people: list[Inhabitant], random: Any) -> None:
    first = voters(people, PLACES, LAW)
    random.shuffle(people)
    second = voters(people, PLACES, LAW)
    assert first[:3] == second[:3]
    assert sorted(first[3], key=str) == sorted(second[3], key=str)


@given(people_strategy)
def test_bounds_hold_the_share(people: list[Inhabitant]) -> None:
    counted = run(people)[0]
    value, low, high = share_range(counted)
    assert value is None or (low is not None and high is not None and low <= value <= high)
