"""The calls of one segment of the text."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Optional

from .anchors import Segment
from .calls import Call, Curve, Direction, Distance, Options, Tie
from .curve_words import curve_at, is_of_chord, read_curve, side_in
from .directions import (
    azimuth,
    bearing,
    cardinal,
    degrees_minutes_seconds,
    is_bare_angle,
    is_bearing,
    wind,
)
from .distances import bare, distance, unit_of
from .vocabulary import CARDINALS, PLACED_BY, WATERS
from .words import Words

_NOUNS = (
    "side sides line lines boundary corner corners bound bounds sideline end top bank right most property edge"
    " portion part and or shore margin limit direction projection prolongation extension"
).split()
_TO_DISTANCE = (", for a an the distance of . running run continuing and about approximately : ... - length").split()


_OPENERS = frozenset((*CARDINALS, "due", "azimuth", "az", "interior"))
"""Words with which a direction can begin."""


@dataclass
class State:
    """What the calls before say: units used, the side of a curve that is only announced."""

    options: Options
    units: set[str] = field(default_factory=set)
    announced_side: str = ""
    said_unit: bool = False


@dataclass(frozen=True)
class Found:
    """Where a call stands in a segment, how it was told, and where it ends."""

    kind: str
    at: int
    end: int
    direction: Optional[Direction] = None
    angle: Optional[int] = None
    tie: bool = False


def calls_of(words: Words, segment: Segment, begin: int, state: State) -> tuple[list[Call], list[tuple[int, Tie]]]:
    """The calls of a segment from `begin` on, and its ties with the number of calls that stand before each.

    Numbers of calls count from 1 within the segment.
    """
    found = _find(words, segment, begin, state)
    courses = [one for one in found if not one.tie]
    may_be_word = segment.kind in ("thence", "item") and segment.header is None
    if not courses and (may_be_word or (segment.header is not None and segment.kind == "item")):
        if any(words[at].kind in ("word", "number") for at in range(begin, segment.end)):
            courses = [Found("word", begin, begin)]
            found = sorted([*found, *courses], key=lambda one: one.at)
    calls: list[Call] = []
    ties: list[tuple[int, Tie]] = []
    limits: list[int] = []
    limit = segment.end
    for one in reversed(found):
        limits.append(limit)
        limit = limit if one.tie else one.at
    for one, limit in zip(found, reversed(limits)):
        first = begin if not calls else one.at
        if one.tie:
            ties.append((len(calls), _tie(words, one, limit, state, segment.kind in ("start", "preamble"))))
        else:
            calls.append(_call(words, segment, one, first, limit, len(calls) + 1, state))
    if segment.kind in ("start", "preamble") and not ties:
        said = _distant(words, begin, segment.end, state)
        if said is not None:
            ties.append((0, said))
    return calls, ties


# Where calls stand


def _find(words: Words, segment: Segment, begin: int, state: State) -> list[Found]:
    found: list[Found] = []
    curve = curve_at(words, begin, segment.end)
    place = begin
    while place < segment.end:
        if curve is not None and place == curve:
            stop = _curve_stop(words, place, segment.end)
            first = begin if not found else place
            found.append(Found("curve", first, stop))
            place, curve = stop, curve_at(words, stop, segment.end)
            continue
        token = words[place]
        may_open = token.kind == "number" or token.text in _OPENERS
        one = _one(words, segment, begin, place, state, bool(found)) if may_open else None
        if one is None:
            place += 1
            continue
        found.append(one)
        place = max(one.end, place + 1)
    return found


def _curve_stop(words: Words, curve: int, end: int) -> int:
    """Where another course begins after a curve in the same segment."""
    for at in range(curve + 1, end):
        if is_bearing(words, at) and not is_of_chord(words, at, curve):
            return at
    return end


def _one(words: Words, segment: Segment, begin: int, place: int, state: State, later: bool) -> Optional[Found]:
    tie = words.is_word(place - 1, *PLACED_BY) or words.is_word(place - 2, *PLACED_BY)
    if is_bearing(words, place):
        direction, end = bearing(words, place)
        tie = tie or (words.is_word(place - 1, "being") and _is_from(words, end, state))
        return Found("line", place, end, direction, tie=tie)
    turned = azimuth(words, place, state.options.azimuth)
    if turned is not None:
        return Found("line", place, turned[1], turned[0], tie=tie)
    if words.says(place, "interior angle"):
        value = words.skip(place + 2, "of", "is", ",")
        angle = degrees_minutes_seconds(words, value, limit=360)
        words.use(value, angle.end)
        return Found("angle", place, angle.end, angle=angle.value)
    first = words.skip(begin, ",", "running", "run", "runs", "proceeding", "continuing", "-") == place
    heads_line = words.source.first_on_line(words[place].start)
    if is_bare_angle(words, place) and (first or heads_line) and segment.kind != "start":
        return _without_quadrant(words, place)
    # “to the north” says where something lies.
    straight = None if words.is_word(place - 1, "the") else cardinal(words, place)
    if straight is not None:
        direction, end = straight
        after = words.skip(end, *_TO_DISTANCE)
        measured = distance(words, after, state.options) is not None
        if not measured and (words.is_word(place, "due") or (heads_line and segment.kind != "start")):
            measured = words[after].kind == "number" and (after == end or words.is_word(end, ",", "for", "a"))
        along = first and words.is_word(words.skip(end, ","), "along") and segment.kind in ("thence", "item")
        if along and not measured:
            measured = _distance_after(words, end, segment.end, state) is not None
        in_start = segment.kind == "start" and not later and not (measured and _runs(words, place))
        if measured and not in_start:
            return Found("line", place, end, direction, tie=tie)
    return None


def _is_from(words: Words, end: int, state: State) -> bool:
    """Whether the length after a direction is “from” somewhere: the place of a point."""
    found = distance(words, words.skip(end, *_TO_DISTANCE), state.options)
    return found is not None and words.is_word(words.skip(found[1], ","), "from")


def _runs(words: Words, place: int) -> bool:
    return words.is_word(place, "due") or words.is_word(place - 1, "running", "runs", "proceeding", ":", ";")


def _without_quadrant(words: Words, place: int) -> Found:
    angle = degrees_minutes_seconds(words, place, limit=360)
    words.use(place, angle.end)
    words.problem(
        "M-QUAD",
        "error",
        "an angle alone is no bearing: the quadrant is not guessed",
        words.span(place, angle.end),
        "N or S before and E or W after it, or azimuths switched on",
    )
    end = angle.end + 1 if words.is_word(angle.end, "e", "w", "east", "west") else angle.end
    return Found("line", place, end)


# One call


def _call(words: Words, segment: Segment, one: Found, first: int, limit: int, number: int, state: State) -> Call:
    if one.kind == "curve":
        return _curve_call(words, segment, one, limit, number, state)
    stated_wind = _wind(words, first, limit, only_general=one.kind == "line")
    begin = one.end if one.kind != "word" else (stated_wind[1] if stated_wind else first)
    measured = _distance_after(words, begin, limit, state, one.kind != "word")
    if measured is None and one.kind == "line":
        measured = _distance_before(words, first, one.at, state)
    kind = one.kind
    length: Optional[Distance] = None
    end = begin
    if measured is not None:
        length, end, at = measured
        words.use(at, end)
    if kind == "word":
        kind = "adjoiner" if length is None else "winding"
    elif (one.direction is None and one.angle is None) or length is None:
        if length is None and one.direction is not None and segment.kind in ("thence", "item"):
            span = words.span(one.at, limit)
            words.problem("M-PLACE", "error", "no length is stated for this course", span, "a distance with its unit")
        kind = "unread"
    along = _along(words, first, limit, measured[2] if measured else limit)
    start = first if first < one.at or one.kind == "word" else one.at
    return Call(
        number,
        kind,
        words.span(start, max(end, start + 1)),
        words.raw(start, limit),
        one.direction,
        length,
        angle=one.angle,
        wind=stated_wind[0] if stated_wind else None,
        along=along,
        end_monument=_monument(words, max(end, one.end), limit),
        item=segment.item,
        sinuous=kind == "winding" and _is_sinuous(words, first, measured[2] if measured else limit, length),
        tangent=any(words.says(at, "from the point of tangency") for at in range(first, limit)),
    )


def _curve_call(words: Words, segment: Segment, one: Found, limit: int, number: int, state: State) -> Call:
    side_at = side_in(words, one.at, one.end)
    side = words[side_at].text if side_at is not None else state.announced_side
    span = words.span(one.at, one.end)
    if not side:
        words.problem("M-CURVE", "error", "the curve turns to no stated side", span, "“to the left” or “to the right”")
    curve, end = read_curve(words, one.at, one.end, side, state.options)
    if side_at is not None:
        at = words[side_at]
        curve = Curve(**{**curve.__dict__, "side_span": words.source.span(at.start, at.end)})
    stated = _wind(words, one.at, one.end, only_general=False)
    length = curve.arc
    kind = "curve" if side else "unread"
    return Call(
        number,
        kind,
        words.span(one.at, max(end, one.at + 1)),
        words.raw(one.at, limit),
        None,
        length,
        curve,
        wind=stated[0] if stated else None,
        along=_along(words, one.at, limit, limit),
        end_monument=_monument(words, end, limit),
        item=segment.item,
    )


def _tie(words: Words, one: Found, limit: int, state: State, at_start: bool) -> Tie:
    measured = _distance_after(words, one.end, limit, state)
    end, length = one.end, None
    if measured is not None:
        length, end, _ = measured
        words.use(one.end, end)
    call = Call(1, "line", words.span(one.at, end), words.raw(one.at, end), one.direction, length)
    return Tie("from_start" if at_start else "side_tie", (call,), _monument(words, end, limit))


def _distant(words: Words, start: int, end: int, state: State) -> Optional[Tie]:
    """“distant 343.87 feet southerly from the corner …”: the place of the start by length and compass word."""
    for at in range(start, end):
        if not words.is_word(at, "distant"):
            continue
        found = distance(words, at + 1, state.options)
        if found is None:
            continue
        length, stop = found
        words.use(at, stop)
        toward = wind(words, stop)
        span, raw = words.span(at, stop), words.raw(at, stop)
        call = Call(1, "winding", span, raw, distance=length, wind=toward[0] if toward else None)
        return Tie("from_start", (call,), _monument(words, stop, end))
    return None


# The parts of a call


def _distance_after(
    words: Words, start: int, limit: int, state: State, directed: bool = True
) -> Optional[tuple[Distance, int, int]]:
    """The length governed by a direction that ended at `start`: at once, after “a distance of”, or after “along …”."""
    place = words.skip(start, *_TO_DISTANCE)
    if place < limit:
        found = _measured(words, place, state, directed)
        if found is not None:
            return (*found, place)
    for at in range(start, limit):
        if words.says(at, "distance of") and not words.is_word(at - 2, "at"):
            found = _measured(words, at + 2, state, True)
            if found is not None:
                return (*found, at + 2)
    for at in range(start, limit):
        if words.is_word(at, "to", "passes", ";"):
            return None
        if words[at].kind not in ("number", "word") or words[at - 1].kind == "number":
            continue
        exact = distance(words, at, state.options)
        if exact is not None:
            state.units.add(unit_of(words, at))
            return (*exact, at)
    return None


def _distance_before(words: Words, first: int, at: int, state: State) -> Optional[tuple[Distance, int, int]]:
    for place in range(first, at):
        found = distance(words, place, state.options)
        if found is not None:
            return (found[0], at, place)
    return None


def _measured(words: Words, place: int, state: State, may_lack: bool) -> Optional[tuple[Distance, int]]:
    found = distance(words, place, state.options)
    if found is not None:
        state.units.add(unit_of(words, place) or "foot")
        return found
    if not may_lack or words[place].kind != "number" or unit_of(words, place):
        return None
    known = {name for name in state.units if name}
    unit = next(iter(known)) if len(known) == 1 else state.options.unit
    without = bare(words, place, unit, state.options)
    if without is not None and (known or not state.said_unit):
        state.said_unit = True
        severity = "info" if len(known) < 2 else "warning"
        words.problem("M-UNIT", severity, f"no unit is stated, {unit} is assumed", without[0].span, "a unit of length")
    return without


def _wind(words: Words, start: int, limit: int, only_general: bool) -> Optional[tuple[int, int]]:
    """The compass word that says where a course goes, not which side of a street is meant."""
    head = words.skip(start, ",", "and", "generally", "running", "proceeding", "continuing", "still", "then", "-")
    for at in range(start, limit):
        found = wind(words, at)
        if found is None:
            continue
        value, end = found
        if words.is_word(end, "direction"):
            return value, end + 1
        if not only_general and at == head and not words.is_word(end, *_NOUNS):
            return value, end
        if not only_general and words.is_word(at - 1, "generally"):
            return value, end
    for at in (head,):
        straight = cardinal(words, at) if not only_general else None
        if straight is not None and words.is_word(words.skip(straight[1], ","), "along"):
            return straight[0].azimuth // 3_600_000, straight[1]
    return None


def _along(words: Words, first: int, limit: int, length_at: int) -> str:
    for at in range(first, limit):
        if not words.is_word(at, "along"):
            continue
        end = at + 1
        while end < limit and end != length_at and not words.is_word(end, ",", ";", "to", "as", "(", ":"):
            if is_bearing(words, end) or words.says(end, "in a general") or words.says(end, "a distance"):
                break
            end += 1
        return words.raw(at + 1, end)
    return ""


def _monument(words: Words, start: int, limit: int) -> str:
    begin = words.skip(start, ",", ";", ".")
    end = limit
    while end > begin and words.is_word(end - 1, ",", ";", ".", "and"):
        end -= 1
    return words.raw(begin, end)


def _is_sinuous(words: Words, first: int, limit: int, length: Optional[Distance]) -> bool:
    winds = any(words.says(at, "winds and turns") or words.is_word(at, *WATERS) for at in range(first, limit))
    return winds or bool(length and length.approximate)
