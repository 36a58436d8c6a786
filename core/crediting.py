"""Who signed and what each signature is credited with: rules 14 and 15.

§ 2-202(1)(a)(2): every tenant in common, joint tenant or tenant by the entirety counts for the assessed value divided
by the number of owners, whatever the deed says.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from operator import attrgetter
from typing import Optional

from .editions import Edition, person_names
from .figures import dollars, listing
from .model import Finding, OwnerRow, Ownership, Parcel, ParcelKey, SignerLine, SignerResult
from .ownership import NO_OWNER, Owners, is_counted
from .schema import fold, town_code

ZERO, ONE = Fraction(0), Fraction(1)

CREDITED, DUPLICATE, NOT_OWNER, INCOMPLETE, STRUCK = "credited", "duplicate", "not_owner", "incomplete", "struck"

LINE_ORDER = attrgetter("page", "line", "name", "struck", "address", "town")

Holding = dict[tuple[str, int], int]
"""What one person owns: dollars inside by town code and number of owners, added up as whole numbers."""


@dataclass(frozen=True)
class Ledger:
    """What the signatures come to. `signed` are the keys of the persons credited, each once.

    `changed` are the parcels of which the ownership may differ from the crediting before, None where that may be all.
    """

    ownership: Mapping[ParcelKey, Ownership]
    signers: tuple[SignerResult, ...]
    signed: frozenset[str]
    findings: tuple[Finding, ...]
    changed: Optional[frozenset[ParcelKey]] = None


@dataclass
class Crediting:
    """What one crediting leaves for the next, where lines or parcels are the same: found again, not computed again.

    `holdings` are those of all persons and `credits` theirs as far as anybody asked; `owned_by` are the parcels of
    each person; `owned` tells that the ownership is known. All of it belongs to `parcels` and `owners`.
    """

    parcels: Optional[Sequence[Parcel]] = None
    owners: Mapping[ParcelKey, Owners] = field(default_factory=dict)
    holdings: dict[str, Holding] = field(default_factory=dict)
    credits: dict[str, dict[str, Fraction]] = field(default_factory=dict)
    owned_by: Optional[dict[str, list[ParcelKey]]] = None
    lines: Optional[Sequence[SignerLine]] = None
    ordered: Sequence[SignerLine] = ()
    keys: Sequence[str] = ()
    signed: frozenset[str] = frozenset()
    ownership: Mapping[ParcelKey, Ownership] = field(default_factory=dict)
    owned: bool = False

    def sort(self, lines: Optional[Sequence[SignerLine]]) -> None:
        """Bring the lines into their order and fold their names."""
        if lines is None or lines is not self.lines:
            self.lines = lines
            self.ordered = sorted(lines or (), key=LINE_ORDER)
            self.keys = [fold(line.name) for line in self.ordered]

    def hold(
        self, parcels: Sequence[Parcel], owners: Mapping[ParcelKey, Owners], persons: Optional[Collection[str]]
    ) -> bool:
        """See that the holdings are those of these parcels and owners, of `persons` or of all; whether they were."""
        if parcels is self.parcels and owners is self.owners:
            return self.owned
        self.owned = False
        self.parcels, self.owners, self.owned_by = parcels, owners, None
        self.holdings, self.credits = _holdings(parcels, owners, persons), {}
        return False

    def own(self, signed: frozenset[str], same: bool) -> Optional[frozenset[ParcelKey]]:
        """Take who signed into the ownership; the parcels that it changes, None where the parcels are others too."""
        changed: Optional[frozenset[ParcelKey]] = None
        keys: Iterable[ParcelKey] = [parcel.key for parcel in self.parcels or ()]
        if same:
            keys = changed = frozenset(self._parcels_of(self.signed ^ signed))
        self.ownership = {**(self.ownership if same else {}), **_ownership(keys, self.owners, signed)}
        self.signed, self.owned = signed, True
        return changed

    def _parcels_of(self, persons: Iterable[str]) -> set[ParcelKey]:
        """The parcels that some of these persons own."""
        if self.owned_by is None:
            self.owned_by = {}
            for key, found in self.owners.items():
                for person in found.keys:
                    self.owned_by.setdefault(person, []).append(key)
        return {key for person in persons for key in self.owned_by.get(person, ())}


def credit(
    parcels: Sequence[Parcel],
    owners: Mapping[ParcelKey, Owners],
    lines: Optional[Sequence[SignerLine]],
    edition: Edition,
    kept: Optional[Crediting] = None,
) -> Ledger:
    """What each signature line is and earns (rules 14 and 15), with findings V-14 to V-17.

    `lines` is None where no signers are given. Credits are exact dollars of assessed value, kept per town. `kept` is
    what the crediting before left, and takes in what this one leaves.
    """
    work = Crediting() if kept is None else kept
    work.sort(lines)
    ordered, keys = work.ordered, work.keys
    same = work.hold(parcels, owners, None if kept is not None else set(keys))
    holdings, credits = work.holdings, work.credits
    first: dict[str, SignerLine] = {}
    statuses = []
    signers = []
    for line, key in zip(ordered, keys):
        status = _status(line, key, first, holdings)
        statuses.append(status)
        if status != CREDITED:
            signers.append(SignerResult(line.page, line.line, line.name, status, {}))
            continue
        first[key] = line
        earned = credits.get(key)
        if earned is None:
            earned = credits[key] = _credits(holdings[key])
        signers.append(SignerResult(line.page, line.line, line.name, status, earned))
    findings = [
        finding
        for line, key, status in zip(ordered, keys, statuses)
        if status not in (CREDITED, STRUCK) or line.credited_av is not None
        for finding in _line_findings(line, key, status, first, holdings, edition)
    ]
    signed = frozenset(first)
    changed = work.own(signed, same)
    return Ledger(work.ownership, tuple(signers), signed, tuple(findings), changed)


def _holdings(
    parcels: Sequence[Parcel], owners: Mapping[ParcelKey, Owners], persons: Optional[Collection[str]]
) -> dict[str, Holding]:
    """What these persons, or all, own that counts; 0 where the dollars or the number of owners are unknown."""
    holdings: dict[str, Holding] = {}
    places: dict[tuple[str, int], tuple[str, int]] = {}
    for parcel in parcels:
        found = owners.get(parcel.key, NO_OWNER)
        if not is_counted(parcel):
            continue
        place = (town_code(parcel.swis), found.number or 1)
        # One tuple a place, not one a parcel: what is kept alive is what the interpreter has to walk over.
        place = places.setdefault(place, place)
        inside = (parcel.inside or 0) if found.number else 0
        for person in found.keys:
            if persons is None or person in persons:
                holding = holdings.get(person)
                if holding is None:
                    holdings[person] = {place: inside}
                else:
                    holding[place] = holding.get(place, 0) + inside
    return holdings


def _credits(holding: Holding) -> dict[str, Fraction]:
    """Exact credit by the town's SWIS, 0 where all that the person owns there is undecided."""
    if len(holding) == 1:
        (((code, number), inside),) = holding.items()
        return {f"{code}00": Fraction(inside, number) if number > 1 else Fraction(inside)}
    towns: dict[str, Fraction] = {}
    for (code, number), inside in holding.items():
        swis, more = f"{code}00", Fraction(inside, number)
        towns[swis] = towns[swis] + more if swis in towns else more
    return towns


def _status(line: SignerLine, key: str, first: Mapping[str, SignerLine], holdings: Mapping[str, Holding]) -> str:
    if line.struck.strip():
        return STRUCK
    if not key or not line.address.strip() or not line.town.strip():
        return INCOMPLETE
    if key in first:
        return DUPLICATE
    return CREDITED if key in holdings else NOT_OWNER


def _ownership(
    keys: Iterable[ParcelKey], owners: Mapping[ParcelKey, Owners], signed: frozenset[str]
) -> dict[ParcelKey, Ownership]:
    shares: dict[tuple[int, int], Fraction] = {}
    ownership: dict[ParcelKey, Ownership] = {}
    for key in keys:
        found = owners.get(key, NO_OWNER)
        number = 0
        for person in found.keys:
            if person in signed:
                number += 1
        ownership[key] = _owned(found, number, shares)
    return ownership


def _owned(owners: Owners, number: int, shares: dict[tuple[int, int], Fraction]) -> Ownership:
    """Ownership with `number` signed owners; `shares` keeps fractions already made."""
    if owners.number is None and not owners.keys:
        return Ownership((), None, 0, ZERO, ONE)
    pair = (number, owners.number or owners.at_least)
    share = shares.get(pair)
    if share is None:
        share = shares[pair] = Fraction(*pair)
    low = ZERO if owners.number is None else share
    return Ownership(owners.names, owners.number, number, low, share)


def _line_findings(
    line: SignerLine,
    key: str,
    status: str,
    first: Mapping[str, SignerLine],
    holdings: Mapping[str, Holding],
    edition: Edition,
) -> list[Finding]:
    where = f"Page {line.page} line {line.line}: "
    if status == INCOMPLETE:
        missing = [
            word for word, text in (("name", key), ("address", line.address), ("town", line.town)) if not text.strip()
        ]
        text = f"{where}{line.name or 'the signer'} has no {' and no '.join(missing)}, so the line counts nothing"
        text += f". Complete it: it would add {_would_add(key, first, holdings)}."
        return [Finding("V-16", "warning", text, citation=edition.citation("V-16"))]
    if status == DUPLICATE:
        earlier = first[key]
        counted = f"page {earlier.page} line {earlier.line}"
        text = f"{where}{line.name} is counted already on {counted}; this line counts nothing."
        return [Finding("V-15", "warning", text, citation=edition.citation("V-15"))]
    if status == NOT_OWNER:
        text = f"{where}{line.name} owns nothing that counts inside the territory. Compare the list of owners."
        return [Finding("V-14", "warning", text, citation=edition.citation("V-14"))]
    if status == CREDITED and line.credited_av is not None:
        total = sum(_credits(holdings[key]).values(), ZERO)
        if abs(total - line.credited_av) >= 1:
            text = (
                f"{where}{line.name} is credited with {dollars(line.credited_av)} on the sheet,"
                f" the calculation gives {dollars(total)}. Correct the sheet or the list of owners."
            )
            return [Finding("V-17", "error", text, citation=edition.citation("V-17"))]
    return []


def _would_add(key: str, first: Mapping[str, SignerLine], holdings: Mapping[str, Holding]) -> str:
    if not key:
        return "what its signer owns"
    if key in first:
        return f"nothing, the name is counted on page {first[key].page} line {first[key].line}"
    if key not in holdings:
        return "nothing, the name owns nothing that counts inside the territory"
    return listing([f"{dollars(amount)} in {swis}" for swis, amount in sorted(_credits(holdings[key]).items())])


def capacities(owner_rows: Iterable[OwnerRow]) -> Optional[dict[str, bool]]:
    """Of each person whether some owner row says who signs for it; None where the list records no capacity at all."""
    shown: dict[str, bool] = {}
    recorded = False
    for row in owner_rows:
        key = fold(row.owner)
        recorded = recorded or bool(row.capacity.strip())
        shown[key] = shown.get(key, False) or bool(row.capacity.strip() or row.evidence.strip())
    return shown if recorded else None


def authority_findings(
    owner_rows: Iterable[OwnerRow], signers: Iterable[SignerResult], edition: Edition
) -> tuple[Finding, ...]:
    """V-28: credited companies, trusts and the like whose owner rows say in no way who signs for them.

    Only where the list of owners records capacities at all; without that nobody has been asked yet.
    """
    return unauthorized_findings(capacities(owner_rows), signers, edition)


def unauthorized_findings(
    shown: Optional[Mapping[str, bool]], signers: Iterable[SignerResult], edition: Edition
) -> tuple[Finding, ...]:
    """V-28 of `authority_findings`, from the `capacities` of the list of owners."""
    if shown is None:
        return ()
    names = person_names()
    return tuple(
        Finding(
            "V-28",
            "error",
            f"Page {signer.page} line {signer.line}: nothing shows the authority of who signed for {signer.name}."
            " Give capacity and evidence in the list of owners.",
            citation=edition.citation("V-28"),
        )
        for signer in signers
        if signer.status == CREDITED and names.is_entity(fold(signer.name)) and not shown.get(fold(signer.name), False)
    )


def without_nobodies(
    parcels: Iterable[Parcel], owners: Mapping[ParcelKey, Owners], signed: frozenset[str]
) -> dict[ParcelKey, Ownership]:
    """Ownership of the parcels that have names that are no person, as it would be with these names left out (V-34).

    Empty where there is no such name. A parcel of which nobody is left has no known owner.
    """
    shares: dict[tuple[int, int], Fraction] = {}
    changed: dict[ParcelKey, Ownership] = {}
    for parcel in parcels:
        found = owners.get(parcel.key, NO_OWNER)
        if not found.nobody or not is_counted(parcel):
            continue
        kept = [index for index, key in enumerate(found.keys) if key not in found.nobody]
        left = len(found.keys) - len(kept)
        fewer = Owners(
            tuple(found.names[index] for index in kept),
            tuple(found.keys[index] for index in kept),
            None if found.number is None or not kept else found.number - left,
            found.at_least - left,
        )
        changed[parcel.key] = _owned(fewer, sum(key in signed for key in fewer.keys), shares)
    return changed
