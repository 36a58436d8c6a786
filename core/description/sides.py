"""The sides of a boundary: each stretch between two corners with what is printed of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional

import numpy as np
import shapely

from .corners import Corner, corner, lined, settled
from .following import NOTHING, STEP_FT, Candidate, Followed, Stretch, following
from .matching import away
from .rings import Ring
from .wholes import Whole, ring_whole
from .words import heading

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Side:
    """One side of the boundary, clockwise.

    `part` counts the separate parts, `hole` the holes of one (0 for its outer ring), `number` the sides of a ring, each
    from 1. `kind` is street, shore, thread, civil, district or course; `name` that of the line, "" where it has none.
    `start` and `end` are its corners in words, the direction from one to the other is "southerly", "" where the side
    is closed, and `winds` is true where it turns by more than 60°. Lengths are feet; `offset_ft` is how far the side
    leaves the line at most, None for a course and between two roadways. `xy` are its corners in the working CRS.
    """

    part: int
    hole: int
    number: int
    kind: str
    name: str
    start: str
    end: str
    direction: str
    winds: bool
    length_ft: float
    offset_ft: Optional[float]
    xy: Numbers
    line: Followed
    stretch: Stretch
    first: Corner
    last: Corner
    entire: bool = False

    @property
    def label(self) -> str:
        """How messages call it: "Side 3", "Side 1 of hole 2", "Side 4 of part 2"."""
        hole = f" of hole {self.hole}" if self.hole else ""
        part = f" of part {self.part}" if self.part > 1 else ""
        return f"Side {self.number}{hole}{part}"


def sides_of(
    ring: Ring, found: Sequence[Candidate], areas: Sequence[Any], line_width: float, foot: float
) -> tuple[tuple[Side, ...], Optional[Whole]]:
    """The sides of a ring from its starting corner, and the area whose entire boundary the ring is, None without."""
    whole = ring_whole(ring, areas, line_width)
    if whole is not None:
        return (entire_side(ring, whole, foot),), whole
    stretches = settled(ring, following(ring, found, foot), foot)
    if len(stretches) == 1:
        one = Stretch(0.0, ring.length, stretches[0].what, stretches[0].shares, stretches[0].roadway)
        at = corner(ring, one, one, foot)
        return (_side(ring, 1, one, at, at, foot),), None
    corners = [corner(ring, stretches[number - 1], one, foot) for number, one in enumerate(stretches)]
    first = min(range(len(corners)), key=lambda number: _start_order(corners[number], stretches, number))
    sides = []
    for count in range(len(stretches)):
        number = (first + count) % len(stretches)
        after = corners[(number + 1) % len(stretches)]
        sides.append(_side(ring, count + 1, stretches[number], corners[number], after, foot))
    return tuple(sides), None


def entire_side(ring: Ring, whole: Whole, foot: float) -> Side:
    """The one side of a ring that is the entire boundary of an area, or part of that of several."""
    area = whole.areas[0]
    line = Followed(area.kind, whole.name, shapely.boundary(area.shape), 0.0, "entire boundary", f"the {whole.name}")
    stretch = Stretch(0.0, ring.length, line, {})
    at = Corner(ring.point(0.0), whole.phrase, False)
    return _side(ring, 1, stretch, at, at, foot, entire=True)


def _side(
    ring: Ring, number: int, stretch: Stretch, first: Corner, last: Corner, foot: float, entire: bool = False
) -> Side:
    xy = ring.between(stretch.start, stretch.end)
    direction, winds = heading(xy, foot)
    offset = None
    if stretch.what is not NOTHING and stretch.roadway != "middle" and not entire:
        points = shapely.get_coordinates(shapely.segmentize(shapely.linestrings(xy), STEP_FT * foot))
        offset = float(away(stretch.what.shape, points).max()) / foot
    return Side(
        part=ring.part,
        hole=ring.hole,
        number=number,
        kind=stretch.what.kind,
        name=stretch.what.name,
        start=first.text,
        end=last.text,
        direction=direction,
        winds=winds,
        length_ft=(stretch.end - stretch.start) / foot,
        offset_ft=offset,
        xy=xy,
        line=lined(stretch),
        stretch=stretch,
        first=first,
        last=last,
        entire=entire,
    )


def _start_order(at: Corner, stretches: Sequence[Stretch], number: int) -> tuple[bool, bool, float, float]:
    """A corner of two named lines before one of one, before one of none; then the northernmost, the westernmost."""
    lines = (stretches[number - 1].what, stretches[number].what)
    return not at.is_named, not any(one.is_named for one in lines), -round(at.xy[1], 2), round(at.xy[0], 2)
