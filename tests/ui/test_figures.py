"""The words and numbers of the window, from results made by hand."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from qgis.PyQt.QtCore import QLocale

from village_petition.core.model import Ownership, Parcel, Proof, TestResult
from village_petition.ui import figures, remedies, verdicts


def _load_fakes() -> Any:
    if "ui_fakes" not in sys.modules:
        spec = importlib.util.spec_from_file_location("ui_fakes", Path(__file__).with_name("fakes.py"))
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules["ui_fakes"] = module
        spec.loader.exec_module(module)
    return sys.modules["ui_fakes"]


fakes = _load_fakes()
HALF = Fraction(1, 2)


@pytest.fixture(autouse=True)
def _english(qgis_app: Any) -> Iterator[None]:
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedStates))
    yield
    QLocale.setDefault(before)


@pytest.fixture()
def german() -> None:
    QLocale.setDefault(QLocale(QLocale.Language.German, QLocale.Country.Germany))


@pytest.mark.parametrize(
    ("share", "words"),
    [
        (Fraction(499_999, 1_000_000), "49.9999 %"),
        (HALF, "50.00 %"),
        (Fraction(250_001, 500_001), "50.0001 %"),
        (Fraction(37385693, 4 * 17218436), "54.28 %"),
        (None, "–"),
    ],
)
def test_a_percent_never_crosses_the_threshold(share: Fraction, words: str) -> None:
    assert figures.percent(share, HALF) == words


def test_numbers_follow_the_locale(german: None) -> None:
    assert figures.percent(Fraction(4964, 10000), HALF) == "49,64 %"
    assert figures.dollars(549_164) == "$549.164"
    assert figures.decimal(Fraction("3.389489"), 3) == "3,389"


def test_missing_is_the_smallest_whole_dollar_that_decides() -> None:
    half = fakes.two_parts(600_000, Fraction(300_000), "fail", "fail")
    assert figures.missing_of(half, half.parts[1]) == figures.Missing(1, 1, 0)
    thirds = fakes.two_parts(655_000, Fraction(900_001, 3), "fail", "fail")
    lacking = figures.missing_of(thirds, thirds.parts[1])
    assert lacking is not None and lacking.high == 27_500
    assert Fraction(900_001, 3) + 27_500 > Fraction(655_000, 2) >= Fraction(900_001, 3) + 27_499


def test_missing_has_a_range_under_unknown_owners() -> None:
    unknown = Ownership((), None, 0, Fraction(0), Fraction(1))
    analysis = fakes.two_parts(655_000, Fraction(300_000), "undecided", "undecided")
    ownership = {**analysis.ownership, (fakes.EAST, "2.00-1-3"): unknown}
    analysis = fakes.an_analysis(parts=analysis.parts, tests=analysis.tests, verdict="undecided", ownership=ownership)
    missing = figures.missing_of(analysis, analysis.parts[1])
    assert missing == figures.Missing(0, 27_501, 1)
    assert verdicts.verdict_words(analysis) == "Undecided: 1 parcel without owners"


def test_missing_has_a_range_under_an_unknown_place() -> None:
    aside = Parcel(fakes.EAST, "2.00-1-9", "set_aside", None, 40_000, None, None, None)
    analysis = fakes.two_parts(655_000, Fraction(300_000), "fail", "fail")
    key = (fakes.EAST, "2.00-1-9")
    unsigned = fakes.an_analysis(
        parts=analysis.parts,
        tests=analysis.tests,
        parcels=(*fakes.PARCELS, aside),
        ownership={**fakes.OWNERSHIP, key: fakes.owned("X")},
    )
    assert figures.missing_of(unsigned, unsigned.parts[1]) == figures.Missing(27_501, 47_501, 1)
    signed = fakes.an_analysis(
        parts=analysis.parts,
        tests=analysis.tests,
        parcels=(*fakes.PARCELS, aside),
        ownership={**fakes.OWNERSHIP, key: fakes.owned("X", signed=1)},
    )
    assert figures.missing_of(signed, signed.parts[1]) == figures.Missing(7_501, 27_501, 1)


def test_nothing_bounds_a_parcel_without_value() -> None:
    lost = Parcel(fakes.EAST, "2.00-1-9", "set_aside", None, None, None, None, None)
    analysis = fakes.an_analysis(
        parcels=(*fakes.PARCELS, lost), ownership={**fakes.OWNERSHIP, lost.key: fakes.owned("X")}
    )
    assert figures.missing_of(analysis, analysis.parts[1]) is None


def test_verdict_words() -> None:
    assert verdicts.verdict_words(fakes.an_analysis()) == "Not enough yet: Eastwick part"
    enough = fakes.two_parts(500_000, Fraction(300_000), "pass", "pass")
    assert verdicts.verdict_words(enough) == "Enough: every test of the owners' basis is met"
    west, east = fakes.an_analysis().parts
    both = (fakes.part_test(west, "fail"), fakes.part_test(east, "fail"))
    two = fakes.an_analysis(tests=(*both, fakes.overall_test(Fraction(1, 3), "fail"), *fakes.other_tests()))
    assert verdicts.verdict_words(two) == "Not enough yet: 2 town parts"
    blocked = fakes.an_analysis(tests=(*both, *fakes.other_tests(city="fail")))
    assert verdicts.verdict_words(blocked) == "Blocked: the boundary overlaps a city or village"
    small = fakes.an_analysis(tests=fakes.other_tests(people="fail"), bases=("voters",))
    assert verdicts.verdict_words(small) == "Not enough yet: population"
    few = fakes.an_analysis(bases=("voters",), tests=(fakes.voters_test(Fraction(1, 10), "fail"), *fakes.other_tests()))
    assert verdicts.verdict_words(few) == "Not enough yet: voters"
    fair = fakes.an_analysis(
        bases=("voters",), verdict="pass", tests=(fakes.voters_test(Fraction(1, 5), "pass"), *fakes.other_tests())
    )
    assert verdicts.verdict_words(fair) == "Enough: every test of the voters' basis is met"


def test_an_edition_without_the_basis_says_so() -> None:
    analysis = fakes.an_analysis(edition="2024")
    assert verdicts.verdict_words(analysis) == "Owners' basis is not in the 2024 edition"
    assert verdicts.basis_words(analysis) == "Owners · 2024"


def test_without_signers_the_verdict_says_what_is_missing() -> None:
    idle = TestResult("valuation.overall", "not_applicable", "No signers are given.")
    analysis = fakes.an_analysis(verdict="undecided", tests=(idle, *fakes.other_tests()), signers=())
    assert verdicts.verdict_words(analysis) == "Undecided: no signatures yet"


def test_rates_that_are_missing() -> None:
    dunkirk = {"town": "Dunkirk", "swis": "066800", "rate": ""}
    pomfret = {"town": "Pomfret", "swis": "065800", "rate": "14.50"}
    assert verdicts.missing_rates([dunkirk, pomfret]) == "Blocked: no equalization rate for Dunkirk"
    assert verdicts.missing_rates([dunkirk, {**pomfret, "rate": " "}]) == "Blocked: no equalization rate for 2 towns"
    assert verdicts.missing_rates([pomfret]) == ""


def test_the_proof_line_always_adds_up() -> None:
    plain = Proof(2478, 2478, 0, 0, 1624, 97, 757, 0, 1, 0, 0, 0, 0, True)
    assert figures.proof_words(plain) == "2,479 roll rows = 1,624 in + 97 split + 757 out + 1 by hand"
    rare = Proof(10, 8, 1, 1, 3, 2, 2, 1, 0, 0, 0, 0, 0, True)
    assert figures.proof_words(rare) == (
        "10 roll rows = 3 in + 2 split + 2 out + 1 set aside + 1 repeated + 1 without key"
    )


def test_facts_and_findings() -> None:
    analysis = fakes.an_analysis()
    assert figures.area_words(analysis) == "3.389 of 5 mi²"
    assert figures.people_words(analysis) == "2,735 people"
    assert figures.findings_words(analysis) == "2 errors, 1 warning"
    assert figures.findings_words(fakes.an_analysis(findings=())) == "No findings"
    assert figures.findings_status(fakes.an_analysis(findings=())) == "pass"


def test_the_name_of_a_bar_for_those_who_cannot_see_it() -> None:
    test = TestResult("valuation.part.066800", "fail", "", Fraction(4964, 10000), threshold=HALF, comparison=">")
    assert figures.accessible_bar("Dunkirk part", test, test.value, "$549,164") == (
        "Dunkirk part, 49.64 percent signed, more than 50 needed, fails, $549,164 missing"
    )


def test_every_code_says_what_to_do() -> None:
    known = {"layers", "boundary", "parcels", "owners", "voters", "packet"}
    texts = [remedies.remedy(f"V-{number:02}") for number in range(1, 49)]
    assert len(set(texts)) == 48
    assert {remedies.page_of(f"V-{number:02}") for number in range(1, 49)} <= known
