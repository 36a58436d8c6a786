"""Who owns a parcel, who of them signed, and what each signature is credited with: rules 13 to 15.

§ 2-202(1)(a)(2): every tenant in common, joint tenant or tenant by the entirety counts for the assessed value divided
by the number of owners, whatever the deed says.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import attrgetter
from typing import NamedTuple, Optional

from .editions import Edition, PersonNames, person_names
from .figures import count, dollars, listing
from .model import Finding, OwnerRow, Ownership, Parcel, ParcelKey, SignerLine, SignerResult
from .schema import fold, town_code

ZERO, ONE = Fraction(0), Fraction(1)

CREDITED, DUPLICATE, NOT_OWNER, INCOMPLETE, STRUCK = "credited", "duplicate", "not_owner", "incomplete", "struck"


LINE_ORDER = attrgetter("page", "line", "name", "struck", "address", "town")


class Owners(NamedTuple):
    """The owners of one parcel: names as listed and their keys (folded names), each person once.

    `number` is None where it is unknown; then there are `at_least` or more, 0 where nobody is named at all.
    `nobody` are the keys among them that name no person by themselves.
    """

    names: tuple[str, ...]
    keys: tuple[str, ...]
    number: Optional[int]
    at_least: int
    nobody: tuple[str, ...] = ()


Holding = dict[tuple[str, int], int]
"""What one person owns: dollars inside by town code and number of owners, added up as whole numbers."""

NO_OWNER = Owners((), (), None, 0)


@dataclass(frozen=True)
class Ledger:
    """What the signatures come to. `signed` are the keys of the persons credited, each once."""

    ownership: Mapping[ParcelKey, Ownership]
    signers: tuple[SignerResult, ...]
    signed: frozenset[str]
    findings: tuple[Finding, ...]


def is_counted(parcel: Parcel) -> bool:
    """Whether a parcel counts for its owners: not outside, unless the assessor gave it dollars inside."""
    return parcel.place != "outside" or bool(parcel.inside)


# Owners


def owners_by_parcel(
    parcels: Sequence[Parcel],
    owner_rows: Iterable[OwnerRow],
    edition: Edition,
    known: Optional[Collection[ParcelKey]] = None,
) -> tuple[dict[ParcelKey, Owners], tuple[Finding, ...]]:
    """The owners of each parcel (rule 13), with findings V-18, V-34, V-37 and V-48.

    A key that `owner_rows` has is complete as listed; otherwise the parcel's roll owners count. `known` are the other
    keys of the roll that owner rows may name, such as parcels outside; None leaves rows of unknown parcels unchecked.
    """
    names = person_names()
    listed: dict[ParcelKey, list[OwnerRow]] = {}
    for row in owner_rows:
        rows_of_key = listed.get((row.swis, row.print_key))
        if rows_of_key is None:
            listed[(row.swis, row.print_key)] = [row]
        else:
            rows_of_key.append(row)
    owners: dict[ParcelKey, Owners] = {}
    findings: list[Finding] = []
    here = set()
    for parcel in parcels:
        key = parcel.key
        here.add(key)
        rows = listed.get(key)
        if rows is not None:
            found = _as_listed(rows, names)
        else:
            found = _from_roll(parcel.roll_owners, names)
        owners[key] = found
        if not is_counted(parcel):
            continue
        if found.number is None:
            findings.append(_unknown_number(parcel, found, edition))
        if found.nobody:
            findings.extend(_nobody(parcel, found, edition))
        if rows is not None:
            findings.extend(_by_deed(parcel, rows, names, edition))
    if known is not None:
        findings.extend(_unknown_parcels(listed, here, known, edition))
    return owners, tuple(findings)


def _as_listed(rows: Sequence[OwnerRow], names: PersonNames) -> Owners:
    # Sorted, so that neither the order of rows nor the first of two spellings shows in a result.
    named = [(fold(row.owner), row.owner) for row in rows]
    if len(named) > 1:
        named.sort()
    persons: dict[str, str] = {}
    for key, name in named:
        if key not in persons:
            persons[key] = name
    # A row without a name beside others is an owner too; alone it says that nobody knows the owner.
    if not any(persons):
        return NO_OWNER
    keys, shown = tuple(persons), tuple(persons.values())
    return Owners(keys if shown == keys else shown, keys, len(keys), len(keys), _nobodies(persons, names))


def _from_roll(roll_owners: Sequence[str], names: PersonNames) -> Owners:
    if len(roll_owners) == 1:
        name = roll_owners[0]
        key = fold(name)
        if key and not names.split_ending(key)[1]:
            return Owners((name,), (key,), 1, 1, (key,) if names.is_nobody(key) else ())
    persons: dict[str, str] = {}
    more, unknown = 0, False
    for name in roll_owners:
        key, meaning = names.split_ending(fold(name))
        if meaning == "unknown_more":
            unknown = True
        elif meaning:
            more += 1
        if key and key not in persons:
            persons[key] = key if meaning else name
    if not persons:
        return NO_OWNER
    number = len(persons) + more
    nobody = _nobodies(persons, names)
    if unknown:
        return Owners(tuple(persons.values()), tuple(persons), None, number + 1, nobody)
    return Owners(tuple(persons.values()), tuple(persons), number, number, nobody)


def _nobodies(persons: Iterable[str], names: PersonNames) -> tuple[str, ...]:
    return tuple([key for key in persons if names.is_nobody(key)])


def _unknown_number(parcel: Parcel, owners: Owners, edition: Edition) -> Finding:
    if owners.names:
        text = (
            f"The number of owners is unknown: the roll names {listing(owners.names)} and others"
            f" ({owners.at_least} or more owners). List every owner of the parcel; until then no credit is sure."
        )
    else:
        text = "No owner is known. List every owner of the parcel; until then its credit is undecided."
    return Finding("V-18", "error", text, parcel.swis, parcel.print_key, edition.citation("V-18"))


def _nobody(parcel: Parcel, owners: Owners, edition: Edition) -> list[Finding]:
    citation = edition.citation("V-34")
    findings = []
    for key in owners.nobody:
        name = owners.names[owners.keys.index(key)]
        if parcel.inside is None or owners.number is None:
            weight = "its dollars are undecided"
        else:
            credited = dollars(Fraction(parcel.inside, owners.number))
            weight = f"it counts as {_one_of(owners.number)} with {credited} inside"
        named = f"“{name}”" if key else "A row without a name"
        text = f"{named} is no person by itself; {weight}. Complete the name, or take it off the list of owners."
        findings.append(Finding("V-34", "warning", text, parcel.swis, parcel.print_key, citation))
    return findings


def _one_of(number: int) -> str:
    return "the only owner" if number == 1 else f"one of {number:,} owners"


def _by_deed(parcel: Parcel, rows: Sequence[OwnerRow], names: PersonNames, edition: Edition) -> list[Finding]:
    if not any(row.evidence.strip() for row in rows):
        return []
    on_roll = {names.split_ending(fold(name))[0] for name in parcel.roll_owners}
    roll = listing([name for name in parcel.roll_owners if name.strip()]) or "nobody"
    by_deed = {(row.owner, row.evidence.strip()) for row in rows if fold(row.owner) not in on_roll}
    return [
        Finding(
            "V-48",
            "info",
            f"The owner by deed differs from the roll: {owner}, evidence noted: “{evidence}”; the roll names {roll}.",
            parcel.swis,
            parcel.print_key,
            edition.citation("V-48"),
        )
        for owner, evidence in sorted(by_deed)
        if evidence
    ]


def _unknown_parcels(
    listed: Mapping[ParcelKey, Sequence[OwnerRow]],
    here: Collection[ParcelKey],
    known: Collection[ParcelKey],
    edition: Edition,
) -> list[Finding]:
    return [
        Finding(
            "V-37",
            "warning",
            f"The list of owners has {count(len(rows), 'row')} for a parcel that is not in the roll. Correct its key.",
            swis,
            print_key,
            edition.citation("V-37"),
        )
        for (swis, print_key), rows in listed.items()
        if (swis, print_key) not in here and (swis, print_key) not in known
    ]


# Signers


def credit(
    parcels: Sequence[Parcel],
    owners: Mapping[ParcelKey, Owners],
    lines: Optional[Sequence[SignerLine]],
    edition: Edition,
) -> Ledger:
    """What each signature line is and earns (rules 14 and 15), with findings V-14 to V-17.

    `lines` is None where no signers are given. Credits are exact dollars of assessed value, kept per town.
    """
    ordered = sorted(lines or (), key=LINE_ORDER)
    keys = [fold(line.name) for line in ordered]
    holdings = _holdings(parcels, owners, set(keys))
    first: dict[str, SignerLine] = {}
    statuses = []
    for line, key in zip(ordered, keys):
        status = _status(line, key, first, holdings)
        if status == CREDITED:
            first[key] = line
        statuses.append(status)
    signed = frozenset(first)
    signers = tuple(
        SignerResult(line.page, line.line, line.name, status, _credits(holdings[key]) if status == CREDITED else {})
        for line, key, status in zip(ordered, keys, statuses)
    )
    findings = [
        finding
        for line, key, signer in zip(ordered, keys, signers)
        if signer.status not in (CREDITED, STRUCK) or line.credited_av is not None
        for finding in _line_findings(line, key, signer, first, holdings, edition)
    ]
    return Ledger(_ownership(parcels, owners, signed), signers, signed, tuple(findings))


def _holdings(
    parcels: Sequence[Parcel], owners: Mapping[ParcelKey, Owners], persons: Collection[str]
) -> dict[str, Holding]:
    """What each of these persons owns that counts; 0 where the dollars or the number of owners are unknown."""
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
            if person in persons:
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
    parcels: Sequence[Parcel], owners: Mapping[ParcelKey, Owners], signed: frozenset[str]
) -> dict[ParcelKey, Ownership]:
    shares: dict[tuple[int, int], Fraction] = {}
    ownership: dict[ParcelKey, Ownership] = {}
    for parcel in parcels:
        found = owners.get(parcel.key, NO_OWNER)
        number = 0
        for person in found.keys:
            if person in signed:
                number += 1
        ownership[parcel.key] = _owned(found, number, shares)
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
    signer: SignerResult,
    first: Mapping[str, SignerLine],
    holdings: Mapping[str, Holding],
    edition: Edition,
) -> list[Finding]:
    where = f"Page {line.page} line {line.line}: "
    status = signer.status
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
        total = sum(signer.credits.values(), ZERO)
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


def authority_findings(
    owner_rows: Iterable[OwnerRow], signers: Iterable[SignerResult], edition: Edition
) -> tuple[Finding, ...]:
    """V-28: credited companies, trusts and the like whose owner rows say in no way who signs for them.

    Only where the list of owners records capacities at all; without that nobody has been asked yet.
    """
    shown: dict[str, bool] = {}
    recorded = False
    for row in owner_rows:
        key = fold(row.owner)
        recorded = recorded or bool(row.capacity.strip())
        shown[key] = shown.get(key, False) or bool(row.capacity.strip() or row.evidence.strip())
    if not recorded:
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
