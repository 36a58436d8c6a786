"""The verdict in words, and the law that it rests on. Nothing of it is computed here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Optional

from qgis.PyQt.QtCore import QCoreApplication

from ..core.model import Analysis, TestResult
from . import figures

translate = QCoreApplication.translate


def basis_name(basis: str) -> str:
    """What a basis is called on buttons: Owners or Voters."""
    return translate("Verdicts", "Owners") if basis == "valuation" else translate("Verdicts", "Voters")


def basis_owner(basis: str) -> str:
    """A basis in the middle of a sentence."""
    return translate("Verdicts", "owners' basis") if basis == "valuation" else translate("Verdicts", "voters' basis")


def basis_words(analysis: Analysis) -> str:
    """ "Owners · 2004": what the meter's button says."""
    return " · ".join([", ".join(basis_name(basis) for basis in analysis.bases), analysis.edition])


def lacks_basis(analysis: Analysis) -> Optional[str]:
    """An alleged basis that the edition does not have, when none is left that it has."""
    known = edition_bases(analysis.edition)
    lacking = [basis for basis in analysis.bases if basis not in known]
    return lacking[0] if lacking and len(lacking) == len(analysis.bases) else None


def edition_bases(edition: str) -> tuple[str, ...]:
    """The bases that an edition has."""
    from ..core.editions import load_edition

    return tuple(load_edition(edition).bases)


def edition_words(edition: str) -> str:
    """An edition as the combo box names it."""
    names = {
        "2004": translate("Verdicts", "2004: text of § 2-202 until 2023"),
        "2024": translate("Verdicts", "2024: text of § 2-202 from 2024"),
    }
    return names.get(edition, edition)


def verdict_words(analysis: Analysis, shown: Optional[figures.Figures] = None) -> str:
    """The verdict in words."""
    shown = shown or analysis
    lacking = lacks_basis(analysis)
    if lacking is not None:
        return (
            translate("Verdicts", "Owners' basis is not in the {} edition")
            if lacking == "valuation"
            else translate("Verdicts", "Voters' basis is not in the {} edition")
        ).format(analysis.edition)
    if shown.verdict == "pass":
        return translate("Verdicts", "Enough: every test of the {} is met").format(
            basis_owner(_met_basis(analysis, shown))
        )
    if shown.verdict == "fail":
        overlap = figures.test_of(shown, "city_village")
        if overlap is not None and overlap.status == "fail":
            return translate("Verdicts", "Blocked: the boundary overlaps a city or village")
        return translate("Verdicts", "Not enough yet: {}").format(", ".join(_named_tests(analysis, shown, "fail")))
    return translate("Verdicts", "Undecided: {}").format(", ".join(_undecided(analysis, shown)))


def _met_basis(analysis: Analysis, shown: figures.Figures) -> str:
    for basis in analysis.bases:
        tests = [test for test in shown.tests if test.id.startswith(basis)]
        if tests and all(test.status == "pass" for test in tests):
            return basis
    return analysis.bases[0]


def _alleged(analysis: Analysis, test: TestResult) -> bool:
    return not test.id.startswith(figures.BASES) or test.id.split(".")[0] in analysis.bases


def _named_tests(analysis: Analysis, shown: figures.Figures, status: str) -> list[str]:
    """The tests of a status that enter the verdict, in the words of a person."""
    words: list[str] = []
    parts = figures.failing_parts(shown, status) if "valuation" in analysis.bases else []
    if parts:
        words.append(
            translate("Verdicts", "{} part").format(parts[0].town)
            if len(parts) == 1
            else translate("Verdicts", "{} town parts").format(figures.count(len(parts)))
        )
    names = {
        "voters": translate("Verdicts", "voters"),
        "area": translate("Verdicts", "area"),
        "population": translate("Verdicts", "population"),
        "city_village": translate("Verdicts", "city or village"),
    }
    if not parts:
        names = {figures.OVERALL_TEST: translate("Verdicts", "overall value"), **names}
    for test_id, name in names.items():
        test = figures.test_of(shown, test_id)
        if test is not None and test.status == status and _alleged(analysis, test):
            words.append(name)
    return words or [translate("Verdicts", "see the findings")]


def _undecided(analysis: Analysis, shown: figures.Figures) -> list[str]:
    """What keeps the verdict open."""
    words: list[str] = []
    if "valuation" in analysis.bases:
        overall = figures.test_of(shown, figures.OVERALL_TEST)
        if overall is not None and overall.status == "not_applicable":
            words.append(translate("Verdicts", "no signatures yet"))
        elif any(t.status == "undecided" for t in shown.tests if t.id.startswith("valuation")):
            words += _open_parcels(analysis)
    voters = figures.test_of(shown, "voters")
    if "voters" in analysis.bases and voters is not None:
        if voters.status == "not_applicable":
            words.append(translate("Verdicts", "no list of inhabitants"))
        elif voters.status == "undecided":
            words.append(translate("Verdicts", "voters"))
    if not words:
        words = _named_tests(analysis, shown, "undecided")
    return words


def _open_parcels(analysis: Analysis) -> list[str]:
    owners = place = value = 0
    for parcel in analysis.parcels:
        known = analysis.ownership.get(parcel.key)
        if parcel.inside is not None:
            owners += bool(parcel.inside) and known is not None and known.share != known.share_high
        elif parcel.value is None:
            value += 1
        else:
            place += 1
    words = []
    if owners:
        one, many = (
            translate("Verdicts", "{} parcel without owners"),
            translate("Verdicts", "{} parcels without owners"),
        )
        words.append(figures.either(owners, one, many))
    if place:
        one, many = translate("Verdicts", "{} parcel not placed"), translate("Verdicts", "{} parcels not placed")
        words.append(figures.either(place, one, many))
    if value:
        one, many = translate("Verdicts", "{} parcel without value"), translate("Verdicts", "{} parcels without value")
        words.append(figures.either(value, one, many))
    return words or [translate("Verdicts", "see the findings")]


def missing_rates(rates: Sequence[Mapping[str, str]]) -> str:
    """ "Blocked: no equalization rate for Dunkirk", empty where every town has one."""
    towns = [row["town"] or row["swis"] for row in rates if not row["rate"].strip()]
    if not towns:
        return ""
    if len(towns) == 1:
        return translate("Verdicts", "Blocked: no equalization rate for {}").format(towns[0])
    return translate("Verdicts", "Blocked: no equalization rate for {} towns").format(figures.count(len(towns)))
