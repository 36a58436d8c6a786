"""Which towns have a part of the territory, and what is said of the places that are in none (rule 9)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from .editions import Edition
from .figures import count, dollars, listing, percent
from .ground import TOWN_ENDINGS, Ground
from .model import Finding, InputError, Ownership, Parcel, ParcelKey, Part, Town
from .schema import town_code
from .topology import piece_of

if TYPE_CHECKING:
    from .model import Geometries

PROVEN = ("inside", "split")
"""Places of parcels that certainly have ground inside."""


def part_codes(ground: Ground, parcels: Iterable[Parcel], met: Iterable[str]) -> frozenset[str]:
    """Codes of the towns that have a part: by a parcel with ground or dollars inside, or by over an acre of ground.

    `met` are the SWIS codes of rows whose polygon reaches inside although their value is at fault. A parcel whose
    shape cannot be used makes a part only where its town's polygon reaches inside too.
    """
    codes = {town_code(swis) for swis in met}
    for parcel in parcels:
        code = town_code(parcel.swis)
        if code in codes:
            continue
        placed = parcel.place in PROVEN or bool(parcel.inside)
        unplaced = parcel.inside is None and (parcel.place == "unmapped" or code in ground.topology.pieces)
        if placed or unplaced:
            codes.add(code)
    return frozenset((codes | ground.topology.with_part) - ground.city_codes)


def part_towns(ground: Ground, codes: Iterable[str], parcels: Sequence[Parcel], source: str) -> tuple[Town, ...]:
    """The towns of these codes, in order. Raises `InputError` with one line for each that the town layer lacks."""
    problems = []
    for code in sorted(set(codes) - set(ground.towns)):
        first = min((parcel.key for parcel in parcels if town_code(parcel.swis) == code), default=(f"{code}00", ""))
        problems.append(
            f"{source}: no town has SWIS {code}00 or {code}89, yet parcel {first[0]} {first[1]} lies in the territory."
            " Add the town, or name the layer of cities and villages if it is a city."
        )
    if problems:
        raise InputError(*problems)
    return tuple(ground.towns[code] for code in sorted(codes))


def place_findings(ground: Ground, parcels: Iterable[Parcel], edition: Edition) -> list[Finding]:
    """V-05 for parcels that the roll puts in a city or in a village, one finding a SWIS."""
    met: dict[str, list[Parcel]] = {}
    for parcel in parcels:
        settled_away = parcel.inside == 0 and parcel.place not in PROVEN
        if not settled_away and (town_code(parcel.swis) in ground.city_codes or parcel.swis[4:] not in TOWN_ENDINGS):
            met.setdefault(parcel.swis, []).append(parcel)
    findings = []
    for swis, found in sorted(met.items()):
        kind = "city" if town_code(swis) in ground.city_codes else "village"
        value = sum(parcel.inside or 0 for parcel in found)
        keys = sorted(parcel.print_key for parcel in found)
        named = listing(keys) if len(keys) <= 3 else f"{', '.join(keys[:3])} and {len(keys) - 3:,} more"
        subject, their, lie = ("It is", "its", "lies") if len(found) == 1 else ("They are", "their", "lie")
        where = "in no town's part" if kind == "city" else f"counted in the part of {their} town"
        text = (
            f"The roll puts {count(len(found), 'parcel')} in the {kind} of SWIS {swis} that {lie} in the territory:"
            f" {named}, {dollars(value)} inside. {subject} {where}. Keep the boundary clear of the {kind}."
        )
        findings.append(Finding("V-05", "error", text, swis, citation=edition.citation("V-05")))
    return findings


PartPieces = dict[str, tuple[tuple[Parcel, ...], tuple[int, ...]]]
"""Of each town whose part lies in several polygons: its parcels with dollars and shape, and the polygon of each."""


def part_pieces(ground: Ground, parcels: Sequence[Parcel], shapes: Mapping[ParcelKey, Any]) -> PartPieces:
    """Which polygon of a part that lies in several each of its parcels is in, −1 for none."""
    found: PartPieces = {}
    for code, pieces in ground.topology.pieces.items():
        if len(pieces) < 2:
            continue
        mine = [
            parcel
            for parcel in parcels
            if town_code(parcel.swis) == code and parcel.inside and shapes.get(parcel.key) is not None
        ]
        where: Geometries = np.empty(len(mine), dtype=object)
        where[:] = [shapes[parcel.key] for parcel in mine]
        found[code] = (tuple(mine), tuple(piece_of(where, pieces).tolist()))
    return found


def polygon_findings(
    ground: Ground,
    located: PartPieces,
    parts: Sequence[Part],
    ownership: Mapping[ParcelKey, Ownership],
    edition: Edition,
) -> list[Finding]:
    """V-45: shares of each polygon of a part that lies in several; the part is tested as one (setting)."""
    findings = []
    for part in parts:
        if town_code(part.swis) not in located:
            continue
        mine, piece = located[town_code(part.swis)]
        pieces = len(ground.topology.pieces[town_code(part.swis)])
        figures = []
        for number in range(pieces):
            inside = [parcel for parcel, at in zip(mine, piece) if at == number]
            value = sum(parcel.inside or 0 for parcel in inside)
            signed = sum((ownership[parcel.key].share * (parcel.inside or 0) for parcel in inside), Fraction(0))
            told = dollars(value) if value else "no value"
            if value and part.share is not None:
                told = f"{percent(signed / value, edition.number('valuation_threshold'))} of {told}"
            figures.append(f"polygon {number + 1}: {told}")
        text = (
            f"The part of {part.town} lies in {pieces} polygons, tested as one part; by polygon, largest first:"
            f" {'; '.join(figures)}."
        )
        findings.append(Finding("V-45", "info", text, part.swis, citation=edition.citation("V-45")))
    return findings
