"""The voters' basis and the population, both from the list of regular inhabitants (rule 20).

§ 2-202(1)(a)(1): at least twenty per cent of the residents of the territory qualified to vote for town officers;
§ 2-200(1): a minimum of regular inhabitants. All towns are one pool; regular inhabitants are never the denominator.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Optional, Union

from .editions import Edition
from .figures import count, percent
from .model import Finding, Inhabitant, ParcelKey, TestResult, VoterCount
from .schema import fold

NO_LIST = "No list of regular inhabitants is given."


def share_range(counted: VoterCount) -> tuple[Optional[Fraction], Optional[Fraction], Optional[Fraction]]:
    """Share of the qualified voters who signed, and its least and most under undecided persons; None over nobody.

    Least: every undecided person who did not sign is qualified, and none who did; most: the other way round.
    """
    unsigned = counted.undecided - counted.signed_undecided
    return (
        _share(counted.signed, counted.qualified),
        _share(counted.signed, counted.qualified + unsigned),
        _share(counted.signed + counted.signed_undecided, counted.qualified + counted.signed_undecided),
    )


def _share(signed: int, voters: int) -> Optional[Fraction]:
    return Fraction(signed, voters) if voters else None


@dataclass(frozen=True)
class _Person:
    """One person: the rows of one name and address brought together."""

    rows: tuple[Inhabitant, ...]
    adult: Optional[bool]
    qualified: Optional[bool]
    signed: bool

    @property
    def name(self) -> str:
        return self.rows[0].name or "a person without a name"

    @property
    def where(self) -> str:
        return f"{self.name}, {self.rows[0].address or 'without address'}"


def signatures_needed(qualified: int, edition: Edition) -> Optional[int]:
    """The least number of voters' signatures for the share that the edition asks; None without a qualified voter."""
    return _needed(qualified, edition.number("voters_threshold"))


def missing_signatures(test: TestResult, counted: Optional[VoterCount]) -> Optional[int]:
    """Signatures that the voters' test still lacks; negative: signatures to spare. None without a qualified voter."""
    if counted is None or test.threshold is None:
        return None
    needed = _needed(counted.qualified, test.threshold)
    return None if needed is None else needed - counted.signed


def _needed(qualified: int, share: Fraction) -> Optional[int]:
    """At least the share: the next whole number up, or the share itself where that is whole."""
    need = share * qualified
    return -(-need.numerator // need.denominator) if qualified else None


@dataclass(frozen=True)
class Persons:
    """The persons of a list of inhabitants, and what was said of rows that name one person twice."""

    persons: tuple[_Person, ...]
    findings: tuple[Finding, ...]


def persons_listed(inhabitants: Iterable[Inhabitant], edition: Edition) -> Persons:
    """The rows of a list of inhabitants brought together to persons, with findings V-13."""
    findings: list[Finding] = []
    persons = _persons(inhabitants, edition, findings)
    return Persons(tuple(persons), tuple(findings))


def voters(
    inhabitants: Union[Sequence[Inhabitant], Persons, None], places: Mapping[ParcelKey, str], edition: Edition
) -> tuple[TestResult, TestResult, Optional[VoterCount], tuple[Finding, ...]]:
    """The tests `voters` and `population`, the persons counted, and findings V-08, V-13, V-14, V-31 and V-37.

    `inhabitants` is None where no list is given, rows or persons where one is. `places` maps the key of every parcel
    that the list names and the roll has to inside, split, outside, set_aside or unmapped.
    """
    if inhabitants is None:
        return (
            TestResult("voters", "not_applicable", NO_LIST, **_limit("voters", edition)),
            TestResult("population", "not_applicable", NO_LIST, **_limit("population", edition)),
            None,
            (),
        )
    listed = inhabitants if isinstance(inhabitants, Persons) else persons_listed(inhabitants, edition)
    findings = list(listed.findings)
    persons = [person for person in listed.persons if _counts(person, places, edition, findings)]
    for person in persons:
        findings.extend(_faults(person, edition))
    qualified = [person for person in persons if person.qualified]
    undecided = [person for person in persons if person.qualified is None]
    counted = VoterCount(
        inhabitants=len(persons),
        qualified=len(qualified),
        signed=sum(person.signed for person in qualified),
        undecided=len(undecided),
        signed_undecided=sum(person.signed for person in undecided),
        adults=sum(person.adult is True for person in persons),
    )
    share, population = voters_test(counted, edition), population_test(counted, edition)
    findings.extend(_wrong_denominator(counted, share, edition))
    findings.extend(_few_inhabitants(counted, population, edition))
    return share, population, counted, tuple(findings)


def _persons(inhabitants: Iterable[Inhabitant], edition: Edition, findings: list[Finding]) -> list[_Person]:
    """Rows brought together by name and address. Rows without a name stay apart: they may be several persons."""
    rows = sorted(inhabitants, key=_row_order)
    groups: dict[tuple[str, str, int], list[Inhabitant]] = {}
    for index, row in enumerate(rows):
        name = fold(row.name)
        groups.setdefault((name, fold(row.address), 0 if name else index), []).append(row)
    persons = []
    for group in groups.values():
        person = _Person(
            rows=tuple(group),
            adult=_agreed([row.adult for row in group]),
            qualified=_agreed([row.qualified for row in group]),
            signed=any(row.signed for row in group),
        )
        persons.append(person)
        if len(group) > 1:
            differ = len({row.qualified for row in group}) > 1
            text = f"{person.where}, is listed {len(group):,} times and counted once. Keep one row."
            if differ:
                text += " The rows differ in whether the person is qualified, so that is undecided."
            findings.append(_at(person, "V-13", "warning", text, edition))
    return persons


def _row_order(row: Inhabitant) -> tuple[str, ...]:
    marks = (str(row.adult), str(row.qualified), str(row.signed))
    return (row.name, row.address, row.town, row.swis, row.print_key, *marks)


def _agreed(answers: Sequence[Optional[bool]]) -> Optional[bool]:
    return answers[0] if len(set(answers)) == 1 else None


def _counts(person: _Person, places: Mapping[ParcelKey, str], edition: Edition, findings: list[Finding]) -> bool:
    """Whether a person counts: some row lies in the territory, or says nothing of where it lies."""
    counts = False
    for swis, print_key in sorted({(row.swis, row.print_key) for row in person.rows}):
        place = places.get((swis, print_key), "unknown") if swis and print_key else "blank"
        counts = counts or place != "outside"
        if place == "unknown":
            text = f"{person.where}: this parcel is not in the roll. Correct the key; the person is counted."
            findings.append(Finding("V-37", "warning", text, swis, print_key, edition.citation("V-37")))
        elif place == "outside":
            text = f"{person.where}, lives on a parcel outside the territory and is not counted. Check the address."
            findings.append(Finding("V-13", "warning", text, swis, print_key, edition.citation("V-13")))
        elif place == "split":
            text = f"{person.where}, lives on a parcel that the line cuts and is counted. Check on which side."
            findings.append(Finding("V-13", "info", text, swis, print_key, edition.citation("V-13")))
    return counts


def _faults(person: _Person, edition: Edition) -> list[Finding]:
    findings = []
    if not fold(person.rows[0].name) or not fold(person.rows[0].address):
        lacks = "address" if fold(person.rows[0].name) else "name"
        text = f"{person.where}: the list gives no {lacks}. Complete it; names and addresses are an exhibit."
        findings.append(_at(person, "V-13", "warning", text, edition))
    if person.qualified and person.adult is False:
        text = f"{person.where}, is no adult and yet marked as qualified to vote. Correct one of the two."
        findings.append(_at(person, "V-14", "warning", text, edition))
    if person.signed and person.qualified is False:
        text = f"{person.where}, signed but is not qualified to vote for town officers, so that is not counted."
        findings.append(_at(person, "V-14", "warning", text, edition))
    return findings


def _at(person: _Person, code: str, severity: str, text: str, edition: Edition) -> Finding:
    row = person.rows[0]
    return Finding(code, severity, text, row.swis, row.print_key, edition.citation(code))


def voters_test(counted: VoterCount, edition: Edition) -> TestResult:
    """The test `voters`: pass or fail only where the share is on one side of the threshold at both ends."""
    limit = edition.number("voters_threshold")
    value, low, high = share_range(counted)
    if value is None or low is None or high is None:
        text = "Nobody on the list is marked as qualified to vote"
        text += f"; {count(counted.undecided, 'person', 'persons')} undecided." if counted.undecided else "."
        return TestResult("voters", "fail", text, None, low, high, **_limit("voters", edition))
    passes = edition.holds(low, "voters_threshold"), edition.holds(high, "voters_threshold")
    text = (
        f"{counted.signed:,} of {count(counted.qualified, 'qualified voter')} signed, {percent(value, limit)};"
        f" {signatures_needed(counted.qualified, edition):,} needed"
    )
    if low != high:
        text += f", between {percent(low, limit)} and {percent(high, limit)} with {counted.undecided:,} undecided"
    status = "pass" if all(passes) else "undecided" if any(passes) else "fail"
    return TestResult("voters", status, f"{text}.", value, low, high, **_limit("voters", edition))


def population_test(counted: VoterCount, edition: Edition) -> TestResult:
    """The test `population`: regular inhabitants counted against the edition's minimum."""
    number = Fraction(counted.inhabitants)
    status = "pass" if edition.holds(number, "population_minimum") else "fail"
    people = count(counted.inhabitants, "regular inhabitant")
    text = f"{people} counted, {edition.whole('population_minimum'):,} needed."
    return TestResult("population", status, text, number, number, number, **_limit("population", edition))


def _limit(test: str, edition: Edition) -> dict[str, Any]:
    name = {"voters": "voters_threshold", "population": "population_minimum"}[test]
    return {
        "threshold": edition.number(name),
        "comparison": edition.comparison(name),
        "citation": edition.citation(test),
    }


def _wrong_denominator(counted: VoterCount, share: TestResult, edition: Edition) -> list[Finding]:
    """V-31 where the mistake would change the outcome: regular inhabitants taken for qualified voters."""
    if share.status != "pass" or not counted.inhabitants:
        return []
    wrong = Fraction(counted.signed, counted.inhabitants)
    if edition.holds(wrong, "voters_threshold"):
        return []
    limit = edition.number("voters_threshold")
    text = (
        f"The share is of the {counted.qualified:,} qualified voters. Of the {counted.inhabitants:,} regular"
        f" inhabitants it would be {percent(wrong, limit)} and fail, but that is not the number the law asks for."
    )
    return [Finding("V-31", "warning", text, citation=edition.citation("V-31"))]


def _few_inhabitants(counted: VoterCount, population: TestResult, edition: Edition) -> list[Finding]:
    minimum = edition.whole("population_minimum")
    citation = edition.citation("V-08")
    if population.status == "fail":
        short = minimum - counted.inhabitants
        people = count(counted.inhabitants, "regular inhabitant")
        text = f"{people}, {short:,} fewer than the {minimum:,} that are needed."
        return [Finding("V-08", "error", text, citation=citation)]
    if counted.inhabitants < minimum * (1 + edition.number("population_margin")):
        text = (
            f"{count(counted.inhabitants, 'regular inhabitant')}, close to the {minimum:,} that are needed."
            " Make sure that each name holds."
        )
        return [Finding("V-08", "warning", text, citation=citation)]
    return []
