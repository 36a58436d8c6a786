"""The checklist of § 2-202(1) and what follows filing. It never enters the verdict (rule 22).

What nobody gave is undecided, with the reason; a finding is raised only where the data at hand shows a fault.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from fractions import Fraction
from typing import Optional

from .deadlines import WEEKDAYS, Deadline, deadlines
from .editions import Edition
from .figures import count, dollars, listing
from .model import Finding, Requirement, SignerLine, SignerResult, TestResult, Town
from .petition import COMMISSION, Petition
from .schema import town_code
from .signature_pages import signature_pages
from .transition import ground_of
from .verdict import alleged_bases

BASES = {"valuation": "owners (valuation)", "voters": "voters"}
Outcome = tuple[str, str, tuple[Finding, ...]]
"""Status, reason and findings of one item."""


@dataclass(frozen=True)
class Facts:
    """What the analysis knows beside the petition.

    `towns` are those with a part; `town_areas` the territory's area in each by town code, in any one unit, empty where
    unknown; `ground_fails` says that an alleged ground of area was found not to hold (V-03), `ground_unknown` that it
    could not be checked; `inhabitants` is the number of persons counted on the list; `lines` are None where no
    signers are given.
    """

    towns: Sequence[Town]
    area: Optional[TestResult] = None
    ground_fails: bool = False
    ground_unknown: bool = False
    inhabitants: Optional[int] = None
    lines: Optional[Sequence[SignerLine]] = None
    signers: Sequence[SignerResult] = ()
    town_areas: Mapping[str, float] = field(default_factory=dict)


def checklist(
    petition: Petition, edition: Edition, facts: Facts
) -> tuple[tuple[Requirement, ...], tuple[Finding, ...]]:
    """Every item of the checklist in the order of the statute, and the findings that go with those that fail."""
    items: dict[str, Callable[[], Outcome]] = {
        "name": lambda: _name(petition),
        "basis": lambda: _basis(petition, edition, facts),
        "population_alleged": lambda: _population_alleged(petition, edition),
        "area_ground": lambda: _area_ground(petition, edition, facts),
        "designees": lambda: _designees(petition, edition),
        "exhibit.description": lambda: _description(petition, edition),
        "exhibit.inhabitants": lambda: _inhabitants(petition, edition, facts),
        "exhibit.study": lambda: _study(petition, edition),
        "signature_pages": lambda: signature_pages(petition, edition, facts.lines, facts.signers),
        "certificates": lambda: _certificates(petition, edition, facts),
        "filing.original": lambda: _original(petition, edition, facts),
        "filing.copies": lambda: _copies(petition, edition, facts),
        "filing.deposit": lambda: _deposit(petition, edition, facts),
    }
    requirements: list[Requirement] = []
    findings: list[Finding] = []
    for id, item in items.items():
        status, reason, found = item()
        requirements.append(Requirement(id, status, reason, edition.citation(id)))
        findings.extend(found)
    for deadline in deadlines(edition, petition.filed):
        requirements.append(_deadline(deadline, edition))
    return tuple(requirements), tuple(findings)


def _finding(code: str, severity: str, text: str, edition: Edition, swis: str = "") -> Finding:
    return Finding(code, severity, text, swis, citation=edition.citation(code))


def _unknown(what: str) -> Outcome:
    return "undecided", f"The petition's data does not say {what}.", ()


# Contents of the petition, § 2-202(1)(b)


def _name(petition: Petition) -> Outcome:
    if petition.name is None:
        return _unknown("what the village is called")
    if not petition.name.strip():
        return "fail", "The name of the village is empty.", ()
    return "pass", f"The village is called {petition.name.strip()}.", ()


def _basis(petition: Petition, edition: Edition, facts: Facts) -> Outcome:
    bases = alleged_bases(petition.bases, edition)
    findings = [
        _finding("V-11", "error", f"Edition {edition.id} has no {BASES[basis]} basis. Allege another.", edition)
        for basis in bases
        if basis not in edition.bases
    ]
    if petition.bases is None:
        assumed = listing([BASES[basis] for basis in bases])
        status, reason, _ = _unknown(f"which basis is alleged; {assumed} is assumed")
        return status, reason, tuple(findings)
    if not petition.bases:
        text = "The petition alleges no basis. Name owners, voters or both."
        return "fail", text, (_finding("V-10", "error", text, edition),)
    findings.extend(_other_basis(bases, facts.lines or (), edition))
    if findings:
        return "fail", findings[0].message, tuple(findings)
    return "pass", f"Alleged: {listing([BASES[basis] for basis in bases])}.", ()


def _other_basis(bases: Sequence[str], lines: Sequence[SignerLine], edition: Edition) -> list[Finding]:
    """V-10 for each sheet whose lines state a basis that the petition does not allege."""
    words = {"valuation": {"valuation"}, "owners": {"valuation"}, "voters": {"voters"}, "both": set(BASES)}
    pages: dict[int, set[str]] = {}
    for line in lines:
        stated = line.basis.strip()
        if stated and not words.get(stated.lower(), {stated}) <= set(bases):
            pages.setdefault(line.page, set()).add(stated)
    alleged = listing([BASES[basis] for basis in bases])
    return [
        _finding(
            "V-10",
            "error",
            f"Page {page} states the basis {listing(sorted(stated))}, the petition alleges {alleged}."
            " Sheets and petition must agree.",
            edition,
        )
        for page, stated in sorted(pages.items())
    ]


def _population_alleged(petition: Petition, edition: Edition) -> Outcome:
    alleged, minimum = petition.population_alleged, edition.whole("population_minimum")
    if alleged is None:
        return _unknown("what population is alleged")
    if not edition.holds(Fraction(alleged), "population_minimum"):
        text = f"The petition alleges {count(alleged, 'regular inhabitant')}; at least {minimum:,} must be alleged."
        return "fail", text, (_finding("V-08", "error", text, edition),)
    return "pass", f"{count(alleged, 'regular inhabitant')} alleged, at least {minimum:,} needed.", ()


def _area_ground(petition: Petition, edition: Edition, facts: Facts) -> Outcome:
    ground = petition.area_ground
    if ground is None:
        return _unknown("by which ground the limit of area is met")
    words = edition.data("area_grounds").get(ground)
    if words is None:
        return "fail", f"“{ground}” is none of the grounds a, b, c and d.", ()
    if facts.area is None:
        return "undecided", f"Ground {ground} ({words}) is alleged; the area was not tested.", ()
    if ground != "a" and facts.ground_unknown:
        return "undecided", f"Ground {ground} ({words}) is alleged and could not be checked.", ()
    fails = facts.ground_fails if ground != "a" else not _within_area(facts.area, edition)
    if fails:
        return "fail", f"Ground {ground} ({words}) is alleged and does not hold.", ()
    return "pass", f"Ground {ground} ({words}) is alleged and holds.", ()


def _within_area(area: TestResult, edition: Edition) -> bool:
    return area.value is not None and edition.holds(area.value, "area_maximum_square_miles")


def _designees(petition: Petition, edition: Edition) -> Outcome:
    designees = petition.designees
    if designees is None:
        return _unknown("who is designated to be served")
    least, most = edition.whole("designees_minimum"), edition.whole("designees_maximum")
    without = [person.name for person in designees if not person.address.strip() or not person.town.strip()]
    findings = [
        _finding("V-09", "warning", f"Designee {name}: the full address is missing. Complete it.", edition)
        for name in without
    ]
    number = len(designees)
    if not least <= number <= most:
        text = f"{count(number, 'person', 'persons')} designated, where {least} to {most} are allowed."
        return "fail", text, (*findings, _finding("V-09", "error", text, edition))
    resident = sum(person.resident is True for person in designees)
    possible = resident + sum(person.resident is None for person in designees)
    text = f"{count(number, 'person', 'persons')} designated, {resident} of them known to reside in the territory"
    if edition.holds(Fraction(resident, number), "designees_resident_share"):
        return "pass", f"{text}.", tuple(findings)
    if edition.holds(Fraction(possible, number), "designees_resident_share"):
        return "undecided", f"{text}; a majority must.", tuple(findings)
    text = f"{text}; a majority must."
    return "fail", text, (*findings, _finding("V-09", "error", text, edition))


# Exhibits, § 2-202(1)(c)


def _description(petition: Petition, edition: Edition) -> Outcome:
    form = petition.exhibits.description if petition.exhibits else None
    if form is None:
        return _unknown("in which form the territory is described")
    if form not in edition.data("description_forms"):
        text = f"“{form}” is no form of description of the territory that the law allows."
        return "fail", text, (_finding("V-12", "error", text, edition),)
    words = {"metes_bounds": "by metes and bounds", "streets_waters": "by streets and waters", "map": "by a map"}
    return "pass", f"The territory is described {words.get(form, form)}.", ()


def _inhabitants(petition: Petition, edition: Edition, facts: Facts) -> Outcome:
    attached = petition.exhibits.inhabitants if petition.exhibits else None
    if attached is None:
        return _unknown("whether the list of regular inhabitants is attached before the signature pages")
    if not attached:
        text = "The list of regular inhabitants is not attached before the signature pages."
        return "fail", text, (_finding("V-12", "error", text, edition),)
    persons = "" if facts.inhabitants is None else f"; {count(facts.inhabitants, 'person', 'persons')} counted on it"
    return "pass", f"The list of regular inhabitants is attached{persons}.", ()


def _study(petition: Petition, edition: Edition) -> Outcome:
    """What the petition's data says of the study: attached, jointly_selected, confirmed, certified, public_from."""
    if not edition.data("study_required"):
        ground = ground_of(petition, edition)
        also = f" {ground['also']}" if ground and ground["also"] else ""
        return "not_applicable", f"Edition {edition.id} asks for no study as an exhibit.{also}", ()
    study = petition.exhibits.study if petition.exhibits else None
    if study is None:
        return _unknown("whether the study is attached")
    faults = {
        "attached": "The study is not attached before the signature pages.",
        "jointly_selected": "The author of the study was not selected jointly by petitioners and supervisors.",
        "confirmed": "The choice of the author is not confirmed in writing by petitioners and town clerks.",
        "certified": "The study does not certify that it sets forth all the elements required.",
    }
    texts = [text for key, text in faults.items() if getattr(study, key) is False]
    texts.extend(_late_study(study.public_from, petition.filed, edition))
    if texts:
        return "fail", texts[0], tuple(_finding("V-29", "error", text, edition) for text in texts)
    missing = [key.replace("_", " ") for key in faults if getattr(study, key) is None]
    if missing:
        return _unknown(f"whether the study is {listing(missing)}")
    return "pass", "The study is attached, its author jointly selected and confirmed, its elements certified.", ()


def _late_study(public: Optional[date], filed: Optional[date], edition: Edition) -> list[str]:
    """Whether even the latest day allowed for the hearing comes before the study has been public long enough."""
    if public is None or filed is None:
        return []
    needed = public + timedelta(edition.whole("study_public_days"))
    latest = filed + timedelta(edition.whole("notice_days") + edition.whole("hearing_to_days"))
    if needed <= latest:
        return []
    return [
        f"The study is public from {public.isoformat()}, so the hearing cannot be before {needed.isoformat()};"
        f" the last day allowed is {latest.isoformat()}."
    ]


# Certificates, § 2-202(1)(d), and filing, § 2-202(1)(f)


def _certificates(petition: Petition, edition: Edition, facts: Facts) -> Outcome:
    if "valuation" not in edition.bases:
        return "not_applicable", f"Edition {edition.id} has no owners' basis, so no assessor certifies.", ()
    if "valuation" not in alleged_bases(petition.bases, edition):
        return "not_applicable", "The owners' basis is not alleged.", ()
    if len(facts.towns) == 1:
        what = f"whether an assessor of {facts.towns[0].name} has certified the assessed valuation"
    else:
        what = f"whether an assessor of each of {_names(facts.towns)} has certified the full valuation of its part"
    return _unknown(what)


def _names(towns: Sequence[Town]) -> str:
    return listing([town.name for town in towns])


def _greatest(facts: Facts) -> Optional[Town]:
    """The town with the greatest part of the territory, None where that is not known."""
    if len(facts.towns) == 1:
        return facts.towns[0]
    if not facts.towns or any(town.code not in facts.town_areas for town in facts.towns):
        return None
    return max(facts.towns, key=lambda town: (facts.town_areas[town.code], town.swis))


def _original(petition: Petition, edition: Edition, facts: Facts) -> Outcome:
    rules = edition.data("filing")
    greatest = _greatest(facts)
    with_commission = rules["original_with"] == "Commission"
    if with_commission:
        where = rules["original_officer"]
    else:
        where = f"a {rules['original_officer']} of {greatest.name if greatest else 'the ' + rules['original_with']}"
    if petition.filed_with is None:
        return _unknown(f"where the original is filed; it belongs with {where}")
    if not petition.filed_with:
        return "fail", f"The original is filed nowhere; it belongs with {where}.", ()
    if with_commission:
        if COMMISSION in petition.filed_with:
            return "pass", f"The original is filed with the {where}.", ()
        return _unknown(f"whether the original is filed with the {where}")
    if greatest is None:
        return "undecided", f"The original belongs with {where}; the towns' areas are not known.", ()
    if town_code(petition.filed_with[0]) != greatest.code:
        text = f"The original is filed first with {petition.filed_with[0]}; it belongs with {where} ({greatest.swis})."
        return "fail", text, (_finding("V-27", "error", text, edition, greatest.swis),)
    return "pass", f"The original is filed with {where}.", ()


def copies_needed(towns: int, edition: Edition) -> int:
    """How many copies are filed beside the original for a territory in so many towns."""
    return towns - int(edition.data("filing")["towns_without_copy"])


def deposit_needed(towns: int, edition: Edition) -> int:
    """Dollars deposited in all for a territory in so many towns."""
    return edition.whole("deposit") * (towns if edition.data("deposit_per") == "town" else 1)


def _copies(petition: Petition, edition: Edition, facts: Facts) -> Outcome:
    needed = copies_needed(len(facts.towns), edition)
    rules = edition.data("filing")
    if not needed:
        return "not_applicable", "The territory lies in one town, which holds the original.", ()
    if petition.filed_with is None:
        copies = count(needed, "copy", "copies")
        return _unknown(f"where copies are filed; {copies} with the {rules['copies_with']} needed")
    filed = {town_code(place) for place in petition.filed_with}
    without = [town for town in facts.towns if town.code not in filed]
    if without:
        nothing = f"Nothing is filed with a {rules['copy_officer']} of"
        findings = [_finding("V-26", "error", f"{nothing} {town.name}.", edition, town.swis) for town in without]
        return "fail", f"{nothing} {_names(without)}.", tuple(findings)
    return "pass", f"Filed with the {rules['copies_with']} of {_names(facts.towns)}.", ()


def _deposit(petition: Petition, edition: Edition, facts: Facts) -> Outcome:
    each, needed = edition.whole("deposit"), deposit_needed(len(facts.towns), edition)
    fee = edition.whole("fee")
    owed = f"{dollars(needed)} with the {edition.text('deposit_with')}"
    if edition.data("deposit_per") == "town":
        owed = f"{dollars(each)} with {edition.text('deposit_with')}, {dollars(needed)} in all"
    if fee:
        owed += f", and a fee of {dollars(fee)}"
    if petition.deposits is None:
        return _unknown(f"what is deposited; {owed} needed")
    if edition.data("deposit_per") != "town":
        paid = sum(petition.deposits.values())
        if paid < needed:
            text = f"{dollars(paid)} deposited, {owed} needed."
            return "fail", text, (_finding("V-26", "error", text, edition),)
        return "pass", f"{dollars(paid)} deposited, {owed} needed.", ()
    paid_by_code: dict[str, int] = {}
    for swis, amount in petition.deposits.items():
        paid_by_code[town_code(swis)] = paid_by_code.get(town_code(swis), 0) + amount
    findings = []
    for town in facts.towns:
        paid = paid_by_code.get(town.code, 0)
        if paid < each:
            text = f"{dollars(paid)} deposited with the supervisor of {town.name}, {dollars(each)} needed."
            findings.append(_finding("V-26", "error", text, edition, town.swis))
    if findings:
        return "fail", " ".join(finding.message for finding in findings), tuple(findings)
    return "pass", f"{dollars(each)} or more deposited with each supervisor.", ()


# After filing


def _deadline(deadline: Deadline, edition: Edition) -> Requirement:
    key = f"deadline.{deadline.id}"
    if deadline.ends is None:
        reason = f"Not yet counted: {deadline.rule}."
    else:
        ends = deadline.ends.isoformat()
        span = f"from {deadline.opens.isoformat()} to {ends}" if deadline.opens else f"by {ends}"
        reason = f"{deadline.rule[0].upper()}{deadline.rule[1:]}: {span}"
        if deadline.rolled != deadline.ends and deadline.rolled is not None:
            reason += f" (a {WEEKDAYS[deadline.ends.weekday()]}; next business day {deadline.rolled.isoformat()})"
        reason += "."
    return Requirement(key, "undecided", reason, edition.citation(key))
