"""What another boundary changes: parcels, dollars, owners, inhabitants and ground gained and lost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Optional

from .model import Analysis, Parcel, ParcelKey
from .ownership import is_counted
from .schema import fold


@dataclass(frozen=True)
class Changes:
    """The later analysis against the earlier, each number later less earlier.

    `gained` and `lost` are the parcels that count in one of the two alone, in key order, and `moved` those that count
    in both with other dollars inside. `dollars` are those inside, `owners` the persons by name who own a parcel that
    counts; `inhabitants` and `qualified` are None where one of the two has no list.
    """

    gained: tuple[ParcelKey, ...]
    lost: tuple[ParcelKey, ...]
    moved: tuple[ParcelKey, ...]
    dollars: int
    owners: int
    inhabitants: Optional[int]
    qualified: Optional[int]
    square_miles: Fraction
    shares: Mapping[str, Optional[Fraction]]

    @property
    def parcels(self) -> int:
        """How many parcels more count, fewer where negative."""
        return len(self.gained) - len(self.lost)


def changes(before: Analysis, after: Analysis) -> Changes:
    """What differs between two analyses of one petition.

    `shares` are by test of the valuation that both have, the later share less the earlier, None where one of them has
    no share.
    """
    old, new = _counting(before), _counting(after)
    voters = (before.voters, after.voters)
    return Changes(
        gained=tuple(sorted(new.keys() - old.keys())),
        lost=tuple(sorted(old.keys() - new.keys())),
        moved=tuple(sorted(key for key in new.keys() & old.keys() if new[key].inside != old[key].inside)),
        dollars=after.proof.value_inside - before.proof.value_inside,
        owners=len(_owners(after, new)) - len(_owners(before, old)),
        inhabitants=None if None in voters else _people(after) - _people(before),
        qualified=None if None in voters else _qualified(after) - _qualified(before),
        square_miles=after.territory.square_miles - before.territory.square_miles,
        shares=_shares(before, after),
    )


def _counting(analysis: Analysis) -> dict[ParcelKey, Parcel]:
    return {parcel.key: parcel for parcel in analysis.parcels if is_counted(parcel)}


def _owners(analysis: Analysis, parcels: Mapping[ParcelKey, Parcel]) -> set[str]:
    """The folded names of all owners of these parcels; a parcel that the roll puts in a city has none here."""
    ownership = analysis.ownership
    names = {name for key in parcels if key in ownership for name in ownership[key].names}
    return {fold(name) for name in names}


def _people(analysis: Analysis) -> int:
    return 0 if analysis.voters is None else analysis.voters.inhabitants


def _qualified(analysis: Analysis) -> int:
    return 0 if analysis.voters is None else analysis.voters.qualified


def _shares(before: Analysis, after: Analysis) -> dict[str, Optional[Fraction]]:
    old = {test.id: test.value for test in before.tests if test.id.startswith("valuation.")}
    found: dict[str, Optional[Fraction]] = {}
    for test in after.tests:
        if test.id in old:
            earlier, later = old[test.id], test.value
            found[test.id] = None if earlier is None or later is None else later - earlier
    return found
