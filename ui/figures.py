"""Words and numbers of the window. Nothing of the law is computed here: results come in, sentences go out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Any, Optional, Union

from qgis.PyQt.QtCore import QCoreApplication, QLocale

from ..core import figures as printed
from ..core.model import Alternative, Analysis, Part, Proof, TestResult

translate = QCoreApplication.translate

PART_TEST = "valuation.part."
OVERALL_TEST = "valuation.overall"
BASES = ("valuation", "voters")

Figures = Union[Analysis, Alternative]


# Numbers, as the reader's locale writes them


def local(text: str) -> str:
    """A number written in en_US, as the reader's locale writes it."""
    locale = QLocale()
    marks = {",": locale.groupSeparator(), ".": locale.decimalPoint()}
    return "".join(str(marks.get(letter, letter)) for letter in text)


def count(number: int) -> str:
    """A whole number with separators."""
    return local(f"{number:,}")


def dollars(number: int) -> str:
    """Whole dollars with their sign."""
    return f"−${count(-number)}" if number < 0 else f"${count(number)}"


def decimal(value: Fraction, places: int) -> str:
    """A number with so many decimals, half up."""
    scaled = printed.half_up(value * 10**places)
    return local(f"{scaled // 10**places:,}.{scaled % 10**places:0{places}d}")


def plain(value: Fraction) -> str:
    """A number with as few decimals as it needs, at most two: 50, 2.5."""
    return local(f"{float(value):.2f}".rstrip("0").rstrip("."))


def percent(share: Optional[Fraction], threshold: Optional[Fraction] = None) -> str:
    """A share in percent, with as many decimals as keep it on its side of the threshold (rule 25)."""
    return "–" if share is None else local(printed.percent(share, threshold))


def limit(test: Optional[TestResult], otherwise: str = "") -> str:
    """What a test asks for: ">50 %", "≥20 %"."""
    if test is None or test.threshold is None:
        return otherwise
    sign = {">=": "≥", "<=": "≤"}.get(test.comparison, test.comparison)
    return f"{sign}{plain(test.threshold * 100)} %"


def either(number: int, one: str, many: str) -> str:
    """The words for one or for many, with the number in place of {}."""
    return (one if number == 1 else many).format(count(number))


# Reading the results


def test_of(figures: Figures, test_id: str) -> Optional[TestResult]:
    """A test by its id."""
    return next((test for test in figures.tests if test.id == test_id), None)


def part_test(figures: Figures, part: Part) -> Optional[TestResult]:
    """The test of one town part."""
    return test_of(figures, PART_TEST + part.swis)


def failing_parts(figures: Figures, status: str = "fail") -> list[Part]:
    """The parts whose test has a status, worst first."""
    found = [part for part in figures.parts if (test := part_test(figures, part)) is not None and test.status == status]
    return worst_first(found)


def worst_first(parts: Sequence[Part]) -> list[Part]:
    """Parts by their share, lowest first; a part without a share comes first of all."""
    return sorted(parts, key=lambda part: (Fraction(-1) if part.share is None else part.share, part.swis))


@dataclass(frozen=True)
class Missing:
    """Whole dollars of assessed value that would decide: least and most, and how many parcels keep them apart."""

    low: int
    high: int
    undecided: int

    @property
    def known(self) -> bool:
        """Whether there is one figure."""
        return self.low == self.high


def missing_of(analysis: Analysis, part: Part, figures: Optional[Figures] = None) -> Optional[Missing]:
    """What a part lacks: `threshold × value − signed`, up to the whole dollar that decides; None where unbounded.

    A parcel whose owners are unknown may bring credit; one whose place is unknown brings value and credit together,
    so that it moves the figure by value × (threshold − its credit share).
    """
    test = part_test(figures or analysis, part)
    if test is None or test.threshold is None or part.share is None:
        return None
    lacking = test.threshold * part.value - part.signed
    if figures is not None and figures is not analysis:
        return Missing(_whole(lacking, test), _whole(lacking, test), 0)
    least = most = lacking
    undecided = 0
    for parcel in analysis.parcels:
        owners = analysis.ownership.get(parcel.key)
        if parcel.swis[:4] != part.swis[:4] or (parcel.inside is not None and owners is None):
            continue
        share, high = (Fraction(0), Fraction(0)) if owners is None else (owners.share, owners.share_high)
        if parcel.inside is not None:
            least -= parcel.inside * (high - share)
            undecided += high != share and parcel.inside > 0
        elif parcel.value is None:
            return None
        elif parcel.value:
            least += min(Fraction(0), parcel.value * (test.threshold - high))
            most += max(Fraction(0), parcel.value * (test.threshold - share))
            undecided += 1
    return Missing(_whole(least, test), _whole(most, test), undecided)


def fewest(analysis: Analysis, part: Part, candidates: Sequence[Any]) -> Optional[int]:
    """How few further signatures can decide a part; None where all of them are too few."""
    from ..core.editions import load_edition
    from ..core.majority import fewest as least

    return least(part, candidates, load_edition(analysis.edition))


def _whole(lacking: Fraction, test: TestResult) -> int:
    return max(0, floor(lacking) + 1 if test.comparison == ">" else ceil(lacking))


def voters_lacking(analysis: Analysis) -> int:
    """How many signatures of qualified voters are missing; 0 where none are, or where there is no list."""
    from ..core.voters import missing_signatures

    test = test_of(analysis, "voters")
    missing = None if test is None else missing_signatures(test, analysis.voters)
    return max(0, missing or 0)


# Lines of the meter


def missing_range_words(missing: Missing) -> str:
    """ "Between $0 and $84,000 missing, see"; the link with the parcels follows."""
    return translate("Figures", "Between {} and {} missing, see").format(dollars(missing.low), dollars(missing.high))


def undecided_parcels(number: int) -> str:
    """ "3 undecided parcels"."""
    one, many = translate("Figures", "{} undecided parcel"), translate("Figures", "{} undecided parcels")
    return either(number, one, many)


def more_signatures(number: int) -> str:
    """ "1 more signature"."""
    one, many = translate("Figures", "{} more signature"), translate("Figures", "{} more signatures")
    return either(number, one, many)


def voters_missing(number: int) -> str:
    """ "Voters: 12 signatures missing"."""
    one = translate("Figures", "Voters: {} signature missing")
    many = translate("Figures", "Voters: {} signatures missing")
    return either(number, one, many)


def findings_words(analysis: Optional[Analysis]) -> str:
    """ "3 errors, 5 warnings", "No findings"."""
    if analysis is None:
        return translate("Figures", "Findings")
    errors = sum(finding.severity == "error" for finding in analysis.findings)
    warnings = sum(finding.severity == "warning" for finding in analysis.findings)
    words = []
    if errors:
        words.append(either(errors, translate("Figures", "{} error"), translate("Figures", "{} errors")))
    if warnings:
        words.append(either(warnings, translate("Figures", "{} warning"), translate("Figures", "{} warnings")))
    if words:
        return ", ".join(words)
    notes = len(analysis.findings)
    if notes:
        return either(notes, translate("Figures", "{} note"), translate("Figures", "{} notes"))
    return translate("Figures", "No findings")


def findings_status(analysis: Optional[Analysis]) -> str:
    """The worst severity among the findings, as a status."""
    if analysis is None:
        return "note"
    severities = {finding.severity for finding in analysis.findings}
    return "fail" if "error" in severities else "warning" if "warning" in severities else "pass"


def area_words(analysis: Analysis) -> str:
    """ "3.389 of 5 mi²"."""
    test = test_of(analysis, "area")
    area = decimal(analysis.territory.square_miles, 3)
    if test is None or test.threshold is None:
        return translate("Figures", "{} mi²").format(area)
    return translate("Figures", "{} of {} mi²").format(area, plain(test.threshold))


def people_words(analysis: Analysis) -> str:
    """ "2,735 people"."""
    test = test_of(analysis, "population")
    if test is None or test.value is None:
        return translate("Figures", "people not listed")
    return either(int(test.value), translate("Figures", "{} person"), translate("Figures", "{} people"))


def proof_words(proof: Proof) -> str:
    """ "2,479 roll rows = 1,624 in + 97 split + 757 out + 1 by hand"; terms of 0 that are rare stay away."""
    terms = [
        translate("Figures", "{} in").format(count(proof.inside)),
        translate("Figures", "{} split").format(count(proof.split)),
        translate("Figures", "{} out").format(count(proof.outside)),
    ]
    rare = (
        (proof.set_aside, translate("Figures", "{} set aside")),
        (proof.unmapped, translate("Figures", "{} by hand")),
        (proof.merged_rows, translate("Figures", "{} repeated")),
        (proof.without_key, translate("Figures", "{} without key")),
    )
    terms += [words.format(count(number)) for number, words in rare if number]
    return translate("Figures", "{} roll rows = {}").format(count(proof.rows + proof.unmapped), " + ".join(terms))


# Words of the tables


def signer_status(status: str, struck: str = "") -> tuple[str, str]:
    """The word and the icon's status of a signature line."""
    if status == "struck" and struck.strip().casefold() == "withdrawn":
        return translate("Figures", "Withdrawn"), "fail"
    return {
        "credited": (translate("Figures", "Credited"), "pass"),
        "duplicate": (translate("Figures", "Duplicate"), "warning"),
        "not_owner": (translate("Figures", "Not owner"), "fail"),
        "incomplete": (translate("Figures", "No address"), "fail"),
        "struck": (translate("Figures", "Struck"), "fail"),
    }.get(status, (translate("Figures", "Undecided"), "undecided"))


def method_words(method: Optional[str]) -> tuple[str, str]:
    """The short word for a method of apportionment and what it means."""
    return {
        "whole": (translate("Figures", "Whole"), translate("Figures", "Wholly inside: the whole value counts.")),
        "land_area_improvement_location": (
            translate("Figures", "L + B"),
            translate("Figures", "Land by area, improvement by the location of the building."),
        ),
        "area_only": (translate("Figures", "Area"), translate("Figures", "The whole value by area.")),
        "assessor_override": ("✎", translate("Figures", "The assessor's own figure.")),
        "inside_value": (
            translate("Figures", "Stated"),
            translate("Figures", "No polygon: the value inside is stated in the table."),
        ),
    }.get(method or "", ("–", translate("Figures", "Set aside: nothing is apportioned until it is settled.")))


def accessible_bar(label: str, test: Optional[TestResult], share: Optional[Fraction], missing: str) -> str:
    """What a bar is called to those who cannot see it."""
    if test is None or share is None:
        return translate("Figures", "{}, no figure").format(label)
    outcome = {
        "pass": translate("Figures", "passes"),
        "fail": translate("Figures", "fails"),
        "undecided": translate("Figures", "is undecided"),
    }.get(test.status, translate("Figures", "does not apply"))
    needed = "" if test.threshold is None else plain(test.threshold * 100)
    asked = (
        translate("Figures", "more than {} needed")
        if test.comparison == ">"
        else translate("Figures", "at least {} needed")
    ).format(needed)
    words = [
        label,
        translate("Figures", "{} percent signed").format(percent(share, test.threshold).replace(" %", "")),
        asked,
        outcome,
    ]
    if missing:
        words.append(translate("Figures", "{} missing").format(missing))
    return ", ".join(words)
