"""The verdict from the tests, whether the result can be certified, and what the verdict rests on (rules 19, 22, 23)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Optional

from .crediting import without_nobodies
from .editions import Edition
from .figures import count, dollars
from .majority import valuation_of
from .model import Alternative, Finding, Ownership, Parcel, ParcelKey, Rate, TestResult, Town
from .ownership import Owners, is_counted
from .petition import PartReason
from .tally import Tally, tally_of

RESTATING = frozenset({"V-04", "V-05", "V-08", "V-21"})
"""Findings that repeat the result of a test, and so block no certificate of its figures."""

LOWERING = ("area", "city_village", "population")
"""Tests that no basis makes good."""


def alleged_bases(bases: Optional[Sequence[str]], edition: Edition) -> tuple[str, ...]:
    """The bases that the petition alleges, or those that the edition takes as alleged where it names none."""
    return tuple(bases or edition.data("default_bases"))


def verdict(tests: Iterable[TestResult], bases: Sequence[str], edition: Edition) -> str:
    """pass, fail or undecided (rule 22): one alleged basis suffices, and every lowering test must hold.

    A basis that the edition does not have fails; an alleged basis without its input is undecided; bases do not add.
    """
    tests = list(tests)
    outcomes = {_basis(tests, basis, edition) for basis in bases}
    outcome = "pass" if "pass" in outcomes else "undecided" if "undecided" in outcomes else "fail"
    lowering = {test.status for test in tests if test.id in LOWERING}
    for worse in ("fail", "undecided"):
        if outcome == worse or worse in lowering:
            return worse
    return outcome


def _basis(tests: Iterable[TestResult], basis: str, edition: Edition) -> str:
    if basis not in edition.bases:
        return "fail"
    statuses = {test.status for test in tests if test.id == basis or test.id.startswith(f"{basis}.")}
    for status in ("fail", "undecided", "pass"):
        if status in statuses:
            return status
    return "undecided"


def certifiable(
    findings: Iterable[Finding],
    parcels: Iterable[Parcel],
    ownership: Mapping[ParcelKey, Ownership],
    tests: Iterable[TestResult],
    bases: Sequence[str],
) -> bool:
    """Whether an assessor could certify the figures (rule 23).

    Not while an error stands that does not merely repeat a result, an item is undecided, or a split is unconfirmed.
    """
    if any(finding.severity == "error" and finding.code not in RESTATING for finding in findings):
        return False
    for parcel in parcels:
        if parcel.inside is None or (parcel.place == "split" and not parcel.confirmed):
            return False
        if is_counted(parcel) and ownership[parcel.key].count is None:
            return False
    entering = [test for test in tests if test.id in LOWERING or test.id.split(".")[0] in bases]
    return not any(test.status == "undecided" or test.low != test.high for test in entering)


@dataclass(frozen=True)
class Case:
    """What the valuation is computed from, so that it can be computed again with something left out."""

    parcels: Sequence[Parcel]
    ownership: Mapping[ParcelKey, Ownership]
    towns: Sequence[Town]
    rates: Mapping[str, Rate]
    edition: Edition
    signers_given: bool
    bases: Sequence[str]
    parts_without_value: Sequence[PartReason] = ()
    known_tally: Optional[Tally] = None

    @cached_property
    def tally(self) -> Tally:
        """What the parcels add up to."""
        return self.known_tally or tally_of(self.parcels, self.ownership)

    def evaluate(
        self, other_tests: Sequence[TestResult], without: str = "", tally: Optional[Tally] = None
    ) -> Alternative:
        """Parts, valuation tests and verdict without a roll section or with another tally; `flips` is left False."""
        parts, tests, _ = valuation_of(
            tally or self.tally,
            self.towns,
            self.rates,
            self.edition,
            self.signers_given,
            self.parts_without_value,
            without,
        )
        return Alternative(parts, tests, verdict([*tests, *other_tests], self.bases, self.edition), flips=False)


def alternatives(
    case: Case, other_tests: Sequence[TestResult], outcome: str
) -> tuple[dict[str, Alternative], tuple[Finding, ...]]:
    """The outcome without each roll section that some would leave out, with V-25 where the verdict changes (rule 19).

    `other_tests` are those beside the valuation, `outcome` is the verdict with every roll section.
    """
    found: dict[str, Alternative] = {}
    findings = []
    whole: Optional[Alternative] = None
    for section in case.edition.data("left_out_sections"):
        out = case.tally.of_section(section["roll_section"])
        if out.counted:
            other = case.evaluate(other_tests, without=section["roll_section"])
        else:
            other = whole = whole or case.evaluate(other_tests)
        flips = other.verdict != outcome
        found[section["id"]] = Alternative(other.parts, other.tests, other.verdict, flips)
        if flips:
            text = (
                f"The verdict rests on roll section {section['roll_section']} ({section['name']},"
                f" {count(out.counted, 'parcel')}, {dollars(out.value)} inside): without it the verdict would be"
                f" {other.verdict} instead of {outcome}. No authority settles whether it counts; ask counsel."
            )
            findings.append(Finding("V-25", "warning", text, citation=case.edition.citation("V-25")))
    return found, tuple(findings)


def nobodies_finding(
    case: Case,
    owners: Mapping[ParcelKey, Owners],
    signed: frozenset[str],
    other_tests: Sequence[TestResult],
    outcome: str,
) -> tuple[Finding, ...]:
    """V-34 once: the verdict if all names that are no person were left out. Nothing where there is no such name."""
    changed = without_nobodies(case.parcels, owners, signed)
    if not changed:
        return ()
    concerned = [parcel for parcel in case.parcels if parcel.key in changed]
    other = case.evaluate(other_tests, tally=case.tally.changed(concerned, case.ownership, changed))
    names = sum(len(owners[key].nobody) for key in changed)
    flips = other.verdict != outcome
    change = f"would be {other.verdict} instead of {outcome}" if flips else f"would still be {outcome}"
    text = (
        f"{count(names, 'owner name')} on {count(len(changed), 'parcel')} {'names' if names == 1 else 'name'} no person"
        f" by {'itself' if names == 1 else 'themselves'}; with all of them left out the verdict {change}."
    )
    return (Finding("V-34", "warning", text, citation=case.edition.citation("V-34")),)
