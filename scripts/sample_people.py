"""The people of the sample case: who lives there, who signed, and the petition itself. Everyone is invented."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from sample_land import ALDER, BIRCH
from sample_roll import FLATS, Names, RollRow, pick

LINES_A_PAGE = 8
# At which share of its part each town's petitioners stop; Birch's stay a little short of one half.
TARGET = {ALDER: (Fraction(565, 1000), Fraction(575, 1000)), BIRCH: (Fraction(492, 1000), Fraction(496, 1000))}
FILED = "2023-06-20"


@dataclass(frozen=True)
class Resident:
    """A regular inhabitant; `qualified` is yes, no or empty where nobody knows yet."""

    name: str
    row: RollRow
    address: str
    adult: bool
    qualified: str


@dataclass(frozen=True)
class Line:
    """A line of a signature page."""

    page: int
    line: int
    name: str
    address: str
    town: str
    date: str


def make_residents(rows: Sequence[RollRow], names: Names, rng: random.Random) -> tuple[Resident, ...]:
    """The households of every dwelling of these rows: most owners live in theirs, flats and a few houses are let."""
    people: list[Resident] = []
    for row in rows:
        if row.lot in FLATS:
            for flat in range(1, FLATS[row.lot] + 1):
                people += _household(row, f"{row.address} APT {flat}", (), names, rng)
        elif row.prop_class in ("210", "210C", "105") and row.total > row.land:
            people += _household(row, row.address, row.owners if rng.random() < 0.88 else (), names, rng)
    lodgers = [person for person in people if person.adult and person.name not in person.row.owners]
    unknown = {person.name for person in sorted(lodgers, key=lambda _: rng.random())[:3]}
    return tuple(replace(person, qualified="") if person.name in unknown else person for person in people)


def _household(row: RollRow, address: str, owners: Sequence[str], names: Names, rng: random.Random) -> list[Resident]:
    surname = owners[0].split()[0] if owners else names.surname()
    adults = list(owners[:2]) or [names.person(surname) for _ in range(1 + int(rng.random() * 2))]
    if owners and rng.random() < 0.22:
        adults.append(names.person(surname))
    children = [names.person(surname) for _ in range(int(rng.random() * 4.2))]
    grown = [Resident(name, row, address, True, "no" if rng.random() < 0.05 else "yes") for name in adults]
    return grown + [Resident(name, row, address, False, "no") for name in children]


def choose_signers(rows: Sequence[RollRow], inside: dict[str, int], rng: random.Random) -> tuple[str, ...]:
    """Owners who signed: household after household until each town's part stands where the story wants it."""
    signed: list[str] = []
    for town, (low, high) in TARGET.items():
        part = [row for row in rows if row.town == town and inside[row.print_key]]
        total = sum(inside[row.print_key] for row in part) + UNMAPPED_INSIDE.get(town, 0)
        credit = Fraction(0)
        for row in sorted(part, key=lambda _: rng.random()):
            if row.owners[0].split()[-1] in ("INC", "LLC", "CO") or row.roll_section != "1":
                continue
            willing = row.owners[:1] if rng.random() < 0.12 else row.owners
            for name in willing:
                more = Fraction(inside[row.print_key], len(row.owners))
                if credit < low * total and credit + more <= high * total:
                    credit += more
                    signed.append(name)
    return tuple(signed)


UNMAPPED = {
    "swis": "990289",
    "print_key": "SF-1",
    "town": BIRCH,
    "roll_section": "5",
    "total_av": 96_000,
    "land_av": "",
    "owner": "NORTH SHORE POWER CO",
    "inside_value": 41_000,
    "reason": "share of the line miles in the territory",
    "note": "special franchise: lines in the streets, no polygon",
}
UNMAPPED_INSIDE = {BIRCH: 41_000}


def make_lines(
    signers: Sequence[str], addresses: dict[str, tuple[str, str]], names: Names, rng: random.Random
) -> tuple[Line, ...]:
    """The signature pages, with one who signed twice, one who owns nothing and one whose address was left out."""
    order = sorted(signers, key=lambda _: rng.random())
    blank = next(name for name in order[len(order) // 2 :] if addresses[name][1] == ALDER)
    entries = [(name, "" if name == blank else addresses[name][0], addresses[name][1]) for name in order]
    entries.insert(len(order) // 3, (names.person(), "41 FERRY LANDING RD", ALDER))
    entries.append((order[4], *addresses[order[4]]))
    lines = []
    for i, (name, address, town) in enumerate(entries):
        page, line = i // LINES_A_PAGE + 1, i % LINES_A_PAGE + 1
        lines.append(Line(page, line, name, address, town, f"2023-05-{min(29, 2 + page + int(rng.random() * 4)):02d}"))
    return tuple(lines)


def make_petition(
    lines: Sequence[Line], residents: Sequence[Resident], towns: Sequence[str], rng: random.Random
) -> dict[str, object]:
    """What stands in the petition itself; witnesses are residents who did not sign."""
    signed = {line.name for line in lines}
    others = [
        p for p in residents if p.adult and p.qualified == "yes" and p.name not in signed and "APT" not in p.address
    ]
    witnesses = [pick(rng, others) for _ in range(4)]
    pages = sorted({line.page for line in lines})
    sworn = {page: max(line.date for line in lines if line.page == page) for page in pages}
    count = {page: sum(line.page == page for line in lines) for page in pages}
    by_house = {p.row.print_key: p for p in others if p not in witnesses}
    designees = sorted(by_house.values(), key=lambda _: rng.random())[:3]
    return {
        "name": "Juniper",
        "bases": ["valuation"],
        "filed": FILED,
        "population_alleged": len({(p.name, p.address) for p in residents}),
        "area_ground": "a",
        "designees": [
            {"name": p.name, "address": f"{p.address}, {p.row.town}", "town": p.row.town, "resident": True}
            for p in designees
        ],
        "transition": {"ground": "none"},
        "exhibits": {"description": "streets_waters", "inhabitants": True},
        "witnesses": [
            {
                "page": page,
                "name": w.name,
                "address": f"{w.address}, {w.row.town}",
                "signatures": count[page],
                "sworn": sworn[page],
            }
            for page, w in ((page, witnesses[page % len(witnesses)]) for page in pages)
        ],
        "filed_with": list(towns),
        "deposits": dict.fromkeys(towns, 6000),
    }
