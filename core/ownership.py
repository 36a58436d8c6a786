"""Who owns a parcel, § 2-202(1)(a)(2): as the list of owners says, else as the roll does (rule 13)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple, Optional, Union

from .editions import Edition, PersonNames, person_names
from .figures import count, dollars, listing
from .model import Finding, OwnerRow, Parcel, ParcelKey
from .schema import fold


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


NO_OWNER = Owners((), (), None, 0)


def is_counted(parcel: Parcel) -> bool:
    """Whether a parcel counts for its owners: not outside, unless the assessor gave it dollars inside."""
    return parcel.place != "outside" or bool(parcel.inside)


RowsByParcel = dict[ParcelKey, list[OwnerRow]]


def rows_by_parcel(owner_rows: Iterable[OwnerRow]) -> RowsByParcel:
    """The rows of a list of owners by parcel."""
    listed: RowsByParcel = {}
    for row in owner_rows:
        rows_of_key = listed.get((row.swis, row.print_key))
        if rows_of_key is None:
            listed[(row.swis, row.print_key)] = [row]
        else:
            rows_of_key.append(row)
    return listed


OwnersKept = dict[ParcelKey, tuple[Parcel, Owners, tuple[Finding, ...]]]
"""The owners of parcels and what was said of them, with the parcel of which it was."""


def owners_by_parcel(
    parcels: Sequence[Parcel],
    owner_rows: Union[Iterable[OwnerRow], RowsByParcel],
    edition: Edition,
    known: Optional[Collection[ParcelKey]] = None,
    kept: Optional[OwnersKept] = None,
) -> tuple[dict[ParcelKey, Owners], tuple[Finding, ...]]:
    """The owners of each parcel (rule 13), with findings V-18, V-34, V-37 and V-48.

    A key that `owner_rows` has is complete as listed; otherwise the parcel's roll owners count. `known` are the other
    keys of the roll that owner rows may name, such as parcels outside; None leaves rows of unknown parcels unchecked.
    `kept` holds what was found before from the same rows, and takes in what is found now.
    """
    listed = owner_rows if isinstance(owner_rows, dict) else rows_by_parcel(owner_rows)
    kept = {} if kept is None else kept
    names = person_names()
    owners: dict[ParcelKey, Owners] = {}
    findings: list[Finding] = []
    for parcel in parcels:
        key = parcel.key
        before = kept.get(key)
        if before is None or before[0] is not parcel:
            rows = listed.get(key)
            found = _from_roll(parcel.roll_owners, names) if rows is None else _as_listed(rows, names)
            before = kept[key] = (parcel, found, _owner_findings(parcel, found, rows, names, edition))
        owners[key] = before[1]
        if before[2]:
            findings.extend(before[2])
    if known is not None:
        findings.extend(_unknown_parcels(listed, owners, known, edition))
    return owners, tuple(findings)


def _owner_findings(
    parcel: Parcel, owners: Owners, rows: Optional[Sequence[OwnerRow]], names: PersonNames, edition: Edition
) -> tuple[Finding, ...]:
    if not is_counted(parcel):
        return ()
    findings = []
    if owners.number is None:
        findings.append(_unknown_number(parcel, owners, edition))
    if owners.nobody:
        findings.extend(_nobody(parcel, owners, edition))
    if rows is not None:
        findings.extend(_by_deed(parcel, rows, names, edition))
    return tuple(findings)


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
        if (swis, print_key) not in known and (swis, print_key) not in here
    ]
