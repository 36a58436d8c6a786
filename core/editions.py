"""The law as data: thresholds, counts, periods and citations of each edition, read from `rules/*.json`."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Optional

from .model import InputError

RULES = Path(__file__).resolve().parent / "rules"


@dataclass(frozen=True)
class Edition:
    """One edition of Village Law article 2. Dates are inclusive; None is open, or not found in the texts at hand."""

    id: str
    name: str
    in_force_from: Optional[date]
    in_force_to: Optional[date]
    bases: tuple[str, ...]
    parameters: Mapping[str, Mapping[str, Any]]
    citations: Mapping[str, str]

    def data(self, name: str) -> Any:
        """The value of a parameter as the rules hold it. Raises KeyError where the edition has none."""
        return self.parameters[name]["value"]

    def has(self, name: str) -> bool:
        """Whether the edition knows the parameter."""
        return name in self.parameters

    def number(self, name: str) -> Fraction:
        """The exact value of a parameter: "1/2", "2589988.110336", 500. Raises KeyError."""
        return Fraction(self.data(name))

    def whole(self, name: str) -> int:
        """A parameter that counts: days, persons, dollars. Raises KeyError, ValueError where it is not whole."""
        number = self.number(name)
        if number.denominator != 1:
            raise ValueError(f"{name} is not a whole number")
        return number.numerator

    def text(self, name: str) -> str:
        """A parameter in words; "" where the edition has struck it. Raises KeyError."""
        value = self.data(name)
        return "" if value is None else str(value)

    def day(self, name: str) -> date:
        """A parameter that is a date. Raises KeyError."""
        return date.fromisoformat(self.data(name))

    def comparison(self, name: str) -> str:
        """How a value is held against the parameter: ">", ">=", "<=" or "<". Raises KeyError where it is no limit."""
        return str(self.parameters[name]["comparison"])

    def citation(self, key: str) -> str:
        """The section of law for a parameter, a test, a requirement or the code of a finding.

        A test or requirement of one town is looked up by its family ("valuation.part.065800" → "valuation.part").
        "" for the few codes that rest on no law; KeyError for an unknown key.
        """
        if key in self.citations:
            return self.citations[key]
        if key in self.parameters:
            return str(self.parameters[key]["citation"])
        family, dot, last = key.rpartition(".")
        if dot and last.isdigit():
            return self.citations[family]
        raise KeyError(key)

    def holds(self, value: Fraction, name: str) -> bool:
        """Whether `value` keeps the limit `name` by its own comparison, exactly."""
        limit, comparison = self.number(name), self.comparison(name)
        if comparison == ">":
            return value > limit
        if comparison == ">=":
            return value >= limit
        if comparison == "<":
            return value < limit
        return value <= limit


@dataclass(frozen=True)
class PersonNames:
    """Which names of owners name no person, and which endings hide further owners (rule 13). All are folded names."""

    nobody: frozenset[str]
    nobody_pattern: re.Pattern[str]
    unknown_more: tuple[str, ...]
    one_more: tuple[str, ...]
    entity_endings: tuple[str, ...]

    @cached_property
    def all_endings(self) -> tuple[str, ...]:
        """Every ending that hides further owners, to pass over the many names that have none."""
        return self.unknown_more + self.one_more

    @cached_property
    def _entity_words(self) -> tuple[str, ...]:
        return tuple(f" {ending}" for ending in self.entity_endings)

    def is_nobody(self, folded: str) -> bool:
        """Whether a whole folded name is no person by itself: LLC, OWNER UNKNOWN, LIBER 2113 PAGE 7, nothing at all."""
        return not folded or folded in self.nobody or self.nobody_pattern.fullmatch(folded) is not None

    def is_entity(self, folded: str) -> bool:
        """Whether a folded name ends like that of a company, a trust or another body that signs through somebody."""
        return folded.endswith(self._entity_words)

    def split_ending(self, folded: str) -> tuple[str, str]:
        """A folded roll name without its ending, and what the ending says: "", "one_more" or "unknown_more"."""
        bare = folded.rstrip(" .,;")
        if not bare.endswith(self.all_endings):
            return folded, ""
        for meaning, endings in (("unknown_more", self.unknown_more), ("one_more", self.one_more)):
            for ending in endings:
                if bare == ending or bare.endswith((f" {ending}", f",{ending}")):
                    return bare[: len(bare) - len(ending)].rstrip(" ,;&"), meaning
        return folded, ""


def edition_ids() -> tuple[str, ...]:
    """The editions there are, oldest first."""
    return tuple(sorted(path.stem for path in RULES.glob("*.json") if path.stem.isdigit()))


@cache
def load_edition(edition_id: str) -> Edition:
    """The edition of this name. Raises `InputError` naming the known ones."""
    known = edition_ids()
    if edition_id not in known:
        raise InputError(f"There is no edition “{edition_id}” of the law. Use one of: {', '.join(known)}.")
    rules = _read(edition_id)
    return Edition(
        id=rules["id"],
        name=rules["name"],
        in_force_from=_day(rules["in_force"]["from"]),
        in_force_to=_day(rules["in_force"]["to"]),
        bases=tuple(rules["parameters"]["bases"]["value"]),
        parameters=rules["parameters"],
        citations=rules["citations"],
    )


@cache
def person_names() -> PersonNames:
    """What `rules/names.json` says of names."""
    rules = _read("names")
    return PersonNames(
        nobody=frozenset(rules["no_person"]["names"]),
        nobody_pattern=re.compile("|".join(f"(?:{pattern})" for pattern in rules["no_person"]["patterns"])),
        unknown_more=tuple(rules["endings"]["unknown_more"]),
        one_more=tuple(rules["endings"]["one_more"]),
        entity_endings=tuple(rules["entity_endings"]["endings"]),
    )


@cache
def state_plane_zones() -> Mapping[str, Mapping[str, Any]]:
    """County (first two digits of a SWIS) → county, zone and EPSG code of its State Plane zone in US survey feet."""
    zones: Mapping[str, Mapping[str, Any]] = _read("zones")
    return zones


@cache
def rules_sha256() -> str:
    """SHA-256 over the canonical JSON of every rules file in name order: which rules a result rests on."""
    digest = hashlib.sha256()
    for path in sorted(RULES.glob("*.json"), key=lambda path: path.name):
        canonical = json.dumps(_read(path.stem), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        digest.update(canonical.encode("utf-8") + b"\n")
    return digest.hexdigest()


def _read(stem: str) -> Any:
    return json.loads((RULES / f"{stem}.json").read_text(encoding="utf-8"))


def _day(text: Optional[str]) -> Optional[date]:
    return None if text is None else date.fromisoformat(text)
