"""Whether a territory, or one ring of it, is the whole of a district, town, city or village. § 2-202(1)(c)(1)(c)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Optional

import shapely

from ..figures import listing
from ..overlay import overlap_wider_than, width_pieces
from ..territory import polygon_parts
from .rings import Ring
from .sources import DISTRICT, Area

TOWN = "Town"
NEARLY = 0.05
"""Part of the territory's area: what differs by less from a whole district or town may have been meant to be it."""


@dataclass(frozen=True, eq=False)
class Whole:
    """The areas whose entire boundaries a shape has, in the order in which they are named."""

    areas: tuple[Area, ...]

    @property
    def name(self) -> str:
        """ "Town of Pomfret", or several: "First District and Second District"."""
        return listing([one.name for one in self.areas])

    @property
    def phrase(self) -> str:
        """ "the entire boundary of the Town of Pomfret"."""
        noun = "boundary" if len(self.areas) == 1 else "boundaries"
        return f"the entire {noun} of {listing([f'the {one.name}' for one in self.areas])}"


@dataclass(frozen=True, eq=False)
class NearMiss:
    """A district or town that the territory nearly is: by how much they differ, and the largest piece of that."""

    area: Area
    difference: float
    largest: Any


def whole_of(shape: Any, areas: Sequence[Area], tolerance: float) -> Optional[Whole]:
    """The town, the district, or the districts of one kind of which this shape is the whole, None where it is of none.

    As rule 21 says it, every piece of the difference is at most the tolerance wide. A city or village cannot be it:
    no territory may take one in.
    """
    lawful = [one for one in areas if one.kind == DISTRICT or one.word == TOWN]
    for one in sorted(lawful, key=lambda area: (area.kind == DISTRICT, area.word, area.name)):
        if _same(shape, one.shape, tolerance):
            return Whole((one,))
    for word in sorted({one.word for one in lawful if one.kind == DISTRICT}):
        inside = [one for one in lawful if one.kind == DISTRICT and one.word == word and _within(one, shape, tolerance)]
        if len(inside) > 1 and _same(shape, _union(inside), tolerance):
            return Whole(tuple(sorted(inside, key=lambda area: area.name)))
    return None


def ring_whole(ring: Ring, areas: Sequence[Area], tolerance: float) -> Optional[Whole]:
    """The area, of any kind, of which a ring is the entire boundary, as a hole may be that of a village."""
    for one in sorted(areas, key=lambda area: (area.kind == DISTRICT, area.word, area.name)):
        if _same(ring.polygon, one.shape, tolerance):
            return Whole((one,))
    return None


def near_miss(shape: Any, areas: Sequence[Area]) -> Optional[NearMiss]:
    """The town or district that differs least from the territory, where it differs by less than a twentieth of it."""
    misses = []
    for one in areas:
        if one.kind == DISTRICT or one.word == TOWN:
            if abs(shapely.area(one.shape) - shapely.area(shape)) > NEARLY * shapely.area(shape):
                continue
            difference = shapely.symmetric_difference(shape, one.shape)
            if shapely.area(difference) <= NEARLY * shapely.area(shape):
                largest = max(polygon_parts([difference])[0], key=shapely.area, default=None)
                misses.append(NearMiss(one, float(shapely.area(difference)), largest))
    misses = [one for one in misses if one.largest is not None]
    return min(misses, key=lambda miss: (miss.difference, miss.area.name), default=None)


def _same(one: Any, other: Any, tolerance: float) -> bool:
    if not shapely.intersects(shapely.box(*shapely.bounds(one)), shapely.box(*shapely.bounds(other))):
        return False
    return width_pieces(shapely.symmetric_difference(one, other)) <= tolerance


def _within(one: Area, shape: Any, tolerance: float) -> bool:
    if not overlap_wider_than(one.shape, shape, tolerance):
        return False
    return width_pieces(shapely.difference(one.shape, shape)) <= tolerance


def _union(areas: Sequence[Area]) -> Any:
    return shapely.union_all(sorted(shapely.normalize([one.shape for one in areas]), key=shapely.to_wkb))
