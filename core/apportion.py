"""What part of a parcel's value lies inside: rules 10 to 12.

The statute leaves the way to the assessor: land by area, improvements by where the buildings stand, or the assessor's
own figure. Rounded once, to whole dollars, so that inside and outside always make up the value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Optional, Union

from .figures import half_up
from .model import Override

__all__ = ["Apportioned", "check_override", "half_up", "largest_remainder", "split_dollars"]

LAND_AND_BUILDINGS = "land_area_improvement_location"
AREA_ONLY = "area_only"


@dataclass(frozen=True)
class Apportioned:
    """A value cut in two: whole dollars that add up to it, the method, and the exact dollars inside."""

    inside: int
    outside: int
    method: str
    exact: Fraction


def split_dollars(
    total: int,
    land: Optional[int],
    land_known_in_layer: bool,
    share: Fraction,
    building_share: Optional[Fraction],
) -> Apportioned:
    """The dollars of a split parcel inside and outside (rule 10, § 2-202(1)(a)(2)).

    `share` is the part of its area inside, `building_share` that of its buildings, None where none is known;
    `land_known_in_layer` says whether any row of the layer has land above 0, else a land value of 0 means unknown.
    A land value above the total (V-43) cannot be used, and the whole value then goes by area.
    """
    by_area = building_share is None or land is None or land > total or (land == 0 and not land_known_in_layer)
    if by_area or land is None or building_share is None:
        exact, method = total * share, AREA_ONLY
    else:
        exact, method = land * share + (total - land) * building_share, LAND_AND_BUILDINGS
    inside = half_up(exact)
    return Apportioned(inside=inside, outside=total - inside, method=method, exact=exact)


def largest_remainder(total: int, weights: Sequence[Union[int, Fraction]]) -> list[int]:
    """`total` in whole pieces by weight, adding up to it; left-over units go to the largest remainders.

    Ties go to the earlier piece, so give the pieces in the order of a stable key. Raises ValueError where the weights
    are negative or all 0.
    """
    shares = [Fraction(weight) for weight in weights]
    together = sum(shares, Fraction(0))
    if together <= 0 or min(shares) < 0:
        raise ValueError("the weights must not be negative and not all 0")
    exact = [total * share / together for share in shares]
    whole = [piece.numerator // piece.denominator for piece in exact]
    by_remainder = sorted(range(len(whole)), key=lambda piece: (whole[piece] - exact[piece], piece))
    for piece in by_remainder[: total - sum(whole)]:
        whole[piece] += 1
    return whole


def check_override(total: Optional[int], override: Override) -> Optional[str]:
    """What is wrong with the assessor's figure for a parcel of this value, as the end of a sentence; None if nothing.

    `total` is None where the roll row has no usable value; the override must then bring one (rule 12).
    """
    if not override.reason.strip():
        return "a reason is required"
    if not override.by.strip():
        return "the name of the assessor who set it is required"
    if total is None and override.total is None:
        return "the roll has no usable assessed value, so total_av is required"
    if total is not None and override.total is not None and override.total != total:
        return f"total_av {override.total:,} differs from the assessed value of {total:,} on the roll"
    value = override.total if total is None else total
    if override.inside < 0:
        return "the value inside is less than 0"
    if value is not None and override.inside > value:
        return f"the value inside, {override.inside:,}, is more than the assessed value of {value:,}"
    return None
