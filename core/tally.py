"""What parcels add up to, by town and roll section: the sums that valuation tests are computed from (rules 17 to 19).

Whole numbers alone, so that a parcel taken out leaves exactly what was there without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeVar

from .model import Ownership, Parcel, ParcelKey
from .ownership import is_counted
from .schema import town_code

K = TypeVar("K")
ZERO = Fraction(0)
Group = tuple[str, str]
"""Code of the town and roll section without leading zeros."""


@dataclass
class Sums:
    """What some parcels add up to. Signed dollars are kept as whole numbers by denominator.

    `unplaced` holds dollars that may be inside or not, by the low and by the high share credited; `counted` is the
    number of parcels that count for their owners.
    """

    value: int = 0
    signed: dict[int, int] = field(default_factory=dict)
    more: dict[int, int] = field(default_factory=dict)
    unplaced_low: dict[Fraction, int] = field(default_factory=dict)
    unplaced_high: dict[Fraction, int] = field(default_factory=dict)
    missing: int = 0
    counted: int = 0

    def low(self) -> Fraction:
        """Dollars credited for sure."""
        return total(self.signed)

    def high(self) -> Fraction:
        """Dollars credited if every unknown owner turns out well for the petition."""
        return total(self.signed) + total(self.more)

    def add(self, parcel: Parcel, owned: Ownership, times: int = 1) -> None:
        """Take a parcel in, or out again with `times` −1."""
        low, inside = owned.share, parcel.inside
        if is_counted(parcel):
            self.counted += times
        if inside is None:
            if parcel.value is None:
                self.missing += times
            else:
                _more(self.unplaced_low, low, times * parcel.value)
                _more(self.unplaced_high, owned.share_high, times * parcel.value)
            return
        inside *= times
        self.value += inside
        if owned.signed:
            _more(self.signed, low.denominator, inside * low.numerator)
        if owned.count is None:
            gap = owned.share_high - low
            _more(self.more, gap.denominator, inside * gap.numerator)

    def take_in(self, other: Sums) -> None:
        """Add other sums to these."""
        self.value += other.value
        self.missing += other.missing
        self.counted += other.counted
        for name in ("signed", "more", "unplaced_low", "unplaced_high"):
            mine = getattr(self, name)
            for key, number in getattr(other, name).items():
                _more(mine, key, number)


class Tally:
    """The sums of a list of parcels under one ownership, by town and roll section."""

    def __init__(self, groups: Mapping[Group, Sums]) -> None:
        self._groups = groups

    def of_town(self, code: str, without: str = "") -> Sums:
        """The sums of a town, but for a roll section."""
        found = Sums()
        for (town, section), sums in self._groups.items():
            if town == code and (not without or section != without):
                found.take_in(sums)
        return found

    def of_section(self, section: str) -> Sums:
        """The sums of a roll section in all towns."""
        found = Sums()
        for (_, own), sums in self._groups.items():
            if own == section:
                found.take_in(sums)
        return found

    def changed(
        self,
        parcels: Iterable[Parcel],
        before: Mapping[ParcelKey, Ownership],
        after: Mapping[ParcelKey, Ownership],
    ) -> Tally:
        """The tally when the ownership of some of its parcels is another."""
        groups = dict(self._groups)
        own: set[Group] = set()
        for parcel in parcels:
            group = group_of(parcel)
            if group not in own:
                own.add(group)
                copied = Sums()
                copied.take_in(groups[group])
                groups[group] = copied
            groups[group].add(parcel, before[parcel.key], -1)
            groups[group].add(parcel, after[parcel.key])
        return Tally(groups)


def tally_of(parcels: Iterable[Parcel], ownership: Mapping[ParcelKey, Ownership]) -> Tally:
    """The sums of these parcels."""
    groups: dict[Group, Sums] = {}
    for parcel in parcels:
        group = group_of(parcel)
        sums = groups.get(group)
        if sums is None:
            sums = groups[group] = Sums()
        sums.add(parcel, ownership[parcel.key])
    return Tally(groups)


def group_of(parcel: Parcel) -> Group:
    """Town and roll section of a parcel."""
    return town_code(parcel.swis), parcel.roll_section.strip().lstrip("0")


def total(by_denominator: Mapping[int, int]) -> Fraction:
    """The exact sum of whole numbers by denominator."""
    return sum((Fraction(top, bottom) for bottom, top in sorted(by_denominator.items())), ZERO)


def _more(amounts: dict[K, int], key: K, number: int) -> None:
    amounts[key] = amounts.get(key, 0) + number
