"""The rules of the arithmetic computed once more, slowly and by other ways, for worlds of a dozen parcels.

Nothing here is shared with `core`: owners are sets in dicts, sums are fractions, a range is the least and the most of
all subsets of what is undecided, and shapes are intersected whole.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import Any, Optional

import shapely

HALF, FIFTH = Fraction(1, 2), Fraction(1, 5)
US_FOOT = Fraction(1200, 3937)
FOOT = Fraction("0.3048")
ACRE = float(Fraction("4046.8564224") / US_FOOT**2)
NOBODY = {"LLC", "OWNER UNKNOWN"}


class Refused(Exception):
    """The world cannot be analysed."""


@dataclass
class Facts:
    """One parcel as the rules see it; `owners` is None where their number is unknown."""

    key: tuple[str, str]
    place: str
    share: Optional[Fraction] = None
    value: Optional[int] = None
    inside: Optional[int] = None
    method: Optional[str] = None
    confirmed: bool = False
    section: str = ""
    named: set[str] = field(default_factory=set)
    owners: Optional[int] = None
    at_least: int = 0
    signed: int = 0
    low: Fraction = Fraction(0)
    high: Fraction = Fraction(0)
    problem: bool = False


@dataclass
class Result:
    """What `analysis.json` must say of a world."""

    parcels: dict[tuple[str, str], Facts]
    parts: dict[str, dict[str, Any]]
    tests: dict[str, tuple[str, Any, Any, Any]]
    verdict: str
    certifiable: bool
    proof: dict[str, int]
    lines: list[tuple[int, int, str, dict[str, Fraction]]]
    found: Counter[tuple[str, str, str]]
    without: dict[str, tuple[str, bool, dict[str, tuple[str, Any, Any, Any]]]]


def fold(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).upper()).split())


def money(cell: Any) -> tuple[str, int]:
    """State ("ok", "missing", "unreadable") and dollars of a cell."""
    text = "" if cell is None else str(cell).strip()
    if not text:
        return "missing", 0
    if not re.fullmatch(r"\$?(\d+|\d{1,3}(,\d{3})+)(\.00)?", text):
        return "unreadable", 0
    return "ok", int(re.sub(r"[$,]|\.00$", "", text))


def polygons(shape: Any) -> list[Any]:
    if shape.geom_type == "Polygon":
        return [] if shape.is_empty else [shape]
    return [one for part in getattr(shape, "geoms", ()) for one in polygons(part)]


def widest(shape: Any) -> float:
    return max((2 * one.area / one.length for one in polygons(shape)), default=0.0)


def overlaps(one: Any, other: Any, tolerance: float) -> bool:
    return bool(one.intersects(other)) and not one.touches(other) and widest(one & other) > tolerance


def rounded_share(inside: float, whole: float) -> Fraction:
    share = Decimal(repr(min(float(inside) / float(whole), 1.0)))
    return Fraction(share.quantize(Decimal("0.000000001"), rounding=ROUND_HALF_UP))


def whole_dollars(exact: Fraction) -> int:
    return int((exact + HALF) // 1)


def unusable(shape: Any) -> bool:
    return shape is None or shape.is_empty or not polygons(shape) or not shape.is_valid or not shape.area > 0


def boxes_apart(one: Any, other: Any) -> bool:
    a, b = one.bounds, other.bounds
    return bool(a[2] < b[0] or b[2] < a[0] or a[3] < b[1] or b[3] < a[1])


def placed(shape: Any, territory: Any, tolerance: float) -> tuple[str, Optional[Fraction], Optional[Fraction]]:
    """Class, share, and for a parcel that the sliver rule moved the part of it that was ignored."""
    if territory.disjoint(shape) or territory.touches(shape):
        return "outside", None, None
    if territory.covers(shape):
        return "inside", Fraction(1), None
    within, beyond = shape & territory, shape - territory
    share = rounded_share(sum(one.area for one in polygons(within)), shape.area)
    wide = widest(within) > tolerance, widest(beyond) > tolerance
    if wide == (False, True):
        return "outside", None, share
    if wide == (True, False):
        return "inside", Fraction(1), 1 - share
    return "split", share, None


def owners_of(names: Sequence[Any], listed: bool) -> tuple[set[str], Optional[int], int]:
    """Folded names, their number (None unknown) and the least number there can be."""
    persons: set[str] = set()
    more = unknown = 0
    for name in names:
        key = fold(name or "")
        ending = None if listed else re.search(r"[ ,](ET AL|ETAL|ET UX|ET VIR)\.?$", key)
        if ending:
            key = key[: ending.start()].rstrip(" ,")
            unknown += ending[1] in ("ET AL", "ETAL")
            more += ending[1] in ("ET UX", "ET VIR")
        if key or (listed and any(fold(other or "") for other in names)):
            persons.add(key)
    if not persons:
        return set(), None, 0
    return persons, None if unknown else len(persons) + more, len(persons) + more + (1 if unknown else 0)


@dataclass
class Given:
    """A world as plain data. `rows` have key, swis, shape, total, land, section, year, kind, owner and other."""

    rows: Sequence[Any]
    territory: Any
    towns: Mapping[str, tuple[str, Any]]
    rates: Mapping[str, str]
    lines: Optional[Sequence[tuple[int, int, str, str, str, str]]]
    owners: Mapping[tuple[str, str], Sequence[str]]
    overrides: Mapping[tuple[str, str], tuple[int, Optional[int]]]
    unmapped: Sequence[tuple[str, str, str, int, str, Optional[int]]]
    cities: Optional[Sequence[tuple[str, str, Any]]]
    buildings: Optional[Sequence[tuple[Optional[tuple[str, str]], Any]]]
    inhabitants: Optional[Sequence[tuple[str, str, str, str, str, str, str]]]
    bases: Optional[Sequence[str]]
    features: int = 1


def named_place(shape: Any) -> tuple[int, int]:
    at = shape.point_on_surface() if shape.is_valid else shapely.box(*shape.bounds).centroid
    return round(at.x), round(at.y)


class Naive:
    """One computation; `shares` are those of `core`, taken where they differ by the last of nine decimals only."""

    def __init__(self, given: Given, shares: Mapping[tuple[str, str], Fraction]) -> None:
        self.given, self.shares = given, shares
        self.tolerance = float(FOOT / US_FOOT)
        self.found: Counter[tuple[str, str, str]] = Counter()
        self.keyless = 0
        self.cities = {code[:4] for code, kind, _ in given.cities or () if kind == "City"}
        self.moved: dict[tuple[str, str], Fraction] = {}
        self.nameless: set[str] = set()
        self.met: dict[tuple[str, str], Any] = {}
        self.boxed: set[tuple[str, str]] = set()
        self.too_much_land: set[tuple[str, str]] = set()

    def say(self, code: str, severity: str, key: str = "") -> None:
        self.found[(code, severity, key)] += 1

    # Rules 1 to 6 and 10

    def group(self) -> dict[tuple[str, str], list[Any]]:
        rows: dict[tuple[str, str], list[Any]] = defaultdict(list)
        for row in self.given.rows:
            if not row.key or not row.swis:
                self.keyless += 1
                self.judge_keyless(row.shape)
                continue
            rows[(row.swis.zfill(6), row.key.strip())].append(row)
        return rows

    def judge_keyless(self, shape: Any) -> None:
        territory = self.given.territory
        if shape is None:
            self.say("V-36", "warning")
        elif unusable(shape):
            if not boxes_apart(shape, territory):
                self.nameless.add(shape.wkt)
        elif shape.intersects(territory) and not shape.touches(territory):
            self.nameless.add(shape.wkt)

    def facts(self, key: tuple[str, str], rows: Sequence[Any]) -> tuple[Facts, Any, Any]:
        """The parcel before any figure of the assessor, its land value and its shape (None where it has no box)."""
        said = {
            (
                money(row.total) if money(row.total)[0] != "unreadable" else str(row.total),
                money(row.land) if money(row.land)[0] != "unreadable" else str(row.land),
                row.section,
                row.year,
                tuple(sorted(filter(None, (fold(row.owner or ""), fold(row.other or ""))))),
            )
            for row in rows
        }
        state, total = money(rows[0].total)
        if len(said) > 1:
            state, total = "differ", 0
        land_state, land = money(rows[0].land)
        parcel = Facts(key, "", value=total if state == "ok" else None, section=rows[0].section)
        if len({row.section for row in rows}) > 1:
            parcel.section = ""
        several = len({frozenset(map(fold, filter(None, (row.owner, row.other)))) for row in rows}) > 1
        names = [] if several else [rows[0].owner, rows[0].other]
        listed = self.given.owners.get(key)
        parcel.named, parcel.owners, parcel.at_least = owners_of(listed or names, bool(listed))
        shapes = [row.shape for row in rows if row.shape is not None]
        parcel.problem = any(unusable(row.shape) for row in rows)
        usable_land = land if land_state == "ok" else None
        if usable_land is not None and parcel.value is not None and usable_land > parcel.value:
            self.too_much_land.add(key)
        if not shapes:
            parcel.place = "boxless"
            return parcel, None, None
        self.boxed.add(key)
        shape = shapely.GeometryCollection(shapes) if parcel.problem else shapely.unary_union(shapes)
        if len(shapes) == 1 and not parcel.problem:
            shape = shapes[0]
        if boxes_apart(shape, self.given.territory):
            parcel.place = "outside"
        elif parcel.problem:
            parcel.place = "set_aside"
        else:
            parcel.place, parcel.share, moved = placed(shape, self.given.territory, self.tolerance)
            if moved is not None:
                self.moved[key] = moved
                self.met[key] = shape
        own = self.shares.get(key)
        if parcel.share is not None and own is not None and abs(own - parcel.share) <= Fraction(1, 10**9):
            parcel.share = own
        return parcel, usable_land, None if parcel.problem else shape

    def building_share(self, key: tuple[str, str], shape: Any) -> Optional[Fraction]:
        mine = [
            building
            for own, building in self.given.buildings or ()
            if (own == key if own else shape.contains(building.point_on_surface()))
        ]
        if not mine:
            return None
        line = self.given.territory.boundary
        if mine[0].geom_type == "Point":
            if any(line.intersects(point) for point in mine):
                self.say("V-46", "warning", key[1])
            return Fraction(sum(bool(self.given.territory.intersects(point)) for point in mine), len(mine))
        inside = sum((building & self.given.territory).area for building in mine)
        if any(not self.given.territory.covers(one) and not self.apart(one) for one in mine):
            self.say("V-46", "warning", key[1])
        return rounded_share(inside, sum(building.area for building in mine))

    def apart(self, shape: Any) -> bool:
        return bool(self.given.territory.disjoint(shape) or self.given.territory.touches(shape))

    def apportion(self, parcel: Facts, land: Optional[int], land_known: bool, shape: Any) -> None:
        if parcel.value is None:
            parcel.place = "set_aside"
        elif parcel.place == "inside":
            parcel.inside, parcel.method = parcel.value, "whole"
        elif parcel.place == "split":
            share, total = parcel.share or Fraction(0), parcel.value
            buildings = self.building_share(parcel.key, shape)
            if buildings is None or land is None or land > total or (land == 0 and not land_known):
                exact, parcel.method = total * share, "area_only"
            else:
                exact = land * share + (total - land) * buildings
                parcel.method = "land_area_improvement_location"
            parcel.inside = whole_dollars(exact)

    # Everything

    def run(self) -> Result:
        given = self.given
        rows_of = self.group()
        if not any(money(row.total)[0] == "ok" for row in given.rows):
            raise Refused("no value")
        lands = [money(row.land) for row in given.rows]
        if any(state == "unreadable" for state, _ in lands) and not any(state == "ok" for state, _ in lands):
            raise Refused("no land value")
        land_known = any(dollars > 0 for _, dollars in lands)
        every: dict[tuple[str, str], tuple[Facts, Any, Any]] = {
            key: self.facts(key, rows) for key, rows in sorted(rows_of.items())
        }
        listed: dict[tuple[str, str], Facts] = {}
        shapes: dict[tuple[str, str], Any] = {}
        ground: set[str] = set()
        for key, (parcel, land, shape) in every.items():
            if parcel.place in ("inside", "split"):
                ground.add(key[0][:4])
            if parcel.place in ("inside", "split", "set_aside"):
                self.apportion(parcel, land, land_known, shape)
                listed[key] = parcel
                if shape is not None:
                    shapes[key] = shape
        for swis, key, section, total, owner, inside in given.unmapped:
            if (swis, key) in every:
                raise Refused("unmapped and mapped")
            row = Facts((swis, key), "unmapped", value=total, inside=inside, section=section)
            row.method = None if inside is None else "inside_value"
            own = given.owners.get((swis, key))
            row.named, row.owners, row.at_least = owners_of(own or [owner], bool(own))
            listed[(swis, key)] = row
        codes = self.part_codes(ground, listed)
        for key, (parcel, _, _) in every.items():
            if parcel.place == "boxless" and key[0][:4] in codes:
                parcel.place = "set_aside"
                listed[key] = parcel
        self.override(every, listed)
        if not any(
            parcel.inside or (parcel.place not in ("outside", "unmapped") and key in self.boxed)
            for key, parcel in listed.items()
        ):
            raise Refused("nothing inside")
        for code in codes:
            if not any(swis[:4] == code and swis[4:] in ("00", "89") for swis in given.towns):
                raise Refused("unknown town")
        lines = self.sign(listed)
        rates = self.rates(codes)
        counted = {key: parcel for key, parcel in listed.items() if key[0][:4] not in self.cities}
        parts = {code: self.part(code, counted, rates) for code in sorted(codes)}
        tests = self.valuation(codes, counted, rates)
        tests.update(self.others(every, listed))
        verdict = self.verdict(tests)
        without = {}
        for section in ("8", "5"):
            kept = {key: parcel for key, parcel in counted.items() if parcel.section != section}
            others = {**tests, **self.valuation(codes, kept, rates)}
            other = self.verdict(others)
            without[f"without_roll_section_{section}"] = (other, other != verdict, others)
            if other != verdict:
                self.say("V-25", "warning")
        self.findings(rows_of, every, listed, shapes, tests, codes)
        return Result(
            parcels=listed,
            parts=parts,
            tests=tests,
            verdict=verdict,
            certifiable=self.certifiable(counted, tests),
            proof=self.proof(rows_of, every, listed),
            lines=lines,
            found=self.found,
            without=without,
        )

    # Rule 9

    def part_codes(self, ground: set[str], listed: Mapping[tuple[str, str], Facts]) -> set[str]:
        codes = set(ground)
        reach: Counter[str] = Counter()
        for code, shape in self.town_shapes().items():
            for one in polygons(shape & self.given.territory):
                if 2 * one.area / one.length > self.tolerance:
                    reach[code] += one.area
        codes |= {code for code, area in reach.items() if area > ACRE}
        for key, (inside, _) in self.given.overrides.items():
            if inside:
                codes.add(key[0][:4])
        for key, parcel in listed.items():
            inside = self.given.overrides.get(key, (parcel.inside,))[0]
            if inside or (inside is None and (parcel.place == "unmapped" or key[0][:4] in reach)):
                codes.add(key[0][:4])
        return codes - self.cities

    # Rule 12

    def override(
        self, every: Mapping[tuple[str, str], tuple[Facts, Any, Any]], listed: dict[tuple[str, str], Facts]
    ) -> None:
        for key, (inside, total) in self.given.overrides.items():
            parcel = listed.get(key) or (every[key][0] if key in every else None)
            if parcel is None:
                raise Refused("unknown key")
            if parcel.value is None and total is None:
                raise Refused("no total")
            if parcel.value is not None and total is not None and total != parcel.value:
                raise Refused("another total")
            value = total if parcel.value is None else parcel.value
            if value is None or inside > value:
                raise Refused("above the total")
            if key not in listed and not inside:
                continue
            if key not in listed:
                parcel.place, parcel.share, parcel.inside, parcel.method = "outside", Fraction(0), 0, "whole"
                listed[key] = parcel
                self.say("V-24", "warning", key[1])
            same = parcel.method is not None and parcel.inside == inside
            parcel.value, parcel.inside, parcel.confirmed = value, inside, True
            parcel.method = parcel.method if same else "assessor_override"

    # Rules 13 to 15

    def sign(self, listed: Mapping[tuple[str, str], Facts]) -> list[tuple[int, int, str, dict[str, Fraction]]]:
        counted = {key: parcel for key, parcel in listed.items() if key[0][:4] not in self.cities}
        owned = {person for parcel in counted.values() for person in parcel.named}
        signed: set[str] = set()
        results = []
        for page, number, name, address, town, struck in sorted(self.given.lines or ()):
            person, credits = fold(name), {}
            if struck:
                status = "struck"
            elif not person or not address or not town:
                status = "incomplete"
                self.say("V-16", "warning")
            elif person in signed:
                status = "duplicate"
                self.say("V-15", "warning")
            elif person not in owned:
                status = "not_owner"
                self.say("V-14", "warning")
            else:
                status = "credited"
                signed.add(person)
                for key, parcel in counted.items():
                    if person in parcel.named:
                        swis = f"{key[0][:4]}00"
                        more = Fraction(parcel.inside or 0, parcel.owners) if parcel.owners else Fraction(0)
                        credits[swis] = credits.get(swis, Fraction(0)) + more
            results.append((page, number, status, credits))
        for parcel in counted.values():
            parcel.signed = len(parcel.named & signed)
            if not parcel.named:
                parcel.low, parcel.high = Fraction(0), Fraction(1)
            elif parcel.owners is None:
                parcel.low, parcel.high = Fraction(0), Fraction(parcel.signed, parcel.at_least)
            else:
                parcel.low = parcel.high = Fraction(parcel.signed, parcel.owners)
            if parcel.owners is None:
                self.say("V-18", "error", parcel.key[1])
            for person in sorted(parcel.named):
                if person in NOBODY or not person:
                    self.say("V-34", "warning", parcel.key[1])
        if any(person in NOBODY or not person for parcel in counted.values() for person in parcel.named):
            self.say("V-34", "warning")
        return results

    # Rules 16 to 19

    def rates(self, codes: set[str]) -> dict[str, Fraction]:
        rates: dict[str, Fraction] = {}
        for swis, text in self.given.rates.items():
            if swis[:4] in codes and swis[4:] in ("00", "89"):
                rates[swis[:4]] = Fraction(text)
            else:
                self.say("V-47", "warning")
        if len(codes) > 1 and set(rates) != codes:
            raise Refused("no rate")
        if len(codes) == 1 and not rates:
            self.say("V-23", "warning")
        return rates

    def part(
        self, code: str, counted: Mapping[tuple[str, str], Facts], rates: Mapping[str, Fraction]
    ) -> dict[str, Any]:
        mine = [parcel for key, parcel in counted.items() if key[0][:4] == code and parcel.inside is not None]
        value = sum(parcel.inside or 0 for parcel in mine)
        signed = sum(((parcel.inside or 0) * parcel.low for parcel in mine), Fraction(0))
        rate = rates.get(code)
        return {
            "value": value,
            "signed": signed,
            "full_value": None if rate is None else value * 100 / rate,
            "signed_full_value": None if rate is None else signed * 100 / rate,
            "share": None if not value or self.given.lines is None else signed / value,
        }

    def valuation(
        self, codes: set[str], counted: Mapping[tuple[str, str], Facts], rates: Mapping[str, Fraction]
    ) -> dict[str, tuple[str, Any, Any, Any]]:
        names = [*(f"valuation.part.{code}00" for code in sorted(codes)), "valuation.overall"]
        if self.given.lines is None:
            return dict.fromkeys(names, ("not_applicable", None, None, None))
        by_name = {f"valuation.part.{code}00": {code} for code in codes}
        by_name["valuation.overall"] = codes
        total = sum(parcel.inside or 0 for key, parcel in counted.items() if key[0][:4] in codes)
        tests = {}
        for name in names:
            factor = {code: 100 / rates[code] if code in rates else Fraction(1) for code in by_name[name]}
            mine = [(factor[key[0][:4]], one) for key, one in counted.items() if key[0][:4] in by_name[name]]
            sure = [(weight, one) for weight, one in mine if one.inside is not None]
            doubtful = [(weight, one) for weight, one in mine if one.inside is None]
            value = sum((weight * (one.inside or 0) for weight, one in sure), Fraction(0))
            if not value:
                maybe = any(
                    one.value is None or one.value
                    for key, one in counted.items()
                    if key[0][:4] in codes and one.inside is None
                )
                tests[name] = ("fail" if not total and not maybe else "undecided", None, None, None)
                continue
            low = sum((weight * (one.inside or 0) * one.low for weight, one in sure), Fraction(0))
            high = sum((weight * (one.inside or 0) * one.high for weight, one in sure), Fraction(0))
            if any(one.value is None for _, one in doubtful):
                tests[name] = ("undecided", low / value, None, None)
                continue
            items = [(weight * (one.value or 0), one.low, one.high) for weight, one in doubtful]
            least, most = low / value, high / value
            for taken in itertools.product((False, True), repeat=len(items)):
                chosen = [item for item, yes in zip(items, taken) if yes]
                base = value + sum((dollars for dollars, _, _ in chosen), Fraction(0))
                least = min(least, (low + sum((d * at for d, at, _ in chosen), Fraction(0))) / base)
                most = max(most, (high + sum((d * at for d, _, at in chosen), Fraction(0))) / base)
            status = "pass" if least > HALF else "fail" if most <= HALF else "undecided"
            tests[name] = (status, low / value, least, most)
        return tests

    # Rules 20 to 22

    def others(
        self, every: Mapping[tuple[str, str], tuple[Facts, Any, Any]], listed: Mapping[tuple[str, str], Facts]
    ) -> dict[str, tuple[str, Any, Any, Any]]:
        tests: dict[str, tuple[str, Any, Any, Any]] = {}
        if self.given.inhabitants is None:
            tests["voters"] = tests["population"] = ("not_applicable", None, None, None)
        else:
            tests.update(self.voters(every, listed))
        if self.given.cities is None:
            tests["city_village"] = ("not_applicable", None, None, None)
        else:
            met = [one for _, _, one in self.given.cities if overlaps(one, self.given.territory, self.tolerance)]
            tests["city_village"] = ("fail" if met else "pass", None, None, None)
            for _ in met:
                self.say("V-05", "error")
        return tests

    def voters(
        self, every: Mapping[tuple[str, str], tuple[Facts, Any, Any]], listed: Mapping[tuple[str, str], Facts]
    ) -> dict[str, tuple[str, Any, Any, Any]]:
        people: dict[tuple[str, str], list[tuple[str, ...]]] = defaultdict(list)
        for row in self.given.inhabitants or ():
            people[(fold(row[0]), fold(row[1]))].append(row)
        known = Counter[str]()
        for rows in people.values():
            if len(rows) > 1:
                self.say("V-13", "warning", min(rows)[3])
            inside = False
            for swis, key in sorted({(row[2], row[3]) for row in rows}):
                where = "blank" if not swis or not key else "unknown"
                if (swis, key) in listed:
                    where = listed[(swis, key)].place
                elif (swis, key) in every:
                    where = "outside"
                inside |= where != "outside"
                if where == "unknown":
                    self.say("V-37", "warning", key)
                elif where == "outside":
                    self.say("V-13", "warning", key)
                elif where == "split":
                    self.say("V-13", "info", key)
            if not inside:
                continue
            answers = {row[5] for row in rows}
            qualified = answers.pop() if len(answers) == 1 else ""
            adult = {row[4] for row in rows}
            signed = any(row[6] == "yes" for row in rows)
            if qualified == "yes" and adult == {"no"}:
                self.say("V-14", "warning", min(rows)[3])
            if qualified == "no" and signed:
                self.say("V-14", "warning", min(rows)[3])
            known["all"] += 1
            known[f"{qualified}{signed}"] += 1
        q, sq = known["yesTrue"] + known["yesFalse"], known["yesTrue"]
        su, uu = known["True"], known["False"]
        low = Fraction(sq, q + uu) if q + uu else None
        high = Fraction(sq + su, q + su) if q + su else None
        if not q:
            voters: tuple[str, Any, Any, Any] = ("fail", None, low, high)
        else:
            sides = {(low or 0) >= FIFTH, (high or 0) >= FIFTH}
            status = "undecided" if len(sides) == 2 else "pass" if sides == {True} else "fail"
            voters = (status, Fraction(sq, q), low, high)
        number = Fraction(known["all"])
        population = ("pass" if number >= 500 else "fail", number, number, number)
        if number < 500:
            self.say("V-08", "error")
        elif number < 525:
            self.say("V-08", "warning")
        if voters[0] == "pass" and Fraction(sq, known["all"]) < FIFTH:
            self.say("V-31", "warning")
        return {"voters": voters, "population": population}

    def verdict(self, tests: Mapping[str, tuple[str, Any, Any, Any]]) -> str:
        outcomes = set()
        for basis in self.given.bases or ("valuation",):
            found = {test[0] for name, test in tests.items() if name.split(".")[0] == basis} - {"not_applicable"}
            outcomes.add("fail" if "fail" in found else "undecided" if "undecided" in found or not found else "pass")
        verdict = "pass" if "pass" in outcomes else "undecided" if "undecided" in outcomes else "fail"
        found = {tests[name][0] for name in ("city_village", "population")} | {verdict}
        return "fail" if "fail" in found else "undecided" if "undecided" in found else "pass"

    # Rules 23 and 24

    def certifiable(
        self, counted: Mapping[tuple[str, str], Facts], tests: Mapping[str, tuple[str, Any, Any, Any]]
    ) -> bool:
        bases = {"city_village", "population", *(self.given.bases or ("valuation",))}
        entering = [test for name, test in tests.items() if name.split(".")[0] in bases]
        return (
            not {code for code, severity, _ in self.found if severity == "error"} - {"V-04", "V-05", "V-08", "V-21"}
            and all(parcel.inside is not None and parcel.owners is not None for parcel in counted.values())
            and all(parcel.confirmed for parcel in counted.values() if parcel.place == "split")
            and not any(status == "undecided" or low != high for status, _, low, high in entering)
        )

    def proof(
        self,
        rows_of: Mapping[tuple[str, str], Sequence[Any]],
        every: Mapping[tuple[str, str], tuple[Facts, Any, Any]],
        listed: Mapping[tuple[str, str], Facts],
    ) -> dict[str, int]:
        places = Counter(parcel.place for parcel in listed.values())
        away = [every[key][0] for key in every if key not in listed]
        inside = sum(parcel.inside or 0 for parcel in listed.values())
        outside = sum((one.value or 0) - one.inside for one in listed.values() if one.inside is not None)
        outside += sum(parcel.value or 0 for parcel in away)
        aside = sum(parcel.value or 0 for parcel in listed.values() if parcel.inside is None)
        return {
            "rows": len(self.given.rows),
            "keys": len(rows_of),
            "merged_rows": sum(len(rows) - 1 for rows in rows_of.values()),
            "without_key": self.keyless,
            "inside": places["inside"],
            "split": places["split"],
            "outside": places["outside"] + len(away),
            "set_aside": places["set_aside"],
            "unmapped": places["unmapped"],
            "value_inside": inside,
            "value_outside": outside,
            "value_set_aside": aside,
            "value_total": inside + outside + aside,
        }

    # Codes

    def findings(
        self,
        rows_of: Mapping[tuple[str, str], Sequence[Any]],
        every: Mapping[tuple[str, str], tuple[Facts, Any, Any]],
        listed: Mapping[tuple[str, str], Facts],
        shapes: Mapping[tuple[str, str], Any],
        tests: Mapping[str, tuple[str, Any, Any, Any]],
        codes: Collection[str],
    ) -> None:
        faulty = repeated = 0
        for key, rows in rows_of.items():
            parcel = listed.get(key)
            missing = every[key][0].value is None or (parcel is not None and self.filled(key, rows))
            if parcel is None or parcel.place == "outside":
                faulty += missing
                repeated += len(rows) > 1
                continue
            severity = "warning" if parcel.confirmed else "error"
            if parcel.problem:
                self.say("V-38", severity, key[1])
            if missing and not self.differ(rows):
                self.say("V-39", severity, key[1])
            if parcel.place == "split" and money(rows[0].land)[0] == "unreadable":
                self.say("V-39", "warning", key[1])
            if len(rows) > 1:
                self.say("V-40", severity if self.differ(rows) else "info", key[1])
            if key in self.too_much_land and not self.differ(rows):
                self.say("V-43", "warning", key[1])
            if parcel.place == "split" and not parcel.confirmed:
                self.say("V-24", "error", key[1])
        for parcel in listed.values():
            if parcel.place == "unmapped" and parcel.inside is None:
                self.say("V-24", "error", parcel.key[1])
        if faulty:
            self.say("V-39", "info")
        if repeated:
            self.say("V-40", "info")
        for key, part in self.moved.items():
            state, total = money(rows_of[key][0].total)
            known = state == "ok" and not self.differ(rows_of[key])
            heavy = known and (part * total > Fraction(total, 100) or part * total > 1000)
            self.say("V-41", "warning" if heavy else "info", key[1])
        same: list[list[tuple[str, str]]] = []
        for key, shape in sorted(shapes.items()):
            group = next((one for one in same if shapes[one[0]].equals(shape)), None)
            if group is None:
                same.append([key])
            else:
                group.append(key)
        for group in same:
            if len(group) > 1:
                self.say("V-42", "info", group[0][1])
        met = {**self.met, **shapes}
        for one, other in itertools.combinations(sorted(met), 2):
            if not met[one].equals(met[other]) and overlaps(met[one], met[other], self.tolerance):
                self.say("V-35", "warning", one[1])
        for name, test in tests.items():
            if name.startswith("valuation") and test[0] == "fail":
                self.say("V-21", "error")
        self.towns(shapes, set(codes))
        self.say("V-44", "info")
        for _ in {named_place(shapely.from_wkt(one)) for one in self.nameless}:
            self.say("V-36", "error")
        pieces = polygons(self.given.territory)
        for fault in (len(pieces) > 1, any(one.interiors for one in pieces)):
            if fault:
                self.say("V-02", "error")
        if self.given.features > 1:
            self.say("V-02", "warning")
        near = {key for key, one in self.given.buildings or () if not boxes_apart(one, self.given.territory)}
        for key in near - {None, *every, *listed}:
            self.say("V-37", "warning", key[1])
        for swis, key in self.given.owners:
            if (swis, key) not in every and (swis, key) not in listed:
                self.say("V-37", "warning", key)
        villages = {
            key[0]
            for key, parcel in listed.items()
            if (parcel.place in ("inside", "split") or parcel.inside != 0)
            and (key[0][:4] in self.cities or key[0][4:] not in ("00", "89"))
        }
        for _ in villages:
            self.say("V-05", "error")

    def towns(self, shapes: Mapping[tuple[str, str], Any], codes: set[str]) -> None:
        """V-32 and V-33."""
        territory, some = self.given.territory, self.town_shapes()
        for (swis, key), shape in shapes.items():
            if swis[:4] in some and not some[swis[:4]].intersects(shape.point_on_surface()):
                self.say("V-32", "warning", key)
        for one, other in itertools.combinations(some.values(), 2):
            if widest(one & other & territory) > self.tolerance:
                self.say("V-33", "warning")
        if widest(territory - shapely.unary_union(list(some.values()))) > self.tolerance:
            self.say("V-33", "warning")
        for code, shape in some.items():
            if widest(shape & territory) > self.tolerance and code not in codes:
                self.say("V-33", "warning")

    def town_shapes(self) -> dict[str, Any]:
        by_code: dict[str, list[Any]] = defaultdict(list)
        for swis, (_, shape) in self.given.towns.items():
            if swis[:4] not in self.cities:
                by_code[swis[:4]].append(shape)
        return {code: shapely.unary_union(some) for code, some in by_code.items()}

    def filled(self, key: tuple[str, str], rows: Sequence[Any]) -> bool:
        return self.differ(rows) or money(rows[0].total)[0] != "ok"

    def differ(self, rows: Sequence[Any]) -> bool:
        return len(rows) > 1 and self.facts_of(rows)

    def facts_of(self, rows: Sequence[Any]) -> bool:
        said = {
            (
                money(row.total)[0],
                money(row.total)[1] if money(row.total)[0] == "ok" else str(row.total or ""),
                money(row.land)[0],
                money(row.land)[1] if money(row.land)[0] == "ok" else str(row.land or ""),
                row.section,
                row.year,
                frozenset(filter(None, (fold(row.owner or ""), fold(row.other or "")))),
            )
            for row in rows
        }
        return len(said) > 1
