"""How well each short step of a ring follows each line: distance and direction, for all lines at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely

from .rings import Steps

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]
    Flags = NDArray[np.bool_]
    Places = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Track:
    """A line to hold steps against: within `reach` units, turned from the step by less than the angle of `cosine`."""

    shape: Any
    reach: float
    cosine: float
    widest: float = 0.0
    """How far apart two roadways of one street may be, 0 where there cannot be two."""


@dataclass(frozen=True, eq=False)
class Fit:
    """Steps by tracks. `distance` is that of the step's middle where the step follows the track, else infinite.

    `near` is true where the track is within reach, whatever its direction. `middle` is true where the step runs midway
    between two roadways; `other` is the way, along the step's left normal, to another roadway beside the one that is
    followed, 0 where there is none.
    """

    distance: Numbers
    near: Flags
    middle: Flags
    other: Numbers


LEAST_APART = 15.0
"""Feet by which two lines of one street must be apart to be two roadways."""


def fit(steps: Steps, tracks: Sequence[Track], foot: float) -> Fit:
    """How the steps follow the tracks; `foot` is a foot in units of the CRS."""
    shape = (len(steps), len(tracks))
    distance = np.full(shape, np.inf)
    near = np.zeros(shape, dtype=bool)
    middle = np.zeros(shape, dtype=bool)
    other = np.zeros(shape)
    if not len(steps) or not tracks:
        return Fit(distance, near, middle, other)
    start, end, track = _segments(tracks)
    reach = np.array([one.reach for one in tracks])
    cosine = np.array([one.cosine for one in tracks])
    widest = np.array([one.widest for one in tracks])
    step, segment = _pairs(steps.middle, start, end, np.maximum(reach, widest)[track])
    along, off, beside = _measured(steps, step, start[segment], end[segment])
    of = track[segment]
    agrees = along >= cosine[of]
    close = off <= reach[of]
    near[step[close], of[close]] = True
    good = agrees & close
    np.minimum.at(distance, (step[good], of[good]), off[good])
    roads = agrees & ~np.isnan(beside) & (np.abs(beside) <= widest[of])
    _roadways(step[roads], of[roads], beside[roads], distance, middle, other, reach, widest, foot)
    return Fit(distance, near, middle, other)


def away(shape: Any, xy: Numbers) -> Numbers:
    """The distance of each point from a line of however many segments."""
    start, end, _ = _segments([Track(shape, 0.0, 0.0)])
    tree = shapely.STRtree(shapely.linestrings(np.stack([start, end], axis=1)))
    found = tree.query_nearest(shapely.points(xy), return_distance=True, all_matches=False)
    distances: Numbers = found[1]
    return distances


def boxes_apart(one: Any, other: Any) -> float:
    """How far apart the boxes of two shapes are, 0 where they meet."""
    low, high = shapely.bounds(one), shapely.bounds(other)
    gaps = np.maximum(np.maximum(low[:2] - high[2:], high[:2] - low[2:]), 0.0)
    return float(np.hypot(*gaps))


def _segments(tracks: Sequence[Track]) -> tuple[Numbers, Numbers, Places]:
    """Starts and ends of all segments of all tracks, and whose each is."""
    shapes = np.array([one.shape for one in tracks], dtype=object)
    parts, of_part = shapely.get_parts(shapes, return_index=True)
    xy, part = shapely.get_coordinates(parts, return_index=True)
    joined = (part[1:] == part[:-1]) & (xy[1:] != xy[:-1]).any(axis=1)
    return xy[:-1][joined], xy[1:][joined], of_part[part[:-1][joined]]


def _pairs(points: Numbers, start: Numbers, end: Numbers, reach: Numbers) -> tuple[Places, Places]:
    """Each step with each segment whose box, grown by its reach, holds the step's middle."""
    if not len(start):
        empty = np.zeros(0, dtype=np.int64)
        return empty, empty
    low, high = np.minimum(start, end) - reach[:, None], np.maximum(start, end) + reach[:, None]
    tree = shapely.STRtree(shapely.points(points))
    segment, step = tree.query(shapely.box(low[:, 0], low[:, 1], high[:, 0], high[:, 1]))
    order = np.lexsort((segment, step))
    return step[order], segment[order]


def _measured(steps: Steps, step: Places, start: Numbers, end: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """|cosine| of the angle between step and segment; the distance; the way to it along the step's left normal.

    The last is NaN where the normal through the step's middle does not meet the segment.
    """
    base = end - start
    length = np.hypot(base[:, 0], base[:, 1])
    unit = base / length[:, None]
    way = steps.middle[step] - start
    part = np.einsum("ij,ij->i", way, unit)
    foot = start + unit * np.clip(part, 0.0, length)[:, None]
    off = np.hypot(*(steps.middle[step] - foot).T)
    direction = steps.direction[step]
    normal = np.column_stack([-direction[:, 1], direction[:, 0]])
    # where start + unit·t = middle + normal·b
    cross = unit[:, 0] * normal[:, 1] - unit[:, 1] * normal[:, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        t = (way[:, 0] * normal[:, 1] - way[:, 1] * normal[:, 0]) / cross
        b = -(way[:, 1] * unit[:, 0] - way[:, 0] * unit[:, 1]) / cross
    meets = np.isfinite(t) & (t >= 0) & (t <= length)
    return np.abs(np.einsum("ij,ij->i", unit, direction)), off, np.where(meets, b, np.nan)


def _roadways(
    step: Places,
    track: Places,
    beside: Numbers,
    distance: Numbers,
    middle: Flags,
    other: Numbers,
    reach: Numbers,
    widest: Numbers,
    foot: float,
) -> None:
    """Write into `distance`, `middle` and `other` what two roadways of one street make of the steps between them."""
    order = np.lexsort((beside, track, step))
    step, track, beside = step[order], track[order], beside[order]
    if not len(step):
        return
    first = np.flatnonzero(np.append(True, (step[1:] != step[:-1]) | (track[1:] != track[:-1])))
    for start, end in zip(first, [*first[1:], len(step)]):
        ways = beside[start:end]
        row, column = int(step[start]), int(track[start])
        nearest = float(ways[np.abs(ways).argmin()])
        apart = ways[np.abs(ways - nearest) >= LEAST_APART * foot]
        if not len(apart):
            continue
        second = float(apart[np.abs(apart - nearest).argmin()])
        if abs(second - nearest) > widest[column]:
            continue
        centre = abs(nearest + second) / 2
        if abs(nearest) <= reach[column]:
            other[row, column] = second - nearest
        elif nearest * second < 0 and centre <= reach[column]:
            distance[row, column] = min(distance[row, column], centre)
            middle[row, column] = True
