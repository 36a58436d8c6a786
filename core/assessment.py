"""What each parcel counts for: its dollars inside and how they were found (rules 4, 5 and 10 to 12)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Optional

from .apportion import check_override, split_dollars
from .editions import Edition
from .figures import dollars
from .model import Finding, InputError, Override, Parcel, ParcelKey, UnmappedRow
from .overlay import INSIDE, OUTSIDE, SPLIT, UNUSABLE, exact_share
from .parcels import NearParcels
from .roll import OK

ONE, ZERO = Fraction(1), Fraction(0)
PLACES = {INSIDE: "inside", SPLIT: "split", OUTSIDE: "outside", UNUSABLE: "set_aside"}
LINE_SECTIONS = {"5": "special franchise", "6": "utility property", "7": "ceiling railroad"}
"""Roll sections of which a line's share of area says little: only the assessor's figure settles them (rule 10)."""
CONDOMINIUM = "C"
"""How a property class ends where the parcel is a condominium."""


def listed(near: NearParcels, part_codes: Iterable[str]) -> list[int]:
    """Positions of the near parcels that are listed: not outside, and without any shape only in a town with a part."""
    codes = set(part_codes)
    places, boxless, swis = near.placement.place.tolist(), near.boxless.tolist(), near.entries.swis.tolist()
    return [
        index
        for index, place in enumerate(places)
        if (swis[index][:4] in codes if boxless[index] else place != OUTSIDE)
    ]


Assessed = dict[ParcelKey, tuple[int, float, Optional[Fraction], Parcel]]
"""Parcels as assessed, with place, share and buildings' share that they were assessed from."""


def assess(
    near: NearParcels,
    positions: Sequence[int],
    land_known: bool,
    building_shares: Mapping[ParcelKey, Fraction],
    kept: Optional[Assessed] = None,
) -> list[Parcel]:
    """The near parcels at `positions` with their dollars by rule, before anybody's own figure.

    `land_known`: some row of the layer has a land value above 0. `building_shares` are the buildings' shares inside.
    `kept` are those assessed before from the same roll, and takes in these: a parcel that lies as it lay is the very
    same object.
    """
    kept = {} if kept is None else kept
    entries, placement = near.entries, near.placement
    rows = list(positions)
    columns = zip(
        entries.swis[rows].tolist(),
        entries.print_key[rows].tolist(),
        placement.place[rows].tolist(),
        placement.share[rows].tolist(),
        entries.total[rows].tolist(),
        entries.total_state[rows].tolist(),
        entries.land[rows].tolist(),
        entries.land_state[rows].tolist(),
        entries.roll_section[rows].tolist(),
        entries.prop_class[rows].tolist(),
        entries.roll_year[rows].tolist(),
        entries.address[rows].tolist(),
        entries.primary_owner[rows].tolist(),
        entries.add_owner[rows].tolist(),
    )
    parcels: list[Parcel] = []
    for swis, key, place, share, total, state, land, land_state, section, kind, year, address, owner, other in columns:
        building = building_shares.get((swis, key)) if place == SPLIT else None
        before = kept.get((swis, key))
        # A share that is no number, of a shape that cannot be used, equals none: such a parcel is made again.
        if before is not None and before[0] == place and before[1] == share and before[2] == building:
            parcels.append(before[3])
            continue
        value = total if state == OK else None
        whole = place == INSIDE and value is not None
        parcel = Parcel(
            swis=swis,
            print_key=key,
            place=PLACES[place] if value is not None else "set_aside",
            share=ONE if place == INSIDE else exact_share(share) if place == SPLIT else None,
            value=value,
            land=land if land_state == OK else None,
            inside=value if whole else None,
            method="whole" if whole else None,
            roll_section=section,
            prop_class=kind,
            roll_year=year,
            address=address,
            roll_owners=(owner, other) if owner and other else (owner,) if owner else (other,) if other else (),
        )
        if parcel.place == "split":
            parcel = _apportioned(parcel, land_known, building)
        kept[parcel.key] = (place, share, building, parcel)
        parcels.append(parcel)
    return parcels


def _apportioned(parcel: Parcel, land_known: bool, building_share: Optional[Fraction]) -> Parcel:
    result = split_dollars(parcel.value or 0, parcel.land, land_known, parcel.share or ZERO, building_share)
    return replace(parcel, inside=result.inside, method=result.method)


def unmapped_parcels(rows: Sequence[UnmappedRow]) -> list[Parcel]:
    """Roll rows without polygon as parcels (rule 11): counted at `inside`, unknown in [0, total] without it."""
    return [
        Parcel(
            swis=row.swis,
            print_key=row.print_key,
            place="unmapped",
            share=None,
            value=row.total,
            land=row.land,
            inside=row.inside,
            method=None if row.inside is None else "inside_value",
            roll_section=row.roll_section,
            roll_owners=(row.owner,) if row.owner else (),
        )
        for row in rows
    ]


def settle(
    parcels: Sequence[Parcel], outside: Mapping[ParcelKey, Parcel], overrides: Sequence[Override], source: str
) -> list[Parcel]:
    """The parcels with the assessor's own figures (rule 12), sorted by key; an outside one joins where it gets dollars.

    `outside` holds the overridden parcels that lie outside; `source` is what messages call the table.
    Raises `InputError` naming each row that cannot be.
    """
    by_key = {parcel.key: parcel for parcel in parcels}
    problems: list[str] = []
    for override in overrides:
        key = (override.swis, override.print_key)
        parcel = by_key.get(key) or outside.get(key)
        if parcel is None:
            problems.append(
                f"{source}: parcel {key[0]} {key[1]} is not in the roll. Correct the key or remove the row."
            )
            continue
        problem = check_override(parcel.value, override)
        if problem:
            problems.append(f"{source}: parcel {key[0]} {key[1]}: {problem}.")
        elif parcel.place != "outside" or override.inside:
            by_key[key] = _settled(parcel, override)
    if problems:
        raise InputError(*problems)
    return [by_key[key] for key in sorted(by_key)]


def _settled(parcel: Parcel, override: Override) -> Parcel:
    confirms = parcel.method is not None and parcel.inside == override.inside
    return replace(
        parcel,
        value=parcel.value if parcel.value is not None else override.total,
        inside=override.inside,
        method=parcel.method if confirms else "assessor_override",
        confirmed=True,
    )


def settlement_findings(parcels: Sequence[Parcel], stacked: frozenset[ParcelKey], edition: Edition) -> list[Finding]:
    """V-24: what no assessor has settled, and dollars given to a parcel that lies outside."""
    citation = edition.citation("V-24")
    findings: list[Finding] = []
    for parcel in parcels:
        text = _unsettled(parcel, stacked)
        if text:
            severity = "warning" if parcel.place == "outside" else "error"
            findings.append(Finding("V-24", severity, text, parcel.swis, parcel.print_key, citation))
    return findings


def _unsettled(parcel: Parcel, stacked: frozenset[ParcelKey]) -> str:
    if parcel.place == "outside":
        return f"The parcel lies outside, yet the assessor's own figure counts {dollars(parcel.inside or 0)} of it."
    if parcel.place == "unmapped" and parcel.inside is None:
        return (
            f"Roll row without polygon is not placed: between $0 and {dollars(parcel.value or 0)} may be inside."
            " Give the value inside and a reason."
        )
    if parcel.place != "split" or parcel.confirmed:
        return ""
    proposal = (
        f"Cut by the boundary: {dollars(parcel.inside or 0)} of {dollars(parcel.value or 0)} are proposed as inside"
    )
    special = special_kind(parcel, stacked)
    if special:
        return f"{proposal}; {special}, only the assessor's own figure settles it."
    return f"{proposal}; the assessor has not confirmed it."


def special_kind(parcel: Parcel, stacked: frozenset[ParcelKey]) -> str:
    """Why a rule of thumb does not apportion this parcel when it is cut: "a condominium", or "" (rule 10)."""
    if parcel.key in stacked or parcel.prop_class.upper().endswith(CONDOMINIUM):
        return "a condominium"
    return LINE_SECTIONS.get(parcel.roll_section.lstrip("0"), "")
