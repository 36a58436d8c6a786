"""Where two stretches meet: at the intersection of their lines, which gives the corner its name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Optional

import numpy as np
import shapely

from .following import NOTHING, ROADWAYS_FT, SHORTEST_FT, Followed, Stretch
from .rings import SAME, Ring
from .sources import CIVIL, DISTRICT
from .words import place_words, wind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

WINDOW_FT = 75.0
"""How far a change of line may move along the ring to the intersection of the two lines."""
HALVINGS = 40


@dataclass(frozen=True, eq=False)
class Corner:
    """Where one side ends and the next begins: its name in words, and whether two named lines make it.

    `apart` is how far the lines' intersection lies from the boundary's corner in units, None where they do not meet
    there.
    """

    xy: tuple[float, float]
    text: str
    is_named: bool
    apart: Optional[float] = None


def settled(ring: Ring, stretches: Sequence[Stretch], foot: float) -> list[Stretch]:
    """The stretches with every change moved to where the lines themselves meet or end, as far as the ring allows."""
    if len(stretches) < 2:
        return list(stretches)
    count = len(stretches)
    places = [one.start for one in stretches]
    moved = []
    for number, one in enumerate(stretches):
        before = stretches[number - 1]
        room = [min(WINDOW_FT * foot, (each.end - each.start) / 2) for each in (before, one)]
        moved.append(_place(ring, places[number], before, one, room, foot))
    result = []
    for number, one in enumerate(stretches):
        after = moved[(number + 1) % count]
        while after <= moved[number]:
            after += ring.length
        result.append(replace(one, start=moved[number], end=after))
    return result


def corner(ring: Ring, before: Stretch, after: Stretch, foot: float) -> Corner:
    """The corner between two stretches, `after.start` being its place on the ring."""
    xy = ring.point(after.start)
    one, other = lined(before), lined(after)
    if before is after or not (one.is_named and other.is_named):
        named = one if one.is_named else other
        place = f"a point in {named.phrase} at" if named.is_named else "a point at"
        return Corner(xy, f"{place} {place_words(xy)}", False)
    lines = {one.kind, other.kind} <= {CIVIL, DISTRICT}
    points = np.array([xy]) if lines else _meetings(one, other)
    reach = _reach(before, after, foot)
    away = np.hypot(*(points - xy).T) if len(points) else np.zeros(0)
    if not len(away) or away.min() > reach + SAME:
        text = f"a point in {one.phrase}, where it meets {other.phrase}, at {place_words(xy)}"
        return Corner(xy, text, False, float(away.min()) if len(away) else None)
    text = _intersection(one, other)
    if len(points) > 1 and before.roadway is None and after.roadway is None:
        text += f" at {place_words(xy)}"
    return Corner(xy, text, True, float(away.min()))


def lined(stretch: Stretch) -> Followed:
    """What a stretch follows, in the words of the one roadway that it follows where a street has two."""
    what = stretch.what
    if stretch.roadway is None or stretch.roadway == "middle":
        return what
    side = wind((-stretch.roadway[0], -stretch.roadway[1]))
    return replace(what, noun=f"centerline of the {side} roadway")


def ends_near(what: Followed, xy: tuple[float, float], reach: float) -> Optional[tuple[float, float]]:
    """The end of the line that is nearest to a point within reach, None where the line goes on."""
    if what.shape is None:
        return None
    ends = shapely.get_coordinates(shapely.boundary(shapely.line_merge(what.shape)))
    away = np.hypot(*(ends - xy).T) if len(ends) else np.zeros(0)
    if not len(away) or away.min() > reach:
        return None
    end = ends[int(away.argmin())]
    return float(end[0]), float(end[1])


# The place


def _place(ring: Ring, place: float, before: Stretch, after: Stretch, room: Sequence[float], foot: float) -> float:
    one, other = before.what, after.what
    low, high = place - room[0], place + room[1]
    if one is NOTHING or other is NOTHING:
        named, inward = (one, -1.0) if other is NOTHING else (other, 1.0)
        stretch = before if other is NOTHING else after
        return _end_of(ring, place, named, inward, (low, high), stretch.roadway == "middle", foot)
    if {one.kind, other.kind} <= {CIVIL, DISTRICT}:
        return place
    points = _meetings(one, other)
    if not len(points):
        return place
    here = ring.point(place)
    if before.roadway == "middle" or after.roadway == "middle":
        close = points[np.hypot(*(points - here).T) <= ROADWAYS_FT * foot]
        points = close.mean(axis=0)[None, :] if len(close) else points
    nearest = points[int(np.hypot(*(points - here).T).argmin())]
    if float(np.hypot(*(nearest - here))) > WINDOW_FT * foot:
        return place
    vertices = _vertices(ring, low, high)
    away = [float(np.hypot(*(np.array(ring.point(at)) - nearest))) for at in vertices]
    if away and min(away) <= _reach(before, after, foot):
        return vertices[int(np.argmin(away))]
    local = shapely.linestrings(ring.between(low, high))
    return low + float(shapely.line_locate_point(local, shapely.points(nearest)))


def _end_of(
    ring: Ring, place: float, what: Followed, inward: float, window: tuple[float, float], middle: bool, foot: float
) -> float:
    """Where the ring leaves a line for none: at a corner of its own, at the line's end, or where it gets too far."""
    if middle or any(abs(at - place) <= SAME for at in _vertices(ring, *window)):
        return place
    low, high = window
    end = ends_near(what, ring.point(place), SHORTEST_FT * foot)
    if end is not None:
        local = shapely.linestrings(ring.between(low, high))
        return low + float(shapely.line_locate_point(local, shapely.points(end)))
    near, far = (low, high) if inward < 0 else (high, low)
    if not _within(ring, near, what) or _within(ring, far, what):
        return place
    for _ in range(HALVINGS):
        half = (near + far) / 2
        near, far = (half, far) if _within(ring, half, what) else (near, half)
    return near


def _within(ring: Ring, place: float, what: Followed) -> bool:
    return bool(shapely.distance(what.shape, shapely.points(ring.point(place))) <= what.reach)


def _vertices(ring: Ring, low: float, high: float) -> list[float]:
    """The ring's corners between two places, as places in their range."""
    turns = [ring.at[:-1] + turn * ring.length for turn in (-1, 0, 1, 2)]
    at = np.concatenate(turns)
    return [float(each) for each in at[(at >= low - SAME) & (at <= high + SAME)]]


def _reach(before: Stretch, after: Stretch, foot: float) -> float:
    between = ROADWAYS_FT / 2 * foot if "middle" in (before.roadway, after.roadway) else 0.0
    return max(before.what.reach, after.what.reach) + between


def _meetings(one: Followed, other: Followed) -> Numbers:
    """The points where two lines meet; where they only nearly do, the middle of the gap between them."""
    shared: Any = shapely.intersection(one.shape, other.shape)
    if not shapely.is_empty(shared):
        parts = shapely.get_parts(shared)
        lines = shapely.get_parts(shapely.line_merge(shapely.union_all(parts[shapely.get_dimensions(parts) == 1])))
        ends = shapely.get_coordinates(shapely.boundary(lines)) if len(lines) else np.zeros((0, 2))
        xy = np.vstack([shapely.get_coordinates(parts[shapely.get_dimensions(parts) == 0]), ends])
        points: Numbers = np.unique(np.round(xy, 6), axis=0)
        return points
    gap = shapely.get_coordinates(shapely.shortest_line(one.shape, other.shape))
    if len(gap) == 2 and float(np.hypot(*(gap[1] - gap[0]))) <= max(one.reach, other.reach):
        middle: Numbers = gap.mean(axis=0)[None, :]
        return middle
    return np.zeros((0, 2))


def _intersection(one: Followed, other: Followed) -> str:
    if one.noun == other.noun == "centerline":
        return f"the point of intersection of the centerlines of {one.of} and {other.of}"
    return f"the point of intersection of {one.phrase} with {other.phrase}"
