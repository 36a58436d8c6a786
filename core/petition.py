"""What the petition itself says: the keys of `petition.json`, all of them optional, § 2-202(1)(b) to (f)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Optional, TypeVar

from .columns import is_swis, swis_of
from .model import InputError

BASES = ("valuation", "voters")
AREA_GROUNDS = ("a", "b", "c", "d")
TRANSITION_GROUNDS = ("none", "saved_2017_2019", "election_noticed")
DESCRIPTION_FORMS = ("metes_bounds", "streets_waters", "map")
COMMISSION = "commission"
"""Stands for the Village Incorporation Commission, which has no SWIS, in `filed_with` and `deposits`."""

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")

T = TypeVar("T")


@dataclass(frozen=True)
class Designee:
    """A person on whom papers may be served, § 2-202(1)(b). `resident`: resides in the territory, None unknown."""

    name: str
    address: str = ""
    town: str = ""
    resident: Optional[bool] = None


@dataclass(frozen=True)
class Transition:
    """Why a petition is judged by the law of another day; `concluded` is the day its process ended."""

    ground: str = "none"
    evidence: str = ""
    concluded: Optional[date] = None


@dataclass(frozen=True)
class Study:
    """The study of the law of 2024; None where nothing is said. `date` is the day it was final."""

    attached: Optional[bool] = None
    jointly_selected: Optional[bool] = None
    confirmed: Optional[bool] = None
    certified: Optional[bool] = None
    public_from: Optional[date] = None
    date: Optional[date] = None


@dataclass(frozen=True)
class Exhibits:
    """What is attached. `description` is its form; None where nothing is said."""

    description: Optional[str] = None
    inhabitants: Optional[bool] = None
    study: Optional[Study] = None


@dataclass(frozen=True)
class Witness:
    """The affidavit at the foot of a signature page: how many signatures it swears to, and when."""

    page: int
    name: str = ""
    address: str = ""
    signatures: int = 0
    sworn: Optional[date] = None


@dataclass(frozen=True)
class PartReason:
    """Why a town's part has no assessed value, by whom and when."""

    swis: str
    reason: str
    by: str
    date: date


@dataclass(frozen=True)
class Petition:
    """The petition as described by those who file it; None where nothing is said.

    `filed_with` are six-digit SWIS or "commission", the first holds the original; `deposits` are dollars by the same.
    """

    name: Optional[str] = None
    bases: Optional[tuple[str, ...]] = None
    filed: Optional[date] = None
    population_alleged: Optional[int] = None
    area_ground: Optional[str] = None
    districts: tuple[str, ...] = ()
    designees: Optional[tuple[Designee, ...]] = None
    transition: Optional[Transition] = None
    exhibits: Optional[Exhibits] = None
    witnesses: Optional[tuple[Witness, ...]] = None
    filed_with: Optional[tuple[str, ...]] = None
    deposits: Optional[Mapping[str, int]] = None
    parts_reason: str = ""
    parts_without_value: tuple[PartReason, ...] = ()


def petition(data: Mapping[str, Any], source: str) -> Petition:
    """The petition of the parsed JSON `data`; `source` is what messages call the file.

    Raises `InputError` with a sentence for every key that is unknown and every value that cannot be used.
    """
    problems: list[str] = []
    made = _object(Petition, _PETITION, ())(data, "", problems)
    if problems or made is None:
        raise InputError(*(f"{source}: {problem}" for problem in problems))
    return made


class _Wrong(Exception):
    """What is wrong with a value, without its place."""


def _object(make: Callable[..., T], checks: Mapping[str, Any], needed: tuple[str, ...]) -> Callable[..., Optional[T]]:
    """A check of an object with these keys; null counts as absent."""

    def check(value: Any, where: str, problems: list[str]) -> Optional[T]:
        if not isinstance(value, Mapping):
            problems.append(f"{_named(where)} is {_shown(value)}. Give an object in braces.")
            return None
        before = len(problems)
        for key in value:
            if key not in checks:
                problems.append(f"“{_path(where, key)}” is not a known key. Known here are {', '.join(checks)}.")
        given: dict[str, Any] = {}
        for key, inner in checks.items():
            if value.get(key) is None:
                if key in needed:
                    problems.append(f"“{_path(where, key)}” is missing. Give it.")
                continue
            given[key] = inner(value[key], _path(where, key), problems)
        return make(**given) if len(problems) == before else None

    return check


def _list(inner: Callable[..., Any]) -> Callable[..., Any]:
    def check(value: Any, where: str, problems: list[str]) -> tuple[Any, ...]:
        if not isinstance(value, list):
            problems.append(f"{_named(where)} is {_shown(value)}. Give a list in square brackets.")
            return ()
        return tuple(inner(one, f"{where}[{place}]", problems) for place, one in enumerate(value, start=1))

    return check


def _plain(read: Callable[[Any], T]) -> Callable[..., Optional[T]]:
    """A check of one value; `read` raises `_Wrong` with the remedy."""

    def check(value: Any, where: str, problems: list[str]) -> Optional[T]:
        try:
            return read(value)
        except _Wrong as wrong:
            problems.append(f"{_named(where)} is {_shown(value)}. {wrong}")
            return None

    return check


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise _Wrong("Give text in quotation marks.")
    return value.strip()


def _words(value: Any) -> str:
    text = _text(value)
    if not text:
        raise _Wrong("It must not be empty.")
    return text


def _yes(value: Any) -> bool:
    if not isinstance(value, bool):
        raise _Wrong("Give true or false.")
    return value


def _number(least: int) -> Callable[[Any], int]:
    def read(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise _Wrong(f"Give a whole number, {least} or more.")
        return value

    return read


def _day(value: Any) -> date:
    if isinstance(value, str) and _DAY.fullmatch(value.strip()):
        try:
            return date.fromisoformat(value.strip())
        except ValueError:
            raise _Wrong("There is no such day.") from None
    raise _Wrong("Give a date as YYYY-MM-DD.")


def _one_of(choices: tuple[str, ...]) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if value not in choices:
            raise _Wrong(f"Give one of {', '.join(choices)}.")
        return str(value)

    return read


def _swis(value: Any) -> str:
    if isinstance(value, str) and is_swis(value.strip()):
        return swis_of(value)
    raise _Wrong("Give a SWIS code of six digits in quotation marks.")


def _office(value: Any) -> str:
    if isinstance(value, str) and value.strip().lower() == COMMISSION:
        return COMMISSION
    try:
        return _swis(value)
    except _Wrong:
        raise _Wrong(f"Give the town's SWIS code of six digits, or “{COMMISSION}”.") from None


def _bases(value: Any, where: str, problems: list[str]) -> tuple[str, ...]:
    bases: tuple[str, ...] = _list(_plain(_one_of(BASES)))(value, where, problems)
    if len(set(bases)) < len(bases):
        problems.append(f"{_named(where)} names a basis twice. Name each once.")
    return tuple(basis for basis in BASES if basis in bases)


def _deposits(value: Any, where: str, problems: list[str]) -> dict[str, int]:
    if not isinstance(value, Mapping):
        problems.append(f"{_named(where)} is {_shown(value)}. Give an object in braces, dollars by SWIS code.")
        return {}
    deposits: dict[str, int] = {}
    for key, amount in value.items():
        office = _plain(_office)(key, f"{where}, key", problems)
        dollars = _plain(_number(0))(amount, _path(where, key), problems)
        if office in deposits:
            problems.append(f"{_named(where)} names {office} twice. Name it once.")
        if office is not None and dollars is not None:
            deposits[office] = dollars
    return deposits


def _path(where: str, key: str) -> str:
    return f"{where}.{key}" if where else str(key)


def _named(where: str) -> str:
    return f"“{where}”" if where else "the file"


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return f"“{value}”" if value else "empty"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return "an object"
    return "a list" if isinstance(value, list) else str(value)


_PETITION: dict[str, Any] = {
    "name": _plain(_text),
    "bases": _bases,
    "filed": _plain(_day),
    "population_alleged": _plain(_number(0)),
    "area_ground": _plain(_one_of(AREA_GROUNDS)),
    "districts": _list(_plain(_words)),
    "designees": _list(
        _object(
            Designee,
            {"name": _plain(_words), "address": _plain(_text), "town": _plain(_text), "resident": _plain(_yes)},
            ("name",),
        )
    ),
    "transition": _object(
        Transition,
        {"ground": _plain(_one_of(TRANSITION_GROUNDS)), "evidence": _plain(_text), "concluded": _plain(_day)},
        (),
    ),
    "exhibits": _object(
        Exhibits,
        {
            "description": _plain(_one_of(DESCRIPTION_FORMS)),
            "inhabitants": _plain(_yes),
            "study": _object(
                Study,
                {
                    **dict.fromkeys(("attached", "jointly_selected", "confirmed", "certified"), _plain(_yes)),
                    **dict.fromkeys(("date", "public_from"), _plain(_day)),
                },
                (),
            ),
        },
        (),
    ),
    "witnesses": _list(
        _object(
            Witness,
            {
                "page": _plain(_number(1)),
                "name": _plain(_text),
                "address": _plain(_text),
                "signatures": _plain(_number(0)),
                "sworn": _plain(_day),
            },
            ("page",),
        )
    ),
    "filed_with": _list(_plain(_office)),
    "deposits": _deposits,
    "parts_reason": _plain(_text),
    "parts_without_value": _list(
        _object(
            PartReason,
            {"swis": _plain(_swis), "reason": _plain(_words), "by": _plain(_words), "date": _plain(_day)},
            ("swis", "reason", "by", "date"),
        )
    ),
}
