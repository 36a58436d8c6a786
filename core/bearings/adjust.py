"""The compass rule: a misclosure spread over the courses by their lengths, as a preview that a person accepts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Optional

from .closure import POOR, Closure, closure
from .curves import arc_between, azimuth_of
from .hints import Hint
from .placing import Leg, Placement


@dataclass(frozen=True)
class Adjustment:
    """The adjusted placement; by how much each corner moved, in feet; and the closure figures after it."""

    placement: Placement
    shifts: tuple[float, ...]
    closure: Closure

    @property
    def largest_shift(self) -> float:
        """The largest move of a corner in feet."""
        return max(self.shifts, default=0.0)


def may_adjust(placement: Placement, figures: Closure, found: Sequence[Hint]) -> str:
    """Empty where the compass rule may be offered, else the reason why it is not."""
    if placement.state != "placed":
        return "courses that the text does not place cannot be adjusted"
    if figures.ratio is None:
        return "the figure closes exactly"
    if figures.ratio < POOR:
        return f"a precision below 1:{POOR} is a blunder, not an error to be spread"
    if figures.verdict != "closes" and any(one.explains for one in found):
        return "one slip explains the misclosure"
    return ""


def adjusted(placement: Placement) -> Adjustment:
    """The figure closed by the compass (Bowditch) rule: every corner moves by its share of the misclosure.

    Curves keep their radius; their central angle follows from their moved ends.
    """
    figures = closure(placement)
    total = math.fsum(leg.length for leg in placement.legs)
    legs: list[Leg] = []
    shifts: list[float] = []
    gone = 0.0
    start = placement.start
    for leg in placement.legs:
        gone += leg.length
        share = gone / total
        end = (leg.end[0] + figures.east * share, leg.end[1] + figures.north * share)
        shifts.append(math.hypot(figures.east * share, figures.north * share))
        legs.append(_moved(leg, start, end))
        start = end
    made = replace(placement, legs=tuple(legs))
    return Adjustment(made, tuple(shifts), closure(made))


def _moved(leg: Leg, start: tuple[float, float], end: tuple[float, float]) -> Leg:
    azimuth = azimuth_of(end[0] - start[0], end[1] - start[1])
    if leg.arc is None:
        length = math.dist(start, end)
        return replace(leg, start=start, end=end, azimuth=azimuth, azimuth_out=azimuth, length=length)
    arc = arc_between(start, end, leg.arc.radius, leg.arc.side, leg.arc.delta > math.pi)
    half = math.degrees(arc.delta) / 2 * (1 if arc.side == "right" else -1)
    return replace(
        leg,
        start=start,
        end=end,
        azimuth=(azimuth - half) % 360,
        azimuth_out=(azimuth + half) % 360,
        length=arc.length,
        arc=arc,
    )


def adjustment(placement: Placement, figures: Closure, found: Sequence[Hint]) -> Optional[Adjustment]:
    """The preview of the compass rule, None where it is not to be offered (see `may_adjust`)."""
    return None if may_adjust(placement, figures, found) else adjusted(placement)
