"""The tables that come with a petition, as rows with a meaning. All faults of a table are told together.

Columns are found by name, whatever their case and order; columns beyond those known here are left alone. A blank
cell is missing, never 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import date
from fractions import Fraction
from functools import lru_cache
from typing import Optional, TypeVar

from .columns import is_swis, parse_money, swis_of
from .model import Inhabitant, InputError, Override, OwnerRow, Rate, SignerLine, Table, UnmappedRow
from .readers import several
from .schema import town_code

RATE_KINDS = ("state", "special", "county")
TOWN_ENDINGS = ("00", "89")
"""Endings of a SWIS that mean the town itself; any other is a village (rule 9)."""

_RATE = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,2})?")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_YEAR = re.compile(r"[0-9]{4}")
COUNT_DIGITS = 9
_ANSWERS = {"yes": True, "no": False, "undecided": None, "": None}

T = TypeVar("T")


@lru_cache(maxsize=4096)
def _day_of(text: str) -> Optional[date]:
    """A real day written YYYY-MM-DD, None for anything else."""
    if _DAY.fullmatch(text):
        with suppress(ValueError):
            return date.fromisoformat(text)
    return None


class _Row:
    """One row by the names of its columns; `ask` reads a cell or takes note of what is wrong with it."""

    def __init__(self, table: _Rows, number: int, cells: Sequence[str]) -> None:
        self.number = number
        self._table = table
        self._cells = list(map(str.strip, cells))

    def text(self, column: str) -> str:
        """The cell, "" where it is blank or the table lacks the column."""
        place = self._table.places.get(column)
        return "" if place is None else self._cells[place]

    def needed(self, column: str) -> str:
        """The cell, which must not be blank."""
        text = self.text(column)
        if not text:
            self.say(f"{column} is blank. Fill it in.")
        return text

    def money(self, column: str, needed: bool = False) -> Optional[int]:
        """Whole dollars, None where blank (rule 1)."""
        text = self.needed(column) if needed else self.text(column)
        try:
            return parse_money(text)
        except ValueError:
            self.say(f"“{text}” in {column} cannot be read. Give whole dollars, e.g. 95000 or $95,000.")
            return None

    def swis(self, column: str = "swis") -> str:
        """Six digits, zero-padded."""
        text = self.needed(column)
        if text and not is_swis(text):
            self.say(f"“{text}” in {column} is no SWIS code. Give its six digits, e.g. 065800.")
        return swis_of(text)

    def day(self, column: str) -> Optional[date]:
        """A real day as YYYY-MM-DD, None where blank."""
        text = self.text(column)
        if not text:
            return None
        day = _day_of(text)
        if day is not None:
            return day
        self.say(f"“{text}” in {column} is no date. Give a day of the calendar as YYYY-MM-DD.")
        return None

    def count(self, column: str) -> int:
        """A whole number from 1; 0 after taking note that it is none."""
        text = self.needed(column)
        if text and not (text.isascii() and text.isdigit() and len(text) <= COUNT_DIGITS and int(text)):
            self.say(f"“{text}” in {column} is no number from 1. Give digits, e.g. 12.")
            return 0
        return int(text or 0)

    def answer(self, column: str) -> Optional[bool]:
        """Yes or no in any case, None where blank or “undecided”."""
        text = self.text(column)
        if text.lower() not in _ANSWERS:
            self.say(f"“{text}” in {column} is neither yes nor no. Give yes, no, or leave it blank.")
        return _ANSWERS.get(text.lower())

    def say(self, problem: str) -> None:
        """Take note of what is wrong with the row."""
        self._table.problems.append(f"{self._table.source} row {self.number}: {problem}")


class _Rows:
    """The rows of a table that has the needed columns, and the problems found in it."""

    def __init__(self, table: Table, needed: Sequence[str]) -> None:
        self.source = table.source
        self.places = {name.strip().lower(): place for place, name in reversed(list(enumerate(table.columns)))}
        self.problems: list[str] = []
        self._table = table
        missing = [name for name in needed if name not in self.places]
        if missing:
            listed = ", ".join(name for name in table.columns if name)
            raise InputError(
                f"{table.source} lacks {'the column' if len(missing) == 1 else 'the columns'} {', '.join(missing)}."
                f" Its columns are {listed}."
            )

    def __iter__(self) -> Iterator[_Row]:
        for number, cells in zip(self._table.numbers, self._table.rows):
            yield _Row(self, number, cells)

    def stop(self) -> None:
        """Raise `InputError` with the problems, if there are any."""
        if self.problems:
            raise several(self.problems)


def rates(table: Table) -> tuple[Rate, ...]:
    """Equalization rates (rule 16), those of villages too, which nothing uses (V-47). The kind may be blank.

    Raises `InputError` for a rate that is none or not above 0, and for two rows of one town.
    """
    rows = _Rows(table, ("swis", "town", "rate"))
    found = []
    towns: dict[str, int] = {}
    for row in rows:
        swis, town, text = row.swis(), row.text("town"), row.text("rate")
        if not _RATE.fullmatch(text) or not Fraction(text):
            where = town or swis or "this row"
            row.say(f"“{text}” is not a rate for {where}. Use digits above 0 and a point, e.g. 52.00.")
        year, kind = row.text("roll_year"), row.text("kind").lower()
        if year and not _YEAR.fullmatch(year):
            row.say(f"“{year}” in roll_year is no year. Give four digits, e.g. 2022.")
        if kind and kind not in RATE_KINDS:
            row.say(f"“{row.text('kind')}” in kind is not known. Give one of {', '.join(RATE_KINDS)}.")
        if swis[4:] in TOWN_ENDINGS:
            _once(row, towns, town_code(swis), f"{town or swis} has a rate already")
        filed = row.day("final_roll_filed")
        if not rows.problems:
            found.append(Rate(swis, town, text, Fraction(text), int(year) if year else None, filed, kind))
    rows.stop()
    return tuple(found)


def owners(table: Table) -> tuple[OwnerRow, ...]:
    """Owners by parcel, in the order of the table. A row without a name says that the owner is unknown."""
    rows = _Rows(table, ("swis", "print_key", "owner"))
    found = [
        OwnerRow(
            row.swis(),
            row.needed("print_key"),
            row.text("owner"),
            row.text("capacity"),
            row.text("source"),
            row.text("evidence"),
        )
        for row in rows
    ]
    rows.stop()
    return tuple(found)


def signers(table: Table) -> tuple[SignerLine, ...]:
    """Signature lines, in the order of the table. What a line lacks is judged later; page and line must be numbers.

    Raises `InputError` also for two rows of one page and line, and a date that is no day.
    """
    rows = _Rows(table, ("page", "line", "name", "address", "town"))
    found = []
    lines: dict[tuple[int, int], int] = {}
    for row in rows:
        page, line = row.count("page"), row.count("line")
        if (page, line) in lines and page and line:
            row.say(f"page {page} line {line} is listed already in row {lines[page, line]}. Keep one of them.")
        lines.setdefault((page, line), row.number)
        row.day("date")
        found.append(
            SignerLine(
                page=page,
                line=line,
                name=row.text("name"),
                address=row.text("address"),
                town=row.text("town"),
                date=row.text("date"),
                basis=row.text("basis"),
                credited_av=row.money("credited_av"),
                struck=row.text("struck"),
            )
        )
    rows.stop()
    return tuple(found)


def inhabitants(table: Table) -> tuple[Inhabitant, ...]:
    """Regular inhabitants (rule 20). Blank or “undecided” in adult or qualified is undecided, in signed it is no."""
    rows = _Rows(table, ("name", "address", "town", "swis", "print_key", "adult", "qualified", "signed"))
    found = [
        Inhabitant(
            name=row.text("name"),
            address=row.text("address"),
            town=row.text("town"),
            swis=row.swis() if row.text("swis") else "",
            print_key=row.text("print_key"),
            adult=row.answer("adult"),
            qualified=row.answer("qualified"),
            signed=row.answer("signed") is True,
        )
        for row in rows
    ]
    rows.stop()
    return tuple(found)


def unmapped_rows(table: Table) -> tuple[UnmappedRow, ...]:
    """Roll rows without polygon (rule 11).

    Raises `InputError` also for a total that is missing, a value inside that has no reason or is above the total, and
    two rows of one key.
    """
    rows = _Rows(
        table,
        ("swis", "print_key", "town", "roll_section", "total_av", "land_av", "owner", "inside_value", "reason"),
    )
    found = []
    keys: dict[tuple[str, str], int] = {}
    for row in rows:
        swis, print_key, total = row.swis(), row.needed("print_key"), row.money("total_av", needed=True)
        inside, reason = row.money("inside_value"), row.text("reason")
        if inside is not None and not reason:
            row.say("inside_value has no reason. A reason is required: fill in the column reason.")
        _within(row, inside, total)
        _once(row, keys, (swis, print_key), f"parcel {swis} {print_key} is listed already")
        found.append(
            UnmappedRow(
                swis=swis,
                print_key=print_key,
                town=row.text("town"),
                roll_section=row.text("roll_section"),
                total=total or 0,
                land=row.money("land_av"),
                owner=row.text("owner"),
                inside=inside,
                reason=reason,
                note=row.text("note"),
            )
        )
    rows.stop()
    return tuple(found)


def overrides(table: Table) -> tuple[Override, ...]:
    """The assessor's own figures (rule 12); what needs the parcel's value is checked where it is known.

    Raises `InputError` also for a blank cell and two rows of one key.
    """
    rows = _Rows(table, ("swis", "print_key", "inside_value", "reason", "by", "date"))
    found = []
    keys: dict[tuple[str, str], int] = {}
    for row in rows:
        swis, print_key, inside = row.swis(), row.needed("print_key"), row.money("inside_value", needed=True)
        reason, by, total = row.needed("reason"), row.needed("by"), row.money("total_av")
        day = row.day("date") if row.needed("date") else None
        _within(row, inside, total)
        _once(row, keys, (swis, print_key), f"parcel {swis} {print_key} is listed already")
        if inside is not None and day is not None:
            found.append(Override(swis, print_key, inside, reason, by, day, total))
    rows.stop()
    return tuple(found)


def _once(row: _Row, seen: dict[T, int], key: T, already: str) -> None:
    if key in seen:
        row.say(f"{already} in row {seen[key]}. Keep one of them.")
    else:
        seen[key] = row.number


def _within(row: _Row, inside: Optional[int], total: Optional[int]) -> None:
    if inside is not None and total is not None and inside > total:
        row.say(f"inside_value is ${inside:,}, more than the assessed value of ${total:,}. Correct one of them.")
