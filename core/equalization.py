"""From assessed value to full value by the town's equalization rate: rule 16, § 2-202(1)(a)(2)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from fractions import Fraction
from typing import Optional, Union

from .editions import Edition
from .figures import count, listing
from .model import Finding, InputError, Parcel, Rate, Town
from .schema import town_code

_RATE = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,2})?")
_YEAR = re.compile(r"([0-9]{4})(?:\.0+)?")
SHOWN = 3


def parse_rate(text: str) -> Fraction:
    """A rate in percent, exact: "14.50" → 29/2. Raises ValueError for anything but up to two decimals above 0."""
    if not _RATE.fullmatch(text):
        raise ValueError("not a rate with at most two decimals")
    rate = Fraction(text)
    if rate == 0:
        raise ValueError("a rate of 0 gives no full value")
    return rate


def full_value(value: Union[Fraction, int], rate: Fraction) -> Fraction:
    """Full value in exact dollars of an assessed value at a rate in percent."""
    return Fraction(value) * 100 / rate


def rates_for_parts(
    parts: Sequence[Town],
    rates: Sequence[Rate],
    edition: Edition,
    filed: Optional[date] = None,
    source: str = "rates.csv",
) -> tuple[dict[str, Rate], tuple[Finding, ...]]:
    """The rate of each part by town code, with findings V-23 and V-47.

    Rows of villages and of towns without a part are left out with V-47. `filed` is the day the petition is filed.
    Raises `InputError` where a town has two rates, or where one of several parts has none.
    """
    towns = {town.code: town for town in parts}
    by_code: dict[str, list[Rate]] = {}
    findings: list[Finding] = []
    for rate in rates:
        code = town_code(rate.swis)
        if code in towns and rate.swis[len(code) :] in ("00", "89"):
            by_code.setdefault(code, []).append(rate)
        else:
            name = rate.town or rate.swis
            text = f"The rate {rate.text} of {name} ({rate.swis}) is not used: it is not of a town with a part."
            findings.append(Finding("V-47", "warning", text, rate.swis, citation=edition.citation("V-47")))
    _refuse(towns, by_code, source)
    found = {code: rows[0] for code, rows in by_code.items()}
    for code, town in towns.items():
        if code not in found:
            text = f"{source} has no rate for {town.name} ({town.swis}), so its full value is not known. Add the rate."
            findings.append(Finding("V-23", "warning", text, town.swis, citation=edition.citation("V-23")))
        else:
            findings.extend(_roll_filing(town, found[code], edition, filed))
    return found, tuple(findings)


def _refuse(towns: Mapping[str, Town], by_code: Mapping[str, Sequence[Rate]], source: str) -> None:
    problems = []
    for code in sorted(towns):
        town, rows = towns[code], by_code.get(code, ())
        if len(rows) > 1:
            texts = listing(sorted(row.text for row in rows))
            problems.append(f"{source}: {town.name} ({town.swis}) has {len(rows)} rates, {texts}. Keep one row.")
        if not rows and len(towns) > 1:
            problems.append(f"{source}: no rate for {town.name} ({town.swis}), which has a part. Add a row for it.")
    if problems:
        raise InputError(*problems)


def _roll_filing(town: Town, rate: Rate, edition: Edition, filed: Optional[date]) -> list[Finding]:
    roll = rate.final_roll_filed
    if filed is None or roll is None:
        return []
    citation = edition.citation("V-23")
    if roll > filed:
        text = (
            f"{town.name}: the final roll was filed on {roll.isoformat()}, after the petition ({filed.isoformat()})."
            " Use the roll that was last completed when the petition was filed."
        )
        return [Finding("V-23", "error", text, town.swis, citation=citation)]
    age = (filed - roll).days
    if not edition.holds(Fraction(age), "roll_age_days"):
        text = (
            f"{town.name}: the final roll was filed on {roll.isoformat()}, {age:,} days before the petition"
            f" ({filed.isoformat()}). Check whether a later roll was completed."
        )
        return [Finding("V-23", "warning", text, town.swis, citation=citation)]
    return []


def roll_year_findings(
    parcels: Iterable[Parcel], towns: Iterable[Town], rates: Mapping[str, Rate], edition: Edition
) -> tuple[Finding, ...]:
    """V-23 for parcels whose roll year is not that of their town's rate, one for each town and year."""
    names = {town.code: town for town in towns}
    expected = {
        code: str(rate.roll_year) for code, rate in rates.items() if rate.roll_year is not None and code in names
    }
    differing: dict[tuple[str, str], list[Parcel]] = {}
    for parcel in parcels:
        year = parcel.roll_year
        code = town_code(parcel.swis)
        if not year or code not in expected or year == expected[code]:
            continue
        if parcel.place == "outside" and not parcel.inside:
            continue
        shown = _year(year)
        if shown != expected[code]:
            differing.setdefault((code, shown), []).append(parcel)
    findings = []
    for (code, year), found in sorted(differing.items()):
        keys = sorted(parcel.print_key for parcel in found)
        more = f" and {len(keys) - SHOWN:,} more" if len(keys) > SHOWN else ""
        named = f"{', '.join(keys[:SHOWN])}{more}" if more else listing(keys)
        text = (
            f"{names[code].name}: {count(len(keys), 'parcel')} of roll year {year}, but the rate is of"
            f" {rates[code].roll_year}: {named}. Use rate and roll of one year."
        )
        alone = found[0] if len(found) == 1 else None
        swis, key = (alone.swis, alone.print_key) if alone else (names[code].swis, "")
        findings.append(Finding("V-23", "error", text, swis, key, edition.citation("V-23")))
    return tuple(findings)


def _year(text: str) -> str:
    found = _YEAR.fullmatch(text.strip())
    return found.group(1) if found else text.strip()
